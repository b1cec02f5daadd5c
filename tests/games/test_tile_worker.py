"""Tiles with a real worker on a real broker: the exchange runs out, and a match goes on to its end."""

from __future__ import annotations

import random

import pytest

from games import engine
from games.engine.bots import BOTS
from games.models import Game
from games.services import turns
from remi_site import celery
from tests.conftest import Worker
from tests.games.playing import NOON, at, fresh, player
from tests.games.test_worker import counted_once, until
from tests.games.tiles import BOTH_SMALL, answer, tile_table

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_sweep_finds_an_exchange_that_ran_out(worker: Worker) -> None:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)  # due long ago by the worker's clock
    assert celery.send("games.tasks.sweep")
    until(lambda: fresh(game).to_move == 0)
    moves = [(entry.text, entry.actor) for entry in game.entries.filter(kind="move")]
    assert moves == [("X:pass", "clock"), ("X:pass", "clock")]
    counted_once(game)


def test_a_match_of_a_player_and_two_computers_is_played_to_its_end(worker: Worker) -> None:
    game = tile_table("Ana", computers=2, options={"target": 200}, seed="whole match")
    rng = random.Random(4)
    while fresh(game).status == "running":
        until(lambda: not fresh(game).awaits_server, seconds=30)
        if fresh(game).status == "running":
            as_the_computer_would(game, rng)
    assert fresh(game).winner is not None
    counted_once(game)


def as_the_computer_would(game: Game, rng: random.Random) -> None:
    """Ana's next move, or her answer."""
    table = at(game)
    move = engine.move_text(BOTS["greedy"](engine.view(table.deal, 0), rng), engine.TILES)
    if table.game.in_exchange:
        answer(game, move)
    else:
        turns.play(code=game.code, user=player("Ana"), move=move, version=table.game.version, now=NOON)

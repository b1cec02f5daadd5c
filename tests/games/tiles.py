"""Tables of tiles for the tests, from seeds whose doubles are known, and short ways through the exchange."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from unittest import mock

from games import engine
from games.models import Game
from games.services import exchange, turns
from games.services.errors import ServiceError
from games.services.store import Table
from tests.engine.builders import Step
from tests.engine.tile_builders import play_tiles, tiles_deck, tiles_rules
from tests.games.playing import NOON, at, fresh, open_table, player, rows, running

# Two seats: who holds doubles.
BOTH_SMALL = "tiles 0"
"""Seat 0 2R 2R, seat 1 3Y 3Y."""
NOBODY_ASKED = "tiles 7"
"""With three seats too."""
FIRST_ASKED = "tiles 12"
"""Seat 0 8K 8K."""
SECOND_ASKED = "tiles 13"
"""Seat 1 6R 6R."""
THREE_DOUBLES = "tiles 32"
"""Seat 0 8Y 8Y, 11Y 11Y, 10K 10K; seat 1 2Y 2Y."""

# Three seats.
ALL_BIG = "tiles 25"
"""Seat 0 10R 10R, seat 1 13Y 13Y, seat 2 12B 12B."""
TWO_OF_THREE = "tiles 11"
"""Seat 0 11K 11K, seat 1 10K 10K."""


def tile_table(*names: str, seats: int | None = None, **terms: Any) -> Game:
    """A match of tiles that has begun, or a table with free seats where there are more of them than names."""
    if seats is not None and seats > len(names):
        return open_table(*names, seats=seats, variant="etalat", **terms)
    return running(*names, variant="etalat", **terms)


def answer(game: Game, text: str, *, by: str = "Ana", deal: int | None = None, now: datetime = NOON) -> Table:
    """A player's answer in the exchange of the present deal."""
    number = deal if deal is not None else max(game.deals.values_list("number", flat=True), default=0)
    return exchange.answer(code=game.code, user=player(by), answer=text, deal=number, now=now)


def answer_refused(game: Game, text: str, *, by: str = "Ana", deal: int | None = None) -> str:
    """The code with which an answer is refused. Fails where it is not, or where anything changed."""
    user, before = player(by), rows()
    try:
        answer(game, text, by=user.username, deal=deal)
    except (engine.RuleError, ServiceError) as fault:
        assert rows() == before
        return fault.code
    raise AssertionError(f"{text} was not refused: {fresh(game).version}")


def held(table: Table, seat: int) -> list[str]:
    """The tiles of a seat as text."""
    return [engine.TILES.texts[tile] for tile in table.deal.hands[seat].cards()]


@contextmanager
def dealt(hands: list[str], *, atu: str = "7K") -> Iterator[None]:
    """While it lasts each seat is dealt these tiles, and others that make no double with them; seat 0 plays first."""
    deck = tuple(tiles_deck(tiles_rules(len(hands)), hands, atu, len(hands) - 1))
    with mock.patch("games.engine.shuffled", lambda _rules, _seed: deck):
        yield


def rigged(*names: str, hands: list[str], atu: str = "7K", **options: Any) -> Game:
    """A match of tiles whose first deal is such a one."""
    with dealt(hands, atu=atu):
        return tile_table(*names, options=options)


def script(number: int) -> tuple[dict[str, Any], list[Step]]:
    """A whole deal of two seats as it may be played: the terms of `tile_table` that deal it, and its moves."""
    seed = f"tiles {number}"
    steps = play_tiles(tiles_rules(2), number, deck=engine.shuffled(tiles_rules(2), engine.seed_of(seed)))
    return {"seed": seed, "dealer": steps[0].before.dealer}, steps


def follow(game: Game, steps: list[Step], *, now: datetime = NOON) -> Table:
    """The table after these moves, each made by the player of its seat."""
    names = [str(seat.user) for seat in game.seats.all()]
    for step in steps:
        user, version = player(names[step.seat]), fresh(game).version
        if step.before.phase == engine.EXCHANGE:
            answer(game, step.move, by=user.username, now=now)
        else:
            turns.play(code=game.code, user=user, move=step.move, version=version, now=now)
    return at(game)

"""Computer players: their turns, and what happens when one goes wrong."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games import engine, selectors, tasks
from games.engine.bots import BOTS
from games.models import Game
from games.services import turns
from tests.games.playing import NOON, at, differences, fresh, play, quick_turn, rows, running

pytestmark = pytest.mark.django_db
RNG = random.Random(1)


@pytest.fixture
def game() -> Game:
    """A computer, on turn, and Ana."""
    return running("Ana", computers=1, dealer=0)


@pytest.fixture
def greedy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[..., Any]], None]]:
    """Let another player sit where the tables seat their computer."""
    yield lambda choose: monkeypatch.setitem(BOTS, "greedy", choose)


def moves_of(game: Game, seat: int) -> list[tuple[str, str]]:
    entries = game.entries.filter(kind="move", seat=seat)
    return [(entry.text[:1], entry.actor) for entry in entries]


def test_a_computer_plays_its_whole_turn(game: Game) -> None:
    assert turns.serve(game_id=game.pk, now=NOON, rng=RNG)
    kinds = moves_of(game, 1)
    assert kinds[0][0] in "SP" and kinds[-1] == ("D", "computer")
    after = fresh(game)
    assert (after.to_move, after.awaits_server, after.version) == (0, False, game.version + 1)
    assert differences(game) == []


def test_it_plays_once(game: Game) -> None:
    assert turns.serve(game_id=game.pk, now=NOON, rng=RNG)
    before = rows()
    assert not turns.serve(game_id=game.pk, now=NOON, rng=RNG)
    assert not turns.serve(game_id=game.pk, now=NOON, rng=RNG)
    assert rows() == before


def test_it_does_not_play_for_a_player() -> None:
    game = running("Ana", computers=1)
    before = rows()
    assert not turns.serve(game_id=game.pk, now=NOON, rng=RNG)
    assert rows() == before


def test_it_sees_only_its_view(game: Game, greedy: Any) -> None:
    seen: list[engine.View] = []
    choose = BOTS["greedy"]

    def watched(view: engine.View, rng: random.Random) -> engine.Move:
        seen.append(view)
        return choose(view, rng)

    greedy(watched)
    turns.serve(game_id=game.pk, now=NOON, rng=RNG)
    assert seen and all(type(view) is engine.View and view.seat == 1 for view in seen)


def fails(view: engine.View, rng: random.Random) -> engine.Move:
    raise KeyError("7H")


def cheats(view: engine.View, rng: random.Random) -> engine.Move:
    return engine.Move("D", 0, (0,)) if view.phase == "draw" else engine.Move("S")


def dawdles(view: engine.View, rng: random.Random) -> engine.Move:
    """Takes the top card and gives it back, for ever."""
    return engine.Move("U") if view.turn_moves else engine.Move("P", 1)


@pytest.mark.parametrize("wrong", [fails, cheats, dawdles])
def test_one_that_goes_wrong_has_its_turn_played_as_if_it_had_run_out(
    game: Game, greedy: Any, wrong: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    greedy(wrong)
    with caplog.at_level(logging.ERROR):
        assert turns.serve(game_id=game.pk, now=NOON, rng=RNG)
    after = fresh(game)
    assert (after.to_move, after.awaits_server) == (0, False)
    assert moves_of(game, 1)[-1] == ("T", "computer")
    assert bool(caplog.records) == (wrong is not dawdles)
    assert differences(game) == []


def test_the_worker_goes_on_until_a_player_is_on_turn() -> None:
    game = running("Ana", computers=3, dealer=0)
    tasks.serve(game.pk)
    assert (fresh(game).to_move, at(game).row.turns) == (0, 3)
    before = rows()
    tasks.serve(game.pk)
    assert rows() == before
    assert differences(game) == []


def test_a_match_against_computers_is_played_to_its_end() -> None:
    game = running("Ana", computers=2, options={"target": 60})
    for _turn in range(2_000):
        if fresh(game).status == "finished":
            break
        if fresh(game).awaits_server:
            tasks.serve(game.pk)
        else:
            quick_turn(game)
    after = fresh(game)
    assert after.status == "finished"
    winner = game.seats.all()[after.winner or 0]
    assert winner.total == max(seat.total for seat in game.seats.all()) >= 60
    assert differences(game) == []


def test_computers_among_themselves_end_the_match_of_a_player_who_left() -> None:
    game = running("Ana", computers=2, options={"target": None})
    user = game.maker
    assert user is not None
    turns.resign(code=game.code, user=user, now=NOON)
    tasks.serve(game.pk)
    assert fresh(game).status == "finished"
    assert fresh(game).winner in (1, 2)
    assert differences(game) == []


def test_the_sweep_finds_computers_that_were_not_called(game: Game) -> None:
    assert selectors.games_awaiting_the_server() == [game.pk]
    tasks.serve(game.pk)
    assert selectors.games_awaiting_the_server() == []


def test_a_game_that_is_gone_is_no_fault_of_the_worker() -> None:
    tasks.serve(0)
    tasks.expire(0)


def test_the_player_plays_on_from_where_the_computer_stopped(game: Game) -> None:
    tasks.serve(game.pk)
    play(game, "S")
    assert at(game).deal.phase == "play"

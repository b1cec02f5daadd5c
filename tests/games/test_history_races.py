"""A ruling beside a move, the clock, a worker or another ruling: over real connections, and nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from games.models import Game
from games.services import deals, history
from games.services.store import Table, load, lock
from tests.games.playing import NOON, OUT_OF_TWO, at, fresh, play, quick_turn, running, settle
from tests.games.ruling import CASE, standing
from tests.games.test_races import Call, both_orders, click, expiry, race

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    return running("Ana", "Bogdan", seed=OUT_OF_TWO[0])


def ruling(game: Game, verb: Callable[..., Table], *what: Any) -> Call:
    def call() -> str:
        with transaction.atomic():
            verb(load(lock(pk=game.pk)), *what, case=CASE, now=NOON)
        return "ruled"

    return call


def texts(game: Game) -> list[str]:
    return [move.text for move in standing(game)]


@both_orders
def test_a_move_beside_going_back(game: Game, swapped: bool) -> None:
    """Played first it is undone; else its page shows a table that is gone."""
    play(game, "S")
    back = ruling(game, history.go_back, standing(game)[0].number)
    answers = race(game, click(game, "D:8S"), back, swapped=swapped)
    assert answers == (["stale", "ruled"] if swapped else ["played", "ruled"])
    assert texts(game) == [] and fresh(game).to_move == 0
    assert game.entries.filter(kind="move").count() == (1 if swapped else 2)


@both_orders
def test_a_move_beside_a_void_deal(game: Game, swapped: bool) -> None:
    answers = race(game, click(game, "S"), ruling(game, history.void, 0), swapped=swapped)
    assert answers == (["stale", "ruled"] if swapped else ["played", "ruled"])
    assert at(game).row.number == 1 and len(standing(game, 1)) == 0


@both_orders
def test_the_clock_beside_going_back(game: Game, swapped: bool) -> None:
    quick_turn(game)
    answers = race(game, expiry(game), ruling(game, history.go_back, standing(game)[0].number), swapped=swapped)
    assert answers == [True, "ruled"]
    assert texts(game) == (["T"] if swapped else [])  # Bogdan's turn that ran out is undone, or Ana's that she had again


@both_orders
def test_counting_beside_a_void_deal(game: Game, swapped: bool) -> None:
    """Counted first, its points go again; void first, there is nothing to count."""
    play(game, OUT_OF_TWO[1])
    counting = lambda: deals.settle(game_id=game.pk, now=NOON)  # noqa: E731
    answers = race(game, counting, ruling(game, history.void, 0), swapped=swapped)
    assert answers == [not swapped, "ruled"]
    assert [seat.total for seat in game.seats.all()] == [0, 0]
    assert game.deals.count() == 2 and game.deals.get(number=0).scored is not swapped


def test_a_deal_is_made_void_once_by_two(game: Game) -> None:
    assert race(game, ruling(game, history.void, 0), ruling(game, history.void, 0)) == ["ruled", "already_void"]
    assert game.deals.count() == 2


def test_a_move_is_undone_once_by_two(game: Game) -> None:
    play(game, "S")
    back = ruling(game, history.go_back, standing(game)[0].number)
    assert race(game, back, back) == ["ruled", "no_such_move"]
    assert game.entries.filter(text="rolled_back").count() == 1


@both_orders
def test_going_back_beside_a_void_deal(game: Game, swapped: bool) -> None:
    play(game, "S")
    back = ruling(game, history.go_back, standing(game)[0].number)
    answers = race(game, back, ruling(game, history.void, 0), swapped=swapped)
    assert answers == (["too_far_back", "ruled"] if swapped else ["ruled", "ruled"])


def test_points_of_two_rulings_add_up(game: Game) -> None:
    added = ruling(game, history.adjust, {0: 5})
    assert race(game, added, added) == ["ruled", "ruled"]
    assert game.seats.get(index=0).total == 10


def test_two_take_up_a_finished_match_once() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0], options={"target": 50})
    play(game, OUT_OF_TWO[1])
    settle(game)
    last = standing(game)[-1].number
    assert race(game, ruling(game, history.go_back, last), ruling(game, history.void, 0)) == ["ruled", "ruled"]
    assert fresh(game).status == "running" and game.deals.count() == 2
    assert race(game, ruling(game, history.reopen), ruling(game, history.reopen)) == ["not_over", "not_over"]

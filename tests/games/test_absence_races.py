"""Two at once around a seat whose player stays away: one goes through, the other is told so."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.models import Game, Reliability
from games.services import absence, reliability, turns
from tests.games.playing import DAY, NOON, fresh, play, player, quick_turn, running, seat
from tests.games.test_races import Call, Racer, both_orders, click, doing, expiry, finish, race, worker

pytestmark = pytest.mark.django_db(transaction=True)
DUE = NOON + DAY
WEEK = 7 * DAY


@pytest.fixture
def game() -> Game:
    """Ana is absent, and it is her turn: a worker has still to play it."""
    game = running("Ana", "Bogdan", absent_after=1)
    assert turns.expire(game_id=game.pk, now=DUE)
    quick_turn(game)
    assert fresh(game).awaits_server
    return fresh(game)


def taking_over(game: Game, by: str) -> Call:
    user = player(by)
    return lambda: absence.take_over(code=game.code, user=user, seat=0, now=NOON) and "done"


def ending(game: Game) -> Call:
    return lambda: absence.end(game_id=game.pk, now=DUE + WEEK)


def holder(game: Game) -> str:
    return str(game.seats.get(index=0).user)


def told(game: Game, *events: str) -> list[str]:
    return list(game.entries.filter(text__in=events).order_by("number").values_list("text", flat=True))


@both_orders
def test_back_beside_a_substitute(game: Game, swapped: bool) -> None:
    answers = race(game, doing(absence.back, game, "Ana"), taking_over(game, "Dan"), swapped=swapped)
    assert answers == (["seat_taken_over", "done"] if swapped else ["done", "seat_not_free"])
    assert holder(game) == ("Dan" if swapped else "Ana")
    assert not game.seats.get(index=0).absent


def test_of_two_substitutes_one_sits_down(game: Game) -> None:
    assert race(game, taking_over(game, "Dan"), taking_over(game, "Eva")) == ["done", "seat_not_free"]
    assert (holder(game), game.tenures.filter(seat=0).count()) == ("Dan", 2)


def test_a_substitute_who_taps_twice_sits_down_once(game: Game) -> None:
    assert race(game, taking_over(game, "Dan"), taking_over(game, "Dan")) == ["done", "done"]
    assert told(game, "taken_over") == ["taken_over"]


def test_back_with_two_taps_is_back_once(game: Game) -> None:
    assert race(game, doing(absence.back, game, "Ana"), doing(absence.back, game, "Ana")) == ["done", "done"]
    assert told(game, "back") == ["back"]


@both_orders
def test_back_beside_the_computer_s_turn(game: Game, swapped: bool) -> None:
    answers = race(game, doing(absence.back, game, "Ana"), worker(game), swapped=swapped)
    assert answers == ["done", swapped]
    assert fresh(game).to_move == (1 if swapped else 0)
    assert not fresh(game).awaits_server


@both_orders
def test_a_substitute_beside_the_computer_s_turn(game: Game, swapped: bool) -> None:
    answers = race(game, taking_over(game, "Dan"), worker(game), swapped=swapped)
    assert answers == ["done", swapped]
    assert (fresh(game).to_move, holder(game)) == (1 if swapped else 0, "Dan")


@both_orders
def test_back_beside_the_end_of_the_time_to_come_back(game: Game, swapped: bool) -> None:
    answers = race(game, doing(absence.back, game, "Ana"), ending(game), swapped=swapped)
    assert answers == ["done", swapped]
    assert seat(game, "Ana").resigned == swapped


@both_orders
def test_a_substitute_beside_the_end_of_the_time_to_come_back(game: Game, swapped: bool) -> None:
    answers = race(game, taking_over(game, "Dan"), ending(game), swapped=swapped)
    assert answers == (["seat_not_free", True] if swapped else ["done", False])


def test_two_sweeps_end_an_absence_once(game: Game) -> None:
    assert race(game, ending(game), ending(game)) == [True, False]
    assert told(game, "R") == ["R"]


@both_orders
def test_resigning_while_absent_beside_the_clock_that_does_it(game: Game, swapped: bool) -> None:
    answers = race(game, doing(turns.resign, game, "Ana"), ending(game), swapped=swapped)
    assert answers[1] is swapped
    assert told(game, "R") == ["R"]


@both_orders
def test_a_click_at_the_last_moment_beside_an_excuse(swapped: bool) -> None:
    game = running("Ana", "Bogdan", excuses=1, absent_after=1)
    play(game, "S")
    discard = "D:" + game.deals.get().hands.get(seat=0).cards[0]
    answers = race(game, click(game, discard), expiry(game), swapped=swapped)
    assert answers == (["stale", True] if swapped else ["played", True])
    excused = [place.excused for place in game.seats.all()]
    assert excused == ([1, 0] if swapped else [0, 1])


def test_two_sweeps_excuse_a_turn_once() -> None:
    game = running("Ana", "Bogdan", excuses=5)
    assert race(game, expiry(game), expiry(game)) == [True, False]
    assert (told(game, "excused"), seat(game, "Ana").excused) == (["excused"], 1)


@both_orders
def test_a_move_of_the_last_player_there_beside_the_clock(game: Game, swapped: bool) -> None:
    turns.serve(game_id=game.pk, now=NOON, rng=random.Random(1))
    answers = race(game, click(game, "S", by="Bogdan"), expiry(game), swapped=swapped)
    assert answers == (["stale", True] if swapped else ["played", True])
    assert fresh(game).deserted


def test_turns_of_one_player_that_end_at_two_tables_at_once_all_count() -> None:
    games = [running("Ana", f"Rival {number}") for number in range(6)]
    ana = player("Ana")

    def plays(game: Game) -> Call:
        def call() -> Any:
            play_as: dict[str, Any] = {"code": game.code, "user": ana, "now": NOON}
            turns.play(**play_as, move="S", version=game.version)
            discard = "D:" + game.deals.get().hands.get(seat=0).cards[0]
            return turns.play(**play_as, move=discard, version=game.version + 1) and "played"

        return call

    racers = [Racer(plays(game)) for game in games]
    for racer in racers:
        racer.start()
    assert finish(racers) == ["played"] * 6
    assert Reliability.objects.get(user=ana).recent == "1" * 6
    assert reliability.differences() == []

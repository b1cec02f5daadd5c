"""A pause by agreement of all; any one ends it, and what was left is there again, to the second."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import Q

from games import selectors
from games.models import Game
from games.services import absence, exchange, pauses, turns
from games.services.errors import ServiceError
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_TWO,
    awake,
    differences,
    fresh,
    play,
    player,
    quick_turn,
    refused,
    rows,
    running,
    seat,
    settle,
    sweep,
)
from tests.games.tiles import BOTH_SMALL, answer_refused, tile_table

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
BANK: dict[str, Any] = {"turn_time": DAY, "increment": 2 * HOUR, "bank_cap": 3 * DAY}


def do(verb: Any, game: Game, name: str, now: datetime = NOON) -> Game:
    """What a player does about a pause, at the present version of the table; the table afterwards."""
    verb(code=game.code, user=player(name), version=fresh(game).version, now=now)
    return fresh(game)


def agree(game: Game, *names: str, now: datetime = NOON) -> Game:
    for name in names:
        do(pauses.agree, game, name, now)
    return fresh(game)


def why_not(verb: Any, game: Game, name: str, *, version: int | None = None) -> str:
    """The code with which that is refused. Fails where it is not, or where anything changed."""
    user, before = player(name), rows()
    try:
        verb(code=game.code, user=user, version=fresh(game).version if version is None else version, now=NOON)
    except ServiceError as fault:
        assert rows() == before
        return fault.code
    raise AssertionError("it was not refused")


def told(game: Game) -> list[tuple[str, int | None]]:
    events = game.entries.filter(Q(text__startswith="pause") | Q(text="resumed"))
    return list(events.order_by("number").values_list("text", "seat"))


# -- asked for and agreed to --------------------------------------------------------------------


def test_a_pause_begins_when_the_last_has_agreed_and_stops_the_clock() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    agree(game, "Bogdan", "Ana", now=NOON + HOUR)
    assert fresh(game).deadline == NOON + DAY
    game = agree(game, "Chloé", now=NOON + 2 * HOUR)
    assert (game.paused_at, game.deadline, game.left) == (NOON + 2 * HOUR, None, 22 * HOUR)
    assert told(game) == [("pause_asked", 1), ("pause_agreed", 0), ("pause_agreed", 2), ("paused", None)]
    assert not any(each.wants_pause for each in game.seats.all())
    assert differences(game) == []


def test_one_player_among_computers_pauses_alone() -> None:
    game = agree(running("Ana", computers=2), "Ana")
    assert game.paused_at == NOON


def test_who_has_resigned_or_is_absent_is_not_asked() -> None:
    game = running("Ana", "Bogdan", "Chloé", absent_after=1)
    sweep(NOON + DAY)
    assert seat(game, "Ana").absent
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON + DAY)
    assert why_not(pauses.agree, game, "Ana") == why_not(pauses.agree, game, "Bogdan") == "no_say"
    assert agree(game, "Chloé", now=NOON + DAY).paused_at == NOON + DAY


def test_asking_twice_asks_once() -> None:
    game = agree(running("Ana", "Bogdan"), "Ana", "Ana")
    assert told(game) == [("pause_asked", 0)]


@pytest.mark.parametrize(("by", "event"), [("Bogdan", "pause_refused"), ("Ana", "pause_withdrawn")])
def test_refused_or_withdrawn_it_is_to_be_asked_anew_by_all(by: str, event: str) -> None:
    game = running("Ana", "Bogdan", "Chloé")
    agree(game, "Ana", "Chloé")
    do(pauses.refuse, game, by)
    assert told(game)[-1][0] == event
    assert agree(game, "Bogdan").paused_at is None
    assert agree(game, "Ana").paused_at is None
    assert agree(game, "Chloé").paused_at == NOON


def test_play_goes_on_while_it_is_only_asked_for() -> None:
    game = agree(running("Ana", "Bogdan"), "Bogdan")
    quick_turn(game)
    assert fresh(game).to_move == 1


@pytest.mark.parametrize("verb", [pauses.agree, pauses.refuse, pauses.resume])
def test_what_was_seen_before_the_table_moved_on_is_stale(verb: Any) -> None:
    game = agree(running("Ana", "Bogdan"), "Ana")
    assert why_not(verb, game, "Bogdan", version=fresh(game).version - 1) == "stale"


@pytest.mark.parametrize("verb", [pauses.agree, pauses.refuse, pauses.resume])
def test_strangers_have_no_table_to_pause(verb: Any) -> None:
    assert why_not(verb, running("Ana", "Bogdan"), "Céline") == "no_such_table"


def test_nothing_is_refused_that_nobody_asked_for_nor_ended_that_has_not_begun() -> None:
    game = running("Ana", "Bogdan")
    assert why_not(pauses.refuse, game, "Ana") == "nothing_asked"
    assert why_not(pauses.resume, game, "Ana") == "not_paused"
    agree(game, "Ana", "Bogdan")
    assert why_not(pauses.agree, game, "Ana") == why_not(pauses.refuse, game, "Ana") == "paused"


def test_a_match_that_is_over_is_not_paused() -> None:
    game = running("Ana", "Bogdan", options={"target": None}, seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    assert why_not(pauses.agree, game, "Ana") == "stale"


# -- while it lasts -----------------------------------------------------------------------------


def test_nobody_moves_and_nothing_runs_out() -> None:
    game = agree(running("Ana", "Bogdan"), "Ana", "Bogdan")
    assert refused(game, "S") == "paused"
    for days in range(1, 29):
        sweep(NOON + days * DAY)
    assert (fresh(game).to_move, fresh(game).left) == (0, DAY)


def test_the_computer_players_stand_still_too() -> None:
    game = running("Ana", computers=1, dealer=0)
    assert fresh(game).awaits_server
    agree(game, "Ana")
    sweep(NOON + HOUR)
    assert (fresh(game).to_move, fresh(game).awaits_server) == (1, True)
    do(pauses.resume, game, "Ana", NOON + 2 * HOUR)
    sweep(NOON + 2 * HOUR)
    assert fresh(game).to_move == 0


def test_nobody_answers_in_the_exchange_of_doubles() -> None:
    game = agree(tile_table("Ana", "Bogdan", seed=BOTH_SMALL), "Ana", "Bogdan", now=NOON + HOUR)
    assert answer_refused(game, "X:pass") == "paused"
    sweep(NOON + 5 * DAY)
    assert fresh(game).left == 23 * HOUR
    do(pauses.resume, game, "Ana", NOON + 5 * DAY)
    assert fresh(game).deadline == NOON + 5 * DAY + 23 * HOUR
    exchange.answer(code=game.code, user=player("Ana"), answer="X:pass", deal=0, now=NOON + 5 * DAY)


def test_one_may_resign_and_the_deal_that_ends_by_it_is_counted() -> None:
    game = agree(running("Ana", "Bogdan"), "Ana", "Bogdan")
    turns.resign(code=game.code, user=player("Ana"), now=NOON + HOUR)
    sweep(NOON + HOUR)
    game = fresh(game)
    assert (game.status, game.paused_at) == ("finished", None)


def test_an_absent_seat_has_as_long_to_come_back_as_before() -> None:
    game = running("Ana", "Bogdan", "Chloé", absent_after=1)
    sweep(NOON + DAY)
    until = seat(game, "Ana").absent_until
    assert until == NOON + 8 * DAY
    agree(game, "Bogdan", "Chloé", now=NOON + 2 * DAY)
    sweep(NOON + 10 * DAY)
    assert not absence.end(game_id=game.pk, now=NOON + 10 * DAY)
    awake(NOON + 12 * DAY)
    do(pauses.resume, game, "Bogdan", NOON + 12 * DAY)
    assert seat(game, "Ana").absent_until == NOON + 18 * DAY


# -- and ended ----------------------------------------------------------------------------------


def test_anyone_ends_it_and_the_clock_goes_on_to_the_second() -> None:
    game = running("Ana", "Bogdan")
    agree(game, "Ana", "Bogdan", now=NOON + timedelta(hours=5, seconds=7))
    game = do(pauses.resume, game, "Bogdan", NOON + 9 * DAY + timedelta(seconds=1))
    assert game.deadline == NOON + 9 * DAY + timedelta(seconds=1) + DAY - timedelta(hours=5, seconds=7)
    assert told(game)[-1] == ("resumed", 1)
    quick_turn(game, now=NOON + 9 * DAY + HOUR)


def test_a_bank_pays_nothing_meanwhile() -> None:
    game = running("Ana", "Bogdan", **BANK)
    agree(game, "Ana", "Bogdan", now=NOON + 3 * HOUR)
    do(pauses.resume, game, "Ana", NOON + 3 * DAY)
    quick_turn(game, now=NOON + 3 * DAY + HOUR)
    assert seat(game, "Ana").bank == DAY - 4 * HOUR + 2 * HOUR


def test_it_ends_by_itself_after_thirty_days() -> None:
    game = agree(running("Ana", "Bogdan"), "Ana", "Bogdan", now=NOON + HOUR)
    end = NOON + HOUR + pauses.LONGEST_PAUSE
    sweep(end - timedelta(seconds=1))
    assert fresh(game).paused_at is not None
    sweep(end)
    assert (fresh(game).paused_at, fresh(game).deadline) == (None, end + 23 * HOUR)
    assert told(game)[-1] == ("resumed", None)
    assert not pauses.lapse(game_id=game.pk, now=end + 99 * DAY)


def test_ended_while_the_player_on_turn_is_away_the_clock_stands_on() -> None:
    from accounts.people import absence as people

    game = agree(running("Ana", "Bogdan"), "Ana", "Bogdan")
    people.plan(user=player("Ana"), first=NOON.date(), last=NOON.date() + 3 * DAY, now=NOON)
    sweep(NOON + HOUR)
    do(pauses.resume, game, "Bogdan", NOON + 2 * HOUR)
    sweep(NOON + 2 * HOUR)
    assert (fresh(game).paused_at, fresh(game).away, fresh(game).left) == (None, True, DAY)
    assert selectors.expired_games(now=NOON + 3 * DAY) == []

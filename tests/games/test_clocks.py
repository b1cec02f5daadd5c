"""The clock of a real table: banks, deadline hours across the change of the clocks, standing and going on, setting forward."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import clock, selectors, tasks
from games.models import Game
from games.services import clocks, exchange, turns
from games.services.store import lock
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_TWO,
    differences,
    fresh,
    play,
    player,
    quick_turn,
    running,
    seat,
    settle,
)
from tests.games.tiles import BOTH_SMALL, tile_table

pytestmark = pytest.mark.django_db
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
BANK: dict[str, Any] = {"turn_time": DAY, "increment": 2 * HOUR, "bank_cap": 3 * DAY}
BUCHAREST: dict[str, Any] = {"zone": "Europe/Bucharest"}


def local(zone: str, text: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)


def stop(game: Game, now: datetime, **reason: Any) -> Game:
    """Give a reason for which the clock stands."""
    return _set(game, now, **(reason or {"frozen_until": now + 30 * DAY}))


def go_on(game: Game, now: datetime, **reason: Any) -> Game:
    """Take the reason away."""
    return _set(game, now, **(reason or {"frozen_until": None}))


def _set(game: Game, now: datetime, **reason: Any) -> Game:
    game = lock(pk=game.pk)
    for name, value in reason.items():
        setattr(game, name, value)
    clocks.set_running(game, now=now)
    game.save(update_fields=clocks.COLUMNS)
    return fresh(game)


def banks(game: Game) -> list[timedelta | None]:
    return list(game.seats.order_by("index").values_list("bank", flat=True))


# -- the deadline hour -------------------------------------------------------------------------------


def test_a_turn_at_a_table_with_a_deadline_hour_ends_there() -> None:
    game = running("Ana", "Bogdan", deadline_hour=20, **BUCHAREST)  # begun at 14:00 by its clock
    assert fresh(game).deadline == local("Europe/Bucharest", "2026-03-02 20:00")
    quick_turn(game, now=NOON + 7 * HOUR)  # 21:00
    assert fresh(game).deadline == local("Europe/Bucharest", "2026-03-03 20:00")


@pytest.mark.parametrize(
    ("zone", "began", "hour", "due"),
    [
        ("Europe/Bucharest", "2026-03-27 21:00", 3, local("Europe/Bucharest", "2026-03-29 04:00")),
        ("Europe/Bucharest", "2026-10-23 21:00", 3, local("Europe/Bucharest", "2026-10-25 03:00", fold=1)),
        ("America/New_York", "2026-03-06 21:00", 2, local("America/New_York", "2026-03-08 03:00")),
        ("Australia/Lord_Howe", "2026-10-02 21:00", 2, local("Australia/Lord_Howe", "2026-10-04 02:30")),
    ],
)
def test_where_the_clocks_change_a_turn_runs_out_with_its_hour_and_not_before(
    zone: str, began: str, hour: int, due: datetime
) -> None:
    game = running("Ana", "Bogdan", now=local(zone, began), deadline_hour=hour, zone=zone)
    assert fresh(game).deadline == due
    with time_machine.travel(due - timedelta(seconds=1), tick=False):
        tasks.expire(game.pk)
        assert fresh(game).to_move == 0
    with time_machine.travel(due, tick=False):
        assert selectors.expired_games(now=due) == [game.pk]
        tasks.expire(game.pk)
        assert fresh(game).to_move == 1
    assert differences(game) == []


def test_no_turn_runs_out_in_quiet_hours_or_at_the_weekend() -> None:
    terms = {"turn_time": 8 * HOUR, "quiet_from": 22, "quiet_to": 8, "weekend_pause": True, **BUCHAREST}
    friday = local("Europe/Bucharest", "2026-03-06 15:00")
    game = running("Ana", "Bogdan", now=friday, **terms)
    assert fresh(game).deadline == local("Europe/Bucharest", "2026-03-09 08:00")


# -- banks -------------------------------------------------------------------------------------------


def test_a_bank_pays_for_a_turn_and_a_finished_one_earns() -> None:
    game = running("Ana", "Bogdan", **BANK)
    assert (banks(game), fresh(game).deadline) == ([DAY, DAY], NOON + DAY)
    quick_turn(game, now=NOON + 5 * HOUR)
    assert banks(game) == [DAY - 3 * HOUR, DAY]
    assert fresh(game).deadline == NOON + 5 * HOUR + DAY
    quick_turn(game, now=NOON + 6 * HOUR)
    assert banks(game) == [DAY - 3 * HOUR, DAY + HOUR]
    assert fresh(game).deadline == NOON + 6 * HOUR + DAY - 3 * HOUR
    assert differences(game) == []


def test_a_bank_never_exceeds_its_cap() -> None:
    game = running("Ana", "Bogdan", **BANK | {"bank_cap": DAY + HOUR})
    quick_turn(game)
    assert banks(game) == [DAY + HOUR, DAY]


def test_table_moves_and_take_backs_earn_nothing_and_cost_nothing_by_themselves() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0], **BANK)
    play(game, "S M:6H,7H,8H U M:6H,7H,8H M:7D,8D,9D", now=NOON + HOUR)
    assert (banks(game), fresh(game).deadline) == ([DAY, DAY], NOON + DAY)


def test_a_turn_that_runs_out_earns_nothing_and_the_next_has_the_increment() -> None:
    game = running("Ana", "Bogdan", **BANK)
    assert turns.expire(game_id=game.pk, now=NOON + DAY)
    assert banks(game) == [timedelta(0), DAY]
    quick_turn(game, now=NOON + DAY)
    assert fresh(game).deadline == NOON + DAY + 2 * HOUR
    quick_turn(game, now=NOON + DAY + HOUR)
    assert banks(game)[0] == 2 * HOUR


def test_without_an_increment_an_empty_bank_leaves_five_minutes() -> None:
    game = running("Ana", "Bogdan", turn_time=DAY, increment=timedelta(0), bank_cap=DAY)
    assert turns.expire(game_id=game.pk, now=NOON + DAY)
    quick_turn(game, now=NOON + DAY)
    assert fresh(game).deadline == NOON + DAY + 5 * MINUTE


def test_who_goes_out_has_finished_the_turn_and_the_next_deal_goes_on_with_the_banks() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0], **BANK)
    play(game, OUT_OF_TWO[1], now=NOON + 3 * HOUR)
    assert banks(game) == [DAY - HOUR, DAY]
    assert settle(game, now=NOON + 4 * HOUR)
    assert (banks(game), fresh(game).to_move) == ([DAY - HOUR, DAY], 1)
    assert fresh(game).deadline == NOON + 4 * HOUR + DAY


def test_who_resigns_on_turn_earns_nothing() -> None:
    game = running("Ana", "Bogdan", "Chloé", **BANK)
    turns.resign(code=game.code, user=player("Ana"), now=NOON + HOUR)
    assert banks(game) == [DAY - HOUR, DAY, DAY]


def test_a_computer_player_has_no_bank() -> None:
    game = running("Ana", computers=1, **BANK)
    assert banks(game) == [DAY, None]
    quick_turn(game, now=NOON + HOUR)
    tasks.serve(game.pk)
    assert banks(game) == [DAY + HOUR, None]
    assert fresh(game).to_move == 0


def test_what_the_quiet_hours_give_is_spent_before_the_bank_of_the_next_turn() -> None:
    """The bank is charged with what the turn took, however late it could have ended."""
    terms = BANK | {"turn_time": 2 * HOUR, "quiet_from": 13, "quiet_to": 20}
    game = running("Ana", "Bogdan", **terms)
    assert fresh(game).deadline == NOON + 8 * HOUR
    quick_turn(game, now=NOON + HOUR)
    assert banks(game)[0] == 3 * HOUR
    quick_turn(game, now=NOON + 6 * HOUR)
    assert banks(game)[1] == 2 * HOUR


def test_a_table_without_banks_keeps_none() -> None:
    game = running("Ana", "Bogdan")
    quick_turn(game, now=NOON + HOUR)
    assert banks(game) == [None, None]


@pytest.mark.parametrize(
    ("start", "allowed"), [(10 * MINUTE, 10 * MINUTE), (DAY, DAY), (5 * DAY, DAY)], ids=["minutes", "a day", "five days"]
)
def test_the_exchange_of_doubles_is_charged_to_nobody(start: timedelta, allowed: timedelta) -> None:
    terms = BANK | {"turn_time": start, "bank_cap": 10 * DAY, "increment": MINUTE}
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL, **terms)
    assert fresh(game).in_exchange
    assert fresh(game).deadline == NOON + allowed
    assert turns.expire(game_id=game.pk, now=NOON + allowed)
    assert banks(game) == [start, start]
    assert exchange.PASS in game.entries.values_list("text", flat=True)


# -- standing and going on ---------------------------------------------------------------------------


def test_a_clock_that_stands_keeps_what_was_left_to_the_second() -> None:
    game = running("Ana", "Bogdan")
    stopped = stop(game, NOON + timedelta(hours=3, seconds=7))
    assert (stopped.deadline, stopped.left) == (None, DAY - timedelta(hours=3, seconds=7))
    assert not turns.expire(game_id=game.pk, now=NOON + 30 * DAY)
    assert selectors.expired_games(now=NOON + 30 * DAY) == []
    going = go_on(game, NOON + 9 * DAY)
    assert (going.deadline, going.left) == (NOON + 10 * DAY - timedelta(hours=3, seconds=7), None)


def test_stopped_twice_it_goes_on_when_nothing_stops_it_any_more() -> None:
    game = running("Ana", "Bogdan")
    stop(game, NOON + HOUR)
    stop(game, NOON + 2 * HOUR, paused_at=NOON + 2 * HOUR)
    assert go_on(game, NOON + 3 * HOUR).left == DAY - HOUR
    assert go_on(game, NOON + 4 * HOUR, paused_at=None).deadline == NOON + 3 * HOUR + DAY


def test_stopped_after_its_time_nothing_is_left() -> None:
    game = running("Ana", "Bogdan")
    assert stop(game, NOON + 2 * DAY).left == timedelta(0)
    assert go_on(game, NOON + 3 * DAY).deadline == NOON + 3 * DAY
    assert turns.expire(game_id=game.pk, now=NOON + 3 * DAY)


def test_a_turn_that_begins_while_the_clock_stands_has_its_full_time() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    stop(game, NOON + HOUR)
    turns.resign(code=game.code, user=player("Ana"), now=NOON + 2 * HOUR)
    assert (fresh(game).to_move, fresh(game).deadline, fresh(game).left) == (1, None, DAY)
    assert go_on(game, NOON + 5 * HOUR).deadline == NOON + 5 * HOUR + DAY


def test_a_deal_that_begins_while_the_clock_stands_stands_too() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1], now=NOON + HOUR)
    stop(game, NOON + HOUR)
    assert (fresh(game).left, fresh(game).awaits_server) == (timedelta(0), True)
    assert settle(game, now=NOON + 2 * HOUR)
    assert (fresh(game).deadline, fresh(game).left) == (None, DAY)


def test_a_match_that_ends_while_the_clock_stands_has_no_time_left() -> None:
    game = running("Ana", "Bogdan", options={"target": None}, seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1], now=NOON + HOUR)
    stop(game, NOON + HOUR)
    assert settle(game, now=NOON + 2 * HOUR)
    assert (fresh(game).status, fresh(game).deadline, fresh(game).left) == ("finished", None, None)


def test_a_bank_pays_only_for_the_time_that_ran() -> None:
    game = running("Ana", "Bogdan", **BANK)
    stop(game, NOON + 3 * HOUR)
    go_on(game, NOON + 9 * DAY)
    quick_turn(game, now=NOON + 9 * DAY + HOUR)
    assert banks(game)[0] == DAY - 4 * HOUR + 2 * HOUR


def test_a_turn_that_starts_anew_has_its_full_time() -> None:
    game = running("Ana", "Bogdan")
    due = lock(pk=game.pk)
    clocks.again(due, seat(game, "Ana"), now=NOON + DAY)
    assert due.deadline == NOON + 2 * DAY


def test_with_a_bank_that_is_what_an_empty_one_leaves() -> None:
    game = running("Ana", "Bogdan", **BANK)
    due, ana = lock(pk=game.pk), seat(game, "Ana")
    clocks.again(due, ana, now=NOON + DAY)
    assert (due.deadline, ana.bank) == (NOON + DAY + 2 * HOUR, timedelta(0))


# -- setting forward ---------------------------------------------------------------------------------


def test_a_clock_is_set_forward_by_a_span_whatever_its_deadline_hour() -> None:
    game = lock(pk=running("Ana", "Bogdan", deadline_hour=20).pk)
    assert clocks.push(game, 130 * MINUTE)
    assert game.deadline == NOON + DAY + 8 * HOUR + 130 * MINUTE


def test_set_forward_into_quiet_hours_it_ends_with_them() -> None:
    game = lock(pk=running("Ana", "Bogdan", quiet_from=13, quiet_to=20).pk)
    assert clocks.push(game, 2 * HOUR)
    assert game.deadline == NOON + DAY + 8 * HOUR
    assert clocks.push(game, HOUR)
    assert game.deadline == NOON + DAY + 8 * HOUR
    assert clocks.left(game, now=NOON) == DAY + 3 * HOUR


def test_a_clock_that_stands_is_not_set_forward() -> None:
    game = stop(running("Ana", "Bogdan"), NOON + HOUR)
    assert not clocks.push(game, HOUR)
    assert game.left == DAY - HOUR


def test_nor_is_the_counting_of_a_deal() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    assert not clocks.push(fresh(game), HOUR)


spans = st.timedeltas(timedelta(0), timedelta(days=3))
steps = st.lists(st.tuples(st.sampled_from(["run", "stop", "go on", "push"]), spans), max_size=12)


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    terms=st.sampled_from([{}, {"quiet_from": 22, "quiet_to": 8}, {"deadline_hour": 20}, {"weekend_pause": True}]), steps=steps
)
def test_whatever_order_stops_and_pushes_come_in_nothing_is_gained_or_lost_but_what_was_given(
    terms: dict[str, Any], steps: list[tuple[str, timedelta]]
) -> None:
    game = Game(status="running", turn_time=5 * DAY, zone="Europe/Bucharest", **terms)
    now = NOON
    clocks.start(game, 5 * DAY, now=now)
    owed = game.allowance
    for step, span in steps:
        if step == "run":
            if game.left is None:
                owed = max(owed - clock.counted(game.pace, now, now + span), timedelta(0))
            now += span
        elif step == "push":
            overdue = game.deadline is not None and clocks.left(game, now=now) == timedelta(0)
            if overdue:
                continue  # then some of the span is for time that is over
            owed += span if clocks.push(game, span) else timedelta(0)
        else:
            game.paused_at = now if step == "stop" else None
            clocks.set_running(game, now=now)
            assert (game.deadline is None) == (step == "stop")
        assert clocks.left(game, now=now) == owed

"""Vacations at the tables: the clock stands for who is away, and goes on with what was left."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import translation

from accounts.models import Message, Vacation
from accounts.people import absence
from accounts.people.messages.news import of_the_table
from games.models import Game, Seat
from games.services import outages, tables, turns, vacations
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_TWO,
    at,
    awake,
    differences,
    fresh,
    on_turn,
    play,
    player,
    quick_turn,
    running,
    seat,
    settle,
    sweep,
)
from tests.games.tiles import BOTH_SMALL, tile_table

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
MIDNIGHT = NOON + 12 * HOUR
BANK: dict[str, Any] = {"turn_time": DAY, "increment": 2 * HOUR, "bank_cap": 3 * DAY}


def go(name: str, *, days: int = 5, ahead: int = 0, now: datetime = NOON) -> Vacation:
    """A player goes on vacation for so many days, at once or so many days ahead."""
    first = now.date() + timedelta(days=ahead)
    return absence.plan(user=player(name), first=first, last=first + timedelta(days=days - 1), now=now)


def come_back(name: str, now: datetime) -> None:
    assert absence.end(user=player(name), now=now)


def told(game: Game) -> list[tuple[str, int | None]]:
    """The events about vacations in the log."""
    return list(game.entries.filter(text__startswith="vacation").order_by("number").values_list("text", "seat"))


def clock(game: Game) -> tuple[datetime | None, timedelta | None]:
    game = fresh(game)
    return game.deadline, game.left


# -- going away and coming back -----------------------------------------------------------------


def test_going_away_on_turn_stops_the_clock_and_coming_back_goes_on_with_what_was_left() -> None:
    game = running("Ana", "Bogdan")
    go("Ana", now=NOON + 3 * HOUR)
    sweep(NOON + 3 * HOUR)
    assert clock(game) == (None, 21 * HOUR)
    come_back("Ana", NOON + 50 * HOUR)
    sweep(NOON + 50 * HOUR)
    assert clock(game) == (NOON + 71 * HOUR, None)
    assert told(game) == [("vacation", 0), ("vacation_over", 0)]
    assert differences(game) == []


def test_it_ends_by_its_date_and_then_time_runs_out_as_always() -> None:
    game = running("Ana", "Bogdan")
    vacation = go("Ana", days=2)
    for hour in range(36):
        sweep(NOON + hour * HOUR)
    assert clock(game) == (None, DAY)
    sweep(vacation.ends)
    assert clock(game) == (vacation.ends + DAY, None)
    sweep(vacation.ends + DAY)
    assert fresh(game).to_move == 1


def test_a_turn_that_comes_to_somebody_away_begins_with_its_full_time_and_stands() -> None:
    game = running("Ana", "Bogdan")
    go("Bogdan")
    quick_turn(game, now=NOON + HOUR)
    assert clock(game) == (None, DAY)
    assert told(game) == [("vacation", 1)]
    come_back("Bogdan", NOON + 40 * HOUR)
    sweep(NOON + 40 * HOUR)
    assert clock(game) == (NOON + 64 * HOUR, None)


def test_a_match_may_begin_with_somebody_away() -> None:
    go("Ana")
    game = running("Ana", "Bogdan")
    assert clock(game) == (None, DAY)


def test_the_next_deal_may_begin_with_somebody_away() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    go("Bogdan")
    settle(game)
    assert (on_turn(game), clock(game)) == (player("Bogdan"), (None, DAY))


def test_one_may_play_while_away_and_stays_away() -> None:
    game = running("Ana", "Bogdan")
    go("Ana")
    sweep(NOON)
    quick_turn(game, now=NOON + 2 * HOUR)
    assert clock(game) == (NOON + 26 * HOUR, None)
    quick_turn(game, now=NOON + 3 * HOUR)
    assert clock(game) == (None, DAY)
    assert told(game) == [("vacation", 0), ("vacation", 0)]


def test_the_others_clocks_run_on() -> None:
    game = running("Ana", "Bogdan")
    go("Bogdan")
    sweep(NOON + HOUR)
    assert clock(game) == (NOON + DAY, None)


def test_a_planned_one_stops_the_clock_when_it_begins_and_not_before() -> None:
    game = running("Ana", "Bogdan")
    go("Ana", ahead=1)
    sweep(MIDNIGHT - timedelta(seconds=1))
    assert clock(game) == (NOON + DAY, None)
    sweep(MIDNIGHT)
    assert clock(game) == (None, 12 * HOUR)


def test_a_turn_that_runs_out_before_the_sweep_has_seen_the_vacation_is_not_played() -> None:
    game = running("Ana", "Bogdan")
    go("Ana", ahead=1)
    assert not turns.expire(game_id=game.pk, now=NOON + DAY)
    assert clock(game) == (None, 12 * HOUR)
    sweep(NOON + 2 * DAY)
    assert (fresh(game).to_move, seat(game, "Ana").expired) == (0, 0)


def test_what_passed_before_the_server_saw_it_is_not_lost() -> None:
    game = running("Ana", "Bogdan")
    go("Ana", ahead=1)
    for lag in range(0, 12, 3):
        awake(MIDNIGHT + timedelta(minutes=lag))
    sweep(MIDNIGHT + timedelta(minutes=12))
    assert (clock(game), fresh(game).away_since) == ((None, 12 * HOUR), MIDNIGHT)


@pytest.mark.parametrize("begun", [0, 1, 2])
def test_nor_is_what_the_site_was_away_given_back_twice(begun: int) -> None:
    """The vacation begins before, while and after the site is away; seen only then."""
    game = running("Ana", "Bogdan")
    go("Ana", ahead=1)
    awake(MIDNIGHT + (1 - begun) * HOUR)
    back = MIDNIGHT + (2 - begun) * HOUR
    outages.beat(now=back)
    outages.apply(now=back)
    seen = max(back, MIDNIGHT)
    sweep(seen)
    ran = max(MIDNIGHT + (1 - begun) * HOUR - NOON, timedelta(0)) + (seen - back)
    assert clock(game)[1] == DAY - ran


def test_ending_and_beginning_again_and_again_never_refills_a_clock() -> None:
    game, now = running("Ana", "Bogdan"), NOON
    for _time in range(4):
        go("Ana", days=1, now=now)
        sweep(now)
        now += HOUR
        come_back("Ana", now)
        sweep(now)
        now += HOUR
    assert clock(game) == (now + 20 * HOUR, None)


def test_another_vacation_right_after_goes_on_with_the_same_turn() -> None:
    game = running("Ana", "Bogdan")
    go("Ana", days=2)
    sweep(NOON)
    come_back("Ana", NOON + HOUR)
    second = go("Ana", days=3, now=NOON + HOUR)
    sweep(NOON + HOUR)
    assert (clock(game), fresh(game).away_until) == ((None, DAY), second.ends)
    assert told(game) == [("vacation", 0)]


def test_repeated_late_or_crashed_half_way_it_does_nothing_wrong() -> None:
    games = [running("Ana", "Bogdan") for _game in range(3)]
    go("Ana", now=NOON + HOUR)
    found = vacations.unsettled(now=NOON + HOUR)
    assert found == [game.pk for game in games]
    assert vacations.settle(game_id=found[0], now=NOON + HOUR)  # and then the worker dies
    assert vacations.unsettled(now=NOON + 2 * HOUR) == found[1:]
    for _time in range(2):
        for pk in found:
            vacations.settle(game_id=pk, now=NOON + 2 * HOUR)
    assert [clock(game)[1] for game in games] == [23 * HOUR] * 3
    assert [len(told(game)) for game in games] == [1, 1, 1]


def test_a_bank_pays_nothing_meanwhile() -> None:
    game = running("Ana", "Bogdan", **BANK)
    go("Ana", now=NOON + 3 * HOUR)
    sweep(NOON + 3 * HOUR)
    come_back("Ana", NOON + 2 * DAY)
    sweep(NOON + 2 * DAY)
    awake(NOON + 2 * DAY + HOUR)
    quick_turn(game, now=NOON + 2 * DAY + HOUR)
    assert seat(game, "Ana").bank == DAY - 4 * HOUR + 2 * HOUR


def test_a_bank_pays_nothing_for_a_turn_played_while_away() -> None:
    game = running("Ana", "Bogdan", **BANK)
    go("Ana", now=NOON + 3 * HOUR)
    sweep(NOON + 3 * HOUR)
    quick_turn(game, now=NOON + DAY)
    assert seat(game, "Ana").bank == DAY - 3 * HOUR + 2 * HOUR


def test_a_match_ends_as_always_when_somebody_away_resigns() -> None:
    game = running("Ana", "Bogdan")
    go("Ana")
    sweep(NOON)
    turns.resign(code=game.code, user=player("Ana"), now=NOON + HOUR)
    settle(game)
    game = fresh(game)
    assert (game.status, game.away, game.away_until, game.left) == ("finished", False, None, None)
    assert vacations.unsettled(now=NOON + 9 * DAY) == []


# -- where the table limits it ------------------------------------------------------------------


def test_a_table_without_vacations_goes_on() -> None:
    game = running("Ana", "Bogdan", vacation=False)
    go("Ana")
    go("Bogdan")
    sweep(NOON)
    assert clock(game) == (NOON + DAY, None)
    quick_turn(game)
    assert clock(game) == (NOON + DAY, None)
    sweep(NOON + DAY)
    assert fresh(game).to_move == 0


def test_a_table_may_limit_the_days_in_a_match_and_then_the_clock_goes_on() -> None:
    game = running("Ana", "Bogdan", vacation_days=2)
    go("Ana", days=10)
    sweep(NOON)
    sweep(NOON + 2 * DAY - timedelta(seconds=1))
    assert clock(game) == (None, DAY)
    sweep(NOON + 2 * DAY)
    assert clock(game) == (NOON + 3 * DAY, None)
    sweep(NOON + 3 * DAY)
    assert (fresh(game).to_move, seat(game, "Ana").vacation_used) == (1, 2 * DAY)
    quick_turn(game, now=NOON + 3 * DAY)
    assert clock(game) == (NOON + 4 * DAY, None)  # nothing of it is left


def test_only_the_time_for_which_the_clock_stood_counts_to_that_limit() -> None:
    game = running("Ana", "Bogdan", vacation_days=2)
    go("Ana", days=10)
    sweep(NOON)
    quick_turn(game, now=NOON + DAY)  # a day of it
    quick_turn(game, now=NOON + 2 * DAY)  # Bogdan's own time
    assert fresh(game).away_until == NOON + 3 * DAY
    assert seat(game, "Bogdan").vacation_used == timedelta(0)


def test_the_limit_goes_with_the_match_and_is_set_when_it_is_made() -> None:
    game = tables.create(
        maker=player("Ana"), variant="rami500", seats=2, options={}, turn_time=DAY, now=NOON, vacation_days=7
    )  # fmt: skip
    assert (fresh(game).vacation, fresh(game).vacation_days) == (True, 7)


def test_what_is_read_with_the_table_is_what_the_database_has() -> None:
    game = running("Ana", "Bogdan", vacation_days=9)
    kept = go("Ana", days=3)
    Seat.objects.filter(game=game, index=0).update(vacation_used=timedelta(days=2, microseconds=7))
    kept.refresh_from_db()
    read = at(game).seats[0]
    assert read.vacation is not None and at(game).seats[1].vacation is None
    assert [getattr(read.vacation, field.attname) for field in Vacation._meta.concrete_fields] == [
        getattr(kept, field.attname) for field in Vacation._meta.concrete_fields
    ]
    assert read.vacation_used == timedelta(days=2, microseconds=7)


# -- what stays secret --------------------------------------------------------------------------


def test_the_exchange_of_doubles_goes_on_whoever_is_away() -> None:
    """Else it would tell who is asked."""
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    before = fresh(game).version
    go("Ana")
    go("Bogdan")
    sweep(NOON + HOUR)
    assert (clock(game), fresh(game).version, told(game)) == ((NOON + DAY, None), before, [])
    sweep(NOON + DAY)
    assert (fresh(game).to_move, clock(game)) == (0, (None, DAY))
    assert told(game) == [("vacation", 0)]


# -- who is told --------------------------------------------------------------------------------


def test_the_others_are_told_once_that_somebody_is_away() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    go("Bogdan", days=9)
    for _round in range(2):
        for _turn in range(3):
            quick_turn(game, now=NOON + HOUR)
    news = Message.objects.filter(kind="away")
    assert sorted(message.user.username for message in news) == ["Ana", "Chloé"]
    assert {message.facts["day"] for message in news} == {"2026-03-09"}


def test_the_news_says_until_when() -> None:
    game = running("Ana", "Bogdan")
    go("Ana", days=9)
    sweep(NOON)
    [news] = Message.objects.filter(kind="away")
    assert news.user == player("Bogdan") and news.game == game.code
    with translation.override("ro"):
        assert of_the_table(news.facts) == "Ana e în vacanță până pe 9 martie: ceasul stă."

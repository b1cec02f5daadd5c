"""Vacations at the tables: the clock stands for who is away, and goes on with what was left."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import translation

from accounts.models import Message, Vacation
from accounts.people import absence
from accounts.people.messages.news import of_the_table
from accounts.people.owndata import services as owndata
from games.models import Game, Seat
from games.presenters import log
from games.services import leaving, outages, tables, turns, vacations
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
from tests.games.tiles import ALL_BIG, BOTH_SMALL, TWO_OF_THREE, answer, tile_table

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


# -- the exchange of doubles, where it is secret who is waited for -------------------------------


def test_nobody_is_passed_for_in_the_exchange_while_away() -> None:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    vacation = go("Ana", now=NOON + HOUR)
    sweep(NOON + HOUR)
    assert (clock(game), told(game)) == ((None, 23 * HOUR), [("vacation", 0)])
    for day in range(1, 5):
        sweep(NOON + day * DAY)
    assert fresh(game).in_exchange and not game.deals.get().answers.exclude(text="").exists()
    sweep(vacation.ends)
    assert (clock(game), told(game)[-1]) == ((vacation.ends + 23 * HOUR, None), ("vacation_over", 0))
    sweep(vacation.ends + 23 * HOUR)
    assert fresh(game).to_move == 0
    assert differences(game) == []


def test_an_exchange_may_begin_with_somebody_away() -> None:
    go("Bogdan")
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    assert (clock(game), told(game)) == ((None, DAY), [("vacation", 1)])


def test_who_is_away_may_answer_and_the_clock_stands_for_the_turn_then_if_it_is_theirs() -> None:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    go("Ana")
    sweep(NOON)
    answer(game, "X:pass")
    assert (fresh(game).in_exchange, clock(game)) == (True, (None, DAY))
    answer(game, "X:pass", by="Bogdan", now=NOON + HOUR)
    assert (fresh(game).to_move, clock(game)) == (0, (None, DAY))
    assert told(game) == [("vacation", 0), ("vacation", 0)]
    assert differences(game) == []


def test_the_exchange_over_the_clock_runs_for_whoever_is_on_turn_and_not_away() -> None:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    go("Bogdan")
    sweep(NOON)
    for name in ("Ana", "Bogdan"):
        answer(game, "X:pass", by=name, now=NOON + HOUR)
    assert (fresh(game).to_move, clock(game), fresh(game).away) == (0, (NOON + HOUR + DAY, None), False)


def test_in_the_exchange_the_clock_goes_from_one_who_is_away_to_another() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=TWO_OF_THREE)
    go("Ana", days=2)
    sweep(NOON)
    last = go("Chloé", days=9, now=NOON + HOUR)
    sweep(NOON + HOUR)
    come_back("Ana", NOON + DAY)
    sweep(NOON + DAY)
    assert (clock(game), fresh(game).away_until) == ((None, DAY), last.ends)
    come_back("Chloé", NOON + 2 * DAY)
    sweep(NOON + 2 * DAY)
    assert clock(game) == (NOON + 3 * DAY, None)
    assert told(game) == [("vacation", 0), ("vacation", 2), ("vacation_over", 2)]
    assert vacations.unsettled(now=NOON + 2 * DAY) == []


def test_in_the_exchange_it_counts_to_the_days_of_everybody_who_was_away_and_for_no_longer() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=TWO_OF_THREE, vacation_days=3)
    go("Ana", days=9)
    sweep(NOON)
    go("Chloé", days=9, now=NOON + DAY)
    go("Bogdan", days=9, now=NOON + DAY)
    come_back("Bogdan", NOON + 2 * DAY)
    sweep(NOON + 2 * DAY)
    sweep(NOON + 3 * DAY)  # Ana's days are over, and the clock stands for Chloé
    assert clock(game) == (None, DAY)
    sweep(NOON + 4 * DAY)
    assert clock(game) == (NOON + 5 * DAY, None)
    assert [seat(game, name).vacation_used for name in ("Ana", "Bogdan", "Chloé")] == [3 * DAY, DAY, 3 * DAY]
    assert told(game) == [("vacation", 0), ("vacation", 2), ("vacation_over", 2)]
    assert vacations.unsettled(now=NOON + 4 * DAY) == []


def test_a_table_without_vacations_passes_for_who_is_away_in_the_exchange() -> None:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL, vacation=False)
    go("Ana")
    sweep(NOON + HOUR)
    assert (clock(game), told(game)) == ((NOON + DAY, None), [])
    sweep(NOON + DAY)
    assert fresh(game).to_move == 0


@pytest.mark.parametrize("others_away", [False, True])
def test_for_who_has_resigned_the_clock_stands_no_longer(others_away: bool) -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG)
    go("Ana", days=9)
    if others_away:
        go("Bogdan", days=2)
    sweep(NOON)
    turns.resign(code=game.code, user=player("Ana"), now=NOON + HOUR)
    assert fresh(game).in_exchange
    if others_away:
        assert (clock(game), told(game)[1:]) == ((None, DAY), [("vacation", 1)])
    else:
        assert (clock(game), told(game)[1:]) == ((NOON + HOUR + DAY, None), [("vacation_over", 0)])
        words = log_lines(game)
        assert "left while on vacation: the clock goes on" in words
    assert vacations.unsettled(now=NOON + HOUR) == []
    assert differences(game) == []


def test_for_an_account_that_is_no_more_the_clock_stands_no_longer() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG)
    go("Ana", days=9)
    sweep(NOON)
    owndata.delete(user_id=player("Ana").pk, now=NOON + HOUR)
    leaving.vacate(game_id=game.pk, now=NOON + HOUR)
    assert clock(game) == (NOON + HOUR + DAY, None)
    assert vacations.unsettled(now=NOON + HOUR) == []


def log_lines(game: Game) -> str:
    entries = list(game.entries.order_by("-number"))
    return " | ".join(str(line.words) for line in log.lines(entries, ["Ana", "Bogdan", "Chloé"], me=None, now=NOON, tiles=True))


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

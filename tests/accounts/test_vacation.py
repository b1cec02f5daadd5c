"""Vacations: planned, begun, ended, and how many days they cost."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User, Vacation
from accounts.people import absence
from tests.accounts.conftest import NOON

pytestmark = pytest.mark.django_db
TODAY = NOON.date()
DAY = timedelta(days=1)


def days(count: int) -> timedelta:
    return timedelta(days=count)


def plan(user: User, first: date, last: date, now: datetime = NOON) -> Vacation:
    return absence.plan(user=user, first=first, last=last, now=now)


def refused(user: User, first: date, last: date, now: datetime = NOON) -> dict[str, Any]:
    """The refusal, with its facts. Fails where it is none, or where anything changed."""
    before = list(Vacation.objects.values())
    try:
        plan(user, first, last, now)
    except absence.NoVacation as fault:
        assert list(Vacation.objects.values()) == before
        return {"code": fault.code, **fault.facts}
    raise AssertionError("it was not refused")


def left(user: User, now: datetime = NOON) -> int:
    return absence.days_left(user=user, now=now)


def is_away(user: User, now: datetime) -> bool:
    return user.pk in absence.away(user_ids=[user.pk], now=now)


# -- planned and begun --------------------------------------------------------------------------


def test_one_that_begins_today_begins_at_once_and_lasts_to_the_end_of_its_last_day(ana: User) -> None:
    ana.time_zone = "Europe/Bucharest"
    ana.save()
    made = plan(ana, TODAY, TODAY + days(4))
    assert (made.begins, made.ends) == (NOON, datetime(2026, 3, 5, 22, 0, tzinfo=UTC))
    assert is_away(ana, NOON) and is_away(ana, made.ends - timedelta(seconds=1)) and not is_away(ana, made.ends)


def test_one_that_is_planned_begins_at_midnight_where_the_player_lives_on_either_side_of_summer_time(ana: User) -> None:
    ana.time_zone = "Europe/Bucharest"
    ana.save()
    made = plan(ana, date(2026, 3, 28), date(2026, 3, 29))
    assert (made.begins, made.ends) == (datetime(2026, 3, 27, 22, tzinfo=UTC), datetime(2026, 3, 29, 21, tzinfo=UTC))
    assert not is_away(ana, NOON) and is_away(ana, made.begins)


def test_today_is_where_the_player_lives(ana: User) -> None:
    ana.time_zone = "Pacific/Auckland"
    ana.save()
    late = datetime(2026, 3, 1, 13, 0, tzinfo=UTC)  # the second of March there
    assert refused(ana, date(2026, 3, 1), date(2026, 3, 4), late) == {"code": "past"}
    assert plan(ana, date(2026, 3, 2), date(2026, 3, 4), late).begins == late


@pytest.mark.parametrize(
    ("first", "last", "code"),
    [(-1, 3, "past"), (3, 2, "backwards"), (366, 367, "too_far"), (1, 400, "too_far")],
)
def test_what_cannot_be_planned_is_refused(ana: User, first: int, last: int, code: str) -> None:
    assert refused(ana, TODAY + days(first), TODAY + days(last)) == {"code": code}


def test_there_is_one_at_a_time(ana: User) -> None:
    plan(ana, TODAY + days(10), TODAY + days(12))
    assert refused(ana, TODAY, TODAY) == {"code": "one_already"}
    with pytest.raises(IntegrityError), transaction.atomic():
        Vacation.objects.create(
            user=ana, first_day=TODAY, last_day=TODAY, zone="UTC", begins=NOON, ends=NOON + DAY, ended_at=None
        )


def test_when_one_is_over_by_its_date_the_next_may_be_planned(ana: User) -> None:
    first = plan(ana, TODAY, TODAY)
    second = plan(ana, TODAY + days(1), TODAY + days(2), first.ends)
    first.refresh_from_db()
    assert (first.ended_at, second.begins) == (first.ends, first.ends)


# -- what it costs ------------------------------------------------------------------------------


def test_a_year_has_thirty_days_and_no_more(ana: User) -> None:
    assert refused(ana, TODAY, TODAY + days(30)) == {"code": "too_long", "year": 2026, "left": 30}
    made = plan(ana, TODAY, TODAY + days(29))
    assert left(ana) == 0
    assert refused(ana, made.last_day + DAY, made.last_day + DAY, made.ends) == {"code": "too_long", "year": 2026, "left": 0}
    assert not is_away(ana, made.ends)  # a budget that is spent ends it


def test_across_new_year_each_day_counts_in_its_own_year(ana: User) -> None:
    plan(ana, date(2026, 12, 23), date(2027, 1, 2))
    assert left(ana) == 30 - 9
    assert left(ana, datetime(2027, 1, 1, 12, tzinfo=UTC)) == 30 - 2


def test_ended_early_it_costs_the_days_that_have_begun_and_a_day_costs_once(ana: User) -> None:
    plan(ana, TODAY, TODAY + days(9))
    assert left(ana) == 20
    back = NOON + days(2)
    assert absence.end(user=ana, now=back)
    assert (left(ana, back), is_away(ana, back)) == (27, False)
    plan(ana, back.date(), back.date(), back)
    assert left(ana, back) == 27


def test_the_same_day_in_another_zone_is_another_day(ana: User) -> None:
    """Else whoever moves their clocks behind the sun has two days for one."""
    east, west = datetime(2026, 6, 1, 10, tzinfo=UTC), datetime(2026, 6, 2, 11, tzinfo=UTC)
    day = date(2026, 6, 2)
    for zone, now, days_left in (("Pacific/Kiritimati", east, 29), ("Pacific/Pago_Pago", west, 28)):
        ana.time_zone = zone
        ana.save()
        made = plan(ana, day, day, now)
        assert (made.begins, made.ends - made.begins, left(ana, now)) == (now, DAY, days_left)


def test_given_up_before_it_begins_it_costs_nothing(ana: User) -> None:
    plan(ana, TODAY + days(5), TODAY + days(9))
    assert absence.end(user=ana, now=NOON)
    assert (left(ana), list(Vacation.objects.all())) == (30, [])


def test_ending_twice_or_what_is_over_changes_nothing(ana: User) -> None:
    made = plan(ana, TODAY, TODAY)
    assert not absence.end(user=ana, now=made.ends)
    assert absence.end(user=ana, now=NOON) and not absence.end(user=ana, now=NOON)
    made.refresh_from_db()
    assert made.ended_at == NOON


def test_one_persons_vacation_is_nobody_elses(ana: User, guest: User) -> None:
    plan(ana, TODAY, TODAY + days(3))
    assert not absence.end(user=guest, now=NOON)
    assert absence.away(user_ids=[ana.pk, guest.pk], now=NOON).keys() == {ana.pk}
    assert left(guest) == 30


steps = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 40), st.integers(0, 12)), max_size=25)


@given(steps)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_planned_and_ended_nobody_is_away_on_more_than_thirty_days_of_a_year(
    ana: User, todo: list[tuple[int, int, int]]
) -> None:
    with transaction.atomic():
        now, away = datetime(2026, 10, 1, 9, 30, tzinfo=UTC), set[date]()
        for ahead, length, wait in todo:
            try:
                first = now.date() + days(ahead)
                plan(ana, first, first + days(length), now)
            except absence.NoVacation:
                absence.end(user=ana, now=now)
            for _day in range(wait):
                away |= {now.date()} if is_away(ana, now) else set()
                now += DAY
        for year in (2026, 2027):
            spent = sum(day.year == year for day in away)
            assert spent <= 30
            assert spent <= 30 - left(ana, datetime(year, 12, 31, tzinfo=UTC))
        transaction.set_rollback(True)

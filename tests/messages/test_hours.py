"""Quiet hours and the hour of the daily letter, where clocks are set forward and back."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from accounts.models import MessageSettings
from accounts.people.messages.standing import Habits, next_at

SLOWLY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A machine that does other things as well is no fault."""
ZONES = ("Europe/Bucharest", "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC")
zones = some.sampled_from(ZONES).map(ZoneInfo)
clocks = some.times().map(lambda clock: clock.replace(second=0, microsecond=0))
instants = some.datetimes(datetime(2025, 1, 1), datetime(2027, 12, 1), timezones=some.just(UTC))
CHANGES = ("2026-03-28", "2026-03-29", "2026-10-24", "2026-10-25", "2026-03-08", "2026-11-01", "2026-04-04", "2026-10-03")
nights = some.builds(
    lambda day, minutes: datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(minutes=minutes),
    some.sampled_from(CHANGES),
    some.integers(-600, 2400),
)
"""Around the nights on which clocks change."""


def habits(zone: str, begins: time | None = None, ends: time | None = None, digest: int | None = None) -> Habits:
    return Habits(ZoneInfo(zone), MessageSettings(quiet_from=begins, quiet_to=ends, digest_hour=digest))


def local(text: str, zone: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)


@pytest.mark.parametrize(
    ("now", "until"),
    [
        ("2026-03-01T21:59", None),
        ("2026-03-01T22:00", "2026-03-02T07:30"),
        ("2026-03-02T00:00", "2026-03-02T07:30"),
        ("2026-03-02T07:29", "2026-03-02T07:30"),
        ("2026-03-02T07:30", None),
        ("2026-03-28T23:00", "2026-03-29T07:30"),  # an hour shorter
        ("2026-10-24T23:00", "2026-10-25T07:30"),  # an hour longer
    ],
)
def test_quiet_hours_past_midnight_end_in_the_morning(now: str, until: str | None) -> None:
    quiet = habits("Europe/Bucharest", time(22), time(7, 30)).quiet_until(local(now, "Europe/Bucharest"))
    assert quiet == (local(until, "Europe/Bucharest") if until else None)


def test_quiet_hours_within_a_day_end_on_it() -> None:
    noon = habits("Europe/Paris", time(12), time(14))
    assert noon.quiet_until(local("2026-03-01T13:00", "Europe/Paris")) == local("2026-03-01T14:00", "Europe/Paris")
    assert noon.quiet_until(local("2026-03-01T15:00", "Europe/Paris")) is None


def test_without_hours_or_with_none_between_them_nothing_is_quiet() -> None:
    now = local("2026-03-01T13:00", "Europe/Paris")
    assert habits("Europe/Paris").quiet_until(now) is None
    assert habits("Europe/Paris", time(13), time(13)).quiet_until(now) is None


def test_an_end_that_the_clocks_jump_over_is_none_to_wait_for_ever() -> None:
    quiet = habits("Europe/Bucharest", time(1), time(3, 30))  # 3:00 is 4:00 that night
    now = local("2026-03-29T02:30", "Europe/Bucharest")
    assert quiet.quiet_until(now) == local("2026-03-29T04:30", "Europe/Bucharest")
    assert quiet.quiet_until(local("2026-03-29T04:00", "Europe/Bucharest")) is None


def test_an_end_that_comes_twice_is_the_next_of_the_two() -> None:
    quiet = habits("Europe/Bucharest", time(1), time(3, 30))
    first, second = local("2026-10-25T03:30", "Europe/Bucharest"), local("2026-10-25T03:30", "Europe/Bucharest", fold=1)
    assert quiet.quiet_until(first - timedelta(minutes=1)) == first
    assert quiet.quiet_until(local("2026-10-25T03:10", "Europe/Bucharest", fold=1)) == second


def test_the_daily_letter_goes_at_its_hour_on_each_day() -> None:
    reader, now, days = habits("Europe/Bucharest", digest=3), local("2026-10-23T12:00", "Europe/Bucharest"), []
    for _day in range(4):
        at = reader.digest_at(now)
        assert at is not None
        days.append(f"{at.astimezone(reader.zone):%d %H:%M}")
        now = at + timedelta(hours=1, minutes=1)
    assert days == ["24 03:00", "25 03:00", "26 03:00", "27 03:00"]


@SLOWLY
@given(zones, clocks, instants | nights)
def test_the_next_time_is_ahead_and_within_a_day_and_an_hour(zone: ZoneInfo, clock: time, now: datetime) -> None:
    at = next_at(clock, zone, now)
    assert now < at <= now + timedelta(hours=25)
    shown = at.astimezone(zone).time()
    assert shown == clock or at.astimezone(zone).utcoffset() != (at - timedelta(hours=3)).astimezone(zone).utcoffset()


@SLOWLY
@given(zones, clocks, clocks, instants | nights)
def test_quiet_hours_come_to_an_end(zone: ZoneInfo, begins: time, ends: time, now: datetime) -> None:
    reader, waits = Habits(zone, MessageSettings(quiet_from=begins, quiet_to=ends)), 0
    while (until := reader.quiet_until(now)) is not None:
        assert now < until <= now + timedelta(hours=25)
        now, waits = until, waits + 1
        assert waits <= 2  # twice where the clocks are set back into them

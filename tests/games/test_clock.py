"""The arithmetic of the clock: real zones, their gaps and overlaps, quiet hours, weekends; stopping and going on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games import clock
from games.clock import Clock, Pace

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ZONES = [
    "UTC", "Europe/Bucharest", "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Asia/Beirut",
    "America/Santiago", "America/St_Johns", "Pacific/Apia", "Africa/Casablanca",
]  # fmt: skip


def local(zone: str, text: str, *, fold: int = 0) -> datetime:
    """An instant, by what a local clock shows."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)


def shown(zone: str, at: datetime) -> str:
    return at.astimezone(ZoneInfo(zone)).isoformat(sep=" ", timespec="minutes")


@st.composite
def paces(draw: st.DrawFn) -> Pace:
    """Any pace that a table may have."""
    quiet = draw(st.none() | st.tuples(st.integers(0, 23), st.integers(0, 23)))
    if quiet is not None and quiet[0] == quiet[1]:
        quiet = None
    hour = draw(st.none() | st.integers(0, 23))
    if hour is not None and quiet is not None:
        assume(not clock.in_quiet_hours(hour, *quiet))
    start, end = quiet or (None, None)
    zone = draw(st.sampled_from(ZONES))
    return Pace(DAY, deadline_hour=hour, quiet_from=start, quiet_to=end, weekend_pause=draw(st.booleans()), zone=zone)


# from 2011 on: then Apia had no 30 December at all
instants = st.datetimes(datetime(2011, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC))
spans = st.timedeltas(timedelta(0), timedelta(days=30))
quick = settings(max_examples=150, deadline=None, derandomize=True)


# -- what a table says -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "began", "hours", "deadline_hour", "ends"),
    [
        ("Europe/Bucharest", "2026-01-12 10:00", 24, 20, "2026-01-13 20:00+02:00"),
        ("Europe/Bucharest", "2026-01-12 20:00", 24, 20, "2026-01-13 20:00+02:00"),
        ("Europe/Bucharest", "2026-01-12 20:01", 24, 20, "2026-01-14 20:00+02:00"),
        ("Europe/Paris", "2026-01-12 23:00", 1, 0, "2026-01-13 00:00+01:00"),
        # the night in which 03:00 is skipped: a turn ends when the clocks begin the next hour
        ("Europe/Bucharest", "2026-03-28 01:00", 24, 3, "2026-03-29 04:00+03:00"),
        ("America/New_York", "2026-03-07 01:00", 24, 2, "2026-03-08 03:00-04:00"),
        ("Australia/Lord_Howe", "2026-10-03 01:00", 24, 2, "2026-10-04 02:30+11:00"),
        ("America/Santiago", "2026-09-05 20:00", 1, 0, "2026-09-06 01:00-03:00"),
        # the night in which 03:00 comes twice: it ends the second time
        ("Europe/Bucharest", "2026-10-24 01:00", 24, 3, "2026-10-25 03:00+02:00"),
        ("America/New_York", "2026-10-31 00:30", 24, 1, "2026-11-01 01:00-05:00"),
    ],
)
def test_a_turn_ends_at_the_next_deadline_hour(zone: str, began: str, hours: int, deadline_hour: int, ends: str) -> None:
    pace = Pace(hours * HOUR, deadline_hour=deadline_hour, zone=zone)
    assert shown(zone, clock.deadline(pace, local(zone, began), hours * HOUR)) == ends


@pytest.mark.parametrize(
    ("quiet", "spent", "ends"),
    [
        ((22, 8), "2026-01-12 21:59", "2026-01-12 21:59+02:00"),
        ((22, 8), "2026-01-12 22:00", "2026-01-13 08:00+02:00"),
        ((22, 8), "2026-01-13 03:00", "2026-01-13 08:00+02:00"),
        ((22, 8), "2026-01-13 08:00", "2026-01-13 08:00+02:00"),
        ((12, 14), "2026-01-13 13:30", "2026-01-13 14:00+02:00"),
        ((0, 8), "2026-01-13 00:00", "2026-01-13 08:00+02:00"),
        ((22, 0), "2026-01-13 23:59", "2026-01-14 00:00+02:00"),
        # quiet until an hour that is skipped, and until one that comes twice
        ((22, 3), "2026-03-28 23:00", "2026-03-29 04:00+03:00"),
        ((22, 3), "2026-10-24 23:00", "2026-10-25 03:00+02:00"),
    ],
)
def test_no_turn_ends_in_quiet_hours(quiet: tuple[int, int], spent: str, ends: str) -> None:
    zone = "Europe/Bucharest"
    pace = Pace(HOUR, quiet_from=quiet[0], quiet_to=quiet[1], zone=zone)
    assert shown(zone, clock.deadline(pace, local(zone, spent) - HOUR, HOUR)) == ends


@pytest.mark.parametrize(
    ("began", "hours", "ends"),
    [
        ("2026-01-16 12:00", 12, "2026-01-19 00:00+02:00"),  # Friday noon: not even at the very beginning of the weekend
        ("2026-01-16 12:00", 11, "2026-01-16 23:00+02:00"),
        ("2026-01-16 12:00", 24, "2026-01-19 12:00+02:00"),
        ("2026-01-17 09:00", 24, "2026-01-20 00:00+02:00"),  # a turn that begins on Saturday has the whole of Monday
        ("2026-01-16 12:00", 24 * 7, "2026-01-27 12:00+02:00"),  # two weekends
        ("2026-03-27 12:00", 24, "2026-03-30 12:00+03:00"),  # a weekend of 47 hours
    ],
)
def test_the_clock_stands_at_weekends_of_the_table_s_zone(began: str, hours: int, ends: str) -> None:
    zone = "Europe/Bucharest"
    pace = Pace(hours * HOUR, weekend_pause=True, zone=zone)
    assert shown(zone, clock.deadline(pace, local(zone, began), hours * HOUR)) == ends


def test_an_hour_that_falls_into_a_paused_weekend_is_monday_s() -> None:
    zone = "Europe/Paris"
    pace = Pace(DAY, deadline_hour=20, quiet_from=22, quiet_to=8, weekend_pause=True, zone=zone)
    assert shown(zone, clock.deadline(pace, local(zone, "2026-01-15 21:00"), DAY)) == "2026-01-19 20:00+01:00"


def test_what_a_turn_gains_by_its_deadline_hour_is_part_of_its_time() -> None:
    zone = "Europe/Paris"
    pace = Pace(DAY, deadline_hour=20, zone=zone)
    end = clock.deadline(pace, local(zone, "2026-01-12 10:00"), DAY)
    assert clock.left(pace, local(zone, "2026-01-13 12:00"), Clock(end)) == 8 * HOUR


def test_a_clock_goes_on_to_no_deadline_hour() -> None:
    """Else whoever stops it a minute before the hour and starts it a minute later had another day."""
    zone = "Europe/Paris"
    pace = Pace(DAY, deadline_hour=20, zone=zone)
    assert clock.resumed(pace, local(zone, "2026-01-13 20:01"), HOUR / 60) == Clock(local(zone, "2026-01-13 20:02"))


def test_what_quiet_hours_give_is_not_kept_when_the_clock_is_stopped() -> None:
    zone = "Europe/Paris"
    pace = Pace(DAY, quiet_from=22, quiet_to=8, zone=zone)
    night = clock.resumed(pace, local(zone, "2026-01-13 21:30"), HOUR)
    assert shown(zone, night.deadline) == "2026-01-14 08:00+01:00"
    assert clock.left(pace, local(zone, "2026-01-13 22:00"), night) == HOUR / 2
    assert clock.left(pace, local(zone, "2026-01-14 03:00"), night) == timedelta(0)


# -- what holds for every table ----------------------------------------------------------------------


@quick
@given(paces(), instants, spans)
def test_a_turn_never_ends_early_nor_when_none_may(pace: Pace, start: datetime, span: timedelta) -> None:
    end = clock.deadline(pace, start, span)
    assert end >= start + span
    assert clock.counted(pace, start, end) >= span
    there = end.astimezone(ZoneInfo(pace.zone))
    if pace.quiet_from is not None and pace.quiet_to is not None:
        assert not clock.in_quiet_hours(there.hour, pace.quiet_from, pace.quiet_to)
    if pace.weekend_pause:
        assert there.weekday() < 5
    if pace.deadline_hour is not None:
        before = (end - timedelta(seconds=1)).astimezone(ZoneInfo(pace.zone))
        skipped = there.utcoffset() != before.utcoffset()
        assert skipped or (there.hour, there.minute, there.second) == (pace.deadline_hour, 0, 0)


@quick
@given(paces(), instants, instants, spans, spans)
def test_who_begins_later_or_has_more_time_never_ends_earlier(
    pace: Pace, first: datetime, second: datetime, less: timedelta, more: timedelta
) -> None:
    (first, second), (less, more) = sorted((first, second)), sorted((less, more))
    assert clock.deadline(pace, first, less) <= clock.deadline(pace, second, less) <= clock.deadline(pace, second, more)


def test_nothing_is_counted_backwards_nor_within_a_paused_weekend() -> None:
    pace = Pace(timedelta(days=1), weekend_pause=True)
    sunday = datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert clock.counted(pace, sunday + timedelta(seconds=1), sunday) == timedelta(0)
    assert clock.counted(pace, sunday, sunday + timedelta(hours=3)) == timedelta(0)
    assert clock.counted(pace, sunday, sunday - timedelta(days=9)) == timedelta(0)


@quick
@given(paces(), instants, spans, spans)
def test_counting_is_the_inverse_of_adding_and_adds_up(pace: Pace, start: datetime, one: timedelta, two: timedelta) -> None:
    middle = clock.after(pace, start, one)
    assert clock.counted(pace, start, middle) == one
    assert clock.after(pace, middle, two) == clock.after(pace, start, one + two)
    assert clock.counted(pace, start, clock.after(pace, middle, two)) == one + two


@quick
@given(paces(), instants, spans, st.lists(st.tuples(spans, spans), max_size=4))
def test_stopping_and_going_on_adds_and_loses_nothing(
    pace: Pace, start: datetime, span: timedelta, stops: list[tuple[timedelta, timedelta]]
) -> None:
    running = Clock(clock.deadline(pace, start, span))
    now, left = start, clock.counted(pace, start, running.deadline)
    for runs, stands in stops:
        runs = min(runs, left)
        now = clock.after(pace, now, runs)
        left -= runs
        assert clock.left(pace, now, running) == left
        assert clock.left(pace, now, clock.resumed(pace, now, left)) == left  # at once, and to the second
        now += stands
        running = clock.resumed(pace, now, left)
        assert running.deadline >= now + left
        assert clock.left(pace, now, running) == left


@quick
@given(paces(), instants, spans, spans, spans)
def test_a_push_gives_just_so_much(pace: Pace, start: datetime, span: timedelta, runs: timedelta, push: timedelta) -> None:
    running = clock.resumed(pace, start, span)
    now = clock.after(pace, start, min(runs, span))
    pushed = clock.pushed(pace, running, push)
    assert clock.left(pace, now, pushed) == clock.left(pace, now, running) + push
    assert pushed.deadline >= running.deadline


@quick
@given(st.timedeltas(timedelta(0), 30 * DAY), st.timedeltas(-DAY, 30 * DAY), st.booleans())
def test_a_bank_is_never_overdrawn_nor_above_its_cap(bank: timedelta, used: timedelta, finished: bool) -> None:
    pace = Pace(DAY, increment=HOUR, cap=3 * DAY)
    kept = clock.bank_after(pace, min(bank, 3 * DAY), used, finished=finished)
    assert timedelta(0) <= kept <= 3 * DAY
    if not finished:
        assert kept <= bank


def test_a_finished_turn_earns_the_increment_up_to_the_cap() -> None:
    pace = Pace(DAY, increment=HOUR, cap=DAY)
    assert clock.bank_after(pace, DAY, 3 * HOUR, finished=True) == 22 * HOUR
    assert clock.bank_after(pace, DAY, HOUR / 2, finished=True) == DAY
    assert clock.bank_after(pace, DAY, 3 * HOUR, finished=False) == 21 * HOUR
    assert clock.bank_after(pace, HOUR, 3 * HOUR, finished=False) == timedelta(0)


@pytest.mark.parametrize(("increment", "floor"), [(timedelta(0), HOUR / 12), (HOUR, HOUR)])
def test_an_empty_bank_leaves_the_increment_or_five_minutes(increment: timedelta, floor: timedelta) -> None:
    assert Pace(DAY, increment=increment, cap=DAY).floor == floor

"""When a turn runs out. Pure functions of a table's pace and of instants: nothing here knows a table, or what time it is.

The clock counts time, but none of a paused weekend. Once the time of a turn has been counted it ends at the first instant
at which one may: at the deadline hour, if the table has one, never within its quiet hours nor in a paused weekend. What a
turn gains by that when it begins is part of its time. A clock that has been stopped goes on with what was left, to the
second: it is moved on out of quiet hours then, but to no deadline hour, and what that gains (`grace`) is not kept when the
clock is stopped again. So stopping and starting a clock, however often, neither adds time nor takes any.

An hour that the local clocks skip begins with the first instant after the gap; one that they show twice ends a turn the
second time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

NO_TIME = timedelta(0)
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
SHORTEST_TURN, LONGEST_TURN = timedelta(minutes=5), timedelta(days=14)
LONGEST_BANK = timedelta(days=30)
SATURDAY, WEEK = 5, 7


@dataclass(frozen=True)
class Pace:
    """How much time a turn has, and when it may end."""

    turn_time: timedelta
    """Of each turn; with a bank, what every seat's bank begins with."""
    increment: timedelta | None = None
    """What a turn that its player has finished adds to the bank; None without a bank."""
    cap: timedelta | None = None
    """What a bank never exceeds; None without one."""
    deadline_hour: int | None = None
    """Of the table's zone, as the hours below."""
    quiet_from: int | None = None
    quiet_to: int | None = None
    weekend_pause: bool = False
    zone: str = "UTC"

    @property
    def banked(self) -> bool:
        return self.increment is not None

    @property
    def floor(self) -> timedelta:
        """What a turn has at least, be the bank empty: the increment, or the shortest turn where that is longer."""
        return max(self.increment or NO_TIME, SHORTEST_TURN)


class Clock(NamedTuple):
    """A running clock: when it runs out, and how much of that is a gift of the quiet hours, lost if it is stopped."""

    deadline: datetime
    grace: timedelta = NO_TIME


def in_quiet_hours(hour: int, quiet_from: int, quiet_to: int) -> bool:
    """Whether an hour of the day lies in quiet hours, which may go past midnight. Their end does not."""
    return quiet_from <= hour < quiet_to if quiet_from < quiet_to else hour >= quiet_from or hour < quiet_to


# -- the table's clock -----------------------------------------------------------------------------


def deadline(pace: Pace, start: datetime, allowance: timedelta) -> datetime:
    """When a turn that begins at `start` with so much time runs out."""
    return _may_end(pace, after(pace, start, allowance), at_hour=True)


def resumed(pace: Pace, now: datetime, left: timedelta) -> Clock:
    """The clock that goes on with what was left when it was stopped."""
    spent = after(pace, now, left)
    end = _may_end(pace, spent)
    return Clock(end, counted(pace, spent, end))


def left(pace: Pace, now: datetime, clock: Clock) -> timedelta:
    """What is left of a running clock's time."""
    return max(counted(pace, now, clock.deadline) - clock.grace, NO_TIME)


def pushed(pace: Pace, clock: Clock, span: timedelta) -> Clock:
    """The clock with so much more time, whatever its table's deadline hour."""
    spent = before(pace, clock.deadline, clock.grace)
    return resumed(pace, spent, span)


def bank_after(pace: Pace, bank: timedelta, used: timedelta, *, finished: bool) -> timedelta:
    """What is in a bank after a turn that used so much; only one that its player has finished earns the increment."""
    assert pace.increment is not None
    assert pace.cap is not None
    kept = max(bank - max(used, NO_TIME), NO_TIME)
    return min(kept + pace.increment, pace.cap) if finished else kept


# -- counting ----------------------------------------------------------------------------------------


def counted(pace: Pace, start: datetime, end: datetime) -> timedelta:
    """How much the clock counts between two instants; nothing where the second is the earlier."""
    start, end = start.astimezone(UTC), end.astimezone(UTC)
    if end <= start:
        return NO_TIME
    whole = end - start
    for began, ended in _weekends(pace, start):
        if began >= end:
            break
        whole -= min(ended, end) - max(began, start)
    return whole


def after(pace: Pace, start: datetime, span: timedelta) -> datetime:
    """The first instant by which so much has been counted since `start`."""
    at = start.astimezone(UTC)
    for began, ended in _weekends(pace, at):
        room = max(began - at, NO_TIME)
        if span <= room:
            break
        at, span = ended, span - room
    return at + span


def before(pace: Pace, end: datetime, span: timedelta) -> datetime:
    """An instant from which so much is counted until `end`."""
    at = end.astimezone(UTC)
    if not span:
        return at
    start = at - span
    while (missing := span - counted(pace, start, at)) > NO_TIME:
        start -= missing
    return start


def _weekends(pace: Pace, start: datetime) -> Iterator[tuple[datetime, datetime]]:
    """The paused weekends that end after an instant, for ever: none where none are paused."""
    if not pace.weekend_pause:
        return
    day = start.astimezone(_zone(pace.zone)).date()
    day -= ((day.weekday() - SATURDAY) % WEEK) * DAY
    while True:
        began, ended = _first(pace.zone, day, 0), _last(pace.zone, day + 2 * DAY, 0)
        if ended > start:
            yield began, ended
        day += WEEK * DAY


# -- where a turn may end ----------------------------------------------------------------------------


def _may_end(pace: Pace, at: datetime, *, at_hour: bool = False) -> datetime:
    """The first instant from `at` on at which a turn may end."""
    hour = pace.deadline_hour if at_hour else None
    while True:
        moved = _after_quiet(pace, _after_weekend(pace, at))
        if hour is not None:
            moved = _next_hour(pace.zone, moved, hour)
        if moved == at:
            return at
        at = moved


def _after_weekend(pace: Pace, at: datetime) -> datetime:
    for began, ended in _weekends(pace, at):
        return ended if began <= at else at
    return at


def _after_quiet(pace: Pace, at: datetime) -> datetime:
    if pace.quiet_from is None or pace.quiet_to is None:
        return at
    overnight = DAY if pace.quiet_to < pace.quiet_from else NO_TIME
    today = at.astimezone(_zone(pace.zone)).date()
    for day in (today - DAY, today, today + DAY):
        began, ended = _first(pace.zone, day, pace.quiet_from), _last(pace.zone, day + overnight, pace.quiet_to)
        if began <= at < ended:
            return ended
    return at


def _next_hour(zone: str, at: datetime, hour: int) -> datetime:
    day = at.astimezone(_zone(zone)).date() - DAY
    while (found := _last(zone, day, hour)) < at:
        day += DAY
    return found


# -- local hours -------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def _first(zone: str, day: date, hour: int) -> datetime:
    """The first instant of a local hour."""
    return min(_readings(zone, day, hour))


def _last(zone: str, day: date, hour: int) -> datetime:
    """The same; of an hour that the clocks show twice, the second time."""
    return max(_readings(zone, day, hour))


def _readings(zone: str, day: date, hour: int) -> tuple[datetime, datetime]:
    """Both instants at which a local clock shows an hour: mostly they are one."""
    wall = datetime.combine(day, time(hour))
    first, second = (wall.replace(tzinfo=_zone(zone), fold=fold).astimezone(UTC) for fold in (0, 1))
    if first <= second:
        return first, second
    skipped = _end_of_gap(zone, wall, second, first)
    return skipped, skipped


def _end_of_gap(zone: str, wall: datetime, low: datetime, high: datetime) -> datetime:
    """The first instant whose local time is not before `wall`, between one that is before and one that is not."""
    while high - low > SECOND:
        middle = low + (high - low) // 2 // SECOND * SECOND
        if middle.astimezone(_zone(zone)).replace(tzinfo=None) < wall:
            low = middle
        else:
            high = middle
    return high

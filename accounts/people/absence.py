"""Vacations: planning, beginning and ending them, and how many days are left.

A budget of days a calendar year, where the player lives. A day that has begun counts whole, and once, however often a
vacation is begun and ended in it; of a vacation across New Year each day counts in its own year. A planned or running
vacation counts all its days until it is ended. The same day elsewhere lies at other hours: in another time zone it is
another day. So nobody is away for longer than the budget allows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction

from accounts.models import User, Vacation
from accounts.people.signals import vacation_changed

DAYS_A_YEAR = 30
FARTHEST = timedelta(days=365)
"""How far ahead a vacation may begin."""

Day = tuple[date, str]
"""A day, and the zone in which it lies."""


class NoVacation(Exception):
    """A vacation that cannot be: a stable code with its facts, worded in the form. Nothing was changed."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


def zone_of(user: User) -> ZoneInfo:
    """Where a player's days begin."""
    return ZoneInfo(user.time_zone or settings.TIME_ZONE)


def today(user: User, now: datetime) -> date:
    return now.astimezone(zone_of(user)).date()


@transaction.atomic
def plan(*, user: User, first: date, last: date, now: datetime) -> Vacation:
    """A vacation of whole days; one that begins today begins at once.

    Raises NoVacation: `past`, `backwards`, `too_far`, `one_already`, or `too_long` with the `year` and the days `left` in it.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    this_day, zone = today(user, now), zone_of(user)
    if first < this_day:
        raise NoVacation("past")
    if last < first:
        raise NoVacation("backwards")
    if first > this_day + FARTHEST or last > first + FARTHEST:
        raise NoVacation("too_far")
    _make_room(user, now)
    taken = _days(user.vacations.filter(last_day__year__gte=first.year))
    asked = {(day, zone.key) for day in _each_day(first, last)}
    for year in range(first.year, last.year + 1):
        left = DAYS_A_YEAR - _in_year(taken, year)
        if _in_year(asked - taken, year) > left:
            raise NoVacation("too_long", year=year, left=left)
    begins = now if first == this_day else datetime.combine(first, time(), zone)
    ends = datetime.combine(last + timedelta(days=1), time(), zone)
    made = Vacation.objects.create(user=user, first_day=first, last_day=last, zone=zone.key, begins=begins, ends=ends)
    vacation_changed.send(User, user_id=user.pk, now=now)
    return made


@transaction.atomic
def end(*, user: User, now: datetime) -> bool:
    """End a vacation early, or give up a planned one. False where there is none: twice changes nothing.

    What has been counted stays counted; the clocks go on from where they stood.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    vacation = current(user=user, now=now)
    if vacation is None:
        return False
    if vacation.begins > now:
        vacation.delete()
    else:
        vacation.ended_at = now
        vacation.save(update_fields=["ended_at"])
    vacation_changed.send(User, user_id=user.pk, now=now)
    return True


def current(*, user: User, now: datetime) -> Vacation | None:
    """The vacation that a player is on, or has planned."""
    return user.vacations.filter(ended_at=None, ends__gt=now).first()


def away(*, user_ids: Collection[int], now: datetime) -> dict[int, Vacation]:
    """Those of these people who are away."""
    found = Vacation.objects.filter(user__in=user_ids, ended_at=None, begins__lte=now, ends__gt=now)
    return {vacation.user_id: vacation for vacation in found}


def days_left(*, user: User, now: datetime) -> int:
    """The days of this year's budget that are neither spent nor planned."""
    year = today(user, now).year
    return DAYS_A_YEAR - _in_year(_days(user.vacations.filter(last_day__year__gte=year, first_day__year__lte=year)), year)


def _make_room(user: User, now: datetime) -> None:
    """One vacation at a time: one that is over by its date is noted as ended."""
    open_one = user.vacations.filter(ended_at=None).first()
    if open_one is None:
        return
    if open_one.ends > now:
        raise NoVacation("one_already")
    open_one.ended_at = open_one.ends
    open_one.save(update_fields=["ended_at"])


def _days(vacations: Iterable[Vacation]) -> set[Day]:
    """The days that vacations count."""
    return {(day, vacation.zone) for vacation in vacations for day in _each_day(vacation.first_day, _last_counted(vacation))}


def _last_counted(vacation: Vacation) -> date:
    if vacation.ended_at is None:
        return vacation.last_day
    return min(vacation.last_day, vacation.ended_at.astimezone(ZoneInfo(vacation.zone)).date())


def _each_day(first: date, last: date) -> Iterator[date]:
    return (first + timedelta(days=step) for step in range((last - first).days + 1))


def _in_year(days: Iterable[Day], year: int) -> int:
    return sum(day.year == year for day, _zone in days)

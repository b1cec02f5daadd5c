"""Hints that two accounts are used from one place, for referees on a case (docs/desk.md).

No address is stored. Each day has a random key of its own; an address is kept as its HMAC under the key of the day, so that it
can be compared with others of that day and with nothing else. Keys and marks are destroyed after 30 days.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from django.contrib.auth.signals import user_logged_in
from django.db import connection
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import AddressKey, AddressMark, User
from accounts.people.limits import Along, visitor_address
from accounts.people.signals import account_going, data_asked

KEPT_DAYS = 30
KEY_BYTES, MARK_DIGITS = 32, 32

_KEY = """
    INSERT INTO accounts_addresskey (day, key) VALUES (%s, %s)
    ON CONFLICT (day) DO UPDATE SET day = EXCLUDED.day
    RETURNING key
"""
# Nothing is noted of an account that is being emptied: the row's lock is waited for, then it is asked again.
_SEEN = """seen AS (
        UPDATE accounts_user SET last_seen = %s
        WHERE id = %s AND is_active AND (last_seen IS NULL OR last_seen <= %s)
        RETURNING id
    )"""
_MARKED = """, marked AS (
        INSERT INTO accounts_addressmark (user_id, day, mark) SELECT id, %s, %s FROM seen
        ON CONFLICT (user_id, day, mark) DO NOTHING
    )"""

_today: dict[date, bytes] = {}
"""The key of the day as this process knows it: one entry, so that a note is one statement."""


class Shared(NamedTuple):
    """Two accounts that were used from one address on the same day, or on several."""

    user_a: int
    user_b: int
    first_day: date
    last_day: date
    days: int


def note(*, user_id: int, address: str, now: datetime) -> None:
    """Note that an account is used, and from where: one statement. An account that is no more stays untouched.

    `address` as `limits.visitor_address` has it.
    """
    noted = noting(user_id=user_id, address=address, now=now)
    with connection.cursor() as cursor:
        cursor.execute(f"WITH {noted.clauses} SELECT FROM seen", noted.values)


def noting(*, user_id: int, address: str, now: datetime) -> Along:
    """What `note` writes, for another statement to take along."""
    seen, day = (now, user_id, now), _day(now)
    if not _tells(address):
        return Along(_SEEN, seen)
    return Along(_SEEN + _MARKED, (*seen, day, _mark(day, address)))


def shared_addresses(user_ids: Iterable[int], *, now: datetime) -> list[Shared]:
    """Which two of these accounts were used from one address within the last 30 days. For referees on a case alone."""
    wanted, since = sorted(set(user_ids)), _day(now) - timedelta(days=KEPT_DAYS)
    marks = AddressMark.objects.filter(user__in=wanted, day__gt=since)
    where: dict[tuple[date, str], list[int]] = {}
    for day, mark, user in marks.order_by("user").values_list("day", "mark", "user"):
        where.setdefault((day, mark), []).append(user)
    found: dict[tuple[int, int], set[date]] = {}
    for (day, _mark), users in where.items():
        for place, one in enumerate(users):
            for other in users[place + 1 :]:
                found.setdefault((one, other), set()).add(day)
    return [Shared(one, other, min(days), max(days), len(days)) for (one, other), days in sorted(found.items())]


def forget_old(*, now: datetime) -> None:
    """Destroy keys and marks that are 30 days old."""
    last = _day(now) - timedelta(days=KEPT_DAYS)
    AddressKey.objects.filter(day__lte=last).delete()
    AddressMark.objects.filter(day__lte=last).delete()


def _tells(address: str) -> bool:
    """Whether something is an address of somebody's: not that of this machine, where a proxy stands that nobody told us of."""
    try:
        return not ipaddress.ip_network(address, strict=False).is_loopback
    except ValueError:
        return False


def _day(now: datetime) -> date:
    return now.astimezone(UTC).date()


def _mark(day: date, address: str) -> str:
    return hmac.digest(_key(day), address.encode(), "sha256").hex()[:MARK_DIGITS]


def _key(day: date) -> bytes:
    """The key of a day: the first process that asks draws it, the others get the same."""
    if day not in _today:
        with connection.cursor() as cursor:
            cursor.execute(_KEY, [day, secrets.token_bytes(KEY_BYTES)])
            (key,) = cursor.fetchone()
        _today.clear()
        _today[day] = bytes(key)
    return _today[day]


@receiver(user_logged_in, dispatch_uid="accounts.marks.logged_in")
def _logged_in(request: HttpRequest | None, user: User, **_more: Any) -> None:
    """A log-in is from somewhere too, though the player was here a moment ago."""
    if request is not None and "REMOTE_ADDR" in request.META:
        note(user_id=user.pk, address=visitor_address(request), now=timezone.now())


@receiver(data_asked, dispatch_uid="accounts.marks.data_asked")
def _data_asked(user: User, **_more: Any) -> dict[str, Any]:
    """For which days there are marks; the marks themselves are of no use without the keys, which nobody is given."""
    days = AddressMark.objects.filter(user=user).order_by("day").values_list("day", flat=True)
    return {"address_marks": {"days": list(days.distinct())}}


@receiver(account_going, dispatch_uid="accounts.marks.account_going")
def _account_going(user_id: int, **_more: Any) -> None:
    AddressMark.objects.filter(user=user_id).delete()

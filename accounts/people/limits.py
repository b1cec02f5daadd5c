"""How often something may be done: guests, sign-ups, tables, moves.

Counts stand in PostgreSQL: a limit holds for every process and while the broker is away. Windows are fixed and aligned to
the clock, so that when the next one begins is known without asking.
"""

from __future__ import annotations

import ipaddress
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from allauth.account.adapter import get_adapter
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import salted_hmac

from accounts.models import RateLimit

_COUNT = """
    {along}
    INSERT INTO accounts_ratelimit (key, window_start, count) VALUES (%s, %s, 1)
    ON CONFLICT (key) DO UPDATE SET
        count = CASE WHEN accounts_ratelimit.window_start = EXCLUDED.window_start
                     THEN accounts_ratelimit.count + 1 ELSE 1 END,
        window_start = EXCLUDED.window_start
    RETURNING count
"""


class Along(NamedTuple):
    """Something else to write, as clauses of a WITH, that another statement takes along: one round trip for both."""

    clauses: str = ""
    values: tuple[Any, ...] = ()


NOTHING = Along()


def allow(key: str, *, limit: int, per_seconds: int, now: datetime, along: Along = NOTHING) -> bool:
    """Count one more of ``key``; true while it is at most ``limit`` in the present window of ``per_seconds``.

    ``key`` names the thing and who does it ("guest:192.0.2.7", "table:41"). One statement, no lock held beyond it.
    What it takes ``along`` is written whether it is allowed or not.
    """
    count_it = _COUNT.format(along=f"WITH {along.clauses}" if along.clauses else "")
    with connection.cursor() as cursor:
        cursor.execute(count_it, [*along.values, _digest(key), _window_start(per_seconds, now)])
        (count,) = cursor.fetchone()
    return bool(count <= limit)


def retry_after(*, per_seconds: int, now: datetime) -> int:
    """Seconds until the next window of ``per_seconds`` begins."""
    end = _window_start(per_seconds, now) + timedelta(seconds=per_seconds)
    return max(1, round((end - now).total_seconds()))


def too_many(request: HttpRequest, *, per_seconds: int, now: datetime) -> HttpResponse:
    """The answer to one who has done something too often: status 429 and a page that says when to try again."""
    seconds = retry_after(per_seconds=per_seconds, now=now)
    response = render(request, "429.html", {"minutes": -(-seconds // 60)}, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response


def visitor_address(request: HttpRequest) -> str:
    """The network a request comes from: an IPv4 address, or the /64 of an IPv6 one, which is one household."""
    text = get_adapter().get_client_ip(request)
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if address.version == 6:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def forget_old(*, now: datetime) -> None:
    """Delete the counts of windows that are long over."""
    RateLimit.objects.filter(window_start__lt=now - timedelta(days=2)).delete()


def _window_start(per_seconds: int, now: datetime) -> datetime:
    seconds = int(now.timestamp())
    return datetime.fromtimestamp(seconds - seconds % per_seconds, tz=UTC)


def _digest(key: str) -> str:
    return salted_hmac("accounts.people.limits", key, algorithm="sha256").hexdigest()

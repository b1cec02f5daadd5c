"""Letting a visitor in without an account."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth import login
from django.http import HttpRequest
from django.utils.translation import get_language

from accounts.models import User
from accounts.people import limits, services, zones

# A school or a family shares one address, so this is wide; it stops a script, not a party.
LIMIT, PER_SECONDS = 40, 3600


def enter(request: HttpRequest, *, now: datetime) -> User | None:
    """The player of this request: who is logged in, else a new guest, logged in with it.

    ``None`` where too many guests came from this address: answer with ``limits.too_many(request,
    per_seconds=guests.PER_SECONDS, now=now)``. Only for POST: it writes.
    """
    if request.user.is_authenticated:
        return request.user
    if not limits.allow(f"guest:{limits.visitor_address(request)}", limit=LIMIT, per_seconds=PER_SECONDS, now=now):
        return None
    guest = services.make_guest(language=get_language() or "en", now=now, time_zone=zones.browser_zone(request))
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest

"""What stands before every view of the games: who asks, how often, and what a missing table answers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect

from accounts.people.limits import NOTHING, allow, too_many, visitor_address
from accounts.people.requests import VisitorRequest
from accounts.people.services import touching
from games.services.errors import NoSuchTable

View = Callable[..., HttpResponse]


def signed_in(view: View) -> View:
    """Send whoever is logged out to log in, and back to the page afterwards.

    An htmx request is told to go there as a whole: a login page never lands inside a table.
    """

    @wraps(view)
    def guarded(request: VisitorRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.htmx:
            page = _place(request.htmx.current_url or "")[1] or "/"
            answer = redirect_to_login(page, resolve_url(settings.LOGIN_URL))
            return HttpResponseClientRedirect(answer.url)
        # what was posted is gone with the session: the way back is the page it was posted from
        way_back = request.get_full_path() if request.method in ("GET", "HEAD") else _page_before(request)
        return redirect_to_login(way_back, resolve_url(settings.LOGIN_URL))

    return guarded


def _page_before(request: HttpRequest) -> str:
    host, path = _place(request.headers.get("Referer", ""))
    return path if host == request.get_host() else "/"


def _place(url: str) -> tuple[str, str]:
    """Host and path of an address that a browser sent, both empty where it is none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    return parts.netloc, parts.path


def hides_foreign_tables(view: View) -> View:
    """A table that is not there, or not for this person, is a 404."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NoSuchTable:
            raise Http404 from None

    return guarded


def limited(name: str, *, limit: int, per_seconds: int) -> Callable[[View], View]:
    """At most so many POSTs of a kind for one player; then 429 with the time of the next try."""

    def decorate(view: View) -> View:
        def _allowed(request: HttpRequest, now: datetime) -> bool:
            """And note in the same statement that the player is here: every move comes by."""
            user = request.user
            seen = touching(user=user, address=visitor_address(request), now=now) if user.is_authenticated else NOTHING
            return allow(f"{name}:{user.pk}", limit=limit, per_seconds=per_seconds, now=now, along=seen)

        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            now = timezone.now()
            if request.method == "POST" and not _allowed(request, now):
                return too_many(request, per_seconds=per_seconds, now=now)
            return view(request, *args, **kwargs)

        return guarded

    return decorate

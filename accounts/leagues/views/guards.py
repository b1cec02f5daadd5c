"""What stands before every view of a league: whether there is one, and who asks."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from accounts.leagues import selectors
from accounts.leagues.messages import league_refusal
from accounts.leagues.services.store import MANAGERS
from accounts.models import League, Season
from accounts.people.requests import PlayerRequest
from games import engine
from games.decorators import View, signed_in
from games.services.errors import NoSuchTable, ServiceError
from games.views.refusing import put

Answer = TypeVar("Answer", bound=HttpResponseBase)
Fault = ServiceError | engine.RuleError


def of_league(view: Callable[..., Answer]) -> Callable[..., Answer]:
    """Hand the view its league in the place of the code; where there is none, a 404."""

    @wraps(view)
    def guarded(request: HttpRequest, code: str, *args: Any, **kwargs: Any) -> Answer:
        try:
            league = selectors.find_league(code=code)
        except ServiceError:
            raise Http404 from None
        return view(request, league, *args, **kwargs)

    return guarded


def managed(view: View) -> View:
    """The same, for the organiser and the deputies alone; others get a 403."""

    @signed_in
    @of_league
    @wraps(view)
    def guarded(request: PlayerRequest, league: League, *args: Any, **kwargs: Any) -> HttpResponse:
        found = selectors.membership(league=league, user=request.user)
        if found is None or found.role not in MANAGERS:
            raise PermissionDenied
        return view(request, league, *args, **kwargs)

    return guarded


def season_of(league: League, number: int | None = None) -> Season:
    """A season of a league, by its number or the last; where there is none, a 404."""
    found = selectors.season(league=league, number=number)
    if found is None:
        raise Http404
    found.league = league
    return found


def carried_out(request: HttpRequest, verb: Callable[[], object], done: str = "") -> bool:
    """Whether a service did what was asked; the next page says so, or why not. What only an organiser may do is a 403."""
    try:
        verb()
    except NoSuchTable:
        raise Http404 from None
    except (ServiceError, engine.RuleError) as fault:
        if fault.code == "not_the_organiser":
            raise PermissionDenied from None
        say(request, fault)
        return False
    if done:
        messages.success(request, done)
    return True


def say(request: HttpRequest, fault: Fault) -> None:
    """Put what is not possible, and what is, on the next page."""
    put(request, league_refusal(fault.code))

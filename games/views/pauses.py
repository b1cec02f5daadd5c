"""Pausing a table: asking, agreeing, refusing, and going on."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.people.requests import PlayerRequest
from games.decorators import hides_foreign_tables, limited, signed_in
from games.presenters.buttons import NOTHING
from games.services import pauses
from games.services.errors import NoSuchTable, ServiceError
from games.views.play import version_of
from games.views.showing import answer, refuse

ACTS = {"agree": pauses.agree, "refuse": pauses.refuse, "resume": pauses.resume}


@require_POST
@never_cache
@signed_in
@limited("pause", limit=60, per_seconds=3600)
@hides_foreign_tables
def pause(request: PlayerRequest, code: str) -> HttpResponse:
    """Do what the button says about a pause of the table as it was at the version that the page showed."""
    now = timezone.now()
    try:
        act = ACTS.get(request.POST.get("act", ""))
        if act is None:
            raise ServiceError("bad_notation")
        found = act(code=code, user=request.user, version=version_of(request), now=now)
    except NoSuchTable:
        raise
    except ServiceError as fault:
        return refuse(request, code, NOTHING, fault, now)
    return answer(request, found, now=now) if request.htmx else redirect("games:table", code)

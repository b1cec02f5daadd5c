"""The exchange of doubles before a deal of tiles: giving one's answer."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.people.requests import PlayerRequest
from games import engine
from games.decorators import hides_foreign_tables, limited, signed_in
from games.presenters.buttons import NOTHING
from games.services import exchange
from games.services.errors import NoSuchTable, ServiceError
from games.views import showing

LONGEST_ANSWER = 20


@require_POST
@never_cache
@signed_in
@limited("move", limit=60, per_seconds=20)
@hides_foreign_tables
def answer(request: PlayerRequest, code: str) -> HttpResponse:
    """Give an answer that the others do not see. The deal that it is for is the token: no answer makes a new version."""
    now = timezone.now()
    said = request.POST.get("answer", "")[:LONGEST_ANSWER]
    try:
        if not said:
            raise ServiceError("no_answer")
        found = exchange.answer(code=code, user=request.user, answer=said, deal=_deal(request), now=now)
    except NoSuchTable:
        raise
    except (engine.RuleError, ServiceError) as fault:
        return showing.refuse(request, code, NOTHING, fault, now)
    if not request.htmx:
        return redirect("games:table", code)
    return showing.answer(request, found, now=now)


def _deal(request: HttpRequest) -> int:
    text = request.POST.get("deal", "")
    return int(text) if text.isdecimal() and len(text) < 6 else -1

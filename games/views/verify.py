"""The shuffle: what players add to it, and the check of a deal that is over."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.people.requests import PlayerRequest
from games import selectors
from games.decorators import hides_foreign_tables, limited, signed_in
from games.models import Game
from games.presenters.shuffle import check_context, shuffle_context
from games.services import shuffles
from games.services.errors import NoSuchTable, ServiceError
from games.views.refusing import say


@require_safe
@never_cache
@signed_in
@hides_foreign_tables
def shuffle(request: PlayerRequest, code: str) -> HttpResponse:
    """How a table is shuffled: the seal of the deal to come, what the player adds, the deals that can be checked."""
    game = selectors.find_game(code=code, user=request.user)
    return render(request, "games/shuffle.html", shuffle_context(game=game, user=request.user, now=timezone.now()))


@require_POST
@signed_in
@limited("contribute", limit=60, per_seconds=3600)
@hides_foreign_tables
def contribute(request: PlayerRequest, code: str) -> HttpResponse:
    """Keep what a player adds to the next shuffle."""
    text = request.POST.get("line", "")
    try:
        seat = shuffles.contribute(code=code, user=request.user, text=text, now=timezone.now())
    except NoSuchTable:
        raise
    except ServiceError as fault:
        say(request, fault)
    else:
        messages.success(request, _("Added to the next shuffle.") if seat.contribution else _("Nothing is added now."))
    game = selectors.find_game(code=code, user=request.user)
    return redirect("games:table" if game.status == Game.Status.OPEN else "games:shuffle", code)


@require_safe
@never_cache
@signed_in
@hides_foreign_tables
def check(request: PlayerRequest, code: str, number: int) -> HttpResponse:
    """The check of a deal that is over, which the browser carries out. `number` counts from 0."""
    game = selectors.find_game(code=code, user=request.user)
    context = check_context(game=game, number=number, user=request.user, now=timezone.now())
    return render(request, "games/check.html", context)

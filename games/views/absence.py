"""Back from being away, and sitting down in the place of somebody who is."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.people import guests
from accounts.people.limits import allow, too_many
from accounts.people.requests import PlayerRequest
from games import selectors
from games.decorators import hides_foreign_tables, signed_in
from games.models import Game
from games.presenters.offers import offers_context
from games.services import absence
from games.services.errors import NoSuchTable, ServiceError
from games.services.store import load
from games.views import showing
from games.views.refusing import say
from games.views.waiting import SEATINGS, SEATINGS_PER_SECONDS


@require_POST
@never_cache
@signed_in
@hides_foreign_tables
def back(request: PlayerRequest, code: str) -> HttpResponse:
    """The player is back at the table. Twice is once."""
    now = timezone.now()
    try:
        found = absence.back(code=code, user=request.user, now=now)
    except NoSuchTable:
        raise
    except ServiceError as fault:
        selectors.find_game(code=code, user=request.user)
        say(request, fault)
        return showing.elsewhere(code) if request.htmx else redirect("games:table", code)
    return showing.answer(request, found, now=now) if request.htmx else redirect("games:table", code)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@hides_foreign_tables
def take_over(request: HttpRequest, code: str) -> HttpResponse:
    """What comes with a seat that is offered, for whoever has the link; posted, sit down there."""
    game = selectors.find_game(code=code, user=request.user)
    if request.method == "POST":
        return _take_over(request, game)
    if game.status != Game.Status.RUNNING or not (request.user.is_authenticated or selectors.offers_a_seat(code=code)):
        return redirect("games:table", code)
    context = offers_context(found=load(game), user=request.user, now=timezone.now())
    return render(request, "games/take_over.html", context)


def _take_over(request: HttpRequest, game: Game) -> HttpResponse:
    now, code = timezone.now(), game.code
    if not request.user.is_authenticated and not selectors.offers_a_seat(code=code):
        say(request, ServiceError("seat_not_free"))
        return redirect("landing")
    user = guests.enter(request, now=now)
    if user is None:
        return too_many(request, per_seconds=guests.PER_SECONDS, now=now)
    if not allow(f"seat:{user.pk}", limit=SEATINGS, per_seconds=SEATINGS_PER_SECONDS, now=now):
        return too_many(request, per_seconds=SEATINGS_PER_SECONDS, now=now)
    try:
        absence.take_over(code=code, user=user, seat=_seat(request), now=now)
    except NoSuchTable:
        raise
    except ServiceError as fault:
        say(request, fault)
        still_there = selectors.offers_a_seat(code=code) or game.visibility == Game.Visibility.PUBLIC
        return redirect("games:table", code) if still_there else redirect("games:lobby")
    return redirect("games:table", code)


def _seat(request: HttpRequest) -> int:
    text = request.POST.get("seat", "")
    return int(text) if text.isdecimal() and len(text) < 3 else -1

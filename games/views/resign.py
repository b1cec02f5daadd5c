"""Leaving a running match for good, after a question."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.people.requests import PlayerRequest
from games import selectors
from games.decorators import hides_foreign_tables, signed_in
from games.models import Game
from games.presenters.names import joined, seat_names, table_name
from games.services import turns
from games.services.errors import NoSuchTable, ServiceError
from games.views.refusing import say


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@signed_in
@hides_foreign_tables
def resign(request: PlayerRequest, code: str) -> HttpResponse:
    """Ask whether a player really resigns; posted, do it (§1.12)."""
    if request.method == "POST":
        return _resign(request, code)
    game = selectors.find_game(code=code, user=request.user)
    seats = list(game.seats.select_related("user"))
    mine = next((seat for seat in seats if seat.user_id == request.user.pk), None)
    if mine is None:
        raise NoSuchTable
    if game.status != Game.Status.RUNNING or mine.resigned:
        return redirect("games:table", code)
    staying = [seat for seat in seats if seat is not mine and not seat.resigned]
    context = {"game": game, "name": table_name(game), "others": joined(seat_names(staying)), "last": len(staying) == 1}
    return render(request, "games/resign.html", context)


def _resign(request: PlayerRequest, code: str) -> HttpResponse:
    try:
        turns.resign(code=code, user=request.user, now=timezone.now())
    except NoSuchTable:
        raise
    except ServiceError as fault:
        if fault.code != "already_resigned" and not _has_resigned(request, code):  # a second tap is no refusal
            say(request, fault)
    else:
        messages.success(request, _("You have resigned. Your seat is passed over from now on."))
    return redirect("games:table", code)


def _has_resigned(request: PlayerRequest, code: str) -> bool:
    seats = selectors.find_game(code=code, user=request.user).seats
    return seats.filter(user=request.user, resigned=True).exists()

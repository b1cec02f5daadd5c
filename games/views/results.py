"""The result of a deal, and going on from it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.people.requests import PlayerRequest
from games import selectors
from games.decorators import hides_foreign_tables, signed_in
from games.presenters.result import result_context
from games.services import turns


@require_safe
@never_cache
@signed_in
@hides_foreign_tables
def result(request: PlayerRequest, code: str, number: int) -> HttpResponse:
    """A deal that is over, all hands open. `number` counts from 0."""
    game = selectors.find_game(code=code, user=request.user)
    seats = list(game.seats.select_related("user"))
    return render(request, "games/result.html", result_context(game=game, seats=seats, number=number, user=request.user))


@require_POST
@signed_in
@hides_foreign_tables
def go_on(request: PlayerRequest, code: str, number: int) -> HttpResponse:
    """From the result of a deal to the next one. Twice, or late, changes nothing."""
    selectors.find_game(code=code, user=request.user)
    turns.go_on(code=code, user=request.user, deal=number)
    return redirect("games:table", code)

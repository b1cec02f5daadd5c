"""A match that is over."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from games.presenters.match import match_context
from games.services.store import Table


def finished(request: HttpRequest, table: Table) -> HttpResponse:
    """The page of a finished match, for whoever may see the table."""
    return render(
        request, "games/finished.html", match_context(game=table.game, seats=table.seats, user=request.user, now=timezone.now())
    )

"""A new table, and the quick one against the computer."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from accounts.models import User
from accounts.people import guests
from accounts.people.limits import allow, too_many
from accounts.people.requests import PlayerRequest
from accounts.people.zones import known_zones
from games import selectors
from games.decorators import hides_foreign_tables, signed_in
from games.forms import PACES, USUAL_TABLE, TableForm, table_like
from games.gamenames import NAMES
from games.models import Game
from games.presenters.names import name_for_now
from games.presenters.terms import terms
from games.services import tables

TABLES, TABLES_PER_SECONDS = 10, 3600
# Played when there is a minute; a guest who comes back next week finds the table.
PLAY_NOW_TURN = PACES["7d"]


def _may_make_table(user: User, now: datetime) -> bool:
    return allow(f"table:{user.pk}", limit=TABLES, per_seconds=TABLES_PER_SECONDS, now=now)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@vary_on_headers("HX-Request")
@signed_in
@hides_foreign_tables
def new(request: PlayerRequest) -> HttpResponse:
    """The form of a new table, and making it. While it is filled in, htmx asks for the terms as they stand."""
    if request.method == "POST":
        return _make(request, TableForm(request.POST))
    if request.htmx:
        form = TableForm(request.GET)
        return render(request, "games/new.html#terms", _terms(form) | {"form": form})
    start = _start(request)
    return render(request, "games/new.html", _terms(TableForm(start)) | {"form": TableForm(initial=start), "here": "new"})


def _make(request: PlayerRequest, form: TableForm) -> HttpResponse:
    now = timezone.now()
    if not form.is_valid():
        return render(request, "games/new.html", {"form": form, "here": "new"}, status=422)
    if not _may_make_table(request.user, now):
        return too_many(request, per_seconds=TABLES_PER_SECONDS, now=now)
    wanted = form.wanted()
    wanted["title"] = wanted["title"] or name_for_now(now)
    game = tables.create_once(maker=request.user, now=now, **wanted)
    return redirect("games:table", game.code)


def _terms(form: TableForm) -> dict[str, Any]:
    """The terms of the table that a form asks for; none while it asks for one that there is not."""
    if not form.is_valid():
        return {}
    wanted = form.wanted()
    seats, computers = wanted.pop("seats"), wanted.pop("computers")
    return {"terms": terms(Game(seat_count=seats, **wanted), now=timezone.now()), "free": seats - computers - 1}


def _start(request: PlayerRequest) -> dict[str, str]:
    """What the form begins with: as usual, as the address asks, or like a table that was played before."""
    code = request.GET.get("like", "")
    if code:
        game = selectors.find_game(code=code, user=request.user)
        return table_like(game, computers=sum(seat.bot != "" for seat in game.seats.all()))
    asked = request.GET.get("variant", "")
    here = timezone.get_current_timezone_name()
    zone = here if here in known_zones() else "UTC"
    return USUAL_TABLE | {"variant": asked if asked in NAMES else usual_game(), "zone": zone}


def usual_game() -> str:
    """The game that the reader's country plays."""
    return "rami500" if (get_language() or "").startswith("fr") else "remi500"


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """A table against the computer at one tap, for a visitor too, who becomes a guest. A double tap makes one."""
    now = timezone.now()
    user = guests.enter(request, now=now)
    if user is None:
        return too_many(request, per_seconds=guests.PER_SECONDS, now=now)
    if not _may_make_table(user, now):
        return too_many(request, per_seconds=TABLES_PER_SECONDS, now=now)
    asked = request.POST.get("variant", "")
    game = tables.create_once(
        maker=user,
        variant=asked if asked in NAMES else usual_game(),
        seats=2,
        options={},
        turn_time=PLAY_NOW_TURN,
        now=now,
        visibility=Game.Visibility.LINK,
        title=name_for_now(now),
        computers=1,
    )
    return redirect("games:table", game.code)

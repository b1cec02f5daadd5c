"""My games and the lobby."""

from __future__ import annotations

from zlib import crc32

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.people.messages import bell
from accounts.people.requests import PlayerRequest
from games import selectors
from games.decorators import signed_in
from games.forms import LobbyForm
from games.presenters import lists

TABLES_ON_A_PAGE = 30
# After this long the words for the time left have changed.
FRESH_SECONDS = 300


@require_safe
@never_cache
@vary_on_headers("HX-Request")
@signed_in
def home(request: PlayerRequest) -> HttpResponse:
    """My games, those that wait first. Asked again by the page with what it has `seen`: 204 while that holds."""
    now = timezone.now()
    # Read before the tables: what changes in between is seen the next time.
    versions = selectors.my_versions(user=request.user)
    told, work = bell.unread(user=request.user), selectors.work()
    seen = f"{crc32(repr((versions, told, work, int(now.timestamp()) // FRESH_SECONDS)).encode()):08x}"
    if request.htmx and request.GET.get("seen") == seen:
        return HttpResponse(status=204)
    since, why = work or (None, None)
    games = lists.my_games(user=request.user, now=now, work_since=since)
    template = "games/home.html#tables" if request.htmx else "games/home.html"
    return render(request, template, {"here": "home", "games": games, "seen": seen, "unread": told, "work": why})


@require_safe
@never_cache
@signed_in
def lobby(request: PlayerRequest) -> HttpResponse:
    """The open tables that anyone may join."""
    form = LobbyForm(request.GET)
    found = Paginator(selectors.open_tables(**form.wanted()), TABLES_ON_A_PAGE)
    page = found.get_page(request.GET.get("page"))
    others = selectors.open_tables().count() if found.count == 0 and form.has_changed() else 0
    offered = selectors.offered_seats(user=request.user, **form.wanted()) if page.number == 1 else []
    filters = request.GET.copy()
    filters.pop("page", None)
    context = {
        "here": "lobby",
        "form": form,
        "count": found.count,
        "others": others,
        "page": page,
        "tables": lists.lobby(page.object_list, user=request.user, now=timezone.now()),
        "offered": lists.offered(offered, user=request.user),
        "filters": filters.urlencode(),
    }
    return render(request, "games/lobby.html", context)

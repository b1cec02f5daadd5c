"""Tables for the members: who would sit where, making them so, and a substitute at one of them."""

from __future__ import annotations

import random
import re
import secrets
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.leagues import selectors
from accounts.leagues.forms import Choices, TablesForm
from accounts.leagues.services import matches
from accounts.leagues.views.guards import carried_out, managed, season_of
from accounts.leagues.views.league import number_of
from accounts.models import League, Season, User
from accounts.people.requests import PlayerRequest
from games.models import Game

MOST_TO_CHOOSE = 400
"""With more members than these all take part, those first who have played least."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@managed
def make_tables(request: PlayerRequest, league: League) -> HttpResponse:
    """Ask for tables (GET) and see who would sit where; make them as shown (POST)."""
    season = season_of(league)
    people = _people(league)
    if request.method == "POST":
        return _make(request, league, season, TablesForm(request.POST, league=league, people=people))
    asked = "tables" in request.GET
    form = TablesForm(request.GET if asked else None, league=league, people=people, initial=_usual(league, people))
    groups = _preview(request, season, form) if asked and form.is_valid() else []
    among = (form.players() if groups else None) or [int(key) for key, _name in people]
    context = {
        "here": "leagues", "league": league, "season": season, "form": form, "groups": groups, "lot": secrets.randbits(60),
        "among": ",".join(map(str, among)),
        "made": season.matches.count(), "choose": len(people) <= MOST_TO_CHOOSE,
    }  # fmt: skip
    return render(request, "leagues/tables.html", context, status=422 if form.errors else 200)


def _people(league: League) -> Choices:
    active = selectors.members(league=league).filter(user__is_active=True)
    return [(str(member.user_id), member.user.username) for member in active]


def _usual(league: League, people: Choices) -> dict[str, Any]:
    seats = league.seats_max
    return {"seats": seats, "tables": max(len(people) // seats, 1), "who": [key for key, _name in people]}


def _preview(request: PlayerRequest, season: Season, form: TablesForm) -> list[list[User]]:
    """Who would sit where, in order of play."""
    found: list[list[int]] = []
    wanted = _wanted(form)
    if not carried_out(request, lambda: found.extend(matches.arrange(season, **wanted))):
        return []
    users = User.objects.in_bulk([user_id for group in found for user_id in group])
    return [[users[user_id] for user_id in group] for group in found]


def _wanted(form: TablesForm) -> dict[str, Any]:
    data = form.cleaned_data
    return {
        "tables_wanted": data["tables"], "seats": data["seats"], "rng": random.Random(data["lot"]),
        "user_ids": form.players(),
    }  # fmt: skip


def _make(request: PlayerRequest, league: League, season: Season, form: TablesForm) -> HttpResponse:
    made: list[Game] = []
    wanted = _wanted(form) if form.is_valid() else {"tables_wanted": 0, "seats": 0, "rng": random.Random(0)}
    known = number_of(request, "made")
    if carried_out(
        request,
        lambda: made.extend(matches.make_tables(code=league.code, by=request.user, now=timezone.now(), made=known, **wanted)),
    ):
        said = ngettext("%(count)s table has begun.", "%(count)s tables have begun.", len(made)) % {"count": len(made)}
        messages.success(request, said)
        return redirect("leagues:league", league.code)
    return redirect("leagues:tables", league.code)


@require_POST
@managed
def substitute(request: PlayerRequest, league: League) -> HttpResponse:
    """Put a member in the place of an absent player."""
    player = selectors.person(name=request.POST.get("name", "").strip(), any_case=True)
    table, seat = _seat(request.POST.get("seat", ""))
    carried_out(
        request,
        lambda: matches.substitute(
            code=league.code, by=request.user, game_code=table, seat=seat, user_id=player.pk if player else 0, now=timezone.now(),
        ),
        _("The substitute holds the seat now."),
    )  # fmt: skip
    return redirect("leagues:manage", league.code)


def _seat(key: str) -> tuple[str, int]:
    """Table and seat as `presenters.absent_seats` names them. A 404 where it names none."""
    found = re.fullmatch(r"([A-Za-z0-9]{1,20})-([0-9]{1,2})", key)
    if found is None:
        raise Http404
    return found[1], int(found[2])

"""The leagues there are, and a new one."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.leagues import selectors
from accounts.leagues.forms import LeagueForm, usual_league
from accounts.leagues.messages import sentences
from accounts.leagues.presenters import game_words
from accounts.leagues.services import leagues
from accounts.leagues.views.guards import Fault
from accounts.models import League
from accounts.people.requests import PlayerRequest
from accounts.people.zones import known_zones
from games import engine
from games.decorators import limited, signed_in
from games.gamenames import NAMES
from games.services.errors import ServiceError
from games.views.new import usual_game

LEAGUES_ON_A_PAGE = 30
NEW, PER_SECONDS = 5, 86_400
FIELDS = {"bad_name": "name", "name_taken": "name", "rules_too_long": "rules"}


@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """My leagues, and those that one may join."""
    mine = list(selectors.my_leagues(user=request.user)) if request.user.is_authenticated else []
    page = Paginator(selectors.leagues_to_join(user=request.user), LEAGUES_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"here": "leagues", "mine": _rows(mine), "others": _rows(page.object_list), "page": page}
    return render(request, "leagues/index.html", context)


def _rows(leagues: Any) -> list[tuple[League, str]]:
    return [(league, game_words(league)) for league in leagues]


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@signed_in
@limited("league", limit=NEW, per_seconds=PER_SECONDS)
def new(request: PlayerRequest) -> HttpResponse:
    """The form of a new league, and making it."""
    if request.user.is_guest:
        return render(request, "leagues/guest.html", {"here": "leagues"})
    if request.method != "POST":
        here = timezone.get_current_timezone_name()
        asked = request.GET.get("variant", "")
        start = usual_league(asked if asked in NAMES else usual_game(), here if here in known_zones() else "UTC")
        return _form(request, LeagueForm(initial=start))
    form = LeagueForm(request.POST)
    if form.is_valid():
        try:
            variant = form.cleaned_data["variant"]
            made = leagues.create(organiser=request.user, variant=variant, now=timezone.now(), **form.wanted())
            return redirect("leagues:manage", made.code)
        except (ServiceError, engine.RuleError) as fault:
            add_fault(form, fault)
    return _form(request, form, status=422)


def _form(request: PlayerRequest, form: LeagueForm, status: int = 200) -> HttpResponse:
    return render(request, "leagues/form.html", {"here": "leagues", "form": form}, status=status)


def add_fault(form: LeagueForm, fault: Fault) -> None:
    """Put a refusal at the field that it is about, or above the form."""
    said = sentences(fault.code) or (_("No table can be made by these terms."), _("Choose among what is shown."))
    form.add_error(FIELDS.get(fault.code), " ".join(said))

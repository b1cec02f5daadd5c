"""A league: its table and all that hangs on it, its members, its ledger; joining it and leaving it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.leagues import presenters, selectors
from accounts.leagues.services import matches, members
from accounts.leagues.services.leagues import table_terms
from accounts.leagues.services.store import MANAGERS
from accounts.leagues.views.guards import carried_out, of_league, say, season_of
from accounts.models import JoinRequest, League, Membership, Season, User
from accounts.people.requests import PlayerRequest
from games.decorators import limited, signed_in
from games.models import Game
from games.services.errors import ServiceError

Status = Game.Status
MEMBERS_ON_A_PAGE = 100
NAMES_SHOWN = 12
COMINGS, TABLES, PER_SECONDS = 30, 20, 3600


@require_safe
@never_cache
@of_league
def league(request: HttpRequest, league: League) -> HttpResponse:
    """A league with its present season, or the last."""
    season = selectors.season(league=league)
    if season is not None:
        season.league = league
    return _page(request, league, season)


@require_safe
@never_cache
@of_league
def archive(request: HttpRequest, league: League, number: int) -> HttpResponse:
    """A season as it is, or was."""
    return _page(request, league, season_of(league, number), past=True)


def _page(request: HttpRequest, league: League, season: Season | None, *, past: bool = False) -> HttpResponse:
    now, user = timezone.now(), request.user
    mine = selectors.membership(league=league, user=user)
    table = Game(variant=league.variant, options=league.options, seat_count=league.seats_max, **table_terms(league))
    invite = request.GET.get("invite", "")
    context: dict[str, Any] = {
        "here": "leagues",
        "league": league,
        "season": season,
        "past": past,
        "mine": mine,
        "manages": mine is not None and mine.role in MANAGERS,
        "organises": mine is not None and mine.role == mine.Role.ORGANISER,
        "asked": mine is None and selectors.asked(league=league, user=user),
        "expelled": mine is None and selectors.expelled(league=league, user=user),
        "invite": invite,
        "invited": invite == league.invite,
        "link": link_to(request, league),
        "words": presenters.game_words(league),
        "terms": presenters.league_terms(league, table, now=now),
        "champions": [],
        "seasons": [(ended, first) for ended, first in selectors.past_seasons(league=league) if season != ended or not past],
        "seat_counts": range(league.seats_min, league.seats_max + 1),
        "computer_counts": range(league.seats_max - 1) if league.bots else [],
    }
    context |= _people(league, season, mine is not None and mine.role in MANAGERS)
    context["alone"] = mine is not None and context["size"] == 1 and not past and league.closed_at is None
    if season is not None:
        context |= _season(request, season, mine is not None, now=now)
    return render(request, "leagues/league.html", context)


def link_to(request: HttpRequest, league: League) -> str:
    """What members send to those whom they want to have in the league: with the secret part where that is what opens it."""
    path = reverse("leagues:league", args=[league.code])
    return request.build_absolute_uri(f"{path}?invite={league.invite}" if league.joining == League.Joining.LINK else path)


def _people(league: League, season: Season | None, manages: bool) -> dict[str, Any]:
    everybody = selectors.members(league=league)
    lacking = selectors.without_results(season=season)[: NAMES_SHOWN + 1] if season is not None else []
    return {
        "size": everybody.count(),
        "members": everybody[:NAMES_SHOWN],
        "lacking": lacking,
        "requests": selectors.requests(league=league).count() if manages else 0,
    }


def _season(request: HttpRequest, season: Season, member: bool, *, now: Any) -> dict[str, Any]:
    user = request.user
    shown = presenters.standing(
        season, user, page=request.GET.get("page"), moves=presenters.moves(season) if season.is_open else None
    )
    begun = presenters.matches(season, user, [Status.OPEN, Status.RUNNING], member=member, most=30)
    return {
        "season_words": presenters.season_words(season),
        "formats": ["csv", "json"],
        "shown": shown,
        "headline": presenters.headline(shown.mine) if shown.mine and season.is_open else "",
        "chart": presenters.course(season, shown, now=now) if shown.page.number == 1 else None,
        "open": [match for match in begun if match.status == Status.OPEN],
        "running": [match for match in begun if match.status == Status.RUNNING],
        "finished": presenters.matches(season, user, [Status.FINISHED], member=member),
        "champions": [presenters.player_name(line.player) for line in selectors.champions(season=season)],
    }


@require_safe
@never_cache
@of_league
def all_matches(request: HttpRequest, league: League, number: int) -> HttpResponse:
    """Every match of a season, the newest first."""
    season = season_of(league, number)
    page = Paginator(selectors.matches(season=season), 50).get_page(request.GET.get("page"))
    member = selectors.membership(league=league, user=request.user) is not None
    rows = [presenters.match_row(match, request.user, member=member) for match in page.object_list]
    return render(
        request, "leagues/matches.html", {"here": "leagues", "league": league, "season": season, "rows": rows, "page": page}
    )


@require_safe
@never_cache
@of_league
def ledger(request: HttpRequest, league: League, number: int, name: str = "") -> HttpResponse:
    """Row by row, why the table says what it says: of everybody, or of one player with all the figures of the line."""
    season, player, line = season_of(league, number), None, None
    if name:
        player = _player(league, season, name)
        line = selectors.with_ties(season.standings.filter(player=player)).first()
    page = presenters.with_deals(season, player).get_page(request.GET.get("page"))
    member = selectors.membership(league=league, user=request.user) is not None
    context = {
        "here": "leagues",
        "league": league,
        "season": season,
        "player": player,
        "name": presenters.player_name(player) if player else "",
        "line": line,
        "reliability": presenters.reliability([player.pk])[player.pk] if player else None,
        "entries": presenters.entries(page.object_list, request.user, member=member),
        "page": page,
        "you": player is not None and player.pk == request.user.pk,
    }
    return render(request, "leagues/ledger.html", context)


def _player(league: League, season: Season, name: str) -> User:
    """Somebody who has, or had, a part in it."""
    player = selectors.person(name=name)
    known = player is not None and (
        season.standings.filter(player=player).exists() or league.memberships.filter(user=player).exists()
    )
    if player is None or not known:
        raise Http404
    return player


@require_safe
@never_cache
@of_league
def people(request: HttpRequest, league: League) -> HttpResponse:
    """Who belongs to a league."""
    mine = selectors.membership(league=league, user=request.user)
    page = Paginator(selectors.members(league=league), MEMBERS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "here": "leagues",
        "league": league,
        "page": page,
        "manages": mine is not None and mine.role in MANAGERS,
        "decides": _decided_on(mine),
        "former": selectors.former_members(league=league)[:MEMBERS_ON_A_PAGE],
    }
    return render(request, "leagues/people.html", context)


def _decided_on(mine: Membership | None) -> list[str]:
    """The roles of those about whom somebody may decide something."""
    role, member, deputy = Membership.Role, Membership.Role.MEMBER.value, Membership.Role.DEPUTY.value
    return {role.ORGANISER.value: [member, deputy], role.DEPUTY.value: [member]}.get(mine.role if mine else "", [])


@require_POST
@signed_in
@of_league
@limited("league_coming", limit=COMINGS, per_seconds=PER_SECONDS)
def join(request: PlayerRequest, league: League) -> HttpResponse:
    """Become a member, or ask to. Twice is once."""
    try:
        invite = request.POST.get("invite", "")[:100]
        made = members.join(code=league.code, user=request.user, now=timezone.now(), invite=invite)
    except ServiceError as fault:
        say(request, fault)
    else:
        asked = isinstance(made, JoinRequest)
        messages.success(request, _("You have asked to join.") if asked else _("You are a member now."))
    return redirect("leagues:league", league.code)


@require_POST
@signed_in
@of_league
def withdraw(request: PlayerRequest, league: League) -> HttpResponse:
    carried_out(request, lambda: members.withdraw(code=league.code, user=request.user), _("You ask no more."))
    return redirect("leagues:league", league.code)


@require_POST
@signed_in
@of_league
def leave(request: PlayerRequest, league: League) -> HttpResponse:
    """Leave; what was played stays."""
    done = _("You have left the league. Your results stay, and matches under way count.")
    carried_out(request, lambda: members.leave(code=league.code, user=request.user, now=timezone.now()), done)
    return redirect("leagues:league", league.code)


@require_POST
@signed_in
@of_league
@limited("league_table", limit=TABLES, per_seconds=PER_SECONDS)
def make_table(request: PlayerRequest, league: League) -> HttpResponse:
    """A member opens a table of the season."""
    made: list[Game] = []

    def make() -> None:
        seats, computers = number_of(request, "seats"), number_of(request, "computers", "0")
        if computers < 0:
            raise ServiceError("bad_seats")
        made.append(matches.make_table(code=league.code, user=request.user, seats=seats, computers=computers, now=timezone.now()))

    if carried_out(request, make):
        return redirect("games:table", made[0].code)
    return redirect("leagues:league", league.code)


def number_of(request: HttpRequest, name: str, missing: str = "") -> int:
    """A small number that was posted; −1, which no service takes for one, where it is none."""
    text = request.POST.get(name, missing)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1

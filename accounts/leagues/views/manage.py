"""The organiser's pages: requests, seasons, adjustments, members, the league itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.leagues import presenters, selectors
from accounts.leagues.forms import AdjustForm, LeagueForm, SeasonForm
from accounts.leagues.services import leagues, ledger, members, seasons
from accounts.leagues.views.guards import carried_out, managed, say
from accounts.leagues.views.league import link_to, number_of
from accounts.leagues.views.lists import add_fault
from accounts.models import League, Membership, Season, User
from accounts.people.requests import PlayerRequest
from games import engine
from games.decorators import limited
from games.services.errors import ServiceError

Role = Membership.Role
REQUESTS_SHOWN, NAMES_LISTED = 100, 300
ADJUSTMENTS, PER_SECONDS = 60, 3600
FRAME = '<iframe src="{}" width="400" height="600" title="{}"></iframe>'


@require_safe
@never_cache
@managed
def manage(request: PlayerRequest, league: League) -> HttpResponse:
    """What there is to do."""
    return _page(request, league)


def _page(
    request: PlayerRequest, league: League, *, status: int = 200, season_form: SeasonForm | None = None,
    adjust_form: AdjustForm | None = None,
) -> HttpResponse:  # fmt: skip
    season = selectors.season(league=league)
    mine = selectors.membership(league=league, user=request.user)
    path = reverse("leagues:embed", args=[league.code])
    context: dict[str, Any] = {
        "here": "leagues",
        "league": league,
        "season": season,
        "season_words": presenters.season_words(season) if season else "",
        "organises": mine is not None and mine.role == Role.ORGANISER,
        "requests": selectors.requests(league=league)[:REQUESTS_SHOWN],
        "season_form": season_form or SeasonForm(),
        "adjust_form": adjust_form or AdjustForm(initial={"request": uuid4().hex, "number": season.number if season else None}),
        "names": selectors.members(league=league).values_list("user__username", flat=True)[:NAMES_LISTED],
        "absent": presenters.absent_seats(season) if season else [],
        "link": link_to(request, league),
        "frame": format_html(FRAME, request.build_absolute_uri(path), league.name),
    }
    return render(request, "leagues/manage.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@managed
def edit(request: PlayerRequest, league: League) -> HttpResponse:
    """Change the league; tables that have been made keep their terms."""
    form = LeagueForm(request.POST or None, league=league)
    if request.method == "POST" and form.is_valid():
        try:
            leagues.edit(code=league.code, by=request.user, **form.wanted())
        except (ServiceError, engine.RuleError) as fault:
            if fault.code == "not_the_organiser":
                raise PermissionDenied from None
            add_fault(form, fault)
        else:
            messages.success(request, _("Changed. It holds for the tables that are made from now on."))
            return redirect("leagues:manage", league.code)
    context = {"here": "leagues", "form": form, "league": league}
    return render(request, "leagues/form.html", context, status=422 if form.errors else 200)


def _done(
    request: PlayerRequest, league: League, verb: Callable[[], object], said: str, *, to: str = "leagues:manage"
) -> HttpResponse:  # fmt: skip
    carried_out(request, verb, said)
    return redirect(to, league.code)


@require_POST
@managed
def answer(request: PlayerRequest, league: League) -> HttpResponse:
    """Let in who has asked, or not."""
    accept, user_id = request.POST.get("act") == "accept", number_of(request, "player")
    said = _("Let in.") if accept else _("Not let in.")
    return _done(
        request, league,
        lambda: members.answer(code=league.code, by=request.user, user_id=user_id, accept=accept, now=timezone.now()), said,
    )  # fmt: skip


def _not_now(request: PlayerRequest, league: League) -> HttpResponse | None:
    """Why no season can begin, whatever the form says: the page has none then to show what is wrong with it."""
    mine = selectors.membership(league=league, user=request.user)
    if mine is None or mine.role != Role.ORGANISER:
        raise PermissionDenied
    last = selectors.season(league=league)
    is_open = last is not None and last.is_open
    if not is_open and league.closed_at is None:
        return None
    say(request, ServiceError("season_open" if is_open else "league_closed"))
    return redirect("leagues:manage", league.code)


@require_POST
@managed
def season(request: PlayerRequest, league: League) -> HttpResponse:
    """Begin the next season."""
    form = SeasonForm(request.POST)
    if not form.is_valid():
        return _not_now(request, league) or _page(request, league, status=422, season_form=form)
    wanted = form.wanted()
    return _done(
        request, league, lambda: seasons.start(code=league.code, by=request.user, now=timezone.now(), **wanted),
        _("The season has begun."),
    )  # fmt: skip


@require_POST
@managed
def end_season(request: PlayerRequest, league: League) -> HttpResponse:
    return _done(
        request, league, lambda: seasons.close(code=league.code, by=request.user, now=timezone.now()), _("The season is over.")
    )  # fmt: skip


@require_POST
@managed
def reopen_season(request: PlayerRequest, league: League) -> HttpResponse:
    """Take up the last season; with what was played since, it may be over at once."""
    last, found = selectors.season(league=league), list[Season]()
    number, now = last.number if last is not None else 0, timezone.now()
    if carried_out(request, lambda: found.append(seasons.reopen(code=league.code, by=request.user, number=number, now=now))):
        messages.success(request, _("The season goes on.") if found[0].is_open else _("The season is over."))
    return redirect("leagues:manage", league.code)


@require_POST
@managed
@limited("league_adjust", limit=ADJUSTMENTS, per_seconds=PER_SECONDS)
def adjust(request: PlayerRequest, league: League) -> HttpResponse:
    """Add points to a player's, with a reason that everybody reads."""
    form = AdjustForm(request.POST)
    if not league.seasons.exists():
        say(request, ServiceError("no_season"))
        return redirect("leagues:manage", league.code)
    if not form.is_valid():
        return _page(request, league, status=422, adjust_form=form)
    data = form.cleaned_data
    player = selectors.person(name=data["name"], any_case=True)
    return _done(
        request, league,
        lambda: ledger.adjust(
            code=league.code, by=request.user, user_id=player.pk if player else 0, points=data["points"], reason=data["reason"],
            request=data["request"], number=data["number"], now=timezone.now(),
        ),
        _("Adjusted. All members are told."),
    )  # fmt: skip


@require_safe
@never_cache
@managed
def member(request: PlayerRequest, league: League, name: str) -> HttpResponse:
    """What an organiser may do about a member."""
    user = _user(name)
    found = selectors.membership(league=league, user=user)
    last = league.memberships.filter(user=user).order_by("-since", "-pk").first()
    if last is None:
        raise Http404
    mine = selectors.membership(league=league, user=request.user)
    context = {
        "here": "leagues",
        "league": league,
        "member": user,
        "name": presenters.player_name(user),
        "found": found,
        "last": last,
        "organises": mine is not None and mine.role == Role.ORGANISER,
        "season": selectors.season(league=league),
    }
    return render(request, "leagues/member.html", context)


def _user(name: str) -> User:
    found = selectors.person(name=name)
    if found is None:
        raise Http404
    return found


@require_POST
@managed
def decide(request: PlayerRequest, league: League, name: str) -> HttpResponse:
    """Make a member a deputy, or the organiser; expel one, or take one back."""
    user, now = _user(name), timezone.now()
    whom: dict[str, Any] = {"code": league.code, "by": request.user, "user_id": user.pk}
    facts = {"name": presenters.player_name(user)}
    verbs: dict[str, tuple[Callable[[], object], str]] = {
        "deputy": (lambda: members.set_deputy(**whom, deputy=True), _("%(name)s is a deputy now.")),
        "member": (lambda: members.set_deputy(**whom, deputy=False), _("%(name)s is a deputy no more.")),
        "hand-over": (lambda: members.hand_over(**whom, now=now), _("%(name)s is the organiser now.")),
        "expel": (
            lambda: members.expel(**whom, reason=request.POST.get("reason", ""), now=now),
            _("%(name)s is expelled, and told why."),
        ),
        "readmit": (lambda: members.readmit(**whom, now=now), _("%(name)s is a member again.")),
    }  # fmt: skip
    if request.POST.get("act") not in verbs:
        raise Http404
    verb, said = verbs[request.POST["act"]]
    carried_out(request, verb, said % facts)
    return redirect("leagues:people", league.code)


@require_POST
@managed
def change(request: PlayerRequest, league: League) -> HttpResponse:
    """A new link; or the league closed, or taken up again."""
    whose: dict[str, Any] = {"code": league.code, "by": request.user}
    verbs: dict[str, tuple[Callable[[], object], str]] = {
        "invite": (lambda: leagues.renew_invite(**whose), _("There is a new link. The old one opens nothing any more.")),
        "close": (lambda: leagues.close(**whose, now=timezone.now()), _("The league is closed.")),
        "reopen": (lambda: leagues.reopen(**whose), _("The league is taken up again.")),
    }
    if request.POST.get("act") not in verbs:
        raise Http404
    return _done(request, league, *verbs[request.POST["act"]])

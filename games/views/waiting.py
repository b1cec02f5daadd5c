"""A table before the first deal: its page, and joining, leaving, starting and cancelling it."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.people import guests
from accounts.people.limits import allow, too_many
from accounts.people.requests import PlayerRequest, VisitorRequest
from games import selectors
from games.decorators import hides_foreign_tables, limited, signed_in
from games.models import Game
from games.presenters.waiting import waiting_context
from games.services import invitations, tables
from games.services.errors import NoSuchTable, ServiceError
from games.views.refusing import say

# Each sitting down and getting up is a row of the log.
SEATINGS, SEATINGS_PER_SECONDS = 60, 3600
# Each is a letter to somebody.
INVITATIONS = 30
LONGEST_NAME = 100


def waiting(request: HttpRequest, game: Game) -> HttpResponse:
    """The page of a table that has not begun, for whoever has its link, logged in or not."""
    return render(request, "games/waiting.html", _context(request, game))


def _context(request: HttpRequest, game: Game) -> dict[str, object]:
    link = request.build_absolute_uri(reverse("games:table", args=[game.code]))
    seats = list(game.seats.select_related("user"))
    return waiting_context(game=game, seats=seats, user=request.user, link=link, now=timezone.now())


@require_safe
@never_cache
@hides_foreign_tables
def waiting_room(request: VisitorRequest, code: str) -> HttpResponse:
    """What the waiting page asks again and again: 204 while its version holds, then the seats, then the table."""
    game = selectors.find_game(code=code, user=request.user)
    table = reverse("games:table", args=[code])
    if not request.htmx:
        return redirect(table)
    if game.status != Game.Status.OPEN:
        return HttpResponseClientRedirect(table)
    if request.GET.get("version") == str(game.version):
        return HttpResponse(status=204)
    return render(request, "games/waiting.html#seats", _context(request, game))


@require_POST
@hides_foreign_tables
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Take a free seat; a visitor becomes a guest for it. Twice is once."""
    now = timezone.now()
    game = selectors.find_game(code=code, user=request.user)
    if not request.user.is_authenticated and game.status != Game.Status.OPEN:
        say(request, ServiceError("already_started" if game.started_at else "table_gone"))
        return redirect("landing")
    user = guests.enter(request, now=now)
    if user is None:
        return too_many(request, per_seconds=guests.PER_SECONDS, now=now)
    if not allow(f"seat:{user.pk}", limit=SEATINGS, per_seconds=SEATINGS_PER_SECONDS, now=now):
        return too_many(request, per_seconds=SEATINGS_PER_SECONDS, now=now)
    try:
        tables.join(code=code, user=user, line=request.POST.get("line", ""), now=now)
    except NoSuchTable:
        raise
    except ServiceError as fault:
        say(request, fault)
        # the page of a league's table leads to the league
        return redirect("games:table", code) if fault.code == "league_members_only" else redirect("games:lobby")
    return redirect("games:table", code)


@require_POST
@signed_in
@limited("invite", limit=INVITATIONS, per_seconds=SEATINGS_PER_SECONDS)
@hides_foreign_tables
def invite(request: PlayerRequest, code: str) -> HttpResponse:
    """Invite a player by name to a free seat."""
    try:
        name = request.POST.get("name", "")[:LONGEST_NAME]
        invited = invitations.invite(code=code, user=request.user, name=name, now=timezone.now())
    except NoSuchTable:
        raise
    except ServiceError as fault:
        say(request, fault)
    else:
        messages.success(request, _("%(name)s has the invitation.") % {"name": invited.username})
    return redirect("games:table", code)


@require_POST
@signed_in
def decline(request: PlayerRequest, code: str) -> HttpResponse:
    """Put an invitation aside."""
    invitations.decline(code=code, user=request.user, now=timezone.now())
    return redirect("games:home")


@require_POST
@signed_in
@hides_foreign_tables
def leave(request: PlayerRequest, code: str) -> HttpResponse:
    """Give the seat up before the match begins."""
    return _try(request, code, tables.leave, goes_on="games:home")


@require_POST
@signed_in
@hides_foreign_tables
def start(request: PlayerRequest, code: str) -> HttpResponse:
    """Begin with computer players in the free seats."""
    return _try(request, code, tables.start, goes_on="games:table")


@require_POST
@signed_in
@hides_foreign_tables
def cancel(request: PlayerRequest, code: str) -> HttpResponse:
    """Give up a table that has not begun."""
    return _try(request, code, tables.cancel, goes_on="games:home")


def _try(request: PlayerRequest, code: str, service: Callable[..., Game], *, goes_on: str) -> HttpResponse:
    """Do one thing with a table that has not begun. A second tap, which finds it done, is no refusal."""
    try:
        service(code=code, user=request.user, now=timezone.now())
    except NoSuchTable:
        raise
    except ServiceError as fault:
        if fault.code == "table_gone" and service is tables.leave:
            return redirect("games:home")
        selectors.find_game(code=code, user=request.user)
        _say(request, fault, service)
        return redirect("games:table", code)
    return redirect(goes_on, code) if goes_on == "games:table" else redirect(goes_on)


def _say(request: PlayerRequest, fault: ServiceError, service: Callable[..., Game]) -> None:
    if fault.code != "already_started":
        say(request, fault)
    elif service is not tables.start:
        messages.error(request, format_html("<b>{}</b> {}", _("This match has begun."), _("You can only resign from it now.")))

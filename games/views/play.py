"""The table: looking at it, playing at it, keeping it fresh."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.csrf import csrf_failure as plain_csrf_failure
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.people import messages
from accounts.people.requests import PlayerRequest
from games import engine, selectors
from games.decorators import hides_foreign_tables, limited, signed_in
from games.models import Game
from games.presenters.buttons import NOTHING, Chosen
from games.services import hands, turns
from games.services.errors import NoSuchTable, ServiceError, Stale
from games.views.chat import new_words
from games.views.finished import finished
from games.views.showing import answer, elsewhere, knows_chat, page_of, refuse, show, unseen_deal
from games.views.waiting import waiting

STOP_POLLING = 286
MOST_CARDS = 60


@require_safe
@never_cache
@hides_foreign_tables
def table(request: HttpRequest, code: str) -> HttpResponse:
    """The table. One with a free seat is for whoever has its link, to sit down as a guest too; else one logs in first."""
    if not request.user.is_authenticated and selectors.is_open(code=code):
        return waiting(request, selectors.find_game(code=code, user=request.user))
    if not request.user.is_authenticated and selectors.offers_a_seat(code=code):
        return redirect("games:take_over", code)
    return _table(request, code)


@signed_in
def _table(request: PlayerRequest, code: str) -> HttpResponse:
    """The table as it stands: still filling, being played, or over."""
    game = selectors.find_game(code=code, user=request.user)
    if game.status in (Game.Status.OPEN, Game.Status.CANCELLED):
        return waiting(request, game)
    found = selectors.loaded(game=game, user=request.user)
    if game.status == Game.Status.FINISHED:
        return finished(request, found)
    unseen = unseen_deal(found, request)
    if unseen is not None:
        return redirect("games:result", code, unseen)
    return show(request, found, NOTHING, now=timezone.now())


@require_safe
@never_cache
@signed_in
@hides_foreign_tables
def poll(request: PlayerRequest, code: str, version: int) -> HttpResponse:
    """204 while nothing has changed; else the table, or the chat alone. 286, and the way there, once the match is over."""
    present, status, said = selectors.game_version(code=code, user=request.user)
    if status != Game.Status.RUNNING:
        return elsewhere(code, status=STOP_POLLING)
    if present == version and ("said" not in request.GET or knows_chat(request, said)):
        return HttpResponse(status=204)
    if present == version:
        return new_words(request, selectors.find_game(code=code, user=request.user), now=timezone.now())
    found = selectors.table(code=code, user=request.user)
    return answer(request, found, now=timezone.now())


@require_safe
@never_cache
@signed_in
@hides_foreign_tables
def buttons(request: PlayerRequest, code: str) -> HttpResponse:
    """What the picked cards would do and are worth: the buttons, and the melds that they fit."""
    found = selectors.table(code=code, user=request.user)
    now = timezone.now()
    if str(found.game.version) != request.GET.get("version"):
        fresh = answer(request, found, now=now)
        fresh.headers["HX-Retarget"], fresh.headers["HX-Reswap"] = "#table", "morph:outerHTML"
        return fresh
    shown = page_of(request, found, _chosen(request.GET), now=now)
    return render(request, "games/table.html#buttons", {"page": shown})


@require_POST
@never_cache
@signed_in
@limited("move", limit=60, per_seconds=20)
@hides_foreign_tables
def play(request: PlayerRequest, code: str) -> HttpResponse:
    """Play a move on the table as it was at the version that the page showed."""
    now = timezone.now()
    chosen = _chosen(request.POST)
    try:
        move = _move(request, code, chosen)
        if move is None:
            raise ServiceError("choose_joker" if "*" in chosen.cards else "choose_meld")
        announce = chosen.announce and move[:2] == "D:"
        found = turns.play(code=code, user=request.user, move=move, version=version_of(request), now=now, announce=announce)
    except NoSuchTable:
        raise
    except (engine.RuleError, ServiceError) as fault:
        return refuse(request, code, chosen, fault, now)
    if not request.htmx:
        return redirect("games:table", code)
    return answer(request, found, now=now)


@require_POST
@never_cache
@signed_in
@hides_foreign_tables
def arrange(request: PlayerRequest, code: str) -> HttpResponse:
    """Keep how the hand is sorted."""
    order = request.POST.getlist("order")
    hands.arrange(code=code, user=request.user, sort=request.POST.get("sort", ""), order=order)
    if order:
        return HttpResponse(status=204)
    if not request.htmx:
        return redirect("games:table", code)
    found = selectors.table(code=code, user=request.user)
    return answer(request, found, now=timezone.now())


@require_POST
@never_cache
@signed_in
@limited("looking", limit=20, per_seconds=60)
def looking(request: PlayerRequest, code: str) -> HttpResponse:
    """Note that a player has the table before the eyes, and need not be told elsewhere what it shows."""
    if selectors.sits(code=code, user=request.user):
        messages.look(user_id=request.user.pk, game=code, now=timezone.now())
    return HttpResponse(status=204)


def stale_token(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form from before the last login, posted at a table: the way to the fresh table, nothing played."""
    match = request.resolver_match
    if match is None or match.app_name != "games" or "code" not in match.kwargs:
        return plain_csrf_failure(request, reason)
    there = reverse("games:table", kwargs={"code": match.kwargs["code"]})
    return HttpResponseClientRedirect(there) if request.headers.get("HX-Request") else redirect(there)


# -- the move that is meant ----------------------------------------------------------------------


def _chosen(data: Any) -> Chosen:
    """The cards and the take that are picked, whatever was sent."""
    cards = tuple(text[:4] for text in data.getlist("card")[:MOST_CARDS])
    take = data.get("take", "")
    taken = int(take[1:]) if take[:1] == "P" and take[1:].isdecimal() and len(take) <= 4 else None
    return Chosen(cards, taken, announce=bool(data.get("announce")))


def version_of(request: HttpRequest) -> int:
    """The version of the table that a page showed; -1 where it is none."""
    text = request.POST.get("version", "")
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def _move(request: PlayerRequest, code: str, chosen: Chosen) -> str | None:
    """The move in notation: as the button says, or what the picked cards make of its letter; None where it is open."""
    move = request.POST.get("move", "")[:200]
    way = request.POST.get("as", "")[:200]
    match move:
        case "P":
            if chosen.take is None:
                raise ServiceError("none_chosen")
            return f"P{chosen.take}"
        case "D" | "C":
            if len(chosen.cards) != 1:
                raise ServiceError("one_card" if chosen.cards else "none_chosen")
            return f"{move}:{chosen.cards[0]}"
        case "M" | "L":
            if not chosen.cards:
                raise ServiceError("none_chosen")
            return way if way[:2] == f"{move}:" else _only_way(request, code, chosen, move)
    return move


def _only_way(request: PlayerRequest, code: str, chosen: Chosen, kind: str) -> str | None:
    """The one way in which the picked cards can be laid or laid off, None where there are several."""
    found = selectors.table(code=code, user=request.user)
    seat = found.seat_of(request.user)
    if seat is None:
        raise Stale
    view = engine.view(found.deal, seat.index)
    alphabet = view.rules.alphabet
    codes = [alphabet.codes.get(text, -1) for text in chosen.cards]
    if -1 in codes:
        raise engine.RuleError("bad_notation")
    offers = engine.offers(view, codes)
    ways = (offers.lay or offers.swap) if kind == "M" else offers.off
    if len(ways) > 1:
        return None
    if ways:
        return engine.move_text(ways[0].move, alphabet)
    fault = offers.lay_fault if kind == "M" else offers.off_fault
    listed = list(chosen.cards)
    raise engine.RuleError(fault or "not_a_meld", cards=listed, card=listed[0])

"""A table as an answer: the page, the fragment that htmx swaps in, the way elsewhere, a refusal."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from accounts.people.requests import PlayerRequest
from games import engine, selectors
from games.messages import Refusal, refusal
from games.messages.tiles import situation
from games.models import Game
from games.presenters.buttons import NOTHING, Chosen, with_tiles
from games.presenters.chat import chat_of
from games.presenters.names import formers, table_name
from games.presenters.table import Page, page
from games.presenters.times import time_of
from games.services.errors import ServiceError, Stale
from games.services.store import Table


def page_of(request: PlayerRequest, found: Table, chosen: Chosen, *, now: datetime, refused: Refusal | None = None) -> Page:
    """What a table's page shows to whoever asks."""
    seat = found.seat_of(request.user)
    entries, sheet = selectors.log(game=found.game)
    exchanging = seat is not None and found.deal.phase == engine.EXCHANGE
    return page(
        game=found.game,
        seats=found.seats,
        view=_view(request, found),
        number=found.row.number,
        entries=entries,
        sheet=sheet,
        former=formers(found.tenures),
        now=now,
        chosen=chosen,
        refusal=refused,
        script=bool(request.htmx),
        watch=found.watch,
        answer=selectors.my_answer(found.row, seat.index) if exchanging and seat else None,
    )


def _view(request: PlayerRequest, found: Table) -> engine.View:
    seat = found.seat_of(request.user)
    return engine.view(found.deal, None if seat is None else seat.index)


def show(
    request: PlayerRequest, found: Table, chosen: Chosen, *, now: datetime, refused: Refusal | None = None, status: int = 200
) -> HttpResponse:
    """The table, whole or for htmx."""
    shown = page_of(request, found, chosen, now=now, refused=refused)
    context: dict[str, Any] = {"page": shown}
    if not shown.my_turn and not shown.asked:
        context["next"] = _next(request, found, now)
    if not (request.htmx and _keeps_chat(request, found.game.said)):
        context["chat"] = chat_of(game=found.game, user=request.user, seats=found.seats, now=now)
        context["with_chat"] = True
    template = "games/table.html#table" if request.htmx else "games/table.html"
    return render(request, template, context, status=200 if request.htmx else status)


def _keeps_chat(request: HttpRequest, said: int) -> bool:
    """Whether the page that asks keeps the chat that it shows; new words come with its next look, not with a move."""
    return knows_chat(request, said) or (request.method == "POST" and "said" in request.POST)


def knows_chat(request: HttpRequest, said: int) -> bool:
    """Whether the page that asks shows the chat as it stands: then it keeps its own."""
    sent = request.POST if request.method == "POST" else request.GET
    return sent.get("said") == str(said)


def _next(request: PlayerRequest, found: Table, now: datetime) -> dict[str, Any] | None:
    """The table that waits for the player most, beside this one."""
    game = selectors.next_waiting(user=request.user, beside=found.game)
    if game is None:
        return None
    since = None if found.watch is None else found.watch.maintenance_since
    return {"game": game, "title": table_name(game), "left": time_of(game, now, since)}


def answer(request: PlayerRequest, found: Table, *, now: datetime) -> HttpResponse:
    """The fresh table as a fragment, or the way to the page that has taken its place."""
    if _is_elsewhere(request, found):
        return elsewhere(found.game.code)
    return show(request, found, NOTHING, now=now)


def elsewhere(code: str, status: int = 200) -> HttpResponse:
    """The way to a table's address as a whole page, for htmx."""
    gone = HttpResponseClientRedirect(reverse("games:table", kwargs={"code": code}))
    gone.status_code = status
    return gone


def refuse(
    request: PlayerRequest, code: str, chosen: Chosen, fault: engine.RuleError | ServiceError, now: datetime
) -> HttpResponse:
    """The table as it is, with what is not possible and what is."""
    found = selectors.table(code=code, user=request.user)
    if _is_elsewhere(request, found):
        return elsewhere(code) if request.htmx else redirect("games:table", code)
    stale = isinstance(fault, Stale)
    facts = dict(fault.facts) if isinstance(fault, engine.RuleError) else {}
    view = _view(request, found)
    tiles = with_tiles(view)
    said = refusal(fault.code, situation(view) | facts if tiles else facts, with_tiles=tiles)
    return show(request, found, NOTHING if stale else chosen, now=now, refused=said, status=409 if stale else 422)


def _is_elsewhere(request: PlayerRequest, found: Table) -> bool:
    """Whether another page comes first: the end of the match, or of a deal."""
    return found.game.status != Game.Status.RUNNING or unseen_deal(found, request) is not None


def unseen_deal(found: Table, request: PlayerRequest) -> int | None:
    """The last finished deal, where the player has not gone on from its result yet."""
    seat = found.seat_of(request.user)
    last = found.row.number if found.row.scored else found.row.number - 1
    return last if seat is not None and last > seat.seen_deal else None

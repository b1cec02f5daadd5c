"""The chat of a table: beside it, on its own page, and what readers do about words they do not like."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.people.requests import PlayerRequest
from games import selectors
from games.decorators import hides_foreign_tables, limited, signed_in
from games.messages import Refusal, refusal
from games.models import Game, Saying
from games.presenters.chat import chat_lines, chat_of
from games.presenters.names import table_name
from games.presenters.terms import game_in_words
from games.services import chat as service
from games.services.errors import NoSuchTable, ServiceError
from games.views.refusing import say as say_why
from games.views.showing import knows_chat

LINES_ON_A_PAGE = 50
WORDS, WORDS_PER_SECONDS = 20, 120
# Each is work for somebody.
REPORTS = 40
LONGEST_SENT = 2_000


@require_safe
@never_cache
@signed_in
@hides_foreign_tables
def chat(request: PlayerRequest, code: str) -> HttpResponse:
    """All that was said at a table, newest first; asked by its own page whether there is more: 204 while there is not."""
    game = selectors.find_game(code=code, user=request.user)
    if request.htmx and knows_chat(request, game.said):
        return HttpResponse(status=204)
    context = _whole(request, game, timezone.now())
    return render(request, "games/chat.html#voices" if request.htmx else "games/chat.html", context)


def _whole(request: PlayerRequest, game: Game, now: datetime) -> dict[str, Any]:
    seats = list(game.seats.select_related("user"))
    shown = chat_of(game=game, user=request.user, seats=seats, now=now)
    if shown is None:
        raise NoSuchTable
    page = Paginator(selectors.sayings(game=game, user=request.user), LINES_ON_A_PAGE).get_page(request.GET.get("page"))
    return {
        "game": game,
        "name": table_name(game),
        "words": game_in_words(game),
        "seated": any(seat.user_id == request.user.pk for seat in seats),
        "chat": shown,
        "page": page,
        "lines": chat_lines(page.object_list, request.user, now=now),
    }


@require_POST
@never_cache
@signed_in
@limited("say", limit=WORDS, per_seconds=WORDS_PER_SECONDS)
@hides_foreign_tables
def say(request: PlayerRequest, code: str) -> HttpResponse:
    """Say something."""
    now = timezone.now()
    refused: Refusal | None = None
    try:
        service.say(code=code, user=request.user, text=request.POST.get("text", "")[:LONGEST_SENT], now=now)
    except NoSuchTable:
        raise
    except ServiceError as fault:
        if not request.htmx:
            say_why(request, fault)
        refused = refusal(fault.code, {})
    if not request.htmx:
        return redirect("games:chat", code)
    answer = new_words(request, selectors.find_game(code=code, user=request.user), now=now, refused=refused)
    if refused is None:
        answer.headers["HX-Trigger"] = "said"
    return answer


def new_words(request: PlayerRequest, game: Game, *, now: datetime, refused: Refusal | None = None) -> HttpResponse:
    """The chat beside a table, for htmx to put in its place. The table itself stays as it is."""
    seats = list(game.seats.select_related("user"))
    shown = chat_of(game=game, user=request.user, seats=seats, now=now)
    code = {"page": {"game": game}, "game": game}
    answer = render(request, "games/_says.html", {"chat": shown, "refused": refused, "with_opener": True, **code})
    answer.headers["HX-Retarget"], answer.headers["HX-Reswap"] = "#says", "innerHTML"
    return answer


@require_POST
@signed_in
@limited("chat_seen", limit=60, per_seconds=60)
@hides_foreign_tables
def seen(request: PlayerRequest, code: str) -> HttpResponse:
    """Note up to where a player has seen the chat."""
    number = request.POST.get("said", "")
    if number.isdecimal() and len(number) < 10:
        service.see(code=code, user=request.user, number=int(number))
    return HttpResponse(status=204)


@require_POST
@signed_in
@limited("chat", limit=REPORTS, per_seconds=3600)
@hides_foreign_tables
def act(request: PlayerRequest, code: str, number: int) -> HttpResponse:
    """Mute who said something, read them again, or report what was said."""
    game = selectors.find_game(code=code, user=request.user)
    selectors.must_read_chat(game=game, user=request.user, seats=list(game.seats.all()))
    saying = game.sayings.select_related("user").filter(number=number).first()
    if saying is None:
        raise NoSuchTable
    try:
        messages.success(request, _act(request, game, saying))
    except ServiceError as fault:
        say_why(request, fault)
    return redirect("games:chat", code)


def _act(request: PlayerRequest, game: Game, saying: Saying) -> str:
    """Do what a button beside words says; what then is said."""
    now, wanted, other = timezone.now(), request.POST.get("act"), saying.user
    if wanted == "report":
        service.report(game=game, number=saying.number, user=request.user, now=now)
        return _("A referee will look at it.")
    if other is None or not other.is_active or wanted not in ("mute", "unmute"):
        raise ServiceError("bad_notation")
    if wanted == "mute":
        service.mute(user=request.user, other=other, now=now)
        return _("You will not read %(name)s any more.") % {"name": other.username}
    service.unmute(user=request.user, other=other)
    return _("You read %(name)s again.") % {"name": other.username}

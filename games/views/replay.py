"""A deal seen again, step by step: from a table here; `show` does it for a deal from wherever else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.people.requests import PlayerRequest
from games import engine, selectors
from games.decorators import hides_foreign_tables, signed_in
from games.gamenames import game_name
from games.models import Entry, Game
from games.presenters.disputes import may_open
from games.presenters.names import Former, formers, names_at, seat_names, table_name
from games.presenters.replay import ALL, Asked, Frame, Link, Source, replay_page
from games.presenters.steps import Made, steps_in
from games.selectors.disputes import may_dispute
from games.services.errors import ServiceError
from games.views.refusing import say

LONGEST_NUMBER = 9


@require_safe
@gzip_page
@never_cache
@vary_on_headers("HX-Request")
@signed_in
@hides_foreign_tables
def replay(request: PlayerRequest, code: str, number: int, move: int | None = None) -> HttpResponse:
    """A step of a deal, for whoever may see the table: any seat's of one that is over, else the viewer's own.

    Each step has its address; what the form sends, or a row of the log (`entry`: the beginning of its hash), leads there.
    """
    game = selectors.find_game(code=code, user=request.user)
    asked = asked_of(request.GET)
    deal = whole(request.GET.get("deal", ""))
    if deal is not None and deal != number:
        return redirect(_path(code, deal, asked._replace(at=None)))
    try:
        return _replay(request, game, number, move, asked)
    except engine.RuleError:  # a log that was tampered with: the audit says where
        say(request, ServiceError("broken_log"))
        return redirect("games:log", code)


def _replay(request: PlayerRequest, game: Game, number: int, move: int | None, asked: Asked) -> HttpResponse:
    found = selectors.replayed(game=game, number=number)
    entry = selectors.row_with(game=game, hash=request.GET.get("entry", ""))
    if move is not None:
        asked = asked._replace(at=move)
    elif entry is not None:
        asked = asked._replace(at=steps_in(made.text for made in found.moves if made.number <= entry))
    return show(request, _source(request, game, found), asked, lasting=move is not None)


def show(request: HttpRequest, source: Source, asked: Asked, *, lasting: bool = True) -> HttpResponse:
    """A step of a deal from any source, whole or for htmx.

    Where steps have addresses, one that is asked for without it is sent there, unless `lasting`. The caller has settled who
    may see the deal; what of it may be seen is for the engine to say.
    """
    htmx = bool(request.headers.get("HX-Request"))
    page = replay_page(source, asked if htmx else asked._replace(had=""), now=timezone.now())
    if not lasting and page.here and not htmx:
        return redirect(page.moving)
    template = "games/replay.html#step" if htmx else "games/replay.html"
    answer = render(request, template, {"page": page, "deals": range(page.frame.deals)})
    if page.here:
        answer.headers["HX-Replace-Url"] = page.here
    return answer


def asked_of(data: Mapping[str, str]) -> Asked:
    """What the form of a replay asks for, whatever was sent."""
    to = whole(data.get("to", ""))
    seat = data.get("seat", "")
    return Asked(
        at=whole(data.get("at", "")) if to is None else to,
        seat=ALL if seat == ALL else whole(seat),
        card=data.get("card", data.get("find", "")),
        playing=bool(data.get("play")),
        had=data.get("had", ""),
    )


def whole(text: str) -> int | None:
    """A number that was sent, where it is one."""
    return int(text) if text.isdecimal() and len(text) <= LONGEST_NUMBER else None


def path_of(deal: str, step: str, where: Mapping[str, object], asked: Asked) -> str:
    """The address of a step, or of a deal where none is named, from the names of these addresses."""
    path = reverse(deal, kwargs={**where}) if asked.at is None else reverse(step, kwargs={**where, "move": asked.at})
    sent = {"seat": asked.seat, "card": asked.card or None, "play": 1 if asked.playing else None}
    query = urlencode({name: value for name, value in sent.items() if value is not None})
    return f"{path}?{query}" if query else path


def _path(code: str, number: int, asked: Asked) -> str:
    return path_of("games:replay", "games:replay_move", {"code": code, "number": number}, asked)


def _source(request: PlayerRequest, game: Game, found: selectors.Replayed) -> Source:
    """A deal of a table, as whoever asks may see it."""
    seats = list(game.seats.select_related("user").order_by("index"))
    mine = next((seat for seat in seats if seat.user_id == request.user.pk), None)
    former = formers(selectors.substitutions(game=game, seats=seats))
    last = found.moves[-1].number if found.moves else game.log_length
    # a deal that was over before the viewer took the seat over was not theirs
    closed = found.row.reason or found.row.voided
    theirs = closed and any(mine and holder.seat == mine.index and last < holder.until for holder in former)
    before = selectors.before(selectors.sheet(game=game), found.row.number)
    names = names_at(last, seat_names(seats), former)
    return Source(
        frame=_frame(request, game, found),
        start=found.start,
        moves=[_made(entry, names, former) for entry in found.moves],
        names=names,
        totals=selectors.totals(before, len(seats)),
        computers=frozenset(seat.index for seat in seats if seat.bot),
        viewer=None if mine is None or theirs else mine.index,
        void=found.row.voided,
        sort="number" if mine and mine.sort == "number" else "suit",
    )


def _made(entry: Entry, names: list[str], former: list[Former]) -> Made:
    seat = entry.seat
    assert seat is not None  # a constraint has it
    then = names_at(entry.number, names, former)[seat] if former else names[seat]
    return Made(seat, entry.text, entry.at, entry.actor, "" if then == names[seat] else then)


def _frame(request: PlayerRequest, game: Game, found: selectors.Replayed) -> Frame:
    number, counted, closed = found.row.number, found.row.scored, found.row.closed
    table = Link(reverse("games:table", args=[game.code]), "i-table", _("To the table"))
    result = Link(reverse("games:result", args=[game.code, number]), "i-cup", _("Result"))
    return Frame(
        title=table_name(game),
        words=game_name(game.variant),
        number=number,
        deals=game.deals.count(),
        action=reverse("games:replay", args=[game.code, number]),
        back=result if counted else table,
        links=[*([result] if counted else []), table, *_proofs(game, number, closed=closed)],
        address=lambda asked: request.build_absolute_uri(_path(game.code, number, asked)),
        contest=_contest(request, game, number),
    )


def _contest(request: PlayerRequest, game: Game, number: int) -> Callable[[int], str] | None:
    """Where a player of the match can dispute the move of a step."""
    if not may_open(game, timezone.now()) or not may_dispute(game=game, user=request.user):
        return None
    path = reverse("games:new_dispute", args=[game.code])
    return lambda at: f"{path}?{urlencode({'deal': number, 'at': at})}"


def _proofs(game: Game, number: int, *, closed: bool) -> list[Link]:
    """What there is to keep, and to check."""
    shuffle = reverse("games:check", args=[game.code, number]) if closed else reverse("games:shuffle", args=[game.code])
    return [
        Link(reverse("games:log", args=[game.code]), "i-book", _("Log")),
        Link(shuffle, "i-ok", _("The shuffle")),
        Link(reverse("games:record", args=[game.code]), "i-save", pgettext("of a match", "Record"), download=True),
    ]

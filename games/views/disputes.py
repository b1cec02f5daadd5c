"""The disputes of a table, for its players: opening one, answering, withdrawing, appealing; and the public figures."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.people.limits import allow, too_many
from accounts.people.requests import PlayerRequest, VisitorRequest
from games import selectors
from games.decorators import hides_foreign_tables, limited, signed_in
from games.forms.disputes import LONGEST_SENT, DisputeForm
from games.messages import refusal
from games.models import Game
from games.presenters.disputes import case_page, figures_context, list_context, may_open, told_move
from games.presenters.names import table_name
from games.presenters.steps import steps_in
from games.presenters.terms import game_in_words
from games.selectors import disputes as cases
from games.services import disputes
from games.services.errors import NoSuchTable, ServiceError
from games.views.replay import whole

# Each is work for somebody.
OPENED, ANSWERED = 6, 30
PER_SECONDS, PER_HOUR = 86_400, 3_600


@require_safe
@never_cache
@signed_in
@hides_foreign_tables
def disputes_of_table(request: PlayerRequest, code: str) -> HttpResponse:
    """What is disputed at a table, for who plays or has played there."""
    game = cases.must_play(code=code, user=request.user)
    return render(request, "games/disputes.html", list_context(game=game, user=request.user, now=timezone.now()))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@signed_in
@hides_foreign_tables
def new_dispute(request: PlayerRequest, code: str) -> HttpResponse:
    """The form; posted, the dispute is opened. A move is named by the hash of its row, or by its deal and step."""
    game = cases.must_play(code=code, user=request.user)
    now = timezone.now()
    sent = request.POST if request.method == "POST" else request.GET
    move = _move(game, sent)
    form = DisputeForm(
        request.POST if request.method == "POST" else None,
        deals=0 if move is not None else game.deals.count(),
        initial={"deal": sent.get("deal")},
    )
    if request.method == "POST" and form.is_valid():
        if not allow(f"dispute:{request.user.pk}", limit=OPENED, per_seconds=PER_SECONDS, now=now):
            return too_many(request, per_seconds=PER_SECONDS, now=now)
        try:
            made = disputes.open_dispute(
                code=code, user=request.user, kind=form.cleaned_data["kind"], words=form.cleaned_data["words"], now=now,
                deal=form.cleaned_data.get("deal"), move=move,
            )  # fmt: skip
        except NoSuchTable:
            raise
        except ServiceError as fault:
            form.add_error(None, _sentence(fault))
        else:
            messages.success(request, _("The dispute is open: a referee will look into it, and the others may answer."))
            return redirect("games:dispute", code, made.pk)
    context: dict[str, Any] = {
        "game": game, "name": table_name(game), "words": game_in_words(game), "form": form, "may_open": may_open(game, now),
        "move": told_move(game=game, number=move, user=request.user), "row": _row(game, move),
    }  # fmt: skip
    return render(request, "games/dispute_new.html", context, status=422 if form.errors else 200)


def _sentence(fault: ServiceError) -> str:
    words = refusal(fault.code, {})
    return f"{words.what} {words.instead}"


def _move(game: Game, sent: Any) -> int | None:
    """The number of the row in the log of the move that is meant, where one is."""
    found = selectors.row_with(game=game, hash=sent.get("entry", ""))
    deal, at = whole(sent.get("deal", "")), whole(sent.get("at", ""))
    if found is not None or deal is None or not at:
        return found
    moves = selectors.replayed(game=game, number=deal).moves
    made = [move for place, move in enumerate(moves) if steps_in(each.text for each in moves[: place + 1]) == at]
    return made[-1].number if made else None


def _row(game: Game, move: int | None) -> str:
    """What the form sends along for a move."""
    return "" if move is None else game.entries.filter(number=move).values_list("hash", flat=True).get()[:16]


@require_safe
@never_cache
@signed_in
@hides_foreign_tables
def dispute(request: PlayerRequest, code: str, case: int) -> HttpResponse:
    """One dispute, with all that happened in it."""
    game = cases.must_play(code=code, user=request.user)
    found = cases.find(game=game, case=case)
    return render(request, "games/dispute.html", {"page": case_page(dispute=found, user=request.user, now=timezone.now())})


@require_POST
@never_cache
@signed_in
@limited("case", limit=ANSWERED, per_seconds=PER_HOUR)
@hides_foreign_tables
def act(request: PlayerRequest, code: str, case: int) -> HttpResponse:
    """Answer, withdraw or appeal. Refused, the page has the words still."""
    game = cases.must_play(code=code, user=request.user)
    found = cases.find(game=game, case=case)
    try:
        messages.success(request, _act(request, found.pk))
    except NoSuchTable:
        raise
    except ServiceError as fault:
        found = cases.find(game=cases.must_play(code=code, user=request.user), case=case)
        page = case_page(dispute=found, user=request.user, now=timezone.now())
        context = {"page": page, "refused": refusal(fault.code, {}), "sent": request.POST.get("words", "")[:LONGEST_SENT]}
        return render(request, "games/dispute.html", context, status=422)
    return redirect("games:dispute", code, case)


def _act(request: PlayerRequest, case: int) -> str:
    """Do what a button of the case says; what then is said."""
    now, words = timezone.now(), request.POST.get("words", "")[:LONGEST_SENT]
    match request.POST.get("act"):
        case "answer":
            disputes.answer(case=case, user=request.user, words=words, now=now)
            return _("Your answer stands with the case.")
        case "appeal":
            disputes.appeal(case=case, user=request.user, words=words, now=now)
            return _("You have appealed: another referee will look into it.")
        case "withdraw":
            disputes.withdraw(case=case, user=request.user, now=now)
            return _("It is withdrawn.")
    raise ServiceError("bad_notation")


@require_safe
def figures(request: VisitorRequest) -> HttpResponse:
    """How many disputes and rulings there have been, for everybody."""
    return render(request, "games/rulings.html", figures_context(now=timezone.now()))

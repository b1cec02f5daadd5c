"""The referee's desk: a case, its deal with all hands for who has looked at it, and what the referee does."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.models import User
from accounts.people import marks
from games import engine
from games.forms.ruling import ruling_form
from games.gamenames import game_name
from games.messages import Refusal, refusal
from games.models import FROZEN_IN_ALL
from games.presenters import desk_checks
from games.presenters.desk import DeskPage, desk_page, longest_freeze
from games.presenters.desk_history import history
from games.presenters.desk_position import seen, source
from games.presenters.replay import ALL, Asked, Frame, Link, replay_page
from games.selectors import cases
from games.selectors.cases import Case
from games.services import checks, freezing, judging, rulings
from games.services.errors import NoSuchTable, ServiceError
from games.views.refusing import say
from games.views.replay import asked_of, path_of, show, whole

CASE, ACT = "admin:games_dispute_change", "admin:games_dispute_act"
REPLAY, STEP = "admin:games_dispute_replay", "admin:games_dispute_step"
LONGEST_HOURS = 9_999


@require_safe
@never_cache
def case(request: HttpRequest, pk: int) -> HttpResponse:
    """A case. Who must not judge it reads why, and nothing else of it; the rest is for its own referee alone."""
    return _page(request, _case(pk))


def _case(pk: int) -> Case:
    found = cases.case(pk=pk)
    if found is None or not found.deals:
        raise Http404
    return found


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _page(request: HttpRequest, case: Case, *, data: Any = None, status: int = 200) -> HttpResponse:
    """The page of a case; with what was sent, where that was refused."""
    user, now = _user(request), timezone.now()
    number, at = _asked(case, request.GET if data is None else data)
    shown = seen(case, number, user)
    whole_log = request.GET.get("log") == "all"
    page = desk_page(case, user=user, partial=_partial(case, user), number=number, at=at, seen=shown, whole=whole_log, now=now)
    if page.mine:
        _fill(page, user, request.GET, now)
        page.form = ruling_form(case, data if data is not None and data.get("act") == "rule" else None)
    context = {
        "page": page,
        "hours": longest_freeze(case.dispute, FROZEN_IN_ALL, freezing.LONGEST) if page.mine else 0,
        "asked": "" if data is None else data.get("words", ""),
    }
    return render(request, "games/desk/case.html", context, status=status)


def _partial(case: Case, user: User) -> Refusal | None:
    code = judging.why_not(case.game, user)
    return refusal(code, {}) if code else None


def _asked(case: Case, data: Mapping[str, str]) -> tuple[int, int | None]:
    """The deal to be shown, and the step: what is asked for, else what the dispute is about."""
    dispute, numbers = case.dispute, [number for number, _scored, _voided in case.deals]
    number = whole(data.get("deal", ""))
    if number not in numbers:
        number = dispute.deal if dispute.deal in numbers else numbers[-1]
    return number, whole(data.get("at", ""))


def _fill(page: DeskPage, user: User, data: Mapping[str, str], now: datetime) -> None:
    """Add what the referee of the case alone reads."""
    case = page.case
    concerned = case.concerned
    names = {user.pk: user.username for user in concerned}
    page.checks = desk_checks.checks(checks.check(game=case.game), league=bool(case.league))
    page.checks += desk_checks.hints(marks.shared_addresses(names, now=now), names)
    page.pairs = concerned
    pair = _pair(case, data)
    page.history = history(*pair) if pair else None
    if page.seen is not None and page.seen.looked:
        asked = Asked(page.at, ALL)
        try:
            page.position = replay_page(source(case, page.number, page.seen, _frame(case, page.number, None)), asked, now=now)
        except engine.RuleError:  # a log that was tampered with: the checks say where
            page.broken = True
        else:
            page.at = page.position.at


def _pair(case: Case, data: Mapping[str, str]) -> tuple[User, User] | None:
    """Whose records stand beside each other: those asked for, else who made the disputed move and who came after."""
    people = {user.pk: user for user in case.concerned}
    one, other = (people.get(whole(data.get(name, "")) or 0) for name in ("one", "other"))
    if one is not None and other is not None and one != other:
        return one, other
    order = list(people.values())
    if len(order) < 2:
        return None
    first = _mover(case) if _mover(case) in order else case.dispute.opener
    place = order.index(first) if first in order else 0
    return order[place], order[(place + 1) % len(order)]


def _mover(case: Case) -> User | None:
    """Who holds the seat whose move is disputed."""
    row = case.game.entries.filter(number=case.dispute.move).first() if case.dispute.move is not None else None
    return next((seat.user for seat in case.seats if row is not None and seat.index == row.seat), None)


# -- the replay -------------------------------------------------------------------------------------


@require_safe
@never_cache
@vary_on_headers("HX-Request")
def replay(request: HttpRequest, pk: int, number: int, move: int | None = None) -> HttpResponse:
    """A step of a deal with all hands open, for the referee of the case who has looked at it; another is sent to the case."""
    found, user = _case(pk), _user(request)
    asked = asked_of(request.GET)
    deal = whole(request.GET.get("deal", ""))
    if deal is not None and deal != number:
        return redirect(_path(pk, deal, asked._replace(at=None)))
    if found.dispute.referee_id != user.pk or _partial(found, user):
        return redirect(CASE, pk)
    try:
        shown = seen(found, number, user)
        if not shown.looked:
            return redirect(f"{reverse(CASE, args=[pk])}?deal={number}")
        at = asked if move is None else asked._replace(at=move)
        return show(request, source(found, number, shown, _frame(found, number, request)), at, lasting=move is not None)
    except NoSuchTable:
        raise Http404 from None
    except engine.RuleError:
        say(request, ServiceError("broken_log"))
        return redirect(CASE, pk)


def _path(pk: int, number: int, asked: Asked) -> str:
    return path_of(REPLAY, STEP, {"pk": pk, "number": number}, asked)


def _frame(case: Case, number: int, request: HttpRequest | None) -> Frame:
    pk = case.dispute.pk
    back = Link(f"{reverse(CASE, args=[pk])}?deal={number}", "i-back", _("To the case"))
    return Frame(
        title=_("Case %(number)s") % {"number": pk},
        words=game_name(case.game.variant),
        number=number,
        deals=len(case.deals),
        action=reverse(REPLAY, args=[pk, number]),
        back=back,
        links=[back],
        address=None if request is None else lambda asked: request.build_absolute_uri(_path(pk, number, asked)),
    )


# -- what the referee does --------------------------------------------------------------------------


@sensitive_post_parameters("words", "reason")
@require_POST
def act(request: HttpRequest, pk: int) -> HttpResponse:
    """Do what a button says. What was written and refused is shown again."""
    found, wanted = _case(pk), request.POST.get("act", "")
    number, at = _asked(found, request.POST)
    try:
        said = _rule(request, found) if wanted == "rule" else _do(request, pk, wanted, number)
    except ServiceError as fault:
        say(request, fault)
        if wanted in ("ask", "rule"):
            return _page(request, _case(pk), data=request.POST, status=409)
    except NoSuchTable:
        raise Http404 from None
    else:
        if said is None:
            return _page(request, found, data=request.POST, status=422)
        if not said:
            return HttpResponseBadRequest(_("There is no such button."))
        messages.success(request, said)
    query = urlencode({"deal": number} | ({} if at is None else {"at": at}))
    return redirect(f"{reverse(CASE, args=[pk])}?{query}")


def _do(request: HttpRequest, pk: int, wanted: str, number: int) -> str:
    """What is said when it is done; empty where there is no such thing to do."""
    who: dict[str, Any] = {"case": pk, "user": _user(request), "now": timezone.now()}
    match wanted:
        case "claim":
            rulings.claim(**who)
            return _("The case is yours.")
        case "release":
            rulings.release(**who)
            return _("The case is back in the queue.")
        case "ask":
            rulings.ask(words=request.POST.get("words", ""), **who)
            return _("Those concerned are told what you ask.")
        case "look":
            rulings.look(deal=number, **who)
            return _("It is noted that you have looked. The players are told when the deal is over.")
        case "freeze":
            hours = whole(request.POST.get("hours", "")) or 0
            rulings.freeze(span=timedelta(hours=min(hours, LONGEST_HOURS)), **who)
            return _("The clock is frozen.")
        case "thaw":
            rulings.thaw(**who)
            return _("The clock goes on.")
    return ""


def _rule(request: HttpRequest, found: Case) -> str | None:
    """Make the ruling that the form has; None where the form is not in order. Who may not rule is told so first."""
    user = _user(request)
    if found.dispute.referee_id != user.pk:
        raise ServiceError(judging.why_not(found.game, user) or "not_your_case")
    form = ruling_form(found, request.POST)
    if not form.is_valid():
        return None
    rulings.rule(case=found.dispute.pk, user=user, now=timezone.now(), **form.asked())
    return _("It is ruled. Those concerned are told.")

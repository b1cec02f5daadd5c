"""The page behind the bell: what a person was told, by which ways, and how that went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Delivery, Message
from accounts.people.messages import bell, beside
from accounts.people.messages.forms import NAMES
from accounts.people.messages.kinds import ASKING, SITE
from accounts.people.messages.outbox import mark_read
from accounts.people.messages.standing import standings
from accounts.people.messages.wording import Worded, worded
from accounts.people.requests import PlayerRequest
from accounts.people.times import moment

ON_A_PAGE = 30
MARK = 24
"""Signs that a page calls a message by. Its key would tell how many messages others got in between, and by that who is asked."""


@dataclass(frozen=True)
class News:
    """A message as its line on the page shows it."""

    mark: str
    said: Worded
    made_at: datetime
    when: str
    unread: bool
    over: str
    """Why it asks for nothing any more; empty while it does."""
    ways: tuple[tuple[str, str, bool], ...]
    """Each way that it went: its name, how that ended, and whether badly."""


def told(messages: Sequence[Message], *, now: datetime) -> list[News]:
    """Messages, as `bell.inbox` gives them, as their lines: those that are unread say what is asked of their reader now."""
    unread = [message for message in messages if _is_open(message) and not message.replaced]  # type: ignore[attr-defined]
    known = standings(unread)
    beside.note(unread, known)
    for message in unread:
        if message.kind in ASKING and message.pk in known and not known[message.pk].closed:
            message.until = known[message.pk].until
    return [_news(message, message in unread, now) for message in messages]


def _is_open(message: Message) -> bool:
    return message.on_site and message.read_at is None and message.closed_at is None


def _news(message: Message, unread: bool, now: datetime) -> News:
    over = str(message.get_closed_display()) if message.closed else ""
    if _is_open(message) and not unread:
        over = str(Delivery.Reason.REPLACED.label)
    said = worded(message, now=now)
    if message.kind == "test" and message.facts.get("way", SITE) != SITE:
        said = replace(said, text=_tested(next(iter(message.deliveries.all()), None)))
    return News(
        mark=mark(message.pk),
        said=said,
        made_at=message.made_at,
        when=moment(message.made_at),
        unread=unread,
        over=over,
        ways=tuple(_ways(message)),
    )


def _tested(delivery: Delivery | None) -> str:
    """What the site can say of a test that went another way: whether it was taken there, not whether it was seen."""
    match delivery.status if delivery else None:
        case Delivery.Status.SENT:
            return _("The other side has taken it. If you do not find it, look where unwanted messages go.")
        case Delivery.Status.FAILED:
            return _("It has not arrived.")
        case Delivery.Status.UNKNOWN:
            return _("Nobody knows whether it has arrived.")
        case Delivery.Status.WAITING | Delivery.Status.SENDING:
            return _("It is on its way.")
    return _("Nothing was sent.")


def _ways(message: Message) -> Iterator[tuple[str, str, bool]]:
    for delivery in message.deliveries.all():
        yield str(NAMES[delivery.way]), how(delivery), delivery.status in bell.BAD


def how(delivery: Delivery) -> str:
    """How a delivery stands, as a few words after the name of its way."""
    match delivery.status:
        case Delivery.Status.SENT if delivery.sent_at:
            return _("sent %(when)s") % {"when": moment(delivery.sent_at)}
        case Delivery.Status.DROPPED:
            return _("dropped: %(reason)s") % {"reason": delivery.get_reason_display()}
        case Delivery.Status.UNKNOWN:
            return _("unknown: %(reason)s") % {"reason": delivery.last_error or _("the server was interrupted while sending")}
        case Delivery.Status.FAILED:
            return _("failed: %(reason)s") % {"reason": delivery.last_error}
        case Delivery.Status.WAITING if delivery.last_error and delivery.next_at:
            told = {"reason": delivery.last_error, "when": moment(delivery.next_at)}
            return _("%(reason)s · next try %(when)s") % told
        case Delivery.Status.WAITING if delivery.next_at:
            return _("waits until %(when)s") % {"when": moment(delivery.next_at)}
    return _("being sent")


def mark(pk: int) -> str:
    """What a page calls a message by."""
    return salted_hmac("accounts.people.messages.inbox", str(pk), algorithm="sha256").hexdigest()[:MARK]


@require_safe
@never_cache
@login_required
def inbox(request: PlayerRequest) -> HttpResponse:
    """What I was told, newest first. Looking marks nothing: opening one does."""
    page = Paginator(bell.inbox(user=request.user), ON_A_PAGE).get_page(request.GET.get("page"))
    now = timezone.now()
    context = {"here": "messages", "page": page, "told": told(list(page.object_list), now=now)}
    return render(request, "accounts/messages.html", context)


@require_POST
@login_required
def open_message(request: PlayerRequest) -> HttpResponse:
    """Note that a message is read, and go where it leads."""
    asked = request.POST.get("message", "")
    keys = Message.objects.filter(user=request.user).order_by("-pk").values_list("pk", flat=True)
    found = next((pk for pk in keys if constant_time_compare(mark(pk), asked)), None)
    if found is None:
        raise Http404
    message, now = Message.objects.get(pk=found), timezone.now()
    # and with it those whose place it has taken
    older = Q(game=message.game, pk__lte=message.pk) if message.game else Q(pk=message.pk)
    mark_read(user_id=request.user.pk, now=now, which=older)
    return redirect(worded(message, now=now).path)


@require_POST
@login_required
def read_all(request: PlayerRequest) -> HttpResponse:
    """Note that all messages are read."""
    mark_read(user_id=request.user.pk, now=timezone.now())
    return redirect("messages")


@require_safe
@never_cache
@login_required
def ring(request: PlayerRequest) -> HttpResponse:
    """The bell alone, for a page whose browser has just shown a message; or which asks `often`, for nothing else of it does."""
    return render(request, "_bell.html", {"often": "often" in request.GET})

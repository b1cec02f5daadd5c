"""How messages reach a person, way by way, as the settings page shows it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import Delivery, Message, PushSubscription, User
from accounts.people.messages import bell, keys
from accounts.people.messages.inbox import how
from accounts.people.messages.kinds import MAIL, PUSH, SITE, WEBHOOK
from accounts.people.messages.wishes import Wishes
from accounts.people.times import moment

SOON = timedelta(minutes=2)
"""A test of which nothing is known by then is not waited for any more."""


@dataclass(frozen=True)
class Device:
    """A browser that is told, and how js/push.js knows that it is this one."""

    pk: int
    name: str
    mark: str
    when: str


@dataclass(frozen=True)
class Way:
    """One way: where it leads, what is to be done about it, how the last message went."""

    way: str
    name: str
    where: str
    todo: str = ""
    """What the owner has to do first."""
    last: str = ""
    bad: bool = False
    ready: bool = True
    """Whether there is somewhere to send a test to."""


@dataclass(frozen=True)
class Panel:
    ways: list[Way]
    devices: list[Device]
    key: str
    """The key that browsers subscribe with."""
    waits: bool
    """Whether a test is on its way of which one will soon know more."""


def panel(*, user: User, wishes: Wishes, now: datetime) -> Panel:
    """The ways of a person. Guests have no address, and so neither mail nor chat."""
    rows = list(PushSubscription.objects.filter(user=user).order_by("-made_at", "-pk"))
    names = ", ".join(row.device or _("A browser") for row in rows)
    last = bell.last_of_each_way(user=user)
    facts = {way: _last(last, way) for way in (MAIL, PUSH, WEBHOOK)}
    ways = [Way(SITE, _("On the site"), _("The bell at the head of every page, and the number in the browser’s tab."))]
    if not user.is_guest:
        ways.append(_mail(user, facts[MAIL]))
    ways.append(Way(PUSH, _("On your devices"), names or _("No device yet."), ready=bool(rows), **facts[PUSH]))
    if wishes.webhook:
        ways.append(Way(WEBHOOK, _("In your chat tool"), urlsplit(wishes.webhook).hostname or "", **facts[WEBHOOK]))
    return Panel(ways, [_device(row) for row in rows], keys.keys().public, _waits(user, now))


def _waits(user: User, now: datetime) -> bool:
    """A test that was asked for just now, and is neither sent nor put off."""
    tests = Message.objects.filter(user=user, kind="test", made_at__gt=now - SOON)
    going = Q(deliveries__status=Delivery.Status.WAITING, deliveries__last_error="") | Q(
        deliveries__status=Delivery.Status.SENDING
    )
    return tests.filter(Q(spread_at=None) | going).exists()


def _last(last: Any, way: str) -> dict[str, Any]:
    delivery = last.get(way)
    return {"last": how(delivery), "bad": delivery.status in bell.BAD or bool(delivery.last_error)} if delivery else {}


def _mail(user: User, facts: dict[str, Any]) -> Way:
    name = _("By mail")
    address = EmailAddress.objects.filter(user=user).order_by("-primary", "-verified").first()
    if address is None:
        return Way(MAIL, name, _("No address yet."), todo=_("Add an address"), ready=False)
    if not address.verified:
        where = _("%(email)s is not confirmed yet: open the link in the letter we sent there.") % {"email": address.email}
        return Way(MAIL, name, where, todo=_("Send the letter again"), ready=False, **facts)
    return Way(MAIL, name, address.email, **facts)


def _device(row: PushSubscription) -> Device:
    mark = hashlib.sha256(row.endpoint.encode()).hexdigest()[:16]
    told = _("last told %(when)s") % {"when": moment(row.last_sent_at)} if row.last_sent_at else ""
    since = _("since %(when)s") % {"when": moment(row.made_at)}
    return Device(row.pk, row.device or _("A browser"), mark, told or since)

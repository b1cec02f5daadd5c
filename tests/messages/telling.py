"""Short ways to tell people something, for the tests.

ana = person("Ana")                        # with a confirmed address
tell(ana, "ruling", key="1")               # posted at noon
go(NOON)                                   # what the sweep and the senders do then
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import time_machine
from allauth.account.models import EmailAddress

from accounts.models import Delivery, Message, MessageSettings, Preference, User
from accounts.people import messages
from accounts.people.messages import claims, send, spread
from tests.games.playing import player

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def person(name: str, *, verified: bool = True, language: str = "en", zone: str = "UTC", **settings: Any) -> User:
    """Somebody with an address; `settings` are those of messages."""
    user = player(name)
    user.language, user.time_zone, user.email = language, zone, f"{name.lower()}@example.org"
    user.save()
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": verified, "primary": True})
    if settings:
        MessageSettings.objects.update_or_create(user=user, defaults=settings)
    return user


def wish(user: User, kind: str, way: str, wanted: bool) -> None:
    Preference.objects.update_or_create(user=user, kind=kind, way=way, defaults={"wanted": wanted})


def tell(user: User, kind: str = "ruling", *, key: str = "1", now: datetime = NOON, **about: Any) -> Message:
    """Post a message to one person."""
    messages.post(kind=kind, user_ids=[user.pk], key=key, now=now, **about)
    return Message.objects.get(user=user, kind=kind, key=key)


def go(now: datetime = NOON) -> None:
    """Everything that is due by then, as the sweep and the senders do it."""
    with time_machine.travel(now, tick=False):
        send.give_up_lost(now=now)
        spread.spread(now=now)
        if spread.remind(now=now):
            spread.spread(now=now)
        send.drop_moot()
        for way in send.waiting(now=now):
            send.send_some(way=way, seconds=30)


def claim(way: str = "mail", now: datetime = NOON) -> list[Delivery]:
    """What is due, taken by somebody who is about to send it."""
    return [row for row in claims.lease(way=way, now=now) if claims.take(row, now=now)]


def delivery(user: User, way: str = "mail", **which: Any) -> Delivery:
    """The newest delivery to a person."""
    return Delivery.objects.filter(message__user=user, way=way, **which).latest("pk")


def went(user: User, way: str = "mail") -> list[tuple[str, str]]:
    """The kinds of a person's deliveries, each with how it ended: its status, or why it was dropped."""
    rows = Delivery.objects.filter(message__user=user, way=way).order_by("pk").select_related("message")
    return [(row.message.kind, row.reason or row.status) for row in rows]

"""The site as a way of its own: how many messages are unread, and which there were."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db.models import Case, CharField, Exists, F, OuterRef, Prefetch, Q, QuerySet, When
from django.db.models.functions import Cast
from django.http import HttpRequest

from accounts.models import Delivery, Message, User
from accounts.people.messages.beside import UNREAD, is_under_another

BAD = (Delivery.Status.FAILED, Delivery.Status.UNKNOWN)

MOST = 99
"""More are not counted out."""

# Of all about one table the newest alone counts: each table is one place, each other message its own.
_PLACE: Case = Case(When(game="", then=Cast("pk", CharField())), default=F("game"))


def unread(*, user: User) -> int:
    """How many messages a person has not seen, and should: one for each table, and all others."""
    places = Message.objects.filter(UNREAD, user=user).order_by().values_list(_PLACE).distinct()
    return places[: MOST + 1].count()


def counted(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `unread`, asked for by the pages that show it alone."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"unread": 0}
    # a template calls it, and has a true number for the plural forms; a lazy object is none
    return {"unread": cache(lambda: unread(user=user))}


def inbox(*, user: User) -> QuerySet[Message]:
    """What a person was told, newest first, with the other ways that each message went, and whether a newer one has taken its
    place (`replaced`).
    """
    ways = Delivery.objects.order_by("pk")
    told = Q(on_site=True) | Q(Exists(ways.filter(message=OuterRef("pk"))))
    mine = Message.objects.filter(told, user=user, spread_at__isnull=False).order_by("-made_at", "-pk")
    mine = mine.annotate(replaced=is_under_another())
    return mine.prefetch_related(Prefetch("deliveries", ways))


def last_of_each_way(*, user: User) -> dict[str, Delivery]:
    """By way how the last attempt there ended."""
    tried = Delivery.objects.filter(message__user=user, began_at__isnull=False).exclude(status=Delivery.Status.SENDING)
    return {delivery.way: delivery for delivery in tried.order_by("way", "-began_at").distinct("way")}

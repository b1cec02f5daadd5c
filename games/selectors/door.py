"""The way to the referees' desk, for those who may enter it: how many cases wait there."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db.models import Exists, OuterRef
from django.http import HttpRequest

from accounts.models import User
from games.models import Dispute, Ruling, Seat, Tenure


def free_for(*, user: User) -> int:
    """How many disputes and appeals wait for a referee, but for those of tables where this one plays or has played, and appeals
    against what this one has ruled.
    """
    waiting = Dispute.objects.filter(state__in=(Dispute.State.OPEN, Dispute.State.APPEALED))
    for own in (
        Seat.objects.filter(game=OuterRef("game"), user=user),
        Tenure.objects.filter(game=OuterRef("game"), user=user),
        Ruling.objects.filter(dispute=OuterRef("pk"), referee=user),
    ):
        waiting = waiting.exclude(Exists(own))
    return waiting.count()


def to_the_desk(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `is_referee` and `waiting_cases`, asked for by the pages that show them.

    Of who is no staff no query is made.
    """
    user = getattr(request, "user", None)
    if not isinstance(user, User) or not user.is_staff:
        return {"is_referee": False, "waiting_cases": 0}
    return {"is_referee": cache(lambda: user.has_perm("games.referee")), "waiting_cases": cache(lambda: free_for(user=user))}

"""Who may judge disputes about a table: referees without a stake in it. They are told when one waits."""

from __future__ import annotations

from datetime import datetime

from accounts.models import User
from games import signals
from games.models import Dispute, Game, Ruling, Seat, Tenure
from games.services import case_news

BY_ACCOUNT = "django.contrib.auth.backends.ModelBackend"
"""Where permissions of accounts and groups are kept."""


def why_not(game: Game, user: User) -> str:
    """Why somebody may not judge disputes about a table, as a code; empty where they may."""
    if not user.has_perm("games.referee"):
        return "not_a_referee"
    if Seat.objects.filter(game=game, user=user).exists() or Tenure.objects.filter(game=game, user=user).exists():
        return "partial"
    if any(answer for _receiver, answer in signals.judging.send(Game, game=game, user=user)):
        return "partial_league"
    return ""


def may_judge(game: Game, user: User) -> bool:
    """Whether somebody is a referee, and has no stake in a table."""
    return not why_not(game, user)


def call_referees(game: Game, dispute: Dispute, *, now: datetime) -> None:
    """Tell those who may take a case up that it waits; in the transaction in which it begins to.

    Referees whom the admin lets in: the desk is there. Superusers may judge too, but are not called.
    """
    staff = User.objects.with_perm("games.referee", is_active=True, include_superusers=False, backend=BY_ACCOUNT)
    before = set(Ruling.objects.filter(dispute=dispute).values_list("referee", flat=True))
    free = [user.pk for user in staff.filter(is_staff=True) if user.pk not in before and may_judge(game, user)]
    case_news.waits(game, dispute, free, now=now)

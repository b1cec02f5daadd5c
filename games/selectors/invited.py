"""Who is invited where, and who sits there already."""

from __future__ import annotations

from accounts.models import Message, User
from games.models import Game, Seat


def sits(*, code: str, user: User) -> bool:
    """Whether a person has a seat at a table."""
    return Seat.objects.filter(game__code=code, user=user).exists()


def invitations(*, user: User) -> list[tuple[Game, str]]:
    """The open tables that a player is invited to and does not sit at, newest first, each with who invites."""
    told = Message.objects.filter(user=user, kind="invitation", closed_at=None).order_by("-pk")
    by = dict(told.values_list("game", "facts__who"))
    if not by:
        return []
    games = Game.objects.filter(code__in=by, status=Game.Status.OPEN).exclude(seats__user=user)
    found = {game.code: game for game in games}
    return [(found[code], who) for code, who in by.items() if code in found]

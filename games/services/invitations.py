"""Inviting a player by name to a table that waits for players. The invitation is a message, and nothing at the table."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import User
from accounts.names import tidy_name
from accounts.people import messages
from games import signals
from games.models import Game
from games.services import news
from games.services.errors import NoSuchTable, ServiceError
from games.services.store import lock


@transaction.atomic
def invite(*, code: str, user: User, name: str, now: datetime) -> User:
    """Invite the player of that name, whatever its case; once, however often it is asked. Who has been invited.

    Raises NoSuchTable where the inviter has no seat, or ServiceError `already_started`, `table_gone`, `no_such_player`,
    `sits_here`, or `no_seat_for_them` where a receiver of `signals.joining` would let nobody of that name sit down.
    """
    game = lock(code=code)
    seats = list(game.seats.select_related("user"))
    if all(seat.user_id != user.pk for seat in seats):
        raise NoSuchTable
    if game.status != Game.Status.OPEN:
        raise ServiceError("table_gone" if game.status == Game.Status.CANCELLED else "already_started")
    called = tidy_name(name.replace("\0", ""))
    invited = User.objects.filter(username__iexact=called, is_active=True).first()
    if invited is None:
        raise ServiceError("no_such_player")
    if any(seat.user_id == invited.pk for seat in seats):
        raise ServiceError("sits_here")
    try:
        signals.joining.send(Game, game=game, user=invited)
    except ServiceError as fault:
        raise ServiceError("no_seat_for_them") from fault
    news.invited(game, seats, invited, user, now=now)
    return invited


@transaction.atomic
def decline(*, code: str, user: User, now: datetime) -> None:
    """Put an invitation aside. Nobody is told."""
    messages.close(game=code, user_ids=[user.pk], kinds=["invitation"], why="declined", now=now)

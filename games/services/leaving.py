"""What becomes of the seats and words of an account that is no more.

Before the match the seat is given up. In a match it is absent at once, so that a computer player holds it and a substitute
may sit; when its time is over it resigns like any other. What others need stays: moves, points, deals.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import engine
from games.models import ChatReport, Entry, Game, KeptRecord, Mute, Reliability, Saying, Seat
from games.services import disputes, tables
from games.services.absence import COUNTS
from games.services.store import call_server, load, lock, note, save


def forget(*, user_id: int, now: datetime) -> None:
    """Delete what is personal of somebody. In the caller's transaction."""
    disputes.forget(user_id=user_id, now=now)
    words = Saying.objects.filter(user=user_id)
    words.filter(removed_at=None).update(removed_at=now)
    words.update(text="")
    ChatReport.objects.filter(user=user_id).update(user=None)
    for model in (KeptRecord.objects.filter(owner=user_id), Reliability.objects.filter(user=user_id)):
        model.delete()
    Mute.objects.filter(user=user_id).delete()
    Mute.objects.filter(muted=user_id).delete()


@transaction.atomic
def vacate(*, game_id: int, now: datetime) -> bool:
    """Give up the seats at a table whose accounts are no more. False where there is none, or a deal is still to be counted.

    Looks again under the lock: late or twice is harmless.
    """
    game = lock(pk=game_id)
    if game.status == Game.Status.OPEN:
        return _leave(game, now)
    if game.status != Game.Status.RUNNING:
        return False
    table = load(game)
    gone = [seat for seat in table.seats if _is_gone(seat)]
    if not gone or table.deal.phase == engine.OVER:
        return False
    for seat in gone:
        seat.absent_since, seat.absent_until = now, now + game.absence_limit
        seat.wants_pause, seat.contribution = False, ""
        note(table, text="absent", kind=Entry.Kind.EVENT, actor=Entry.Actor.SERVER, seat=seat.index, facts={}, now=now)
        seat.save(update_fields=[*COUNTS, "wants_pause", "contribution"])
    save(table, now=now)
    call_server(game)
    return True


def _leave(game: Game, now: datetime) -> bool:
    gone = User.objects.filter(seats__game=game, is_active=False)
    for user in gone:
        tables.leave(code=game.code, user=user, now=now)
    return bool(gone)


def _is_gone(seat: Seat) -> bool:
    return seat.user is not None and not seat.user.is_active and not seat.resigned and not seat.absent

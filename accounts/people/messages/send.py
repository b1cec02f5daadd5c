"""Sending: hand what was claimed to its carrier, note how it went, and sweep up what was lost."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from accounts.models import Delivery
from accounts.models.messages import ERROR_LENGTH
from accounts.people.messages import claims
from accounts.people.messages.carriers import Away, Carry, Later, Letter, Refused, Unsure
from accounts.people.messages.claims import SENDING, WAITING
from accounts.people.messages.kinds import MAIL
from accounts.people.messages.ways import CARRIERS
from accounts.people.messages.wording import spoken_to, worded

log = logging.getLogger(__name__)

AGAIN_AFTER = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360))
LOST_AFTER = timedelta(minutes=5)
"""Longer than a worker may take for a task: what is still being sent then has lost its worker."""
TURN_SECONDS = 4.0
"""How long one task sends before it leaves the worker to other tasks."""
REST_SECONDS = 60
"""How long a way on which nobody answered is left alone."""
FRESH_SECONDS = 2.0
"""How long what was looked at together is sent: then it is looked at again."""
COUNTED = 2_000

_DROP_MOOT = """
UPDATE accounts_delivery SET status = 'dropped', next_at = NULL, reason = moot.reason FROM (
    SELECT delivery.id, CASE WHEN message.closed <> '' THEN message.closed ELSE 'read' END AS reason
    FROM accounts_delivery delivery JOIN accounts_message message ON message.id = delivery.message_id
    WHERE delivery.status = 'waiting' AND (message.closed_at IS NOT NULL OR message.read_at IS NOT NULL)
    FOR UPDATE OF delivery SKIP LOCKED
) AS moot WHERE accounts_delivery.id = moot.id
"""


def send_some(*, way: str, seconds: float = TURN_SECONDS) -> int:
    """Send what is due on one way for a few seconds; how many letters left."""
    end, sent, answered = time.monotonic() + seconds, 0, True
    with CARRIERS[way]() as carry:
        while answered and time.monotonic() < end:
            leased = claims.lease(way=way, now=timezone.now())
            if leased:
                count, answered = _send_leased(leased, carry, min(end, time.monotonic() + FRESH_SECONDS))
            elif way == MAIL and (taken := claims.take_digest(now=timezone.now())):
                count, answered = 1, deliver(taken, carry)
            else:
                break
            sent += count
    if not answered:
        rest(way)
    return sent


def _send_leased(leased: Sequence[Delivery], carry: Carry, end: float) -> tuple[int, bool]:
    """How many of these were sent until then, and whether somebody answered. The others are given back."""
    for place, delivery in enumerate(leased):
        if place and time.monotonic() >= end:
            claims.release(leased[place:], now=timezone.now())
            return place, True
        if claims.take(delivery, now=timezone.now()) and not deliver([delivery], carry):
            claims.release(leased[place + 1 :], now=timezone.now())
            return place, False
    return len(leased), True


def deliver(claimed: Sequence[Delivery], carry: Carry) -> bool:
    """Hand what was claimed to its carrier and note how it went; False where nobody answers on this way."""
    try:
        letter = _letter(claimed, now=timezone.now())
    except Exception:  # a fault of ours, and nothing has left
        log.exception("a letter by %s could not be written", claimed[0].way)
        _note(claimed, status=Delivery.Status.FAILED, error="")
        return True
    try:
        with spoken_to(letter.user):
            carry(letter)
    except Refused as refused:
        _note(claimed, status=Delivery.Status.FAILED, error=str(refused))
    except Later as later:
        _note_later(claimed, str(later))
        return not isinstance(later, Away)
    except Exception as fault:  # whatever it was: nobody knows how far it came
        if not isinstance(fault, Unsure):
            log.exception("a letter by %s broke", letter.way)
        _note(claimed, status=Delivery.Status.UNKNOWN, error=str(fault) if isinstance(fault, Unsure) else "")
    else:
        _note(claimed, status=Delivery.Status.SENT, error="", sent_at=timezone.now())
    return True


def _letter(claimed: Sequence[Delivery], *, now: datetime) -> Letter:
    user = claimed[0].message.user
    with spoken_to(user):
        news = tuple(worded(delivery.message, now=now) for delivery in claimed)
    return Letter(user, tuple(claimed), news)


def _note_later(claimed: Sequence[Delivery], error: str) -> None:
    """To be tried again after a while, or given up after the last try."""
    tried = claimed[0].attempts
    if tried > len(AGAIN_AFTER):
        _note(claimed, status=Delivery.Status.FAILED, error=error)
    else:
        _note(claimed, status=WAITING, error=error, next_at=timezone.now() + AGAIN_AFTER[tried - 1])


def _note(
    claimed: Sequence[Delivery], *, status: str, error: str, next_at: datetime | None = None, sent_at: datetime | None = None
) -> None:
    ids = [delivery.pk for delivery in claimed]
    # one that was taken for lost meanwhile has come to an end after all
    rows = Delivery.objects.filter(pk__in=ids, status__in=[SENDING, Delivery.Status.UNKNOWN])
    rows.update(status=status, last_error=error.replace("\0", "")[:ERROR_LENGTH], next_at=next_at, sent_at=sent_at)


def give_up_lost(*, now: datetime) -> int:
    """Call unknown what was being sent when its worker died; how many."""
    lost = Delivery.objects.filter(status=SENDING, began_at__lt=now - LOST_AFTER)
    return lost.update(status=Delivery.Status.UNKNOWN)


def drop_moot() -> int:
    """Leave out what waits although its message is read, or holds no more; how many."""
    with connection.cursor() as cursor:
        cursor.execute(_DROP_MOOT)
        return int(cursor.rowcount)


def waiting(*, now: datetime) -> dict[str, int]:
    """By way how many deliveries are due, where somebody answered a minute ago."""
    due = Delivery.objects.filter(status=WAITING, next_at__lte=now).values_list("way", flat=True)
    ways = list(due[:COUNTED])
    return {way: ways.count(way) for way in set(ways) if cache.get(_rest_key(way)) is None}


def rest(way: str) -> None:
    """Leave a way alone for a minute: nobody answers there."""
    cache.set(_rest_key(way), True, REST_SECONDS)


def _rest_key(way: str) -> str:
    return f"messages-rest-{way}"

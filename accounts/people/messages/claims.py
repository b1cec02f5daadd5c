"""Who sends what: deliveries are leased some at a time and looked at again, then taken one by one.

Taking one is committed before anything leaves. Whoever dies after that leaves it as one that is being sent; the sweep calls
it unknown then, and nobody sends it again. What was leased and not taken is due again after a while. So each is sent once
at most.

Of several about one table the newest alone is sent: it takes the place of those that wait, and says what of them still
matters (`beside`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q

from accounts.models import Delivery, Message, User
from accounts.people.messages import beside
from accounts.people.messages.kinds import ASKING, MAIL
from accounts.people.messages.standing import HOLDS, SEND, Verdict, habits_of, judge, standings

LEASED = 20
"""So many are looked at together."""
LEASE = timedelta(seconds=30)
SOON = timedelta(minutes=10)
"""What waits for longer takes no place: the older one would be told too late."""
WAITING, SENDING = Delivery.Status.WAITING, Delivery.Status.SENDING


def lease(*, way: str, now: datetime) -> list[Delivery]:
    """The next to go on a way, which for a while nobody else is given; none where none is due.

    What need not be sent, or not yet, is put aside on the way to them.
    """
    due = Delivery.objects.filter(status=WAITING, way=way, digest=False, next_at__lte=now).order_by("next_at", "pk")
    while True:
        with transaction.atomic():
            rows = due.select_for_update(of=("self",), skip_locked=True).select_related("message__user")[:LEASED]
            found = list(rows)
            chosen = _decided(found, now)
            for delivery in chosen:
                delivery.next_at = now + LEASE
            Delivery.objects.bulk_update(found, ["status", "next_at", "reason"])
        if chosen or not found:
            return chosen


def take(delivery: Delivery, *, now: datetime) -> bool:
    """Mark a leased delivery as being sent; False where that has lasted too long, and another may have it by now."""
    leased = Delivery.objects.filter(pk=delivery.pk, status=WAITING, next_at=delivery.next_at)
    delivery.status, delivery.next_at, delivery.began_at, delivery.attempts = SENDING, None, now, delivery.attempts + 1
    return bool(leased.update(status=SENDING, next_at=None, began_at=now, attempts=delivery.attempts))


def release(leased: Sequence[Delivery], *, now: datetime) -> None:
    """Give back what was leased and not taken."""
    for delivery in leased:
        Delivery.objects.filter(pk=delivery.pk, status=WAITING, next_at=delivery.next_at).update(next_at=now)


def take_digest(*, now: datetime) -> list[Delivery]:
    """All that one reader of a letter a day is still to be told, taken at once: what has come since it was due goes along. The
    reader's row keeps it to one sender.
    """
    waiting = Delivery.objects.filter(status=WAITING, way=MAIL, digest=True)
    due = waiting.filter(next_at__lte=now)
    while True:
        with transaction.atomic():
            readers = User.objects.filter(Exists(due.filter(message__user=OuterRef("pk"))))
            reader = readers.select_for_update(no_key=True, skip_locked=True).first()
            if reader is None:
                return []
            rows = waiting.filter(message__user=reader).select_for_update(of=("self",)).select_related("message__user")
            found = list(rows.order_by("pk"))
            chosen = _decided(found, now)
            for delivery in chosen:
                delivery.status, delivery.next_at, delivery.began_at = SENDING, None, now
                delivery.attempts += 1
            Delivery.objects.bulk_update(found, ["status", "next_at", "began_at", "attempts", "reason"])
        if chosen:
            return chosen


def _decided(found: Sequence[Delivery], now: datetime) -> list[Delivery]:
    """Those to send of these deliveries, all of them locked; the others are written off, or wait. Not saved."""
    known = standings([delivery.message for delivery in found])
    habits = habits_of(delivery.message.user for delivery in found)
    newest, chosen = _newest(found, now), []
    for delivery in sorted(found, key=lambda one: -one.message_id):  # those whose place is taken come after what takes it
        standing = known.get(delivery.message_id, HOLDS)
        verdict = judge(delivery, habits[delivery.message.user_id], standing, now=now)
        if verdict == SEND and newest.get(_place(delivery.message), 0) > delivery.message_id:
            verdict = Verdict(reason=Delivery.Reason.REPLACED)
        if standing.closed:
            _close(delivery.message, standing.closed, now)
        elif standing is not HOLDS and delivery.message.kind in ASKING:
            delivery.message.until = standing.until  # the letter tells the deadline as it is now
        if not _put_aside(delivery, verdict):
            chosen.append(delivery)
            newest.setdefault(_place(delivery.message), delivery.message_id)
    beside.note([delivery.message for delivery in chosen], known)
    return [delivery for delivery in found if delivery in chosen]


def _place(message: Message) -> tuple[Any, ...]:
    """Of messages in the same place the newest takes that of the others: those about one table; else each has its own."""
    return (message.user_id, message.game) if message.game else (message.pk,)


def _newest(found: Sequence[Delivery], now: datetime) -> dict[tuple[Any, ...], int]:
    """By place the newest message that went the way of these deliveries, or goes soon; but for these themselves."""
    about = [delivery.message for delivery in found if delivery.message.game]
    if not about:
        return {}
    since = min(message.made_at for message in about)
    there = Q(message__user__in={message.user_id for message in about}, message__game__in={message.game for message in about})
    gone = Q(status__in=[Delivery.Status.SENT, Delivery.Status.UNKNOWN, SENDING])
    goes = Q(status=WAITING, next_at__lte=now + SOON, message__closed_at=None, message__read_at=None)
    others = Delivery.objects.filter(there, gone | goes, way=found[0].way, message__made_at__gte=since)
    others = others.exclude(pk__in=[delivery.pk for delivery in found])
    rows = others.order_by().values_list("message__user", "message__game").annotate(newest=Max("message"))
    return {(user_id, game): newest for user_id, game, newest in rows}


def _put_aside(delivery: Delivery, verdict: Verdict) -> bool:
    if verdict.reason:
        delivery.status, delivery.next_at, delivery.reason = Delivery.Status.DROPPED, None, verdict.reason
    elif verdict.wait:
        delivery.next_at = verdict.wait
    return bool(verdict.reason or verdict.wait)


def _close(message: Message, why: str, now: datetime) -> None:
    """So that the bell does not ring for it either. A row that somebody else holds is left to the sweep."""
    open_one = Message.objects.filter(pk=message.pk, closed_at=None).select_for_update(skip_locked=True)
    Message.objects.filter(pk__in=open_one.values("pk")).update(closed_at=now, closed=why, remind_at=None)

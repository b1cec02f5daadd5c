"""From messages to deliveries: which ways each goes, and when to say that its time runs out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import connection, transaction

from accounts.models import Delivery, Message
from accounts.people.messages.kinds import ASKING, MAIL, PUSH, SITE, WEBHOOK
from accounts.people.messages.outbox import post
from accounts.people.messages.standing import HOLDS, Habits, Standing, habits_of, is_early, short_time, standings, whole_time

AT_ONCE = 500
_ONE_AT_A_TIME = 5_170_011
"""The key of the lock that keeps two sweeps from spreading side by side."""

LOOK_AGAIN = timedelta(minutes=10)
LAST_CALL = (timedelta(minutes=10), timedelta(hours=2))
"""The second warning comes when a twentieth of the time is left, but within these bounds."""


@transaction.atomic
def spread(*, now: datetime) -> int:
    """Decide the ways of the messages that are due, so many at once; how many. Nothing while another is at it."""
    if not _alone():
        return 0
    due = Message.objects.filter(spread_at=None, due_at__lte=now).order_by("pk")
    messages = list(due.select_for_update(of=("self",), skip_locked=True).select_related("user")[:AT_ONCE])
    known, habits = standings(messages), habits_of(message.user for message in messages)
    deliveries: list[Delivery] = []
    for message in messages:
        standing = known.get(message.pk, HOLDS)
        message.spread_at = now
        if _settle(message, standing, habits[message.user_id], now):
            deliveries += _deliveries(message, habits[message.user_id], now)
    Message.objects.bulk_update(messages, ["spread_at", "until", "remind_at", "on_site", "closed_at", "closed"])
    Delivery.objects.bulk_create(deliveries, ignore_conflicts=True)
    return len(messages)


def _alone() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_ONE_AT_A_TIME])
        return bool(cursor.fetchone()[0])


def _settle(message: Message, standing: Standing, habits: Habits, now: datetime) -> bool:
    """Note what has become of a message; whether there is still somebody to tell."""
    message.on_site = habits.wants(message.kind, SITE)
    closed = standing.closed or ("" if message.user.is_active else Message.Closed.GONE)
    if closed or message.closed:
        message.closed = message.closed or closed
        message.closed_at, message.remind_at = message.closed_at or now, None
        return False
    if message.kind in ASKING and standing is not HOLDS:
        message.until = standing.until
    message.remind_at = next_reminder(message, habits, now=now)
    return True


def _deliveries(message: Message, habits: Habits, now: datetime) -> Iterator[Delivery]:
    """The ways of a message, as its receiver wants them. A test goes the way that it is to test."""
    for way in (MAIL, PUSH, WEBHOOK):
        wanted = message.facts.get("way") == way if message.kind == "test" else habits.wants(message.kind, way)
        there = habits.reachable(way) or (way == MAIL and habits.unverified)
        if not wanted or not there:
            continue
        digest_at = habits.digest_at(now) if way == MAIL and message.kind != "test" else None
        yield Delivery(message=message, way=way, next_at=digest_at or now, digest=digest_at is not None)


def next_reminder(message: Message, habits: Habits, *, now: datetime) -> datetime | None:
    """When to tell that time runs out: at the share that its player chose, and once more near the end.

    While the clock stands it is looked at again after a while.
    """
    told = message.facts.get("nth", 0)
    if message.kind not in ASKING or told not in (0, 1):
        return None
    if message.until is None:
        return now + LOOK_AGAIN
    whole, first = whole_time(message, message.until), short_time(message, habits, message.until)
    last = min(max(whole / 20, LAST_CALL[0]), LAST_CALL[1])
    if told == 0:
        return message.until - first
    return message.until - last if last < first else None


@transaction.atomic
def remind(*, now: datetime) -> int:
    """Look again at the turns whose time runs out: tell it, or see that the deadline has moved; how many."""
    due = Message.objects.filter(remind_at__lte=now, spread_at__isnull=False).order_by("remind_at", "pk")
    messages = list(due.select_for_update(of=("self",), skip_locked=True).select_related("user")[:AT_ONCE])
    known, habits = standings(messages), habits_of(message.user for message in messages)
    for message in messages:
        before, message.remind_at = message.until, None
        standing = known.get(message.pk, Standing(until=before))
        if standing.closed:
            message.closed, message.closed_at = standing.closed, now
        elif standing.until != before or before is None:
            message.until = standing.until
            if message.kind == "hurry" and is_early(message, habits[message.user_id], standing.until, now):
                message.facts = {**message.facts, "nth": 0}  # to be told anew, from the first time on
            message.remind_at = next_reminder(message, habits[message.user_id], now=now)
        else:
            _hurry(message, now)
    Message.objects.bulk_update(messages, ["facts", "until", "remind_at", "closed_at", "closed"])
    return len(messages)


def _hurry(message: Message, now: datetime) -> None:
    assert message.until is not None
    nth = message.facts.get("nth", 0) + 1
    facts = {**message.facts, "nth": nth, "of": message.facts.get("of", message.key)}
    key = f"{facts['of']}:{message.until.timestamp():.0f}:{nth}"
    post(kind="hurry", user_ids=[message.user_id], key=key, game=message.game, facts=facts, until=message.until, now=now)

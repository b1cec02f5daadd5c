"""What the workers do for messages: thin, harmless late, early, twice or crashed half-way."""

from __future__ import annotations

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from accounts.models import Looking, Message
from accounts.people.messages import send as sending
from accounts.people.messages import spread as spreading
from remi_site.celery import send

SWEPT_EXPIRES = 10
"""Seconds after which a swept task that no worker has taken is dropped: later sweeps have sent it again."""
BATCHES = 10
"""Of messages to spread in one sweep: what is left then can wait until those have been sent."""
SENDERS = 4
"""How many workers send on one way side by side, at most: the others are for the games."""
EACH = 25
"""So many letters are work for one of them."""
KEPT, KEPT_UNREAD = timedelta(days=60), timedelta(days=180)


@shared_task(ignore_result=True)
def sweep() -> None:
    """Every few seconds: from messages to deliveries, and what is due to those who send it. All of it from the database."""
    sending.give_up_lost(now=timezone.now())
    for _batch in range(BATCHES):
        if spreading.spread(now=timezone.now()) < spreading.AT_ONCE:
            break
    if spreading.remind(now=timezone.now()):
        spreading.spread(now=timezone.now())
    sending.drop_moot()
    for way, count in sending.waiting(now=timezone.now()).items():
        for _sender in range(min(SENDERS, -(-count // EACH))):
            send("accounts.people.messages.tasks.deliver", way, expires=SWEPT_EXPIRES)


@shared_task(ignore_result=True)
def deliver(way: str) -> None:
    """Send what is due on one way, for a few seconds."""
    sending.send_some(way=way)


@shared_task(ignore_result=True)
def forget_old() -> None:
    """Daily: let go what has been seen, or is over, for two months; and what nobody has looked at for half a year."""
    now = timezone.now()
    old = Message.objects.filter(made_at__lt=now - KEPT, remind_at=None)
    old.exclude(read_at=None, closed_at=None).delete()
    old.filter(made_at__lt=now - KEPT_UNREAD).delete()
    Looking.objects.filter(at__lt=now - timedelta(days=1)).delete()

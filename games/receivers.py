"""What the games answer when people asks."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.dispatch import receiver

from accounts.models import Message
from accounts.people.messages.standing import Standing
from accounts.people.signals import guests_going, still_true, tables_that_go_on, vacation_changed
from games import selectors
from games.selectors import standing
from remi_site.celery import send


@receiver(guests_going)
def keep_who_plays(sender: Any, user_ids: list[int], **kwargs: Any) -> set[int]:
    """Guests at a table that is not over stay; the clock plays for them until they resign or the match ends."""
    return selectors.seated(user_ids=user_ids)


@receiver(still_true)
def what_has_become(sender: Any, messages: list[Message], **kwargs: Any) -> dict[int, Standing]:
    """Whether what messages tell of tables still holds."""
    return standing.of_messages(messages)


@receiver(vacation_changed)
def settle_the_clocks(sender: Any, user_id: int, **kwargs: Any) -> None:
    """At once, and not with the next sweep: it is what the player sees next."""
    transaction.on_commit(lambda: send("games.tasks.settle_vacations_of", user_id), robust=True)


@receiver(tables_that_go_on)
def tables_without_vacation(sender: Any, user_id: int, **kwargs: Any) -> int:
    """At how many running tables a player's vacation stops no clock."""
    return selectors.without_vacation(user_id=user_id)

"""What the games answer when people asks."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.dispatch import receiver

from accounts.models import Message, User
from accounts.people.messages.standing import Standing
from accounts.people.signals import account_going, data_asked, guests_going, still_true, tables_that_go_on, vacation_changed
from games import selectors
from games.selectors import owndata, standing
from games.services import leaving
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


@receiver(account_going)
def let_go(sender: Any, user_id: int, now: datetime, **kwargs: Any) -> None:
    """Words go at once; the seats table by table, by a task, or else by the sweep, which finds them."""
    leaving.forget(user_id=user_id, now=now)
    transaction.on_commit(lambda: send("games.tasks.vacate_seats_of", user_id), robust=True)


@receiver(data_asked)
def what_games_hold(sender: Any, user: User, **kwargs: Any) -> dict[str, Any]:
    """A person's tables, moves, hands and words."""
    return owndata.own_data(user=user)

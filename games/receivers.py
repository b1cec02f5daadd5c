"""What the games answer when people asks."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from accounts.models import Message
from accounts.people.messages.standing import Standing
from accounts.people.signals import guests_going, still_true
from games import selectors, standing


@receiver(guests_going)
def keep_who_plays(sender: Any, user_ids: list[int], **kwargs: Any) -> set[int]:
    """Guests at a table that is not over stay; the clock plays for them until they resign or the match ends."""
    return selectors.seated(user_ids=user_ids)


@receiver(still_true)
def what_has_become(sender: Any, messages: list[Message], **kwargs: Any) -> dict[int, Standing]:
    """Whether what messages tell of tables still holds."""
    return standing.of_messages(messages)

"""The ways off the site, and what they answer.

A carrier is a context in which letters are sent: it gives the function that sends one, and may keep a connection. That
function returns when the other side has taken the letter, and else says which of these it is. Any other exception is taken
for `Unsure`: what may have arrived is not sent again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from accounts.models import Delivery, User
from accounts.people.messages.wording import Worded

Carry = Callable[["Letter"], None]
Carrier = Callable[[], AbstractContextManager[Carry]]


@dataclass(frozen=True)
class Letter:
    """What goes to one person at once: one message, or all of a day."""

    user: User
    deliveries: tuple[Delivery, ...]
    news: tuple[Worded, ...]

    @property
    def delivery(self) -> Delivery:
        """The first that it carries, which names it."""
        return self.deliveries[0]

    @property
    def kind(self) -> str:
        """The kind of its first message."""
        return self.delivery.message.kind

    @property
    def way(self) -> str:
        return self.delivery.way

    @property
    def digest(self) -> bool:
        """Whether it is the one letter of a day."""
        return self.delivery.digest


class NotSent(Exception):
    """The letter has not arrived. The text is shown to its owner alone, as the last error."""


class Later(NotSent):
    """Not now: it is tried again."""


class Away(Later):
    """Nobody answers there at all: the other letters of this way are left for later too."""


class Refused(NotSent):
    """Not ever: it is not tried again."""


class Unsure(Exception):
    """It may have arrived: it is not tried again."""

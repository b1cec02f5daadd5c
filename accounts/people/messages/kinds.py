"""What people are told of: the kinds of messages, and how each reaches those who have set nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

SITE, MAIL, PUSH, WEBHOOK = "site", "mail", "push", "webhook"
WAYS = (SITE, MAIL, PUSH, WEBHOOK)
ASKING = ("turn", "hurry")
"""The kinds that ask for a move, and hold until it is made."""


@dataclass(frozen=True)
class Kind:
    """A kind of message."""

    name: str
    label: Any
    """As the settings call it; empty where there is nothing to set."""
    mail: bool = False
    push: bool = True
    webhook: bool = True
    always_on_site: bool = False
    lasting: bool = False
    """Whether a newer message of the same table says it along until it is read: else it would be lost under that."""

    def goes_by(self, way: str) -> bool:
        """Whether it goes that way for those who have set nothing."""
        return way == SITE or bool(getattr(self, way))


KINDS = {
    kind.name: kind
    for kind in (
        Kind("turn", _("Your turn"), mail=True),
        Kind("hurry", _("Little time left"), mail=True),
        Kind("missed", _("Your time ran out"), mail=True),
        Kind("invitation", _("Invitation"), mail=True),
        Kind("joined", _("Somebody sits down at your table"), push=False),
        Kind("started", _("A match begins"), mail=True),
        Kind("deal_over", _("A deal is over"), push=False),
        Kind("match_over", _("A match is over"), mail=True),
        Kind("away", _("Somebody is away, or back"), push=False),
        Kind("mention", _("Chat at your tables"), push=False, lasting=True),
        Kind("league", pgettext_lazy("kind of message", "Leagues"), push=False),
        Kind("ruling", _("Disputes and rulings"), mail=True, always_on_site=True, lasting=True),
        Kind("test", "", mail=True, always_on_site=True),
    )
}
LASTING = tuple(kind.name for kind in KINDS.values() if kind.lasting)
SETTABLE = tuple(kind for kind in KINDS.values() if kind.label)

"""What people are told of: the kinds of messages, how each reaches those who have set nothing, and what it makes obsolete."""

from __future__ import annotations

from dataclasses import dataclass, field
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
    replaces: frozenset[str] = field(default_factory=frozenset)
    """The unread older ones of the same game that need not be told any more.

    What asks for a move is replaced by what asks for the next one, or by the end: not by news, or it would be lost.
    """

    def goes_by(self, way: str) -> bool:
        """Whether it goes that way for those who have set nothing."""
        return way == SITE or bool(getattr(self, way))


_NEWS = frozenset({"joined", "started", "away", "invitation"})
_PLAY = _NEWS | {"turn", "hurry", "missed", "deal_over"}

KINDS = {
    kind.name: kind
    for kind in (
        Kind("turn", _("Your turn"), mail=True, replaces=_PLAY),
        Kind("hurry", _("Little time left"), mail=True, replaces=frozenset({"turn", "hurry"})),
        Kind("missed", _("Your time ran out"), mail=True, replaces=frozenset({"turn", "hurry", "missed"})),
        Kind("invitation", _("Invitation"), mail=True, replaces=frozenset({"invitation"})),
        Kind("joined", _("Somebody sits down at your table"), push=False, replaces=frozenset({"joined", "invitation"})),
        Kind("started", _("A match begins"), mail=True, replaces=_NEWS),
        Kind("deal_over", _("A deal is over"), push=False, replaces=_PLAY),
        Kind("match_over", _("A match is over"), mail=True, replaces=_PLAY),
        Kind("away", _("Somebody is away, or back"), push=False, replaces=frozenset({"away", "joined"})),
        Kind("mention", _("Chat at your tables"), push=False, replaces=frozenset({"mention"})),
        Kind("league", pgettext_lazy("kind of message", "Leagues"), push=False, replaces=frozenset({"league"})),
        Kind("ruling", _("Ruling of a referee"), mail=True, always_on_site=True),
        Kind("test", "", mail=True, always_on_site=True, replaces=frozenset({"test"})),
    )
}
SETTABLE = tuple(kind for kind in KINDS.values() if kind.label)

"""What the log tells of the shuffle (docs/shuffle.md)."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.models import Entry
from games.presenters.names import joined


def sealed(entry: Entry) -> SafeString:
    """The seed of a deal to come was sealed."""
    number, seal = int(entry.facts.get("number", 0)) + 1, str(entry.facts.get("seal", ""))
    return format_html(_("The pack of deal {number} is sealed: {seal}"), number=number, seal=f"{seal[:4]} {seal[4:8]} …")


def added(entry: Entry, names: list[str]) -> SafeString:
    """Who has added to the shuffle of the deal that begins, after what is told of it; nothing where nobody has."""
    seats = entry.facts.get("added", [])
    if not seats:
        return mark_safe("")
    # Translators: goes on after "Deal 3, dealt by Ana"
    return format_html(_("; added to its shuffle: {names}"), names=joined([names[seat] for seat in seats]))

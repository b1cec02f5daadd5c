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
    short = f"{seal[:4]} {seal[4:8]} …"
    if number == 1:
        return format_html(_("The shuffle of deal {number} is sealed: {seal}"), number=number, seal=short)
    # whether it comes to that deal nobody knows yet: the match may end before, and even of one deal a void one is dealt anew
    return format_html(_("The shuffle is sealed in case there is a deal {number}: {seal}"), number=number, seal=short)


def added(entry: Entry, names: list[str]) -> SafeString:
    """Who has added to the shuffle of the deal that begins, after what is told of it; nothing where nobody has."""
    seats = entry.facts.get("added", [])
    if not seats:
        return mark_safe("")
    # Translators: goes on after "Deal 3, dealt by Ana"
    return format_html(_("; added to its shuffle: {names}"), names=joined([names[seat] for seat in seats]))

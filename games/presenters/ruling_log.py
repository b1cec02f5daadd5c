"""In the log: what rulings did to the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.models import Entry
from games.presenters.names import joined
from games.templatetags.cards import change


def event(entry: Entry, names: Sequence[str]) -> SafeString | None:
    """What an event is in words, where it is one of these."""
    facts = entry.facts
    match entry.text:
        case "voided":
            return format_html(_("A referee has made deal {number} void: it counts no more"), number=int(facts["number"]) + 1)
        case "adjusted":
            points = _by_seat({seat: change(added) for seat, added in facts["points"].items()}, names)
            return format_html(_("A referee has adjusted points: {points}"), points=points)
        case "reopened":
            back = joined([names[seat] for seat in facts["seats"]])
            return format_html(_("A referee has taken the match up again; back in it: {names}"), names=back)
        case "rolled_back" if facts["drawn"]:
            drawn = _by_seat({seat: str(cards) for seat, cards in facts["drawn"].items()}, names)
            words = _("A referee went back: what is struck out does not count. Drawn from the stock and seen: {cards}")
            return format_html(words, cards=drawn)
        case "rolled_back":
            return mark_safe(_("A referee went back: what is struck out does not count"))
    return None


def _by_seat(figures: Mapping[str, str], names: Sequence[str]) -> str:
    return " · ".join(f"{names[int(seat)]} {figure}" for seat, figure in sorted(figures.items()))

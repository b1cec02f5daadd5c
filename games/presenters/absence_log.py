"""In the log: what became of a seat whose player stayed away."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import ngettext, pgettext

from games.models import Entry


def event(entry: Entry, before: list[str]) -> SafeString | None:
    """What an event is in words, where it is one of these; `before` it the seats had these names."""
    match entry.text:
        case "excused":
            return _excused(int(entry.facts.get("left", 0)))
        case "absent":
            return mark_safe(pgettext("log", "stayed away: the computer plays meanwhile"))
        case "back":
            return mark_safe(pgettext("log", "came back"))
        case "taken_over" if entry.seat is not None:
            return format_html(pgettext("log", "took over the seat of {name}"), name=before[entry.seat])
    return None


def _excused(left: int) -> SafeString:
    if not left:
        return mark_safe(pgettext("log", "ran out of time: excused, it starts anew; the next time the server plays"))
    words = ngettext(
        "ran out of time: excused, it starts anew; %(count)d excuse is left",
        "ran out of time: excused, it starts anew; %(count)d excuses are left",
        left,
    )
    return mark_safe(words % {"count": left})

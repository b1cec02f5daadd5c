"""In the log: why a clock stood, went on, or was set forward."""

from __future__ import annotations

from datetime import timedelta

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.people.times import how_long
from games.models import Entry, Outage


def event(entry: Entry) -> SafeString | None:
    """What an event is in words, where it is one of these: words that follow "You" as well as a name."""
    match entry.text:
        case "vacation":
            return mark_safe(pgettext("log", "stopped the clock: on vacation"))
        case "vacation_over" if entry.facts.get("limit"):
            return mark_safe(pgettext("log", "used up the vacation that the table allows: the clock goes on"))
        case "vacation_over" if entry.facts.get("left"):
            return mark_safe(pgettext("log", "left while on vacation: the clock goes on"))
        case "vacation_over" if entry.seat is None:
            return mark_safe(_("Nobody is away any more: the clock goes on"))
        case "vacation_over":
            return mark_safe(pgettext("log", "came back from vacation: the clock goes on"))
        case "pause_asked":
            return mark_safe(pgettext("log", "asked for a pause"))
        case "pause_agreed":
            return mark_safe(pgettext("log", "agreed to the pause"))
        case "pause_refused":
            return mark_safe(pgettext("log", "would rather play on"))
        case "pause_withdrawn":
            return mark_safe(pgettext("log", "took back the wish for a pause"))
        case "paused":
            return mark_safe(_("All agree: the table is paused"))
        case "resumed" if entry.seat is not None:
            return mark_safe(pgettext("log", "ended the pause: the clock goes on with what was left"))
        case "resumed":
            return mark_safe(_("The pause has lasted long enough: the clock goes on with what was left"))
        case "pushed":
            return _pushed(entry)
    return None


def _pushed(entry: Entry) -> SafeString:
    span = how_long(timedelta(seconds=int(entry.facts.get("seconds", 0))))
    reason = str(entry.facts.get("reason", ""))
    if entry.facts.get("kind") == Outage.Kind.GIFT:
        return format_html(_("All clocks were set forward by {span}: {reason}"), span=span, reason=reason)
    if entry.facts.get("kind") == Outage.Kind.SILENCE:
        return format_html(_("The clock was set forward by {span}: the site was away"), span=span)
    if reason:
        return format_html(_("The clock was set forward by {span} for work on the site: {reason}"), span=span, reason=reason)
    return format_html(_("The clock was set forward by {span} for work on the site"), span=span)

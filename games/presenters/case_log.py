"""In the log: what referees did about a dispute. Words and people stand on the page of the case, for the players alone."""

from __future__ import annotations

from datetime import datetime

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from accounts.people.times import moment
from games.models import Entry, Ruling


def event(entry: Entry) -> SafeString | None:
    """What an event is in words, where it is one of these."""
    match entry.text:
        case "frozen":
            until = moment(datetime.fromisoformat(entry.facts["until"]))
            return format_html(_("A referee has frozen the clock, until {until} at the latest"), until=until)
        case "thawed" if entry.actor == Entry.Actor.REFEREE:
            return mark_safe(_("The referee lets the clock go on with what was left"))
        case "thawed":
            return mark_safe(_("The clock is no longer frozen: it goes on with what was left"))
        case "ruled":
            return format_html(_("A referee has ruled on case {case}: {ruling}"), case=entry.facts["case"], ruling=ruling(entry))
    return None


def ruling(entry: Entry) -> str:
    """What a referee has ruled, in a few words."""
    return str(dict(Ruling.Kind.choices).get(entry.facts.get("ruling", ""), ""))

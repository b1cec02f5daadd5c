"""Who is away and who is back, in sentences: `facts["news"]` names the event, `facts["who"]` whom it is about."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from accounts.people.times import day_of_the_year

GONE = "?"
"""The name, in facts, of a player whose account is no more."""


def called(name: str) -> str:
    """What facts call somebody, in the reader's language."""
    return _("deleted player") if name == GONE else name or _("Computer")


def of_you(facts: dict[str, Any]) -> str:
    """What has become of the reader's own turn, or seat."""
    who = {"name": facts.get("who", "")}
    match facts.get("news"):
        case "absent":
            return _("A computer player holds your seat until you come back: one tap at the table is enough.")
        case "taken_over":
            return _("%(name)s has taken over your seat.") % who
        case "resigned":
            return _("You have been away for too long: your seat has resigned.")
    return _("The server has played this turn for you.")


def of_the_table(facts: dict[str, Any]) -> str:
    """What has happened to another, or to the table."""
    who = {"name": called(facts.get("who", ""))}
    match facts.get("news"):
        case "excused":
            return _("Time ran out for %(name)s, who is excused this time.") % who
        case "absent":
            return _("%(name)s is absent: a computer player holds the seat.") % who
        case "back":
            return _("%(name)s is back.") % who
        case "taken_over":
            return _("%(name)s takes over the seat of one who was absent.") % who
        case "resigned":
            return _("%(name)s resigned.") % who
        case "vacation" if facts.get("day"):
            day = day_of_the_year(date.fromisoformat(facts["day"]))
            return _("%(name)s is on vacation until %(day)s: the clock stands still.") % {**who, "day": day}
        case "pause_asked":
            return _("%(name)s asks for a pause. It begins when all have agreed.") % who
        case "pause_refused":
            return _("%(name)s does not want a pause now.") % who
        case "pause_withdrawn":
            return _("%(name)s no longer asks for a pause.") % who
        case "paused":
            return _("All have agreed to a pause: the clock stands still.")
        case "resumed":
            return _("The pause is over: the game goes on.")
    return _("Something has changed. Look at the table.")

"""Who is away and who is back, in sentences: `facts["news"]` names the event, `facts["who"]` whom it is about."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.people.times import moment


def of_you(facts: dict[str, Any], until: datetime | None) -> str:
    """What has become of the reader's own turn, or seat."""
    who = {"name": facts.get("who", "")}
    match facts.get("news"):
        case "excused" if until is not None:
            return _("You are excused this time: you have until %(until)s.") % {"until": moment(until)}
        case "excused":
            return _("You are excused this time: your time begins anew.")
        case "absent":
            return _("A computer player holds your seat until you come back: one tap at the table is enough.")
        case "taken_over":
            return _("%(name)s has taken over your seat.") % who
        case "resigned":
            return _("You have been away for too long: your seat has resigned.")
    return _("The server has played this turn for you.")


def of_the_table(facts: dict[str, Any], until: datetime | None) -> str:
    """What has happened to another, or to the table."""
    who = {"name": facts.get("who") or _("Computer")}
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
        case "vacation" if until is not None:
            return _("%(name)s is away until %(until)s.") % {**who, "until": moment(until)}
        case "vacation":
            return _("%(name)s is away.") % who
        case "pause_proposed":
            return _("%(name)s proposes a pause.") % who
        case "paused":
            return _("All agree to a pause: the clock stands still.")
        case "resumed":
            return _("The pause is over: the game goes on.")
        case "moved":
            return _("The site was away: every deadline was moved by that time.")
    return _("Something has changed. Look at the table.")

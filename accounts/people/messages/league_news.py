"""What happens in leagues, in sentences: `facts["what"]` names the event."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def of_league(facts: dict[str, Any]) -> str:
    """One event of a league, for whom it concerns."""
    match facts.get("what"):
        case "accepted":
            return _("You are a member now.")
        case "refused":
            return _("Your request to join was not accepted.")
        case "expelled":
            return _("You are a member no more. Reason: %(reason)s") % _of(facts, "reason")
        case "asked":
            return _("%(player)s asks to join: you decide.") % _of(facts, "player")
        case "organiser":
            return _("You are the organiser now.")
        case "season_started":
            return _("Season %(number)s begins.") % _of(facts, "number")
        case "season_over" if facts.get("provisional"):
            return _("Season %(number)s is over. A dispute is open: the table may still change.") % _of(facts, "number")
        case "season_over":
            return _("Season %(number)s is over. Look who has won.") % _of(facts, "number")
        case "adjusted":
            return _adjusted(facts)
        case "ruled":
            return _("A referee’s ruling changes your points. Reason: %(reason)s") % _of(facts, "reason")
    return _("Look at the table of the league.")


def _adjusted(facts: dict[str, Any]) -> str:
    points = int(facts.get("points", 0))
    change = ngettext("%(points)s point", "%(points)s points", abs(points)) % {"points": f"{points:+d}".replace("-", "−")}
    told = {**_of(facts, "player", "by", "reason"), "change": change}
    return _("%(by)s has adjusted the points of %(player)s: %(change)s. Reason: %(reason)s") % told


def _of(facts: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: facts.get(name, "") for name in names}

"""What happens in disputes, in sentences: `facts["what"]` names the step, `facts["who"]` whose it is."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.people.messages.news import called
from accounts.people.times import moment


def title(facts: dict[str, Any], table: str) -> str:
    """The headline of one step of a dispute at a table."""
    if facts.get("what") in (None, "ruled"):
        return _("A referee has ruled at “%(table)s”") % {"table": table}
    return _("A dispute at “%(table)s”") % {"table": table}


def of_case(facts: dict[str, Any]) -> str:
    """One step of a dispute, for the players of its table and the referee."""
    who = {"name": called(facts.get("who", "") or "?")}
    match facts.get("what"):
        case "opened":
            return _("%(name)s disputes something at this table. You may answer.") % who
        case "waits" if facts.get("appeal"):
            return _("An appeal waits for another referee.")
        case "waits":
            return _("It waits for a referee.")
        case "answered":
            return _("%(name)s has answered.") % who
        case "asked":
            return _("The referee %(name)s asks the players something.") % who
        case "looked":
            told = who | {"number": int(facts.get("deal", 0)) + 1}
            return _("The referee %(name)s has looked at all hands of deal %(number)d.") % told
        case "frozen":
            return _("The referee %(name)s has frozen the clock, until %(until)s at the latest.") % (who | _until(facts))
        case "thawed":
            return _("The clock is no longer frozen: it goes on with what was left.")
        case "appealed":
            return _("%(name)s appeals: another referee will look into it.") % who
        case "withdrawn" if facts.get("appeal"):
            return _("%(name)s has withdrawn the appeal: the ruling stands.") % who
        case "withdrawn":
            return _("%(name)s has withdrawn the dispute.") % who
        case "ruled":
            return " ".join([_ruling(facts), _("The reason stands on the page of the case.")])
    return _("The ruling and its reason stand at the table.")


def _until(facts: dict[str, Any]) -> dict[str, str]:
    return {"until": moment(datetime.fromisoformat(facts["until"]))}


def _ruling(facts: dict[str, Any]) -> str:
    """What was ruled. Of what was told before rulings named what they are about, the kind alone."""
    match facts.get("ruling"):
        case "dismiss" if facts.get("appeal"):
            return _("The appeal is dismissed: the ruling stands.")
        case "dismiss":
            return pgettext("ruling", "The dispute is dismissed.")
        case "void" if "deal" in facts:
            return _("Deal %(number)d is void: its points count no more.") % {"number": int(facts["deal"]) + 1}
        case "void":
            return _("A deal is void: its points count no more.")
        case "back" if "played" in facts:
            when = moment(datetime.fromisoformat(facts["played"]))
            told = {"number": int(facts["deal"]) + 1, "name": called(facts["whose"]), "when": when}
            return _("The match goes back to before a move in deal %(number)d: that of %(name)s, %(when)s.") % told
        case "back":
            return _("The match goes back to before a move.")
        case "points" if facts.get("points"):
            figures = ", ".join(f"{called(name)} {_signed(more)}" for name, more in facts["points"])
            return _("Points are adjusted: %(points)s.") % {"points": figures}
        case "points":
            return _("Points are adjusted.")
        case "remove" if "whose" in facts:
            return _("%(name)s is removed from the match.") % {"name": called(facts["whose"])}
        case "remove":
            return _("A player is removed from the match.")
    return _("The match is taken up again.")


def _signed(points: int) -> str:
    """A gain or loss with its sign, which is a true minus sign."""
    return f"{points:+d}".replace("-", "−")

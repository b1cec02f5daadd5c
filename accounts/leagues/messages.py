"""Refusals about leagues in words: what is not possible, and what is."""

from __future__ import annotations

from django.utils.html import escape
from django.utils.translation import gettext as _

from games.messages import Refusal, refusal


def sentences(code: str) -> tuple[str, str] | None:
    """The two sentences for a code of these services; None for one of the games'."""
    match code:
        case "no_such_league":
            return _("There is no such league."), _("Look in the list of leagues.")
        case "not_the_organiser":
            return _("Only the organiser of the league can do that."), _("Ask the organiser, or a deputy.")
        case "guests_no_league":
            return _("A guest cannot belong to a league."), _("Make an account first; your tables stay yours.")
        case "bad_name":
            return _("A league's name has 3 to 50 signs that can be seen."), _("Choose another name.")
        case "name_taken":
            return _("There is a league of this name."), _("Choose another name.")
        case "rules_too_long":
            return _("The rules of a league have 4,000 signs at most."), _(
                "Say it more briefly; the game's own rules hold anyway."
            )
        case "bad_terms" | "bad_record":
            return _("No table can be made by these terms."), _("Nothing was changed. Choose among what is shown.")
        case "expelled":
            return _("You were expelled from this league."), _("The organiser may take you back.")
        case "wrong_link":
            return _("This league is joined by a link alone."), _("Ask a member for the link as it is now.")
        case "no_such_request":
            return _("Nobody waits for this answer any more."), _("It was answered, or withdrawn.")
        case "not_a_member":
            return _("That is not a member of this league."), _("Choose among its members.")
        case "account_gone":
            return _("That player’s account is no more."), _("Whoever it was would join with another one.")
        case "not_expelled":
            return _("That player was not expelled."), _("Who has left may simply come back.")
        case "organiser_stays":
            return _("The organiser cannot leave the league."), _("Hand it over to another member first.")
        case _:
            return _of_the_season(code)


def _of_the_season(code: str) -> tuple[str, str] | None:
    match code:
        case "no_season":
            return _("There is no such season under way."), _("The organiser begins the next one.")
        case "season_open":
            return _("A season is under way."), _("End it first.")
        case "season_over":
            return _("This season cannot be taken up again."), _("Begin the next one.")
        case "bad_season":
            return _("A season must say when it ends."), _("Name a day to come, or so many matches, or so many points.")
        case "bad_seats":
            return _("The league does not play with so many seats."), _("Choose a number that it plays with.")
        case "bad_tables":
            return _("There are too few people for so many tables."), _("Make fewer tables, or choose more members.")
        case "bad_points":
            return _("So many points cannot be added."), _("Add or take away 1 to 10,000.")
        case "not_in_the_season":
            return _("That player has no part in this season."), _("Choose among the members, or those in the table.")
        case "reason_missing":
            return _("A reason is needed."), _("Say in a few words why; it is read by those concerned.")
        case "reason_too_long":
            return _("The reason is too long."), _("300 signs are enough.")
        case _:
            return None


def league_refusal(code: str) -> Refusal:
    """The sentences for a code of these services, or of the games'."""
    found = sentences(code)
    return refusal(code, {}) if found is None else Refusal(*map(escape, found))

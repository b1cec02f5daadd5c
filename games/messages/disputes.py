"""Why something about a dispute is refused."""

from __future__ import annotations

from django.utils.translation import gettext as _


def sentences(code: str) -> tuple[str, str] | None:
    """What is not possible, and what is; None of other codes."""
    return _to_players(code) or _to_referees(code) or _of_rulings(code)


def _to_players(code: str) -> tuple[str, str] | None:
    match code:
        case "too_late":
            return _("This match can no longer be disputed."), _("It can be while it is played, and for two weeks after its end.")
        case "bad_kind":
            return _("Say what it is about."), _("Choose one of the kinds.")
        case "words_missing":
            return _("Words are missing."), _("Say in a few sentences what happened.")
        case "words_long":
            return _("That is too long."), _("At most 2,000 letters and signs.")
        case "no_such_deal":
            return _("There is no such deal in this match."), _("Choose one of those that have been dealt.")
        case "no_such_move":
            return _("There is no such move in this match."), _("Choose one in the log or in the replay.")
        case "dispute_open":
            return _("You have a dispute open at this table already."), _("Add to it what you have to say.")
        case "settled":
            return _("This dispute is settled."), _("What was ruled can be read, and perhaps appealed.")
        case "not_yours":
            return _("Only who asked for a ruling can withdraw that."), _("You may answer.")
        case "nothing_to_appeal":
            return _("There is no ruling here that could be appealed."), _("Each is appealed once at most.")
        case "appeal_late":
            return _("It is too late to appeal."), _("A ruling can be appealed for a week; now it stands for good.")
        case "frozen":
            return _("A referee has frozen the clock of this table."), _(
                "Everything goes on where it stood, at the latest at the limit."
            )
        case "judged_here":
            return _("You have looked into a dispute at this table."), _("Whoever has done so does not sit down there.")
    return None


def _to_referees(code: str) -> tuple[str, str] | None:
    match code:
        case "partial_league":
            return _("You have a part in the league of this table."), _("Another referee looks at it.")
        case "claimed_already":
            return _("Another referee has taken this case up."), _("Others wait in the queue.")
        case "ruled_before":
            return _("You have ruled on this case."), _("Another referee decides on the appeal.")
        case "not_your_case":
            return _("You have not taken this case up, or it is ruled on."), _("Take it up first, where it still waits.")
        case "not_running":
            return _("The match is not being played."), _("There is no clock to stop.")
        case "bad_freeze":
            return _("A clock is frozen for 72 hours at most."), _("It can be frozen again later, for a week in all.")
        case "frozen_enough":
            return _("That is more than a week in all for this case."), _("Freeze it for less, or rule.")
        case "not_frozen":
            return _("The clock is not frozen for this case."), _("It runs, or stands for another reason.")
    return None


def _of_rulings(code: str) -> tuple[str, str] | None:
    match code:
        case "bad_ruling":
            return _("Something is missing in the ruling."), _("Choose what is ruled, and what about.")
        case "bad_points":
            return _("These points cannot be added."), _("At most 10,000 for or against a seat, and not zero.")
        case "already_void":
            return _("This deal is void already."), _("Its points count no more as it is.")
        case "too_far_back":
            return _("The match cannot go back as far as that."), _(
                "Only within its last deal, and not to before the end of the exchange of doubles. The deal can be declared void."
            )
        case "no_such_seat":
            return _("No player sits in that seat."), _("Choose one of the players.")
        case "out_already":
            return _("This seat is out of the match already."), _("The others play on without it.")
        case "not_over":
            return _("The match is being played."), _("Only one that is over is taken up again.")
        case "decided":
            return _("By its points the match is decided."), _(
                "Adjust points or declare a deal void, and it goes on if nobody has won then."
            )
    return None

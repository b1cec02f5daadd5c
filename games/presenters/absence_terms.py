"""What a table does when somebody stays away, in words, as its players agree to it."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game
from games.presenters.tile_terms import Term
from games.presenters.times import turn_length


def absence_terms(game: Game) -> list[Term]:
    """The terms about turns that run out, absent seats, vacations, and how reliable players must be."""
    found = [
        Term(_("Time runs out"), _excuses(game.excuses)),
        Term(_("Absent"), _absent(game)),
        Term(_("Vacations"), _vacations(game)),
    ]
    if game.min_reliability is not None:
        share = _("%(percent)s %% of turns in time, or new") % {"percent": game.min_reliability}
        found.append(Term(_("Reliability"), share))
    return found


def _excuses(count: int) -> str:
    if not count:
        return _("the server plays the turn")
    return ngettext(
        "excused once, then the server plays the turn",
        "excused %(count)d times, then the server plays the turn",
        count,
    ) % {"count": count}


def _absent(game: Game) -> str:
    words = ngettext(
        "after %(count)d turn the computer plays, after %(time)s the seat resigns",
        "after %(count)d turns in a row the computer plays, after %(time)s the seat resigns",
        game.absent_after,
    )
    return words % {"count": game.absent_after, "time": turn_length(game.absence_limit)}


def _vacations(game: Game) -> str:
    if not game.vacation:
        return _("no clock stands for them")
    if game.vacation_days is None:
        return _("the clock stands while the player to move is on vacation")
    return ngettext(
        "the clock stands while the player to move is on vacation, %(count)d day a player and match at most",
        "the clock stands while the player to move is on vacation, %(count)d days a player and match at most",
        game.vacation_days,
    ) % {"count": game.vacation_days}

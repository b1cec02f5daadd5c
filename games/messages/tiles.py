"""What is refused at a table of tiles: what is missing, and what may be done instead."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine import View
from games.engine.etalat import MOST_TILES
from games.engine.tiles import Opening
from games.gamenames import BOARD_GAMES
from games.messages import cards


def situation(view: View) -> dict[str, Any]:
    """What the sentences need beside the facts of an error: how the viewer stands at the table."""
    tiles = view.extra
    seat = -1 if view.seat is None else view.seat
    return {
        "opened": seat >= 0 and tiles.opened[seat],
        "board": seat in tiles.board,
        "needed": view.rules.options["opening"],
        "opening": tiles.opening,
        "tiles": view.hand.size,
        "announces": view.rules.options["announce"],
    }


def sentences(code: str, facts: dict[str, Any]) -> tuple[str, str]:
    """Patterns with {card} and {cards} left open."""
    return (
        _of_selection(code)
        or _of_draw(code, facts)
        or _of_opening(code, facts)
        or _of_turn(code, facts)
        or _before_play(code, facts)
        or cards.sentences(code, facts)
    )


def _of_selection(code: str) -> tuple[str, str] | None:
    """What any card game has, in the words of tiles."""
    match code:
        case "not_your_turn":
            return _("It is not your turn."), _("You can look at everything and sort your rack meanwhile.")
        case "not_in_hand":
            return _("You do not hold {cards}."), _("Choose from your rack as it is now.")
        case "joker_undeclared":
            return _("The joly must stand for a tile."), _("Say which one when you lay it.")
        case "not_a_meld":
            return _("These tiles make no meld."), _(
                "Three or four of one number in different colours, or at least three in a row of one colour. "
                "Each joly needs two other tiles beside it, and in a run no two joly lie side by side."
            )
        case "cannot_lay_off":
            return _("The {card} does not fit on that meld."), _(
                "A set takes the colour it lacks, a run what comes next at either end; each joly needs two other tiles."
            )
        case "no_such_joker":
            return _("No joly stands for the {card} in that meld."), _("Only exactly that tile takes its place.")
        case "nothing_to_undo":
            return _("There is nothing to take back."), _("A tile drawn from the stock stays drawn.")
        case "choose_joker":
            return _("What does the joly stand for?"), _("Choose below: it stays that tile for good.")
        case "choose_meld":
            return _("These tiles fit in more than one place."), _("Choose below where they go.")
        case "none_chosen":
            return _("No tile is chosen."), _("Tick the tiles on your rack first.")
        case "one_card":
            return _("One tile is discarded, no more and no fewer."), _("Tick that one alone.")
        case "too_few":
            return _("A meld has at least three tiles."), _("Tick three or more that belong together.")
    return None


def _of_draw(code: str, facts: dict[str, Any]) -> tuple[str, str] | None:
    """Why a tile cannot be drawn or taken."""
    from_stock = pgettext("tile", "Draw from the stock.")
    match code:
        case "must_draw_first":
            return _("Draw first."), _("Take a tile from the stock or from the row.")
        case "already_drawn":
            return _("You have drawn already."), _("Lay down what you like, then discard.")
        case "row_too_short":
            return _row_too_short(facts)
        case "first_round":
            return _("Not in your first turn."), _(
                "In the first turn of a deal nothing is taken and nothing is laid: only draw from the stock and discard."
            )
        case "dead_discard":
            return _("The {card} is dead."), _("The first tile discarded in a deal is never taken. Draw from the stock.")
        case "must_draw_stock":
            return _("With one or two tiles left nothing is taken from the row."), from_stock
        case "cannot_break_row" if facts.get("opened"):
            return _("With three tiles left the row is not broken."), _("Take the last discard alone, or draw from the stock.")
        case "cannot_break_row":
            return _("Whoever has not opened cannot break the row."), _("Take the last discard alone, or draw from the stock.")
        case "pickup_unusable" if facts.get("opened"):
            return _("The {card} cannot be used this turn."), _(
                "A tile taken from the row must be laid at once. Choose one that fits, or draw from the stock."
            )
        case "pickup_unusable":
            return _("You cannot open with the {card}."), _(
                "Before the opening a tile is taken only to open with it at once: %(needed)s points, one tile left to discard. "
                "Draw from the stock."
            ) % {"needed": facts.get("needed", "")}
        case "must_use_pickup":
            return pgettext("tile", "First use the {card} that you took."), _(
                "Lay it in a meld, lay it off, or take the take back."
            )
        case "cannot_discard_pickup":
            return pgettext("tile", "The {card} you just took cannot go straight back."), _("Discard another tile.")
    return None


def _row_too_short(facts: dict[str, Any]) -> tuple[str, str]:
    tiles = facts.get("row")
    count = tiles if isinstance(tiles, int) else 0
    if not count:
        return _("The row is empty."), pgettext("tile", "Draw from the stock.")
    what = ngettext("The row has only %(count)d tile.", "The row has only %(count)d tiles.", count) % {"count": count}
    return what, _("Choose a tile that lies there.")


def _of_opening(code: str, facts: dict[str, Any]) -> tuple[str, str] | None:
    """What an opening lacks, and what waits for it."""
    match code:
        case "not_opened":
            return _("You have not opened yet."), _(
                "Open first, with melds of your own worth %(needed)s; from your next turn you may lay off and take joly."
            ) % {"needed": facts.get("needed", "")}
        case "opening_incomplete":
            opening = facts.get("opening")
            what = _("Your opening is not complete.")
            if opening is not None:
                what = _("Your opening is not complete: %(progress)s.") % {"progress": progress(opening)}
            return what, _("Lay what is missing, or take your melds back.")
        case "must_use_joker":
            return _("The joly you took must be laid again in this turn."), _("Lay it with other tiles, or take the swap back.")
        case "must_keep_discard":
            return _("One tile must stay for the discard."), _("Lay fewer; discarding the last tile closes the deal.")
        case "too_many_tiles":
            return _too_many(facts)
    return None


def progress(opening: Opening) -> str:
    """How far an opening is: "30 of 45, a run is still missing"."""
    said = _("%(points)s of %(needed)s") % {"points": opening.points, "needed": opening.needed}
    lacks = missing(opening)
    return _("%(points_of)s, %(missing)s") % {"points_of": said, "missing": lacks} if lacks else said


def missing(opening: Opening) -> str:
    """Which kind of meld an opening lacks; nothing where it is complete, or short of points alone."""
    if opening.complete:
        return ""
    lacks_set = opening.needs_set and not opening.has_set
    if lacks_set and not opening.has_run:
        return _("a set and a run are still missing")
    if lacks_set:
        return _("a set is still missing")
    return "" if opening.has_run else _("a run is still missing")


def _too_many(facts: dict[str, Any]) -> tuple[str, str]:
    more = max(int(facts.get("tiles", 0)) - 1 - MOST_TILES, 1)
    return _("At most 14 tiles may stay on your rack."), ngettext(
        "Lay down %(count)d more before you discard, or take the take back.",
        "Lay down %(count)d more before you discard, or take the take back.",
        more,
    ) % {"count": more}


def _of_turn(code: str, facts: dict[str, Any]) -> tuple[str, str] | None:
    """Announcing, and the board game."""
    match code:
        case "too_many_to_announce":
            return _("It is too early to announce."), _(
                "Announce once you hold four tiles or fewer before the discard; you hold %(count)s."
            ) % {"count": facts.get("tiles", "")}
        case "already_announced":
            return _already_announced(facts)
        case "board_player":
            return _("You play on the board."), _(
                "You lay nothing, and take nothing but the last discard. Close once 14 of your tiles make a board game."
            )
        case "too_late_for_board":
            return _("It is too late for the board game."), _("It is announced in one of your first three turns of a deal.")
        case "already_opened":
            return _("You have laid tiles in this deal."), _("The board game is announced before anything is laid.")
        case "not_board_player":
            return _("You have not announced the board game."), _("Only who has announced it can close on the board.")
        case "not_a_board_hand":
            return _("The other 14 tiles make no board game."), _("There are six: %(names)s. The rules show them.") % {
                "names": ", ".join(BOARD_GAMES.values())
            }
    return None


def _already_announced(facts: dict[str, Any]) -> tuple[str, str]:
    if facts.get("board"):
        return _("You play on the board already."), _("Close once 14 of your tiles make a board game.")
    if facts.get("announces") == "auto":
        return _("Nobody announces at this table."), _("The server does it for everyone.")
    return _("There is nothing more to announce."), _("Lay down what you like, then discard.")


def _before_play(code: str, facts: dict[str, Any]) -> tuple[str, str] | None:
    """The exchange of doubles."""
    match code:
        case "no_answer":
            return _("No answer is chosen."), _("Choose what you offer, or pass.")
        case "already_answered":
            return _("You have answered already."), _("Your answer is sealed, and it stands.")
        case "no_exchange":
            return _("At this table doubles are not exchanged."), _("Pass, or spoil the deal.")
        case "not_a_double":
            return _("The {card} is no double of yours."), _("Offer a tile that you hold twice; joly make no double.")
        case "cannot_spoil":
            return _("You cannot spoil this deal."), _("Only who was dealt three doubles or more can.")
    return None

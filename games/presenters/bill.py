"""How the score of a deal of tiles comes about, line by line (§4.16)."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import engine
from games.engine import Deal
from games.engine.etalat import Etalat
from games.engine.tiles import Score
from games.gamenames import BOARD_GAMES
from games.templatetags.cards import change, signed

LAID, HELD = "laid", "held"


class Line(NamedTuple):
    """One line of the bill; `shows` says which tiles stand beside it."""

    label: str
    value: str
    shows: str = ""


def bill(deal: Deal, seat: int) -> list[Line]:
    """The lines that make the score of a seat, in the order in which they are reckoned; nothing at a table of cards."""
    rules = deal.rules
    if not isinstance(rules, Etalat):
        return []
    if deal.reason == "spoiled":
        return [Line(_("not counted"), "0", HELD)] if deal.hands[seat].size else []
    score = rules.breakdown(deal)[seat]
    found = _of_tiles(deal, seat, score)
    if score.closed:
        found.append(Line(_("closed the deal"), change(score.closed)))
    if score.twin:
        found.append(Line(_("dealt the atu’s twin"), change(score.twin)))
    found += _doublings(deal, score)
    if score.forgotten:
        found.append(Line(_("last tiles not announced"), signed(score.forgotten)))
    return found


def _of_tiles(deal: Deal, seat: int, score: Score) -> list[Line]:
    """What the tiles bring, or their lack."""
    if deal.extra.opened[seat]:
        return [Line(pgettext("tiles", "laid"), signed(score.laid), LAID), Line(_("in hand"), signed(-score.in_hand), HELD)]
    if score.board:
        board = deal.rules.public_extra(deal, None).board_game
        return [Line(_("board game: %(name)s") % {"name": BOARD_GAMES[board.name]}, change(score.board), HELD)]
    if score.not_opened:
        return [Line(_("not opened"), signed(score.not_opened), HELD)]
    return []  # who resigned in an earlier deal is not dealt to


def _doublings(deal: Deal, score: Score) -> list[Line]:
    """Each doubling with its reason: closing with a joly, and the double game."""
    atu = deal.extra.atu
    double_game = atu == engine.JOKER or atu % 13 == 0
    joly = score.factor > (2 if double_game else 1)
    found = [Line(_("closed with a joly"), "×2")] if joly else []
    if double_game and score.factor > 1:
        why = _("double game: the atu is a joly") if atu == engine.JOKER else _("double game: the atu is a 1")
        found.append(Line(why, "×2"))
    return found

"""How a deal of tiles ended, in words, where that is not as with cards: closed, closed on the board, spoiled."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.engine import Deal
from games.engine.moves import SPOIL
from games.gamenames import BOARD_GAMES
from games.presenters.names import joined
from games.presenters.standings import Lead

REASONS = ("out", "board", "spoiled")


def headline(deal: Deal, names: list[str], mine: int | None, lead: Lead, leads: str) -> str:
    """How the deal ended and who leads, which is `leads` in a sentence of its own."""
    if deal.reason == "spoiled":
        return _spoiled(deal, names, mine)
    assert deal.out is not None
    you, name = deal.out == mine, names[deal.out]
    if deal.reason == "board":
        return f"{_board(deal, name, you)} {leads}"
    if deal.out == lead.seat:
        return _closed_and_ahead(name, you, lead)
    closed = _("You closed the deal.") if you else _("%(name)s closed the deal.") % {"name": name}
    return f"{closed} {leads}"


def _spoiled(deal: Deal, names: list[str], mine: int | None) -> str:
    who = [seat for seat, answer in deal.extra.answers if answer.answer == SPOIL]
    if who == [mine]:
        return _("You spoiled the deal: no one scores.")
    listed = joined([_("You") if seat == mine else names[seat] for seat in who])
    return _("%(names)s spoiled the deal: no one scores.") % {"names": listed}


def _board(deal: Deal, name: str, you: bool) -> str:
    board = deal.rules.public_extra(deal, None).board_game
    facts = {"name": name, "board": BOARD_GAMES[board.name]}
    return _("You closed on the board: %(board)s.") % facts if you else _("%(name)s closed on the board: %(board)s.") % facts


def _closed_and_ahead(name: str, you: bool, lead: Lead) -> str:
    facts = {"name": name}
    if lead.won:
        return _("You closed the deal and win the match.") if you else _("%(name)s closed the deal and wins the match.") % facts
    if lead.stays:
        return _("You closed the deal and stay ahead.") if you else _("%(name)s closed the deal and stays ahead.") % facts
    return _("You closed the deal and take the lead.") if you else _("%(name)s closed the deal and takes the lead.") % facts

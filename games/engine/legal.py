"""What the seat on turn may do (docs/notation.md, `legal`): every concrete move but `U`, `R`, `T`, `X:`.

Reads only what that seat knows, so it serves a deal and the seat's view of it alike. It asks the same
hooks of the rules that `apply` asks, so the two cannot differ.
"""

from __future__ import annotations

from . import melds, moves
from .cards import STANDS
from .melds import Meld
from .moves import LAY_OFF, MELD, SWAP, Move
from .rules import Position

_STOCK, _DECLINE = Move(moves.STOCK), Move(moves.DECLINE)


def legal_moves(at: Position) -> list[Move]:
    """The legal moves of the seat on turn, in a fixed order; none in the exchange or when it is over.

    None, too, in a view of another seat or a spectator.
    """
    if not at.on_turn:
        return []
    rules = at.rules
    if at.phase == "draw":
        first = _STOCK if at.stock_left else _DECLINE
        return [first, *[moves.take(n) for n in rules.legal_takes(at)], *rules.other_legal(at)]
    if at.phase != "play":
        return []
    hand = at.hand
    once, twice, jokers = hand
    found: list[Move] = []
    if not rules.table_fault(at, MELD):
        found = melds.listed(once, twice, jokers, rules.tight)
        if rules.keeps:
            found = [move for move in found if len(move.cards) <= hand.size - rules.keeps]
    on_table = at.melds
    if on_table:
        if (not rules.keeps or hand.size > rules.keeps) and not rules.table_fault(at, LAY_OFF):
            _lay_offs(on_table, once, jokers, found)
        if not rules.table_fault(at, SWAP):
            _swaps(on_table, once, found)
    found += rules.discards(at)
    found += rules.other_legal(at)
    return found


def _lay_offs(on_table: tuple[Meld, ...], once: int, jokers: int, found: list[Move]) -> None:
    for meld in on_table:
        fitting = meld.fits & once
        if fitting:
            found += moves.lay_offs(meld.id, fitting)
        if jokers and meld.joker_fits:
            found += moves.lay_offs(meld.id, meld.joker_fits, STANDS)


def _swaps(on_table: tuple[Meld, ...], once: int, found: list[Move]) -> None:
    for meld in on_table:
        fitting = meld.standing & once
        if fitting:
            found += moves.swaps(meld.id, fitting)

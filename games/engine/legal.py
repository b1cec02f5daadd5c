"""What the seat on turn may do (docs/notation.md, `legal`): every concrete move but `U`, `R`, `T`, `X:`.

Reads only what that seat knows, so it serves a deal and the seat's view of it alike. It asks the same
hooks of the rules that `apply` asks, so the two cannot differ.
"""

from __future__ import annotations

from . import melds, moves
from .cards import STANDS, bits
from .moves import LAY_OFF, MELD, SWAP, Move
from .rules import Position

_STOCK, _DECLINE = Move(moves.STOCK), Move(moves.DECLINE)


def legal_moves(at: Position) -> list[Move]:
    """The legal moves of the seat on turn, in a fixed order; none in the exchange or when it is over."""
    if at.phase == "draw":
        first = _STOCK if at.stock_left else _DECLINE
        return [first, *[moves.take(n) for n in at.rules.legal_takes(at)], *at.rules.other_legal(at)]
    if at.phase != "play":
        return []
    rules, hand = at.rules, at.hand
    found: list[Move] = []
    if not rules.table_fault(at, MELD):
        found = melds.listed(hand.once, hand.twice, hand.jokers, rules.tight)
        if rules.keeps:
            found = [move for move in found if len(move.cards) <= hand.size - rules.keeps]
    if at.melds and hand.size > rules.keeps:
        if not rules.table_fault(at, LAY_OFF):
            _lay_offs(at, found)
        if not rules.table_fault(at, SWAP):
            _swaps(at, found)
    found += [moves.DISCARDS[card] for card in rules.discards(at)]
    found += rules.other_legal(at)
    return found


def _lay_offs(at: Position, found: list[Move]) -> None:
    once, jokers = at.hand.once, at.hand.jokers
    for meld in at.melds:
        fitting = meld.fits & once
        if fitting:
            found += [moves.lay_off(meld.id, face) for face in bits(fitting)]
        if jokers and meld.joker_fits:
            found += [moves.lay_off(meld.id, face + STANDS) for face in bits(meld.joker_fits)]


def _swaps(at: Position, found: list[Move]) -> None:
    once = at.hand.once
    for meld in at.melds:
        standing = {card - STANDS for card in meld.cards if card >= STANDS}
        found += [moves.swap(meld.id, face) for face in sorted(standing) if once >> face & 1]

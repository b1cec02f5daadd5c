"""The computer player of the tables: it thinks one turn ahead, and weighs what is left in its hand.

For every way to begin the turn (the stock, each take from the row) it looks for the table moves and the discard after
which points laid and prospects of the hand are most together, and begins so. What it lays it lays at once.
"""

from __future__ import annotations

import random
from math import sqrt
from typing import NamedTuple

from .. import moves
from ..cards import EMPTY, add, bits, remove
from ..moves import DISCARDS, Move
from ..view import View
from .outlook import JOKER_GIVEN, Outlook, beyond, completes, danger, draw_worth, kept, outlook, prospects
from .turns import Turn, turns

MOST_TAKES = 5
"""Takes that are thought through."""
CARD_LEFT = 6.5
"""What a card in the hand of another counts against it, about."""


class Choice(NamedTuple):
    """A way through the rest of a turn, and what it is worth. `discard` is None where the turn goes out without one."""

    worth: float
    turn: Turn
    discard: int | None


def greedy(view: View, rng: random.Random) -> Move:
    """One move of a seat that plays for points. `rng` decides nothing: the same view always gives the same move."""
    return _draw(view) if view.phase == "draw" else _play(view)


def _draw(view: View) -> Move:
    out = outlook(view)
    best, move = _without_taking(view, out)
    for n in _promising(view, out):
        choice = _taking(view, out, n)
        if choice is not None and choice.worth > best:
            best, move = choice.worth, moves.take(n)
    return move


def _play(view: View) -> Move:
    start = Turn(view.hand, view.melds, view.must_use)
    choice = _best(view, outlook(view), start, view.no_discard)
    if choice is None:
        return Move(moves.UNDO)
    if choice.turn.moves:
        return choice.turn.moves[0]
    assert choice.discard is not None
    return DISCARDS[choice.discard]


def _without_taking(view: View, out: Outlook) -> tuple[float, Move]:
    """What drawing from the stock is worth, or where that is empty, ending the deal."""
    if not view.stock_left:
        return -float(view.rules.in_hand(view.hand)), Move(moves.DECLINE)
    last = view.stock_left == 1 and view.rules.ends_with_stock
    if last:
        out = out._replace(rate=0.0)
    worth = max(
        turn.points + prospects(out, turn.hand, turn.melds) + draw_worth(out, turn.hand, turn.melds)
        for turn in turns(view.rules, Turn(view.hand, view.melds, None))
    )
    return worth, Move(moves.STOCK)


def _promising(view: View, out: Outlook) -> list[int]:
    """The takes worth thinking through: those that bring most cards that can be laid, and fewest that cannot."""
    takes = view.rules.legal_takes(view)
    if len(takes) <= MOST_TAKES:
        return takes
    laid, held = out.values.laid, out.values.held
    fits = 0
    for meld in view.melds:
        fits |= meld.fits
    rough: list[tuple[float, int]] = []
    for n in takes:
        hand = add(view.hand, view.row[-n:])
        worth = 0.0
        for face in bits(hand.once):
            if hand.jokers or fits >> face & 1 or completes(face, hand.once):
                worth += laid[face] + held[face]
            elif not view.hand.once >> face & 1:
                worth -= held[face] / 2
        rough.append((worth, n))
    return [n for _, n in sorted(rough, reverse=True)[:MOST_TAKES]]


def _taking(view: View, out: Outlook, n: int) -> Choice | None:
    card, obliged = view.row[-n], view.rules.obliges(view, n)
    after = view._replace(row=view.row[:-n])
    start = Turn(add(view.hand, view.row[-n:]), view.melds, card if obliged else None)
    return _best(after, out, start, None if obliged else card)


def _best(view: View, out: Outlook, start: Turn, barred: int | None) -> Choice | None:
    """The best way through the turn from here; `barred` is a card that may not be discarded. None where there is none."""
    risks = {card: danger(out, view, card) for card in dict.fromkeys(start.hand.cards())}
    found = [_ended(view, out, turn, barred, risks) for turn in turns(view.rules, start)]
    return max((choice for choice in found if choice is not None), key=lambda choice: choice.worth, default=None)


def _ended(view: View, out: Outlook, turn: Turn, barred: int | None, risks: dict[int, float]) -> Choice | None:
    """A way through the turn with the best discard, or None where none is allowed. `risks` are what discards give away."""
    hand = turn.hand
    if not hand.size:
        return Choice(turn.points + _going_out(view), turn, None)
    reach = beyond(out, turn.melds)
    best: Choice | None = None
    for card in dict.fromkeys(hand.cards()):
        if card == barred and hand.copies(card) < 2 and not _used(turn, card):
            continue
        rest = remove(hand, (card,))
        assert rest is not None
        if rest == EMPTY:
            return Choice(turn.points + _going_out(view), turn, card)
        worth = turn.points + kept(out, rest, reach) - risks.get(card, JOKER_GIVEN)
        if best is None or worth > best.worth:
            best = Choice(worth, turn, card)
    return best


def _used(turn: Turn, card: int) -> bool:
    """Whether a card of that face was laid: then the one taken was, and another may be discarded."""
    return any(card in move.cards for move in turn.moves)


def _going_out(view: View) -> float:
    """What ending the deal now is worth: what the others still hold counts against them."""
    others = [view.counts[seat] for seat in view.seats_in if seat != view.seat]
    return CARD_LEFT * sum(others) / sqrt(len(others))

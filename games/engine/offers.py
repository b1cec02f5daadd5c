"""What a selection of cards may be used for, and what each use is worth: the buttons under a hand.

Reads a view, as `legal_moves` does. Every offer's move is one that `apply` accepts; where there is no offer of a
kind, `fault` says why.
"""

from __future__ import annotations

from typing import NamedTuple

from . import melds, moves
from .cards import EMPTY, JOKER, STANDS, Hand, add, plain, remove
from .melds import Meld
from .moves import Move
from .view import View

MOST_OFFERS = 40
"""Of one kind: with two jokers and many cards there may be hundreds."""


class Offer(NamedTuple):
    """A legal move with its worth in points, and the meld it makes or touches (0 for a new one)."""

    move: Move
    worth: int
    meld: int = 0


class Offers(NamedTuple):
    """Every use of a selection, dearest first; a fault is the code of why there is none of a kind."""

    lay: list[Offer]
    lay_fault: str | None
    off: list[Offer]
    off_fault: str | None
    swap: list[Offer]
    discard: Move | None
    discard_fault: str | None
    others: list[Offer]
    """Moves that only this game has, with one of the cards or without any: these need no selection."""
    other_faults: dict[str, str]
    """By the kind of such a move, why it is none."""


def offers(view: View, cards: list[int]) -> Offers:
    """What the seat on turn may do with these cards of its hand, faces and JOKERs.

    An empty or foreign selection, or another's turn, has faults only, but for moves that need no card.
    """
    others, other_faults = _others(view, cards)
    fault = _turn_fault(view, cards)
    if fault:
        return Offers([], fault, [], fault, [], None, fault, others, other_faults)
    chosen = add(EMPTY, cards)
    lay_fault = _kind_fault(view, moves.MELD, cards)
    off_fault = _kind_fault(view, moves.LAY_OFF, cards)
    lay = [] if lay_fault else _lays(view, chosen)
    off = [] if off_fault else _lay_offs(view, cards)
    discard_fault = "one_card" if len(cards) != 1 else view.rules.discard_fault(view, cards[0])
    return Offers(
        lay=lay,
        lay_fault=lay_fault or (None if lay else "too_few" if len(cards) < 3 else "not_a_meld"),
        off=off,
        off_fault=off_fault or (None if off else "cannot_lay_off"),
        swap=_swaps(view, cards),
        discard=None if discard_fault else moves.DISCARDS[cards[0]],
        discard_fault=discard_fault,
        others=others,
        other_faults=other_faults,
    )


def uses(view: View, n: int) -> list[Offer]:
    """What the card of a take of n could be laid with or on at once, dearest first: for whoever considers it.

    Empty where it needs more than one step, or has no use.
    """
    card = view.row[-n]
    after = view._replace(phase="play", hand=add(view.hand, view.row[-n:]), row=view.row[:-n], must_use=None, no_discard=None)
    least = remove(after.hand, (card,)) or EMPTY
    found = []
    if not _kind_fault(after, moves.MELD, [card] * 3):
        for move in melds.listed(*after.hand, view.rules.tight):
            if len(move.cards) == 3 and card in [plain(laid) for laid in move.cards] and _spares_jokers(move, least, card):
                found.append(Offer(move, _worth(view, move)))
    if not _kind_fault(after, moves.LAY_OFF, [card]):
        found += _lay_offs(after, [card])
    return sorted(found + _swaps(after, [card]), key=lambda offer: -offer.worth)


def _spares_jokers(move: Move, hand: Hand, card: int) -> bool:
    """Whether a meld uses no joker for a card that is held anyway (nobody would)."""
    return not any(laid >= STANDS and (hand.once >> laid - STANDS & 1 or laid - STANDS == card) for laid in move.cards)


def _others(view: View, cards: list[int]) -> tuple[list[Offer], dict[str, str]]:
    found: list[Offer] = []
    faults: dict[str, str] = {}
    for kind in view.rules.other_kinds if view.on_turn else ():
        takes_card = kind == moves.CLOSE_BOARD
        move = Move(kind, 0, tuple(cards[:1]) if takes_card else ())
        fault = "one_card" if takes_card and len(cards) != 1 else view.rules.other_fault(view, move)
        if fault:
            faults[kind] = fault
        else:
            found.append(Offer(move, view.rules.other_worth(view, move)))
    return found, faults


def _turn_fault(view: View, cards: list[int]) -> str | None:
    if view.phase != "play" or not view.on_turn:
        return "must_draw_first" if view.phase == "draw" and view.on_turn else "not_your_turn"
    if not cards:
        return "none_chosen"
    return None if remove(view.hand, cards) is not None else "not_in_hand"


def _kind_fault(view: View, kind: str, cards: list[int]) -> str | None:
    fault = view.rules.table_fault(view, kind)
    if fault is None and view.hand.size - len(cards) < view.rules.keeps:
        return "must_keep_discard"
    return fault


def _lays(view: View, chosen: Hand) -> list[Offer]:
    """Every meld of exactly the chosen cards, jokers with every declaration."""
    size = chosen.size
    if size < 3:
        return []
    listed = melds.listed(chosen.once, chosen.twice, chosen.jokers, view.rules.tight)
    found = [Offer(move, _worth(view, move)) for move in listed if len(move.cards) == size]
    return sorted(found, key=lambda offer: -offer.worth)[:MOST_OFFERS]


def _worth(view: View, move: Move) -> int:
    meld = melds.laid(1, 0, move.cards, view.rules.tight)
    assert meld is not None
    return view.rules.offer_worth(view, meld)


def _lay_offs(view: View, cards: list[int]) -> list[Offer]:
    """All the chosen cards on one meld, for each meld and each declaration of jokers."""
    found: list[Offer] = []
    for meld in view.melds:
        before = view.rules.worth(meld)
        seen: set[tuple[int, ...]] = set()
        for order, longer in _orders(meld, tuple(sorted(cards)), view):
            if longer.cards not in seen:
                seen.add(longer.cards)
                found.append(Offer(Move(moves.LAY_OFF, meld.id, order), view.rules.worth(longer) - before, meld.id))
    return sorted(found, key=lambda offer: -offer.worth)[:MOST_OFFERS]


def _orders(meld: Meld, cards: tuple[int, ...], view: View) -> list[tuple[tuple[int, ...], Meld]]:
    """The ways of laying all the cards off one after the other, with the meld that comes of it."""
    if not cards:
        return [((), meld)]
    tight, found = view.rules.tight, []
    for index, card in enumerate(cards):
        if index and card == cards[index - 1]:
            continue
        rest = cards[:index] + cards[index + 1 :]
        declared = [face + STANDS for face in range(52) if meld.joker_fits >> face & 1] if card == JOKER else [card]
        for laid in declared:
            longer = melds.extended(meld, laid, 0, tight)
            if longer is not None:
                found += [((laid, *order), last) for order, last in _orders(longer, rest, view)]
                if found and card != JOKER:
                    return found  # naturals have one place: any order that works will do
    return found


def _swaps(view: View, cards: list[int]) -> list[Offer]:
    if len(cards) != 1 or view.rules.table_fault(view, moves.SWAP):
        return []
    found = []
    for meld in view.melds:
        changed = melds.swapped(meld, cards[0], 0, view.rules.tight) if cards[0] < JOKER else None
        if changed is not None:
            index = meld.cards.index(cards[0] + STANDS)
            worth = view.rules.laid_value(cards[0], meld.kind, changed.positions()[index])
            found.append(Offer(moves.swap(meld.id, cards[0]), worth, meld.id))
    return found

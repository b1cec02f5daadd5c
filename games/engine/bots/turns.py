"""What a seat could do with the table moves of one turn: melds, cards laid off, jokers won by a swap.

A player thinks in whole turns, so that it never takes what it cannot use. Here the turns are made; `outlook` says
what a hand that is kept is worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from .. import finder, melds, moves
from ..cards import JOKER, STANDS, Hand, bits, plain, remove
from ..melds import Meld
from ..moves import Move
from ..rules import Rules
from ..takes import NEAR, SAME

MOST_WAYS = 6
"""Ways of laying the card taken that are followed up."""


class Turn(NamedTuple):
    """A turn so far: what is held, what lies on the table, what was laid and what that brought."""

    hand: Hand
    melds: tuple[Meld, ...]
    must_use: int | None
    points: int = 0
    moves: tuple[Move, ...] = ()


def turns(rules: Rules, start: Turn) -> list[Turn]:
    """Sensible ways to play the table moves of a turn. The card that must be used is laid in all of them; the list is
    empty where no such way was found."""
    start = _swapped(rules, start)
    found = [turn for turn in _laid(rules, start) if turn.must_use is None]
    if start.must_use is None:
        return [start, *found]
    if not found:
        for way in _ways_to_use(rules, start):
            found += _laid(rules, way)
    return found


def _laid(rules: Rules, start: Turn) -> Iterator[Turn]:
    """Melds and lay-offs, the melds first and the lay-offs first; with and without a joker spent on laying off."""
    melded = _melded(rules, start)
    yield _laid_off(rules, melded, jokers=False)
    if start.melds:
        yield _laid_off(rules, _melded(rules, _laid_off(rules, start, jokers=False)), jokers=False)
    if melded.hand.jokers:
        yield _laid_off(rules, melded, jokers=True)


def _melded(rules: Rules, turn: Turn) -> Turn:
    """The turn with the most valuable melds of the hand laid."""
    for move in best(rules, sifted(turn.hand)):
        turn = lay(rules, turn, move)
    return turn


@lru_cache(maxsize=4_000)
def best(rules: Rules, hand: Hand) -> tuple[Move, ...]:
    """The melds of a hand that the score gains most by."""
    return tuple(finder.best_melds(rules, hand, value=finder.SAVED)[1])


def sifted(hand: Hand) -> Hand:
    """The hand without the cards that stand alone: nothing of their number held, nor of their suit within two places.

    They could be laid with two jokers only, which then go better to others.
    """
    once = hand.once
    alone = sum(1 << card for card in bits(once) if not once & (SAME[card] | NEAR[card]))
    return Hand(once & ~alone, hand.twice & ~alone, hand.jokers) if once != alone else hand


def _laid_off(rules: Rules, turn: Turn, *, jokers: bool) -> Turn:
    """The turn with every card laid off that fits a meld, again and again; jokers last, where they count most."""
    going = True
    while going:
        going = False
        for meld in turn.melds:
            fitting = bits(turn.hand.once & turn.melds[meld.id - 1].fits)
            if fitting:
                turn, going = lay_off(rules, turn, meld.id, fitting[0]), True
        if jokers and not going and turn.hand.jokers:
            ways = [lay_off(rules, turn, meld.id, face + STANDS) for meld in turn.melds for face in bits(meld.joker_fits)]
            if ways:
                turn, going = max(ways, key=lambda way: way.points), True
    return turn


def _swapped(rules: Rules, turn: Turn) -> Turn:
    """The turn with every joker won that can be (§3.3): the card given counts, and the joker serves in its place."""
    if rules.swaps:
        for meld in turn.melds:
            for face in bits(meld.standing & turn.hand.once):
                turn = swap(rules, turn, meld.id, face)
    return turn


def _ways_to_use(rules: Rules, turn: Turn) -> list[Turn]:
    """Ways to lay the card that must be used, by one move, the most promising ones."""
    card, hand = turn.must_use, turn.hand
    assert card is not None
    found = [lay(rules, turn, move) for move in _melds_with(hand, card, rules.tight)]
    for meld in turn.melds:
        if card == JOKER:
            found += [lay_off(rules, turn, meld.id, face + STANDS) for face in bits(meld.joker_fits)]
        elif meld.fits >> card & 1:
            found.append(lay_off(rules, turn, meld.id, card))
    found += _bridged(rules, turn)
    return sorted(found, key=lambda way: (way.hand.jokers, way.points), reverse=True)[:MOST_WAYS]


def _melds_with(hand: Hand, card: int, tight: bool) -> list[Move]:
    """The melds that can be laid with a card, those without a joker alone where there are any."""
    near = hand if card == JOKER else Hand(hand.once & (SAME[card] | NEAR[card] | 1 << card), 0, hand.jokers)
    for jokers in range(card == JOKER, near.jokers + 1):
        listed = melds.listed(near.once, near.twice, jokers, tight)
        found = [move for move in listed if card in [plain(laid) for laid in move.cards]]
        if found:
            return found
    return []


def _bridged(rules: Rules, turn: Turn) -> list[Turn]:
    """The card that must be used laid off on a run that cards held, or jokers, lengthen to reach it."""
    card = turn.must_use
    found: list[Turn] = []
    if card is None or card == JOKER:
        return found
    for meld in turn.melds:
        if meld.kind == melds.RUN and meld.suit == card // 13:
            for place in (card % 13 + 1,) if card % 13 else (melds.LOW_ACE, melds.HIGH_ACE):
                way = _lengthened(rules, turn, meld, place)
                if way is not None:
                    found.append(way)
    return found


def _lengthened(rules: Rules, turn: Turn, meld: Meld, place: int) -> Turn | None:
    """The turn with a run lengthened up to a place beyond one of its ends, or None where cards are lacking."""
    places = range(meld.high + 1, place + 1) if place > meld.high else range(meld.low - 1, place - 1, -1)
    for at in places:
        face = melds.face_at(meld.suit, at)
        if turn.hand.once >> face & 1:
            turn = lay_off(rules, turn, meld.id, face)
        elif turn.hand.jokers:
            turn = lay_off(rules, turn, meld.id, face + STANDS)
        else:
            return None
    return turn if turn.must_use is None else None


# -- single moves ----------------------------------------------------------------------------------


def lay(rules: Rules, turn: Turn, move: Move) -> Turn:
    """The turn with a meld laid that the hand holds."""
    meld = melds.laid(len(turn.melds) + 1, 0, move.cards, rules.tight)
    assert meld is not None
    return _after(turn, move, (*turn.melds, meld), rules.worth(meld))


def lay_off(rules: Rules, turn: Turn, number: int, card: int) -> Turn:
    """The turn with a card laid off that is held and fits."""
    meld = turn.melds[number - 1]
    longer = melds.extended(meld, card, 0, rules.tight)
    assert longer is not None
    worth = rules.worth(longer) - rules.worth(meld)
    return _after(turn, Move(moves.LAY_OFF, number, (card,)), _with(turn.melds, longer), worth)


def swap(rules: Rules, turn: Turn, number: int, face: int) -> Turn:
    """The turn with a card held put in the place of the joker that stands for it."""
    meld = turn.melds[number - 1]
    changed = melds.swapped(meld, face, 0, rules.tight)
    assert changed is not None
    worth = rules.laid_value(face, meld.kind, changed.positions()[meld.cards.index(face + STANDS)])
    after = _after(turn, moves.swap(number, face), _with(turn.melds, changed), worth)
    return after._replace(hand=after.hand._replace(jokers=after.hand.jokers + 1))


def _with(on_table: tuple[Meld, ...], meld: Meld) -> tuple[Meld, ...]:
    return (*on_table[: meld.id - 1], meld, *on_table[meld.id :])


def _after(turn: Turn, move: Move, on_table: tuple[Meld, ...], worth: int) -> Turn:
    used = [plain(card) for card in move.cards]
    hand = remove(turn.hand, used)
    assert hand is not None
    must_use = None if turn.must_use in used else turn.must_use
    return Turn(hand, on_table, must_use, turn.points + worth, (*turn.moves, move))

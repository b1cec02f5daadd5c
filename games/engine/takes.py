"""Whether a card taken from the row can be laid this turn (rules §1.8), exactly, for the card games.

The question is whether *some* sequence of table moves lays it; whether the turn can then be finished
is not asked. Three facts make it short. A new meld with the card needs no more than three cards. A card
that is laid off needs the run on the table to reach it, over cards held or jokers. And a joker won by a
swap (where there are swaps) always serves at least as well as the card given for it.
"""

from __future__ import annotations

from collections.abc import Iterable

from .cards import FACES, JOKER, STANDS, SUIT, Hand, add
from .melds import HIGH_ACE, LOW_ACE, RUN, Meld

COLUMN = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The four faces of number 0; shifted by a number, those of that number."""
ACES, KINGS = COLUMN, COLUMN << 12


def neighbours(once: int, jokers: int) -> int:
    """The faces, held or not, that would make a meld with cards held and at most one joker (or none).

    All 52 at a time: the masks hold at a face whether the same number lies one, two or three suits on,
    and whether the suit's next, next but one, last or last but one is held, the ace being above the king too.
    """
    a = (once << 13 | once >> 39) & FACES
    b = (once << 26 | once >> 26) & FACES
    c = (once << 39 | once >> 13) & FACES
    aces = once & ACES
    next1 = once >> 1 & ~KINGS | aces << 12
    next2 = once >> 2 & ~(KINGS | KINGS >> 1) | aces << 11
    last1 = once << 1 & FACES & ~ACES
    last2 = once << 2 & FACES & ~(ACES | ACES << 1)
    king, queen = once >> 12 & ACES, once >> 11 & ACES
    if jokers:
        return a | b | c | next1 | next2 | last1 | last2 | king | queen
    return a & (b | c) | b & c | next1 & (next2 | last1) | last1 & last2 | king & queen


def spread(once: int, suit: int) -> int:
    """The cards held of a suit as the 14 places of a run, the ace at both ends."""
    held = once >> 13 * suit & SUIT
    return held | (held & 1) << 13


def usable(hand: Hand, melds: Iterable[Meld], card: int, swaps: bool) -> bool:
    """Whether `card`, which is in `hand`, can be laid by some sequence of table moves."""
    melds = tuple(melds)
    standing = standing_faces(melds) if swaps else 0
    if card == JOKER:
        return _joker_usable(hand, melds, standing)
    return _face_usable(hand.once, hand.jokers, melds, standing, card)


def usable_takes(hand: Hand, row: tuple[int, ...], melds: tuple[Meld, ...], swaps: bool) -> list[int]:
    """Every n ≥ 1 for which the take of n cards brings a card that can be laid."""
    standing = standing_faces(melds) if swaps else 0
    maybe = _perhaps(add(hand, row), melds, standing)
    once, jokers = hand.once, hand.jokers
    found = []
    for n, card in enumerate(reversed(row), start=1):
        if card == JOKER:
            jokers += 1
            if _joker_usable(Hand(once, 0, jokers), melds, standing):
                found.append(n)
            continue
        once |= 1 << card
        if maybe >> card & 1 and _face_usable(once, jokers, melds, standing, card):
            found.append(n)
    return found


def standing_faces(melds: Iterable[Meld]) -> int:
    """The faces, as bits, that jokers on the table stand for."""
    found = 0
    for meld in melds:
        for card in meld.cards:
            if card >= STANDS:
                found |= 1 << card - STANDS
    return found


def _face_usable(once: int, jokers: int, melds: tuple[Meld, ...], standing: int, face: int) -> bool:
    if standing:
        if standing >> face & 1:
            return True
        swapped = standing & once
        jokers += swapped.bit_count()
        once &= ~swapped
    if jokers >= 2:
        return True
    if neighbours(once, jokers) >> face & 1:
        return True
    suit, number = divmod(face, 13)
    places = (LOW_ACE, HIGH_ACE) if number == 0 else (number + 1,)
    for meld in melds:
        if meld.fits >> face & 1:
            return True
        if meld.kind == RUN and meld.suit == suit:
            held = spread(once, suit)
            if any(_reaches(meld, held, place, jokers) for place in places):
                return True
    return False


def _reaches(meld: Meld, held: int, place: int, jokers: int) -> bool:
    """Whether cards held and jokers fill the gap between a run on the table and a place beyond it."""
    if place > meld.high:
        gap = (1 << place - 1) - (1 << meld.high)
    elif place < meld.low:
        gap = (1 << meld.low - 1) - (1 << place)
    else:
        return False
    return (gap & ~held).bit_count() <= jokers


def _joker_usable(hand: Hand, melds: tuple[Meld, ...], standing: int) -> bool:
    """Whether a joker in hand can be laid: off on any meld with room, or in a new meld."""
    if any(meld.fits for meld in melds):
        return True
    once, _, jokers = hand
    naturals = once.bit_count()
    if naturals >= 2 and standing & once:
        return True  # swap one of the two: the other lies between two jokers
    if jokers >= 2:
        return naturals >= 1
    pairs = once & once >> 13 | once & once >> 26 | once & once >> 39
    if pairs:
        return True
    for suit in range(4):
        held = spread(once, suit)
        if held & (held >> 1 | held >> 2):
            return True
    return False


def _perhaps(hand: Hand, melds: tuple[Meld, ...], standing: int) -> int:
    """The faces that could be laid with all of the hand: a cheap net, never too narrow."""
    jokers = hand.jokers
    if standing:
        jokers += (standing & hand.once).bit_count()
    if jokers >= 2:
        return FACES
    found = standing | neighbours(hand.once, jokers)
    for meld in melds:
        found |= SUIT << 13 * meld.suit if meld.kind == RUN else meld.fits
    return found

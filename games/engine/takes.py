"""Whether a card taken from the row can be laid this turn (rules §1.8), exactly, for the card games.

The question is whether *some* sequence of table moves lays it; whether the turn can then be finished
is not asked. Three facts make it short. A new meld with the card needs no more than three cards. A card
that is laid off needs the run on the table to reach it, over cards held or jokers. And a joker won by a
swap (where there are swaps) always serves at least as well as the card given for it.
"""

from __future__ import annotations

from functools import lru_cache

from .cards import FACES, JOKER, SUIT, Hand
from .melds import COLUMN, HIGH_ACE, LOW_ACE, RUN, Meld

LOW_AND_HIGH = 1 << LOW_ACE - 1 | 1 << HIGH_ACE - 1
"""The places of the ace, as bits from place 1."""


def usable(hand: Hand, melds: tuple[Meld, ...], card: int, swaps: bool) -> bool:
    """Whether `card`, which is in `hand`, can be laid by some sequence of table moves."""
    standing = _standing(melds) if swaps else 0
    if card == JOKER:
        return _joker_usable(hand, melds, standing)
    return _face_usable(hand.once, hand.jokers, melds, standing, card)


def usable_takes(hand: Hand, row: tuple[int, ...], melds: tuple[Meld, ...], swaps: bool) -> list[int]:
    """Every n ≥ 1 for which the take of n cards brings a card that can be laid."""
    standing = _standing(melds) if swaps else 0
    once, _, jokers = hand
    maybe = _perhaps(once, jokers, row, melds, standing)
    found = []
    n = 0
    for card in reversed(row):
        n += 1
        if card == JOKER:
            jokers += 1
            if _joker_usable(Hand(once, 0, jokers), melds, standing):
                found.append(n)
            continue
        once |= 1 << card
        if maybe >> card & 1 and _face_usable(once, jokers, melds, standing, card):
            found.append(n)
    return found


def _standing(melds: tuple[Meld, ...]) -> int:
    """The faces, as bits, that jokers on the table stand for."""
    found = 0
    for meld in melds:
        found |= meld.standing
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
    number = face % 13
    suited = once >> face - number & SUIT
    if (once >> number & COLUMN).bit_count() + jokers >= 3 or in_runs(suited, jokers) >> number & 1:
        return True
    places = 1 << number if number else LOW_AND_HIGH
    for meld in melds:
        fits = meld.fits
        if fits >> face & 1:
            return True
        if meld.kind == RUN and meld.suit * 13 == face - number and (jokers or fits & once):
            if _reached(meld, suited, jokers) & places:
                return True
    return False


@lru_cache(maxsize=1 << 14)
def in_runs(held: int, jokers: int) -> int:
    """The numbers, as bits, of cards that make a run of three with cards held of their suit and at most one joker.

    `held` are the 13 bits of the suit, the card itself among them; `jokers` is 0 or 1.
    """
    at = held | (held & 1) << 13
    if jokers:
        found = at << 1 | at << 2 | at >> 1 | at >> 2
    else:
        first = at & at >> 1 & at >> 2
        found = first | first << 1 | first << 2
    return (found | found >> 13 & 1) & SUIT


def _reached(meld: Meld, held: int, jokers: int) -> int:
    """The places, as bits, to which a run can grow by cards held of its suit (13 bits) and jokers."""
    held |= (held & 1) << 13
    found = 0
    for place, step, end in ((meld.high, 1, HIGH_ACE), (meld.low - 2, -1, -1)):
        left = jokers
        while place != end:
            found |= 1 << place
            if not held >> place & 1:
                if not left:
                    break
                left -= 1
            place += step
    return found


def _joker_usable(hand: Hand, melds: tuple[Meld, ...], standing: int) -> bool:
    """Whether a joker in hand can be laid: off on any meld with room, or in a new meld."""
    for meld in melds:
        if meld.fits:
            return True
    once, _, jokers = hand
    naturals = once.bit_count()
    if jokers >= 2 or (naturals >= 2 and standing & once):  # swap one of the two: the other lies between two jokers
        return naturals >= 1
    return bool(in_new_melds(once, 1) & once)


def in_new_melds(once: int, jokers: int) -> int:
    """The faces that make a meld of three with cards held, themselves among them, and at most one joker."""
    a, b, c, d = once & SUIT, once >> 13 & SUIT, once >> 26 & SUIT, once >> 39
    runs = in_runs(a, jokers) | in_runs(b, jokers) << 13 | in_runs(c, jokers) << 26 | in_runs(d, jokers) << 39
    return runs | sets_of(once, jokers) * COLUMN


def sets_of(once: int, jokers: int) -> int:
    """The numbers, as 13 bits, of which a set of three can be made with at most one joker (`jokers` is 0 or 1)."""
    a, b, c, d = once & SUIT, once >> 13 & SUIT, once >> 26 & SUIT, once >> 39
    return a & b | c & d | (a | b) & (c | d) if jokers else a & b & (c | d) | c & d & (a | b)


def _perhaps(once: int, jokers: int, row: tuple[int, ...], melds: tuple[Meld, ...], standing: int) -> int:
    """The faces that could be laid with all of the hand and the row: a cheap net, never too narrow."""
    for card in row:
        if card == JOKER:
            jokers += 1
        else:
            once |= 1 << card
    if standing:
        jokers += (standing & once).bit_count()
    if jokers >= 2:
        return FACES
    found = standing | in_new_melds(once, jokers)
    for meld in melds:
        found |= meld.fits
        if (jokers or meld.fits & once) and meld.kind == RUN:
            found |= SUIT << 13 * meld.suit
    return found

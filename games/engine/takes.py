"""Whether a card taken from the row can be laid this turn (rules §1.8), exactly, for the card games.

The question is whether *some* sequence of table moves lays it; whether the turn can then be finished
is not asked. Three facts make it short. A new meld with the card needs no more than three cards. A card
that is laid off needs the run on the table to reach it, over cards held or jokers. And a joker won by a
swap (where there are swaps) always serves at least as well as the card given for it.
"""

from __future__ import annotations

from functools import lru_cache

from .cards import JOKER, SUIT, SUITS, Hand
from .melds import COLUMN, HIGH_ACE, LOW_ACE, RUN, Meld


def _near(number: int) -> set[int]:
    """The numbers within two places, the ace (0) lying below the two and above the king."""
    places = (0, 13) if number == 0 else (number,)
    return {other % 13 for place in places for other in range(max(0, place - 2), min(13, place + 2) + 1)} - {number}


SAME = tuple(sum(1 << suit * 13 + face % 13 for suit in range(4) if suit != face // 13) for face in range(52))
"""By face, the other faces of its number, as bits."""
NEAR = tuple(sum(1 << face - face % 13 + other for other in _near(face % 13)) for face in range(52))
"""By face, those of its suit that one run of three can hold beside it, as bits."""


def usable(hand: Hand, melds: tuple[Meld, ...], card: int, swaps: bool) -> bool:
    """Whether `card`, which is in `hand`, can be laid by some sequence of table moves."""
    fits, standing = _open_faces(melds, swaps)
    once, _, jokers = hand
    if card == JOKER:
        return _joker_usable(once, jokers, fits, standing)
    return _face_usable(card, once, jokers, melds, fits, standing)


def usable_takes(hand: Hand, row: tuple[int, ...], melds: tuple[Meld, ...], swaps: bool) -> list[int]:
    """Every n ≥ 1 for which the take of n cards brings a card that can be laid."""
    fits, standing = _open_faces(melds, swaps)
    once, _, jokers = hand
    found = []
    for n, card in enumerate(reversed(row), start=1):
        if card == JOKER:
            jokers += 1
            if _joker_usable(once, jokers, fits, standing):
                found.append(n)
        else:
            once |= 1 << card
            if _face_usable(card, once, jokers, melds, fits, standing):
                found.append(n)
    return found


def _open_faces(melds: tuple[Meld, ...], swaps: bool) -> tuple[int, int]:
    """The faces, as bits, that can be laid off on the table, and those that could be swapped for a joker there."""
    fits = standing = 0
    for meld in melds:
        fits |= meld.fits
        standing |= meld.standing
    return fits, standing if swaps else 0


def _face_usable(face: int, once: int, jokers: int, melds: tuple[Meld, ...], fits: int, standing: int) -> bool:
    if (fits | standing) >> face & 1:
        return True
    if standing:
        swapped = standing & once
        jokers += swapped.bit_count()
        once &= ~swapped
    others = 2 - jokers  # that make a meld of three with it
    if (once & SAME[face]).bit_count() >= others:
        return True
    number = face % 13
    if (once & NEAR[face]).bit_count() >= others and (jokers or in_runs(once >> face - number & SUIT, 0) >> number & 1):
        return True
    if jokers or fits & once & SUITS[face // 13]:
        places = 1 << number if number else 1 << LOW_ACE - 1 | 1 << HIGH_ACE - 1
        for meld in melds:
            if meld.kind == RUN and meld.suit == face // 13 and _reached(meld, once, jokers) & places:
                return True
    return False


def _reached(meld: Meld, once: int, jokers: int) -> int:
    """The places, as bits, to which a run on the table can grow by cards held and jokers."""
    held = once >> 13 * meld.suit & SUIT
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


def _joker_usable(once: int, jokers: int, fits: int, standing: int) -> bool:
    """Whether a joker in hand can be laid: off on any meld with room, or in a new meld."""
    if fits:
        return True
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

"""Which cards of one number can go to sets together, and with how many jokers.

All naturals of a number are worth the same in a set, and so are jokers, so that a choice is worth what its
counts say, and only whether it can be split into sets must be looked for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ..cards import STANDS

Counts = tuple[int, int, int, int]
"""Cards of one number, how many of each suit."""


class Given(NamedTuple):
    """What is given to the sets of one number (0…12)."""

    number: int
    cards: Counts
    jokers: int


@lru_cache(maxsize=5_000)
def split(cards: Counts, jokers: int, tight: bool) -> tuple[tuple[int, int], ...] | None:
    """Sets that take exactly these cards and jokers, each as its naturals (four bits of suits) and jokers; or None."""
    if not any(cards):
        return None if jokers else ()
    first = next(suit for suit in range(4) if cards[suit])
    held = sum(1 << suit for suit in range(4) if cards[suit])
    for suits in range(1, 16):
        if suits & ~held or not suits >> first & 1:
            continue
        naturals = suits.bit_count()
        left = (cards[0] - (suits & 1), cards[1] - (suits >> 1 & 1), cards[2] - (suits >> 2 & 1), cards[3] - (suits >> 3))
        for used in range(max(0, 3 - naturals), min(4 - naturals, jokers) + 1):
            others = None if tight and naturals < 2 * used else split(left, jokers - used, tight)
            if others is not None:
                return ((suits, used), *others)
    return None


@lru_cache(maxsize=5_000)
def choices(held: Counts, jokers: int, tight: bool) -> tuple[tuple[Counts, int], ...]:
    """Every choice of cards of a number, out of those held, and of jokers that can go to sets.

    One card alone with jokers is left out: as a run they are worth as much.
    """
    a, b, c, d = (range(count + 1) for count in held)
    some = [(i, j, k, m) for i in a for j in b for k in c for m in d if i + j + k + m >= 2]
    return tuple((cards, used) for cards in some for used in range(jokers + 1) if split(cards, used, tight) is not None)


def set_melds(given: Given, tight: bool) -> list[tuple[int, ...]]:
    """The sets as cards to lay; a joker stands for the lowest suit that its set lacks."""
    found = []
    for suits, jokers in split(given.cards, given.jokers, tight) or ():
        lacking = [suit for suit in range(4) if not suits >> suit & 1][:jokers]
        found.append(
            tuple(
                suit * 13 + given.number + (STANDS if suit in lacking else 0)
                for suit in range(4)
                if suit in lacking or suits >> suit & 1
            )
        )
    return found

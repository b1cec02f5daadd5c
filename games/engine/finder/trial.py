"""The finder's way for hands of which few sets can be made: every choice of sets is tried."""

from __future__ import annotations

from typing import NamedTuple

from .runs import Held, Runs
from .sets import Counts, Given, choices
from .worth import Worth

Suits = tuple[Held, Held, Held, Held]
Worths = tuple[int, ...]
"""What something is worth with at most 0, 1, … jokers."""


class Offer(NamedTuple):
    """What could be given to the sets of one number, and what it would be worth."""

    worth: int
    given: Given


def offers(worth: Worth, held: list[Counts], jokers: int) -> list[list[Offer]]:
    """By number, every choice of cards and jokers that can go to its sets; numbers without any are left out."""
    found = []
    for number, cards in enumerate(held):
        if sum(cards) >= 2:
            natural, joker = worth.set[number], worth.set_joker[number]
            here = [
                Offer(sum(some) * natural + used * joker, Given(number, some, used))
                for some, used in choices(cards, jokers, worth.tight)
            ]
            if here:
                found.append(here)
    return found


def count(offered: list[list[Offer]], jokers: int) -> int:
    """How many choices `trial` would try."""
    by_jokers = [1] + [0] * jokers
    for here in offered:
        before = tuple(by_jokers)
        for _, given in here:
            for used in range(given.jokers, jokers + 1):
                by_jokers[used] += before[used - given.jokers]
    return sum(by_jokers)


def trial(runs: Runs, suits: Suits, offered: list[list[Offer]], jokers: int) -> list[Given]:
    """What goes to sets where the melds of a hand are worth most."""
    tables = [runs.by_suit(left) for left in range(jokers + 1)]
    best = -1
    chosen: tuple[Given, ...] = ()
    open_: list[tuple[int, Suits, int, int, tuple[Given, ...]]] = [(0, suits, 0, jokers, ())]
    while open_:
        following, suits, worth, jokers, given = open_.pop()
        table = tables[jokers]
        a, b, c, d = table[suits[0]], table[suits[1]], table[suits[2]], table[suits[3]]
        # first as if each suit had all the jokers: that is quick, and seldom enough
        if worth + a[jokers] + b[jokers] + c[jokers] + d[jokers] > best:
            total = worth + together(together(a, b), together(c, d))[jokers]
            if total > best:
                best, chosen = total, given
        for index in range(following, len(offered)):
            for more, offer in offered[index]:
                if offer.jokers <= jokers:
                    open_.append((index + 1, without(suits, offer), worth + more, jokers - offer.jokers, (*given, offer)))
    return list(chosen)


def together(one: Worths, other: Worths) -> Worths:
    """What two things are worth together, the jokers being shared out as is best."""
    if len(one) == 1:
        return (one[0] + other[0],)
    if len(one) == 3:
        a0, a1, a2 = one
        b0, b1, b2 = other
        return a0 + b0, max(a0 + b1, a1 + b0), max(a0 + b2, a1 + b1, a2 + b0)
    return tuple([max([one[used] + other[most - used] for used in range(most + 1)]) for most in range(len(one))])


def without(suits: Suits, given: Given) -> Suits:
    """The cards by suit without those given to sets."""
    number, (a, b, c, d), _ = given
    return (
        _less(suits[0], number, a) if a else suits[0],
        _less(suits[1], number, b) if b else suits[1],
        _less(suits[2], number, c) if c else suits[2],
        _less(suits[3], number, d) if d else suits[3],
    )


def _less(held: Held, number: int, cards: int) -> Held:
    twice = 1 << number + 13
    for _ in range(cards):
        held ^= twice if held & twice else 1 << number
    return held

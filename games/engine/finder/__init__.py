"""The meld finder: the most valuable disjoint melds of a hand, exactly, jokers included.

For hints, computer players and tests. It sees a hand and an empty table: laying off is not its matter.

A hand asks two questions. Which cards go to sets is chosen number by number; what then remains of each suit
goes to runs, and what the best runs of thirteen bits are worth is a matter of looking up (`runs`). Where the
choices of sets are few, each is tried (`trial`); where they are many, the numbers are walked once from the ace
up, the runs of the four suits side by side (`sweep`). Both are exact.
"""

from __future__ import annotations

from ..cards import SUIT, Hand
from ..moves import MELD, Move
from ..rules import Rules
from .runs import Runs, runs_of
from .sets import Counts, set_melds
from .sweep import sweep
from .trial import Suits, count, offers, together, trial, without
from .worth import CARDS, LAID, SAVED, worth_of

__all__ = ["CARDS", "LAID", "SAVED", "best_melds"]

FEW = 2_000
"""Choices of sets up to which trying each is faster than the sweep."""


def best_melds(rules: Rules, hand: Hand, *, value: str = LAID) -> tuple[int, list[Move]]:
    """The most that disjoint melds of a hand can be worth together, and such melds as moves, jokers declared.

    `value` says what a card laid is worth: LAID its points on the table (§2.7, §3.6); SAVED those and what it
    no longer counts in hand, so what the score gains by it; CARDS one, so that the worth is the size of the hand
    exactly where all of it can be laid. Which of equal answers is given is fixed but arbitrary. Raises
    ValueError for another `value`.
    """
    worth = worth_of(rules, value)
    runs = runs_of(worth)
    once, twice, jokers = hand
    suits = _by_suit(once, twice)
    held = _by_number(once, twice)
    offered = offers(worth, held, jokers)
    few = count(offered, jokers) <= FEW
    given = trial(runs, suits, offered, jokers) if few else sweep(worth, held, jokers)
    in_sets = sum(sum(each.cards) * worth.set[each.number] + each.jokers * worth.set_joker[each.number] for each in given)
    found = [Move(MELD, 0, cards) for each in given for cards in set_melds(each, worth.tight)]
    for each in given:
        suits = without(suits, each)
        jokers -= each.jokers
    in_runs, laid = _best_runs(runs, suits, jokers)
    return in_sets + in_runs, found + laid


def _best_runs(runs: Runs, suits: Suits, jokers: int) -> tuple[int, list[Move]]:
    """The best runs of four suits, and what they are worth."""
    table = runs.by_suit(jokers)
    worths = [table[held] for held in suits]
    rest = [(0,) * (jokers + 1)]
    for each in reversed(worths):
        rest.append(together(each, rest[-1]))
    total = rest.pop()[jokers]
    found = []
    for suit, held in enumerate(suits):
        behind = rest.pop()
        used = max(range(jokers + 1), key=lambda some: worths[suit][some] + behind[jokers - some])
        found += [Move(MELD, 0, run.cards(suit)) for run in runs.chosen(held, used)]
        jokers -= used
    return total, found


def _by_suit(once: int, twice: int) -> Suits:
    return (
        once & SUIT | (twice & SUIT) << 13,
        once >> 13 & SUIT | (twice >> 13 & SUIT) << 13,
        once >> 26 & SUIT | (twice >> 26 & SUIT) << 13,
        once >> 39 & SUIT | (twice >> 39 & SUIT) << 13,
    )


def _by_number(once: int, twice: int) -> list[Counts]:
    return [
        (
            (once >> number & 1) + (twice >> number & 1),
            (once >> number + 13 & 1) + (twice >> number + 13 & 1),
            (once >> number + 26 & 1) + (twice >> number + 26 & 1),
            (once >> number + 39 & 1) + (twice >> number + 39 & 1),
        )
        for number in range(13)
    ]

"""The best disjoint runs of one suit, remembered: a suit of a hand is thirteen bits, so most have been met before.

Jokers included, and faces held twice (two packs). The search goes by the lowest card: it is left out, or it
is the lowest natural card of a run. A run takes a card that is at hand rather than a joker in its place, for
the joker serves as well elsewhere; only where jokers may not lie as they like (§4.7) both are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ..cards import STANDS, SUIT
from ..melds import face_at
from .worth import Worth

LOW, HIGH = 1, 1 << 13
"""The two places of the ace among the fourteen."""
REMEMBERED = 100_000
"""Entries at which a table is emptied: one pack has fewer, two packs could have millions."""

Held = int
"""The cards of one suit: 13 bits for those held, and above them 13 for those held twice."""


class Run(NamedTuple):
    """A run by places 0…13: from `low` up to, not including, `end`; `naturals` are bits, the rest are jokers."""

    low: int
    end: int
    naturals: int

    @property
    def jokers(self) -> int:
        """How many of its cards are jokers."""
        return self.end - self.low - self.naturals.bit_count()

    def cards(self, suit: int) -> tuple[int, ...]:
        """The run as cards to lay, jokers with what they stand for."""
        return tuple(
            face_at(suit, place + 1) + (0 if self.naturals >> place & 1 else STANDS) for place in range(self.low, self.end)
        )


class BySuit(dict[Held, tuple[int, ...]]):
    """What the best runs of a suit are worth with at most 0, 1, … `jokers` jokers, worked out as it is asked for."""

    def __init__(self, runs: Runs, jokers: int) -> None:
        super().__init__()
        self._runs = runs
        self._jokers = jokers

    def __missing__(self, held: Held) -> tuple[int, ...]:
        if len(self) >= REMEMBERED:
            self.clear()
        placings = _ace_placed(held)
        best = self._runs.best
        worths = tuple([max([best(*placing, most)[0] for placing in placings]) for most in range(self._jokers + 1)])
        self[held] = worths
        return worths


class Runs:
    """The best runs of a suit for one Worth."""

    def __init__(self, worth: Worth) -> None:
        self._worth = worth
        self._found: dict[tuple[int, int, int], tuple[int, Run | None]] = {}
        self._by_suit: dict[int, BySuit] = {}

    def by_suit(self, jokers: int) -> BySuit:
        """The table for that many jokers."""
        if jokers not in self._by_suit:
            self._by_suit[jokers] = BySuit(self, jokers)
        return self._by_suit[jokers]

    def chosen(self, held: Held, jokers: int) -> list[Run]:
        """Runs that are worth what the table says, with at most `jokers` jokers."""
        once, twice = max(_ace_placed(held), key=lambda placing: self.best(placing[0], placing[1], jokers)[0])
        found = []
        while once:
            run = self.best(once, twice, jokers)[1]
            if run is not None:
                found.append(run)
                jokers -= run.jokers
            once, twice = _less(once, twice, run.naturals if run else once & -once)
        return found

    def best(self, once: int, twice: int, jokers: int) -> tuple[int, Run | None]:
        """The worth of the best runs of cards by their fourteen places, and the lowest run, None if the lowest card is left."""
        if not once:
            return 0, None
        key = once, twice, jokers
        found = self._found.get(key)
        if found is None:
            if len(self._found) >= REMEMBERED:
                self._found.clear()
            lowest = once & -once
            most, choice = self.best(*_less(once, twice, lowest), jokers)[0], None
            for worth, run in self._from(once, lowest.bit_length() - 1, jokers):
                total = worth + self.best(*_less(once, twice, run.naturals), jokers - run.jokers)[0]
                if total > most:
                    most, choice = total, run
            self._found[key] = found = most, choice
        return found

    def _from(self, once: int, lowest: int, jokers: int) -> Iterator[tuple[int, Run]]:
        """Every run whose lowest natural card lies at a place, with its worth."""
        worth, tight = self._worth, self._worth.tight
        ahead = min(jokers, 1) if tight else jokers
        for low in range(max(0, lowest - ahead), lowest + 1):
            # partial runs: worth, jokers used, naturals, whether a joker is last
            partial = [(sum(worth.run_joker[low:lowest]) + worth.run[lowest], lowest - low, 1 << lowest, False)]
            for end in range(lowest + 1, 15):
                if end - low >= 3:
                    for value, used, naturals, _ in partial:
                        if not tight or naturals.bit_count() >= 2 * used:
                            yield value, Run(low, end, naturals)
                if end < 14:
                    partial = self._longer(partial, end, once >> end & 1, jokers)

    def _longer(
        self, partial: list[tuple[int, int, int, bool]], place: int, natural: int, jokers: int
    ) -> list[tuple[int, int, int, bool]]:
        """Each partial run with the card of one more place, where there is one."""
        worth, tight = self._worth, self._worth.tight
        longer = []
        for value, used, naturals, after_joker in partial:
            if natural:
                longer.append((value + worth.run[place], used, naturals | 1 << place, False))
            if used < jokers and (not after_joker if tight else not natural):
                longer.append((value + worth.run_joker[place], used + 1, naturals, True))
        return longer


def _ace_placed(held: Held) -> list[tuple[int, int]]:
    """The cards of a suit by fourteen places, for each way of calling its aces low or high."""
    once, twice = held & SUIT, held >> 13
    if not once & LOW:
        return [(once, twice)]
    rest, again = once ^ LOW, twice & ~LOW
    if twice & LOW:
        return [(once, twice), (once | HIGH, again), (rest | HIGH, again | HIGH)]
    return [(once, again), (rest | HIGH, again)]


def _less(once: int, twice: int, used: int) -> tuple[int, int]:
    """The cards without one of each that is used."""
    return once & ~(used & ~twice), twice & ~used


@lru_cache(maxsize=12)
def runs_of(worth: Worth) -> Runs:
    """The runs of a Worth, remembered for all hands."""
    return Runs(worth)

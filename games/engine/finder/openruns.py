"""How the open runs of a suit can go on from one number to the next: what the sweep needs of runs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

OpenRun = tuple[int, int, bool]
"""What a run can still become: its naturals, its jokers, whether a joker is last; only as much of it as matters."""
Suit = tuple[OpenRun, ...]
"""The open runs of one suit, sorted."""
NEW: OpenRun = (0, 0, False)
WHOLE: OpenRun = (3, 0, False)
"""A run long enough, where jokers lie as they like."""
_BETTER: dict[OpenRun, OpenRun] = {(1, 0, False): (2, 0, False), (2, 0, False): WHOLE}


class Step(NamedTuple):
    """A way of one suit past one number."""

    open: Suit
    """The runs that are open then."""
    left: int
    """Cards of the number that did not go to runs."""
    must: int
    """How many of those must therefore go to sets."""
    naturals: int
    jokers: int
    """What went to runs."""


def complete(suit: Suit, tight: bool) -> bool:
    """Whether every open run may end."""
    return all(_complete(run, tight) for run in suit)


def _complete(run: OpenRun, tight: bool) -> bool:
    naturals, jokers, _ = run
    return naturals + jokers >= 3 and naturals >= (2 * jokers if tight else 1)


def _longer(run: OpenRun, joker: bool, tight: bool) -> OpenRun | None:
    naturals, jokers, after_joker = run
    if tight:
        return None if joker and after_joker else (min(naturals + (not joker), 8), jokers + joker, joker)
    # one natural is what a run needs: with it only the length matters
    length = min(naturals + jokers + 1, 3)
    return (0, length, False) if joker and not naturals else (length, 0, False)


@lru_cache(maxsize=20_000)
def steps(suit: Suit, cards: int, jokers: int, last: bool, tight: bool) -> tuple[Step, ...]:
    """Every way past a number of which `cards` are held, with at most `jokers`; at the last number no run begins.

    A run that could take a card at hand but ends there, or takes a joker, leaves that card to a set: else
    taking it were better. Only where jokers may not lie as they like (`tight`, §4.7) this need not be so.
    """
    found = {Step((), cards, 0, 0, 0)}
    for run in suit:
        found = {step for before in found for step in _past(before, run, jokers, tight)}
    begun = set() if last else found
    while begun:
        begun = {step for before in begun for step in _going_on(before, NEW, jokers, tight)} - found
        found |= begun
    return tuple(sorted({step._replace(must=min(step.must, step.left)) for step in found}))


def _past(before: Step, run: OpenRun, jokers: int, tight: bool) -> Iterator[Step]:
    yield from _going_on(before, run, jokers, tight)
    if _complete(run, tight):
        yield before._replace(must=0 if tight else 2)


def _going_on(before: Step, run: OpenRun, jokers: int, tight: bool) -> Iterator[Step]:
    """The step with one run more, which takes a card or a joker."""
    suit, left, must, naturals, used = before
    if left and (longer := _longer(run, False, tight)):
        yield Step(tuple(sorted((*suit, longer))), left - 1, must, naturals + 1, used)
    if used < jokers and (longer := _longer(run, True, tight)):
        yield Step(tuple(sorted((*suit, longer))), left, 0 if tight else 2, naturals, used + 1)


def better(suit: Suit, tight: bool) -> list[Suit]:
    """Open runs with which the rest of the walk can be worth no less: one is longer, or a whole one is there besides."""
    if tight:
        return []
    found = [tuple(sorted((*suit, WHOLE)))]
    for index, run in enumerate(suit):
        if run in _BETTER:
            found.append(tuple(sorted((*suit[:index], _BETTER[run], *suit[index + 1 :]))))
    return found

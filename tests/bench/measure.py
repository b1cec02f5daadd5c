"""Measuring in interleaved rounds, and the lines that come of it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

Run = Callable[[float], float]
"""Does something over and over for some seconds of processor time; returns how often a second it was done."""


class Budget(NamedTuple):
    """How long to measure: rounds, and seconds that each contender has in a round."""

    rounds: int = 7
    seconds: float = 0.7


class Line(NamedTuple):
    """One figure of a part.

    `spread` is how far the rounds lie apart: the greatest less the least, as a share of the median. `ratio` is to the
    figure named `beside`, the median of the ratios of the rounds. `asked` is what the project asks of the ratio, or of
    the value where there is no ratio: at least that, or at most that where `least` is false.
    """

    name: str
    value: float
    unit: str
    spread: float
    ratio: float | None = None
    beside: str = ""
    asked: float | None = None
    least: bool = True
    note: str = ""

    @property
    def kept(self) -> bool | None:
        """Whether what is asked is reached; None where nothing is."""
        if self.asked is None:
            return None
        figure = self.value if self.ratio is None else self.ratio
        return figure >= self.asked if self.least else figure <= self.asked


def timed(step: Callable[[], int]) -> Run:
    """A run of a step that tells how many things it did. By processor time, which others on the machine disturb least."""

    def run(seconds: float) -> float:
        done, began = 0, time.process_time()
        while True:
            done += step()
            spent = time.process_time() - began
            if spent >= seconds:
                return done / spent

    return run


def interleaved(runs: dict[str, Run], budget: Budget) -> dict[str, list[float]]:
    """The rates of each run, round by round, after a round to warm up that does not count."""
    found: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        run(budget.seconds / 2)
    for _ in range(budget.rounds):
        for name, run in runs.items():
            found[name].append(run(budget.seconds))
    return found


def spread(rounds: Sequence[float]) -> float:
    """How far rounds lie apart, as a share of their median."""
    return (max(rounds) - min(rounds)) / statistics.median(rounds)


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the ratios of the rounds."""
    return statistics.median(one / other for one, other in zip(ours, theirs, strict=True))


def line(
    name: str,
    unit: str,
    rounds: Sequence[float],
    *,
    beside: str = "",
    theirs: Sequence[float] | None = None,
    asked: float | None = None,
    least: bool = True,
    note: str = "",
) -> Line:
    """The line of a figure that was measured in rounds, beside another where there is one."""
    compared = None if theirs is None else ratio(rounds, theirs)
    beside = beside if theirs else ""
    return Line(name, statistics.median(rounds), unit, spread(rounds), compared, beside, asked, least, note)

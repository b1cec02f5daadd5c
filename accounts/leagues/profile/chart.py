"""A rating over its matches, and the points of deals, as drawings in percent, for SVG without script. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor

POINTS = 60
"""Places of a drawn line: more cannot be told apart on a phone."""
LEAST_SPAN = 100.0
STEPS = [first * 10**power for power in range(1, 6) for first in (1, 2, 5)]
MOST_TICKS, MOST_BARS = 5, 16


@dataclass(frozen=True)
class Curve:
    """A line in a band; heights in percent from the top."""

    line: str
    band: str
    ticks: list[tuple[int, str]]
    chosen: list[int]
    """Which of the values are drawn."""


def curve(values: Sequence[tuple[float, float]]) -> Curve:
    """The drawing of values, each a middle and how far the band reaches to both sides."""
    chosen = sample(len(values))
    low = min(values[index][0] - values[index][1] for index in chosen)
    high = max(values[index][0] + values[index][1] for index in chosen)
    if high - low < LEAST_SPAN:
        low, high = (low + high - LEAST_SPAN) / 2, (low + high + LEAST_SPAN) / 2
    span = high - low

    def point(place: int, value: float) -> str:
        return f"{100 * place / max(len(chosen) - 1, 1):.1f},{100 * (high - value) / span:.1f}"

    drawn = [(place, *values[index]) for place, index in enumerate(chosen)]
    upper = [point(place, middle + reach) for place, middle, reach in drawn]
    lower = [point(place, middle - reach) for place, middle, reach in reversed(drawn)]
    step = next(step for step in STEPS if floor(high / step) - ceil(low / step) < MOST_TICKS)
    marks = range(ceil(low / step) * step, floor(high / step) * step + 1, step)
    ticks = [(value, f"{100 * (high - value) / span:.1f}") for value in marks]
    return Curve(" ".join(point(place, middle) for place, middle, _reach in drawn), " ".join(upper + lower), ticks, chosen)


def sample(count: int) -> list[int]:
    """Evenly chosen places of a series, the first and the last among them."""
    if count <= POINTS:
        return list(range(count))
    return [round(place * (count - 1) / (POINTS - 1)) for place in range(POINTS)]


@dataclass(frozen=True)
class Bar:
    """The deals from `low` points to `high`; its place and size in percent."""

    low: int
    high: int
    count: int
    x: str
    y: str
    width: str
    height: str


def bars(bins: Mapping[int, int], grain: int) -> list[Bar]:
    """Counts by bins of so many points, in some bars of a round width; the highest fills the height."""
    lowest, highest = min(bins) * grain, (max(bins) + 1) * grain - 1
    width = next(step for step in STEPS if highest // step - lowest // step < MOST_BARS)
    counts = dict.fromkeys(range(lowest // width, highest // width + 1), 0)
    for bin_, count in bins.items():
        counts[bin_ * grain // width] += count
    most, share = max(counts.values()), 100 / len(counts)
    return [
        Bar(
            low=bar * width, high=(bar + 1) * width - 1, count=count, x=f"{place * share + share * 0.08:.2f}",
            y=f"{100 - 100 * count / most:.1f}", width=f"{share * 0.84:.2f}", height=f"{100 * count / most:.1f}",
        )
        for place, (bar, count) in enumerate(counts.items())
    ]  # fmt: skip

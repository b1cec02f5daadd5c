"""The points of a season over time as a drawing: axis, lines and labels in percent, for an SVG that has no script. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

LEAST_GAP = 6.5
"""Percent of the height between the middles of two labels."""
DASHES, HUES = 4, 8
"""Kinds of lines and their colours, so that two that cross can be told apart, by who sees no colours too."""
STEPS = [first * 10**power for power in range(1, 7) for first in (1, 2, 5)]
MOST_TICKS = 5


@dataclass(frozen=True)
class Line:
    """Somebody's course: `points` of the polyline, where it ends and where its label stands, in percent from the top."""

    key: int
    points: str
    total: int
    end: str
    label: str
    dash: int
    hue: int


@dataclass(frozen=True)
class Drawing:
    ticks: list[tuple[int, str]]
    """Values of the axis and their heights, in percent from the top."""
    lines: list[Line]
    """In the order of the series."""


def draw(series: Mapping[int, Sequence[int]]) -> Drawing:
    """The drawing of these courses, each a value at even steps of time; the first is drawn as the most important."""
    values = [value for line in series.values() for value in line]
    low, high, step = scale(min(values), max(values))
    span = high - low

    def height(value: int) -> float:
        return 100 * (high - value) / span

    ends = {key: height(line[-1]) for key, line in series.items()}
    labels = spread(ends)
    lines = [
        Line(
            key=key,
            points=" ".join(f"{100 * index / (len(line) - 1):.1f},{height(value):.1f}" for index, value in enumerate(line)),
            total=line[-1],
            end=f"{ends[key]:.1f}",
            label=f"{labels[key]:.1f}",
            dash=place % DASHES,
            hue=place % HUES,
        )
        for place, (key, line) in enumerate(series.items())
    ]
    return Drawing([(value, f"{height(value):.1f}") for value in range(-(-low // step) * step, high + 1, step)], lines)


def scale(low: int, high: int) -> tuple[int, int, int]:
    """Lowest and highest value of an axis that holds these and 0, and the step between its marks: a few, at round numbers."""
    low, high = min(low, 0), max(high, 0)
    room = max((high - low) // 25, 1)
    bottom, top = low - room if low else 0, high + room
    return bottom, top, next(step for step in STEPS if top // step - -(-bottom // step) < MOST_TICKS)


def spread(ends: Mapping[int, float]) -> dict[int, float]:
    """Heights for labels near these, none over another, all whole between top and bottom."""
    order = sorted(ends, key=lambda key: ends[key])
    places = [ends[key] for key in order]
    for _round in range(len(places)):
        for index, (above, below) in enumerate(pairwise(places)):
            lacking = LEAST_GAP - (below - above)
            if lacking > 0:
                places[index], places[index + 1] = above - lacking / 2, below + lacking / 2
    # what was pushed out comes back in, and pushes the others
    for index in range(len(places)):
        least = places[index - 1] + LEAST_GAP if index else LEAST_GAP / 2
        places[index] = max(places[index], least)
    for index in reversed(range(len(places))):
        most = places[index + 1] - LEAST_GAP if index + 1 < len(places) else 100 - LEAST_GAP / 2
        places[index] = min(places[index], most)
    return dict(zip(order, places, strict=True))

"""The chart of points: an axis that holds them, and labels that do not cover one another."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from accounts.leagues.chart import LEAST_GAP, MOST_TICKS, draw, scale, spread

POINTS = st.integers(-200_000, 2_000_000)


@given(POINTS, POINTS)
def test_the_axis_holds_every_value_and_nought_with_a_few_round_marks(one: int, other: int) -> None:
    low, high, step = scale(min(one, other), max(one, other))
    assert low <= min(one, other, 0) and max(one, other, 0) < high
    marks = [value for value in range(low, high + 1) if value % step == 0] if high - low < 10_000 else [0]
    assert 1 <= len(marks) <= MOST_TICKS
    assert str(step).rstrip("0") in ("1", "2", "5")


@given(st.dictionaries(st.integers(1, 20), st.floats(0, 100), min_size=1, max_size=9))
def test_labels_stand_apart_in_the_order_of_the_lines_and_inside(ends: dict[int, float]) -> None:
    places = spread(ends)
    order = sorted(places, key=lambda key: places[key])
    assert [ends[key] for key in order] == sorted(ends.values())
    assert all(places[below] - places[above] > LEAST_GAP - 0.001 for above, below in pairwise(order))
    assert all(LEAST_GAP / 2 - 0.001 <= place <= 100.001 - LEAST_GAP / 2 for place in places.values())


def test_labels_that_have_room_stand_at_their_lines() -> None:
    assert spread({1: 10.0, 2: 50.0, 3: 90.0}) == {1: 10.0, 2: 50.0, 3: 90.0}


def test_a_course_goes_from_edge_to_edge_and_its_end_is_where_its_label_points() -> None:
    drawing = draw({7: [0, 100], 9: [0, -50]})
    assert drawing.ticks[0][0] == -50
    first, second = drawing.lines
    assert first.points.startswith("0.0,") and first.points.split()[1] == f"100.0,{first.end}"
    assert (first.key, first.total, first.dash, second.dash) == (7, 100, 0, 1)
    nought = dict(drawing.ticks)[0]
    assert first.points.split()[0] == second.points.split()[0] == f"0.0,{nought}"


def test_a_course_of_nothing_is_a_line_at_nought() -> None:
    drawing = draw({1: [0, 0, 0]})
    assert drawing.lines[0].points == "0.0,100.0 50.0,100.0 100.0,100.0"

"""From results to ratings, on numbers alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.leagues.ratings.fold import START, START_SIGMA, Holder, Placed, Standing, after, counts

ANA, BOGDAN, CLARA = Holder(1), Holder(2), Holder(3)
GREEDY = Holder(None, "greedy")


def fold(*results: Sequence[Placed]) -> dict[Holder, Standing]:
    known: dict[Holder, Standing] = {}
    for result in results:
        before = {seat.holder: known.get(seat.holder, Standing()) for seat in result}
        known |= {holder: new for holder, (new, _place) in after(result, before.__getitem__).items()}
    return known


def test_who_wins_rises_by_what_the_other_falls_and_both_are_more_certain() -> None:
    known = fold([Placed(ANA, 1), Placed(BOGDAN, 2)])

    assert known[ANA].mu - START == pytest.approx(START - known[BOGDAN].mu)
    assert known[ANA].mu == pytest.approx(1579.06, abs=0.01)
    assert known[ANA].sigma == known[BOGDAN].sigma == pytest.approx(241.98, abs=0.01)


def test_who_is_level_in_the_first_match_stays_level() -> None:
    known = fold([Placed(ANA, 1), Placed(BOGDAN, 1)])

    assert known[ANA].mu == pytest.approx(known[BOGDAN].mu)
    assert known[ANA].sigma < START_SIGMA


def test_the_better_place_makes_the_better_rating_among_many() -> None:
    known = fold([Placed(CLARA, 3), Placed(ANA, 1), Placed(GREEDY, 4), Placed(BOGDAN, 2)])

    order = sorted(known, key=lambda holder: -known[holder].mu)
    assert order == [ANA, BOGDAN, CLARA, GREEDY]


def test_to_beat_a_strong_player_raises_more_than_to_beat_a_weak_one() -> None:
    strong, weak = Standing(1800, 80, 50), Standing(1200, 80, 50)
    of_strong, of_weak = (
        after([Placed(ANA, 1), Placed(BOGDAN, 2)], {ANA: Standing(1500, 80, 50), BOGDAN: other}.__getitem__)[ANA][0].mu
        for other in (strong, weak)
    )
    assert of_strong > of_weak > 1500


def test_four_hundred_points_are_odds_of_ten_to_one() -> None:
    """To lose costs the favourite ten times what to win brings."""
    strength = {ANA: Standing(1900, 0.001, 50), BOGDAN: Standing(1500, 0.001, 50)}.__getitem__
    won, lost = (
        after([Placed(ANA, place), Placed(BOGDAN, 3 - place)], strength)[ANA][0].mu - 1900 for place in (1, 2)
    )  # fmt: skip

    assert -lost / won == pytest.approx(10, rel=0.05)


def test_a_computer_player_in_several_seats_has_one_rating_the_mean_of_what_they_come_to() -> None:
    found = after([Placed(ANA, 2), Placed(GREEDY, 1), Placed(GREEDY, 3)], lambda holder: Standing())

    assert set(found) == {ANA, GREEDY}
    assert found[GREEDY][0].matches == 1
    assert found[GREEDY][1] == 1, "the best place of the two"
    assert found[GREEDY][0].mu == pytest.approx(START, abs=20), "one above Ana, one below"


def test_a_match_among_one_alone_says_nothing() -> None:
    assert not counts([])
    assert not counts([Placed(ANA, 1)])
    assert not counts([Placed(GREEDY, 1), Placed(GREEDY, 2)])
    assert counts([Placed(ANA, 1), Placed(GREEDY, 2)])


places = st.lists(st.tuples(st.sampled_from([ANA, BOGDAN, CLARA, GREEDY]), st.integers(-500, 900)), min_size=2, max_size=5)


@given(st.lists(places, min_size=1, max_size=4))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_ratings_stay_sane_whatever_is_played(matches: list[list[tuple[Holder, int]]]) -> None:
    results = []
    for seats in matches:
        taken: set[Holder] = set()
        result = []
        for holder, points in seats:
            if holder not in taken or holder == GREEDY:
                taken.add(holder)
                result.append(Placed(holder, 1 + sum(other > points for _holder, other in seats)))
        if counts(result):
            results.append(result)

    known = fold(*results)

    assert known == fold(*results), "the same results make the same ratings"
    for standing in known.values():
        assert 0 < standing.sigma < START_SIGMA + 5
        assert 0 < standing.mu < 3000
        assert 1 <= standing.matches <= len(results)

"""Who sits with whom."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.leagues.seating import chosen, cost, seat, sizes

people = st.integers(2, 24).flatmap(lambda count: st.just(list(range(1, count + 1))))
meetings = st.dictionaries(
    st.tuples(st.integers(1, 24), st.integers(1, 24)).filter(lambda two: two[0] < two[1]), st.integers(0, 5)
)


@given(st.integers(1, 200), st.integers(1, 50))
def test_tables_differ_by_one_seat_at_most(count: int, tables: int) -> None:
    found = sizes(count, tables)
    assert len(found) == tables and sum(found) == count
    assert max(found) - min(found) <= 1


@settings(deadline=None)
@given(people, st.integers(1, 8), meetings, st.integers(0, 1_000))
def test_everybody_sits_once_at_tables_of_even_sizes(
    players: list[int], tables: int, met: dict[tuple[int, int], int], chance: int
) -> None:
    groups = seat(players, tables, Counter({frozenset(two): times for two, times in met.items()}), random.Random(chance))
    assert sorted(player for group in groups for player in group) == players
    assert sorted(map(len, groups)) == sorted(sizes(len(players), tables))


@settings(deadline=None)
@given(people, st.integers(2, 6), meetings, st.integers(0, 1_000))
def test_no_two_could_change_places_for_the_better(
    players: list[int], tables: int, met: dict[tuple[int, int], int], chance: int
) -> None:
    times = Counter({frozenset(two): often for two, often in met.items()})
    groups = seat(players, tables, times, random.Random(chance))
    least = cost(groups, times)
    for one, other in combinations(range(len(groups)), 2):
        for here in range(len(groups[one])):
            for there in range(len(groups[other])):
                changed = [list(group) for group in groups]
                changed[one][here], changed[other][there] = changed[other][there], changed[one][here]
                assert cost(changed, times) >= least


def test_eight_who_sit_down_four_times_have_all_met_before_many_meet_again() -> None:
    """Of the 28 pairs twelve meet in a round of two tables of four: after four rounds nobody has missed anybody."""
    met: Counter[frozenset[int]] = Counter()
    for round_ in range(4):
        for group in seat(range(8), 2, met, random.Random(round_)):
            met.update(frozenset(pair) for pair in combinations(group, 2))
    assert len(met) == 28
    assert max(met.values()) <= 3


def test_where_there_are_fewer_places_those_sit_who_have_played_least() -> None:
    played = {1: 4, 2: 0, 3: 2, 4: 0, 5: 1}
    assert set(chosen([1, 2, 3, 4, 5], 3, played, random.Random(1))) == {2, 4, 5}
    drawn = {frozenset(chosen([1, 2, 3], 2, {}, random.Random(number))) for number in range(30)}
    assert len(drawn) == 3


def test_two_hundred_members_are_seated_at_once() -> None:
    rng = random.Random(7)
    met = Counter({frozenset(rng.sample(range(200), 2)): rng.randint(1, 3) for _pair in range(2_000)})
    groups = seat(range(200), 50, met, rng)
    assert cost(groups, met) == 0

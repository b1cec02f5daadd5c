"""Who sits with whom: tables of even sizes at which those meet who have met least. Pure; chance comes in."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations, product

Met = Mapping[frozenset[int], int]
"""How often two have sat at one table."""


def sizes(people: int, tables: int) -> list[int]:
    """How many sit at each of the tables: as even as can be, the larger ones first."""
    each, more = divmod(people, tables)
    return [each + (index < more) for index in range(tables)]


def chosen(players: Sequence[int], places: int, played: Mapping[int, int], rng: random.Random) -> list[int]:
    """Who sits down where there are fewer places than players: those who have played least, by lot among equals."""
    shuffled = rng.sample(list(players), len(players))
    return sorted(shuffled, key=lambda player: played.get(player, 0))[:places]


def seat(players: Sequence[int], tables: int, met: Met, rng: random.Random) -> list[list[int]]:
    """Everybody at one of the tables, each table in the order of its seats, drawn by lot.

    First each in turn, those who have met the others most first, goes where they have met least; then two change places
    as long as that helps. What is made small is the sum of the squares of how often two at one table have met.
    """
    weight = {pair: times**2 for pair, times in met.items() if times}
    wanted, groups = sizes(len(players), tables), [list[int]() for _table in range(tables)]
    order = rng.sample(list(players), len(players))
    order.sort(key=lambda player: -_meetings(player, order, weight))
    for player in order:
        free = [index for index in range(tables) if len(groups[index]) < wanted[index]]
        best = min(free, key=lambda index: (_meetings(player, groups[index], weight), len(groups[index]) - wanted[index]))
        groups[best].append(player)
    _change_places(groups, weight)
    return [rng.sample(group, len(group)) for group in groups]


def cost(groups: Sequence[Sequence[int]], met: Met) -> int:
    """What `seat` makes small."""
    weight = {pair: times**2 for pair, times in met.items()}
    return sum(_meetings(player, group[:index], weight) for group in groups for index, player in enumerate(group))


def _meetings(player: int, others: Sequence[int], weight: Met) -> int:
    return sum(weight.get(frozenset((player, other)), 0) for other in others if other != player)


def _change_places(groups: list[list[int]], weight: Met) -> None:
    """Two at different tables change places, as long as there are two for whom that helps."""
    with_group = {player: [_meetings(player, group, weight) for group in groups] for group in groups for player in group}
    helped = True
    while helped:
        helped = False
        for one, other in combinations(range(len(groups)), 2):
            for here, there in product(range(len(groups[one])), range(len(groups[other]))):
                left, right = groups[one][here], groups[other][there]
                mine, theirs = with_group[left], with_group[right]
                between = 2 * weight.get(frozenset((left, right)), 0)
                if mine[one] + theirs[other] > mine[other] + theirs[one] - between:
                    groups[one][here], groups[other][there] = right, left
                    helped = True
                    for player, sums in with_group.items():
                        moved = _meetings(player, [right], weight) - _meetings(player, [left], weight)
                        sums[one] += moved
                        sums[other] -= moved

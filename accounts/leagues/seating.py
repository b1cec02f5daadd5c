"""Who sits with whom: tables of even sizes at which those meet who have met least. Pure; chance comes in."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

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
    wanted, groups = sizes(len(players), tables), [list[int]() for _table in range(tables)]
    order = rng.sample(list(players), len(players))
    order.sort(key=lambda player: -sum(_meetings(player, [other], met) for other in order if other != player))
    for player in order:
        free = [index for index in range(tables) if len(groups[index]) < wanted[index]]
        best = min(free, key=lambda index: (_meetings(player, groups[index], met), -(wanted[index] - len(groups[index]))))
        groups[best].append(player)
    while _change_two(groups, met):
        pass
    return [rng.sample(group, len(group)) for group in groups]


def cost(groups: Sequence[Sequence[int]], met: Met) -> int:
    """What `seat` makes small."""
    return sum(_meetings(player, group[index + 1 :], met) for group in groups for index, player in enumerate(group))


def _meetings(player: int, others: Sequence[int], met: Met) -> int:
    return sum(met.get(frozenset((player, other)), 0) ** 2 for other in others)


def _change_two(groups: list[list[int]], met: Met) -> bool:
    """The first change of two places that helps, made; False where none does."""
    for one, group in enumerate(groups):
        for other_group in groups[one + 1 :]:
            for here in range(len(group)):
                for there in range(len(other_group)):
                    if _gain(group, here, other_group, there, met) > 0:
                        group[here], other_group[there] = other_group[there], group[here]
                        return True
    return False


def _gain(group: list[int], here: int, other: list[int], there: int, met: Met) -> int:
    """By how much the sum falls if these two change places."""
    one, two = group[here], other[there]
    left, right = [*group[:here], *group[here + 1 :]], [*other[:there], *other[there + 1 :]]
    before = _meetings(one, left, met) + _meetings(two, right, met)
    return before - _meetings(two, left, met) - _meetings(one, right, met)

"""The rack of a player of tiles: two shelves of tiles in groups, in the player's own arrangement or sorted.

An arrangement is kept as the texts of the tiles in reading order, with GAP between two groups and SHELF where the lower
shelf begins. It only ever sorts the hand: what is no longer held falls out, what is new stands last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, groupby

from games import engine
from games.engine import TILES, View
from games.presenters.hand import HandCard, came, marked

GAP, SHELF = "", "/"

Group = list[int]


def rack(view: View, sort: str, arrangement: Sequence[str], picked: Sequence[str]) -> list[list[list[HandCard]]]:
    """The viewer's tiles by shelf and group, those that came in this turn marked; nothing for a spectator."""
    if not view.hand.size:
        return []
    fresh = came(view)
    shelves = shelved(view.hand.cards(), sort, arrangement, fresh)
    reading = [tile for shelf in shelves for group in shelf for tile in group]
    shown = iter(marked(reading, view, picked, fresh, newest_last=True))
    return [[[next(shown) for _tile in group] for group in shelf] for shelf in shelves]


def shelved(tiles: list[int], sort: str, arrangement: Sequence[str], new: Counter[int]) -> list[list[Group]]:
    """The tiles on two shelves: as arranged where that is wanted, else by colour or by number.

    Tiles that are `new` in this turn stand last on the lower shelf, unless the player has given them another place.
    """
    if sort == "hand" and any(text in TILES.codes for text in arrangement):
        return _arranged(tiles, arrangement)
    fresh = sorted((Counter(tiles) & new).elements())
    old = sorted((Counter(tiles) - Counter(fresh)).elements())
    if sort == "number":
        upper, lower = _halved(_by_number(old), len(tiles))
    else:
        upper, lower = _balanced(_by_colour(old), len(tiles))
    return [upper, [*lower, fresh] if fresh else lower]


def _arranged(tiles: list[int], arrangement: Sequence[str]) -> list[list[Group]]:
    left = Counter(tiles)
    shelves: list[list[Group]] = [[[]], [[]]]
    shelf = shelves[0]
    for text in arrangement:
        tile = TILES.codes.get(text, -1)
        if text == SHELF:
            shelf = shelves[1]
        elif text == GAP:
            shelf.append([])
        elif left[tile]:
            left[tile] -= 1
            shelf[-1].append(tile)
    shelves[1].append(sorted(left.elements()))
    return [[group for group in groups if group] for groups in shelves]


def _colour(tile: int) -> int:
    return 4 if tile == engine.JOKER else tile // 13


def _by_colour(tiles: list[int]) -> list[Group]:
    return [list(group) for _colour_of, group in groupby(tiles, _colour)]


def _number(tile: int) -> int:
    return 13 if tile == engine.JOKER else tile % 13


def _by_number(tiles: list[int]) -> list[Group]:
    """Tiles of one number are a group, those of numbers held once stand together."""
    groups: list[Group] = []
    for _number_of, same in groupby(sorted(tiles, key=lambda tile: (_number(tile), tile)), _number):
        group = list(same)
        if groups and len(group) == 1 and len({_number(tile) for tile in groups[-1]}) == len(groups[-1]):
            groups[-1] += group
        else:
            groups.append(group)
    return groups


def _halved(groups: list[Group], count: int) -> tuple[list[Group], list[Group]]:
    """The groups in their order on two shelves for `count` tiles, the upper with half of them as nearly as it comes."""
    cut = min(range(len(groups) + 1), key=lambda at: (_off_half(groups[:at], count), -at))
    return groups[:cut], groups[cut:]


def _balanced(groups: list[Group], count: int) -> tuple[list[Group], list[Group]]:
    """The same, but any of the groups, which are few, may stand above."""
    places = range(len(groups))
    picks = [above for size in range(len(groups) + 1) for above in combinations(places, size)]
    best = min(picks, key=lambda above: (_off_half([groups[at] for at in above], count), not above, above))
    return [groups[at] for at in best], [groups[at] for at in places if at not in best]


def _off_half(groups: Sequence[Group], count: int) -> int:
    """How far a shelf is from half of `count` tiles."""
    return abs(2 * sum(map(len, groups)) - count)

"""The finder's way for big hands: one walk down the numbers, the runs of the four suits side by side.

A state is all that the rest of the walk depends on: the runs still open, the aces and jokers left. At each
number every way to lengthen, begin or leave runs is combined with every choice of sets of that number, and of
equal states the best is kept. A run counts from its first card on; one that is never finished falls away at
the end. Walks that keep few states give a floor, and the exact one drops what can no longer reach it.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .openruns import Suit, better, complete, steps
from .sets import Counts, Given, choices, split
from .worth import Worth

BREADTHS = (10, 60, None)
"""States kept at each place, walk by walk; the last walk keeps all."""
FIRST, LAST = 13, 0
"""The places of the ace. It comes first as the high end of runs and in sets, and last as the low end."""

State = tuple[int, int, Counts, int]
"""The open runs of the first two suits and of the other two, by number; the aces and the jokers left."""
Level = dict[State, tuple[int, State | None, Given | None]]
"""By state the most that leads there, the state before, and what went to sets between."""


class Way(NamedTuple):
    """A way of two suits past one place. `hope` is the most it can be worth there, jokers left included."""

    hope: int
    pair: int
    gain: int
    rest: int
    """The cards that did not go to runs, as `_rest` writes them."""
    jokers: int


def _rest(left: tuple[int, int], must: tuple[int, int]) -> int:
    """Cards of two suits left to sets, and those that must go there, as one number."""
    return left[0] | left[1] << 2 | must[0] << 4 | must[1] << 6


class Pairs:
    """The open runs of two suits by number, so that a state is quick to look up."""

    def __init__(self, tight: bool) -> None:
        self.tight = tight
        self.suits: list[tuple[Suit, Suit]] = []
        self._numbers: dict[tuple[Suit, Suit], int] = {}
        self._better: dict[int, list[int]] = {}

    def number(self, first: Suit, second: Suit) -> int:
        """The number of a pair."""
        pair = first, second
        if pair not in self._numbers:
            self._numbers[pair] = len(self.suits)
            self.suits.append(pair)
        return self._numbers[pair]

    def better(self, pair: int) -> list[int]:
        """Pairs with which the rest of the walk is worth no less."""
        if pair not in self._better:
            first, second = self.suits[pair]
            found = [self.number(suit, second) for suit in better(first, self.tight)]
            self._better[pair] = found + [self.number(first, suit) for suit in better(second, self.tight)]
        return self._better[pair]

    def complete(self, pair: int) -> bool:
        """Whether all of a pair's runs may end."""
        return all(complete(suit, self.tight) for suit in self.suits[pair])


@lru_cache(maxsize=2)
def _pairs(tight: bool) -> Pairs:
    return Pairs(tight)


@lru_cache(maxsize=20_000)
def _most_in_sets(left: Counts, must: Counts, jokers: int, tight: bool) -> tuple[tuple[Counts, int], ...]:
    """For each number of jokers that can go to the sets of a number, the most cards that go there with them."""
    best: dict[int, Counts] = {}
    a, b, c, d = [range(least, most + 1) for least, most in zip(must, left, strict=True)]
    for cards in product(a, b, c, d):
        for used in range(jokers + 1):
            if (used not in best or sum(cards) > sum(best[used])) and split(cards, used, tight) is not None:
                best[used] = cards
    return tuple((cards, used) for used, cards in best.items())


class Place:
    """One place of the walk: what suits, and the sets of its number, can do there. Remembers what it was asked."""

    def __init__(self, worth: Worth, place: int) -> None:
        self.number = place % 13
        self.last = place == LAST
        self.run, self.run_joker = worth.run[place], worth.run_joker[place]
        self.set, self.set_joker = worth.set[self.number], worth.set_joker[self.number]
        self.natural = self.run if self.last else max(self.run, self.set)
        """The most that a natural card can be worth here."""
        self.joker = max(*worth.run_joker, *worth.set_joker)
        """The most that a joker can be worth anywhere."""
        self.tight = worth.tight
        self._ways: dict[tuple[int, int, int, int], list[Way]] = {}
        self._sets: dict[int, list[tuple[int, int, Given | None]]] = {}

    def ways(self, pair: int, first: int, second: int, jokers: int) -> list[Way]:
        """Every way of two suits past the place with so many cards there, the most hopeful first."""
        key = pair, first, second, jokers
        if key not in self._ways:
            self._ways[key] = sorted(self._past(*key), reverse=True)
        return self._ways[key]

    def _past(self, pair: int, first: int, second: int, jokers: int) -> list[Way]:
        pairs = _pairs(self.tight)
        one, other = pairs.suits[pair]
        found = []
        for a in steps(one, first, jokers, self.last, self.tight):
            for b in steps(other, second, jokers - a.jokers, self.last, self.tight):
                left = jokers - a.jokers - b.jokers
                gain = (a.naturals + b.naturals) * self.run + (jokers - left) * self.run_joker
                hope = gain + (0 if self.last else a.left + b.left) * self.set + left * self.joker
                rest = _rest((a.left, b.left), (a.must, b.must))
                found.append(Way(hope, pairs.number(a.open, b.open), gain, rest, left))
        return found

    def sets(self, one: int, other: int, jokers: int) -> list[tuple[int, int, Given | None]]:
        """What can go to the sets of the number out of the rests of two ways: jokers left, worth, and what it is."""
        key = one | other << 8 | jokers << 16
        found = self._sets.get(key)
        if found is None:
            left = (one & 3, one >> 2 & 3, other & 3, other >> 2 & 3)
            must = (one >> 4 & 3, one >> 6 & 3, other >> 4 & 3, other >> 6 & 3)
            if self.last:
                return [] if any(must) else [(jokers, 0, None)]
            found = self._sets[key] = [
                (
                    jokers - used,
                    sum(cards) * self.set + used * self.set_joker,
                    Given(self.number, cards, used) if any(cards) else None,
                )
                for cards, used in _most_in_sets(left, must, jokers, self.tight)
            ]
        return found


def sweep(worth: Worth, held: list[Counts], jokers: int) -> list[Given]:
    """What goes to sets where the melds of a hand are worth most. `held` are its cards of each number."""
    start, *places = [Place(worth, place) for place in range(FIRST, LAST - 1, -1)]
    pairs = _pairs(worth.tight)
    first = _first_level(start, held[0], jokers, pairs)
    levels: list[Level] = []
    ends: Level = {}
    floor = 0
    for breadth in BREADTHS:
        levels = [_narrowed(first, worth.run[LAST], start.joker, breadth, pairs)]
        hope = sum(sum(held[place.number]) * place.natural for place in places if not place.last)
        for place in places:
            hope -= 0 if place.last else sum(held[place.number]) * place.natural
            level = _next_level(levels[-1], place, held[place.number], floor - hope, 0 if place.last else worth.run[LAST])
            levels.append(_narrowed(level, worth.run[LAST], place.joker, breadth, pairs))
        ends = {state: found for state, found in levels[-1].items() if pairs.complete(state[0]) and pairs.complete(state[1])}
        floor = max((found[0] for found in ends.values()), default=floor)
    return _way_back(levels, max(ends, key=lambda state: ends[state][0]))


def _first_level(place: Place, held: Counts, jokers: int, pairs: Pairs) -> Level:
    """The states after the high ace: runs can end with it or a joker there, and the sets of aces are settled."""
    found: Level = {}
    none = pairs.number((), ())
    a, b, c, d = held
    for _, one, gain, rest, left in place.ways(none, a, b, jokers):
        for _, other, more, other_rest, still_left in place.ways(none, c, d, left):
            aces = rest & 3, rest >> 2 & 3, other_rest & 3, other_rest >> 2 & 3
            found[one, other, aces, still_left] = gain + more, None, None
            for cards, used in choices(aces, still_left, place.tight):
                fewer = aces[0] - cards[0], aces[1] - cards[1], aces[2] - cards[2], aces[3] - cards[3]
                state = one, other, fewer, still_left - used
                total = gain + more + sum(cards) * place.set + used * place.set_joker
                if state not in found or found[state][0] < total:
                    found[state] = total, None, Given(place.number, cards, used)
    return found


def _next_level(level: Level, place: Place, here: Counts, floor: int, ace: int) -> Level:
    """The states after a place without those that cannot reach the floor, from which what later numbers can bring is
    taken off already; `ace` is what an ace can bring yet."""
    found: Level = {}
    get, sets, joker, dearest = found.get, place.sets, place.joker, place.natural
    for state, (worth, _, _) in level.items():
        first, second, aces, jokers = state
        a, b, c, d = here
        need = floor - sum(aces) * ace
        if place.last:
            a, b, c, d = aces
            aces = (0, 0, 0, 0)
        others: list[list[Way] | None] = [None] * (jokers + 1)
        for hope, one, gain, rest, left in place.ways(first, a, b, jokers):
            if worth + hope + (c + d) * dearest < need:
                break
            so_far = worth + gain
            hoped = worth + hope - left * joker
            ways = others[left]
            if ways is None:
                ways = others[left] = place.ways(second, c, d, left)
            for hope, other, gain, other_rest, left in ways:
                if hoped + hope < need:
                    break
                for remaining, more, given in sets(rest, other_rest, left):
                    total = so_far + gain + more
                    if total + remaining * joker >= need:
                        after = one, other, aces, remaining
                        before = get(after)
                        if before is None or before[0] < total:
                            found[after] = total, state, given
    return found


def _narrowed(level: Level, ace: int, joker: int, breadth: int | None, pairs: Pairs) -> Level:
    """The states to go on with: none that another betters, and the most hopeful where few are wanted."""
    found = {state: entry for state, entry in level.items() if not _bettered(level, state, entry[0], pairs)}
    if breadth is None or len(found) <= breadth:
        return found
    hopeful = sorted(found, key=lambda state: -sum(state[2]) * ace - state[3] * joker - found[state][0])
    return {state: found[state] for state in hopeful[:breadth]}


def _bettered(level: Level, state: State, worth: int, pairs: Pairs) -> bool:
    """Whether another state of the level is worth as much and leaves no less to come."""
    first, second, aces, jokers = state
    get = level.get
    other = get((first, second, aces, jokers + 1))
    if other is not None and other[0] >= worth:
        return True
    for pair in pairs.better(first):
        other = get((pair, second, aces, jokers))
        if other is not None and other[0] >= worth:
            return True
    for pair in pairs.better(second):
        other = get((first, pair, aces, jokers))
        if other is not None and other[0] >= worth:
            return True
    return False


def _way_back(levels: list[Level], end: State) -> list[Given]:
    """What went to sets on the way to a state of the last level."""
    found = []
    state: State | None = end
    for level in reversed(levels):
        if state is None:
            break
        _, state, given = level[state]
        if given is not None:
            found.append(given)
    return found

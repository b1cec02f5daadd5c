"""Tiles laid out as melds by the tight rules of §4.7: whether a hand opens (§4.8, §4.10), and whether it is all melds (§4.14).

Both questions are put to one tile after the other: it stays in hand, or it goes into one of the melds that hold it. Two
facts keep that short. A tile that makes no meld of three with tiles held and one joly makes none at all. And a run of six
or more falls into runs of three to five of the same worth, but for those whose two joly lie in the first or last three places.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from .cards import JOKER, STANDS, SUIT, Hand
from .melds import COLUMN, HIGH_ACE, LOW_ACE, RUN, SET, face_at
from .moves import MELD, Move
from .takes import in_new_melds, sets_of

ONES = COLUMN
HIGH = COLUMN << 9 | COLUMN << 10 | COLUMN << 11 | COLUMN << 12
"""The tiles 10 to 13."""

LACKS_SET, LACKS_RUN, LACKS_JOKER = 1, 2, 4


class Terms(NamedTuple):
    """What an opening must be, or still needs (§4.8): points, a set, a run, and whether a set of 1s is enough by itself."""

    points: int
    needs_set: bool
    needs_run: bool
    ones_open: bool


class Part(NamedTuple):
    """A meld that a hand could lay: its natural faces as bits, its joly, its points in an opening."""

    naturals: int
    jokers: int
    points: int
    kind: str
    cards: tuple[int, ...]


def opening_value(kind: str, position: int) -> int:
    """What a tile counts in an opening (§4.8), a joly as the tile it stands for: `position` in the run, or the set's number."""
    if position == LOW_ACE:
        return 25 if kind == SET else 5
    return 10 if position >= 10 else 5


# -- melds that hold a tile ----------------------------------------------------------------------


def parts(once: int, jokers: int, face: int) -> tuple[Part, ...]:
    """The melds that hold a natural tile of the hand, dearest first; longer runs as their parts."""
    suit, number = divmod(face, 13)
    column = once >> number
    suits = column & 1 | (column >> 13 & 1) << 1 | (column >> 26 & 1) << 2 | (column >> 39 & 1) << 3
    return _parts(suit, number, once >> 13 * suit & SUIT, suits, jokers)


@lru_cache(maxsize=20_000)
def _parts(suit: int, number: int, held: int, suits: int, jokers: int) -> tuple[Part, ...]:
    found = _sets(suit, number, suits, jokers)
    for place in (LOW_ACE, HIGH_ACE) if number == 0 else (number + 1,):
        found += _runs(suit, place, held | (held & 1) << 13, jokers)
    return tuple(sorted(found, key=lambda part: -part.points))


def _sets(suit: int, number: int, suits: int, jokers: int) -> list[Part]:
    partial: list[tuple[int, ...]] = [()]
    for other in range(4):
        face = other * 13 + number
        if other == suit:
            partial = [(*cards, face) for cards in partial]
            continue
        longer = list(partial)
        for cards in partial:
            if suits >> other & 1:
                longer.append((*cards, face))
            if jokers and not any(card >= STANDS for card in cards):
                longer.append((*cards, face + STANDS))
        partial = longer
    points = opening_value(SET, number + 1)
    return [_part(SET, cards, points * len(cards)) for cards in partial if len(cards) >= 3]


def _runs(suit: int, place: int, held: int, jokers: int) -> list[Part]:
    found = []
    for length in range(3, 9):
        for low in range(max(LOW_ACE, place - length + 1), min(place, HIGH_ACE + 1 - length) + 1):
            for standing in _standing(length, jokers):
                found += _run(suit, place, held, low, length, standing)
    return found


def _standing(length: int, jokers: int) -> list[tuple[int, ...]]:
    """Where the joly of a run may lie, counted from its low end, for the runs that are parts."""
    if length > 5:
        return [(0, 2), (length - 3, length - 1)] if jokers >= 2 else []
    return [(), *[(index,) for index in range(length)]] if jokers else [()]


def _run(suit: int, place: int, held: int, low: int, length: int, standing: tuple[int, ...]) -> list[Part]:
    cards = []
    for index in range(length):
        position = low + index
        joker = index in standing
        if (joker and position == place) or not (joker or held >> position - 1 & 1):
            return []
        cards.append(face_at(suit, position) + (STANDS if joker else 0))
    return [_part(RUN, tuple(cards), sum(opening_value(RUN, low + index) for index in range(length)))]


def _part(kind: str, cards: tuple[int, ...], points: int) -> Part:
    naturals = sum(1 << card for card in cards if card < STANDS)
    return Part(naturals, sum(card >= STANDS for card in cards), points, kind, cards)


# -- opening -------------------------------------------------------------------------------------


@lru_cache(maxsize=4_000)
def opening(hand: Hand, terms: Terms, card: int | None = None) -> tuple[Move, ...] | None:
    """Melds of the hand that open, use `card` (a face held, or JOKER) and leave a tile to discard; None where there are none."""
    once, twice, jokers = hand
    lacks = (LACKS_RUN if terms.needs_run else 0) | (LACKS_SET if terms.needs_set else 0)
    failed: dict[tuple[int, int, int, int, bool], int] = {}
    if card is None or card == JOKER:
        found = _opens(once, twice, jokers, terms.points, lacks | (LACKS_JOKER if card == JOKER else 0), False, terms, failed)
    else:
        found = _with(parts(once, jokers, card), once, twice, jokers, terms.points, lacks, False, terms, failed)
    return None if found is None else tuple([Move(MELD, 0, cards) for cards in found])


_Melds = tuple[tuple[int, ...], ...]


def _opens(
    once: int,
    twice: int,
    jokers: int,
    points: int,
    lacks: int,
    spare: bool,
    terms: Terms,
    failed: dict[tuple[int, int, int, int, bool], int],
) -> _Melds | None:
    """The melds still to lay for `points` more and what an opening `lacks`; `spare` where a tile stays in hand already."""
    if points <= 0 and not lacks and (spare or once or jokers):
        return ()
    useful = once & in_new_melds(once, min(jokers, 1))
    if useful != once:
        once, twice, spare = useful, twice & useful, True
    if not once or _most(once, twice, jokers) < points or (lacks & LACKS_SET and not sets_of(once, min(jokers, 1))):
        return None
    key = (once, twice, jokers, lacks, spare)
    if failed.get(key, points + 1) <= points:
        return None
    lowest = once & -once
    found = _with(parts(once, jokers, lowest.bit_length() - 1), once, twice, jokers, points, lacks, spare, terms, failed)
    if found is None:
        found = _opens(once & ~lowest, twice & ~lowest, jokers, points, lacks, True, terms, failed)
    if found is None:
        failed[key] = points
    return found


def _with(
    melds: tuple[Part, ...], once: int, twice: int, jokers: int, points: int, lacks: int, spare: bool, terms: Terms,
    failed: dict[tuple[int, int, int, int, bool], int],
) -> _Melds | None:  # fmt: skip
    """The same with one of these melds laid first."""
    for part in melds:
        less = lacks & ~(LACKS_SET if part.kind == SET else LACKS_RUN)
        more = points - part.points
        if part.jokers:
            less &= ~LACKS_JOKER
        if terms.ones_open and part.kind == SET and part.cards[0] % STANDS % 13 == 0:
            less, more = less & LACKS_JOKER, 0
        naturals = part.naturals
        rest = _opens(
            once & ~(naturals & ~twice), twice & ~naturals, jokers - part.jokers, max(more, 0), less, spare, terms, failed
        )
        if rest is not None:
            return (part.cards, *rest)
    return None


def _most(once: int, twice: int, jokers: int) -> int:
    """As many points as tiles could count in an opening at most: a 1 and a joly 10, or 25 where a set of 1s can be made."""
    best = 25 if sets_of(once, min(jokers, 1)) & 1 else 10
    ones, high = ((once & face).bit_count() + (twice & face).bit_count() for face in (ONES, HIGH))
    return best * (ones + jokers) + 10 * high + 5 * (once.bit_count() + twice.bit_count() - ones - high)


# -- all melds -----------------------------------------------------------------------------------


@lru_cache(maxsize=20_000)
def all_melds(once: int, twice: int, jokers: int, sets_only: bool = False) -> _Melds | None:
    """The melds that a hand falls into with no tile left over, or None; of sets alone where asked."""
    if not once:
        return None if jokers else ()
    if once & ~in_new_melds(once, min(jokers, 1)):
        return None
    for part in parts(once, jokers, (once & -once).bit_length() - 1):
        if not sets_only or part.kind == SET:
            rest = all_melds(once & ~(part.naturals & ~twice), twice & ~part.naturals, jokers - part.jokers, sets_only)
            if rest is not None:
                return (part.cards, *rest)
    return None

"""The board game's hands (rules §4.14): which of its six types 14 tiles are, and what that type counts."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from .cards import SUIT, Hand, remove
from .packing import all_melds


class Board(NamedTuple):
    """A type of the board game, by its Romanian name, and its points."""

    name: str
    points: int


@lru_cache(maxsize=4_000)
def dearest(hand: Hand) -> Board | None:
    """The dearest type that these tiles are; None where they are none, or not 14."""
    if hand.size != 14:
        return None
    return next((board for board, fits in _TYPES if fits(hand)), None)


def _monocolor(hand: Hand) -> bool:
    """1, 2, …, 13, 1 of one colour."""
    return any(hand == Hand(SUIT << 13 * suit, 1 << 13 * suit, 0) for suit in range(4))


def _duble(hand: Hand) -> bool:
    """Seven doubles."""
    return hand.once == hand.twice and not hand.jokers


def _bicolor(hand: Hand) -> bool:
    """Two runs, one colour each, two colours."""
    colours = [hand.once >> 13 * suit & SUIT for suit in range(4)]
    held = [colour for colour in colours if colour]
    return not hand.twice and not hand.jokers and len(held) == 2 and all(_one_run(colour) for colour in held)


def _one_run(colour: int) -> bool:
    """Whether the numbers of a colour, each once, are one run (§1.5: the 1 low or high)."""
    high = colour & ~1 | 1 << 13 if colour & 1 else colour
    return any(_gapless(run) and run.bit_count() >= 3 for run in (colour, high))


def _gapless(run: int) -> bool:
    run //= run & -run
    return not run & run + 1


def _mozaic(hand: Hand) -> bool:
    """1, 2, …, 13, 1: the first four in four colours, no two neighbours of 5…13 of one, the last 1 not of the first 1's."""
    if hand.jokers or hand.twice:
        return False
    colours = [[suit for suit in range(4) if hand.once >> 13 * suit + number & 1] for number in range(13)]
    if [len(held) for held in colours] != [2] + [1] * 12:
        return False
    second, third, fourth = (colours[number][0] for number in (1, 2, 3))
    if any(colours[number] == colours[number + 1] for number in range(4, 12)):
        return False
    return any(len({first, second, third, fourth}) == 4 for first in colours[0])


def _bete(hand: Hand) -> bool:
    """Two sets of four and two of three: what 14 tiles that are sets alone must be."""
    return all_melds(*hand, sets_only=True) is not None


def _simplu(hand: Hand) -> bool:
    """Sets and runs, any."""
    return all_melds(*hand) is not None


_TYPES: tuple[tuple[Board, Callable[[Hand], bool]], ...] = (
    (Board("monocolor", 1500), _monocolor),
    (Board("duble", 1300), _duble),
    (Board("bicolor", 1200), _bicolor),
    (Board("mozaic", 1000), _mozaic),
    (Board("bete", 700), _bete),
    (Board("simplu", 500), _simplu),
)
BOARDS = tuple([board for board, _ in _TYPES])
"""Every type, the dearest first."""


def closing(hand: Hand) -> list[int]:
    """The tiles of a hand of 15 whose discard leaves a board game, each once."""
    return [card for card in dict.fromkeys(hand.cards()) if dearest(less(hand, card)) is not None]


def less(hand: Hand, card: int) -> Hand:
    """The hand without one tile that it holds."""
    after = remove(hand, (card,))
    assert after is not None
    return after

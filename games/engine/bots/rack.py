"""What a rack of tiles is worth to whoever keeps it: an estimate in points, and how near it is to a board game (§4.14)."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, permutations
from typing import NamedTuple

from .. import finder
from ..cards import SUIT, Hand, plain, remove
from ..melds import HIGH_ACE, LOW_ACE, Meld, read
from ..moves import MELD, Move
from ..rules import Rules
from .outlook import Outlook, prospects

CERTAIN = 0.85
"""What a tile of a whole meld that is still in hand counts, of all it can bring: it will be laid, most likely."""
JOLY_KEPT = 20.0
"""What a joly brings that waits for its meld: it helps others, it may close, and it counts 50 where it stays in hand."""


def melded(rules: Rules, hand: Hand, keeps: int = 0) -> tuple[Move, ...]:
    """The melds of a rack that bring most, with a tile left to discard; that many of its joly are kept."""
    whole = _melds(rules, hand._replace(jokers=hand.jokers - keeps))
    if sum(len(move.cards) for move in whole) < hand.size:
        return whole
    # one tile less, of a meld that is still one without it, or else one meld less
    lesser = [(*whole[:at], *shorter, *whole[at + 1 :]) for at, move in enumerate(whole) for shorter in [*_shorter(move), ()]]
    return max(lesser, key=lambda melds: _worth(rules, melds), default=())


def _shorter(move: Move) -> list[tuple[Move]]:
    less = [move.cards[1:], move.cards[:-1]]
    return [(Move(MELD, 0, cards),) for cards in less if read(cards, True) is not None]


@lru_cache(maxsize=4_000)
def _melds(rules: Rules, hand: Hand) -> tuple[Move, ...]:
    return tuple(finder.best_melds(rules, hand, value=finder.SAVED)[1])


def _worth(rules: Rules, melds: tuple[Move, ...]) -> int:
    return sum(2 * rules.hand_value(tile) for move in melds for tile in move.cards)


def without(hand: Hand, melds: tuple[Move, ...]) -> Hand:
    """A rack less the tiles of some of its melds."""
    rest = remove(hand, [plain(tile) for move in melds for tile in move.cards])
    assert rest is not None
    return rest


def keep(rules: Rules, out: Outlook, hand: Hand, on_table: tuple[Meld, ...]) -> float:
    """What a rack is worth to its seat: whole melds nearly all they can bring, other tiles what they may come to."""
    melds = _melds(rules, hand)
    rest = without(hand, melds)
    return CERTAIN * _worth(rules, melds) - rules.in_hand(hand) + rules.in_hand(rest) + loose(out, rest, on_table)


def loose(out: Outlook, rest: Hand, on_table: tuple[Meld, ...]) -> float:
    """What tiles outside of any meld are worth."""
    return prospects(out, rest._replace(jokers=0), on_table) + JOLY_KEPT * rest.jokers


# -- the board game --------------------------------------------------------------------------------


class Aim(NamedTuple):
    """A type of the board game, and how many of 14 tiles are there for it."""

    held: int
    points: int


@lru_cache(maxsize=20_000)
def aims(rules: Rules, hand: Hand) -> tuple[Aim, ...]:
    """How near a rack is to each type worth aiming at."""
    simplu = finder.best_melds(rules, hand, value=finder.CARDS)[0]
    doubles = 2 * hand.twice.bit_count() + min(7 - hand.twice.bit_count(), (hand.once & ~hand.twice).bit_count())
    colours = [hand.once >> 13 * suit & SUIT for suit in range(4)]
    monocolor = max(colour.bit_count() + (hand.twice >> 13 * suit & colour & 1) for suit, colour in enumerate(colours))
    return (
        Aim(min(simplu, 14), 500),
        Aim(_bicolor(colours), 1200),
        Aim(_mozaic(colours), 1000),
        Aim(doubles, 1300),
        Aim(monocolor, 1500),
    )


def _bicolor(colours: list[int]) -> int:
    """The most tiles of two colours that lie in two runs of 14 tiles together."""
    runs = [_runs(colour) for colour in colours]
    return max(one[length] + other[14 - length] for one, other in combinations(runs, 2) for length in range(3, 12))


@lru_cache(maxsize=8_192)
def _runs(colour: int) -> tuple[int, ...]:
    """By length, the most tiles of a colour that lie in one run so long."""
    places = colour | (colour & 1) << 13
    found = [0] * 15
    for length in range(3, 12):
        run = (1 << length) - 1
        found[length] = max((places >> low - 1 & run).bit_count() for low in range(LOW_ACE, HIGH_ACE - length + 2))
    return tuple(found)


def _mozaic(colours: list[int]) -> int:
    """The most tiles of a row 1, 2, …, 13, 1 whose colours are as a mozaic asks."""
    fours = 0
    for order in permutations(range(4)):
        held = sum(colours[suit] >> number & 1 for number, suit in enumerate(order))
        last = any(colours[suit] & 1 for suit in range(4) if suit != order[0])
        fours = max(fours, held + last)
    best = [0] * 4
    for number in range(4, 13):
        best = [(colours[suit] >> number & 1) + (max(best[:suit] + best[suit + 1 :]) if number > 4 else 0) for suit in range(4)]
    return fours + max(best)

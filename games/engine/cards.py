"""Cards and tiles as numbers, their text, and hands of them.

A *face* is `suit * 13 + number - 1`: 0…51, for cards (suits S H D C, numbers A…K) and tiles (colours
R Y B K, numbers 1…13) alike. A joker is JOKER, 52. Laid on the table it stands for a face f and is
written f + STANDS. Nothing here knows of melds, turns or values.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

JOKER = 52
STANDS = 64
"""Added to a face: a laid joker that stands for it."""
FACES = (1 << 52) - 1
SUIT = (1 << 13) - 1
"""The 13 bits of one suit, once shifted down by 13 × suit."""
SUITS = tuple(SUIT << 13 * suit for suit in range(4))
"""The bits of each suit where they stand."""


class Alphabet(NamedTuple):
    """How a game writes its cards (docs/notation.md, "Cards")."""

    numbers: tuple[str, ...]
    suits: str
    texts: tuple[str, ...]
    """Text by number: of faces, of the joker at JOKER, of jokers that stand for a face."""
    codes: dict[str, int]
    """The way back from the text."""


def _alphabet(numbers: Iterable[str], suits: str) -> Alphabet:
    numbers = tuple(numbers)
    faces = [number + suit for suit in suits for number in numbers]
    texts = [*faces, "*"] + [""] * (STANDS - JOKER - 1) + ["*" + face for face in faces]
    codes = {text: code for code, text in enumerate(texts) if text}
    return Alphabet(numbers, suits, tuple(texts), codes)


CARDS = _alphabet("A23456789TJQK", "SHDC")
TILES = _alphabet((str(number) for number in range(1, 14)), "RYBK")


def pack(copies: int, jokers: int) -> list[int]:
    """Every card of a game in the order that a shuffle starts from: faces upwards, then jokers."""
    return sorted(list(range(52)) * copies) + [JOKER] * jokers


class Hand(NamedTuple):
    """Cards held, as bits: faces held at least once, faces held twice, and the number of jokers.

    Cards of one face are interchangeable (rules §1.8), so this loses nothing.
    """

    once: int = 0
    twice: int = 0
    jokers: int = 0

    @property
    def size(self) -> int:
        """The number of cards held."""
        once, twice, jokers = self
        return once.bit_count() + twice.bit_count() + jokers

    def copies(self, card: int) -> int:
        """How many of a face (or of JOKER) are held."""
        if card == JOKER:
            return self.jokers
        return (self.once >> card & 1) + (self.twice >> card & 1)

    def cards(self) -> list[int]:
        """The cards in ascending order, jokers last."""
        found = bits(self.once)
        if self.twice:
            found = sorted(found + bits(self.twice))
        return found + [JOKER] * self.jokers


EMPTY = Hand()


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def add(hand: Hand, cards: Iterable[int]) -> Hand:
    """The hand with these cards more."""
    once, twice, jokers = hand
    for card in cards:
        if card == JOKER:
            jokers += 1
        elif once >> card & 1:
            twice |= 1 << card
        else:
            once |= 1 << card
    return Hand(once, twice, jokers)


@lru_cache(maxsize=50_000)
def tally(cards: tuple[int, ...]) -> Hand:
    """These cards as a hand, a laid joker as a joker. Remembered, for the cards of moves come again and again."""
    return add(EMPTY, [plain(card) for card in cards])


def remove(hand: Hand, cards: Iterable[int]) -> Hand | None:
    """The hand without these cards (a laid joker is a joker in it), or None where it does not hold them all."""
    once, twice, jokers = hand
    one, both, jokers_less = tally(tuple(cards))
    if one & ~once or both & ~twice or jokers_less > jokers:
        return None
    return Hand((once & ~one | twice & one) & ~both, twice & ~one, jokers - jokers_less)


def drop(hand: Hand, card: int) -> Hand | None:
    """The hand without one card, or None where it does not hold it."""
    once, twice, jokers = hand
    if card == JOKER:
        return Hand(once, twice, jokers - 1) if jokers else None
    bit = 1 << card
    if twice & bit:
        return Hand(once, twice ^ bit, jokers)
    return Hand(once ^ bit, twice, jokers) if once & bit else None


def forget(hand: Hand, cards: Iterable[int]) -> Hand:
    """The hand without those of these cards that it holds (for what is known of a hand)."""
    if hand == EMPTY:
        return hand
    once, twice, jokers = hand
    one, both, jokers_less = tally(tuple(cards))
    return Hand((once & ~one | twice & one) & ~both, twice & ~one, max(0, jokers - jokers_less))


def plain(card: int) -> int:
    """The card as it is in a hand: a laid joker is just a joker there."""
    return JOKER if card >= STANDS else card

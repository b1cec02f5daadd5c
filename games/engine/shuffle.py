"""The shuffle: a deck from a seed, by an algorithm that anyone can repeat.

`remi-shuffle/1`. The pack in its canonical order (`Rules.pack`: faces upwards by suit and number, each as
often as the game has it, then the jokers) is shuffled by Fisher and Yates: for i from the last place down
to the second, swap places i and j, with j drawn evenly from 0…i (places counted from 0). The draws read a
stream of 32-bit numbers, big-endian, out of the blocks SHA-256("remi-shuffle/1" ‖ seed ‖ block number as
8 bytes, big-endian), block numbers from 0. A number x counts for i only below the greatest multiple of i + 1
that is not above 2^32, else the next is read, so no place is favoured; then j = x mod (i + 1).

The engine makes no seed: that is for whoever deals, from a source fit for secrets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from .rules import Rules

ALGORITHM = "remi-shuffle/1"
SEED_BYTES = 32


def shuffled(rules: Rules, seed: bytes) -> list[int]:
    """The deck in dealing order that a seed of 32 bytes gives. Raises ValueError for another length."""
    if len(seed) != SEED_BYTES:
        raise ValueError("a seed has 32 bytes")
    deck = rules.pack()
    numbers = _numbers(seed)
    for i in range(len(deck) - 1, 0, -1):
        j = below(i + 1, numbers)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def seed_of(text: str) -> bytes:
    """A seed from any text: its SHA-256. For tests and the command line, not for play."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()


def deck_text(rules: Rules, deck: list[int]) -> str:
    """The deck as a record writes it."""
    return " ".join(rules.alphabet.texts[card] for card in deck)


def _numbers(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(ALGORITHM.encode() + seed + block.to_bytes(8, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def below(bound: int, numbers: Iterator[int]) -> int:
    """A number from 0 up to, not including, `bound`, each as likely, out of a stream of 32-bit numbers."""
    limit = 2**32 - 2**32 % bound
    return next(number for number in numbers if number < limit) % bound

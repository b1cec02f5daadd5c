"""The shuffle: a deck from a seed, by an algorithm that anyone can repeat (docs/shuffle.md).

`remi-shuffle/1`, a deck from 32 bytes. The pack in its canonical order (`Rules.pack`: faces upwards by suit and number, each as
often as the game has it, then the jokers) is shuffled by Fisher and Yates: for i from the last place down
to the second, swap places i and j, with j drawn evenly from 0…i (places counted from 0). The draws read a
stream of 32-bit numbers, big-endian, out of the blocks SHA-256("remi-shuffle/1" ‖ seed ‖ block number as
8 bytes, big-endian), block numbers from 0. A number x counts for i only below the greatest multiple of i + 1
that is not above 2^32, else the next is read, so no place is favoured; then j = x mod (i + 1).

`remi-shuffle/2`, a deck from a seed that was sealed and from what players add. The 32 bytes from which the deck is made
as above are the key: the seed where nobody added anything, else SHA-256("remi-shuffle/2" ‖ seed ‖ what each seat added: the
seat as 1 byte ‖ its length as 2 bytes, big-endian ‖ its UTF-8 bytes), in order of the seats, those that added nothing left out.
Before anybody adds, SHA-256(seed ‖ id of the deal ‖ "remi-shuffle/2") is told: the seal. When the deal is dealt,
SHA-256("remi-shuffle/2 key" ‖ key) is.

The engine makes no seed: that is for whoever deals, from a source fit for secrets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from .rules import Rules

PLAIN, SEALED = "remi-shuffle/1", "remi-shuffle/2"
SEED_BYTES = 32

Contributions = Sequence[str | None]
"""What each seat adds to a shuffle, if anything."""


def shuffled(rules: Rules, key: bytes) -> list[int]:
    """The deck in dealing order that 32 bytes give. Raises ValueError for another length."""
    if len(key) != SEED_BYTES:
        raise ValueError("a seed has 32 bytes")
    deck = rules.pack()
    numbers = _numbers(key)
    for i in range(len(deck) - 1, 0, -1):
        j = below(i + 1, numbers)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def key_of(seed: bytes, contributions: Contributions = ()) -> bytes:
    """The key of a deck from a seed and what was added to it."""
    if not any(contributions):
        return seed
    told = b"".join(_told(seat, text) for seat, text in enumerate(contributions) if text)
    return hashlib.sha256(SEALED.encode() + seed + told).digest()


def _told(seat: int, text: str) -> bytes:
    data = text.encode()
    return bytes([seat]) + len(data).to_bytes(2, "big") + data


def deal_id(code: str, number: int) -> str:
    """The name of a deal: the code of its table, `#`, its number from 0."""
    return f"{code}#{number}"


def seal(seed: bytes, deal: str) -> str:
    """What is told of a seed before the deal of that id: no other seed has it, and it tells nothing of this one."""
    return hashlib.sha256(seed + deal.encode() + SEALED.encode()).hexdigest()


def key_print(key: bytes) -> str:
    """What is told of a key when its deal begins: what was added can be changed no more."""
    return hashlib.sha256(f"{SEALED} key".encode() + key).hexdigest()


def seed_of(text: str) -> bytes:
    """A seed from any text: its SHA-256. For tests and the command line, not for play."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()


def deck_text(rules: Rules, deck: list[int]) -> str:
    """The deck as a record writes it."""
    return " ".join(rules.alphabet.texts[card] for card in deck)


def _numbers(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(PLAIN.encode() + key + block.to_bytes(8, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def below(bound: int, numbers: Iterator[int]) -> int:
    """A number from 0 up to, not including, `bound`, each as likely, out of a stream of 32-bit numbers."""
    limit = 2**32 - 2**32 % bound
    return next(number for number in numbers if number < limit) % bound

"""The shuffle: the same deck from the same seed for ever, every place as likely (docs/shuffle.md)."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import deal_id, deck_text, key_of, key_print, rules_for, seal, seed_of, shuffled
from games.engine.shuffle import below

VECTOR = bytes(range(32))
ONE_PACK = (
    "6C AS 3H 8D 5D * 5C TD 9C QS KH 8S QD KC AD KS TC 4S JD 2D 7D 4D JH 3S KD 8C JS "
    "6S 7C AC 2S 2C * 4C 5H QC 9H 8H 7S 3C TH 6D 9D JC 7H AH 6H QH 3D 9S 2H TS 4H 5S"
)
TWO_PACKS = (
    "QD TH QH JC JS 9S 9C 3S AD 5S 2C AH 6S 7H 7C 8C * 7H 5D AH 9H QC 6H KD AS 2H JH "
    "6D KD KH 8C JC 2C JD KC 4S 4H * 7D 5S 4H AC 8D 6H AD TS KS 3C 3H TC 6C KC 6S TH "
    "8H 5H 4S 5H 3S 2S AC * QD 8S 9H TD 8S 6D 8H 2H 3H 3C 5C TD 2D KS 9D 9D 2S 6C 7D "
    "8D 3D 5C TC 2D QS 4C 3D KH 4D QC 7S 7C 5D 7S QH JH JD 9S JS 4C 9C AS QS * TS 4D"
)


def test_a_fixed_seed_gives_a_fixed_deck() -> None:
    one, two = rules_for("remi500", 4), rules_for("remi500", 5)
    assert deck_text(one, shuffled(one, VECTOR)) == ONE_PACK
    assert deck_text(two, shuffled(two, VECTOR)) == TWO_PACKS


def test_the_deck_follows_from_the_seed_by_the_algorithm_as_it_is_described() -> None:
    """Written anew from docs/shuffle.md, in the plainest way."""
    stream = b"".join(hashlib.sha256(b"remi-shuffle/1" + VECTOR + number.to_bytes(8, "big")).digest() for number in range(99))
    numbers = [int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4)]
    deck = [number + suit for suit in "SHDC" for number in "A23456789TJQK"] + ["*", "*"]
    for i in range(53, 0, -1):
        while numbers[0] >= 2**32 // (i + 1) * (i + 1):
            del numbers[0]
        j = numbers.pop(0) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    assert " ".join(deck) == ONE_PACK


def test_numbers_that_would_favour_low_places_are_passed_over() -> None:
    last_fair = 2**32 // 54 * 54 - 1
    assert below(54, iter([2**32 - 1, last_fair + 1, last_fair, 0])) == 53
    assert below(64, iter([2**32 - 1])) == 63


def test_both_card_games_shuffle_alike_and_a_deck_is_exactly_the_pack() -> None:
    remi, rami = rules_for("remi500", 2), rules_for("rami500", 2)
    assert shuffled(remi, VECTOR) == shuffled(rami, VECTOR)
    for seats in (2, 8):
        rules = rules_for("remi500", seats)
        assert sorted(shuffled(rules, VECTOR)) == sorted(rules.pack())


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_of_another_length_is_refused(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        shuffled(rules_for("remi500", 4), seed)


def test_one_bit_of_the_seed_gives_another_deck() -> None:
    rules = rules_for("remi500", 4)
    decks = {tuple(shuffled(rules, (1 << bit).to_bytes(32, "big"))) for bit in range(256)}
    assert len(decks) == 256


def test_every_card_is_as_likely_in_every_place() -> None:
    """Chi-squared over 3,000 fixed seeds; 53 degrees of freedom, so above 100 but once in ten thousand times."""
    rules = rules_for("remi500", 4)
    decks = [shuffled(rules, seed_of(f"place {number}")) for number in range(3_000)]
    expected = len(decks) / 54
    for card in (0, 25, 51):
        places = Counter(deck.index(card) for deck in decks)
        assert sum((places[place] - expected) ** 2 / expected for place in range(54)) < 100
    followers = Counter(deck[deck.index(0) + 1] for deck in decks if deck.index(0) < 53)
    fair = sum(followers.values()) / 53
    assert sum((followers[card] - fair) ** 2 / fair for card in range(1, 52)) < 100


# -- remi-shuffle/2 -----------------------------------------------------------------------------

ADDED = ["three blue ducks", None, "ț"]


def test_the_vectors_of_the_sealed_shuffle_hold() -> None:
    key = key_of(VECTOR, ADDED)
    assert seal(VECTOR, deal_id("abcdefghjkmnpq", 0)) == "82c476580ef8c5c2ea1d8d0396f5aee2b83afd62727f4b82118d608fae720860"
    assert key.hex() == "41161af05f6d4bba66015ae6f11ca94da50a6645411ac7fd2ed3b3773fb7ba9d"
    assert key_print(key) == "d5c9407b8d76ccf2bd54f64e14ce187ccf7120b8ba46ab83bd0b41fc16540fdb"
    one = rules_for("remi500", 4)
    assert deck_text(one, shuffled(one, key)).startswith("JC 4S JH JD 7C QH QS AS ")


def test_seal_key_and_print_follow_as_they_are_described() -> None:
    """Written anew from docs/shuffle.md."""
    told = b"remi-shuffle/2" + VECTOR + b"\0\0\x10three blue ducks" + b"\2\0\2" + "ț".encode()
    key = hashlib.sha256(told).digest()
    assert key_of(VECTOR, ADDED) == key
    assert key_print(key) == hashlib.sha256(b"remi-shuffle/2 key" + key).hexdigest()
    assert seal(VECTOR, "table#12") == hashlib.sha256(VECTOR + b"table#12" + b"remi-shuffle/2").hexdigest()


@pytest.mark.parametrize("nothing", [[], [None, None], ["", None]])
def test_where_nobody_adds_anything_the_key_is_the_seed(nothing: list[str | None]) -> None:
    assert key_of(VECTOR, nothing) == VECTOR


@given(*[st.lists(st.none() | st.text(st.characters(codec="utf-8"), max_size=64), max_size=8)] * 2)
def test_whoever_adds_anything_else_makes_another_key(one: list[str | None], other: list[str | None]) -> None:
    def said(added: list[str | None]) -> dict[int, str]:
        return {seat: text for seat, text in enumerate(added) if text}

    assert (key_of(VECTOR, one) == key_of(VECTOR, other)) == (said(one) == said(other))

"""What cards are called."""

import pytest
from django.utils import translation

from games.cardnames import CARD_RANKS, CARD_SUITS, TILE_COLOURS, TILE_NUMBERS, card_label, card_name, parse_face


@pytest.mark.parametrize(
    ("text", "en", "ro", "fr"),
    [
        ("7H", "7 of hearts", "7 de cupă", "7 de cœur"),
        ("TD", "10 of diamonds", "10 de caro", "10 de carreau"),
        ("AS", "ace of spades", "as de pică", "as de pique"),
        ("QC", "queen of clubs", "damă de treflă", "dame de trèfle"),
        ("KH", "king of hearts", "popă de cupă", "roi de cœur"),
        ("*", "joker", "joker", "joker"),
        ("*JH", "joker as jack of hearts", "joker în loc de valet de cupă", "joker en valet de cœur"),
        ("12K", "black 12", "12 negru", "12 noir"),
        ("*1R", "joly as red 1", "joly în loc de 1 roșu", "joly en 1 rouge"),
    ],
)
def test_a_card_has_its_name_in_each_language(text: str, en: str, ro: str, fr: str) -> None:
    named = []
    for language in ("en", "ro", "fr"):
        with translation.override(language):
            named.append(card_name(text))

    assert named == [en, ro, fr]


@pytest.mark.parametrize("text", ["", "7", "H", "1H", "TR", "14K", "0K", "7h", "**", "*7", "7H ", "SRH", "<b>"])
def test_what_is_no_card_has_no_name(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        card_name(text)


def test_every_card_and_tile_has_a_name_of_its_own() -> None:
    cards = [rank + suit for rank in CARD_RANKS for suit in CARD_SUITS]
    tiles = [number + colour for number in TILE_NUMBERS for colour in TILE_COLOURS]

    assert len({card_name(text) for text in cards + tiles}) == 104
    assert all(parse_face(text).is_tile for text in tiles)


def test_the_label_says_what_the_picture_shows() -> None:
    with translation.override("en"):
        assert card_label("KH", by="Ana") == "king of hearts, laid by Ana"
        assert card_label("7H", new=True, must=True) == "7 of hearts, new this turn, must be used this turn"
        assert card_label("7H", can=True) == "7 of hearts, may be taken"

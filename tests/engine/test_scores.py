"""What cards are worth, and the score of a deal: §1.14, §2.7, §2.8, §3.6, §3.7."""

import pytest

from games.engine import rules_for

from .builders import both_games, hand, play, position

LAID = [
    # cards, Remi 500, Rami 500
    ("2H 3H 4H", 9, 9),
    ("7H 8H 9H", 24, 24),
    ("8H 9H TH", 27, 27),
    ("TH JH QH KH", 40, 40),
    ("5S 5D 5C", 15, 15),
    ("TS TH TD TC", 40, 40),
    ("KS KH KD", 30, 30),
    ("AS 2S 3S", 6, 6),
    ("QD KD AD", 35, 31),
    ("AS AH AD", 45, 3),
    ("AS AH AD AC", 60, 4),
    ("*2H 3H 4H", 22, 9),
    ("7H *8H 9H", 31, 24),
    ("QS *QH QD", 35, 30),
    ("*AS 2S 3S", 20, 6),
    ("QD KD *AD", 35, 31),
    ("AS *AH *AD", 45, 3),
    ("*KD *QD AD", 45, 31),
]


@pytest.mark.parametrize(("cards", "remi", "rami"), LAID)
def test_a_meld_brings_the_points_of_its_cards(cards: str, remi: int, rami: int) -> None:
    in_hand = " ".join("*" if card.startswith("*") else card for card in cards.split())
    for variant, points in (("remi500", remi), ("rami500", rami)):
        deal = position(variant, hands=[f"{in_hand} 6C", "3C"], stock="9C")
        assert play(deal, f"S M:{cards.replace(' ', ',')}").laid == (points, 0)


LAID_OFF = [
    # meld, card, Remi 500, Rami 500
    ("2S 3S 4S", "AS", 1, 1),
    ("JS QS KS", "AS", 15, 11),
    ("AH AD AC", "AS", 15, 1),
    ("7H 8H 9H", "TH", 10, 10),
    ("7H 8H 9H", "6H", 6, 6),
    ("7S 7D 7C", "7H", 7, 7),
    ("7H 8H 9H", "*TH", 15, 10),
    ("7H 8H 9H", "*6H", 15, 6),
    ("2S 3S 4S", "*AS", 15, 1),
    ("JS QS KS", "*AS", 15, 11),
    ("AH AD AC", "*AS", 15, 1),
]


@pytest.mark.parametrize(("meld", "card", "remi", "rami"), LAID_OFF)
def test_a_card_laid_off_brings_what_it_is_worth_there(meld: str, card: str, remi: int, rami: int) -> None:
    for variant, points in (("remi500", remi), ("rami500", rami)):
        in_hand = "*" if card.startswith("*") else card
        deal = position(variant, hands=[f"{in_hand} 6C", "3C"], melds=[(1, meld)], stock="9C")
        assert play(deal, f"S L:1:{card}").laid[0] == points


IN_HAND = [("2S 5D 9C", 16), ("TS", 10), ("JS QD KC", 30), ("AS", 15), ("AS AH", 30), ("*", 15), ("* *", 30), ("", 0)]


@pytest.mark.parametrize(("cards", "points"), IN_HAND)
@both_games
def test_a_hand_counts_against_its_seat(variant: str, cards: str, points: int) -> None:
    assert rules_for(variant, 2).in_hand(hand(cards)) == points


@both_games
def test_the_score_is_cards_laid_less_cards_in_hand(variant: str) -> None:
    deal = position(variant, hands=["7H 8H", "AS * KD 4C", "2S"], melds=[(2, "5S 5D 5C")], stock="9H 2D")
    deal = play(deal, "S M:7H,8H,9H")
    assert deal.laid == (24, 0, 15)
    assert deal.scores == (24, -44, 13)


@both_games
def test_there_is_no_score_while_the_deal_lasts(variant: str) -> None:
    assert position(variant, hands=["7H 8H", "3C"]).scores is None


@both_games
def test_a_card_laid_off_on_anothers_meld_counts_for_its_player_at_the_end(variant: str) -> None:
    deal = position(variant, hands=["6H", "3C"], melds=[(1, "7H 8H 9H")], stock="5H 2D")
    assert play(deal, "S L:1:6H,5H").scores == (11, 24 - 3)

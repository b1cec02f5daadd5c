"""The turn that the server plays when time is up: §1.11."""

import pytest

from .builders import both_games, held, play, position, row, table


@both_games
def test_a_turn_not_begun_draws_and_discards_the_card_drawn(variant: str) -> None:
    deal = play(position(variant, hands=["2S KD", "3C"], row="4S", stock="6C 7C"), "T")
    assert (held(deal, 0), row(deal), deal.to_move) == ("2S KD", "4S 6C", 1)


@both_games
def test_the_card_drawn_goes_though_dearer_ones_are_in_hand(variant: str) -> None:
    deal = play(position(variant, hands=["AS KD", "3C"], stock="2C 7C"), "S T")
    assert row(deal) == "2C"


@both_games
def test_what_was_laid_stays_where_nothing_is_owed(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H 9H KD 2S", "3C"], stock="6C 7C"), "S M:7H,8H,9H T")
    assert (table(deal), row(deal), held(deal, 0)) == (["7H 8H 9H"], "6C", "2S KD")


@both_games
def test_a_take_that_was_used_stays(variant: str) -> None:
    deal = position(variant, hands=["8H 9H KD 2S", "3C"], row="7H 4S", stock="6C 7C")
    deal = play(deal, "P2 M:7H,8H,9H T")
    assert (table(deal), row(deal), held(deal, 0)) == (["7H 8H 9H"], "KD", "2S 4S")


@both_games
def test_with_a_card_still_to_be_used_the_whole_turn_is_taken_back(variant: str) -> None:
    deal = position(variant, hands=["8H 9H 4D 4C KD 2S", "3C"], row="7H 4S", stock="6C 7C")
    deal = play(deal, "P2 M:4S,4D,4C T")
    assert (table(deal), row(deal)) == ([], "7H 4S 6C")
    assert held(deal, 0) == "2S 4C 4D 8H 9H KD"
    assert deal.laid == (0, 0)


@both_games
def test_a_card_drawn_but_laid_is_not_taken_out_again(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H KD 2S", "3C"], stock="9H 7C"), "S M:7H,8H,9H T")
    assert (table(deal), row(deal)) == (["7H 8H 9H"], "KD")


def test_another_card_of_the_face_drawn_goes_where_that_one_was_laid() -> None:
    hands = ["9H 7H 8H KD 2S", "3C", "4C", "5C", "6C"]
    deal = play(position("remi500", hands=hands, stock="9H 7C"), "S M:7H,8H,9H T")
    assert row(deal) == "9H"


@both_games
def test_a_joker_that_was_drawn_is_kept_and_the_dearest_card_goes(variant: str) -> None:
    deal = play(position(variant, hands=["7H KD 2S", "3C"], stock="* 7C"), "T")
    assert (row(deal), held(deal, 0)) == ("KD", "* 2S 7H")


@both_games
def test_an_ace_is_the_dearest(variant: str) -> None:
    assert row(play(position(variant, hands=["AS KD 2S", "3C"], stock="* 7C"), "T")) == "AS"


@pytest.mark.parametrize(
    ("in_hand", "goes"),
    [
        ("KS QS JS TC 2S", "TC"),  # worth ten each: the lowest number
        ("KS QS JC 2S", "JC"),
        ("9C 9D 9H 9S", "9S"),  # one number: spades, hearts, diamonds, clubs
        ("9C 9D 9H", "9H"),
        ("9C 9D", "9D"),
        ("AC AD KS", "AD"),
    ],
)
@both_games
def test_among_equals_the_lowest_number_goes_then_by_suit(variant: str, in_hand: str, goes: str) -> None:
    assert row(play(position(variant, hands=[in_hand, "3C"], stock="* 7C"), "T")) == goes


@both_games
def test_a_joker_goes_where_there_is_nothing_else(variant: str) -> None:
    deal = play(position(variant, hands=["*", "3C"], stock="* 7C"), "T")
    assert (row(deal), held(deal, 0)) == ("*", "*")


def test_a_free_top_card_does_not_go_back() -> None:
    deal = play(position("rami500", hands=["2S 4C", "3C"], row="KS 7H", stock="6C 7C"), "P1 T")
    assert (row(deal), held(deal, 0)) == ("KS 4C", "2S 7H")


def test_a_joker_goes_before_the_free_top_card() -> None:
    deal = play(position("rami500", hands=["*", "3C"], row="KS 7H", stock="6C 7C"), "P1 T")
    assert (row(deal), held(deal, 0)) == ("KS *", "7H")


def test_where_nothing_may_be_discarded_the_turn_is_taken_back_and_played_from_the_stock() -> None:
    deal = position("rami500", hands=["7S 7H 7D", "3C"], row="KS 9C", stock="6C 7C")
    deal = play(deal, "P1 M:7S,7H,7D T")
    assert (table(deal), row(deal), held(deal, 0)) == ([], "KS 9C 6C", "7D 7H 7S")


def test_a_swap_before_time_ran_out_stays_and_the_joker_is_kept() -> None:
    deal = position("rami500", hands=["JH 2S", "3C"], melds=[(1, "TH *JH QH")], stock="6C 7C")
    deal = play(deal, "S W:1:JH T")
    assert (table(deal), row(deal), held(deal, 0)) == (["TH JH QH"], "6C", "* 2S")


@both_games
def test_an_expired_turn_can_go_out(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H 2S", "3C"], stock="9H 7C"), "S M:7H,8H,9H T")
    assert (deal.reason, deal.out, row(deal)) == ("out", 0, "2S")


@both_games
def test_an_expired_turn_is_not_taken_back(variant: str) -> None:
    deal = play(position(variant, hands=["2S KD", "3C"], row="4S", stock="6C 7C"), "T")
    assert deal.turn_moves() == []

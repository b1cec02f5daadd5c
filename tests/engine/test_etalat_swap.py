"""Swapping a joly, and the tile that must remain: §4.11, §4.12."""

import pytest

from .builders import legal, play, refused
from .tile_builders import at_table, held, table

RUN_WITH_JOLY = [(1, "5R 6R *7R")]


def test_the_tile_a_joly_stands_for_takes_its_place() -> None:
    deal = play(at_table(hands=["7R 9K 9B 2Y", "3B 4B"], melds=RUN_WITH_JOLY, stock="13K 12K"), "S W:1:7R")
    assert (table(deal), held(deal, 0)) == (["5R 6R 7R"], "2Y 9B 9K 13K *")


def test_a_joly_swapped_for_must_be_laid_in_the_same_turn() -> None:
    deal = play(at_table(hands=["7R 9K 9B 2Y", "3B 4B"], melds=RUN_WITH_JOLY, stock="13K 12K"), "S W:1:7R")
    assert refused(deal, "D:2Y") == "must_use_joker"
    assert refused(deal, "D:*") == "must_use_joker"
    assert not [move for move in legal(deal) if move.startswith("D:")]
    deal = play(deal, "M:9K,9B,*9R D:2Y")
    assert table(deal) == ["5R 6R 7R", "*9R 9B 9K"]


def test_it_may_be_laid_off_too() -> None:
    deal = play(at_table(hands=["7R 9K 2Y", "3B 4B"], melds=RUN_WITH_JOLY, stock="13K 12K"), "S W:1:7R L:1:*8R D:2Y")
    assert table(deal) == ["5R 6R 7R *8R"]


def test_or_taken_back() -> None:
    start = play(at_table(hands=["7R 9K 2Y", "3B 4B"], melds=RUN_WITH_JOLY, stock="13K 12K"), "S")
    deal = play(start, "W:1:7R U")
    assert (deal.hands, deal.melds, deal.laid, deal.extra) == (start.hands, start.melds, start.laid, start.extra)
    assert play(deal, "D:2Y")


def test_a_joly_of_ones_own_serves_as_well() -> None:
    # cards of one face are interchangeable (§1.8): one joly more must be laid after the swap, whichever it is
    deal = at_table(hands=["7R 9K 9B * 2Y", "3B 4B"], melds=RUN_WITH_JOLY, stock="13K 12K")
    assert play(deal, "S W:1:7R M:9K,9B,*9R D:*").row[-1] == 52
    deal = play(deal, "S M:9K,9B,*9R W:1:7R")
    assert refused(deal, "D:2Y") == "must_use_joker"


def test_two_swaps_owe_two_joly() -> None:
    deal = at_table(hands=["7R 4Y 9K 9B 2Y", "3B 4B"], melds=[(1, "5R 6R *7R"), (1, "4R 4B *4Y")], stock="13K 12K")
    deal = play(deal, "S W:1:7R W:2:4Y L:1:*8R")
    assert refused(deal, "D:2Y") == "must_use_joker"
    assert play(deal, "M:9K,9B,*9R D:2Y")


def test_a_joly_is_swapped_in_a_set_and_in_ones_own_meld() -> None:
    deal = at_table(hands=["4Y 9K 9B 2Y", "3B 4B"], melds=[(0, "4R *4Y 4K")], stock="13K 12K")
    assert table(play(deal, "S W:1:4Y M:9K,9B,*9R D:2Y"))[0] == "4R 4Y 4K"


def test_only_the_tile_itself_takes_its_place() -> None:
    deal = play(at_table(hands=["7Y 8R * 2Y", "3B 4B"], melds=RUN_WITH_JOLY), "S")
    assert refused(deal, "W:1:7Y") == "no_such_joker"
    assert refused(deal, "W:1:8R") == "no_such_joker"
    assert refused(deal, "W:2:8R") == "no_such_meld"
    assert refused(deal, "W:1:7R") == "not_in_hand"
    assert refused(deal, "W:1:*") == refused(deal, "W:1:*7R") == "bad_notation"


def test_swaps_come_after_the_draw() -> None:
    assert refused(at_table(hands=["7R 2Y", "3B"], melds=RUN_WITH_JOLY), "W:1:7R") == "must_draw_first"


def test_who_has_not_opened_swaps_nothing() -> None:
    deal = play(at_table(hands=["7R 2Y", "3B"], melds=RUN_WITH_JOLY, opened="1"), "S")
    assert refused(deal, "W:1:7R") == "not_opened"


def test_the_joly_counts_for_whoever_laid_it_last_and_the_tile_for_the_swapper() -> None:
    deal = at_table(hands=["7R 9K 9B 2Y", "3B 4B"], melds=RUN_WITH_JOLY, stock="13K 12K")
    assert deal.laid == (0, 5 + 5 + 50)
    deal = play(deal, "S W:1:7R")
    assert deal.laid == (5, 5 + 5)
    deal = play(deal, "M:9K,9B,*9R")
    assert deal.laid == (5 + 5 + 5 + 50, 5 + 5)
    assert deal.melds[0].by == (1, 1, 0)


def test_points_go_back_with_a_swap_that_is_taken_back() -> None:
    deal = at_table(hands=["7R 9K 9B 2Y", "3B 4B"], melds=RUN_WITH_JOLY, stock="13K 12K")
    assert play(deal, "S W:1:7R U").laid == (0, 60)


def test_an_unlaid_joly_is_given_back_when_the_turn_expires() -> None:
    deal = play(at_table(hands=["7R 9K 9B 2Y", "3B 4B"], melds=RUN_WITH_JOLY, stock="13K 12K"), "S W:1:7R T")
    assert (table(deal), held(deal, 0)) == (["5R 6R *7R"], "7R 2Y 9B 9K")


# -- a tile must remain: §4.12 -----------------------------------------------------------------------------------


@pytest.mark.parametrize("move", ["M:2Y,3Y,4Y", "L:1:2Y,3Y,4Y"])
def test_a_table_move_that_would_empty_the_hand_is_refused(move: str) -> None:
    deal = play(at_table(hands=["2Y 3Y", "3B"], melds=[(1, "5Y 6Y 7Y")], stock="4Y 12K"), "S")
    assert refused(deal, "L:1:4Y,3Y,2Y" if move[0] == "L" else move) == "must_keep_discard"
    assert move not in legal(deal)


def test_what_leaves_one_tile_is_played() -> None:
    deal = at_table(hands=["2Y 3Y 13B", "3B"], melds=[(1, "5Y 6Y 7Y")], stock="4Y 12K")
    assert held(play(deal, "S M:2Y,3Y,4Y"), 0) == "13B"
    assert held(play(deal, "S L:1:4Y,3Y,2Y"), 0) == "13B"


def test_a_swap_with_the_last_tile_leaves_the_joly() -> None:
    deal = at_table(hands=["7R", "3B"], melds=[(1, "5R 6R *7R"), (1, "8Y 9Y 10Y")], stock="11Y 12K")
    deal = play(deal, "S L:2:11Y")
    assert "W:1:7R" in legal(deal)
    deal = play(deal, "W:1:7R")
    assert held(deal, 0) == "*"
    assert refused(deal, "L:1:*8R") == "must_keep_discard"
    assert refused(deal, "D:*") == "must_use_joker"
    assert legal(deal) == ["A"]
    assert play(deal, "U D:7R").reason == "out"


def test_the_last_tile_cannot_be_laid_off_but_discarded() -> None:
    deal = play(at_table(hands=["12B", "3B"], melds=[(1, "8Y 9Y 10Y")], stock="11Y 12K"), "S L:1:11Y")
    assert legal(deal) == ["A", "D:12B"]
    deal = play(deal, "D:12B")
    assert (deal.phase, deal.reason, deal.out) == ("over", "out", 0)


def test_after_the_discard_at_most_fourteen_tiles_may_be_in_hand() -> None:
    row = "9R 13R 2B 4B 6B 8B 10B 12B 3K 5K 11K 12R"
    deal = at_table(hands=["9Y 9B 2R 4R 6R", "3B 3Y"], row=row)
    deal = play(deal, "P12 M:9R,9Y,9B")
    assert deal.hand.size == 14
    assert play(deal, "D:2R").hands[0].size == 13
    deal = play(at_table(hands=["9Y 9B 2R 4R 6R 8Y 10Y", "3B 3Y"], row=row), "P12 M:9R,9Y,9B")
    assert deal.hand.size == 16
    assert refused(deal, "D:2R") == "too_many_tiles"
    assert not [move for move in legal(deal) if move.startswith("D:")]
    assert held(play(deal, "U U"), 0) == "2R 4R 6R 8Y 9Y 10Y 9B"


def test_too_long_a_take_is_given_back_when_the_turn_expires() -> None:
    row = "9R 13R 2B 4B 6B 8B 10B 12B 3K 5K 11K 12R"
    deal = play(at_table(hands=["9Y 9B 2R 4R 6R 8Y 10Y", "3B 3Y"], row=row, stock="3Y 5Y 7Y"), "P12 M:9R,9Y,9B T")
    assert len(deal.row) == 14
    assert held(deal, 0) == "2R 4R 6R 8Y 9Y 10Y 9B"

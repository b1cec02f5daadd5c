"""What happens when the stock is empty: §2.6 in Remi 500, §3.5 in Rami 500."""

from .builders import held, legal, play, position, refused


def test_in_remi_the_next_seat_may_still_take_what_it_can_use() -> None:
    deal = play(position("remi500", hands=["2S 5D", "7H 8H KD"], row="4S", stock="9H"), "S D:9H")
    assert (deal.phase, deal.to_move, deal.stock_left) == ("draw", 1, 0)
    assert legal(deal) == ["E", "P1"]
    deal = play(deal, "P1 M:7H,8H,9H")
    assert held(deal, 1) == "KD"


def test_in_remi_declining_ends_the_deal() -> None:
    deal = play(position("remi500", hands=["2S 5D", "7H 8H KD"], row="4S", stock="9H"), "S D:9H E")
    assert (deal.reason, deal.out) == ("stock", None)
    assert deal.scores == (-7, -25)


def test_in_remi_nothing_is_drawn_from_an_empty_stock() -> None:
    deal = position("remi500", hands=["7H 8H KD", "2S 5D"], row="9H", stock="")
    assert refused(deal, "S") == "stock_empty"


def test_in_remi_the_deal_ends_by_itself_where_no_take_is_legal() -> None:
    deal = play(position("remi500", hands=["2S 5D", "7H TC KD"], row="4S", stock="9H"), "S D:9H")
    assert (deal.phase, deal.reason) == ("over", "stock")


def test_in_remi_the_deal_goes_on_as_long_as_the_row_is_of_use() -> None:
    hands = ["7H 8H 3D KD", "2S 2H QS", "4S JC"]
    deal = play(position("remi500", hands=hands, row="9H", stock=""), "P1 M:7H,8H,9H D:3D")
    assert (deal.phase, deal.reason) == ("over", "stock")  # the 3 is of no use to seat 1
    hands = ["7H 8H 2D KD", "2S 2H QS", "4S JC"]
    deal = play(position("remi500", hands=hands, row="9H", stock=""), "P1 M:7H,8H,9H D:2D")
    assert (deal.phase, deal.to_move) == ("draw", 1)


def test_in_remi_the_top_card_must_be_used_then_though_the_option_frees_it() -> None:
    hands = ["7H TC KD", "2S 5D"]
    deal = position("remi500", hands=hands, row="9H", stock="", top_card_free=True)
    assert refused(deal, "P1") == "pickup_unusable"
    hands = ["7H 8H KD", "2S 5D"]
    deal = play(position("remi500", hands=hands, row="9H", stock="", top_card_free=True), "P1")
    assert refused(deal, "D:KD") == "must_use_pickup"


def test_in_remi_with_the_option_the_deal_ends_by_itself_where_the_top_card_is_of_no_use() -> None:
    hands = ["2S 5D", "7H TC KD"]
    deal = play(position("remi500", hands=hands, row="4S", stock="9H", top_card_free=True), "S D:9H")
    assert (deal.phase, deal.reason) == ("over", "stock")


def test_in_remi_a_deeper_take_keeps_the_deal_alive() -> None:
    deal = play(position("remi500", hands=["2S 5D", "7H 8H KD"], row="9H 4S", stock="QC"), "S D:QC")
    assert legal(deal) == ["E", "P3"]


def test_in_remi_the_turn_that_empties_the_stock_is_played_to_its_end() -> None:
    deal = play(position("remi500", hands=["7H 8H 5D", "2S"], stock="9H"), "S")
    assert (deal.phase, deal.stock_left) == ("play", 0)
    assert play(deal, "M:7H,8H,9H").laid == (24, 0)


def test_in_remi_an_expired_turn_ends_the_deal_where_the_stock_is_empty() -> None:
    deal = position("remi500", hands=["7H 8H KD", "2S 5D"], row="9H", stock="")
    assert play(deal, "T").reason == "stock"


def test_in_rami_the_deal_ends_with_the_turn_that_empties_the_stock() -> None:
    deal = play(position("rami500", hands=["7H 8H KD", "2S 5D"], stock="9H"), "S")
    assert deal.phase == "play"
    deal = play(deal, "D:KD")
    assert (deal.phase, deal.reason, deal.out) == ("over", "stock", None)
    assert deal.scores == (-24, -7)


def test_in_rami_the_cards_laid_in_the_last_turn_count() -> None:
    deal = play(position("rami500", hands=["7H 8H KD QD", "2S 5D"], stock="9H"), "S M:7H,8H,9H D:KD")
    assert (deal.reason, deal.scores) == ("stock", (24 - 10, -7))


def test_in_rami_a_turn_that_leaves_a_card_in_the_stock_ends_nothing() -> None:
    deal = play(position("rami500", hands=["7H KD", "2S 5D"], stock="9H 4C"), "S D:KD")
    assert (deal.phase, deal.to_move) == ("draw", 1)


def test_in_rami_an_expired_turn_may_be_the_last() -> None:
    deal = play(position("rami500", hands=["7H KD", "2S 5D"], stock="9H"), "T")
    assert (deal.reason, deal.scores) == ("stock", (-17, -7))


def test_in_rami_resigning_after_the_last_card_of_the_stock_ends_the_deal() -> None:
    deal = play(position("rami500", hands=["7H KD", "2S 5D", "3C"], stock="9H"), "S R")
    assert (deal.phase, deal.reason) == ("over", "stock")
    assert deal.scores == (-26, -7, -3)

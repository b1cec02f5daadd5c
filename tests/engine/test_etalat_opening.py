"""Melds of tiles and the opening: §4.7, §4.8, §4.9."""

import pytest

from games.engine import Deal, told, view
from games.engine.moves import parse

from .builders import legal, play, refused
from .tile_builders import at_table, held, table

OTHER = "2Y 3B 4K"


def unopened(hand: str, **more: object) -> Deal:
    """Seat 0 has drawn, has not opened, and holds these tiles besides the drawn 9Y."""
    return play(at_table(hands=[hand, OTHER], opened="1", stock="9Y 8B 12Y 8R", **more), "S")  # type: ignore[arg-type]


def opened(hand: str, **more: object) -> Deal:
    """Seat 0 has drawn, has opened, and holds these tiles besides the drawn 9Y."""
    return play(at_table(hands=[hand, OTHER], stock="9Y 8B 12Y 8R", **more), "S")  # type: ignore[arg-type]


# -- melds: §4.7 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "meld",
    ["1R 2R 3R", "12R 13R 1R", "1R 2R 3R 4R 5R 6R 7R 8R 9R 10R 11R 12R 13R 1R", "7R 7Y 7B", "7R 7Y 7B 7K", "5R 6R *7R",
     "*5R 6R 7R", "5R *6R 7R", "7R 7Y *7K", "7R 7Y 7B *7K", "5R *6R 7R *8R 9R 10R", "*5R 6R 7R 8R 9R *10R"],
)  # fmt: skip
def test_what_is_a_meld(meld: str) -> None:
    hand = " ".join("*" if tile[0] == "*" else tile for tile in meld.split())
    deal = play(opened(hand + " 2K"), "M:" + meld.replace(" ", ","))
    assert table(deal) == [meld]


@pytest.mark.parametrize(
    "meld",
    ["13R 1R 2R", "7R 7Y", "7R 7R 7Y", "5R 6R 7Y", "5R 6R 8R", "7R *7Y *7B", "5R *6R *7R", "5R *6R *7R 8R 9R 10R",
     "7R 7Y *7B *7K", "*5R 6R 7R *8R", "*5R 6R 7R 8R *9R", "12R 13R 1R 2R"],
)  # fmt: skip
def test_what_is_none(meld: str) -> None:
    hand = " ".join("*" if tile[0] == "*" else tile for tile in meld.split())
    assert refused(opened(hand + " 2K"), "M:" + meld.replace(" ", ",")) == "not_a_meld"


def test_a_joly_says_what_it_stands_for() -> None:
    assert refused(opened("5R 6R * 2K"), "M:5R,6R,*") == "joker_undeclared"


def test_a_joly_laid_off_keeps_to_the_limits() -> None:
    deal = opened("* 2K 3K", melds=[(1, "5R 6R *7R")])
    for move in ("L:1:*8R", "L:1:*4R"):
        assert refused(deal, move) == "cannot_lay_off"
    deal = opened("* 2K 3K", melds=[(1, "5R 6R *7R 8R 9R")])
    assert table(play(deal, "L:1:*10R")) == ["5R 6R *7R 8R 9R *10R"]
    deal = opened("* 2K 3K", melds=[(1, "*5R 6R 7R 8R 9R")])
    assert refused(deal, "L:1:*4R") == "cannot_lay_off"
    assert play(deal, "L:1:*10R")


def test_natural_tiles_laid_off_make_room_for_a_joly() -> None:
    deal = opened("* 8R 9R 3K", melds=[(1, "5R *6R 7R")])
    assert refused(deal, "L:1:*8R") == "cannot_lay_off"
    assert refused(deal, "L:1:8R,*9R") == "cannot_lay_off"
    assert table(play(deal, "L:1:8R,9R,*10R")) == ["5R *6R 7R 8R 9R *10R"]


def test_a_set_of_four_has_one_joly_at_most() -> None:
    deal = opened("* 2K 3K", melds=[(1, "7R 7Y *7B")])
    assert refused(deal, "L:1:*7K") == "cannot_lay_off"
    assert play(opened("7K 2K 3K", melds=[(1, "7R 7Y *7B")]), "L:1:7K")


def test_a_one_laid_off_on_two_to_thirteen_goes_to_the_high_end() -> None:
    deal = opened("1R 1Y 3K", melds=[(1, "2R 3R 4R 5R 6R 7R 8R 9R 10R 11R 12R 13R")])
    assert table(play(deal, "L:1:1R"))[0].endswith("13R 1R")


# -- the opening: §4.8 -------------------------------------------------------------------------------------------

SET_AND_RUN = "10R 10Y 10B 1R 2R 3R 5K 6K 7K 13B 13K 11K 8K 2B"


def test_45_points_with_a_set_and_a_run_open() -> None:
    deal = play(unopened(SET_AND_RUN), "M:10R,10Y,10B M:1R,2R,3R")
    assert view(deal, 0).extra.opening.complete
    assert deal.extra.opened == (False, True)
    deal = play(deal, "D:2B")
    assert deal.extra.opened == (True, True)


def test_the_melds_are_laid_one_by_one_and_the_table_sees_how_far_it_is() -> None:
    deal = unopened(SET_AND_RUN)
    assert view(deal, None).extra.opening == (0, 45, False, False, True, False)
    deal = play(deal, "M:10R,10Y,10B")
    for seat in (0, 1, None):
        assert view(deal, seat).extra.opening == (30, 45, True, False, True, False)
    deal = play(deal, "M:1R,2R,3R")
    assert view(deal, 1).extra.opening == (45, 45, True, True, True, True)


@pytest.mark.parametrize(
    ("melds", "points"),
    [("2R 3R 4R", 15), ("9R 10R 11R", 25), ("11R 12R 13R", 30), ("1R 2R 3R", 15), ("12R 13R 1R", 30), ("5R 5Y 5B", 15),
     ("13R 13Y 13B 13K", 40), ("1R 1Y 1B", 75), ("5R *6R 7R", 15), ("10R 10Y *10B", 30), ("12R 13R *1R", 30),
     ("*1R 2R 3R", 15), ("1R 1Y *1B", 75)],
)  # fmt: skip
def test_what_a_meld_counts_in_an_opening(melds: str, points: int) -> None:
    hand = " ".join("*" if tile[0] == "*" else tile for tile in melds.split())
    deal = play(unopened(hand + " 2K"), "M:" + melds.replace(" ", ","))
    assert view(deal, 0).extra.opening.points == points


@pytest.mark.parametrize(
    "moves",
    ["M:10R,10Y,10B", "M:1R,2R,3R", "M:2R,3R,4R M:7Y,7B,7K", "M:10R,10Y,10B M:13R,13Y,13B", "M:9B,10B,11B,12B,13B M:2R,3R,4R",
     "M:1R,1Y,1B"],
)  # fmt: skip
def test_the_turn_does_not_end_while_an_opening_falls_short(moves: str) -> None:
    tiles = [tile for move in moves.split() for tile in move[2:].split(",")]
    deal = play(unopened(" ".join(tiles) + " 2K 6B"), moves)
    assert refused(deal, "D:2K") == "opening_incomplete"
    assert not [move for move in legal(deal) if move.startswith("D:")]
    back = play(deal, " ".join("U" for _ in moves.split()))
    assert (held(back, 0), back.melds) == (held(unopened(" ".join(tiles) + " 2K 6B"), 0), ())
    assert play(back, "D:2K").extra.opened == (False, True)


def test_an_opening_may_have_more_than_it_needs() -> None:
    deal = play(unopened(SET_AND_RUN), "M:10R,10Y,10B M:1R,2R,3R M:5K,6K,7K,8K D:2B")
    assert deal.extra.opened[0]
    assert deal.laid[0] == 30 + 25 + 5 + 5 + 20


def test_the_shape_may_be_one_run_alone() -> None:
    deal = unopened("9B 10B 11B 12B 13B 2R 5Y", opening_shape="run")
    deal = play(deal, "M:9B,10B,11B,12B,13B")
    assert view(deal, 0).extra.opening == (45, 45, False, True, False, True)
    assert play(deal, "D:2R").extra.opened[0]
    deal = play(unopened("10R 10Y 10B 13R 13Y 13B 2R 5Y", opening_shape="run"), "M:10R,10Y,10B M:13R,13Y,13B")
    assert refused(deal, "D:2R") == "opening_incomplete"


def test_another_sum_may_be_asked_for() -> None:
    deal = play(unopened("2R 3R 4R 7Y 7B 7K 2K 6B", opening=30), "M:2R,3R,4R M:7Y,7B,7K")
    assert play(deal, "D:2K").extra.opened[0]
    deal = play(unopened(SET_AND_RUN, opening=50), "M:10R,10Y,10B M:1R,2R,3R")
    assert refused(deal, "D:2B") == "opening_incomplete"
    assert play(deal, "M:5K,6K,7K D:2B").extra.opened[0]


def test_a_set_of_ones_opens_alone_where_the_option_says_so() -> None:
    deal = play(unopened("1R 1Y 1B 2R 5Y", ones_open=True), "M:1R,1Y,1B")
    assert view(deal, 0).extra.opening.complete
    assert play(deal, "D:2R").extra.opened[0]
    deal = play(unopened("1R 1Y * 2R 5Y", ones_open=True), "M:1R,1Y,*1B D:2R")
    assert deal.extra.opened[0]
    deal = play(unopened("1R 2R 3R 7Y 7B 7K 2K 5Y", ones_open=True), "M:1R,2R,3R")
    assert refused(deal, "D:2K") == "opening_incomplete"


def test_an_opening_that_was_taken_back_leaves_no_trace() -> None:
    start = unopened(SET_AND_RUN)
    deal = play(start, "M:10R,10Y,10B M:1R,2R,3R U U")
    assert (deal.hands, deal.melds, deal.laid, deal.extra) == (start.hands, start.melds, start.laid, start.extra)
    assert refused(deal, "U") == "nothing_to_undo"


def test_an_unfinished_opening_is_taken_back_when_the_turn_expires() -> None:
    deal = play(unopened(SET_AND_RUN), "M:10R,10Y,10B T")
    assert (deal.melds, deal.to_move, deal.extra.opened[0]) == ((), 1, False)
    assert deal.hands[0].size == 14


def test_a_finished_opening_stands_when_the_turn_expires() -> None:
    deal = play(unopened(SET_AND_RUN), "M:10R,10Y,10B M:1R,2R,3R T")
    assert (len(deal.melds), deal.extra.opened[0]) == (2, True)


def test_who_has_not_opened_lays_nothing_off() -> None:
    deal = unopened(SET_AND_RUN, melds=[(1, "9B 10B 11B")])
    assert refused(deal, "L:1:8B") == "not_opened"
    assert not [move for move in legal(deal) if move.startswith("L:")]


def test_nor_in_the_turn_of_the_opening() -> None:
    deal = play(unopened(SET_AND_RUN, melds=[(1, "8K 9K 10K")]), "M:10R,10Y,10B M:1R,2R,3R")
    assert refused(deal, "L:1:11K") == "not_opened"
    assert play(deal, "D:2B S D:3B S L:1:11K").laid[0] == 30 + 25 + 5 + 5 + 10


def test_where_the_option_says_so_a_finished_opening_lays_off_at_once() -> None:
    deal = unopened(SET_AND_RUN, melds=[(1, "8K 9K 10K")], lay_off_on_opening_turn=True)
    assert refused(deal, "L:1:11K") == "not_opened"
    deal = play(deal, "M:10R,10Y,10B")
    assert refused(deal, "L:1:11K") == "not_opened"
    deal = play(deal, "M:1R,2R,3R")
    assert "L:1:11K" in legal(deal)
    assert table(play(deal, "L:1:11K D:2B"))[0] == "8K 9K 10K 11K"


def test_swaps_wait_for_the_turn_after_the_opening_whatever_the_option() -> None:
    for option in (False, True):
        deal = unopened(SET_AND_RUN, melds=[(1, "9K 10K *11K")], lay_off_on_opening_turn=option)
        deal = play(deal, "M:10R,10Y,10B M:1R,2R,3R")
        assert refused(deal, "W:1:11K") == "not_opened"
        assert not [move for move in legal(deal) if move.startswith("W:")]
        assert play(deal, "D:2B S D:3B S W:1:11K")


def test_who_has_opened_lays_any_meld_and_lays_off_on_anyones() -> None:
    deal = opened("2R 3R 4R 11K 5K 2K", melds=[(1, "8K 9K 10K"), (0, "5R 5Y 5B")])
    deal = play(deal, "M:2R,3R,4R L:1:11K L:2:5K D:2K")
    assert table(deal) == ["8K 9K 10K 11K", "5R 5Y 5B 5K", "2R 3R 4R"]


def test_the_log_tells_what_an_opening_was_worth() -> None:
    before = play(unopened(SET_AND_RUN), "M:10R,10Y,10B M:1R,2R,3R")
    after = play(before, "D:2B")
    assert told(before, after, parse("D:2B", before.rules.alphabet)) == {"cards": ["2B"], "opened": 45}
    assert told(after, play(after, "S"), parse("S", before.rules.alphabet)) == {}

"""The board game: §4.14."""

import random
import time

import pytest

from games.engine import Deal, told, view
from games.engine.boards import dearest
from games.engine.cards import SUIT, Hand
from games.engine.moves import parse

from .builders import legal, play, refused
from .test_etalat_takes import close_hand
from .tile_builders import at_table, codes, hand, held, row, tiles_dealt

SIMPLU = "11R 11Y 11B 3R 3Y 3B 3K 5R 6R 7R 8R 8Y 8B 8K"
BETE = "3R 3Y 3B 3K 5R 5Y 5B 5K 8R 8Y 8B 11R 11Y 11B"
MOZAIC = "1R 2Y 3B 4K 5K 6R 7Y 8B 9K 10R 11Y 12B 13K 1Y"
BICOLOR = "1R 2R 3R 4R 5R 6R 7R 4Y 5Y 6Y 7Y 8Y 9Y 10Y"
DUBLE = "1R 1R 3R 3R 5B 5B 7Y 7Y 9K 9K 11R 11R 13B 13B"
MONOCOLOR = "1B 2B 3B 4B 5B 6B 7B 8B 9B 10B 11B 12B 13B 1B"


def board(mine: str, row: str = "13K 12K", **more: object) -> Deal:
    """Seat 0 has announced the board game and is about to draw 12Y to these tiles."""
    melds = [(1, "9R 9Y 9B")]
    deal = at_table(hands=[mine, "2R 4R"], row=row, melds=melds, stock="12Y 2Y 4Y", opened="1", turns=1, **more)  # type: ignore[arg-type]
    return play(deal, "B")


# -- the types ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "name", "points"),
    [(SIMPLU, "simplu", 500), (BETE, "bete", 700), (MOZAIC, "mozaic", 1000), (BICOLOR, "bicolor", 1200), (DUBLE, "duble", 1300),
     (MONOCOLOR, "monocolor", 1500)],
)  # fmt: skip
def test_the_six_types_and_what_they_count(tiles: str, name: str, points: int) -> None:
    assert dearest(hand(tiles)) == (name, points)
    deal = play(board(tiles), "S C:12Y")
    assert (deal.reason, deal.out, view(deal, None).extra.board_game) == ("board", 0, (name, points))
    assert deal.rules.breakdown(deal)[0].board == points  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("tiles", "name"),
    [
        ("1R 2R 3R 4R 5R 6R 7R 8R 9R 10R 11R 12R 13R 1R", "monocolor"),  # a run too
        ("1R 2R 3R 4R 5R 6R 7R 8R 9R 10R 11R 5B 6B 7B", "bicolor"),  # simplu too
        ("12R 13R 1R 3B 4B 5B 6B 7B 8B 9B 10B 11B 12B 13B", "bicolor"),  # the 1 high
        ("3R 3R 3Y 3Y 3B 3B 3K 3K 7R 7R 7Y 7Y 7B 7B", "duble"),  # bețe too
        ("3R 3R 3Y 3Y 3B 3B 3K 3K 7R 7R 7Y 7Y 7B 7K", "bete"),
        ("3R 3Y 3B 3K 4R 4Y 4B 4K 5R 5Y 5B 6R 6Y 6B", "bete"),  # simplu too
    ],
)
def test_the_dearest_type_that_fits_counts(tiles: str, name: str) -> None:
    found = dearest(hand(tiles))
    assert found is not None and found.name == name


@pytest.mark.parametrize(
    "tiles",
    [
        "1R 2R 3R 5Y 6Y 7Y 9B 10B 11B 4K 4R 4B 13K 13B",  # two tiles over
        "1R 1R 3R 3R 5B 5B 7Y 7Y 9K 9K 11R 11R 13B 13K",  # six doubles
        "1B 2B 3B 4B 5B 6B 7B 8B 9B 10B 11B 12B 13B 1R",  # thirteen of one colour and another 1, fit for no two runs
        "2R 3R 4R 13R 1R 5Y 6Y 7Y 8Y 9Y 10Y 11Y 12Y 13Y",  # not one run of the red
        "1R 2R 3R 4R 5R 6R 7R 8R 9R 10R 11R 12R 4Y 6Y",
    ],
)
def test_what_is_no_board_game(tiles: str) -> None:
    assert dearest(hand(tiles)) is None


@pytest.mark.parametrize(
    ("change", "fits"),
    [
        ("1R:1R", True),
        ("2Y:2B", False),  # the first four have not four colours
        ("4K:4Y", False),
        ("5K:5R", False),  # 5 and 6 of one colour
        ("6R:6K", False),
        ("13K:13B", False),
        ("1Y:1R", False),  # the two 1s of one colour
        ("1Y:1B", True),
        ("4K:4K", True),  # 4 and 5 may be of one colour
        ("13K:13Y", True),  # so may 13 and the last 1
    ],
)
def test_mozaic_to_the_letter(change: str, fits: bool) -> None:
    old, new = change.split(":")
    tiles = MOZAIC.split()
    tiles[tiles.index(old)] = new
    found = dearest(hand(" ".join(tiles)))
    assert (found is not None and found.name == "mozaic") == fits


def test_in_a_mozaic_either_one_may_be_the_first() -> None:
    # only the yellow 1 makes four colours with 2R 3B 4K
    for last in "RB":
        found = dearest(hand(f"1Y 2R 3B 4K 5K 6R 7Y 8B 9K 10R 11Y 12B 13K 1{last}"))
        assert found is not None and found.name == "mozaic"


def test_joly_serve_in_simplu_and_bete_only() -> None:
    assert dearest(hand(SIMPLU.replace("6R", "*"))) == ("simplu", 500)
    assert dearest(hand(BETE.replace("11B", "*"))) == ("bete", 700)
    assert dearest(hand(BETE.replace("11B", "*").replace("3K", "*"))) == ("bete", 700)
    for tiles, tile in ((MOZAIC, "6R"), (DUBLE, "13B")):
        assert dearest(hand(tiles.replace(tile, "*", 1))) is None
    one_colour = dearest(hand(MONOCOLOR.replace("7B", "*")))
    assert one_colour == ("simplu", 500)
    two_colours = dearest(hand(BICOLOR.replace("6R", "*")))
    assert two_colours == ("simplu", 500)


def test_joly_keep_to_the_limits_here_too() -> None:
    fours = " 12R 12Y 12B 12K 13R 13Y 13B 13K"
    assert dearest(hand("3R * * 5R 6R 7R" + fours)) == ("simplu", 500)
    assert dearest(hand("3R * * 6R 7R 8R" + fours)) is None  # two side by side
    assert dearest(hand("5R 5Y 7B 8B * *" + fours)) == ("simplu", 500)
    assert dearest(hand("5R 5Y 8B 11B * *" + fours)) is None  # two in a set of four


def test_thirteen_or_fifteen_tiles_are_no_board_game() -> None:
    assert dearest(hand(SIMPLU.replace("11R 11Y 11B ", ""))) is None
    assert dearest(hand(SIMPLU + " 4R")) is None


def test_monocolor_in_each_colour() -> None:
    for suit in range(4):
        assert dearest(Hand(SUIT << 13 * suit, 1 << 13 * suit, 0)) == ("monocolor", 1500)


def test_the_dearest_type_is_found_quickly() -> None:
    chance = random.Random(14)
    times = []
    for _ in range(150):
        tiles = close_hand(chance, 14, 2)
        dearest.cache_clear()
        begun = time.perf_counter()
        dearest(tiles)
        times.append(time.perf_counter() - begun)
    assert sorted(times)[-8] < 0.02  # all but the few that another process held up


# -- announcing --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_it_is_announced_in_one_of_the_first_three_turns(turns: int) -> None:
    deal = at_table(hands=["2Y 4B 6K 9R", "3B"], row="5Y", opened="", turns=turns)
    assert "B" in legal(deal)
    assert play(deal, "B").extra.board == play(deal, "S B").extra.board == {0}


def test_in_the_fourth_it_is_too_late() -> None:
    deal = at_table(hands=["2Y 4B 6K 9R", "3B"], row="5Y", opened="", turns=3)
    assert refused(deal, "B") == "too_late_for_board"
    assert refused(play(deal, "S"), "B") == "too_late_for_board"
    assert "B" not in legal(deal)


def test_each_seat_counts_its_own_turns() -> None:
    deal = tiles_dealt(["", "", ""], exchange=False)
    deal = play(deal, "T 0:R")
    for _ in range(2):
        deal = play(deal, "T T")
    assert (deal.to_move, deal.extra.turns) == (1, (1, 2, 2))
    assert "B" in legal(deal)
    assert "B" not in legal(play(deal, "T T"))


def test_not_by_a_seat_that_has_laid_something() -> None:
    deal = at_table(hands=["2Y 4B 6K 9R", "3B"], turns=2, opened="0")
    assert refused(deal, "B") == "already_opened"
    deal = play(at_table(hands=["2Y 2B 2K 9R", "3B"], turns=2, opened="", stock="13R 12R"), "S M:2Y,2B,2K")
    assert refused(deal, "B") == "already_opened"
    assert play(deal, "U B").extra.board == {0}


def test_not_with_a_tile_taken_that_is_still_to_be_laid() -> None:
    mine = "10R 10Y 1R 2R 3R 4B 5B 6K 8K 9Y 12Y 13K 7R 4Y"
    deal = play(at_table(hands=[mine, "3B"], row="10B", turns=1, opened=""), "P1")
    assert refused(deal, "B") == "must_use_pickup"


def test_it_is_announced_once() -> None:
    assert refused(board(SIMPLU), "B") == "already_announced"


def test_it_is_taken_back_like_a_move() -> None:
    deal = play(board(SIMPLU), "U")
    assert deal.extra.board == frozenset()
    assert play(deal, "S M:11R,11Y,11B").melds
    assert refused(play(board(SIMPLU), "S"), "U") == "nothing_to_undo"


def test_all_see_who_plays_it() -> None:
    deal = board(SIMPLU)
    assert view(deal, 1).extra.board == view(deal, None).extra.board == {0}


# -- what a board player may not do ------------------------------------------------------------------------------


def test_a_board_player_lays_nothing_swaps_nothing() -> None:
    deal = play(board(SIMPLU), "S")
    for move in ("M:11R,11Y,11B", "L:1:3K", "W:1:3K"):
        assert refused(deal, move) == "board_player"
    assert {move[0] for move in legal(deal)} == {"D", "C"}


def test_it_takes_the_last_discard_alone_and_freely() -> None:
    deal = board(SIMPLU)
    assert refused(deal, "P2") == "board_player"
    assert legal(deal) == ["P1", "S"]
    deal = play(deal, "P1")
    assert deal.must_use is None
    assert refused(deal, "D:12K") == "cannot_discard_pickup"
    assert refused(deal, "C:12K") == "cannot_discard_pickup"
    assert play(deal, "D:3R").row[-1] == codes("3R")[0]


def test_another_tile_of_that_face_may_be_discarded() -> None:
    deal = play(board(SIMPLU.replace("8K", "12K"), row="13K 12K"), "P1 D:12K")
    assert row(deal).endswith("12K")
    assert "12K" in held(deal, 0)


def test_the_dead_discard_is_dead_to_it_too() -> None:
    deal = at_table(hands=[SIMPLU, "3B"], row="", opened="", turns=1)
    assert refused(play(deal, "B"), "P1") == "dead_discard"


def test_in_its_first_turn_it_draws_from_the_stock() -> None:
    deal = at_table(hands=[SIMPLU, "3B"], row="5Y 9K", opened="", turns=0)
    assert refused(play(deal, "B"), "P1") == "first_round"


def test_a_board_player_has_too_many_tiles_to_announce() -> None:
    assert refused(play(board(SIMPLU), "S"), "A") == "too_many_to_announce"


# -- closing -----------------------------------------------------------------------------------------------------


def test_it_closes_by_a_discard_that_leaves_a_board_game() -> None:
    deal = play(board(SIMPLU), "S")
    assert [move for move in legal(deal) if move[0] == "C"] == ["C:12Y"]
    deal = play(deal, "C:12Y")
    assert (row(deal)[-3:], deal.hands[0].size, deal.phase) == ("12Y", 14, "over")


def test_not_by_one_that_leaves_none() -> None:
    deal = play(board(SIMPLU), "S")
    assert refused(deal, "C:11R") == "not_a_board_hand"
    assert refused(deal, "C:13K") == "not_in_hand"
    assert refused(deal, "C:*5R") == "bad_notation"


def test_not_before_the_draw() -> None:
    assert refused(board(SIMPLU), "C:11R") == "must_draw_first"


def test_not_by_one_who_has_not_announced() -> None:
    deal = play(at_table(hands=[SIMPLU, "3B"], opened="", turns=1, stock="12Y 2Y"), "S")
    assert refused(deal, "C:12Y") == "not_board_player"
    assert refused(deal, "C:13K") == "not_board_player"
    assert play(deal, "B C:12Y").reason == "board"


def test_the_first_seat_may_announce_and_close_in_one_turn() -> None:
    deal = tiles_dealt([MONOCOLOR + " 5R", ""], exchange=False)
    assert play(deal, "B C:5R").reason == "board"


def test_with_a_tile_taken_it_closes_too() -> None:
    deal = board(SIMPLU.replace("11B", "9K"), row="11B")
    deal = play(deal, "P1")
    assert "C:9K" in legal(deal)
    assert play(deal, "C:9K").reason == "board"


def test_a_discard_that_leaves_a_board_game_does_not_close_by_itself() -> None:
    deal = play(board(SIMPLU), "S D:12Y")
    assert (deal.phase, deal.to_move) == ("draw", 1)


def test_an_expired_turn_of_a_board_player_discards_what_it_drew() -> None:
    deal = play(board(SIMPLU), "T")
    assert (row(deal)[-3:], deal.to_move, deal.extra.board) == ("12Y", 1, {0})


def test_two_may_play_on_their_boards() -> None:
    deal = at_table(
        hands=["2R 4R 6R 8R 10R 12R 2Y 4B 6B 8B 10B 12B 2K 4K", DUBLE], row="12B", opened="", turns=1, stock="12Y 2Y 4Y 6Y"
    )
    deal = play(deal, "B S D:12Y B S C:2Y")
    assert (deal.reason, deal.out, deal.scores) == ("board", 1, (-100, 1300))


def test_the_log_tells_the_type_and_its_points() -> None:
    before = play(board(DUBLE), "S")
    after = play(before, "C:12Y")
    facts = told(before, after, parse("C:12Y", before.rules.alphabet, tiles=True))
    assert facts == {"cards": ["12Y"], "board": "duble", "points": 1300, "over": "board"}

"""Values and the score: §4.16, §1.12, §1.13."""

import pytest

from games.engine import TILES, Deal, add_deal, new_match, view
from games.engine.tiles import Score

from .builders import play
from .test_etalat_board import DUBLE, SIMPLU
from .tile_builders import at_table, hand, tiles_dealt, tiles_rules

MELDS = [(0, "10R 10Y 10B"), (0, "1R 2R *3R"), (1, "5R 6R 7R")]


def closing(last: str = "12K", **more: object) -> Deal:
    """Seat 0 closes with this tile; it laid 30 + 25 + 5 + 50 and lays a 10 more, seat 1 laid 15 and holds 45."""
    deal = at_table(hands=["10K", "2Y 9K 13B 1Y"], melds=MELDS, stock=f"{last} 11K", **more)  # type: ignore[arg-type]
    return play(deal, f"S L:1:10K D:{last}")


def parts(deal: Deal) -> tuple[Score, ...]:
    found: tuple[Score, ...] = deal.rules.breakdown(deal)  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize(("tile", "value"), [("2R", 5), ("9K", 5), ("10Y", 10), ("13B", 10), ("1R", 25), ("*", 50)])
def test_what_a_tile_counts_laid_or_in_hand(tile: str, value: int) -> None:
    rules = tiles_rules(2)
    assert rules.hand_value(TILES.codes[tile]) == rules.in_hand(hand(tile)) == value
    for kind, place in (("run", 1), ("run", 14), ("set", 1)):
        assert rules.laid_value(TILES.codes[tile], kind, place) == value
    assert rules.laid_value(TILES.codes["*9R"], "run", 9) == 50


def test_an_opened_seat_scores_what_it_laid_less_what_it_holds() -> None:
    deal = closing()
    assert deal.laid == (30 + 25 + 5 + 50 + 10, 15)
    assert deal.scores == (120 + 50, 15 - 5 - 5 - 10 - 25)


def test_closing_brings_50() -> None:
    assert [part.closed for part in parts(closing())] == [50, 0]


def test_a_seat_that_never_opened_loses_100_and_its_tiles_do_not_count() -> None:
    deal = play(at_table(hands=["10K", "2Y 9K 13B 1Y"], melds=MELDS[:2], stock="12K 11K", opened="0"), "S L:1:10K D:12K")
    assert deal.scores == (170, -100)


def test_the_atus_twin_brings_50_whoever_holds_it_now_and_opened_or_not() -> None:
    assert closing(twin=0).scores == (220, -30)
    assert closing(twin=1).scores == (170, 20)
    deal = play(at_table(hands=["10K", "2Y"], melds=MELDS[:2], stock="12K 11K", opened="0", twin=1), "S L:1:10K D:12K")
    assert deal.scores == (170, -50)


def test_the_twin_is_the_other_tile_of_the_atus_face_and_counts_as_dealt() -> None:
    deal = tiles_dealt(["", "9K 9B"], atu="9K", exchange=False)
    assert deal.extra.twin == 1
    assert tiles_dealt(["", ""], atu="9K", exchange=False).extra.twin is None
    deal = tiles_dealt(["9B 3R", "*"], atu="*", exchange=False)
    assert deal.extra.twin == 1
    deal = tiles_dealt(["9K", ""], atu="9K", exchange=False)
    assert play(deal, "D:9K 1:R").scores == (-50, -100)


def test_only_its_holder_sees_the_twin_until_the_deal_is_over() -> None:
    deal = tiles_dealt(["", "9K"], atu="9K", exchange=False)
    assert [view(deal, seat).extra.twin for seat in (0, 1, None)] == [None, 1, None]
    deal = play(deal, "1:R")
    assert [view(deal, seat).extra.twin for seat in (0, 1, None)] == [1, 1, 1]


def test_closing_with_a_joly_doubles_the_closers_points() -> None:
    assert closing("*").scores == (340, -30)
    assert closing("*", twin=0).scores == (440, -30)


@pytest.mark.parametrize("atu", ["1R", "1K", "*"])
def test_a_one_or_a_joly_as_atu_doubles_for_all(atu: str) -> None:
    assert closing(atu=atu).scores == (340, -60)
    assert closing(atu=atu, twin=1).scores == (340, 40)
    assert closing("11K", atu="11K").scores == (170, -30)


def test_both_doublings_multiply() -> None:
    melds = [(0, "10R 10Y 10B"), (0, "1R 2R 3R")]
    deal = at_table(hands=["10K", "2Y"], melds=melds, stock="* 11K", atu="1Y")
    deal = play(deal, "S L:1:10K D:*")
    assert deal.scores == (4 * (30 + 10 + 25 + 5 + 5 + 50), 2 * (0 - 5))


def test_the_500_for_a_missing_announcement_are_not_doubled() -> None:
    deal = at_table(hands=["10K 2B 4K", "2Y"], melds=MELDS[:1], stock="12K 11K 9Y 8Y", atu="1Y")
    deal = play(deal, "S L:1:10K D:12K S D:2Y 1:R")
    assert parts(deal)[0] == Score(laid=40, in_hand=10, not_opened=0, closed=0, board=0, twin=0, factor=2, forgotten=-500)
    assert deal.scores is not None
    assert deal.scores[0] == 2 * (40 - 10) - 500


def test_a_board_close_scores_its_points_and_the_others_as_usual() -> None:
    deal = at_table(hands=[SIMPLU, "2Y 9K"], melds=[(1, "5R 6R 7R")], row="12B", opened="1", turns=1, stock="12Y 2Y")
    deal = play(deal, "B S C:12Y")
    assert deal.scores == (500, 15 - 10)
    assert parts(deal)[0] == Score(0, 0, 0, 0, 500, 0, 1, 0)


def test_a_board_close_is_doubled_and_has_the_twin_like_any_other() -> None:
    def closed(last: str, **more: object) -> tuple[int, ...] | None:
        deal = at_table(hands=[DUBLE, "2Y 9B"], row="12B", opened="", turns=1, stock=f"{last} 2Y", **more)  # type: ignore[arg-type]
        return play(deal, f"B S C:{last}").scores

    assert closed("12Y", twin=0) == (1350, -100)
    assert closed("*", twin=0) == (2700, -100)
    assert closed("*", atu="1Y") == (5200, -200)
    assert closed("12Y", atu="*", twin=1) == (2600, -100)


def test_a_board_player_loses_100_when_another_closes() -> None:
    deal = at_table(hands=[SIMPLU, "10K"], melds=[(1, "10R 10Y 10B")], row="12B", opened="1", turns=1, stock="12Y 2Y 4Y")
    deal = play(deal, "B S D:12Y S L:1:10K D:2Y")
    assert deal.scores == (-100, 90)


def test_with_the_stock_at_its_end_no_one_has_the_50_for_closing() -> None:
    deal = play(at_table(hands=["2Y 4B 6K 9R", "3B 3Y"], melds=MELDS, stock="12K"), "S D:12K")
    assert deal.scores == (110 - 20, 15 - 10)


def test_a_seat_that_resigns_has_its_hand_counted_in_this_deal() -> None:
    deal = play(at_table(hands=["2Y 4B", "3B 13Y"], melds=MELDS, stock="12K 11K"), "1:R")
    assert (deal.reason, deal.scores) == ("resigned", (110 - 10, 15 - 15))


def test_an_opening_that_another_cut_short_by_resigning_is_none() -> None:
    deal = at_table(hands=["10R 10Y 10B 4R 5R 6R 9K", "2Y 4B"], stock="12K 11K", opened="")
    deal = play(deal, "S M:10R,10Y,10B M:4R,5R,6R 1:R")
    assert (deal.laid, deal.scores) == ((45, 0), (-100, -100))


def test_a_seat_that_resigned_has_nothing_in_later_deals() -> None:
    deal = tiles_dealt(["", "", ""], exchange=False, resigned=frozenset({2}))
    assert play(deal, "0:R").scores == (-100, -100, 0)
    deal = tiles_dealt(["", "", ""], exchange=False, resigned=frozenset({2}), atu="1R")
    assert play(deal, "0:R").scores == (-200, -200, 0)


def test_points_of_a_taken_back_meld_are_gone() -> None:
    deal = play(at_table(hands=["10K 9R 9Y 9B 3K", "2Y"], melds=MELDS, stock="12K 11K"), "S")
    assert play(deal, "M:9R,9Y,9B L:1:10K U U").laid == deal.laid


def test_a_match_goes_to_1000_and_the_most_points_win() -> None:
    rules = tiles_rules(2)
    match = new_match(rules, 1)
    board = at_table(hands=[DUBLE, "2Y 9B"], row="12B", opened="", turns=1, stock="12Y 2Y")
    match = add_deal(match, play(board, "B S C:12Y"))
    assert (match.totals, match.winner) == ((1300, -100), 0)
    simple = at_table(hands=[SIMPLU, "2Y 9B"], row="12B", opened="", turns=1, stock="12Y 2Y")
    match = add_deal(new_match(rules, 1), play(simple, "B S C:12Y"))
    assert (match.totals, match.winner, match.dealer) == ((500, -100), None, 0)


def test_how_a_score_comes_about_adds_up() -> None:
    for deal in (closing(), closing("*", atu="1R", twin=1), closing(twin=0)):
        assert deal.scores == tuple(part.total for part in parts(deal))

"""Announcing the last tiles, and closing: §4.12, §4.13."""

import pytest

from games.engine import Deal, apply, told, view
from games.engine.moves import parse

from .builders import legal, play, refused
from .tile_builders import at_table

MELDS = [(0, "10R 10Y 10B"), (1, "5R 6R 7R")]


def with_tiles(hand: str, **more: object) -> Deal:
    """Seat 0 has drawn 12K to these tiles."""
    return play(at_table(hands=[hand, "3B 3Y 9K 2R"], melds=MELDS, stock="12K 13K 11K 9B 8Y 4Y", **more), "S")  # type: ignore[arg-type]


def forgotten(deal: Deal, seat: int = 0) -> bool:
    return seat in deal.extra.forgot


def test_a_turn_that_ends_with_three_tiles_must_be_announced() -> None:
    deal = with_tiles("2Y 4B 6K")
    assert not forgotten(play(deal, "A D:12K"))
    assert forgotten(play(deal, "D:12K"))


@pytest.mark.parametrize(("hand", "left"), [("2Y 4B 6K", 3), ("2Y 4B", 2), ("2Y", 1)])
def test_so_must_one_that_ends_with_two_or_one(hand: str, left: int) -> None:
    deal = play(with_tiles(hand), "D:12K")
    assert (deal.hands[0].size, forgotten(deal)) == (left, True)


def test_one_that_ends_with_four_tiles_need_not_be() -> None:
    deal = play(with_tiles("2Y 4B 6K 9R"), "D:12K")
    assert (deal.hands[0].size, deal.extra.low, forgotten(deal)) == (4, frozenset(), False)


def test_one_that_closes_need_not_be() -> None:
    deal = play(with_tiles("10K"), "L:1:10K D:12K")
    assert (deal.reason, forgotten(deal)) == ("out", False)


def test_with_more_than_four_tiles_before_the_discard_there_is_nothing_to_announce() -> None:
    deal = with_tiles("2Y 4B 6K 9R")
    assert refused(deal, "A") == "too_many_to_announce"
    assert "A" not in legal(deal)
    deal = with_tiles("2Y 4B 6K 10K")
    assert refused(deal, "A") == "too_many_to_announce"
    assert play(deal, "L:1:10K A D:12K").extra.forgot == frozenset()


def test_it_is_announced_after_the_draw() -> None:
    assert refused(at_table(hands=["2Y 4B 6K", "3B"]), "A") == "must_draw_first"


def test_it_is_announced_once() -> None:
    deal = play(with_tiles("2Y 4B 6K"), "A")
    assert refused(deal, "A") == "already_announced"
    assert "A" not in legal(deal)


def test_only_by_the_seat_on_turn() -> None:
    assert refused(with_tiles("2Y 4B 6K"), "1:A") == "not_your_turn"


def test_after_the_turn_there_is_nothing_more_to_announce() -> None:
    for first in ("A D:12K", "D:12K"):
        deal = play(with_tiles("2Y 4B 6K"), first + " S D:3B S")
        assert refused(deal, "A") == "already_announced"
        assert "A" not in legal(deal)
        before = deal.extra.forgot
        assert play(deal, "D:2Y").extra.forgot == before


def test_the_500_are_lost_once() -> None:
    deal = play(with_tiles("2Y 4B 6K"), "D:12K S D:3B S D:2Y S D:3Y 0:R")
    assert deal.rules.breakdown(deal)[0].forgotten == -500  # type: ignore[attr-defined]


def test_an_announcement_is_taken_back_like_a_move() -> None:
    deal = play(with_tiles("2Y 4B 6K 10K"), "L:1:10K A")
    assert view(deal, 1).extra.announced
    back = play(deal, "U")
    assert not view(back, 1).extra.announced
    assert forgotten(play(back, "D:12K"))
    assert play(deal, "U U").hand.size == 5


def test_an_announcement_holds_for_its_own_turn_alone() -> None:
    # four tiles are left after the discard was thought over: nothing was announced by then
    deal = play(with_tiles("2Y 4B 6K 10K"), "L:1:10K A U U D:12K S D:3B S")
    assert not deal.extra.announced
    assert deal.extra.low == frozenset()


def test_nobody_is_told_of_a_missing_announcement_before_the_discard() -> None:
    deal = with_tiles("2Y 4B 6K")
    for seat in (0, 1, None):
        assert view(deal, seat).extra.forgot == frozenset()
    after = play(deal, "D:12K")
    assert view(after, 1).extra.forgot == {0}
    assert told(deal, after, parse("D:12K", deal.rules.alphabet)) == {"cards": ["12K"], "unannounced": True}


def test_the_server_announces_for_an_expired_turn() -> None:
    deal = play(with_tiles("2Y 4B 6K"), "T")
    assert (deal.extra.low, forgotten(deal)) == ({0}, False)


def test_where_the_option_says_so_the_server_announces_always() -> None:
    deal = with_tiles("2Y 4B 6K", announce="auto")
    assert "A" not in legal(deal)
    assert refused(deal, "A") == "already_announced"
    deal = play(deal, "D:12K")
    assert (deal.extra.low, forgotten(deal)) == ({0}, False)


def test_a_resignation_is_no_such_turn() -> None:
    deal = play(with_tiles("2Y 4B 6K"), "R")
    assert (deal.extra.low, deal.extra.forgot) == (frozenset(), frozenset())


def test_a_later_resignation_does_not_undo_a_missing_announcement() -> None:
    deal = play(with_tiles("2Y 4B 6K"), "D:12K 0:R")
    assert deal.rules.breakdown(deal)[0].forgotten == -500  # type: ignore[attr-defined]


# -- closing -----------------------------------------------------------------------------------------------------


def test_the_last_tile_discarded_closes_the_deal() -> None:
    deal = play(with_tiles("10K"), "L:1:10K D:12K")
    assert (deal.phase, deal.reason, deal.out, deal.to_move) == ("over", "out", 0, None)
    assert refused(deal, "1:S") == "deal_over"


def test_the_deal_ends_with_the_turn_in_which_the_stock_became_empty() -> None:
    deal = at_table(hands=["2Y 4B 6K 9R", "3B 3Y 9K 2R"], melds=MELDS, stock="12K")
    deal = play(deal, "S")
    assert (deal.phase, deal.stock_left) == ("play", 0)
    deal = play(deal, "D:12K")
    assert (deal.phase, deal.reason, deal.out) == ("over", "stock", None)


def test_closing_in_that_turn_is_closing() -> None:
    deal = at_table(hands=["10K", "3B 3Y 9K 2R"], melds=MELDS, stock="12K")
    assert play(deal, "S L:1:10K D:12K").reason == "out"


def test_it_ends_with_that_turn_by_resigning_or_expiring_too() -> None:
    deal = play(at_table(hands=["2Y 4B", "3B 3Y", "8B 8Y"], melds=MELDS, stock="12K"), "S")
    assert apply(deal, 0, "R").reason == "stock"
    assert apply(deal, 0, "T").reason == "stock"


def test_turns_without_a_draw_or_a_table_move_end_the_deal_at_last() -> None:
    # two seats on their boards that take and leave the last discards
    deal = at_table(hands=["2Y 4B 6K 9R", "3B 3Y 9K 2R"], row="13K", stock="12K 11K", opened="", turns=1)
    deal = play(deal, "B P1 D:2Y B P1 D:3B")
    assert deal.idle == 2
    while deal.phase != "over":
        assert deal.idle < 8
        other = next(tile for tile in deal.hand.cards() if tile != deal.row[-1])
        deal = play(deal, f"P1 D:{deal.rules.alphabet.texts[other]}")
    assert (deal.reason, deal.idle, deal.stock_left) == ("stalled", 8, 2)

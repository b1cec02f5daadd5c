"""A deal in which nothing moves any more: §1.16."""

import pytest

from games.engine import Deal

from .builders import play, position

PAIRS = [("7H", "9C"), ("4D", "JS"), ("2H", "TC"), ("6D", "QC")]


def going_in_circles(seats: int) -> Deal:
    """Everybody holds two cards that fit nothing, and takes the top card to discard another."""
    hands = [" ".join(PAIRS[seat]) for seat in range(seats)]
    return position("rami500", hands=hands, row="KS", stock="AC 5S")


def idle(deal: Deal, turns: int) -> Deal:
    """So many turns without a stock draw or a table move."""
    for _ in range(turns):
        taken = play(deal, "P1")
        card = next(card for card in taken.hand.cards() if card != taken.no_discard)
        deal = play(taken, f"D:{deal.rules.alphabet.texts[card]}")
    return deal


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_four_rounds_without_a_draw_or_a_meld_end_the_deal(seats: int) -> None:
    deal = idle(going_in_circles(seats), 4 * seats - 1)
    assert deal.phase == "draw"
    deal = idle(deal, 1)
    assert (deal.phase, deal.reason, deal.out) == ("over", "stalled", None)
    assert deal.scores is not None
    assert all(score < 0 for score in deal.scores)


def test_a_stock_draw_begins_the_count_anew() -> None:
    deal = play(idle(going_in_circles(2), 7), "S D:AC")
    assert idle(deal, 7).phase == "draw"
    assert idle(deal, 8).reason == "stalled"


def test_a_table_move_begins_the_count_anew() -> None:
    hands = ["JS 9C 2C", "4D QD"]
    deal = position("rami500", hands=hands, row="KS", melds=[(1, "JD JH JC")], stock="AC 5S")._replace(idle=7)
    assert play(deal, "P1 D:9C").reason == "stalled"
    deal = play(deal, "P1 L:1:JS D:9C")
    assert (deal.phase, deal.idle) == ("draw", 0)


def test_a_table_move_that_is_taken_back_does_not_count() -> None:
    deal = position("rami500", hands=["7H 9C", "JS QD"], row="KS", melds=[(0, "JD JH JC")], stock="AC 5S")
    deal = play(idle(deal, 1), "P1 L:1:JS U")
    card = next(card for card in deal.hand.cards() if card != deal.no_discard)
    assert play(deal, f"D:{deal.rules.alphabet.texts[card]}").idle == 2


def test_the_count_is_of_the_seats_that_are_still_in() -> None:
    deal = play(going_in_circles(3), "2:R")
    deal = idle(deal, 7)
    assert deal.phase == "draw"
    assert idle(deal, 1).reason == "stalled"

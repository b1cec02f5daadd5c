"""Going out: §1.10, §2.5, §3.4."""

from .builders import both_games, held, play, position, refused, row


@both_games
def test_a_seat_goes_out_by_discarding_its_last_card(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H", "3C KD"], stock="9H 2S 4S"), "S M:7H,8H,9H")
    assert (deal.phase, deal.reason, deal.out) == ("over", "out", 0)
    deal = play(position(variant, hands=["7H 8H 2D", "3C KD"], stock="9H 2S 4S"), "S M:7H,8H,9H D:2D")
    assert (deal.phase, deal.reason, deal.out) == ("over", "out", 0)
    assert row(deal) == "2D"


@both_games
def test_a_seat_goes_out_by_laying_off_its_last_card_without_a_discard(variant: str) -> None:
    deal = position(variant, hands=["6H", "3C KD"], melds=[(1, "7H 8H 9H")], stock="5H 2S")
    deal = play(deal, "S L:1:6H,5H")
    assert (deal.reason, deal.out, row(deal)) == ("out", 0, "")


@both_games
def test_a_single_card_is_drawn_to_and_discarded_from(variant: str) -> None:
    deal = play(position(variant, hands=["2D", "3C KD"], stock="9H 2S 4S"), "S D:9H")
    assert (deal.phase, held(deal, 0), deal.to_move) == ("draw", "2D", 1)


@both_games
def test_with_a_card_left_in_hand_nobody_is_out(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H 2D", "3C KD"], stock="9H 2S 4S"), "S M:7H,8H,9H")
    assert (deal.phase, deal.to_move) == ("play", 0)


@both_games
def test_nobody_is_on_turn_once_the_deal_is_over(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H", "3C KD"], stock="9H 2S 4S"), "S M:7H,8H,9H")
    assert (deal.to_move, deal.must_use, deal.turn_moves()) == (None, None, [])
    assert refused(deal, "0:U") == "deal_over"


@both_games
def test_going_out_in_the_turn_that_empties_the_stock_is_going_out(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H 2D", "3C KD"], stock="9H"), "S M:7H,8H,9H D:2D")
    assert (deal.stock_left, deal.reason, deal.out) == (0, "out", 0)


@both_games
def test_the_obligation_is_met_by_going_out(variant: str) -> None:
    deal = play(position(variant, hands=["8H 9H", "3C KD"], row="7H"), "P1 M:7H,8H,9H")
    assert (deal.reason, deal.scores) == ("out", (24, -13))

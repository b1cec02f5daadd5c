"""Who may do what, and when: §1.1, §1.2, and the order of the refusals (docs/notation.md)."""

import pytest

from games.engine import rules_for, start

from .builders import both_games, dealt, held, play, position, refused, row, words


@both_games
def test_cards_are_dealt_one_at_a_time_from_the_seat_after_the_dealer(variant: str) -> None:
    top = "AS AH AD 2S 2H 2D 3S 3H 3D 4S 4H 4D 5S 5H 5D 6S 6H 6D 7S 7H 7D KC QC"
    deal = dealt(variant, 3, top=top, dealer=0)
    assert [held(deal, seat) for seat in (1, 2, 0)] == [
        "2S 3S 4S 5S 6S 7S AS",
        "2H 3H 4H 5H 6H 7H AH",
        "2D 3D 4D 5D 6D 7D AD",
    ]
    assert row(deal) == "KC"
    assert words(deal.deck[deal.drawn :]).startswith("QC ")
    assert deal.to_move == 1


@pytest.mark.parametrize(
    ("variant", "seats", "cards", "each", "stock"),
    [
        ("remi500", 2, 54, 13, 27),
        ("remi500", 3, 54, 7, 32),
        ("remi500", 4, 54, 7, 25),
        ("remi500", 5, 108, 7, 72),
        ("remi500", 8, 108, 7, 51),
        ("rami500", 2, 54, 7, 39),
        ("rami500", 3, 54, 7, 32),
        ("rami500", 4, 54, 7, 25),
    ],
)
def test_packs_and_hands_follow_the_number_of_seats(variant: str, seats: int, cards: int, each: int, stock: int) -> None:
    rules = rules_for(variant, seats)
    deal = start(rules, 0, rules.pack())
    assert len(rules.pack()) == cards
    assert [hand.size for hand in deal.hands] == [each] * seats
    assert (deal.stock_left, len(deal.row)) == (stock, 1)


@both_games
def test_a_turn_is_draw_lay_discard_and_then_the_next_seat_plays(variant: str) -> None:
    deal = position(variant, hands=["7H 8H 9H 2S", "3C"], row="KS", stock="4D 5D")
    deal = play(deal, "S M:7H,8H,9H D:2S")
    assert (held(deal, 0), row(deal), deal.to_move, deal.phase) == ("4D", "KS 2S", 1, "draw")


@both_games
def test_the_turn_goes_round(variant: str) -> None:
    deal = dealt(variant, 3)
    seats = []
    for _ in range(4):
        seats.append(deal.to_move)
        deal = play(deal, "S")
        deal = play(deal, f"D:{held(deal, deal.to_move or 0).split()[0]}")
    assert seats == [0, 1, 2, 0]


@both_games
@pytest.mark.parametrize("move", ["M:7H,8H,9H", "L:1:6C", "D:7H"])
def test_before_the_draw_there_is_nothing_but_the_draw(variant: str, move: str) -> None:
    deal = position(variant, hands=["7H 8H 9H 6C", "3C"], melds=[(1, "3D 4D 5D")])
    assert refused(deal, move) == "must_draw_first"


def test_before_the_draw_there_is_no_swap_either() -> None:
    deal = position("rami500", hands=["5D 6C", "3C"], melds=[(1, "3D 4D *5D")])
    assert refused(deal, "W:1:5D") == "must_draw_first"


@both_games
@pytest.mark.parametrize("move", ["S", "P1", "E"])
def test_nobody_draws_twice(variant: str, move: str) -> None:
    deal = play(position(variant, hands=["7H 8H", "3C"], row="9H"), "S")
    assert refused(deal, move) == "already_drawn"
    deal = play(position(variant, hands=["7H 8H 2C", "3C"], row="KS 9H"), "P1")
    assert refused(deal, move) == "already_drawn"


@both_games
@pytest.mark.parametrize("move", ["S", "P1", "M:7H,8H,9H", "D:3C", "U", "T", "E", "nonsense"])
def test_out_of_turn_nothing_is_played(variant: str, move: str) -> None:
    assert refused(position(variant, hands=["7H 8H", "3C"], row="9H"), f"1:{move}") == "not_your_turn"


@both_games
def test_only_cards_in_hand_are_played(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H 2S", "9H 6H"], melds=[(1, "3D 4D 5D")], stock="2C"), "S")
    assert refused(deal, "M:7H,8H,9H") == "not_in_hand"
    assert refused(deal, "M:7H,8H,*9H") == "not_in_hand"
    assert refused(deal, "M:7H,7H,8H") == "not_in_hand"
    assert refused(deal, "L:1:6D") == "not_in_hand"
    assert refused(deal, "D:9H") == "not_in_hand"
    assert refused(deal, "D:*") == "not_in_hand"


@both_games
def test_a_joker_may_be_discarded(variant: str) -> None:
    assert row(play(position(variant, hands=["* 2S", "3C"]), "S D:*")) == "*"


@both_games
def test_with_cards_in_the_stock_nobody_declines(variant: str) -> None:
    deal = position(variant, hands=["7H 8H", "3C"], row="9H", stock="2C")
    assert refused(deal, "E") == "stock_not_empty"


@both_games
def test_after_the_end_nothing_is_played(variant: str) -> None:
    out = play(position(variant, hands=["7H 8H", "3C"], stock="9H 5D"), "S M:7H,8H,9H")
    left = play(position(variant, hands=["7H 8H", "3C"], stock="9H 5D"), "0:R")
    for deal in (out, left):
        assert deal.phase == "over"
        for move in ("S", "D:3C", "1:S", "1:R", "T", "U", "E", "nonsense"):
            assert refused(deal, move) == "deal_over"


@both_games
def test_a_seat_that_has_resigned_plays_no_more(variant: str) -> None:
    deal = play(position(variant, hands=["2S 4S", "3C", "5C"]), "1:R")
    assert refused(deal, "1:S") == "not_your_turn"
    assert refused(deal, "1:R") == "not_your_turn"


@both_games
def test_the_first_fault_is_told_in_a_fixed_order(variant: str) -> None:
    deal = position(variant, hands=["7H 8H 2S", "9H"], row="9S", melds=[(1, "3D 4D 5D")])
    assert refused(deal, "1:Q:7H") == "not_your_turn"  # turn before notation
    assert refused(deal, "Q:7H") == "bad_notation"  # notation before the draw
    assert refused(deal, "D:KS") == "must_draw_first"  # the draw before the hand
    deal = play(deal, "S")
    assert refused(deal, "M:7H,8S,9H") == "not_in_hand"  # the hand before the meld
    assert refused(deal, "L:7:9H") == "not_in_hand"
    assert refused(deal, "L:7:2S") == "no_such_meld"


def test_what_a_game_forbids_is_told_before_the_hand() -> None:
    deal = play(position("remi500", hands=["7H 8H", "3C"]), "S")
    assert refused(deal, "W:1:KS") == "joker_locked"


@both_games
def test_discarding_a_card_one_lacks_is_told_before_the_obligation(variant: str) -> None:
    deal = play(position(variant, hands=["8H 9H 2S", "3C"], row="7H QD"), "P2")
    assert refused(deal, "D:KS") == "not_in_hand"
    assert refused(deal, "D:2S") == "must_use_pickup"


def test_the_pack_is_in_one_place_or_another() -> None:
    rules = rules_for("remi500", 5)
    deal = play(start(rules, 4, rules.pack()), "S")
    everywhere = [card for hand in deal.hands for card in hand.cards()] + [*deal.row, *deal.deck[deal.drawn :]]
    assert sorted(everywhere) == sorted(rules.pack())

"""The deal of tiles and the first round: §4.1, §4.2, §4.5, §4.6, §4.17."""

from collections import Counter

import pytest

from games.engine import TILES, RuleError, deck_text, legal_moves, rules_for, seed_of, shuffled, start, view
from games.engine.record import state

from .builders import legal, play, refused
from .tile_builders import at_table, codes, held, row, tiles_dealt, tiles_rules, words

IN_ORDER = codes("*") + [tile for tile in range(52) for _ in "ab"] + codes("*")


def deck_with(atu: str) -> list[int]:
    """The pack in order, but for the atu, which is its last tile."""
    deck = list(IN_ORDER)
    deck.remove(TILES.codes[atu])
    return [*deck, TILES.codes[atu]]


def piles(deck: list[int]) -> dict[int, list[int]]:
    """The piles of seven by number, as the text of §4.2 has them."""
    return {number: deck[7 * (number - 1) : 7 * number] for number in range(1, 16)}


def test_there_are_106_tiles_each_twice_and_two_joly() -> None:
    pack = Counter(tiles_rules(4).pack())
    assert sum(pack.values()) == 106
    assert pack == Counter(dict.fromkeys(range(53), 2))


@pytest.mark.parametrize("seats", [0, 1, 5, 8])
def test_two_to_four_play(seats: int) -> None:
    with pytest.raises(RuleError, match="bad_record"):
        rules_for("etalat", seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("atu", "k"), [("1R", 1), ("6K", 6), ("9Y", 9), ("13B", 13), ("*", 1)])
def test_the_piles_are_dealt_from_the_one_of_eight_on(seats: int, atu: str, k: int) -> None:
    deck = deck_with(atu)
    pile = piles(deck)
    eight = [pile[k][0], *pile[k + 1]]
    following = [eight, *(pile[(k + step) % 15 + 1] for step in range(1, 14))]
    deal = start(tiles_rules(seats), seats - 1, deck)
    for seat in range(seats):
        assert Counter(deal.hands[seat].cards()) == Counter(following[2 * seat] + following[2 * seat + 1])
    stock = [tile for rest in following[2 * seats :] for tile in rest] + pile[k][1:] + codes(atu)
    assert list(deal.deck[deal.drawn :]) == stock


def test_the_first_seat_has_15_tiles_and_the_others_14() -> None:
    for dealer in range(4):
        deal = start(tiles_rules(4), dealer, shuffled(tiles_rules(4), seed_of("deal")))
        first = (dealer + 1) % 4
        assert [hand.size for hand in deal.hands] == [15 if seat == first else 14 for seat in range(4)]
        assert (deal.stock_left, deal.row) == (49, ())


def test_a_seat_that_has_resigned_is_not_dealt_to() -> None:
    deck = shuffled(tiles_rules(4), seed_of("deal"))
    deal = start(tiles_rules(4), 3, deck, frozenset({0, 2}))
    assert [hand.size for hand in deal.hands] == [0, 15, 0, 14]
    assert deal.stock_left == 77


def test_the_atu_is_seen_by_all_and_drawn_last() -> None:
    deal = tiles_dealt(["", ""], atu="9K")
    assert [view(deal, seat).extra.atu for seat in (0, 1, None)] == codes("9K 9K 9K")
    assert state(deal)["atu"] == "9K"
    last = at_table(hands=["1R 2R", "3Y 4Y"], stock="5K 9K", atu="9K")
    last = play(last, "S D:1R S")
    assert last.drew == codes("9K")[0]


def test_a_deck_that_is_not_the_pack_is_no_record() -> None:
    for deck in ([*IN_ORDER[:-1], 0], IN_ORDER[:-1], [*IN_ORDER, 0]):
        with pytest.raises(RuleError, match="bad_record"):
            start(tiles_rules(2), 0, deck)


def test_the_deck_of_a_record_reads_back() -> None:
    deck = shuffled(tiles_rules(2), seed_of("text"))
    assert codes(deck_text(tiles_rules(2), deck)) == deck


# -- the first round: §4.5, §4.6 ---------------------------------------------------------------------------------


def test_the_first_seat_begins_by_a_discard() -> None:
    deal = tiles_dealt(["1R 2R 3R", ""], exchange=False)
    assert (deal.phase, deal.to_move) == ("play", 0)
    assert all(move.startswith("D:") or move == "B" for move in legal(deal))
    assert refused(deal, "S") == "already_drawn"
    assert refused(deal, "P1") == "already_drawn"
    deal = play(deal, "D:3R")
    assert (row(deal), deal.phase, deal.to_move, deal.hands[0].size) == ("3R", "draw", 1, 14)


def test_in_their_first_turn_the_seats_draw_from_the_stock_and_discard_only() -> None:
    deal = play(tiles_dealt(["1R 2R 3R", "5B 6B 7B 9Y"], exchange=False), "D:2R")
    assert refused(deal, "P1") == "first_round"
    assert legal(deal) == ["B", "S"]
    deal = play(deal, "S")
    for move in ("M:5B,6B,7B", "L:1:5B", "W:1:5B"):
        assert refused(deal, move) == "first_round"
    assert all(move.startswith("D:") or move == "B" for move in legal(deal))


def test_the_first_seat_lays_nothing_in_its_first_turn() -> None:
    deal = tiles_dealt(["1R 2R 3R", ""], exchange=False)
    for move in ("M:1R,2R,3R", "L:1:1R", "W:1:1R"):
        assert refused(deal, move) == "first_round"


def test_from_the_second_turn_on_a_seat_takes_and_lays() -> None:
    deal = at_table(hands=["13B 13Y 2R 5R", "3R 13R"], row="13K", turns=1)
    assert held(play(deal, "P1 M:13Y,13B,13K"), 0) == "2R 5R"
    assert play(deal, "S").phase == "play"


def test_the_board_game_may_be_announced_in_the_first_turn() -> None:
    deal = play(tiles_dealt(["", ""], exchange=False), "B")
    assert deal.extra.board == {0}


def test_the_first_tile_discarded_can_never_be_taken() -> None:
    deal = play(tiles_dealt(["1R 2R 13B 13Y", "3R 13K"], exchange=False), "D:13B S D:3R")
    assert refused(deal, "P2") == "dead_discard"
    deal = play(deal, "S D:1R S D:13K")
    assert refused(deal, "P4") == "dead_discard"
    assert view(deal, 0).extra.dead


def test_the_first_tile_is_dead_even_where_nothing_lies_on_it() -> None:
    # the second seat is in its second turn, for the first has resigned
    deal = at_table(hands=["1R 2R 5Y 9K", "3R 4R 5R 6R"], row="")
    assert len(deal.row) == 1
    assert refused(deal, "P1") == "dead_discard"
    assert legal(deal) == ["S"]


def test_the_first_tile_may_be_taken_where_the_option_says_so() -> None:
    deal = at_table(hands=["2Y 3Y 5Y 9K", "3R 4R 5R 6R"], row="", first_discard_dead=False)
    assert not view(deal, 0).extra.dead
    tile = words(deal.row)
    assert (tile, legal(deal)) == ("2R", ["S"])
    assert refused(deal, "P1") == "pickup_unusable"
    deal = at_table(hands=["2Y 2B 5Y 9K", "3R 4R 5R 6R"], row="", first_discard_dead=False)
    assert legal(deal) == ["P1", "S"]
    assert held(play(deal, "P1"), 0) == "2R 2Y 5Y 2B 9K"


def test_a_first_seat_that_resigns_before_its_discard_leaves_a_row_without_a_tile() -> None:
    deal = play(tiles_dealt(["", "", ""], exchange=False), "0:R")
    assert (deal.to_move, deal.phase, deal.row) == (1, "draw", ())
    assert refused(deal, "P1") == "row_too_short"
    deal = play(deal, "S")
    assert legal_moves(deal)
    assert refused(deal, "E") == "already_drawn"


def test_with_tiles_in_the_stock_no_one_declines() -> None:
    deal = at_table(hands=["1R 2R", "3R 4R"])
    assert refused(deal, "E") == "stock_not_empty"


def test_the_target_is_1000_unless_the_table_has_another() -> None:
    assert tiles_rules(2).target == 1000
    assert tiles_rules(2, target=300).target == 300
    assert tiles_rules(2, target=None).target is None


@pytest.mark.parametrize(
    "options",
    [{"opening_shape": "set"}, {"announce": True}, {"announce": "never"}, {"opening": "45"}, {"opening": -1}, {"ones_open": 1},
     {"exchange": "yes"}, {"top_card_free": True}, {"first_discard_dead": None}, {"lay_off_on_opening_turn": 0}],
)  # fmt: skip
def test_an_option_that_there_is_not_is_no_record(options: dict[str, object]) -> None:
    with pytest.raises(RuleError, match="bad_record"):
        rules_for("etalat", 2, options)


def test_every_option_has_its_default() -> None:
    assert tiles_rules(2).options == {
        "target": 1000, "opening": 45, "opening_shape": "set_and_run", "ones_open": False, "lay_off_on_opening_turn": False,
        "exchange": True, "first_discard_dead": True, "announce": "manual",
    }  # fmt: skip

"""Taking back: §1.9."""

from .builders import both_games, held, play, position, refused, row, table, words


@both_games
def test_table_moves_are_taken_back_one_by_one_newest_first(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H 9H TH 2S", "3C"], stock="6C 7C"), "S M:7H,8H,9H L:1:TH")
    deal = play(deal, "U")
    assert (table(deal), held(deal, 0)) == (["7H 8H 9H"], "2S 6C TH")
    deal = play(deal, "U")
    assert (table(deal), held(deal, 0), deal.laid) == ([], "2S 6C 7H 8H 9H TH", (0, 0))


@both_games
def test_a_stock_draw_is_never_taken_back_nor_anything_before_it(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H 9H 2S", "3C"]), "S")
    assert refused(deal, "U") == "nothing_to_undo"
    deal = play(deal, "M:7H,8H,9H U")
    assert refused(deal, "U") == "nothing_to_undo"


@both_games
def test_a_take_is_taken_back_and_the_row_lies_as_before(variant: str) -> None:
    deal = position(variant, hands=["8H 9H 2S", "3C"], row="KS 7H QD", stock="6C 7C")
    deal = play(deal, "P2 M:7H,8H,9H U U")
    assert (deal.phase, row(deal), held(deal, 0)) == ("draw", "KS 7H QD", "2S 8H 9H")
    assert (deal.must_use, deal.no_discard) == (None, None)


@both_games
def test_after_a_take_is_taken_back_one_may_draw_from_the_stock_or_take_another(variant: str) -> None:
    deal = position(variant, hands=["8H 9H KD KC 2S", "3C"], row="KS 7H QD", stock="6C 7C")
    deal = play(deal, "P2 U")
    assert held(play(deal, "S"), 0) == "2S 6C 8H 9H KC KD"
    assert row(play(deal, "P3")) == ""


@both_games
def test_after_the_draw_that_follows_a_taken_back_take_nothing_can_be_taken_back(variant: str) -> None:
    deal = position(variant, hands=["8H 9H 2S", "3C"], row="KS 7H QD", stock="6C 7C")
    assert refused(play(deal, "P2 U S"), "U") == "nothing_to_undo"


@both_games
def test_taking_back_brings_the_obligation_back(variant: str) -> None:
    deal = play(position(variant, hands=["8H 9H 2S", "3C"], row="7H QD"), "P2 M:7H,8H,9H U")
    assert refused(deal, "D:2S") == "must_use_pickup"


def test_taking_back_brings_the_ban_on_the_free_top_card_back() -> None:
    deal = play(position("rami500", hands=["8H 9H 2S KC", "3C"], row="KS 7H"), "P1 M:7H,8H,9H U")
    assert refused(deal, "D:7H") == "cannot_discard_pickup"


def test_a_swap_is_taken_back() -> None:
    deal = position("rami500", hands=["JH 2S", "3C"], melds=[(1, "TH *JH QH")], stock="6C 7C")
    before = deal.laid
    deal = play(deal, "S W:1:JH U")
    assert (table(deal), held(deal, 0), deal.laid) == (["TH *JH QH"], "2S 6C JH", before)
    assert deal.melds[0].by == (1, 1, 1)


@both_games
def test_a_meld_taken_back_gives_its_number_up(variant: str) -> None:
    deal = position(variant, hands=["7H 8H 9H 4S 4D 4C 2S", "3C"], stock="6C 7C")
    deal = play(deal, "S M:7H,8H,9H U M:4S,4D,4C M:7H,8H,9H")
    assert [(meld.id, meld.kind) for meld in deal.melds] == [(1, "set"), (2, "run")]


@both_games
def test_the_discard_ends_the_turn_for_good(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H 9H 2S KD", "3C"]), "S M:7H,8H,9H D:2S")
    assert refused(deal, "U") == "nothing_to_undo"
    assert refused(deal, "0:U") == "not_your_turn"


@both_games
def test_before_anything_is_done_there_is_nothing_to_take_back(variant: str) -> None:
    assert refused(position(variant, hands=["2S", "3C"], row="4S"), "U") == "nothing_to_undo"


@both_games
def test_going_out_is_not_taken_back(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H", "3C"], stock="9H 7C"), "S M:7H,8H,9H")
    assert refused(deal, "0:U") == "deal_over"


@both_games
def test_cards_once_shown_stay_known_when_they_are_taken_back(variant: str) -> None:
    deal = position(variant, hands=["7H 8H 9H 2S", "3C"], row="KS", stock="6C 7C")
    deal = play(deal, "S M:7H,8H,9H U")
    assert words(deal.known[0].cards()) == "7H 8H 9H"


@both_games
def test_a_take_that_is_taken_back_is_no_longer_known_to_be_in_the_hand(variant: str) -> None:
    deal = play(position(variant, hands=["8H 9H 2S", "3C"], row="7H QD"), "P2")
    assert deal.known[0].size == 2
    assert play(deal, "U").known[0].size == 0

"""Swapping a joker: §3.3; and that there is none in Remi 500: §2.4."""

from .builders import held, legal, play, position, refused, table

ON_TABLE = [(1, "TH *JH QH"), (0, "5S 5D *5C")]


def test_the_card_a_joker_stands_for_takes_its_place_and_the_joker_comes_to_the_hand() -> None:
    deal = play(position("rami500", hands=["JH 2S", "3C"], melds=ON_TABLE, stock="6C 7C"), "S W:1:JH")
    assert table(deal) == ["TH JH QH", "5S 5D *5C"]
    assert held(deal, 0) == "* 2S 6C"


def test_a_joker_is_swapped_in_ones_own_meld_too() -> None:
    deal = play(position("rami500", hands=["5C 2S", "3C"], melds=ON_TABLE, stock="6C 7C"), "S W:2:5C")
    assert table(deal) == ["TH *JH QH", "5S 5D 5C"]


def test_the_card_scores_for_the_swapper_and_the_first_layer_keeps_its_points() -> None:
    deal = position("rami500", hands=["JH 2S", "3C"], melds=ON_TABLE, stock="6C 7C")
    assert deal.laid == (15, 30)
    deal = play(deal, "S W:1:JH")
    assert deal.laid == (15 + 10, 30)
    assert deal.melds[0].by == (1, 0, 1)


def test_an_ace_put_in_the_place_of_a_joker_counts_as_it_lies() -> None:
    high = position("rami500", hands=["AD 2S", "3C"], melds=[(1, "QD KD *AD")])
    low = position("rami500", hands=["AD 2S", "3C"], melds=[(1, "*AD 2D 3D")])
    assert play(high, "S W:1:AD").laid[0] == 11
    assert play(low, "S W:1:AD").laid[0] == 1


def test_the_joker_need_not_be_used_at_once() -> None:
    deal = play(position("rami500", hands=["JH 2S", "3C"], melds=ON_TABLE, stock="6C 7C"), "S W:1:JH D:2S")
    assert held(deal, 0) == "* 6C"


def test_the_joker_is_one_like_any_other() -> None:
    deal = position("rami500", hands=["JH 8H 9C 2S", "3C"], melds=ON_TABLE, stock="9H 7C")
    deal = play(deal, "S W:1:JH M:8H,9H,*7H")
    assert table(deal) == ["TH JH QH", "5S 5D *5C", "*7H 8H 9H"]
    deal = position("rami500", hands=["JH 2S", "3C"], melds=ON_TABLE, stock="6C 7C")
    assert play(deal, "S W:1:JH D:*").row[-1] == 52


def test_a_swap_alone_never_empties_the_hand() -> None:
    deal = play(position("rami500", hands=["JH", "3C"], melds=ON_TABLE, stock="6C 7C"), "S W:1:JH L:1:*9H")
    assert (deal.phase, held(deal, 0)) == ("play", "6C")


def test_no_other_card_takes_a_jokers_place() -> None:
    deal = play(position("rami500", hands=["JS KH 2S", "3C"], melds=ON_TABLE), "S")
    assert refused(deal, "W:1:JS") == "no_such_joker"
    assert refused(deal, "W:1:KH") == "no_such_joker"


def test_a_joker_is_swapped_only_in_its_own_meld() -> None:
    deal = play(position("rami500", hands=["JH 2S", "3C"], melds=ON_TABLE), "S")
    assert refused(deal, "W:2:JH") == "no_such_joker"
    assert refused(deal, "W:3:JH") == "no_such_meld"


def test_one_needs_the_card_itself_not_another_joker() -> None:
    deal = play(position("rami500", hands=["* 2S", "3C"], melds=[(1, "TH *JH QH")]), "S")
    assert refused(deal, "W:1:JH") == "not_in_hand"
    assert refused(deal, "W:1:*") == "bad_notation"
    assert refused(deal, "W:1:*JH") == "bad_notation"


def test_nobody_swaps_before_the_draw() -> None:
    deal = position("rami500", hands=["JH 2S", "3C"], melds=ON_TABLE)
    assert refused(deal, "W:1:JH") == "must_draw_first"


def test_once_swapped_the_place_holds_no_joker_any_more() -> None:
    deal = play(position("rami500", hands=["JH 2S", "3C"], melds=ON_TABLE), "S W:1:JH")
    assert refused(deal, "W:1:JH") == "not_in_hand"
    assert not [move for move in legal(deal) if move.startswith("W")]


def test_both_jokers_may_be_swapped_in_one_turn() -> None:
    deal = play(position("rami500", hands=["JH 5C 2S", "3C"], melds=ON_TABLE, stock="6C 7C"), "S W:1:JH W:2:5C")
    assert held(deal, 0) == "* * 2S 6C"


def test_in_remi_no_joker_is_ever_swapped() -> None:
    deal = play(position("remi500", hands=["JH 2S", "3C"], melds=ON_TABLE), "S")
    assert refused(deal, "W:1:JH") == "joker_locked"
    assert not [move for move in legal(deal) if move.startswith("W")]

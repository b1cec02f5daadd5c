"""Taking from the row and what it obliges to: §1.3, §1.8, §2.3, §3.2."""

from typing import Any

import pytest

from .builders import both_games, held, play, position, refused, row, table

ROW = "KS 4D 7H QS 3D JD"


@both_games
def test_a_take_brings_the_card_and_all_that_lie_after_it(variant: str) -> None:
    deal = play(position(variant, hands=["8H 9H 2S", "3C"], row=ROW), "P4")
    assert held(deal, 0) == "2S 3D 7H 8H 9H JD QS"
    assert row(deal) == "KS 4D"


@both_games
def test_the_whole_row_can_be_taken(variant: str) -> None:
    deal = play(position(variant, hands=["KH KD 2S", "3C"], row=ROW), "P6")
    assert row(deal) == ""


@both_games
def test_nothing_is_taken_beyond_the_row(variant: str) -> None:
    deal = position(variant, hands=["KH KD 2S", "3C"], row="KS 4D")
    assert refused(deal, "P3") == "row_too_short"
    assert refused(position(variant, hands=["KH KD", "3C"]), "P1") == "row_too_short"


@both_games
def test_the_row_keeps_its_order_and_the_discard_goes_to_its_end(variant: str) -> None:
    deal = play(position(variant, hands=["8H 9H 2S", "3C"], row=ROW), "P4 M:7H,8H,9H D:QS S D:3C")
    assert row(deal) == "KS 4D QS 3C"


@both_games
def test_the_card_taken_must_be_laid_before_the_discard(variant: str) -> None:
    deal = play(position(variant, hands=["8H 9H 2S", "3C"], row=ROW), "P4")
    assert refused(deal, "D:QS") == "must_use_pickup"
    assert refused(deal, "D:7H") == "must_use_pickup"
    assert row(play(deal, "M:7H,8H,9H D:QS")) == "KS 4D QS"


@both_games
def test_laying_another_card_of_the_take_does_not_meet_the_obligation(variant: str) -> None:
    deal = position(variant, hands=["8H 9H QD KD 2S", "3C"], row=ROW)
    deal = play(deal, "P4 M:JD,QD,KD")
    assert refused(deal, "D:2S") == "must_use_pickup"


@both_games
def test_only_the_deepest_card_must_be_used(variant: str) -> None:
    deal = play(position(variant, hands=["8H 9H 2S", "3C"], row=ROW), "P4 M:7H,8H,9H D:2S")
    assert held(deal, 0) == "3D JD QS"


@both_games
def test_laying_off_meets_the_obligation(variant: str) -> None:
    deal = position(variant, hands=["2S 5C", "3C"], row=ROW, melds=[(1, "8H 9H TH")])
    assert row(play(deal, "P4 L:1:7H D:2S")) == "KS 4D 2S"


def test_swapping_meets_the_obligation_where_there_are_swaps() -> None:
    table_with_joker = [(1, "8S 8D 8C"), (1, "5H 6H *7H")]
    deal = play(position("rami500", hands=["2S 5C", "3C"], row=ROW, melds=table_with_joker), "P4 W:2:7H D:2S")
    assert table(deal) == ["8S 8D 8C", "5H 6H 7H"]
    deal = position("remi500", hands=["2S 5C", "3C"], row=ROW, melds=table_with_joker)
    assert refused(deal, "P4") == "pickup_unusable"


def test_cards_of_one_face_are_interchangeable() -> None:
    hands = ["7H 8H 9H 2S", "3C", "5C", "6C", "TC"]
    deal = play(position("remi500", hands=hands, row="7H JD"), "P2 M:7H,8H,9H D:7H")
    assert row(deal) == "7H"


def test_a_joker_that_is_taken_is_used_as_any_card() -> None:
    deal = position("remi500", hands=["2S 5C", "3C"], row="KS * QD", melds=[(1, "8H 9H TH")])
    deal = play(deal, "P2")
    assert refused(deal, "D:5C") == "must_use_pickup"
    assert table(play(deal, "L:1:*JH D:5C")) == ["8H 9H TH *JH"]


# -- can the card be used at all? ----------------------------------------------------------------


@both_games
def test_a_take_without_any_use_for_its_card_is_refused(variant: str) -> None:
    deal = position(variant, hands=["2S 5C 9H", "3C"], row=ROW, melds=[(1, "TH JH QH")])
    assert refused(deal, "P4") == "pickup_unusable"


USES: dict[str, tuple[str, str, list[tuple[int, str]]]] = {
    "in a run with cards in hand": ("8H 9H 2S", "7H QS", []),
    "in a set with cards in hand": ("7S 7D 2S", "7H QS", []),
    "with another card of the take": ("9H 2S", "7H 8H QS", []),
    "with cards of the take alone": ("2S", "7H 8H 9H", []),
    "with a joker in hand": ("8H * 2S", "7H QS", []),
    "with a joker over a gap": ("9H * 2S", "7H QS", []),
    "with a joker of the take": ("7S 2S", "7H * QS", []),
    "with two jokers and nothing else": ("* * 2S", "7H QS", []),
    "laid off on a run": ("2S", "7H QS", [(1, "8H 9H TH")]),
    "laid off on a set": ("2S", "7H QS", [(1, "7S 7D 7C")]),
    "laid off after a card that reaches it": ("8H 2S", "7H QS", [(1, "9H TH JH")]),
    "laid off after several that reach it": ("8H 9H 2S", "7H QS", [(1, "TH JH QH")]),
    "laid off after a joker that reaches it": ("* 2S", "7H QS", [(1, "9H TH JH")]),
    "laid off after one that comes along": ("2S", "7H 8H", [(1, "9H TH JH")]),
    "below a high run": ("2S", "7H QS", [(1, "8H 9H TH JH QH KH AH")]),
}


@both_games
@pytest.mark.parametrize("use", USES)
def test_the_card_taken_may_be_used(variant: str, use: str) -> None:
    in_hand, taken, melds = USES[use]
    deal = position(variant, hands=[f"{in_hand} 4C", "3C"], row=taken, melds=melds)
    assert play(deal, f"P{len(taken.split())}").must_use is not None


NO_USES: dict[str, tuple[str, str, list[tuple[int, str]]]] = {
    "a pair is no set": ("7S 2S", "7H QS", []),
    "two neighbours with a gap between": ("9H 2S", "7H QS", []),
    "a run of another suit": ("2S", "7H QS", [(1, "8D 9D TD")]),
    "a set that has its suit": ("2S", "7H QS", [(1, "7S *7H 7C")]),
    "a gap that one joker does not fill": ("* 2S", "7H QS", [(1, "TH JH QH")]),
    "a full set": ("2S", "7H QS", [(1, "7S *7H 7D 7C")]),
    "a card in the row before the one taken": ("8H 2S", "9H 7H QS", []),
    "king, ace, two": ("KH 2H 9S", "AH QS", []),
    "the run that lacks the ace's neighbour": ("2S", "AH QS", [(1, "3H 4H 5H")]),
}


@pytest.mark.parametrize("trap", NO_USES)
def test_the_card_taken_has_no_use(trap: str) -> None:
    in_hand, taken, melds = NO_USES[trap]
    deal = position("remi500", hands=[f"{in_hand} 4C", "3C"], row=taken, melds=melds)
    assert refused(deal, "P2") == "pickup_unusable"


def test_a_card_is_used_with_a_joker_that_a_swap_brings_in_rami() -> None:
    deal = position("rami500", hands=["8H 6C 2S", "3C"], row="7H QS", melds=[(1, "4C 5C *6C")])
    deal = play(deal, "P2 W:1:6C M:7H,8H,*9H D:2S")
    assert table(deal) == ["4C 5C 6C", "7H 8H *9H"]


def test_no_swap_helps_a_take_in_remi() -> None:
    deal = position("remi500", hands=["8H 6C 2S", "3C"], row="7H QS", melds=[(1, "4C 5C *6C")])
    assert refused(deal, "P2") == "pickup_unusable"


@both_games
def test_a_take_is_legal_though_the_turn_cannot_be_finished_with_it(variant: str) -> None:
    # the three cards that use the 7 are all there is: it can be laid, and the turn ends by going out
    deal = play(position(variant, hands=["8H 9H", "3C"], row="7H"), "P1 M:7H,8H,9H")
    assert (deal.reason, deal.out) == ("out", 0)


# -- the top card alone --------------------------------------------------------------------------


def test_in_remi_the_top_card_alone_must_be_used_too() -> None:
    deal = position("remi500", hands=["8H 9H 2S", "3C"], row="KS 7H")
    assert refused(play(deal, "P1"), "D:2S") == "must_use_pickup"
    assert refused(position("remi500", hands=["8H TH 2S", "3C"], row="KS 7H"), "P1") == "pickup_unusable"


def test_in_rami_the_top_card_alone_is_free() -> None:
    deal = play(position("rami500", hands=["8C 2S", "3C"], row="KS 7H"), "P1 D:2S")
    assert (held(deal, 0), row(deal)) == ("7H 8C", "KS 2S")


FREE = [("rami500", {}), ("remi500", {"top_card_free": True})]


@pytest.mark.parametrize(("variant", "options"), FREE)
def test_a_free_top_card_is_not_discarded_in_the_same_turn(variant: str, options: dict[str, Any]) -> None:
    deal = play(position(variant, hands=["8C 2S", "3C 4C"], row="KS 7H", **options), "P1")
    assert refused(deal, "D:7H") == "cannot_discard_pickup"
    deal = play(deal, "D:2S S D:3C S D:7H")
    assert row(deal) == "KS 2S 3C 7H"


@pytest.mark.parametrize(("variant", "options"), FREE)
def test_a_free_top_card_may_be_laid_at_once(variant: str, options: dict[str, Any]) -> None:
    deal = play(position(variant, hands=["8H 9H 2S", "3C"], row="KS 7H", **options), "P1 M:7H,8H,9H D:2S")
    assert deal.reason == "out"


@pytest.mark.parametrize(("variant", "options"), FREE)
def test_a_longer_take_obliges_where_the_top_card_is_free(variant: str, options: dict[str, Any]) -> None:
    deal = position(variant, hands=["8H 9H 2S", "3C"], row="7H KS", **options)
    assert refused(play(deal, "P2"), "D:2S") == "must_use_pickup"
    deal = position(variant, hands=["8H TH 2S", "3C"], row="7H KS", **options)
    assert refused(deal, "P2") == "pickup_unusable"


def test_a_second_card_of_its_face_may_be_discarded() -> None:
    hands = ["7H 2S", "3C", "5C", "6C", "TC"]
    deal = position("remi500", hands=hands, row="7H", top_card_free=True)
    assert row(play(deal, "P1 D:7H")) == "7H"
    deal = position("rami500", hands=["* 2S", "3C"], row="*")
    assert row(play(deal, "P1 D:*")) == "*"


def test_rami_can_be_played_with_every_take_obliging() -> None:
    deal = position("rami500", hands=["8H 9H 2S", "3C"], row="KS 7H", top_card_free=False)
    assert refused(play(deal, "P1"), "D:2S") == "must_use_pickup"
    deal = position("rami500", hands=["8H TH 2S", "3C"], row="KS 7H", top_card_free=False)
    assert refused(deal, "P1") == "pickup_unusable"

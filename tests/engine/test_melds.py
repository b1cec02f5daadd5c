"""Sets, runs, jokers and laying off: §1.4–§1.7, §1.14."""

import pytest

from games.engine import Deal

from .builders import both_games, held, play, position, refused, table

LOW_RUN = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
HIGH_RUN = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"


def about_to_lay(cards: str) -> Deal:
    """Two packs, the cards in hand (a declared joker as a joker) with two more, drawn already."""
    in_hand = " ".join("*" if card.startswith("*") else card for card in cards.split())
    deal = position("remi500", hands=[f"{in_hand} 2D 4C", "3C", "5C", "9C", "JD"], stock="6H")
    return play(deal, "S")


def meld(cards: str) -> str:
    return "M:" + cards.replace(" ", ",")


@pytest.mark.parametrize(
    ("cards", "kind", "printed"),
    [
        ("7H 8H 9H", "run", "7H 8H 9H"),
        ("9H 7H 8H", "run", "7H 8H 9H"),
        ("AS 2S 3S", "run", "AS 2S 3S"),
        ("KD AD QD", "run", "QD KD AD"),
        ("8S 8H 8C", "set", "8S 8H 8C"),
        ("QC QS QD QH", "set", "QS QH QD QC"),
        ("AC AH AS", "set", "AS AH AC"),
        ("7H *8H 9H", "run", "7H *8H 9H"),
        ("*9H 8H 7H", "run", "7H 8H *9H"),
        ("7H *8H *9H", "run", "7H *8H *9H"),
        ("5S *5H 5C", "set", "5S *5H 5C"),
        ("QD KD *AD", "run", "QD KD *AD"),
        ("*AD 2D 3D", "run", "*AD 2D 3D"),
        ("4D 5D 6D 7D 8D 9D TD JD", "run", "4D 5D 6D 7D 8D 9D TD JD"),
    ],
)
def test_these_cards_are_a_meld_and_print_in_order(cards: str, kind: str, printed: str) -> None:
    deal = play(about_to_lay(cards), meld(cards))
    assert (deal.melds[0].kind, table(deal)) == (kind, [printed])
    assert held(deal, 0) == "2D 4C 6H"


@pytest.mark.parametrize(
    "cards",
    [
        "7H",
        "7H 8H",
        "7H 7S",
        "7H 8H TH",
        "7H 8S 9H",
        "KC AC 2C",
        "QC KC AC 2C",
        "KH KS AH",
        "7H 7H 7S",
        "7S 7H 7D 7C 7S",
        "7H 7H 8H 9H",
        "AS AS 2S 3S",
        "5S *5S 5C",
        "5S 5H 5D 5C *5S",
        "7H *7H 8H",
        "7H 8H *TH",
        "7H 8H *9S",
        "*7H *8H *9H",
        "*5S *5H *5D",
    ],
)
def test_these_cards_are_no_meld(cards: str) -> None:
    assert refused(about_to_lay(cards), meld(cards)) == "not_a_meld"


def test_a_joker_must_be_declared_when_it_is_laid() -> None:
    deal = play(about_to_lay("7H 8H *9H"), "")
    assert refused(deal, "M:7H,8H,*") == "joker_undeclared"
    assert refused(play(deal, "M:7H,8H,*9H"), "L:1:*") == "not_in_hand"


@both_games
def test_a_joker_laid_off_must_be_declared_too(variant: str) -> None:
    deal = play(position(variant, hands=["* 2D 4C", "3C"], melds=[(1, "7H 8H 9H")]), "S")
    assert refused(deal, "L:1:*") == "joker_undeclared"
    assert table(play(deal, "L:1:*TH")) == ["7H 8H 9H *TH"]


@both_games
def test_a_joker_may_stand_for_a_card_that_is_visible_elsewhere(variant: str) -> None:
    deal = position(variant, hands=["* 7H 8H 2D", "3C"], row="9H", melds=[(1, "9S 9D 9C")])
    deal = play(deal, "S M:7H,8H,*9H")
    assert table(deal) == ["9S 9D 9C", "7H 8H *9H"]


@both_games
def test_a_joker_keeps_the_card_it_stands_for(variant: str) -> None:
    deal = play(position(variant, hands=["JH 9H 2D", "3C"], melds=[(1, "TH *JH QH")]), "S")
    assert refused(deal, "L:1:JH") == "cannot_lay_off"
    assert table(play(deal, "L:1:9H")) == ["9H TH *JH QH"]


# -- the ace in long runs, §1.7 ------------------------------------------------------------------


def long_run(cards: str) -> Deal:
    return play(about_to_lay(cards), meld(cards))


def test_a_run_of_thirteen_has_its_ace_low_where_it_was_listed_first() -> None:
    deal = long_run(LOW_RUN)
    assert table(deal) == [LOW_RUN]
    assert deal.laid[0] == 1 + 54 + 30


def test_a_run_of_thirteen_has_its_ace_high_where_it_was_not_listed_first() -> None:
    for listed in (HIGH_RUN, "2S AS 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"):
        deal = long_run(listed)
        assert table(deal) == [HIGH_RUN]
        assert deal.laid[0] == 54 + 30 + 15


def test_of_two_aces_in_a_run_of_fourteen_the_one_listed_first_is_low() -> None:
    assert table(long_run(f"*AS {HIGH_RUN}")) == [f"*AS {HIGH_RUN}"]
    assert table(long_run(f"{LOW_RUN} *AS")) == [f"{LOW_RUN} *AS"]


def test_nothing_goes_on_a_run_of_fourteen() -> None:
    deal = long_run(f"{LOW_RUN} AS")
    assert deal.laid[0] == 1 + 54 + 30 + 15
    assert deal.melds[0].fits == 0


def test_an_ace_laid_off_on_two_to_king_goes_to_the_high_end() -> None:
    run = HIGH_RUN.removesuffix(" AS")
    deal = position("remi500", hands=["AS AS 2D", "3C", "5C", "9C", "JD"], melds=[(1, run)])
    deal = play(deal, "S L:1:AS")
    assert table(deal) == [HIGH_RUN]
    assert deal.laid[0] == 15
    deal = play(deal, "L:1:AS")
    assert table(deal) == [f"AS {HIGH_RUN}"]
    assert deal.laid[0] == 15 + 1


def test_an_ace_laid_off_on_ace_to_king_goes_to_the_high_end() -> None:
    deal = position("remi500", hands=["AS 2D", "3C", "5C", "9C", "JD"], melds=[(1, LOW_RUN)])
    deal = play(deal, "S L:1:AS")
    assert table(deal) == [f"{LOW_RUN} AS"]
    assert deal.laid[0] == 15


# -- laying off, §1.4 and §1.14 ------------------------------------------------------------------


@both_games
def test_cards_are_laid_off_on_ones_own_and_on_anothers_melds(variant: str) -> None:
    deal = position(variant, hands=["6H 8C 2D", "3C"], melds=[(0, "7H *8H 9H"), (1, "8S 8H 8D")])
    deal = play(deal, "S L:1:6H L:2:8C")
    assert table(deal) == ["6H 7H *8H 9H", "8S 8H 8D 8C"]
    assert [meld.by for meld in deal.melds] == [(0, 0, 0, 0), (1, 1, 1, 0)]
    assert [meld.owner for meld in deal.melds] == [0, 1]


@both_games
def test_whoever_lays_a_card_gets_its_points_wherever_it_lies(variant: str) -> None:
    deal = position(variant, hands=["6H 8C 2D", "3C"], melds=[(1, "7H 8H 9H"), (1, "8S *8H 8D")])
    before = deal.laid
    deal = play(deal, "S L:1:6H L:2:8C")
    assert deal.laid == (before[0] + 14, before[1])


@both_games
def test_a_run_grows_at_both_ends_one_card_after_the_other(variant: str) -> None:
    deal = play(position(variant, hands=["5H 6H TH 2D", "3C"], melds=[(1, "7H 8H 9H")]), "S")
    assert table(play(deal, "L:1:6H,5H,TH")) == ["5H 6H 7H 8H 9H TH"]
    assert refused(deal, "L:1:5H,6H") == "cannot_lay_off"


@both_games
def test_several_cards_are_laid_off_all_or_none(variant: str) -> None:
    deal = play(position(variant, hands=["6H 5H 3D 2D", "3C"], melds=[(1, "7H 8H 9H")]), "S")
    assert refused(deal, "L:1:6H,5H,3D") == "cannot_lay_off"
    assert table(deal) == ["7H 8H 9H"]


@both_games
@pytest.mark.parametrize("card", ["5H", "JH", "7S", "6S", "AH"])
def test_a_card_that_does_not_fit_is_not_laid_off(variant: str, card: str) -> None:
    deal = play(position(variant, hands=[f"{card} 2D", "3C"], melds=[(1, "7H 8H 9H")]), "S")
    assert refused(deal, f"L:1:{card}") == "cannot_lay_off"


def test_nothing_goes_beyond_an_ace() -> None:
    deal = play(position("remi500", hands=["2D KD 9C", "3C"], melds=[(1, "QD *KD AD"), (1, "AH 2H 3H")]), "S")
    assert refused(deal, "L:1:2D") == "cannot_lay_off"
    deal = play(position("remi500", hands=["KH 9C", "3C"], melds=[(1, "AH 2H 3H")]), "S")
    assert refused(deal, "L:1:KH") == "cannot_lay_off"


def test_a_set_of_four_is_full_with_two_packs_too() -> None:
    deal = position("remi500", hands=["8S * 2D", "3C", "5C", "9C", "JD"], melds=[(1, "8S 8H 8D 8C")])
    deal = play(deal, "S")
    assert refused(deal, "L:1:8S") == "cannot_lay_off"
    assert refused(deal, "L:1:*8H") == "cannot_lay_off"


def test_a_set_takes_no_suit_twice_with_two_packs_neither() -> None:
    deal = position("remi500", hands=["8S 8C 2D", "3C", "5C", "9C", "JD"], melds=[(1, "8S 8H 8D")])
    deal = play(deal, "S")
    assert refused(deal, "L:1:8S") == "cannot_lay_off"
    assert table(play(deal, "L:1:8C")) == ["8S 8H 8D 8C"]


@both_games
def test_a_card_that_fits_several_melds_goes_where_its_player_says(variant: str) -> None:
    deal = position(variant, hands=["7C 2D", "3C"], melds=[(1, "4C 5C 6C"), (1, "7S 7H 7D")])
    deal = play(deal, "S")
    assert table(play(deal, "L:1:7C")) == ["4C 5C 6C 7C", "7S 7H 7D"]
    assert table(play(deal, "L:2:7C")) == ["4C 5C 6C", "7S 7H 7D 7C"]


@both_games
def test_there_is_no_laying_off_on_a_meld_that_is_not_there(variant: str) -> None:
    deal = play(position(variant, hands=["6H 2D", "3C"], melds=[(1, "7H 8H 9H")]), "S")
    assert refused(deal, "L:2:6H") == "no_such_meld"
    assert refused(deal, "L:0:6H") == "bad_notation"

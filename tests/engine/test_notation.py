"""The text of cards and moves, both ways (docs/notation.md)."""

import pytest

from games.engine import CARDS, TILES, RuleError, move_text, parse_move

from .builders import both_games, legal, play, position, refused, table

MOVES = [
    "S", "P1", "P3", "P54", "M:7H,8H,*9H", "M:*AS,*2S,3S", "L:2:6H", "L:12:6H,5H", "L:2:*TD", "W:1:9H",
    "D:QS", "D:*", "E", "U", "R", "T",
]  # fmt: skip

NONSENSE = [
    "", " ", "s", "Q", "Q:7H", "P", "P0", "P-1", "P01", "P1.5", "P99999", "P٣", "M", "M:", "M:7H,", "M:,7H", "M:7H 8H",
    "M:7H,8H,9X", "M:7H;8H;9H", "M:10H,JH,QH", "M:7h,8h,9h", "L", "L:", "L:2", "L:2:", "L::6H", "L:x:6H", "L:0:6H",
    "L:-1:6H", "L:6H", "W:1", "W:1:", "W:1:*", "W:1:*9H", "W:1:9H,8H", "D", "D:", "D:QS,QH", "D:*QS", "D:1S", "DQS",
    "S:", "S:7H", "U1", "E:1", "R:", "T:x", "A", "B", "C:5R", "X:pass", "X:5R", "D:5R", "M:1R,2R,3R", "S\n", " S",
    "D:QS\x00", "M:" + ",".join(["7H"] * 500), "💥",
]  # fmt: skip


@pytest.mark.parametrize("text", MOVES)
def test_a_move_is_read_and_written_the_same(text: str) -> None:
    assert move_text(parse_move(text, CARDS), CARDS) == text


@pytest.mark.parametrize("text", NONSENSE)
def test_what_is_no_move_is_bad_notation(text: str) -> None:
    with pytest.raises(RuleError) as refusal:
        parse_move(text, CARDS)
    assert refusal.value.code == "bad_notation"


@both_games
def test_a_refused_move_is_bad_notation_before_and_after_the_draw(variant: str) -> None:
    deal = position(variant, hands=["7H 8H", "3C"])
    for nonsense in ("Q:7H", "D:1S", "M:7H,8H,9X"):
        assert refused(deal, nonsense) == "bad_notation"
        assert refused(play(deal, "S"), nonsense) == "bad_notation"


def test_every_card_has_a_text_of_its_own() -> None:
    faces = [CARDS.texts[card] for card in range(52)]
    assert len(set(faces)) == 52
    assert (faces[0], faces[12], faces[13], faces[51]) == ("AS", "KS", "AH", "KC")
    assert CARDS.texts[52] == "*"


def test_tiles_have_numbers_and_colours() -> None:
    faces = [TILES.texts[tile] for tile in range(52)]
    assert (faces[0], faces[12], faces[13], faces[51]) == ("1R", "13R", "1Y", "13K")


@both_games
def test_runs_print_upwards_and_sets_by_suit(variant: str) -> None:
    deal = position(variant, hands=["9H 7H 8H KC KS KD QC", "3C"])
    deal = play(deal, "S M:9H,7H,8H M:KC,KD,KS")
    assert table(deal) == ["7H 8H 9H", "KS KD KC"]


@both_games
def test_the_legal_moves_are_the_ones_that_are_not_refused(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H 2S", "3C"], row="KS", melds=[(1, "4C 5C 6C")], stock="9H 5D"), "S")
    assert legal(deal) == ["D:2S", "D:7H", "D:8H", "D:9H", "M:7H,8H,9H"]


@both_games
def test_a_joker_is_listed_with_every_card_it_may_stand_for(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H 2S", "3C"], melds=[(1, "4C 5C 6C")], stock="* 5D"), "S")
    assert legal(deal) == [
        "D:*", "D:2S", "D:7H", "D:8H", "L:1:*3C", "L:1:*7C", "M:*6H,7H,8H", "M:7H,8H,*9H",
    ]  # fmt: skip


@both_games
def test_nothing_is_legal_once_the_deal_is_over(variant: str) -> None:
    assert legal(play(position(variant, hands=["7H", "3C"]), "R")) == []


@both_games
def test_where_only_a_take_back_is_left_nothing_is_listed(variant: str) -> None:
    # the 8 of hearts, without which the 7 is of no use, has gone into a set
    deal = position(variant, hands=["8H 8D 8C 9H", "3C"], row="7H 2S", stock="6C 7C")
    deal = play(deal, "P2 M:8H,8D,8C")
    assert legal(deal) == []
    assert legal(play(deal, "U"))

"""The computer player of the tile game: legal, quick to end its turns, sensible, and better than chance."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from games.engine import Deal, View, apply, legal_moves, move_text, rules_for, seed_of, shuffled, start, view
from games.engine.arena import play_match, play_matches
from games.engine.bots import BOTS, greedy, random_player
from games.engine.bots.rack import aims
from games.engine.exchange import pending

from .builders import play
from .test_etalat_board import BETE, BICOLOR, DUBLE, MONOCOLOR, MOZAIC, SIMPLU
from .tile_builders import answers, at_table, hand, tiles_dealt, tiles_rules


def asked(deal: Deal, seat: int | None = None) -> str:
    """The move that the player makes for a seat, as text."""
    return move_text(greedy(view(deal, deal.to_move if seat is None else seat), random.Random(1)), deal.rules.alphabet)


def turn(deal: Deal) -> list[str]:
    """The moves of the player until its turn has passed."""
    seat, made = deal.to_move, []
    while deal.to_move == seat:
        made.append(asked(deal))
        deal = play(deal, made[-1])
    return made


# -- always ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_move_is_legal_and_no_turn_is_a_dead_end(seats: int) -> None:
    options: tuple[dict[str, object], ...] = (
        {},
        {"lay_off_on_opening_turn": True, "ones_open": True, "opening": 30},
        {"exchange": False, "announce": "auto"},
    )
    for number in range(9):
        rules = rules_for("etalat", seats, options[number % 3])
        deal = start(rules, number % seats, shuffled(rules, seed_of(f"player {number}")))
        moves, rng = 0, random.Random(number)
        while deal.phase != "over":
            seat = pending(deal)[0] if deal.phase == "exchange" else deal.to_move
            assert seat is not None
            seen = view(deal, seat)
            move = greedy(seen, rng)
            allowed = legal_moves(seen) or rules.answers(seen)
            assert move in allowed or move.kind == "L", move  # several tiles may be laid off at once
            deal = apply(deal, seat, move)
            moves += 1
            assert moves < 2_500
        assert not deal.extra.forgot


def test_the_same_view_and_chance_give_the_same_move() -> None:
    rules = tiles_rules(3)
    deal = start(rules, 0, shuffled(rules, seed_of("same")))
    while deal.phase != "over":
        seat = pending(deal)[0] if deal.phase == "exchange" else deal.to_move
        assert seat is not None
        seen = view(deal, seat)
        moves = {greedy(seen, random.Random(5)) for _ in range(3)}
        assert len(moves) == 1
        deal = apply(deal, seat, moves.pop())


def test_it_is_given_a_view_and_nothing_else() -> None:
    deal = tiles_dealt(["", ""], exchange=False)
    assert isinstance(view(deal, 0), View)
    assert not hasattr(view(deal, 0), "deck")
    assert set(BOTS) >= {"greedy", "random"}


def test_it_beats_random_legal_play() -> None:
    played = play_matches("etalat", ["greedy", "random"], 16, "strength")
    assert played["wins"][0] >= 15
    assert played["unfinished"] == 0


def test_a_match_of_random_players_ends() -> None:
    rules = rules_for("etalat", 2, {"target": None})
    match, moves = play_match(rules, [random_player, random_player], "chance", 0)
    assert match.winner is not None and moves < 50_000


# -- before play -------------------------------------------------------------------------------------------------


def test_it_offers_a_double_that_it_has_no_use_for() -> None:
    # both 5R go to melds of their own, the second 12K to none
    deal = tiles_dealt(["5R 5R 5Y 5B 4R 6R 12K 12K 9Y", "8B 8B"])
    assert asked(deal, 0) == "X:12K"


def test_it_spoils_a_poor_deal_and_plays_a_good_one() -> None:
    assert asked(tiles_dealt(["5R 5R 9K 9K 12B 12B", ""]), 0) == "X:spoil"
    assert asked(tiles_dealt(["5R 5R 5Y 5Y 5B 5B 10R 11R 12R", ""]), 0) != "X:spoil"


def test_it_keeps_five_doubles() -> None:
    assert asked(tiles_dealt(["5R 5R 9K 9K 12B 12B 2Y 2Y 7B 7B", ""]), 0) == "X:pass"


def test_it_passes_where_doubles_are_not_exchanged() -> None:
    deal = tiles_dealt(["5R 5R 5Y 5Y 5B 5B 10R 11R 12R", ""], exchange=False)
    assert asked(deal, 0) == "X:pass"
    assert answers(view(deal, 0)) == ["X:pass", "X:spoil"]


# -- opening -----------------------------------------------------------------------------------------------------

RACK = "10R 10Y 10B 1R 2R 3R 5K 13B 8K 2B 7Y 4Y 6B 12K"


def test_it_opens_as_soon_as_it_can() -> None:
    deal = at_table(hands=[RACK, "9K 8R"], opened="1", stock="13Y 9R 11B")
    made = turn(deal)
    assert made[0] == "S"
    assert {move for move in made if move[0] == "M"} == {"M:10R,10Y,10B", "M:1R,2R,3R"}


def test_it_takes_the_tile_that_opens() -> None:
    deal = at_table(hands=[RACK.replace("10B", "9B"), "9K 8R"], row="10B", opened="1", stock="13Y 9R 11B")
    made = turn(deal)
    assert made[0] == "P1"
    assert "M:10R,10Y,10B" in made


def test_it_lays_nothing_that_does_not_open() -> None:
    deal = at_table(hands=[RACK.replace("3R", "11Y"), "9K 8R"], opened="1", stock="13Y 9R 11B")
    made = turn(deal)
    assert [move[0] for move in made] == ["S", "D"]


def test_it_keeps_what_belongs_together() -> None:
    deal = at_table(hands=["10R 10Y 10B 5K 6K 8R 8Y 3B 13Y 2R 2K 11K 12K 1Y", "9K 8R"], opened="1", stock="7B 9R")
    discard = turn(deal)[-1]
    assert discard in ("D:1Y", "D:13Y", "D:3B", "D:7B", "D:2R", "D:2K")


# -- after it ----------------------------------------------------------------------------------------------------


def test_it_lays_what_it_can_and_lays_off() -> None:
    deal = at_table(hands=["9Y 9B 9K 4R 2B 13K 7K", "8K 3Y 5Y 6B"], melds=[(1, "5R 6R 7R")], stock="12Y 9R")
    made = turn(deal)
    assert {"M:9Y,9B,9K", "L:1:4R"} <= set(made)


def test_it_wins_a_joly_and_lays_it_again() -> None:
    deal = at_table(hands=["7R 11K 11B 2B 13K 4Y", "8K 3Y 5Y 6B"], melds=[(1, "5R 6R *7R")], stock="12Y 9R")
    made = turn(deal)
    assert "W:1:7R" in made
    assert any("*" in move for move in made if move[0] in "ML")


def test_it_swaps_nothing_where_the_joly_could_not_be_laid() -> None:
    deal = at_table(hands=["7R 11K 2B", "8K 3Y 5Y 6B"], melds=[(1, "7R 7Y *7B")], stock="13R 9R")
    assert not [move for move in turn(deal) if move[0] == "W"]


def test_it_takes_from_the_row_what_pays() -> None:
    deal = at_table(hands=["9Y 9B 2R 4R 6K", "8K 3Y 5Y 6B"], row="9R 9K", stock="12Y 13R")
    made = turn(deal)
    assert made[0] == "P2"
    assert "M:9R,9Y,9B,9K" in made


def test_it_leaves_what_does_not_pay() -> None:
    deal = at_table(hands=["9Y 9B 2R 4K 6K", "8K"], row="9R 13K 11Y 1B 7R 10K 12B 1Y 13R")
    assert turn(deal)[0] == "S"


def test_it_announces_its_last_tiles() -> None:
    deal = at_table(hands=["9Y 9B 9K 4R 2B 13K", "8K 3Y 5Y 6B"], stock="12Y 9R")
    made = turn(deal)
    assert made[-2] == "A"


def test_it_closes_and_with_a_joly_where_it_can() -> None:
    deal = at_table(hands=["9Y 9B 9K", "8K 3Y 5Y 6B"], stock="12Y 9R")
    assert turn(deal) == ["S", "M:9Y,9B,9K", "D:12Y"]
    deal = at_table(hands=["9Y 9B 9K", "8K 3Y 5Y 6B"], stock="* 9R")
    assert turn(deal)[-1] == "D:*"


# -- the board game ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "points"), [(SIMPLU, 500), (BETE, 500), (BICOLOR, 1200), (MOZAIC, 1000), (DUBLE, 1300), (MONOCOLOR, 1500)]
)
def test_it_sees_how_near_a_board_game_is(tiles: str, points: int) -> None:
    held = {aim.points: aim.held for aim in aims(tiles_rules(2), hand(tiles))}
    assert held[points] == 14
    less = tiles.split()[1:]
    assert {aim.points: aim.held for aim in aims(tiles_rules(2), hand(" ".join(less)))}[points] >= 10


def test_it_announces_and_closes_a_board_game_that_it_holds() -> None:
    deal = at_table(hands=[DUBLE, "8K 3Y"], row="5Y", opened="1", turns=1, stock="12Y 9R")
    made = turn(deal)
    assert made == ["B", "S", "C:12Y"]


def test_it_announces_where_one_tile_is_missing_and_waits_for_it() -> None:
    rack = DUBLE.replace("13B 13B", "13B 6B")
    deal = at_table(hands=[rack, "8K 3Y"], row="5Y", opened="1", turns=0, stock="12Y 9R 13B 4B")
    deal = play(deal, "B S")
    assert asked(deal) == "D:12Y"
    deal = play(deal, "D:12Y S D:9R")
    assert asked(deal) == "S"
    assert asked(play(deal, "S")) in ("C:6B", "C:13B")


def test_on_its_board_it_takes_the_last_discard_that_helps() -> None:
    rack = DUBLE.replace("13B 13B", "13B 6B")
    deal = at_table(hands=[rack, "8K 3Y"], row="5Y 13B", opened="1", turns=1, stock="12Y 9R")
    assert turn(play(deal, "B")) == ["P1", "C:6B"]


def test_no_board_game_is_announced_with_a_common_rack() -> None:
    met: Counter[str] = Counter()
    for number in range(40):
        rules = tiles_rules(2, exchange=False)
        deal = start(rules, 0, shuffled(rules, seed_of(f"rack {number}")))
        if deal.phase == "play":
            met[asked(deal)[0]] += 1
    assert met["B"] <= 2 < met["D"]

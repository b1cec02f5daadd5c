"""Computer players: what they see, that they keep the rules, and that the greedy one plays well."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.engine import (
    EMPTY,
    OVER,
    Deal,
    Hand,
    RuleError,
    Rules,
    add_deal,
    apply,
    legal_moves,
    move_text,
    new_match,
    rules_for,
    seed_of,
    shuffled,
    start,
    view,
)
from games.engine.__main__ import main
from games.engine.arena import play_matches
from games.engine.bots import BOTS
from games.engine.cards import add, remove

from .builders import both_games, position

ROOT = Path(__file__).resolve().parents[2]
TABLES = [("remi500", seats) for seats in range(2, 9)] + [("rami500", seats) for seats in range(2, 5)]
every_table = pytest.mark.parametrize(("variant", "seats"), TABLES)
every_bot = pytest.mark.parametrize("name", sorted(BOTS))


def dealt_from(rules: Rules, seed: str) -> Deal:
    """A fresh deal from a shuffled deck."""
    return start(rules, rules.count - 1, shuffled(rules, seed_of(seed)))


def choice(deal: Deal, name: str = "greedy", seed: int = 0) -> str:
    """What the bot on turn plays, as text."""
    assert deal.to_move is not None
    move = BOTS[name](view(deal, deal.to_move), random.Random(seed))
    return move_text(move, deal.rules.alphabet)


def turn(deal: Deal, name: str = "greedy") -> tuple[list[str], Deal]:
    """The moves of a bot's whole turn, and the deal after it."""
    seat, moves = deal.to_move, []
    while deal.phase != OVER and deal.to_move == seat:
        moves.append(choice(deal, name))
        assert seat is not None
        deal = apply(deal, seat, moves[-1])
    return moves, deal


# -- what a bot sees, and what it may do -----------------------------------------------------------


@every_bot
@both_games
def test_a_bot_is_swayed_by_nothing_that_its_seat_may_not_know(variant: str, name: str) -> None:
    rules = rules_for(variant, 2)
    for number in range(12):
        deal, rng = dealt_from(rules, f"sway {number}"), random.Random(number)
        for _ in range(6 * number):
            if deal.phase != OVER:
                seat = deal.to_move or 0
                deal = apply(deal, seat, BOTS["greedy"](view(deal, seat), rng))
        if deal.to_move is None:
            continue
        other = 1 - deal.to_move
        known = deal.known[other].cards()
        size = deal.hands[other].size - len(known)
        hidden = [*deal.deck[deal.drawn :], *remaining(deal.hands[other], known)]
        rng.shuffle(hidden)
        hands = [*deal.hands]
        hands[other] = add(EMPTY, [*known, *hidden[:size]])
        permuted = deal._replace(hands=tuple(hands), deck=(*deal.deck[: deal.drawn], *hidden[size:]))
        assert permuted.hands != deal.hands or not size
        assert choice(permuted, name, number) == choice(deal, name, number)


def remaining(hand: Hand, cards: list[int]) -> list[int]:
    """The cards of a hand without some of them."""
    rest = remove(hand, cards)
    assert rest is not None
    return rest.cards()


@every_table
def test_every_move_of_the_greedy_player_is_legal_and_none_is_taken_back(variant: str, seats: int) -> None:
    for number in range(4):
        rules = rules_for(variant, seats, {"top_card_free": bool(number % 2)})
        deal, rng = dealt_from(rules, f"legal {number}"), random.Random(number)
        while deal.phase != OVER:
            seat = deal.to_move
            assert seat is not None
            seen = view(deal, seat)
            greedy = (seat + number) % 3 > 0
            move = BOTS["greedy" if greedy else "random"](seen, rng)
            if greedy:
                assert move in legal_moves(seen), move_text(move, rules.alphabet)
            deal = apply(deal, seat, move)


@every_table
def test_deals_of_random_players_end_and_every_move_of_theirs_is_legal_or_taken_back(variant: str, seats: int) -> None:
    rules, rng = rules_for(variant, seats), random.Random(seats)
    for number in range(4):
        deal = dealt_from(rules, f"random {number}")
        while deal.phase != OVER:
            seat = deal.to_move
            assert seat is not None
            seen = view(deal, seat)
            move = BOTS["random"](seen, rng)
            assert move in legal_moves(seen) or (move.kind == "U" and seen.turn_moves)
            deal = apply(deal, seat, move)


@every_bot
def test_a_match_ends(name: str) -> None:
    match = new_match(rules_for("rami500", 2, {"target": 100}), 0)
    rng = random.Random(1)
    while match.winner is None:
        deal = dealt_from(match.rules, f"{name} {match.deals}")._replace(dealer=match.dealer)
        while deal.phase != OVER:
            assert deal.to_move is not None
            deal = apply(deal, deal.to_move, BOTS[name](view(deal, deal.to_move), rng))
        match = add_deal(match, deal)
    assert max(match.totals) >= 100


def test_the_random_player_takes_back_what_led_to_a_dead_end() -> None:
    deal = position("remi500", hands=["7S 7H 7D 9H", "3C 4D"], row="8H KC")
    stuck = apply(apply(deal, 0, "P2"), 0, "M:7S,7H,7D")
    assert choice(stuck, "random") == "U"
    assert choice(apply(stuck, 0, "U"), "random") != "U"


def test_the_greedy_player_is_the_same_whatever_chance_it_is_given() -> None:
    deal = dealt_from(rules_for("remi500", 4), "chance")
    assert len({choice(deal, "greedy", seed) for seed in range(20)}) == 1


# -- how the greedy one plays ----------------------------------------------------------------------


@both_games
def test_it_lays_what_scores(variant: str) -> None:
    moves, _ = turn(position(variant, hands=["7H 8H 9H 2S QD", "3C 4D 5S 9C KS"], row="6S"))
    assert "M:7H,8H,9H" in moves


@both_games
def test_it_lays_off_on_the_melds_of_others(variant: str) -> None:
    deal = position(variant, hands=["6H QD 2S", "3C 4D 5S 9C"], row="KS", melds=[(1, "7H 8H 9H")])
    assert "L:1:6H" in turn(deal)[0]


@both_games
def test_it_takes_from_the_row_what_makes_a_meld(variant: str) -> None:
    deal = position(variant, hands=["7H 8H 2S QD 4C", "3C 4D 5S 9C KS"], row="KC 9H")
    moves, _ = turn(deal)
    assert moves[0] == "P1"
    assert moves[1] == "M:7H,8H,9H"


@both_games
def test_it_leaves_a_card_that_it_cannot_use(variant: str) -> None:
    deal = position(variant, hands=["7H 8H 2S QD 4C", "3C 4D 5S 9C KS"], row="TC KC")
    assert choice(deal) == "S"


@both_games
def test_it_digs_deep_for_two_melds(variant: str) -> None:
    deal = position(variant, hands=["TH JH 4S 4D 3C", "3H 4H 5S 9C KS 2C 6D"], row="QH 4C KH")
    moves, after = turn(deal)
    assert moves[0] == "P3"
    assert after.laid[0] == 52


def test_it_leaves_a_long_row_where_little_of_it_is_of_use_and_another_is_nearly_out() -> None:
    deal = position("remi500", hands=["2H 3H 9S", "KD"], row="4H KS QD JC TC KC 8S")
    assert choice(deal) == "S"


def test_it_keeps_near_melds_and_discards_the_lone_card() -> None:
    deal = position("remi500", hands=["7H 8H QS QD 2C 4D", "3C 4S 5S 9C KS 6D"], row="6S")
    moves, _ = turn(deal)
    assert moves[-1] in ("D:TC", "D:4D", "D:2C")


def test_it_does_not_feed_the_next_player_what_it_is_known_to_want() -> None:
    deal = position("remi500", hands=["9H KS 2C 4D", "7H 8H 5S 9C"], row="6S")
    known = (EMPTY, Hand(1 << 13 + 6 | 1 << 13 + 7))
    seen = view(apply(deal._replace(known=known), 0, "S"), 0)
    assert move_text(BOTS["greedy"](seen, random.Random(1)), seen.rules.alphabet) != "D:9H"


def test_it_goes_out_when_it_can() -> None:
    deal = position("remi500", hands=["7H 8H 9H", "3C 4D 5S 9C KS QD JD"], row="6S")
    moves, after = turn(deal)
    assert (after.reason, after.out) == ("out", 0)
    assert moves == ["S", "M:7H,8H,9H", "D:AS"]


def test_it_lays_its_joker_off_when_another_is_about_to_go_out() -> None:
    deal = position("remi500", hands=["* QD 8S 5C", "3C"], row="KS", melds=[(1, "7H 8H 9H")])
    assert any(move.startswith("L:1:*") for move in turn(deal)[0])


def test_it_wins_a_joker_by_a_swap() -> None:
    deal = position("rami500", hands=["8H QD QS 4C", "3C 4D 5S 9C"], row="KS", melds=[(1, "7H *8H 9H")])
    moves, _ = turn(deal)
    assert "W:1:8H" in moves
    assert any(move.startswith("M:") and "*" in move for move in moves)


def test_it_takes_the_last_of_the_row_with_the_stock_empty_only_where_it_pays() -> None:
    gain = position("remi500", hands=["7H 8H KD", "3C 4D"], row="2C 9H", stock="")
    assert choice(gain) == "P1"
    loss = position("remi500", hands=["2H 3H", "3C 4D"], row="4H KS QD JC TC KC 8S", stock="")
    assert choice(loss) == "E"


def test_it_never_leaves_itself_with_the_one_card_that_may_not_be_discarded() -> None:
    # taking the free queen and laying the rest would leave the queen alone
    for cards in ("7H 8H 9H 2S", "7H 8H 9H", "7H 8H 9H QS", "7H 8H 9H TH"):
        deal = position("rami500", hands=[cards, "3C 4D 5S"], row="QD")
        deal = apply(deal, 0, "P1")
        moves, after = turn(deal)
        assert moves[-1].startswith("D:") or after.reason == "out"
        assert "U" not in moves


def test_it_finds_its_way_out_of_any_take_of_another_player() -> None:
    # it is set down in the middle of turns that random players began
    rng, looked_at = random.Random(5), 0
    for number in range(60):
        rules = rules_for(("remi500", "rami500")[number % 2], 2 + number % 3)
        deal = dealt_from(rules, f"midway {number}")
        while deal.phase != OVER and looked_at < 10_000:
            seat = deal.to_move
            assert seat is not None
            seen = view(deal, seat)
            if deal.phase == "play" and deal.last is not None and deal.last.kind == "P":
                move = BOTS["greedy"](seen, rng)
                assert move in legal_moves(seen)
                looked_at += 1
            deal = apply(deal, seat, BOTS["random"](seen, rng))
    assert looked_at > 100


@both_games
def test_it_beats_random_play(variant: str) -> None:
    summary = play_matches(variant, ["greedy", "random"], 40, "strength")
    assert summary["wins"][0] >= 36
    assert summary["unfinished"] == 0


@pytest.mark.parametrize(("variant", "seats"), [("remi500", 4), ("remi500", 6), ("rami500", 3)])
def test_it_beats_random_play_at_fuller_tables(variant: str, seats: int) -> None:
    summary = play_matches(variant, ["greedy", *["random"] * (seats - 1)], 6, "table")
    assert summary["wins"][0] >= 5


# -- the arena -------------------------------------------------------------------------------------


def test_the_arena_counts_matches_points_and_moves() -> None:
    summary = play_matches("rami500", ["greedy", "random"], 4, "count")
    assert set(summary) == {
        "variant", "bots", "matches", "wins", "mean_points", "mean_totals", "unfinished", "moves", "deals", "seconds"
    }  # fmt: skip
    assert sum(summary["wins"]) + summary["unfinished"] == 4
    assert summary["mean_totals"][0] * 4 == pytest.approx(summary["mean_points"][0] * summary["deals"], abs=3)


def test_the_same_seed_gives_the_same_matches_and_another_seed_others() -> None:
    def played(seed: str) -> dict[str, Any]:
        return {key: value for key, value in play_matches("remi500", ["greedy", "random"], 2, seed).items() if key != "seconds"}

    assert played("a") == played("a")
    assert played("a") != played("b")


def test_equal_players_win_equally_for_every_deck_is_played_from_every_seat() -> None:
    summary = play_matches("remi500", ["greedy", "greedy"], 6, "fair")
    assert summary["wins"] == [3, 3]


def test_the_command_line_prints_the_summary(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["match", "--variant", "remi500", "--bots", "greedy,random,random", "--matches", "1", "--seed", "7"]
    assert main(argv) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["variant"], summary["bots"], summary["matches"]) == ("remi500", ["greedy", "random", "random"], 1)


@pytest.mark.parametrize("bots", ["greedy,nobody", "greedy", "greedy" + ",random" * 8])
def test_a_bot_that_there_is_not_or_too_few_or_many_are_refused(capsys: pytest.CaptureFixture[str], bots: str) -> None:
    assert main(["match", "--variant", "remi500", "--bots", bots, "--matches", "1", "--seed", "7"]) == 1
    assert json.loads(capsys.readouterr().out)["error"] == "bad_record"
    with pytest.raises(RuleError):
        play_matches("remi500", bots.split(","), 1, "7")


def test_replaying_a_record_loads_no_computer_player() -> None:
    code = "import sys, games.engine.__main__; print([m for m in sys.modules if 'bots' in m or 'arena' in m or 'finder' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60, check=True)
    assert done.stdout.strip() == "[]"

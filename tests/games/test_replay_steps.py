"""The steps of a deal that is shown again, and the way of a card through it; no database."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import engine
from games.engine import RuleError, rules_for
from games.presenters.replay import ALL, Asked, Frame, Link, ReplayPage, Source, replay_page
from games.presenters.steps import Made, Step, steps_in, steps_of, turn_ends
from games.presenters.traces import Trace, traces
from tests.engine.builders import play_randomly, position
from tests.engine.tile_builders import play_tiles
from tests.games.playing import NOON

SEATS = {"remi500": 4, "rami500": 3, "etalat": 3}


def made(moves: str) -> list[Made]:
    """Moves as in a record: "0 S" becomes a move of seat 0."""
    listed = moves.split()
    return [Made(int(seat), text) for seat, text in zip(listed[::2], listed[1::2], strict=True)]


def deal_of(variant: str, seed: int, *, others: float = 0.05) -> tuple[engine.Deal, list[Made]]:
    """A whole deal of random moves, and some resignations and expired turns."""
    rules = rules_for(variant, SEATS[variant])
    played = (play_tiles if variant == "etalat" else play_randomly)(rules, seed, others=others)
    return played[0].before, [Made(step.seat, step.move) for step in played]


def source(start: engine.Deal, moves: list[Made], **more: Any) -> Source:
    frame = Frame(title="Friday", words="Remi 500", action="/replay/", back=Link("/", "i-back", "Back"))
    names = ["Ana", "Bogdan", "Chloé", "Dan"][: start.rules.count]
    return Source(frame=frame, start=start, moves=moves, names=names, totals=[0] * len(names), **more)


def page(start: engine.Deal, moves: list[Made], *asked: Any, now: datetime = NOON, **more: Any) -> ReplayPage:
    return replay_page(source(start, moves, **more), Asked(*asked), now=now)


def cards(held: Any) -> list[str]:
    return [card.text for card in held]


whole_deals = st.builds(deal_of, st.sampled_from(sorted(SEATS)), st.integers(0, 300))


# -- steps ---------------------------------------------------------------------------------------


def test_the_first_step_is_the_deal_as_it_was_dealt() -> None:
    start = position("rami500", hands=["8H 9H 2S", "3C"], row="KS 7H", stock="4C 5C")
    assert steps_of(start, []) == [Step(start, (), 0)]


def test_each_move_is_a_step_with_the_deal_after_it_and_what_may_be_told() -> None:
    start = position("rami500", hands=["8H 9H 7H 2S", "3C 4D"], row="KS", stock="4C 5C")
    steps = steps_of(start, made("0 S 0 M:7H,8H,9H 0 U 0 D:2S 1 S"))
    assert [step.kind for step in steps] == ["", "S", "M", "U", "D", "S"]
    assert [step.turn for step in steps] == [0, 1, 1, 1, 1, 2]
    assert steps[2].moves[0].facts["points"] == 24 and len(steps[2].deal.melds) == 1
    assert steps[3].moves[0].facts == {"move": "M", "cards": ["7H", "8H", "9H"]} and not steps[3].deal.melds


def test_a_move_that_breaks_a_rule_is_refused() -> None:
    start = position("rami500", hands=["8H 9H 2S", "3C"], row="KS", stock="4C 5C")
    with pytest.raises(RuleError, match="must_draw_first"):
        steps_of(start, made("0 D:2S"))


def test_turns_end_where_another_begins() -> None:
    start = position("rami500", hands=["8H 9H 7H 2S", "3C 4D"], row="KS", stock="4C 5C 6C")
    steps = steps_of(start, made("0 S 0 M:7H,8H,9H 0 D:2S 1 S 1 D:3C 0 S"))
    assert turn_ends(steps) == [0, 3, 5, 6]


@given(whole_deals)
@settings(max_examples=40, deadline=None)
def test_the_answers_to_the_exchange_are_one_step_whatever_they_were(deal: tuple[engine.Deal, list[Made]]) -> None:
    start, moves = deal
    steps = steps_of(start, moves)
    assert [move.text for step in steps for move in step.moves] == [move.text for move in moves]
    assert all(len(step.moves) == 1 or step.kind == "X" for step in steps[1:])
    assert all({one.kind, other.kind} != {"X"} for one, other in pairwise(steps))
    assert steps_in(move.text for move in moves) == len(steps) - 1


@given(whole_deals, st.data())
@settings(max_examples=40, deadline=None)
def test_steps_and_turns_lead_from_end_to_end(deal: tuple[engine.Deal, list[Made]], data: st.DataObject) -> None:
    start, moves = deal
    last = len(steps_of(start, moves)) - 1
    at = data.draw(st.integers(0, last))
    shown = page(start, moves, at)
    assert (shown.at, shown.last) == (at, last)
    assert shown.step_back == max(at - 1, 0) and shown.step_on == min(at + 1, last)
    assert shown.turn_back < at or at == 0 == shown.turn_back
    assert shown.turn_on > at or at == last == shown.turn_on


# -- whose eyes ----------------------------------------------------------------------------------


@given(whole_deals, st.data())
@settings(max_examples=40, deadline=None)
def test_of_a_deal_that_is_over_each_step_shows_what_the_seat_saw_then(
    deal: tuple[engine.Deal, list[Made]], data: st.DataObject
) -> None:
    start, moves = deal
    steps = steps_of(start, moves)
    at = data.draw(st.integers(0, len(steps) - 1))
    seat = data.draw(st.integers(0, start.rules.count - 1))
    then, texts = steps[at].deal, start.rules.alphabet.texts
    shown = page(start, moves, at, seat)
    held = shown.hand if shown.tiles is None else [tile for shelf in shown.tiles.shelves for group in shelf for tile in group]
    assert sorted(cards(held)) == sorted(texts[card] for card in then.hands[seat].cards())
    assert cards(shown.row) == [texts[card] for card in then.row]
    assert sum(len(owner.melds) for owner in shown.owners) == len(then.melds)
    assert shown.stock == then.stock_left and not shown.hands


@given(whole_deals, st.data())
@settings(max_examples=30, deadline=None)
def test_all_hands_are_open_once_the_deal_is_over_and_what_comes_next(
    deal: tuple[engine.Deal, list[Made]], data: st.DataObject
) -> None:
    start, moves = deal
    steps = steps_of(start, moves)
    at = data.draw(st.integers(0, len(steps) - 1))
    then, texts = steps[at].deal, start.rules.alphabet.texts
    shown = page(start, moves, at, ALL)
    assert [sorted(cards(each.cards)) for each in shown.hands] == [
        sorted(texts[card] for card in hand.cards()) for hand in then.hands
    ]
    assert shown.stock_cards == [texts[card] for card in then.deck[then.drawn :][:7]]
    assert not shown.hand and not shown.holder


RUNNING = position("rami500", hands=["8H 9H 7H 2S", "3C 4D"], row="KS", stock="4C 5C 6C")
SO_FAR = made("0 S 0 D:2S 1 S")


@pytest.mark.parametrize("asked", [0, 1, ALL, 7, None])
def test_a_running_deal_is_seen_from_one_s_own_seat_whoever_is_asked_for(asked: Any) -> None:
    mine = page(RUNNING, SO_FAR, 1, asked, viewer=0)
    assert (mine.seen, mine.mine, mine.chips, mine.hands) == (0, True, [], [])
    assert sorted(cards(mine.hand)) == ["2S", "4C", "7H", "8H", "9H"]
    spectator = page(RUNNING, SO_FAR, 1, asked)
    assert (spectator.seen, spectator.hand, spectator.hands, spectator.stock_cards) == (None, [], [], [])


def test_a_case_opens_all_hands_of_a_running_deal_and_never_its_stock() -> None:
    shown = page(RUNNING, SO_FAR, 1, ALL, case=True)
    assert [sorted(cards(each.cards)) for each in shown.hands] == [["2S", "4C", "7H", "8H", "9H"], ["3C", "4D"]]
    assert shown.stock_cards == []
    assert sorted(cards(page(RUNNING, SO_FAR, 1, 1, case=True).hand)) == ["3C", "4D"]


def test_a_deal_begins_at_its_beginning_once_it_is_over_and_else_where_it_stands() -> None:
    assert page(RUNNING, SO_FAR, viewer=0).at == 3
    assert page(RUNNING, [*SO_FAR, *made("1 R")], viewer=0).at == 0


@pytest.mark.parametrize("asked,at", [(-1, 0), (0, 0), (3, 3), (4, 3), (10**8, 3)])
def test_a_step_that_there_is_not_is_the_nearest_that_there_is(asked: int, at: int) -> None:
    assert page(RUNNING, SO_FAR, asked).at == at


def test_a_draw_is_told_with_its_card_to_whom_it_was_seen_by() -> None:
    over = [*SO_FAR, *made("1 R")]

    def told(seat: Any, **more: Any) -> list[bool]:
        rows = page(RUNNING, over, 1, seat, **more).rows
        assert rows is not None
        return [">4<" in row.words for row in rows if row.at == 1] + [">5<" in row.words for row in rows if row.at == 3]

    assert told(0) == [True, False] and told(1) == [False, True] and told(ALL) == [True, True]


def test_the_list_of_moves_is_not_sent_to_whoever_has_it() -> None:
    first = page(RUNNING, SO_FAR, 1, viewer=0)
    assert first.rows is not None
    assert page(RUNNING, SO_FAR, 2, None, "", False, first.list_id, viewer=0).rows is None
    assert page(RUNNING, SO_FAR, 2, None, "KS", False, first.list_id, viewer=0).rows is not None
    assert page(RUNNING, SO_FAR[:2], 2, None, "", False, first.list_id, viewer=0).rows is not None


# -- the way of a card ---------------------------------------------------------------------------


def way(start: engine.Deal, moves: list[Made], card: str, seats: Any = (0, 1), viewer: int | None = None) -> list[Trace]:
    return traces(steps_of(start, moves), seats, viewer).get(card, [])


def test_a_card_is_followed_from_hand_to_hand() -> None:
    start = position("rami500", hands=["8H 9H 2S", "3C 3D 4D"], row="KS", stock="7H 5C 6C")
    moves = made("0 S 0 D:7H 1 S 1 D:5C 0 P2 0 M:7H,8H,9H 0 U")
    assert way(start, moves, "7H") == [
        Trace(1, "drawn", 0), Trace(2, "discarded", 0), Trace(5, "taken", 0), Trace(6, "laid", 0), Trace(7, "taken back", 0),
    ]  # fmt: skip
    assert way(start, moves, "5C") == [Trace(3, "drawn", 1), Trace(4, "discarded", 1), Trace(5, "taken", 0)]
    assert way(start, moves, "3C") == [Trace(0, "dealt", 1)]
    assert way(start, moves, "KS") == [Trace(0, "turned up", None)]
    assert way(start, moves, "6C") == []


def test_of_a_running_deal_draws_and_hands_of_others_are_not_in_it() -> None:
    start = position("rami500", hands=["8H 9H 2S", "3C 3D 4D"], row="KS", stock="7H 5C 6C")
    moves = made("0 S 0 D:7H 1 S 1 D:5C 0 S")
    for card, mine, none in (("7H", [1, 2], [2]), ("5C", [4], [4]), ("3C", [], []), ("6C", [5], []), ("8H", [0], [])):
        assert [trace.at for trace in way(start, moves, card, (0,), 0)] == mine
        assert [trace.at for trace in way(start, moves, card, ())] == none


def test_a_joker_laid_for_a_card_is_a_joker_and_one_swapped_for_is_taken() -> None:
    start = position("rami500", hands=["JH 2S 3D", "3C"], row="4C", melds=[(1, "TH *JH QH")], stock="6C 7C")
    moves = made("0 S 0 W:1:JH 0 U 0 D:2S")
    assert [(trace.at, trace.what) for trace in way(start, moves, "JH")] == [(0, "dealt"), (2, "laid"), (3, "taken back")]
    assert [(trace.at, trace.what) for trace in way(start, moves, "*")] == [(2, "taken")]
    start = position("rami500", hands=["TH * QH 2S", "3C"], row="4C", stock="6C 7C")
    moves = made("0 S 0 M:TH,*JH,QH")
    assert way(start, moves, "JH") == []
    assert [(trace.at, trace.what) for trace in way(start, moves, "*")] == [(0, "dealt"), (2, "laid")]


def test_what_the_server_drew_for_a_seat_is_known_to_the_seat_alone() -> None:
    start = position("remi500", hands=["KD 2S", "3C 3D"], stock="5H 7C", row="9H")
    moves = made("0 T")
    assert way(start, moves, "5H") == [Trace(1, "drawn", 0), *way(start, moves, "5H", ())]
    assert way(start, moves, "5H", (1,)) == way(start, moves, "5H", ())
    taken = position("remi500", hands=["8H 9H 2S", "3C"], row="KS 7H QD", stock="4C 6C")
    undone = made("0 P2 0 T")
    assert [(trace.at, trace.what) for trace in way(taken, undone, "7H")] == [(0, "turned up"), (1, "taken")]
    assert [(trace.at, trace.what) for trace in way(taken, undone, "4C", (0,))] == [(2, "drawn"), (2, "discarded")]


@given(whole_deals)
@settings(max_examples=30, deadline=None)
def test_no_card_is_laid_or_discarded_that_was_not_dealt_drawn_taken_or_swapped(deal: tuple[engine.Deal, list[Made]]) -> None:
    start, moves = deal
    steps, seats = steps_of(start, moves), range(start.rules.count)
    for card, found in traces(steps, seats, None).items():
        holders: set[int | None] = set()
        for trace in found:
            if trace.what in ("dealt", "drawn", "taken", "swapped"):
                holders.add(trace.seat)
            elif trace.what in ("laid", "discarded"):
                assert trace.seat in holders, (card, trace)


def test_what_is_no_card_has_no_way() -> None:
    assert way(RUNNING, SO_FAR, "5R") == way(RUNNING, SO_FAR, "<b>") == []
    assert page(RUNNING, SO_FAR, 1, None, "<b>").card == ""

"""What holds of every deal, whoever plays it and however: looked for in random play of both card games at every seat count."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import (
    CARDS,
    JOKER,
    STANDS,
    Deal,
    Meld,
    RuleError,
    Rules,
    apply,
    deck_text,
    dump,
    legal_moves,
    load,
    move_text,
    parse_move,
    replay,
    view,
)
from games.engine.cards import plain
from games.engine.moves import DISCARD, LAY_OFF, MELD, SWAP, TAKE, Move
from games.engine.record import state

from .builders import Step, both_games, dealt, legal, play_randomly, position, seeds, tables

NOTATION = (Path(__file__).resolve().parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
CODES = set(re.findall(r"`([a-z_]+)`", NOTATION.partition("## Error codes")[2]))


def all_of(deal: Deal) -> str:
    """Everything there is to a deal, as text: two deals that play alike have the same."""
    return json.dumps([dump(deal), deck_text(deal.rules, list(deal.deck))])


# -- the cards ---------------------------------------------------------------------------------------------------


@given(tables(), seeds)
@settings(max_examples=60, deadline=None)
def test_every_card_is_in_exactly_one_place(rules: Rules, seed: int) -> None:
    pack = Counter(rules.pack())
    for step in play_randomly(rules, seed, others=0.1):
        deal = step.after
        places = [*deal.row, *deal.deck[deal.drawn :]]
        places += [plain(card) for meld in deal.melds for card in meld.cards]
        places += [card for hand in deal.hands for card in hand.cards()]
        assert Counter(places) == pack
        assert [hand.size for hand in deal.hands] == list(view(deal, None).counts)


@given(tables(), seeds)
@settings(max_examples=60, deadline=None)
def test_every_deal_ends_and_its_points_add_up(rules: Rules, seed: int) -> None:
    played = play_randomly(rules, seed, others=0.1)
    last = played[-1].after
    assert last.phase == "over"
    assert last.reason in ("out", "stock", "stalled", "resigned")
    assert legal_moves(last) == []
    laid = points_of(played)
    assert last.laid == tuple(laid)
    in_hand = [sum(15 if card == JOKER else face_value(card) for card in hand.cards()) for hand in last.hands]
    assert last.scores == tuple(gained - lost for gained, lost in zip(laid, in_hand, strict=True))


def face_value(card: int) -> int:
    """§2.7, §3.6 in hand."""
    return {1: 15}.get(card % 13 + 1, min(card % 13 + 1, 10))


def laid_value(game: str, card: int, kind: str, high_ace: bool) -> int:
    """§2.7, §3.6 on the table."""
    joker, number = card >= STANDS, (card & 63) % 13 + 1
    if joker and game == "remi500":
        return 15
    if number > 1:
        return min(number, 10)
    if game == "remi500":
        return 1 if kind == "run" and not high_ace else 15
    return 11 if kind == "run" and high_ace else 1


def points_of(played: list[Step]) -> list[int]:
    """By seat, the points of the cards it laid, from the history alone (§1.14: each move counts for who made it)."""
    points = [0] * played[0].before.rules.count
    turn: list[int] = []
    for step in played:
        if step.move[0] in "PMLW":
            turn.append(0 if step.move[0] == "P" else gain(step))
        elif step.move == "U":
            turn.pop()
        elif step.move in ("T", "R") and rolled_back(step):
            turn = []
        if step.after.prev is None:  # the turn is over, or a card was drawn: nothing of it is taken back any more
            on_turn = step.before.to_move
            assert on_turn is not None
            points[on_turn] += sum(turn)
            turn = []
    return points


def rolled_back(step: Step) -> bool:
    """Whether an expired turn or a resignation took the turn back (§1.11 a, §1.12)."""
    if step.move == "R":
        return step.seat == step.before.to_move
    stuck = step.before.phase == "play" and all(move.kind != DISCARD for move in legal_moves(step.before))
    return stuck or step.before.must_use is not None


def gain(step: Step) -> int:
    """What a table move brings: the points of the cards that it puts down."""
    before = {meld.id: meld for meld in step.before.melds}
    changed = next(meld for meld in step.after.melds if meld not in step.before.melds)
    values = values_of(step.before.rules.name, changed)
    if step.move[0] == "W":
        return next(value for value, was, now in zip(values, before[changed.id].cards, changed.cards, strict=True) if was != now)
    return sum(values) - (sum(values_of(step.before.rules.name, before[changed.id])) if changed.id in before else 0)


def values_of(game: str, meld: Meld) -> list[int]:
    """The points of each card of a meld."""
    return [laid_value(game, card, meld.kind, meld.kind == "run" and place > 0) for place, card in enumerate(meld.cards)]


# -- text --------------------------------------------------------------------------------------------------------


@given(tables(), seeds)
@settings(max_examples=30, deadline=None)
def test_the_log_replays_to_the_same_state(rules: Rules, seed: int) -> None:
    played = play_randomly(rules, seed, steps=120, others=0.15)
    first, last = played[0].before, played[-1].after
    record = {
        "format": "remi-record/1", "variant": rules.name, "options": rules.options, "seats": ["x"] * rules.count,
        "deals": [{"dealer": first.dealer, "deck": deck_text(rules, list(first.deck)),
                   "moves": [f"{step.seat} {step.move}" for step in played]}],
    }  # fmt: skip
    again = replay(json.loads(json.dumps(record))).deals[0]
    assert again == last
    assert state(again) == state(last)
    assert again.turn_moves() == last.turn_moves()


@given(tables(), seeds)
@settings(max_examples=30, deadline=None)
def test_every_legal_move_reads_back_from_its_text(rules: Rules, seed: int) -> None:
    for step in play_randomly(rules, seed, steps=120):
        for move in legal_moves(step.before):
            text = move_text(move, rules.alphabet)
            assert parse_move(text, rules.alphabet) == move
            assert re.fullmatch(r"\S+", text)


def test_every_card_reads_back_from_its_text() -> None:
    assert len(CARDS.codes) == 52 + 1 + 52
    assert all(CARDS.texts[code] == text for text, code in CARDS.codes.items())


@given(tables(), seeds)
@settings(max_examples=20, deadline=None)
def test_a_deal_is_stored_and_loaded_at_any_point_and_goes_on_alike(rules: Rules, seed: int) -> None:
    played = play_randomly(rules, seed, steps=150, others=0.15)
    deck = deck_text(rules, list(played[0].before.deck))
    for step in played:
        stored, hands = json.loads(json.dumps(dump(step.before)))
        loaded = load(rules, deck, stored, hands)
        assert all_of(loaded) == all_of(step.before)
        assert loaded.turn_moves() == step.before.turn_moves()
        goes_on, was = apply(loaded, step.seat, step.move), step.after
        assert all_of(goes_on) == all_of(was)
        while was.prev is not None and was.to_move is not None:
            goes_on, was = apply(goes_on, was.to_move, "U"), apply(was, was.to_move, "U")
            assert all_of(goes_on) == all_of(was)
        assert (goes_on.prev, goes_on.laid, goes_on.known) == (None, was.laid, was.known)


# -- taking back -------------------------------------------------------------------------------------------------


@given(tables(), seeds)
@settings(max_examples=40, deadline=None)
def test_taking_back_restores_everything_but_what_became_known(rules: Rules, seed: int) -> None:
    for step in play_randomly(rules, seed, steps=200, others=0.1):
        if step.after.prev is None or step.move in "UR":
            continue
        back = apply(step.after, step.seat, "U")
        assert back._replace(known=step.before.known) == step.before


# -- what is refused ---------------------------------------------------------------------------------------------

GARBAGE = ["", " ", "S ", "P0", "P-1", "P01", "P99999", "M:", "M:,", "M:*", "L:1", "L::", "L:0:AS", "L:99:AS", "W:1:*", "W:1:*AS",
           "D:", "D:*AS", "D:1S", "D:AS,2S", "X:pass", "A", "B", "C:AS", "E", "U", "s", "d:as", "M:AS,AS,AS", "M:2S,3S,*", "\0",
           "M:" + "AS," * 500, "P１", "M:7H,8H,9H,*TH", "L:1:*", "D:*"]  # fmt: skip
card_texts = st.sampled_from([*CARDS.codes, "1S", "AX", ""])
tokens = st.one_of(
    st.text(max_size=12),
    st.sampled_from(GARBAGE),
    st.builds("{}:{}".format, st.sampled_from("MDCXW"), st.lists(card_texts, max_size=5).map(",".join)),
    st.builds("{}:{}:{}".format, st.sampled_from("LW"), st.integers(-1, 9), st.lists(card_texts, max_size=3).map(",".join)),
    st.builds("P{}".format, st.integers(-2, 60)),
)


@given(tables(), seeds, st.lists(st.tuples(st.integers(-2, 9), tokens), min_size=20, max_size=60))
@settings(max_examples=60, deadline=None)
def test_a_refused_move_has_a_known_code_and_changes_nothing(rules: Rules, seed: int, tries: list[tuple[int, str]]) -> None:
    played = play_randomly(rules, seed, steps=100, others=0.1)
    for number, (seat, token) in enumerate(tries):
        deal = played[number * len(played) // len(tries)].after
        for who in (seat, deal.to_move or 0):
            before = all_of(deal)
            try:
                after = apply(deal, who, token)
            except RuleError as refusal:
                assert refusal.code in CODES, token
                assert json.dumps(refusal.facts)
            else:
                assert token == "R" or who == deal.to_move
                assert after != deal
            assert all_of(deal) == before


@given(tables(), seeds)
@settings(max_examples=20, deadline=None)
def test_only_the_seat_on_turn_has_moves(rules: Rules, seed: int) -> None:
    for step in play_randomly(rules, seed, steps=60):
        deal = step.before
        for seat in [*range(rules.count), -1, rules.count, None]:
            if seat != deal.to_move:
                assert legal_moves(view(deal, seat if seat in range(rules.count) else None)) == []
                for move in [*legal_moves(deal), Move("U"), Move("T")]:
                    assert refusal_of(deal, seat, move) == "not_your_turn"
        assert legal_moves(view(deal, deal.to_move)) == legal_moves(deal)


def refusal_of(deal: Deal, seat: int, move: Move | str) -> str | None:
    """The code with which a move is refused, or None where it is played."""
    try:
        apply(deal, seat, move)
    except RuleError as refusal:
        return refusal.code
    return None


@both_games
def test_a_seat_that_is_none_cannot_resign(variant: str) -> None:
    deal = dealt(variant, 2)
    assert [refusal_of(deal, seat, "R") for seat in (-1, 2, 7)] == ["not_your_turn"] * 3


# -- the list of legal moves -------------------------------------------------------------------------------------


def candidates(deal: Deal) -> Iterator[Move]:
    """Every move that could be thought of, but melds: legal or not."""
    yield from (Move("S"), Move("E"))
    yield from (Move(TAKE, n) for n in range(1, len(deal.row) + 3))
    yield from (Move(DISCARD, 0, (card,)) for card in range(JOKER + 1))
    for meld in range(1, len(deal.melds) + 2):
        yield from (Move(SWAP, meld, (face,)) for face in range(52))
        yield from (Move(LAY_OFF, meld, (face,)) for face in range(52))
        yield from (Move(LAY_OFF, meld, (face + STANDS,)) for face in range(52))


def meld_candidates(deal: Deal) -> Iterator[Move]:
    """Every choice of held cards with jokers declared as anything of the number or the suit of a card among them."""
    naturals = [card for card in deal.hand.cards() if card != JOKER]
    for size in range(1, len(naturals) + 1):
        for chosen in set(combinations(naturals, size)):
            suit, number = divmod(chosen[0], 13)
            near = {suit * 13 + place for place in range(13)} | {other * 13 + number for other in range(4)}
            for jokers in range(min(deal.hand.jokers, 3) + 1):
                for faces in product(sorted(near), repeat=jokers):
                    if size + jokers >= 3:
                        yield Move(MELD, 0, chosen + tuple(face + STANDS for face in faces))


@given(tables(), seeds)
@settings(max_examples=20, deadline=None)
def test_what_is_listed_as_legal_is_what_is_accepted(rules: Rules, seed: int) -> None:
    for step in play_randomly(rules, seed, steps=150)[seed % 6 :: 6]:
        deal = step.before
        assert deal.to_move is not None
        listed = legal_moves(deal)
        assert len(set(listed)) == len(listed)
        accepted = {move for move in candidates(deal) if refusal_of(deal, deal.to_move, move) is None}
        assert {move for move in listed if move.kind != MELD} == accepted


@given(tables(), seeds)
@settings(max_examples=20, deadline=None)
def test_every_meld_of_a_small_hand_is_listed_once_in_print_order(rules: Rules, seed: int) -> None:
    for step in play_randomly(rules, seed, steps=150)[seed % 6 :: 6]:
        deal = step.before
        if deal.hand.size > (8 if deal.hand.jokers < 2 else 6) or deal.to_move is None:
            continue
        accepted = set()
        for move in meld_candidates(deal):
            try:
                accepted.add(apply(deal, deal.to_move, move).melds[-1].cards)
            except RuleError:
                continue
        listed = [move.cards for move in legal_moves(deal) if move.kind == MELD]
        assert sorted(listed) == sorted(accepted)


@given(tables(), seeds)
@settings(max_examples=30, deadline=None)
def test_laying_off_several_cards_is_laying_them_off_one_by_one(rules: Rules, seed: int) -> None:
    for step in play_randomly(rules, seed, steps=200):
        deal, seat = step.before, step.seat
        if step.move[0] != "L":
            continue
        first = parse_move(step.move, rules.alphabet)
        for second in legal_moves(step.after):
            if second.kind == LAY_OFF and second.number == first.number:
                both = apply(deal, seat, Move(LAY_OFF, first.number, first.cards + second.cards))
                singly = apply(step.after, seat, second)
                assert both._replace(prev=None, last=None) == singly._replace(prev=None, last=None)


@pytest.mark.parametrize(
    "variant,seats,hand,taken",
    [("remi500", 5, "7H 2S", "7H"), ("remi500", 2, "* 2S", "*"), ("rami500", 2, "* 2S", "*"), ("rami500", 2, "KD 2S", "7H")],
)
def test_of_a_card_taken_freely_only_a_second_one_may_be_discarded(variant: str, seats: int, hand: str, taken: str) -> None:
    others = ["3C", "4C", "6C", "8C"][: seats - 1]
    deal = position(variant, hands=[hand, *others], row=f"5C {taken}", top_card_free=True)
    after = apply(deal, 0, "P1")
    may = taken in hand.split()
    assert (refusal_of(after, 0, f"D:{taken}") is None) == may
    assert (f"D:{taken}" in legal(after)) == may


# -- the server's moves ------------------------------------------------------------------------------------------


@given(tables(), seeds)
@settings(max_examples=40, deadline=None)
def test_an_expired_turn_and_a_resignation_pass_the_turn_on_or_end_the_deal(rules: Rules, seed: int) -> None:
    for step in play_randomly(rules, seed, steps=120, others=0.05):
        deal: Any = step.before
        expired = apply(deal, deal.to_move, "T")
        assert expired.phase == "over" or (expired.phase, expired.prev) == ("draw", None)
        assert expired.phase == "over" or expired.to_move == next_in(deal, deal.to_move)
        left = apply(deal, deal.to_move, "R")
        assert left.hands[deal.to_move] == deal.floor().hands[deal.to_move]
        assert (left.row, left.melds, left.laid) == (deal.floor().row, deal.floor().melds, deal.floor().laid)
        assert left.phase == "over" or left.to_move == next_in(deal, deal.to_move)
        for other in set(deal.seats_in) - {deal.to_move}:
            gone = apply(deal, other, "R")
            assert (gone.phase, gone.to_move) in (("over", None), (deal.phase, deal.to_move))
            assert gone.phase == "over" or gone.turn_moves() == deal.turn_moves()


def next_in(deal: Deal, seat: int) -> int:
    """The next seat still in after a seat (§1.1, §1.12)."""
    return min((other for other in deal.seats_in if other != seat), key=lambda other: (other - seat) % deal.rules.count)

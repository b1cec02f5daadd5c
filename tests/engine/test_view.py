"""What a seat, or a spectator, may know: nothing that hangs on cards it has not seen (`view`, `told`, `reveal`)."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings

from games.engine import (
    EMPTY,
    JOKER,
    Deal,
    RuleError,
    Rules,
    View,
    apply,
    legal_moves,
    parse_move,
    reveal,
    reveal_stock,
    rules_for,
    start,
    told,
    view,
)
from games.engine.cards import plain

from .builders import Step, both_games, dealt, held, play, play_randomly, position, seeds, tables, words

# -- two deals that differ in hidden cards only are the same to look at ------------------------------------------


def public(deal: Deal) -> tuple[Any, ...]:
    """What happens before everybody's eyes: a change in it is a different history."""
    return deal.phase, deal.to_move, deal.row, deal.melds, deal.stock_left, deal.resigned


def hidden_places(deal: Deal, seat: int | None, first_deck: tuple[int, ...]) -> list[int]:
    """Places of the deck whose cards this seat has never seen: all of a face are in other hands, not known, or in the stock."""
    unseen = Counter(deal.deck[deal.drawn :])
    for other, hand in enumerate(deal.hands):
        if other != seat:
            unseen += Counter(hand.cards()) - Counter(deal.known[other].cards())
    pack = Counter(deal.rules.pack())
    return [place for place, card in enumerate(first_deck) if unseen[card] == pack[card]]


def rearranged(deck: tuple[int, ...], places: list[int], chance: random.Random) -> list[int]:
    """The deck with cards of these places put in another order: all of them, or two."""
    chosen = places if chance.random() < 0.3 else chance.sample(places, min(2, len(places)))
    cards = [deck[place] for place in chosen]
    chance.shuffle(cards)
    changed = list(deck)
    for place, card in zip(chosen, cards, strict=True):
        changed[place] = card
    return changed


def same_history(played: list[Step], deck: list[int]) -> list[Step] | None:
    """The same moves from another deck, or None where a refusal or something public differs."""
    first = played[0].before
    deal = start(first.rules, first.dealer, deck)
    again = []
    for step in played:
        try:
            after = apply(deal, step.seat, step.move)
        except RuleError:
            return None
        if public(after) != public(step.after):
            return None
        again.append(Step(deal, step.seat, step.move, after))
        deal = after
    return again


@pytest.mark.parametrize("variant,seats", [("remi500", 2), ("remi500", 4), ("remi500", 6), ("rami500", 2), ("rami500", 4)])
def test_deals_that_differ_in_cards_never_seen_look_the_same(variant: str, seats: int) -> None:
    rules, chance = rules_for(variant, seats), random.Random(f"{variant} {seats}")
    compared = differing = 0
    for seed in range(40):
        played = play_randomly(rules, seed, others=0.12)
        played = played[: chance.randrange(len(played))]  # not to the end: a deal's scores tell of hands
        if not played:
            continue
        deck = played[0].before.deck
        for seat in [None, *range(seats)]:
            places = hidden_places(played[-1].after, seat, deck)
            again = same_history(played, rearranged(deck, places, chance)) if len(places) > 1 else None
            if again is None:
                continue
            compared += 1
            differing += again[-1].after.hands != played[-1].after.hands
            for one, other in zip(played, again, strict=True):
                assert view(one.before, seat) == view(other.before, seat)
                assert view(one.after, seat) == view(other.after, seat)
                move = parse_move(one.move, rules.alphabet)
                assert told(one.before, one.after, move) == told(other.before, other.after, move)
    assert compared > 40 and differing > 5, "the test has seen too few pairs"


def test_a_view_holds_no_card_that_its_seat_has_not_seen() -> None:
    deal = dealt("remi500", 4)
    for seat in (None, 0, 1, 2, 3):
        seen = view(deal, seat)
        assert [getattr(seen, name, None) for name in ("deck", "hands", "prev")] == [None] * 3
        assert seen.hand == (EMPTY if seat is None else deal.hands[seat])
        assert seen.known == (EMPTY,) * 4


def test_a_spectator_is_not_seat_0() -> None:
    deal = play(dealt("rami500", 2), "S")
    assert view(deal, None).drew is None and view(deal, None).hand == EMPTY and not view(deal, None).on_turn
    assert view(deal, 0).drew is not None and view(deal, 0).hand == deal.hands[0] and view(deal, 0).on_turn


# -- known cards -------------------------------------------------------------------------------------------------


class Onlooker:
    """Follows a deal from the public moves alone, card by card, and notes whose hand a card was seen to go into.

    A note is one card of a seat. A card that is laid or discarded strikes out one note of its face, for cards of
    a face are interchangeable; what is taken back is struck out or noted again.
    """

    def __init__(self, deal: Deal) -> None:
        self.notes = [Counter[int]() for _ in range(deal.rules.count)]
        self.turn: list[tuple[str, tuple[int, ...]]] = []

    def see(self, step: Step) -> None:
        before, after, kind = step.before, step.after, step.move[0]
        notes = self.notes[before.to_move or 0]
        move = parse_move(step.move, before.rules.alphabet)
        if kind == "P":
            taken = before.row[-move.number :]
            notes.update(taken)
            self.turn.append((kind, taken))
        elif kind in "MLW":
            self._lay(notes, kind, tuple(plain(card) for card in move.cards))
        elif kind == "U":
            self._take_back(notes)
        elif (kind == "T" or (kind == "R" and step.seat == before.to_move)) and self._rolled_back(step):
            while self.turn:
                self._take_back(notes)
        if kind in "DT" and len(after.row) and after.reason != "stock" and after.row != before.row:
            self._strike(notes, (after.row[-1],))
        if after.prev is None:
            self.turn = []

    def _rolled_back(self, step: Step) -> bool:
        grew = len(step.after.row) - len(step.before.row)
        return step.move == "R" or grew > 1 or len(step.after.melds) < len(step.before.melds) or step.before.must_use is not None

    def _lay(self, notes: Counter[int], kind: str, cards: tuple[int, ...]) -> None:
        self._strike(notes, cards)
        if kind == "W":
            notes[JOKER] += 1
        self.turn.append((kind, cards))

    def _take_back(self, notes: Counter[int]) -> None:
        kind, cards = self.turn.pop()
        if kind == "P":
            self._strike(notes, cards)
        else:
            if kind == "W":
                self._strike(notes, (JOKER,))
            notes.update(cards)

    @staticmethod
    def _strike(notes: Counter[int], cards: tuple[int, ...]) -> None:
        for card in cards:
            notes[card] = max(0, notes[card] - 1)


@given(tables(), seeds)
@settings(max_examples=60, deadline=None)
def test_known_is_what_an_onlooker_has_seen_and_really_in_the_hand(rules: Rules, seed: int) -> None:
    played = play_randomly(rules, seed, others=0.15)
    onlooker = Onlooker(played[0].before)
    for step in played:
        onlooker.see(step)
        if step.after.phase == "over":
            break
        for seat, known in enumerate(view(step.after, None).known):
            assert Counter(known.cards()) == +onlooker.notes[seat]
            assert Counter(known.cards()) <= Counter(step.after.hands[seat].cards())


# -- told --------------------------------------------------------------------------------------------------------


def facts(deal: Deal, move: str) -> dict[str, Any]:
    """What is told of one move of the seat on turn."""
    return told(deal, play(deal, move), parse_move(move, deal.rules.alphabet))


@both_games
def test_of_a_stock_draw_no_card_is_told(variant: str) -> None:
    assert facts(position(variant, hands=["2S", "3C"]), "S") == {}


@both_games
def test_of_a_take_all_its_cards_are_told(variant: str) -> None:
    deal = position(variant, hands=["8H 9H 2S", "3C"], row="KS 7H QD")
    assert facts(deal, "P2") == {"cards": ["7H", "QD"], "must": True}


@both_games
def test_of_a_meld_and_a_lay_off_cards_points_and_meld_are_told(variant: str) -> None:
    deal = play(position(variant, hands=["8H 9H 7H TH 2S", "3C"], stock="4C 5C"), "S")
    assert facts(deal, "M:7H,8H,9H") == {"cards": ["7H", "8H", "9H"], "points": 24, "meld": 1, "kind": "run", "owner": 0}
    deal = play(deal, "M:7H,8H,9H")
    assert facts(deal, "L:1:TH") == {"cards": ["TH"], "points": 10, "meld": 1, "kind": "run", "owner": 0}


@both_games
def test_of_what_is_taken_back_its_own_cards_are_told(variant: str) -> None:
    deal = play(position(variant, hands=["8H 9H TH JH 2S", "3C"], row="KS 7H QD"), "P2 M:7H,8H,9H L:1:TH")
    assert facts(deal, "U") == {"move": "L", "cards": ["TH"]}
    assert facts(play(deal, "U"), "U") == {"move": "M", "cards": ["7H", "8H", "9H"]}
    assert facts(play(deal, "U U"), "U") == {"move": "P", "cards": ["7H", "QD"]}


def test_of_a_swap_taken_back_the_card_put_there_is_told() -> None:
    deal = play(position("rami500", hands=["JH 2S", "3C"], row="4C 4D", melds=[(1, "TH *JH QH")], stock="6C 7C"), "S W:1:JH")
    assert facts(deal, "U") == {"move": "W", "cards": ["JH"]}


@both_games
def test_of_an_expired_turn_the_discard_is_told_but_no_other_card(variant: str) -> None:
    deal = position(variant, hands=["KD 2S", "3C"], stock="* 7C", row="5H")
    assert facts(deal, "T") == {"undone": False, "drew": True, "cards": ["KD"]}
    taken = play(position(variant, hands=["8H 9H 2S", "3C"], row="KS 7H QD", stock="4C 6C"), "P2 M:7H,8H,9H U")
    assert facts(taken, "T") == {"undone": True, "drew": True, "cards": ["4C"]}


def test_of_an_expired_turn_that_empties_the_stock_the_discard_is_told_too() -> None:
    deal = position("rami500", hands=["KD 2S", "3C"], stock="7C", row="5H")
    assert facts(deal, "T") == {"undone": False, "drew": True, "cards": ["7C"], "over": "stock"}


def test_of_an_expired_turn_with_nothing_to_draw_no_card_is_told() -> None:
    deal = position("remi500", hands=["5C 5D 2S", "3C"], stock="", row="5H")
    assert facts(deal, "T") == {"undone": False, "drew": False, "over": "stock"}


@both_games
def test_of_a_resignation_no_card_is_told(variant: str) -> None:
    assert facts(position(variant, hands=["KD 2S", "3C", "4C"]), "R") == {}


@both_games
def test_hands_are_revealed_only_when_the_deal_is_over(variant: str) -> None:
    deal = position(variant, hands=["KD", "3C"], stock="4C 5C", row="5H")
    with pytest.raises(RuleError, match="deal_not_over"):
        reveal(deal)
    over = play(deal, "1:R")
    assert reveal(over) == over.hands
    assert held(over, 1) == "3C"


@both_games
def test_of_a_deal_that_is_over_hands_and_stock_are_revealed_as_they_were(variant: str) -> None:
    before = position(variant, hands=["KD 2S", "3C"], stock="4C 5C", row="5H")
    after = play(before, "S D:KD")
    over = play(after, "1:R")
    assert [held(before._replace(hands=reveal(over, before)), seat) for seat in (0, 1)] == ["2S KD", "3C"]
    assert words(reveal_stock(over, before)) == "4C 5C"
    assert words(reveal_stock(over, after)) == words(reveal_stock(over)) == "5C"


@both_games
def test_of_a_deal_that_is_not_over_an_earlier_point_is_not_revealed_either(variant: str) -> None:
    before = position(variant, hands=["KD 2S", "3C"], stock="4C 5C", row="5H")
    after = play(before, "S D:KD")
    with pytest.raises(RuleError, match="deal_not_over"):
        reveal(after, before)
    with pytest.raises(RuleError, match="deal_not_over"):
        reveal_stock(after, before)


@both_games
def test_a_case_opens_the_hands_of_a_running_deal_and_never_its_stock(variant: str) -> None:
    before = position(variant, hands=["KD 2S", "3C"], stock="4C 5C", row="5H")
    after = play(before, "S D:KD")
    assert reveal(after, before, case=True) == before.hands
    with pytest.raises(RuleError, match="deal_not_over"):
        reveal_stock(after)


@both_games
def test_a_void_deal_is_as_open_as_one_that_is_over(variant: str) -> None:
    before = position(variant, hands=["KD 2S", "3C"], stock="4C 5C", row="5H")
    after = play(before, "S D:KD")
    assert reveal(after, before, void=True) == before.hands
    assert words(reveal_stock(after, before, void=True)) == "4C 5C"
    other = position(variant, hands=["KD", "3C"], stock="5C 4C", row="5H")
    for door in (reveal, reveal_stock):
        with pytest.raises(RuleError, match="bad_record"):
            door(after, other, void=True)


@both_games
def test_the_end_of_one_deal_opens_no_other(variant: str) -> None:
    over = play(position(variant, hands=["KD", "3C"], stock="4C 5C", row="5H"), "1:R")
    other = position(variant, hands=["KD", "3C"], stock="5C 4C", row="5H")
    for door in (reveal, reveal_stock):
        with pytest.raises(RuleError, match="bad_record"):
            door(over, other)


@both_games
def test_a_view_serves_the_list_of_legal_moves_as_the_deal_does(variant: str) -> None:
    deal = play(position(variant, hands=["8H 9H 7H 2S", "3C"], row="KS"), "S")
    seen: View = view(deal, 0)
    assert legal_moves(seen) == legal_moves(deal)
    assert legal_moves(view(deal, 1)) == legal_moves(view(deal, None)) == []
    assert words(seen.row) == "KS"

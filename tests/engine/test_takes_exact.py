"""Whether a take can be used (§1.8), held against a search through every sequence of table moves."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.engine import CARDS, Deal, RuleError, Rules, apply, legal_moves
from games.engine.cards import add
from games.engine.deal import with_item

from .builders import play_randomly, position, seeds, tables

# One pack, few numbers and two suits in most hands, so that cards meet often.
NEAR = [number + suit for suit in "HSD" for number in "A23456K"]
MELDS = [
    [], ["3H 4H 5H"], ["4H *5H 6H"], ["*3S 4S 5S"], ["AH 2H 3H"], ["QH KH AH"], ["4S 4H 4D"], ["4S *4H 4D"],
    ["*KS KH KD"], ["9H TH *JH", "*4S 5S 6S"], ["3H 4H *5H", "*6D 7D 8D"],
]  # fmt: skip


@st.composite
def takes(draw: st.DrawFn) -> tuple[str, str, str, list[str]]:
    """A game, a hand, the cards of a take (the card taken first) and the melds on the table."""
    variant = draw(st.sampled_from(["remi500", "rami500"]))
    melds = draw(st.sampled_from(MELDS))
    on_table = [card for meld in melds for card in meld.split()]
    jokers = 2 - sum(card.startswith("*") for card in on_table)
    left = [card for card in NEAR if card not in on_table] + ["*"] * jokers
    cards = draw(st.permutations(left))[: draw(st.integers(2, 7))]
    taken = draw(st.integers(1, min(3, len(cards))))
    return variant, " ".join(cards[taken:]), " ".join(cards[:taken]), melds


def after_taking(deal: Deal, n: int) -> Deal:
    """The deal after the take of the last n cards, whether it is legal or not."""
    assert deal.to_move is not None
    hands = with_item(deal.hands, deal.to_move, add(deal.hand, deal.row[-n:]))
    return deal._replace(phase="play", hands=hands, row=deal.row[:-n], must_use=deal.row[-n])


def can_be_laid(deal: Deal, seen: set[object]) -> bool:
    """Whether some sequence of table moves lays the card that must be used: all of them are tried."""
    if deal.must_use is None:
        return True
    key = (deal.hand, tuple(meld.cards for meld in deal.melds))
    if key in seen:
        return False
    seen.add(key)
    return any(
        can_be_laid(apply(deal, deal.to_move or 0, move), seen) for move in legal_moves(deal) if move.kind in ("M", "L", "W")
    )


@given(takes())
@settings(max_examples=400, deadline=None)
@example(("rami500", "5H 6H", "4H", ["9H TH *JH", "*4S 5S 6S"]))
@example(("rami500", "4S 3H", "2H AH", ["*4S 5S 6S"]))
@example(("rami500", "4S 6D", "*", ["*KS KH KD"]))
@example(("rami500", "4S KD", "4H", ["*4S 5S 6S"]))
@example(("rami500", "4S 4D", "4H", ["*4S 5S 6S"]))
def test_a_take_is_legal_exactly_where_some_sequence_of_moves_lays_its_card(take: tuple[str, str, str, list[str]]) -> None:
    variant, in_hand, taken, melds = take
    n = len(taken.split())
    options: dict[str, Any] = {"top_card_free": False}
    deal = position(
        variant,
        hands=[in_hand, ""],
        row=taken,
        melds=[(1, meld) for meld in melds],
        **options,
    )
    try:
        apply(deal, 0, f"P{n}")
        legal = True
    except RuleError as refusal:
        assert refusal.code == "pickup_unusable"
        legal = False
    assert legal == can_be_laid(after_taking(deal, n), set()), CARDS.texts[deal.row[-n]]
    assert (f"P{n}" in [f"P{move.number}" for move in legal_moves(deal) if move.kind == "P"]) == legal


@given(tables(), seeds)
@settings(max_examples=15, deadline=None)
def test_in_play_too_the_takes_with_an_obligation_are_those_that_some_sequence_of_moves_uses(rules: Rules, seed: int) -> None:
    for step in play_randomly(rules, seed, steps=120)[seed % 5 :: 5]:
        deal = step.before
        if deal.phase != "draw" or deal.hand.jokers + deal.row[-3:].count(52) > 1:
            continue
        listed = {move.number for move in legal_moves(deal) if move.kind == "P"}
        for n in range(1, min(3, len(deal.row)) + 1):
            if rules.obliges(deal, n):
                assert (n in listed) == can_be_laid(after_taking(deal, n), set())

"""Deals for the tests, with hands drawn as text.

    deal = position("remi500", hands=["7H 8H 2S", "KD 3C"], row="QS 9H")
    deal = play(deal, "P1 M:7H,8H,9H D:2S")        # the seat on turn plays
    assert refused(deal, "D:KD") == "must_draw_first"

Cards that a position does not name lie in the stock, in the order of the pack.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, NamedTuple

import pytest
from hypothesis import strategies as st

from games.engine import (
    CARDS,
    EMPTY,
    VARIANTS,
    Deal,
    Hand,
    Match,
    Meld,
    RuleError,
    Rules,
    add_deal,
    apply,
    legal_moves,
    move_text,
    new_match,
    rules_for,
    start,
)
from games.engine.cards import add, plain
from games.engine.melds import laid

CARD_GAMES = ["remi500", "rami500"]
both_games = pytest.mark.parametrize("variant", CARD_GAMES)

seeds = st.integers(0, 2**32)


@st.composite
def tables(draw: st.DrawFn) -> Rules:
    """A card game, a number of seats and options."""
    variant = draw(st.sampled_from(CARD_GAMES))
    seats = draw(st.sampled_from(list(VARIANTS[variant].seats)))
    return rules_for(variant, seats, {"top_card_free": draw(st.booleans())})


def codes(text: str) -> list[int]:
    """Cards by text, separated by spaces."""
    return [CARDS.codes[card] for card in text.split()]


def words(cards: Any) -> str:
    """Cards as text, in the order given."""
    return " ".join(CARDS.texts[card] for card in cards)


def held(deal: Deal, seat: int) -> str:
    """A seat's hand as text, sorted as in a record."""
    return " ".join(sorted(CARDS.texts[card] for card in deal.hands[seat].cards()))


def row(deal: Deal) -> str:
    """The row as text, oldest first."""
    return words(deal.row)


def table(deal: Deal) -> list[str]:
    """The melds on the table as text."""
    return [words(meld.cards) for meld in deal.melds]


def position(
    variant: str,
    *,
    hands: list[str],
    row: str = "",
    melds: list[tuple[int, str]] | tuple[()] = (),
    stock: str | None = None,
    to_move: int = 0,
    **options: Any,
) -> Deal:
    """A deal in the middle of play: `to_move` is about to draw.

    `melds` are (owner, cards) and count for their owner. `stock`, from the top, is all of the stock where it
    is given. Raises AssertionError where more cards are asked for than the game has.
    """
    rules = rules_for(variant, len(hands), options)
    lain = [laid(number, owner, tuple(codes(cards)), False) for number, (owner, cards) in enumerate(melds, start=1)]
    on_table: list[Meld] = [meld for meld in lain if meld is not None]
    assert len(on_table) == len(lain), "not a meld"
    shown = [*codes(row), *(plain(card) for meld in on_table for card in meld.cards)]
    named = Counter([*shown, *(card for hand in hands for card in codes(hand)), *codes(stock or "")])
    pack = Counter(rules.pack())
    assert named <= pack, f"more than there are: {words((named - pack).elements())}"
    left = codes(stock) if stock is not None else sorted((pack - named).elements())
    points = [sum(rules.worth(meld) for meld in on_table if meld.owner == seat) for seat in range(len(hands))]
    fresh = start(rules, (to_move - 1) % len(hands), rules.pack())
    return fresh._replace(
        hands=tuple(hand(text) for text in hands),
        row=tuple(codes(row)),
        melds=tuple(on_table),
        laid=tuple(points),
        deck=tuple(left),
        drawn=0,
    )


def hand(text: str) -> Hand:
    """A hand by text."""
    return add(EMPTY, codes(text))


def dealt(variant: str, seats: int, *, top: str = "", dealer: int | None = None, **options: Any) -> Deal:
    """A fresh deal whose deck begins with the cards `top`; seat 0 plays first unless told otherwise."""
    rules = rules_for(variant, seats, options)
    first = codes(top)
    rest = Counter(rules.pack()) - Counter(first)
    return start(rules, seats - 1 if dealer is None else dealer, [*first, *sorted(rest.elements())])


def play(deal: Deal, moves: str) -> Deal:
    """The deal after moves of whoever is on turn; `1:R` is a move of seat 1, on turn or not."""
    for token in moves.split():
        seat, move = whose(deal, token)
        deal = apply(deal, seat, move)
    return deal


def refused(deal: Deal, move: str) -> str:
    """The code with which a move is refused. Fails where it is not; the deal must stand as it stood."""
    before = deal
    seat, token = whose(deal, move)
    try:
        apply(deal, seat, token)
    except RuleError as error:
        assert deal == before
        return error.code
    raise AssertionError(f"{move} was not refused")


def legal(deal: Deal) -> list[str]:
    """The legal moves of the seat on turn as text, sorted."""
    return sorted(move_text(move, deal.rules.alphabet) for move in legal_moves(deal))


def whose(deal: Deal, token: str) -> tuple[int, str]:
    """The seat and the move that a token of `play` means."""
    if token[0].isdigit():
        return int(token[0]), token[2:]
    return deal.to_move if deal.to_move is not None else 0, token


def scored(match: Match, *deals: Deal) -> Match:
    """The match after these deals."""
    for deal in deals:
        match = add_deal(match, deal)
    return match


def finished(match: Match, scores: tuple[int, ...]) -> Deal:
    """A deal of the match that is over with just these scores.

    Points are laid as given and all hands are empty, so that only what a match does with scores is looked at.
    """
    count = match.rules.count
    deal = dealt(match.rules.name, count, dealer=match.dealer, **match.rules.options)
    return deal._replace(hands=(EMPTY,) * count, laid=scores, resigned=match.resigned).over("out", 0)


def match_of(variant: str, seats: int, *, dealer: int = 0, **options: Any) -> Match:
    """A match before its first deal."""
    return new_match(rules_for(variant, seats, options), dealer)


class Step(NamedTuple):
    """One move of a deal that was played, between the states before and after it."""

    before: Deal
    seat: int
    move: str
    after: Deal


def play_randomly(rules: Rules, seed: int, steps: int = 5_000, *, others: float = 0.0) -> list[Step]:
    """A deal played at random from a shuffled deck, to its end or for a number of steps.

    Each move is drawn evenly from the legal ones; where a take has led nowhere, everything is taken back and a
    card is drawn. `others` is the share of U, T and (seldom) R, of any seat, among the moves.
    """
    chance = random.Random(seed)
    deck = rules.pack()
    chance.shuffle(deck)
    deal = start(rules, chance.randrange(rules.count), deck)
    played: list[Step] = []
    while deal.phase != "over" and len(played) < steps:
        for seat, move in _random_moves(deal, chance, others):
            after = apply(deal, seat, move)
            played.append(Step(deal, seat, move, after))
            deal = after
    return played[:steps]


def _random_moves(deal: Deal, chance: random.Random, others: float) -> list[tuple[int, str]]:
    """What is played next: one move, or the way out of a turn that is stuck."""
    assert deal.to_move is not None
    if chance.random() < others:
        kind = chance.choice("UUUUUUTTTTTTTTR")
        if kind != "U" or deal.prev is not None:
            return [(chance.choice(deal.seats_in) if kind == "R" else deal.to_move, kind)]
    moves = legal_moves(deal)
    if moves:
        return [(deal.to_move, move_text(chance.choice(moves), deal.rules.alphabet))]
    way_out = ["U"] * len(deal.turn_moves()) + ["S" if deal.stock_left else "E"]
    return [(deal.to_move, move) for move in way_out]

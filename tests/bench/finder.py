"""The meld finder: milliseconds for a hand of 13, 20 and 40 cards with two jokers, beside an exact solver (CP-SAT)."""

from __future__ import annotations

import json
import random
import statistics
import time
from collections import Counter

from games.engine import EMPTY, JOKER, Hand, Rules, rules_for
from games.engine.cards import add, plain
from games.engine.finder import best_melds
from games.engine.melds import laid, listed

from .measure import Budget, Line, line
from .peer import Peer

SIZES = {13: 0.3, 20: 1.0, 40: 40.0}
"""Cards in hand, and the milliseconds asked for."""
HANDS = 15
LONGEST = 5
"""A longer run is two shorter ones of the same worth, so that the solver need not know of it."""


def run(budget: Budget) -> list[Line]:
    """Every line of the part. Raises AssertionError where finder and solver disagree."""
    solver = Peer("cp_sat.py")
    rules = rules_for("rami500", 2)
    try:
        return [found for size, asked in SIZES.items() for found in _size(budget, rules, size, asked, solver)]
    finally:
        solver.close()


def _size(budget: Budget, rules: Rules, size: int, asked: float, solver: Peer) -> list[Line]:
    chance = random.Random(size)
    _found(rules, [_hand(rules, size, chance) for _ in range(HANDS)])  # to warm up
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(budget.rounds):
        # fresh hands each round: what the finder remembers of a hand it has met would flatter it
        hands = [_hand(rules, size, chance) for _ in range(HANDS)]
        spent, worths = _found(rules, hands)
        ours.append(spent)
        if solver.there:
            answers = json.loads(solver.ask(json.dumps([_problem(rules, hand) for hand in hands])))
            theirs.append(statistics.median(seconds for seconds, _ in answers) * 1_000)
            assert [worth for _, worth in answers] == worths, "finder and solver disagree"
    told = f"the same answers for {HANDS * budget.rounds} hands" if theirs else ""
    lines = [line(f"best melds of {size} cards", "ms", ours, asked=asked, least=False, note=told)]
    if theirs:
        lines.append(line(f"best melds of {size} cards, CP-SAT", "ms", theirs, beside="the finder", theirs=ours))
    return lines


def _hand(rules: Rules, size: int, chance: random.Random) -> Hand:
    return add(EMPTY, [JOKER, JOKER, *chance.sample([card for card in rules.pack() if card != JOKER], size - 2)])


def _found(rules: Rules, hands: list[Hand]) -> tuple[float, list[int]]:
    """The median milliseconds of a hand, and the worth of each."""
    spent, worths = [], []
    for hand in hands:
        began = time.process_time()
        worth, _ = best_melds(rules, hand)
        spent.append((time.process_time() - began) * 1_000)
        worths.append(worth)
    return statistics.median(spent), worths


def _problem(rules: Rules, hand: Hand) -> tuple[dict[str, int], list[tuple[int, dict[str, int]]]]:
    """The hand as the solver reads it: how often each card is held, and the worth and cards of every meld."""
    texts = rules.alphabet.texts
    best: dict[tuple[tuple[str, int], ...], int] = {}
    for move in listed(*hand, rules.tight):
        meld = laid(1, 0, move.cards, rules.tight)
        if meld is not None and len(move.cards) <= LONGEST:
            spent = tuple(sorted(Counter(texts[plain(card)] for card in move.cards).items()))
            best[spent] = max(best.get(spent, 0), rules.worth(meld))
    limits = dict(Counter(texts[card] for card in hand.cards()))
    return limits, [(worth, dict(spent)) for spent, worth in best.items()]

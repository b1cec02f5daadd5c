"""Self-play: decisions a second of the computer player against itself, beside the moves of random playouts."""

from __future__ import annotations

import random
from functools import partial

from games.engine import Rules, apply, rules_for, start, view
from games.engine.bots import BOTS

from .engine import play_out
from .measure import Budget, Line, Run, interleaved, line, timed

GAMES = {"Remi 500, 2 seats": ("remi500", 2), "Remi 500, 4 seats": ("remi500", 4), "Rami 500, 2 seats": ("rami500", 2)}


def run(budget: Budget) -> list[Line]:
    """Every line of the part."""
    runs: dict[str, Run] = {}
    for name, (variant, seats) in GAMES.items():
        rules = rules_for(variant, seats)
        for kind, play in (("greedy", _greedy), ("random", play_out)):
            chance = random.Random(1)
            runs[f"{kind}, {name}"] = timed(partial(play, rules, chance))
    rates = interleaved(runs, budget)
    return [
        line(
            f"greedy against greedy, {name}", "decisions/s", rates[f"greedy, {name}"],
            beside="random playouts", theirs=rates[f"random, {name}"],
        )
        for name in GAMES
    ]  # fmt: skip


def _greedy(rules: Rules, chance: random.Random) -> int:
    """One deal of the computer player against itself; returns how often it decided."""
    deck = rules.pack()
    chance.shuffle(deck)
    deal, decisions = start(rules, chance.randrange(rules.count), deck), 0
    while deal.to_move is not None:
        deal = apply(deal, deal.to_move, BOTS["greedy"](view(deal, deal.to_move), chance))
        decisions += 1
    return decisions

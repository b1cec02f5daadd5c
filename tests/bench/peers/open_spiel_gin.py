"""Random playouts of gin rummy with OpenSpiel, C++ driven from Python, and its copies and lists of legal moves."""

import random

import pyspiel
from serve import serve

chance = random.Random(1)
game = pyspiel.load_game("gin_rummy")


def playout(seen=None):
    state, moves = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, odds)[0])
            continue
        if seen is not None:
            seen.append(state.clone())
        state.apply_action(chance.choice(state.legal_actions()))
        moves += 1
    return moves


STATES = []
for _ in range(10):
    playout(STATES)


def copies():
    for state in STATES:
        state.clone()
    return len(STATES)


def legal():
    for state in STATES:
        state.legal_actions()
    return len(STATES)


serve({"playout": playout, "copy": copies, "legal": legal})

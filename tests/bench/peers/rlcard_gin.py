"""Random playouts of gin rummy with RLCard."""

import random

import rlcard
from serve import serve

chance = random.Random(1)
env = rlcard.make("gin-rummy", config={"seed": 1})


def playout():
    state, _ = env.reset()
    moves = 0
    while not env.is_over():
        state, _ = env.step(chance.choice(list(state["legal_actions"])))
        moves += 1
    return moves


serve({"playout": playout})

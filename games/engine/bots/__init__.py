"""Computer players.

A player is a function from what its seat may know, and a source of chance, to one legal move. It is asked
again until the turn has passed, and keeps nothing in mind between two moves: the same view and the same
chance give the same move.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from ..moves import Move
from ..view import View
from .greedy import greedy as card_player
from .random_player import random_player
from .tiles import tile_player

Bot = Callable[[View, random.Random], Move]


def greedy(view: View, rng: random.Random) -> Move:
    """One move of the computer player of the tables, which plays every game for points."""
    return tile_player(view, rng) if view.rules.tight else card_player(view, rng)


BOTS: dict[str, Bot] = {"greedy": greedy, "random": random_player}
"""The players by name."""

__all__ = ["BOTS", "Bot", "greedy", "random_player"]

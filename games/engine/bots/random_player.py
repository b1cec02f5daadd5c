"""A player of random legal moves: what every other player must beat, and a way to walk through the whole game."""

from __future__ import annotations

import random

from ..legal import legal_moves
from ..moves import UNDO, Move
from ..takes import usable
from ..view import View


def random_player(view: View, rng: random.Random) -> Move:
    """Any legal move, each as likely as the others.

    A card that was taken and can no longer be laid is a dead end: the turn is taken back, move by move, until it can.
    """
    if view.must_use is not None and not usable(view.hand, view.melds, view.must_use, view.rules.swaps):
        return Move(UNDO)
    legal = legal_moves(view)
    return rng.choice(legal) if legal else Move(UNDO)

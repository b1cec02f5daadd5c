"""A player of random legal moves: what every other player must beat, and a way to walk through the whole game."""

from __future__ import annotations

import random

from ..legal import legal_moves
from ..moves import DISCARD, TAKE, UNDO, Move
from ..takes import usable
from ..view import View

BACK, BACK_FROM_TAKE = 0.6, 0.1
"""How often a turn of the tile game that cannot be ended as it stands goes back instead of on."""


def random_player(view: View, rng: random.Random) -> Move:
    """Any legal move, each as likely as the others; before play, any answer.

    A card that was taken and can no longer be laid is a dead end: the turn is taken back, move by move, until it can.
    """
    legal = legal_moves(view) or view.rules.answers(view)
    if not legal or (_strays(view, legal, rng) if view.rules.tight else _stuck(view)):
        return Move(UNDO)
    return rng.choice(legal)


def _stuck(view: View) -> bool:
    return view.must_use is not None and not usable(view.hand, view.melds, view.must_use, view.rules.swaps)


def _strays(view: View, legal: list[Move], rng: random.Random) -> bool:
    """Whether to take back a move of a turn that an opening, a joly or too long a take leaves unfinished (§4.8, §4.11, §4.12).

    More moves may finish it, or none: who can go on only where it came from would go to and fro for ever.
    """
    if view.phase != "play" or not view.turn_moves or any(move.kind == DISCARD for move in legal):
        return False
    return rng.random() < (BACK_FROM_TAKE if view.turn_moves[-1].kind == TAKE else BACK)

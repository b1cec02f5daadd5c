"""What cards are worth where they are laid, as tables: all that the finder knows of a game."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ..cards import JOKER, STANDS
from ..melds import RUN, SET, face_at
from ..rules import Rules

LAID, SAVED, CARDS = "laid", "saved", "cards"


class Worth(NamedTuple):
    """By place, 0…13 in a run and 0…12 (the number) in a set, the worth of a natural card and of a joker there."""

    run: tuple[int, ...]
    run_joker: tuple[int, ...]
    set: tuple[int, ...]
    set_joker: tuple[int, ...]
    tight: bool


@lru_cache(maxsize=200)
def worth_of(rules: Rules, value: str) -> Worth:
    """The tables of a game for a way of valuing: "laid", "saved" or "cards". Raises ValueError for another."""
    if value not in (LAID, SAVED, CARDS):
        raise ValueError(value)

    def of(card: int, kind: str, position: int) -> int:
        if value == CARDS:
            return 1
        in_hand = rules.hand_value(JOKER if card >= STANDS else card) if value == SAVED else 0
        return rules.laid_value(card, kind, position) + in_hand

    places, numbers = range(1, 15), range(1, 14)
    return Worth(
        tuple(of(face_at(0, place), RUN, place) for place in places),
        tuple(of(face_at(0, place) + STANDS, RUN, place) for place in places),
        tuple(of(face_at(0, number), SET, number) for number in numbers),
        tuple(of(face_at(0, number) + STANDS, SET, number) for number in numbers),
        rules.tight,
    )

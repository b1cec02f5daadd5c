"""Rami 500, the French game (rules §3)."""

from __future__ import annotations

from typing import Any, ClassVar

from .rules import Rules


class Rami500(Rules):
    """2–4 seats, one pack, seven cards; the top card is free, jokers can be swapped."""

    name = "rami500"
    seats = range(2, 5)
    swaps = True
    ends_with_stock = True
    defaults: ClassVar[dict[str, Any]] = {"target": 500, "top_card_free": True}

    def laid_value(self, card: int, kind: str, position: int) -> int:
        """§3.6: an ace 1, but 11 above the king; a joker the card that it stands for."""
        if position == 14:
            return 11
        return min(position, 10)

"""Rami 500, the French game (rules §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from .rules import Rules

if TYPE_CHECKING:
    from .deal import Deal


class Rami500(Rules):
    """2–4 seats, one pack, seven cards; the top card is free, jokers can be swapped."""

    name = "rami500"
    seats = range(2, 5)
    swaps = True
    defaults: ClassVar[dict[str, Any]] = {"target": 500, "top_card_free": True}

    def after_turn(self, deal: Deal) -> Deal:
        """The deal ends with the turn in which the stock became empty (§3.5)."""
        return deal if deal.stock_left else deal.over("stock")

    def laid_value(self, card: int, kind: str, position: int) -> int:
        """§3.6: an ace 1, but 11 above the king; a joker the card that it stands for."""
        if position == 14:
            return 11
        return min(position, 10)

"""Remi 500, the Romanian game (rules §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from .cards import STANDS
from .melds import RUN
from .rules import Rules

if TYPE_CHECKING:
    from .deal import Deal


class Remi500(Rules):
    """2–8 seats, one pack or two; no joker is ever swapped; every take must be used."""

    name = "remi500"
    seats = range(2, 9)
    defaults: ClassVar[dict[str, Any]] = {"target": 500, "top_card_free": False}

    @property
    def packs(self) -> int:
        """Two for five seats or more (§2.1)."""
        return 2 if self.count >= 5 else 1

    @property
    def hand_size(self) -> int:
        """13 cards with two seats (§2.2)."""
        return 13 if self.count == 2 else 7

    def open_turn(self, deal: Deal) -> Deal:
        """With the stock empty and no legal take the deal ends by itself (§2.6)."""
        if not deal.stock_left and not self.legal_takes(deal):
            return deal.over("stock")
        return deal

    def laid_value(self, card: int, kind: str, position: int) -> int:
        """§2.7: a joker 15; an ace 15, but 1 where it is low."""
        if card >= STANDS:
            return 15
        if position == 1:
            return 1 if kind == RUN else 15
        return 15 if position == 14 else min(position, 10)

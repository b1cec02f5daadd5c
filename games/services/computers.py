"""What a computer player chooses, and what the log of the server may say of one that goes wrong."""

from __future__ import annotations

import logging
import random
import traceback

from games import engine
from games.engine.bots import BOTS
from games.models import Seat
from games.services.store import Table

log = logging.getLogger(__name__)

COMPUTER = "greedy"
"""Who sits down where a computer player is asked for, and who plays for an absent player."""


def choose(table: Table, seat: Seat, rng: random.Random) -> str:
    """The next move of a computer player, in notation. It sees only its view; it may raise anything."""
    move = BOTS[seat.bot or COMPUTER](engine.view(table.deal, seat.index), rng)
    return engine.move_text(move, table.deal.rules.alphabet)


def failed(table: Table, seat: Seat, fault: Exception) -> None:
    """Log where a computer player went wrong. Not in the fault's own words: they may name a card that it holds."""
    where = "".join(traceback.format_tb(fault.__traceback__))
    name = type(fault).__name__
    log.error("computer player %s failed at table %s: %s\n%s", seat.bot or COMPUTER, table.game.pk, name, where)

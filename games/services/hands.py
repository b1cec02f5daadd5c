"""How a player keeps their hand: theirs alone, no move, no new version."""

from __future__ import annotations

from collections.abc import Sequence

from accounts.models import User
from games import engine
from games.models import Seat
from games.services.errors import NoSuchTable

SORTS = ("suit", "number", "hand")
LONGEST_HAND = 110
KNOWN = frozenset([*engine.CARDS.codes, *engine.TILES.codes, "", "/"])
"""The texts of cards and tiles, a gap on the rack, and the end of its upper shelf."""


def arrange(*, code: str, user: User, sort: str, order: Sequence[str] = ()) -> None:
    """Keep the way a hand is sorted, and its order where that is by hand. Raises NoSuchTable.

    Of an order only what could be a card is kept, and the signs of a rack: it only ever sorts the hand.
    """
    changes: dict[str, object] = {"sort": sort if sort in SORTS else SORTS[0]}
    if order:
        changes["arrangement"] = [text for text in order[:LONGEST_HAND] if text in KNOWN]
    if not Seat.objects.filter(game__code=code, user=user).update(**changes):
        raise NoSuchTable

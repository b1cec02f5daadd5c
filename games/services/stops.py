"""What absent seats get back when a table that stood still as a whole goes on: so much longer to come back in."""

from __future__ import annotations

from datetime import datetime

from games.clock import NO_TIME
from games.models import Game, Seat
from games.services import outages


def give_back(game: Game, began: datetime, ended: datetime, *, beside: datetime | None) -> None:
    """For the time between these instants, in which a locked table stood for one reason; each minute is given once.

    Another reason that holds on, since `beside`, gives what it shares with this one when it ends itself, and an outage that
    is still to be applied what it shares with both.
    """
    until = ended if beside is None else min(ended, beside)
    pending = outages.pending(now=ended)
    for seat in Seat.objects.filter(game=game, absent_until__isnull=False, absent_since__lt=until):
        assert seat.absent_until is not None
        assert seat.absent_since is not None
        since = max(began, seat.absent_since)
        shared = (max(min(to, until) - max(start, since), NO_TIME) for start, to in pending)
        seat.absent_until += max(until - since - sum(shared, NO_TIME), NO_TIME)
        seat.save(update_fields=["absent_until"])

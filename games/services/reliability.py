"""Whether a player is reliable enough for a table."""

from __future__ import annotations

from accounts.models import User
from games import selectors
from games.models import Game
from games.services.errors import ServiceError


def must_reach(*, game: Game, user: User) -> None:
    """Refuse with `not_reliable` who plays too few turns in time for a table. Who is new is welcome everywhere."""
    if game.min_reliability is None:
        return
    share = selectors.reliability([user.pk])[user.pk]
    if share is not None and share < game.min_reliability:
        raise ServiceError("not_reliable")

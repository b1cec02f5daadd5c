"""A table that has not begun: who sits there, what its terms are, the link to it."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

import segno
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.models import Game, Seat
from games.presenters.chat import chat_of
from games.presenters.lists import places, reliabilities
from games.presenters.names import table_name
from games.presenters.terms import terms


class Code(NamedTuple):
    """A QR code as `games/_qr.html` draws it: so many modules wide, the dark ones as one path."""

    size: int
    path: str

    @property
    def whole(self) -> int:
        """With the quiet edge of three modules all round."""
        return self.size + 6

    @property
    def sign(self) -> int:
        """The width of the sign in its middle: a fifth, which covers a twentieth of the code."""
        return self.size // 5 | 1

    @property
    def corner(self) -> int:
        """Where the sign begins."""
        return (self.size - self.sign) // 2


def waiting_context(*, game: Game, seats: list[Seat], user: User | AnonymousUser, link: str, now: datetime) -> dict[str, Any]:
    """What the page of an open or cancelled table shows. `seats` with their users, in order."""
    free = game.seat_count - len(seats)
    mine = next((seat for seat in seats if user.pk is not None and seat.user_id == user.pk), None)
    return {
        "game": game,
        "name": table_name(game),
        "cancelled": game.status == Game.Status.CANCELLED,
        "headline": _headline(game, free),
        "places": places(game, seats, user, reliabilities(seats)),
        "free": free,
        "me": mine,
        "seated": mine is not None,
        "is_maker": mine is not None and game.maker_id == user.pk,
        "alone": sum(seat.user_id is not None for seat in seats) == 1,
        "terms": terms(game, now=now),
        "talk": chat_of(game=game, user=user, seats=seats, now=now) if mine is not None and isinstance(user, User) else None,
        "link": link,
        "code": qr_code(link),
    }


def _headline(game: Game, free: int) -> str:
    if game.status == Game.Status.CANCELLED:
        return _("This table was cancelled.")
    return ngettext("Waiting for %(count)d player", "Waiting for %(count)d players", free) % {"count": free}


def qr_code(link: str) -> Code:
    """The link as a QR code. Of the sturdiest kind, so that the sign in its middle may cover a little of it."""
    matrix = segno.make_qr(link, error="h").matrix
    strokes = []
    for y, row in enumerate(matrix):
        x = 0
        for dark, modules in groupby(row):
            width = len(list(modules))
            if dark:
                strokes.append(f"M{x} {y}h{width}v1h-{width}z")
            x += width
    return Code(len(matrix), "".join(strokes))

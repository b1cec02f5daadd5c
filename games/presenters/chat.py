"""The chat of a table as pages show it: words are text, never markup or links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import User
from games import selectors
from games.models import Game, Saying, Seat
from games.presenters.log import when
from games.presenters.names import player_name
from games.services.chat import is_closed


@dataclass(frozen=True)
class Line:
    """What somebody said."""

    number: int
    name: str
    mine: bool
    text: str
    """Empty where it is not to be read."""
    at: datetime
    when: str
    removed: bool
    gone: bool
    """Whether it went with the account."""
    muted: bool
    reported: bool
    who: str
    """Whom the reader could mute, by name; empty of oneself and of who is gone."""


@dataclass(frozen=True)
class Chat:
    """The chat beside a table."""

    said: int
    lines: list[Line]
    may_write: bool
    closed: bool
    unread: bool


def chat_of(*, game: Game, user: User, seats: Sequence[Seat], now: datetime) -> Chat | None:
    """The chat as it stands beside the table, for a reader; None where it is not theirs to read."""
    if not selectors.may_read_chat(game=game, user=user, seats=seats):
        return None
    mine = next((seat for seat in seats if seat.user_id == user.pk), None)
    lines = chat_lines(selectors.last_sayings(game=game, user=user), user, now=now)
    closed = is_closed(game, now)
    seen = game.said if mine is None else mine.seen_chat
    new = any(line.number > seen and not (line.mine or line.removed) for line in lines)
    return Chat(game.said, lines, mine is not None and not closed, closed, new)


def chat_lines(sayings: Iterable[Saying], user: User, *, now: datetime) -> list[Line]:
    """Words, as `selectors.sayings` gives them to a reader."""
    return [_line(saying, user, now) for saying in sayings]


def _line(saying: Saying, user: User, now: datetime) -> Line:
    speaker = saying.user
    mine = speaker is not None and speaker.pk == user.pk
    gone = speaker is None or not speaker.is_active
    muted = bool(getattr(saying, "muted", False))
    return Line(
        number=saying.number,
        name=_("You") if mine else player_name(speaker),
        mine=mine,
        text="" if muted or saying.removed else saying.text,
        at=saying.said_at,
        when=when(saying.said_at, now),
        removed=saying.removed,
        gone=saying.removed and saying.removed_by_id is None,
        muted=muted,
        reported=bool(getattr(saying, "reported", False)),
        who="" if mine or gone or speaker is None else speaker.username,
    )

"""Why a table stands still: a pause that is asked for or lasts, and who is away, in words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from babel.dates import format_date
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Game, Seat
from games.presenters.names import joined
from games.presenters.times import date_locale
from games.services.pauses import LONGEST_PAUSE, has_a_say, missing


class Pause(NamedTuple):
    """What a table's page says of a pause, to one reader."""

    lasts: bool
    until: str
    """Of one that lasts: the day on which it ends by itself."""
    asked_by: str
    """Of one that is asked for: who has asked or agreed, but for the reader."""
    waits_for: str
    """And who has still to agree, but for the reader."""
    mine: bool
    """Whether the reader has asked or agreed."""
    say: bool
    """Whether the reader may ask, agree, refuse, end it."""


def pause(game: Game, seats: Sequence[Seat], names: Sequence[str], me: Seat | None) -> Pause:
    """The pause of a table; `names` by seat."""
    silent = missing(list(seats))
    asking = [names[seat.index] for seat in seats if seat.wants_pause and seat is not me]
    waiting = [names[seat.index] for seat in silent if seat is not me]
    end = "" if game.paused_at is None else _day(timezone.localtime(game.paused_at + LONGEST_PAUSE).date())
    say = me is not None and has_a_say(me) and game.status == Game.Status.RUNNING
    return Pause(game.paused_at is not None, end, joined(asking), joined(waiting), me is not None and me.wants_pause, say)


def away(game: Game, seats: Sequence[Seat], now: datetime) -> list[str]:
    """By seat until when its player is away: "away until 12 Dec"; empty of those who are not."""
    return [_away(game, seat, now) for seat in seats]


def _away(game: Game, seat: Seat, now: datetime) -> str:
    vacation = seat.vacation
    if vacation is None or seat.resigned or seat.absent or not vacation.lasts(now):
        return ""
    day = {"day": _day(vacation.last_day)}
    return _("away until %(day)s") % day if game.vacation else _("away until %(day)s; the clock runs on") % day


def _day(day: date) -> str:
    return format_date(day, "d MMM", locale=date_locale())

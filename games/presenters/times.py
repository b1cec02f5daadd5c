"""Times in words: how long is left and until when, how long a turn may take. Takes `now`, never a clock."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from babel.dates import format_date, format_datetime, format_skeleton
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from accounts.people.times import how_long
from games.models import Game
from games.services import clocks

SOON = timedelta(hours=3)


class TimeLeft(NamedTuple):
    """A deadline as `games/_left.html` shows it, in the reader's language and time zone."""

    iso: str
    left: str
    """"2 h 10 min"."""
    until: str
    """"until 18:40 today"."""
    soon: bool
    """Whether it is time to hurry: less than three hours, or than a quarter of the turn."""
    stands: bool = False
    """Whether the clock stands: then `until` says so, and `iso` is a duration."""


def time_of(game: Game, now: datetime, work_since: datetime | None = None) -> TimeLeft | None:
    """What the clock of a table shows; None where no turn's time is running.

    While the site is worked on since then every clock stands: afterwards it gets that time back.
    """
    if game.deadline is None:
        return None if game.left is None else _stands(game.left)
    if work_since is not None:
        return _stands(clocks.left(game, now=max(work_since, game.ticking_since or work_since)))
    return time_left(game.deadline, now, game.allowance or game.turn_time)


def _stands(left: timedelta) -> TimeLeft:
    return TimeLeft(f"PT{int(left.total_seconds())}S", how_long(left), _("the clock stands"), soon=False, stands=True)


def time_left(until: datetime, now: datetime, turn_time: timedelta | None = None) -> TimeLeft:
    """How long there is until a deadline."""
    left = until - now
    hurry = min(SOON, turn_time / 4) if turn_time else SOON
    return TimeLeft(until.isoformat(timespec="seconds"), how_long(left), _until(until, now), left <= hurry)


def _until(until: datetime, now: datetime) -> str:
    local = timezone.localtime(until)
    if local.date() == timezone.localtime(now).date():
        return _("until %(time)s today") % {"time": f"{local:%H:%M}"}
    # Within a week the day of the week says it all, but for the last hours of the seventh day.
    pattern = "EEE HH:mm" if until - now < timedelta(days=6) else "EEE d MMM HH:mm"
    return _("until %(day)s") % {"day": format_datetime(local, pattern, tzinfo=local.tzinfo, locale=date_locale())}


def day_of(at: datetime) -> str:
    """The date of something that is over, where the reader lives."""
    return format_date(timezone.localtime(at), "long", locale=date_locale())


def day_of_week(at: datetime) -> str:
    """A day of late: "Mon 30 Nov"."""
    return format_datetime(at, "EEE d MMM", tzinfo=at.tzinfo, locale=date_locale())


def month_of(at: datetime) -> str:
    """The month in which something began long ago: "March 2025"."""
    return str(format_skeleton("yMMMM", timezone.localtime(at), locale=date_locale()))


def short_month(at: datetime) -> str:
    """A month in a column: "Mar 2025"."""
    return str(format_skeleton("yMMM", timezone.localtime(at), locale=date_locale()))


def date_locale() -> str:
    """Babel's name of the active language: its dates are written as the language does, Django's with capitals."""
    return (get_language() or "en").split("-")[0]


def turn_length(turn_time: timedelta) -> str:
    """How long a turn may take: "5 min", "8 h", "1 day", "3 days"."""
    minutes = int(turn_time.total_seconds() // 60)
    if minutes % 1440 == 0:
        days = minutes // 1440
        return ngettext("%(days)s day", "%(days)s days", days) % {"days": days}
    if minutes % 60 == 0:
        return _("%(hours)s h") % {"hours": minutes // 60}
    hours, rest = divmod(minutes, 60)
    if hours:
        return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": rest}
    return _("%(minutes)s min") % {"minutes": rest}

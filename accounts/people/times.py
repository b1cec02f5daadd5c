"""Times in words, for pages and letters: how long something lasts, when something is. Never asks a clock."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from babel.dates import format_date, format_datetime
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _


def how_long(left: timedelta) -> str:
    """ "2 h 10 min", never more than two parts."""
    minutes = int(left.total_seconds() // 60)
    if left <= timedelta(0):
        return _("time is up")
    if minutes < 1:
        return _("less than a minute")
    if minutes < 60:
        return _("%(minutes)s min") % {"minutes": minutes}
    hours, rest = divmod(minutes, 60)
    if hours < 6 and rest:
        return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": rest}
    if hours < 48:
        return _("%(hours)s h") % {"hours": hours}
    days, rest = divmod(hours, 24)
    if rest:
        return _("%(days)s d %(hours)s h") % {"days": days, "hours": rest}
    return _("%(days)s d") % {"days": days}


def day_of_the_year(day: date) -> str:
    """A date of this year or the next in the active language: "12 December"."""
    return format_date(day, "d MMMM", locale=(get_language() or "en").split("-")[0])


def moment(at: datetime) -> str:
    """A day and an hour in the active language and zone: "Tue 1 Dec 18:40"."""
    local = timezone.localtime(at)
    locale = (get_language() or "en").split("-")[0]
    return format_datetime(local, "EEE d MMM HH:mm", tzinfo=local.tzinfo, locale=locale)

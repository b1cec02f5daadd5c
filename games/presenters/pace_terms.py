"""The clock of a table in words: how long a turn may take, and at what hours it ends, there and where the reader lives."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from babel.dates import format_datetime
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.people.times import how_long
from accounts.people.zones import is_known, place_of
from games.models import Game, Seat
from games.presenters.tile_terms import Term
from games.presenters.times import date_locale, turn_length
from games.services import clocks

A_SATURDAY = datetime(2026, 1, 3)
"""Midnight of one, as local clocks show it: in no zone."""


class Hour(NamedTuple):
    """An hour of the table's clock, as that shows it and as the reader's does, today."""

    there: str
    yours: str


def pace_terms(game: Game, *, now: datetime) -> list[Term]:
    """How much time the players agree to."""
    return [*_time_terms(game), *_hour_terms(game, now)]


def banks(seats: Sequence[Seat]) -> list[str]:
    """By seat what is in its bank, as it was when its turn began: "2 h 10 min"; empty where there is none."""
    return [_held(seat.bank) if seat.bank is not None and not seat.resigned else "" for seat in seats]


def _held(bank: timedelta) -> str:
    return how_long(bank) if bank else _("empty")


def bank_terms(seats: Sequence[Seat], names: Sequence[str]) -> list[Term]:
    """What is in the banks of a table that has them, as they were when each player's turn began."""
    held = [_("%(name)s %(time)s") % {"name": name, "time": bank} for name, bank in zip(names, banks(seats), strict=True) if bank]
    return [Term(_("In the banks"), ", ".join(held))] if held else []


def pace(game: Game) -> str:
    """How long a turn may take, as a list says it: "1 day a turn"."""
    if game.increment is None:
        return _("%(time)s a turn") % {"time": turn_length(game.turn_time)}
    return _("bank of %(time)s + %(increment)s a turn") % {
        "time": turn_length(game.turn_time),
        "increment": turn_length(game.increment),
    }


def pace_badges(game: Game, *, now: datetime) -> list[str]:
    """What a list says of the hours, in the reader's time alone; where nobody knows that, in the table's."""
    if not is_known():
        return _badges_there(game)
    found = []
    if game.deadline_hour is not None:
        found.append(_("turns end at %(hour)s") % {"hour": _hour(game, game.deadline_hour, now).yours})
    if game.quiet_from is not None and game.quiet_to is not None:
        hours = [_hour(game, hour, now).yours for hour in (game.quiet_from, game.quiet_to)]
        found.append(_("quiet %(from)s–%(to)s") % {"from": hours[0], "to": hours[1]})
    return [*found, _("weekends off")] if game.weekend_pause else found


def _badges_there(game: Game) -> list[str]:
    found, place = [], place_of(game.zone)
    if game.deadline_hour is not None:
        found.append(_("turns end at %(hour)s (%(place)s)") % {"hour": _clock(game.deadline_hour), "place": place})
    if game.quiet_from is not None and game.quiet_to is not None:
        facts = {"from": _clock(game.quiet_from), "to": _clock(game.quiet_to), "place": place}
        found.append(_("quiet %(from)s–%(to)s (%(place)s)") % facts)
    return [*found, _("weekends off")] if game.weekend_pause else found


def _time_terms(game: Game) -> list[Term]:
    label, pace = pgettext("term of a table", "Turn"), game.pace
    if pace.increment is None or pace.cap is None:
        return [Term(label, turn_length(game.turn_time))]
    facts = {
        "start": turn_length(pace.turn_time),
        "increment": turn_length(pace.increment),
        "cap": turn_length(pace.cap),
        "floor": turn_length(pace.floor),
    }
    bank = _("each player’s turns use up a bank of %(start)s")
    if pace.increment:
        bank = _("each player’s turns use up a bank of %(start)s; a turn finished adds %(increment)s, up to %(cap)s")
    found = [Term(label, bank % facts), Term(_("Bank empty"), _("%(floor)s for a turn") % facts)]
    if game.rules.options.get("exchange"):
        time = turn_length(clocks.time_for(game, None))
        found.append(Term(_("Exchange"), _("%(time)s to answer, which no bank pays for") % {"time": time}))
    return found


def _hour_terms(game: Game, now: datetime) -> list[Term]:
    found = []
    if game.deadline_hour is not None:
        found.append(Term(_("Deadline hour"), _deadline(game, _hour(game, game.deadline_hour, now))))
    if game.quiet_from is not None and game.quiet_to is not None:
        found.append(Term(_("Quiet hours"), _quiet(game, _hour(game, game.quiet_from, now), _hour(game, game.quiet_to, now))))
    if game.weekend_pause:
        found.append(Term(_("Weekends"), _weekend(game, now)))
    return found


def _deadline(game: Game, hour: Hour) -> str:
    facts = {"hour": hour.there, "yours": hour.yours, "place": place_of(game.zone)}
    if not is_known():
        return _("every turn ends at %(hour)s (%(place)s), the first after its time is up") % facts
    if hour.there == hour.yours:
        return _("every turn ends at %(hour)s, the first after its time is up") % facts
    return _("every turn ends at %(hour)s (%(place)s; %(yours)s for you), the first after its time is up") % facts


def _quiet(game: Game, start: Hour, end: Hour) -> str:
    facts = {
        "from": start.there, "to": end.there, "your_from": start.yours, "your_to": end.yours, "place": place_of(game.zone),
    }  # fmt: skip
    if not is_known():
        return _("no turn ends between %(from)s and %(to)s (%(place)s)") % facts
    if start.there == start.yours:
        return _("no turn ends between %(from)s and %(to)s") % facts
    return _("no turn ends between %(from)s and %(to)s (%(place)s; %(your_from)s and %(your_to)s for you)") % facts


def _weekend(game: Game, now: datetime) -> str:
    ends = [A_SATURDAY, A_SATURDAY + timedelta(days=2)]
    facts = dict(zip(("from", "to"), map(_day_and_hour, ends), strict=True)) | {"place": place_of(game.zone)}
    if not is_known():
        return _("the clock stands from %(from)s to %(to)s (%(place)s)") % facts
    if not (ahead := _ahead(game, now)):
        return _("the clock stands from %(from)s to %(to)s") % facts
    facts |= zip(("your_from", "your_to"), (_day_and_hour(end + ahead) for end in ends), strict=True)
    return _("the clock stands from %(from)s to %(to)s (%(place)s; %(your_from)s to %(your_to)s for you)") % facts


def _day_and_hour(local: datetime) -> str:
    return format_datetime(local, "EEEE HH:mm", locale=date_locale())


def _clock(hour: int) -> str:
    return f"{hour:02d}:00"


def _hour(game: Game, hour: int, now: datetime) -> Hour:
    there = A_SATURDAY.replace(hour=hour)
    return Hour(f"{there:%H:%M}", f"{there + _ahead(game, now):%H:%M}")


def _ahead(game: Game, now: datetime) -> timedelta:
    """How far the reader's clocks are ahead of the table's, today."""
    zones = (timezone.get_current_timezone(), ZoneInfo(game.zone))
    yours, there = (now.astimezone(zone).replace(tzinfo=None) for zone in zones)
    return yours - there

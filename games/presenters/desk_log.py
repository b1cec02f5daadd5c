"""The log of a deal as a referee reads it: a row of the log a line, with the step of the replay that it belongs to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import NamedTuple

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from games.models import Entry
from games.presenters.log import lines
from games.presenters.names import Former, names_at
from games.presenters.times import day_of_week


class LogLine(NamedTuple):
    """A row of the log."""

    step: int | None
    """Of the deal, counted from 1; None of an event and of what was undone."""
    at: datetime
    day: str
    """Its date, where that of the line above is another."""
    time: str
    name: str
    badge: str
    """Who acted."""
    words: SafeString
    notation: str
    undone: bool
    current: bool


def log_lines(
    rows: Sequence[Entry], *, steps: dict[int, int], at: int | None, names: list[str], former: Sequence[Former],
    computers: Collection[int], tiles: bool, now: datetime,
) -> list[LogLine]:  # fmt: skip
    """Rows, newest first, in lines; `steps` by the number of a row, of moves that stand, and `at` the step looked at."""
    found: list[LogLine] = []
    above: date | None = None
    for row in rows:
        [told] = lines([row], names, me=None, now=now, tiles=tiles, former=former, computers=computers)
        local, step = timezone.localtime(row.at), steps.get(row.number)
        day = day_of_week(local) if local.date() != above else ""
        above = local.date()
        moved = row.kind == Entry.Kind.MOVE
        found.append(
            LogLine(
                step, row.at, day, date_format(local, "H:i:s"), _name(row, names, former), _badge(row), told.words, told.notation,
                undone=moved and step is None, current=moved and step == at,
            )
        )  # fmt: skip
    return found


def _name(row: Entry, names: list[str], former: Sequence[Former]) -> str:
    """Who held the seat of a row then; nobody where the words name them."""
    return "" if row.seat is None or row.text in ("dealt", "counted") else names_at(row.number, names, former)[row.seat]


def _badge(row: Entry) -> str:
    """Who acted, in a word."""
    match row.actor:
        case Entry.Actor.PLAYER:
            return pgettext("who acted", "player")
        case Entry.Actor.CLOCK:
            return pgettext("who acted", "time ran out")
        case Entry.Actor.COMPUTER:
            return pgettext("who acted", "computer")
        case Entry.Actor.REFEREE:
            return pgettext("who acted", "referee")
    return pgettext("who acted", "server")

"""The match sheet, from the log: what each deal scored, which deals are void, what referees added or took."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.models import Entry, Game

TOLD_BY = ("counted", "voided", "rolled_back", "adjusted")
"""The events that make the sheet."""


class SheetRow(NamedTuple):
    """A line of the match sheet."""

    deal: int | None
    """The number of the deal, counted from 0; None where a referee adjusted points."""
    points: list[int]
    """By seat; empty of a deal that was void before it was counted."""
    void: bool = False
    """Whether the points count no more."""

    @property
    def number(self) -> int | None:
        """Of the deal, counted from 1."""
        return None if self.deal is None else self.deal + 1


def sheet(*, game: Game) -> list[SheetRow]:
    """The lines of a match's sheet, in the order in which they came about."""
    return sheet_of(game.entries.filter(kind=Entry.Kind.EVENT, text__in=TOLD_BY).order_by("number"), game.seat_count)


def sheet_of(events: Iterable[Entry], seats: int) -> list[SheetRow]:
    """The same from rows of the log, oldest first; others among them are passed over."""
    found: list[tuple[int, SheetRow]] = []
    for entry in events:
        facts = entry.facts
        match entry.text:
            case "counted":
                found.append((entry.number, SheetRow(facts["number"], facts["scores"])))
            case "rolled_back":
                found = [(number, row) for number, row in found if row.deal != entry.deal or number <= facts["to"]]
            case "adjusted":
                found.append((entry.number, SheetRow(None, [facts["points"].get(str(seat), 0) for seat in range(seats)])))
            case "voided":
                counted = any(row.deal == facts["number"] for _number, row in found)
                found = [(number, _voided(row, facts["number"])) for number, row in found]
                found += [] if counted else [(entry.number, SheetRow(facts["number"], [], void=True))]
    return [row for _number, row in found]


def _voided(row: SheetRow, deal: int) -> SheetRow:
    return row._replace(void=True) if row.deal == deal else row


def before(rows: Sequence[SheetRow], deal: int) -> list[SheetRow]:
    """The lines above that of a deal; all of them where it has none yet."""
    place = next((place for place, row in enumerate(rows) if row.deal == deal), len(rows))
    return list(rows[:place])


def totals(rows: Iterable[SheetRow], seats: int) -> list[int]:
    """What these lines come to, seat by seat."""
    counting = [row.points for row in rows if not row.void]
    return [sum(points[seat] for points in counting) for seat in range(seats)]

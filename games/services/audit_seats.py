"""Whether the seats of a match are as its log says: who holds them, who is absent, how many turns have run out."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field

from games.engine.chain import ROLLED_BACK
from games.models import Entry, Game, Seat, Tenure
from games.services.evidence import LogRow
from games.services.store import ends_a_turn


@dataclass
class Told:
    """A seat as the rows of the log tell of it, from the first to the one looked at."""

    bot: bool
    absent_from: int | None = None
    """The number of the row since which it is absent; None where it is not."""
    resigned: bool = False
    excused: int = 0
    expired: int = 0
    held_from: int = 0

    @property
    def absent(self) -> bool:
        return self.absent_from is not None


@dataclass
class Following:
    """The seats of a match row by row."""

    seats: dict[int, Told]
    past: list[tuple[int, dict[int, Told]]] | None = None
    """With the number of each row the seats after it, where some rows are undone by later ones; else None."""
    tenures: list[tuple[int, int, int]] = field(default_factory=list)
    """Of each seat that is taken over: itself, the first deal, the first row."""

    def read(self, entry: LogRow) -> None:
        """What a row makes of the seats."""
        if entry.kind == Entry.Kind.EVENT and entry.text == ROLLED_BACK:
            self._go_back(entry.facts.get("to", -1))
        elif entry.text == "finished":
            for seat in self.seats.values():
                seat.absent_from = None
        elif entry.text == "reopened":
            for index in self.seats.keys() & entry.facts.get("seats", ()):
                self.seats[index].resigned = False
        elif entry.seat in self.seats:
            _follow(self.seats[entry.seat], entry)
            if entry.text == "taken_over" and entry.deal is not None:
                self.tenures.append((entry.seat, entry.deal + 1, entry.number))
        if self.past is not None:
            self.past.append((entry.number, {index: copy(seat) for index, seat in self.seats.items()}))

    def _go_back(self, to: int) -> None:
        """A referee undoes the moves after a row, and with them what became of their seats. An absence that began since is
        over, one that has ended since does not begin anew, and whoever has sat down since stays.
        """
        then = next((seats for number, seats in reversed(self.past or ()) if number <= to), {})
        for index, before in then.items():
            seat = self.seats[index]
            replaced = seat.held_from > to
            stays_away = seat.absent_from is not None and seat.absent_from <= to
            anew = replaced or before.absent != stays_away
            seat.resigned = before.resigned
            seat.absent_from = seat.absent_from if stays_away else None
            seat.excused = 0 if replaced else before.excused
            seat.expired = 0 if anew else before.expired


def following(seats: Sequence[Seat], entries: Sequence[LogRow]) -> Following:
    """The seats as they are before the first of all rows of their log, to be read one by one."""
    undone = any(entry.kind == Entry.Kind.EVENT and entry.text == ROLLED_BACK for entry in entries)
    return Following({seat.index: Told(bot=seat.bot != "") for seat in seats}, [] if undone else None)


def told(seats: Sequence[Seat], entries: Sequence[LogRow]) -> dict[int, Told]:
    """By seat, what a whole log tells of it."""
    found = following(seats, entries)
    for entry in entries:
        found.read(entry)
    return found.seats


def differences(game: Game, seats: Sequence[Seat], tenures: Sequence[Tenure], entries: Sequence[LogRow]) -> list[str]:
    """Where the seats of a match that has begun, or their tenures, differ from its whole log."""
    found: list[str] = []
    log = following(seats, entries)
    for entry in entries:
        if entry.kind == Entry.Kind.MOVE and entry.seat in log.seats and not _may_act(log.seats[entry.seat], entry):
            found.append(f"entry {entry.number}: {entry.actor} moved for a seat that was not theirs to move")
        log.read(entry)
    for row in seats:
        found += _compare(row, log.seats[row.index])
    expected = [(seat.index, 0, 0) for seat in seats] + log.tenures
    if sorted((held.seat, held.from_deal, held.from_entry) for held in tenures) != sorted(expected):
        found.append("the tenures are not those of the log")
    for row in seats:
        last = max((held for held in tenures if held.seat == row.index), key=lambda held: held.from_entry, default=None)
        if last is not None and (last.user_id, last.bot) != (row.user_id, row.bot):
            found.append(f"seat {row.index}: its last tenure is somebody else's")
    return found


def _may_act(seat: Told, entry: LogRow) -> bool:
    """Whether that actor may have made a move of a seat: the computer for its own and for absent seats, and nobody beside it.

    An absent player may resign, and when the time is over the clock resigns for them. A referee may remove any player.
    """
    if entry.actor == Entry.Actor.COMPUTER:
        return seat.bot or seat.absent
    if entry.text == "R":
        return not seat.bot and (entry.actor in (Entry.Actor.PLAYER, Entry.Actor.REFEREE) or seat.absent)
    return not seat.bot and not seat.absent and entry.actor != Entry.Actor.REFEREE


def _follow(seat: Told, entry: LogRow) -> None:
    """What a row of the log makes of its seat."""
    match entry.text:
        case "excused":
            seat.excused += 1
        case "absent":
            seat.absent_from = entry.number
        case "back":
            seat.absent_from, seat.expired = None, 0
        case "taken_over":
            seat.absent_from, seat.expired, seat.excused, seat.held_from = None, 0, 0, entry.number
        case "R":
            seat.absent_from, seat.resigned = None, True
        case _ if entry.kind == Entry.Kind.MOVE and ends_a_turn(entry):
            if entry.actor == Entry.Actor.CLOCK:
                seat.expired += 1
            elif entry.actor == Entry.Actor.PLAYER:
                seat.expired = 0


def _compare(row: Seat, told: Told) -> list[str]:
    where = f"seat {row.index}"
    checks = {
        "is absent, or is not": row.absent == told.absent,
        "has resigned, or has not": row.resigned == told.resigned,
        "has another number of excused turns": row.excused == told.excused,
        "has another number of expired turns": row.expired == told.expired,
        "is held from another row on": row.held_from == told.held_from,
    }
    return [f"{where}: by the log it {sentence}" for sentence, holds in checks.items() if not holds]

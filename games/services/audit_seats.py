"""Whether the seats of a match are as its log says: who holds them, who is absent, how many turns have run out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Entry, Game, Seat, Tenure
from games.services.evidence import LogRow
from games.services.store import ends_a_turn


@dataclass
class _Told:
    """A seat as the rows of the log tell of it, from the first to the one looked at."""

    bot: bool
    absent: bool = False
    resigned: bool = False
    excused: int = 0
    expired: int = 0
    held_from: int = 0


def differences(game: Game, seats: Sequence[Seat], tenures: Sequence[Tenure], entries: Sequence[LogRow]) -> list[str]:
    """Where the seats of a match that has begun, or their tenures, differ from its whole log."""
    found: list[str] = []
    told = {seat.index: _Told(bot=seat.bot != "") for seat in seats}
    expected = [(seat.index, 0, 0) for seat in seats]
    for entry in entries:
        if entry.seat not in told:
            continue
        seat = told[entry.seat]
        if entry.kind == Entry.Kind.MOVE and not _may_act(seat, entry):
            found.append(f"entry {entry.number}: {entry.actor} moved for a seat that was not theirs to move")
        _follow(seat, entry)
        if entry.text == "taken_over" and entry.deal is not None:
            expected.append((entry.seat, entry.deal + 1, entry.number))
    over = game.status == Game.Status.FINISHED
    for row in seats:
        found += _compare(row, told[row.index], over=over)
    if sorted((held.seat, held.from_deal, held.from_entry) for held in tenures) != sorted(expected):
        found.append("the tenures are not those of the log")
    for row in seats:
        last = max((held for held in tenures if held.seat == row.index), key=lambda held: held.from_entry, default=None)
        if last is not None and (last.user_id, last.bot) != (row.user_id, row.bot):
            found.append(f"seat {row.index}: its last tenure is somebody else's")
    return found


def _may_act(seat: _Told, entry: LogRow) -> bool:
    """Whether that actor may have made a move of a seat: the computer for its own and for absent seats, and nobody beside it.

    An absent player may resign, and when the time is over the clock resigns for them.
    """
    if entry.actor == Entry.Actor.COMPUTER:
        return seat.bot or seat.absent
    if entry.text == "R":
        return not seat.bot and (entry.actor == Entry.Actor.PLAYER or seat.absent)
    return not seat.bot and not seat.absent


def _follow(seat: _Told, entry: LogRow) -> None:
    """What a row of the log makes of its seat."""
    match entry.text:
        case "excused":
            seat.excused += 1
        case "absent":
            seat.absent = True
        case "back":
            seat.absent, seat.expired = False, 0
        case "taken_over":
            seat.absent, seat.expired, seat.excused, seat.held_from = False, 0, 0, entry.number
        case "R":
            seat.absent, seat.resigned = False, True
        case _ if entry.kind == Entry.Kind.MOVE and ends_a_turn(entry):
            if entry.actor == Entry.Actor.CLOCK:
                seat.expired += 1
            elif entry.actor == Entry.Actor.PLAYER:
                seat.expired = 0


def _compare(row: Seat, told: _Told, *, over: bool) -> list[str]:
    where = f"seat {row.index}"
    checks = {
        "is absent, or is not": row.absent == (told.absent and not over),
        "has resigned, or has not": row.resigned == told.resigned,
        "has another number of excused turns": row.excused == told.excused,
        "has another number of expired turns": row.expired == told.expired,
        "is held from another row on": row.held_from == told.held_from,
    }
    return [f"{where}: by the log it {sentence}" for sentence, holds in checks.items() if not holds]

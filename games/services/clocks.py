"""The clock of a table: starting it, stopping it, setting it forward. What it counts is `games.clock`.

Nothing else writes `Game.deadline`, `left`, `grace` or `allowance`. Each of these changes a game that the caller has locked
and saves (`COLUMNS`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from games import clock
from games.models import Entry, Game, Seat

COLUMNS = (
    "deadline", "left", "grace", "allowance", "ticking_since", "stopped_at", "paused_at", "frozen_until", "away", "away_for",
    "away_since", "away_until", "deserted",
)  # fmt: skip
LONGEST_EXCHANGE = clock.DAY
"""With banks nobody's time is charged for the exchange of doubles: it has what a bank begins with, but no more than this."""


def time_for(game: Game, seat: Seat | None) -> timedelta:
    """What a turn of this seat has, or, of none, the exchange of doubles."""
    pace = game.pace
    if not pace.banked:
        return pace.turn_time
    if seat is None:
        return min(pace.turn_time, LONGEST_EXCHANGE)
    return pace.turn_time if seat.bank is None else max(seat.bank, pace.floor)


def start(game: Game, allowance: timedelta, *, now: datetime) -> None:
    """A turn begins with so much time, which a clock that stands keeps for it."""
    game.grace, game.allowance = clock.NO_TIME, allowance
    game.deadline, game.left, game.stopped_at = None, allowance, None
    if not game.stopped:
        game.deadline, game.left, game.ticking_since = clock.deadline(game.pace, now, allowance), None, now
        game.allowance = clock.counted(game.pace, now, game.deadline)


def due(game: Game, *, now: datetime) -> None:
    """Nobody's time is running: the next step is the server's, at once."""
    start(game, clock.NO_TIME, now=now)
    if game.deadline is not None:
        game.deadline, game.allowance = now, clock.NO_TIME


def clear(game: Game) -> None:
    """Nothing is to be waited for: the match is over, or the first turn of a deal still to begin."""
    game.deadline = game.left = game.stopped_at = None
    game.grace = game.allowance = clock.NO_TIME


def set_running(game: Game, *, now: datetime) -> None:
    """Stop the clock where something holds that stops it, else let it go on with what was left: whichever is still to do.

    Before a clock is stopped it gets what outages owe to it: `outages.settle_up`; and before it goes on, what they owe it for
    the time before it was stopped: `outages.make_good`.
    """
    if game.stopped and game.deadline is not None:
        game.left, game.deadline, game.grace = left(game, now=now), None, clock.NO_TIME
        game.stopped_at = now
    elif not game.stopped and game.left is not None:
        (game.deadline, game.grace), game.left = clock.resumed(game.pace, now, game.left), None
        game.ticking_since, game.stopped_at = now, None


def left(game: Game, *, now: datetime) -> timedelta:
    """What is left of the turn, whether the clock runs or stands."""
    if game.deadline is None:
        return game.left or clock.NO_TIME
    return clock.left(game.pace, now, clock.Clock(game.deadline, game.grace))


def push(game: Game, span: timedelta) -> bool:
    """Give a clock that runs so much more time. False where it stands, or nobody's time is running."""
    if game.deadline is None or game.allowance == clock.NO_TIME:
        return False
    game.deadline, game.grace = clock.pushed(game.pace, clock.Clock(game.deadline, game.grace), span)
    return True


def charge(game: Game, seat: Seat, entries: Sequence[Entry], *, now: datetime) -> bool:
    """Take what its turn has used from the bank of the seat that was on turn. Whether that changed it.

    The increment is earned by ending the turn oneself: `entries` are the rows of the log by which it ended. A computer
    player's time is nobody's.
    """
    actors = {entry.actor for entry in entries if entry.kind == Entry.Kind.MOVE and entry.seat == seat.index}
    if seat.bank is None or Entry.Actor.COMPUTER in actors:
        return False
    resigned = any(entry.text == "R" and entry.seat == seat.index for entry in entries)
    finished = Entry.Actor.PLAYER in actors and not resigned
    before, used = seat.bank, game.allowance - left(game, now=now)
    seat.bank = clock.bank_after(game.pace, before, used, finished=finished)
    return seat.bank != before


def again(game: Game, seat: Seat, *, now: datetime) -> None:
    """The turn that has run out starts anew with its full time. The caller saves the seat's bank too: it is used up."""
    if seat.bank is not None:
        seat.bank = clock.NO_TIME
    start(game, time_for(game, seat), now=now)

"""Whether the clock of a table stands because the player on turn is on vacation. Works on a game that the caller has locked."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.models import Game, Seat


def until(game: Game, seat: Seat | None, *, now: datetime) -> datetime | None:
    """Until when the clock may stand for the vacation of this seat's player; None where it may not."""
    vacation = seat.vacation if seat is not None and game.vacation else None
    if seat is None or seat.absent or vacation is None or not vacation.lasts(now):
        return None
    if game.vacation_days is None:
        return vacation.ends
    room = timedelta(days=game.vacation_days) - seat.vacation_used
    return min(vacation.ends, now + room) if room > timedelta(0) else None


def begin(game: Game, seat: Seat, *, now: datetime) -> bool:
    """Note that this seat, which is on turn, is away, where it is and the table allows it. Whether it is."""
    end = until(game, seat, now=now)
    if end is None or seat.vacation is None:
        return False
    game.away, game.away_for, game.away_since, game.away_until = True, seat.vacation.pk, now, end
    return True


def end(game: Game, seat: Seat, *, now: datetime) -> None:
    """Nobody is waited for any more: the player is back, has played or left, or the days that the table allows are over."""
    if game.away_since is not None and game.vacation_days is not None:
        seat.vacation_used += max(now - game.away_since, timedelta(0))
        seat.save(update_fields=["vacation_used"])
    game.away, game.away_for, game.away_since, game.away_until = False, None, None, None

"""Whether the clock of a table stands because a player is on vacation. Works on a game that the caller has locked.

On a turn it stands for the player of that seat. In the exchange of doubles (§4.3) it is secret who is waited for: so there it
stands while anybody who still plays is away, asked or not, answered or not, and counts to the days of all who are. Who is
away everybody may know; nothing here looks at the answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import Vacation
from games.models import Game, Seat


def concerned(seats: Sequence[Seat], to_move: int | None) -> list[Seat]:
    """Whose vacations stop the clock: that of the seat on turn; in the exchange of doubles, where none is, everybody's."""
    return list(seats) if to_move is None else [seats[to_move]]


def until(game: Game, seat: Seat, *, now: datetime) -> datetime | None:
    """Until when the clock may stand for the vacation of this seat's player; None where it may not."""
    vacation = seat.vacation if game.vacation else None
    if seat.absent or seat.resigned or vacation is None or not vacation.lasts(now):
        return None
    if game.vacation_days is None:
        return vacation.ends
    room = _room(game, seat)
    return min(vacation.ends, now + room) if room > timedelta(0) else None


def begin(game: Game, seats: Sequence[Seat], *, now: datetime) -> Seat | None:
    """Note for which of these seats the clock stands: the one that it may stand for longest. None where it may for none."""
    ends = [(end, seat) for seat in seats if (end := until(game, seat, now=now)) is not None]
    if not ends:
        return None
    end, seat = max(ends, key=lambda found: found[0])
    assert seat.vacation is not None
    game.away, game.away_for, game.away_since, game.away_until = True, seat.vacation.pk, now, end
    return seat


def is_over(game: Game, seats: Sequence[Seat], *, now: datetime) -> bool:
    """Whether the vacation for which a clock stands is over, has used up what the table allows, or is of none of these seats."""
    of_them = any(
        seat.vacation.pk == game.away_for and seat.vacation.lasts(now) for seat in seats if _plays(seat) and seat.vacation
    )
    return not of_them or (game.away_until is not None and game.away_until <= now)


def holder(game: Game, seats: Sequence[Seat]) -> Seat | None:
    """The seat for whose player the clock stands; None where somebody else has it by now."""
    vacation = Vacation.objects.filter(pk=game.away_for or 0).first()
    return next((seat for seat in seats if vacation is not None and seat.user_id == vacation.user_id), None)


def end(game: Game, seats: Sequence[Seat], *, now: datetime) -> list[Seat]:
    """Nobody is waited for any more: whoever was away is back, has played or left, or the days that the table allows are over.

    `seats` are all of the table; `game.to_move` says still for whom of them it stood. Those to whose days it counts: the
    caller saves their `vacation_used`.
    """
    counted = []
    if game.away_since is not None and game.vacation_days is not None:
        for seat, span in _stood_for(game, seats, game.away_since, now):
            seat.vacation_used += max(span, timedelta(0))
            counted.append(seat)
    game.away, game.away_for, game.away_since, game.away_until = False, None, None, None
    return counted


def _stood_for(game: Game, seats: Sequence[Seat], since: datetime, now: datetime) -> Iterator[tuple[Seat, timedelta]]:
    """For how long the clock has stood for each seat. In the exchange, for each as long as its player was away meanwhile."""
    if game.to_move is not None:
        yield seats[game.to_move], now - since
        return
    playing = {seat.user_id: seat for seat in seats if seat.user_id is not None and _plays(seat)}
    away = Vacation.objects.filter(Q(ended_at=None) | Q(ended_at__gt=since), user__in=playing, begins__lt=now, ends__gt=since)
    for vacation in away:
        seat = playing[vacation.user_id]
        span = min(vacation.ended_at or vacation.ends, now) - max(vacation.begins, since)
        yield seat, min(span, _room(game, seat))


def _plays(seat: Seat) -> bool:
    return not seat.absent and not seat.resigned


def _room(game: Game, seat: Seat) -> timedelta:
    """What is left of the days that the table allows."""
    assert game.vacation_days is not None
    return timedelta(days=game.vacation_days) - seat.vacation_used

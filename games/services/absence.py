"""What happens to a seat whose player stays away: excused, played for, absent; and back, taken over, or resigned at last.

A turn that has run out is excused while the seat has an excuse left: its time starts anew. Else the server plays it
(§1.11). After several such turns in a row the seat is absent: a computer player plays its turns at once, until its player
is back or a substitute sits. An absent seat keeps its player, hand and points; when its time is over it resigns (§1.12).
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import clock, engine, signals
from games.models import Entry, Game, Seat, Step, Tenure
from games.services import clocks, exchange, news, outages, reliability
from games.services.errors import NoSuchTable, ServiceError, Stale
from games.services.store import Table, advance, call_server, load, lock, mark_bank, note, save

COUNTS = ["excused", "expired", "bank", "absent_since", "absent_until"]


def run_out(table: Table, *, now: datetime) -> None:
    """The turn has run out: excuse it, or play it and see whether its seat is absent. In the caller's transaction, not saved."""
    game = table.game
    assert game.to_move is not None
    seat = table.seats[game.to_move]
    if seat.excused < game.excuses:
        seat.excused += 1
        _tell(table, seat, "excused", Entry.Actor.CLOCK, now, left=game.excuses - seat.excused)
        mark_bank(table, seat, seat.bank)
        clocks.again(game, seat, now=now)
    else:
        seat.expired += 1
        advance(table, seat.index, "T", actor=Entry.Actor.CLOCK, now=now)
        if seat.expired >= game.absent_after:
            seat.absent_since, seat.absent_until = now, now + game.absence_limit
            _tell(table, seat, "absent", Entry.Actor.CLOCK, now)
    seat.save(update_fields=COUNTS)


@transaction.atomic
def back(*, code: str, user: User, now: datetime) -> Table:
    """An absent player is back, with the full time where the seat is on turn. Twice, or when not absent, changes nothing.

    Raises NoSuchTable, Stale where the match is over, or ServiceError `seat_taken_over`.
    """
    game = lock(code=code)
    if game.started_at is None:
        raise NoSuchTable
    table = load(game)
    seat = table.seat_of(user)
    if seat is None:
        raise ServiceError("seat_taken_over") if game.tenures.filter(user=user).exists() else NoSuchTable
    if game.status != Game.Status.RUNNING:
        raise Stale
    if seat.absent:
        _end_absence(table, seat, now)
        _tell(table, seat, "back", Entry.Actor.PLAYER, now)
        seat.save(update_fields=COUNTS)
        save(table, now=now)
        call_server(game)
    return table


@transaction.atomic
def take_over(*, code: str, user: User, seat: int, now: datetime) -> Table:
    """Sit down in the place of an absent player, with hand and points; deals count for the substitute from the next on.

    Twice changes nothing. Raises NoSuchTable, or ServiceError `seat_not_free`, `already_seated`, `held_another_seat`,
    `judged_here`, `not_reliable`, or what a receiver of `signals.joining` says.
    """
    game = lock(code=code)
    if game.started_at is None:
        raise NoSuchTable
    table = load(game)
    mine = table.seat_of(user)
    if mine is not None and mine.index == seat and not mine.absent:
        return table
    if mine is not None:
        raise ServiceError("already_seated")
    if game.status != Game.Status.RUNNING or not 0 <= seat < game.seat_count or not table.seats[seat].absent:
        raise ServiceError("seat_not_free")
    # who has held another hand of this match knows too much of it
    if game.tenures.filter(user=user).exclude(seat=seat).exists():
        raise ServiceError("held_another_seat")
    if Step.objects.filter(dispute__game=game, user=user, kind=Step.Kind.CLAIMED).exists():
        raise ServiceError("judged_here")
    reliability.must_reach(game=game, user=user)
    signals.joining.send(Game, game=game, user=user)
    _sit(table, table.seats[seat], user, now)
    save(table, now=now)
    call_server(game)
    return table


def _sit(table: Table, seat: Seat, user: User, now: datetime) -> None:
    game, row, former = table.game, table.row, seat.user_id
    seat.bank = game.turn_time if game.pace.banked else None
    _end_absence(table, seat, now)
    seat.user, seat.joined_at, seat.held_from, seat.excused = user, now, game.log_length, 0
    seat.vacation, seat.vacation_used, seat.wants_pause = None, clock.NO_TIME, False
    seat.seen_deal, seat.arrangement, seat.contribution = row.number if row.scored else row.number - 1, [], ""
    anew = ["user", "joined_at", "held_from", "seen_deal", "arrangement", "contribution", "vacation_used", "wants_pause"]
    seat.save(update_fields=[*COUNTS, *anew])
    Tenure.objects.create(game=game, seat=seat.index, user=user, from_deal=row.number + 1, from_entry=game.log_length)
    if former is not None:
        news.replaced(table, former, user, now=now)
    _tell(table, seat, "taken_over", Entry.Actor.PLAYER, now)


def _end_absence(table: Table, seat: Seat, now: datetime) -> None:
    """Count anew from here; a turn that the computer player has not played yet gets the full time."""
    game = table.game
    seat.absent_since = seat.absent_until = None
    seat.expired = 0
    game.deserted = False
    if game.to_move == seat.index:
        clocks.start(game, clocks.time_for(game, seat), now=now)


@transaction.atomic
def end(*, game_id: int, now: datetime) -> bool:
    """Have the seats resign whose time to come back is over. False where there is none, or a deal is still to be counted.

    At a table that is paused or frozen nobody's time is over; nor is it while the site is away, or before all have got back
    what that took from them.

    Looks again under the lock: late, early or twice is harmless.
    """
    game = lock(pk=game_id)
    if outages.holds(now=now) or outages.unapplied().exists():
        return False
    if game.status != Game.Status.RUNNING or game.paused_at is not None or game.frozen_until is not None:
        return False
    table = load(game)
    if not resign_those_due(table, now=now):
        return False
    save(table, now=now)
    call_server(game)
    return True


def resign_those_due(table: Table, *, now: datetime) -> bool:
    """Resign the absent seats whose time is over, longest absent first, in the deal whose cards they hold (§1.12).

    In the caller's transaction, not saved.
    """
    due = [(seat.absent_until, seat.index) for seat in table.seats if seat.absent_until is not None and seat.absent_until <= now]
    resigned = False
    for _until, index in sorted(due):
        if table.deal.phase != engine.OVER:
            advance(table, index, "R", actor=Entry.Actor.CLOCK, now=now)
            resigned = True
    if resigned:
        exchange.resolve(table, now=now)
    return resigned


def _tell(table: Table, seat: Seat, event: str, actor: Entry.Actor, now: datetime, **facts: int) -> None:
    note(table, text=event, kind=Entry.Kind.EVENT, actor=actor, seat=seat.index, facts=facts, now=now)

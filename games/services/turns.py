"""Playing: a player's move, resigning, an expired turn, the computer's turn."""

from __future__ import annotations

import random
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import engine
from games.models import Entry, Game, Seat
from games.services import absence, computers, exchange, outages, vacations
from games.services.deals import settle_locked
from games.services.errors import ServiceError, Stale
from games.services.pauses import must_go_on
from games.services.store import Table, advance, call_server, load, lock, save, seated

ANNOUNCE = "A"
LONGEST_COMPUTER_TURN = 120
"""Moves: a computer player that has not ended its turn by then is played for, as §1.11 says."""


@transaction.atomic
def play(*, code: str, user: User, move: str, version: int, now: datetime, announce: bool = False) -> Table:
    """A player's move, in notation, on the table as it was at `version`; the table afterwards.

    With `announce` the last tiles are announced first (§4.13): both are played, or neither.

    Raises NoSuchTable, Stale (somebody or something was first: nothing is changed), ServiceError `absent`, `paused`, `frozen`, or
    RuleError.
    """
    table, seat = seated(code=code, user=user)
    if table.game.status != Game.Status.RUNNING or table.game.version != version:
        raise Stale
    if seat.absent:
        raise ServiceError("absent")
    if move[:1] in ("R", "T", "X"):  # not moves that a player types: `resign`, `expire`, and `exchange.answer` are
        raise engine.RuleError("bad_notation", text=move[:80])
    must_go_on(table.game)
    before = table.deal
    if announce:
        advance(table, seat.index, ANNOUNCE, actor=Entry.Actor.PLAYER, now=now)
    advance(table, seat.index, move, actor=Entry.Actor.PLAYER, now=now)
    if seat.expired and table.deal.to_move != before.to_move:
        seat.expired = 0
        table.counted.append(seat)
    save(table, now=now)
    call_server(table.game)
    return table


@transaction.atomic
def resign(*, code: str, user: User, now: datetime) -> Table:
    """Leave the match for good (§1.12), on turn or not. Raises NoSuchTable, Stale once it is over, ServiceError."""
    table, seat = seated(code=code, user=user)
    if table.game.status == Game.Status.RUNNING and table.deal.phase == engine.OVER:
        table = settle_locked(table=table, now=now)
    if table.game.status != Game.Status.RUNNING or table.deal.phase == engine.OVER:
        raise Stale
    if seat.resigned:
        raise ServiceError("already_resigned")
    advance(table, seat.index, "R", actor=Entry.Actor.PLAYER, now=now)
    exchange.resolve(table, now=now)
    save(table, now=now)
    call_server(table.game)
    return table


@transaction.atomic
def expire(*, game_id: int, now: datetime) -> bool:
    """Do what a turn that has run out asks for: excuse it, or play it (§1.11). False where none has.

    In the exchange of doubles all who are silent pass, and none of them has missed a turn.
    Nothing runs out while the site is away, or before a clock has got back what it counted meanwhile. Looks again under the
    lock: late, early or twice is harmless.
    """
    game = lock(pk=game_id)
    if not _is_due(game, now) or outages.holds(now=now):
        return False
    outages.catch_up(game, now=now)
    vacations.settle_locked(game, now=now)
    if not _is_due(game, now):
        return False
    table = load(game)
    if table.deal.phase == engine.EXCHANGE:
        exchange.pass_for_the_silent(table, now=now)
    else:
        absence.run_out(table, now=now)
    save(table, now=now)
    call_server(game)
    return True


def _is_due(game: Game, now: datetime) -> bool:
    due = game.status == Game.Status.RUNNING and game.deadline is not None and game.deadline <= now
    return due and not game.awaits_server


@transaction.atomic
def serve(*, game_id: int, now: datetime, rng: random.Random) -> bool:
    """The server's next step at a table: count a deal, or a computer player's turn. False where it is not the server's.

    Done twice, or by two workers at once, each step is taken once.
    """
    game = lock(pk=game_id)
    if not game.awaits_server:
        return False
    table = load(game)
    if table.deal.phase == engine.OVER:
        settle_locked(table=table, now=now)
        return True
    if game.paused_at is not None or game.frozen_until is not None:
        return False
    _play_computer(table, now, rng)
    return True


def _play_computer(table: Table, now: datetime, rng: random.Random) -> None:
    """A turn that ends, whatever the computer player does wrong: then it is played as an expired one (§1.11)."""
    assert table.game.to_move is not None
    seat = table.seats[table.game.to_move]
    try:
        _computer_turn(table, seat, now, rng)
    except Exception as fault:  # must not stop a match
        computers.failed(table, seat, fault)
    if table.deal.to_move == seat.index:
        advance(table, seat.index, "T", actor=Entry.Actor.COMPUTER, now=now)
    save(table, now=now)


def _computer_turn(table: Table, seat: Seat, now: datetime, rng: random.Random) -> None:
    for _turn in range(LONGEST_COMPUTER_TURN):
        if table.deal.to_move != seat.index:
            return
        advance(table, seat.index, computers.choose(table, seat, rng), actor=Entry.Actor.COMPUTER, now=now)


@transaction.atomic
def go_on(*, code: str, user: User, deal: int) -> None:
    """Note that a player has seen the result of a finished deal. Changes nothing that others see."""
    Seat.objects.filter(
        game__code=code, user=user, seen_deal__lt=deal, game__deals__number=deal, game__deals__scored=True
    ).update(seen_deal=deal)

"""Tables before the first deal: making, joining, leaving, starting, cancelling."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from inspect import signature
from typing import Any

from django.db import transaction

from accounts.models import User
from games import engine, signals
from games.models import Entry, Game, Seat, Tenure
from games.services import news, reliability, shuffles
from games.services.computers import COMPUTER
from games.services.deals import begin
from games.services.errors import ServiceError
from games.services.store import call_server, entry_for, lock

LAPSE_AFTER = timedelta(days=7)
DOUBLE_TAP = timedelta(seconds=10)


@transaction.atomic
def create(
    *,
    maker: User,
    variant: str,
    seats: int,
    options: dict[str, Any],
    turn_time: timedelta,
    now: datetime,
    visibility: str = Game.Visibility.PUBLIC,
    excuses: int = 1,
    absent_after: int = 2,
    absence_limit: timedelta = timedelta(days=7),
    min_reliability: int | None = None,
    vacation: bool = True,
    vacation_days: int | None = None,
    title: str = "",
    computers: int = 0,
    increment: timedelta | None = None,
    bank_cap: timedelta | None = None,
    deadline_hour: int | None = None,
    quiet_from: int | None = None,
    quiet_to: int | None = None,
    weekend_pause: bool = False,
    zone: str = "UTC",
) -> Game:
    """A new table with its maker in the first seat and computer players in the last ones; it starts if that fills it.

    Unless `vacation` is off, the clock stands while who is on turn is on vacation, for `vacation_days` in the match at most.
    With an increment and a cap every seat has a bank of time, which begins with `turn_time`. Hours are those of `zone`.

    Raises RuleError `bad_record` for a game, seats or options that do not exist.
    """
    rules = engine.rules_for(variant, seats, options)
    game = Game(
        title=title, variant=variant, options=rules.options, seat_count=seats, turn_time=turn_time, excuses=excuses,
        absent_after=absent_after, absence_limit=absence_limit, min_reliability=min_reliability, visibility=visibility,
        maker=maker, made_at=now, increment=increment, bank_cap=bank_cap, deadline_hour=deadline_hour,
        quiet_from=quiet_from, quiet_to=quiet_to, weekend_pause=weekend_pause, zone=zone, vacation=vacation,
        vacation_days=vacation_days,
    )  # fmt: skip
    game.full_clean(exclude=["maker"])
    game.save(force_insert=True)
    computers = max(0, min(computers, seats - 1))
    taken = [_sit(game, 0, now, user=maker)]
    taken += [_sit(game, index, now, bot=COMPUTER) for index in range(seats - computers, seats)]
    _tell(game, "made", 0, now)
    shuffles.seal(game, 0, now=now).save(force_insert=True)
    game.save(update_fields=["log_length", "log_head"])
    _start_if_full(game, taken, maker, now)
    return game


@transaction.atomic
def create_once(*, maker: User, variant: str, seats: int, options: dict[str, Any], now: datetime, **terms: Any) -> Game:
    """`create`, unless the same person made the same table a moment ago: a double tap makes one."""
    User.objects.select_for_update().get(pk=maker.pk)
    usual = {name: term.default for name, term in signature(create).parameters.items() if term.default is not term.empty}
    same = {name: value for name, value in (usual | terms).items() if name != "computers"}
    whole = engine.rules_for(variant, seats, options).options
    made = Game.objects.filter(
        maker=maker, made_at__gt=now - DOUBLE_TAP, variant=variant, seat_count=seats, options=whole, **same
    )
    return made.order_by("-made_at").first() or create(
        maker=maker, variant=variant, seats=seats, options=options, now=now, **terms
    )


@transaction.atomic
def join(*, code: str, user: User, now: datetime, line: str = "") -> Game:
    """Take the first free seat; the last one starts the match. Joining twice changes nothing. `line` is added to the shuffle.

    Raises NoSuchTable, or ServiceError `already_started`, `table_gone`, `not_reliable` or `bad_contribution`.
    """
    line, game = shuffles.cleaned(line), lock(code=code)
    seats = list(game.seats.select_related("user"))
    if any(seat.user_id == user.pk for seat in seats):
        return game
    _must_be_open(game)
    reliability.must_reach(game=game, user=user)
    signals.joining.send(Game, game=game, user=user)
    index = min(set(range(game.seat_count)) - {seat.index for seat in seats})
    seats.append(_sit(game, index, now, user=user, line=line))
    _tell(game, "joined", index, now)
    if len(seats) < game.seat_count:
        news.joined(game, seats, seats[-1], now=now)
    _start_if_full(game, seats, user, now)
    return game


@transaction.atomic
def leave(*, code: str, user: User, now: datetime) -> Game:
    """Give the seat up before the match begins. The last player to leave takes the table along."""
    game = lock(code=code)
    _must_be_open(game)
    seat = game.seats.filter(user=user).first()
    if seat is None:
        return game
    seat.delete()
    _tell(game, "left", seat.index, now)
    heir = game.seats.filter(user__isnull=False).order_by("joined_at", "index").first()
    if heir is None:
        _cancel(game, "cancelled", now)
    elif game.maker_id == user.pk:
        game.maker_id = heir.user_id
        game.save(update_fields=["maker"])
    return game


@transaction.atomic
def start(*, code: str, user: User, now: datetime) -> Game:
    """Start before the table is full, with computer players in the empty seats. For the maker alone."""
    game = lock(code=code)
    _must_be_open(game)
    _must_be_maker(game, user)
    seats = list(game.seats.select_related("user"))
    free = sorted(set(range(game.seat_count)) - {seat.index for seat in seats})
    if free:
        signals.joining.send(Game, game=game, user=None)
    seats += [_sit(game, index, now, bot=COMPUTER) for index in free]
    _start_if_full(game, seats, user, now)
    return game


@transaction.atomic
def cancel(*, code: str, user: User, now: datetime) -> Game:
    """Give up a table that has not started. For the maker alone; twice changes nothing."""
    game = lock(code=code)
    if game.status == Game.Status.CANCELLED:
        return game
    _must_be_open(game)
    _must_be_maker(game, user)
    _cancel(game, "cancelled", now)
    return game


def lapse(*, now: datetime) -> int:
    """Cancel the tables that have not filled in a week, each in a transaction of its own; how many."""
    due = Game.objects.filter(status=Game.Status.OPEN, made_at__lt=now - LAPSE_AFTER).order_by("pk")
    return sum(_lapse(pk, now) for pk in due.values_list("pk", flat=True))


@transaction.atomic
def _lapse(pk: int, now: datetime) -> bool:
    game = lock(pk=pk)
    if game.status != Game.Status.OPEN:
        return False
    _cancel(game, "lapsed", now)
    return True


def _sit(game: Game, index: int, now: datetime, *, user: User | None = None, bot: str = "", line: str = "") -> Seat:
    bank = game.turn_time if game.pace.banked and user is not None else None
    return Seat.objects.create(game=game, index=index, user=user, bot=bot, contribution=line, joined_at=now, bank=bank)


def _tell(game: Game, event: str, seat: int | None, now: datetime) -> None:
    """Note an event of a table without a deal, and make a new version."""
    entry_for(game, text=event, actor=Entry.Actor.PLAYER if seat is not None else Entry.Actor.SERVER, seat=seat, now=now).save(
        force_insert=True
    )
    game.version += 1
    game.save(update_fields=["version", "log_length", "log_head"])


def _cancel(game: Game, event: str, now: datetime) -> None:
    game.status, game.ended_at = Game.Status.CANCELLED, now
    game.save(update_fields=["status", "ended_at"])
    _tell(game, event, None, now)


def _start_if_full(game: Game, seats: list[Seat], by: User, now: datetime) -> None:
    """Begin the match once every seat is taken; the first dealer is drawn at random (§1.1)."""
    if len(seats) < game.seat_count:
        return
    seats.sort(key=lambda seat: seat.index)
    signals.started.send(Game, game=game, seats=seats, now=now)
    game.status, game.started_at = Game.Status.RUNNING, now  # written with the first deal
    entry_for(game, text="started", actor=Entry.Actor.SERVER, now=now).save(force_insert=True)
    Tenure.objects.bulk_create(
        Tenure(game=game, seat=seat.index, user_id=seat.user_id, bot=seat.bot, from_deal=0, from_entry=0) for seat in seats
    )
    news.started(game, seats, by, now=now)
    begin(game=game, seats=seats, number=0, dealer=secrets.randbelow(game.seat_count), now=now)
    call_server(game)


def _must_be_open(game: Game) -> None:
    if game.status == Game.Status.CANCELLED:
        raise ServiceError("table_gone")
    if game.status != Game.Status.OPEN:
        raise ServiceError("already_started")


def _must_be_maker(game: Game, user: User) -> None:
    if game.maker_id != user.pk:
        raise ServiceError("not_the_maker")

"""A pause of a table, by agreement of all who play there; any one of them ends it.

A seat asks, the others agree; whose seat is absent or has resigned is not asked, and computer players never mind. While a
table is paused nobody moves, no clock counts, and the computer players stand still too. Ended, the clock goes on with what
was left, to the second.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games.models import Entry, Game, Seat
from games.services import clocks, freezing, news, outages, stops
from games.services.errors import ServiceError, Stale
from games.services.store import LOGGED, Table, call_server, entry_for, lock, seated

LONGEST_PAUSE = timedelta(days=30)


def must_go_on(game: Game) -> None:
    """Raise ServiceError `frozen` or `paused` where nobody may move."""
    if game.frozen_until is not None:
        raise ServiceError("frozen")
    if game.paused_at is not None:
        raise ServiceError("paused")


def missing(seats: list[Seat]) -> list[Seat]:
    """The seats that have still to agree to a pause."""
    return [seat for seat in seats if has_a_say(seat) and not seat.wants_pause]


def has_a_say(seat: Seat) -> bool:
    """Whether a pause needs the agreement of this seat's player, who may end it too."""
    return seat.user_id is not None and not seat.resigned and not seat.absent


@transaction.atomic
def agree(*, code: str, user: User, version: int, now: datetime) -> Table:
    """Ask for a pause, or agree to one that somebody has asked for; the last to agree begins it.

    Raises NoSuchTable, Stale, or ServiceError `paused`, `frozen`, `no_say`.
    """
    table, seat = _with_a_say(code, user, version)
    must_go_on(table.game)
    if not seat.wants_pause:
        seat.wants_pause = True
        seat.save(update_fields=["wants_pause"])
        asked = any(other.wants_pause for other in table.seats if other is not seat)
        _tell(table.game, "pause_agreed" if asked else "pause_asked", seat.index, now)
        if not asked:
            news.paused(table.game, "pause_asked", seat.index, now=now)
    if not missing(table.seats):
        _begin(table, seat, now)
    table.game.save(update_fields=[*LOGGED, *clocks.COLUMNS])
    return table


@transaction.atomic
def refuse(*, code: str, user: User, version: int, now: datetime) -> Table:
    """Refuse the pause that somebody has asked for, or ask for it no longer: all of it is to be asked anew.

    Raises NoSuchTable, Stale, or ServiceError `paused`, `frozen`, `no_say`, `nothing_asked`.
    """
    table, seat = _with_a_say(code, user, version)
    must_go_on(table.game)
    if not any(other.wants_pause for other in table.seats):
        raise ServiceError("nothing_asked")
    event = "pause_withdrawn" if seat.wants_pause else "pause_refused"
    _tell(table.game, event, seat.index, now)
    news.paused(table.game, event, seat.index, now=now)
    _forget(table)
    table.game.save(update_fields=LOGGED)
    return table


@transaction.atomic
def resume(*, code: str, user: User, version: int, now: datetime) -> Table:
    """End a pause: the clock goes on with what was left.

    Raises NoSuchTable, Stale, or ServiceError `no_say`, `not_paused`, and `frozen` where it would stand all the same.
    """
    table, seat = _with_a_say(code, user, version)
    if table.game.frozen_until is not None:
        raise ServiceError("frozen")
    if table.game.paused_at is None:
        raise ServiceError("not_paused")
    _end(table.game, seat.index, now)
    return table


def too_long(*, now: datetime) -> list[int]:
    """The games that have been paused for as long as a pause may last."""
    return list(Game.objects.filter(paused_at__lte=now - LONGEST_PAUSE).order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def lapse(*, game_id: int, now: datetime) -> bool:
    """End a pause that has lasted for too long. False where it has not. Raises NoSuchTable."""
    game = lock(pk=game_id)
    if game.paused_at is None or game.paused_at > now - LONGEST_PAUSE:
        return False
    _end(game, None, now)
    return True


def _with_a_say(code: str, user: User, version: int) -> tuple[Table, Seat]:
    table, seat = seated(code=code, user=user)
    if table.game.status != Game.Status.RUNNING or table.game.version != version:
        raise Stale
    if not has_a_say(seat):
        raise ServiceError("no_say")
    return table, seat


def _begin(table: Table, last: Seat, now: datetime) -> None:
    game = table.game
    outages.settle_up(game, now=now)
    game.paused_at = now
    clocks.set_running(game, now=now)
    _tell(game, "paused", None, now)
    news.paused(game, "paused", last.index, now=now)
    _forget(table)


def _end(game: Game, seat: int | None, now: datetime) -> None:
    """Nothing of the pause counts, for absent seats neither."""
    assert game.paused_at is not None
    frozen = freezing.frozen_for(game)
    stops.give_back(game, game.paused_at, now, beside=None if frozen is None else frozen[1])
    game.paused_at = None
    outages.make_good(game, now=now)
    _tell(game, "resumed", seat, now)
    if game.frozen_until is None:
        news.paused(game, "resumed", seat, now=now)
    news.goes_on(game, now=now)
    game.save(update_fields=[*LOGGED, *clocks.COLUMNS])
    call_server(game)


def _forget(table: Table) -> None:
    Seat.objects.filter(game=table.game, wants_pause=True).update(wants_pause=False)
    for seat in table.seats:
        seat.wants_pause = False


def _tell(game: Game, event: str, seat: int | None, now: datetime) -> None:
    actor = Entry.Actor.SERVER if seat is None else Entry.Actor.PLAYER
    entry_for(game, text=event, actor=actor, seat=seat, now=now).save(force_insert=True)
    game.version += 1

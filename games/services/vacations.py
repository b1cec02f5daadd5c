"""Vacations at the tables: stopping the clock of whoever goes away on turn, and letting it go on.

A turn that comes to somebody away begins with a clock that stands (`games.services.store`). The rest is found by what
does not agree: clocks that run for somebody away, and clocks that stand for somebody who is not. Each is settled in a
transaction of its own, marked with the vacation's id: twice, late or crashed half-way does nothing wrong. In the exchange
of doubles it is secret who is waited for: there the clock stands for whoever is away (`games.services.away`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import DurationField, Exists, ExpressionWrapper, F, Max, OuterRef, Q, QuerySet, Value

from accounts.models import Vacation
from games.models import Entry, Game, Outage, Seat
from games.services import away, clocks, news, outages
from games.services.store import LOGGED, entry_for, load, lock


def unsettled(*, now: datetime, user_id: int | None = None) -> list[int]:
    """The games whose clock does not agree with the vacations that stop it, or with this player's, in order of their ids."""
    running, standing = _running_for_the_away(now), _standing_for_nobody(now)
    if user_id is not None:
        running, standing = running.filter(user=user_id), standing.filter(seats__user=user_id)
    return sorted({*running.values_list("game", flat=True), *standing.values_list("pk", flat=True)})


def _running_for_the_away(now: datetime) -> QuerySet[Seat]:
    allowed = ExpressionWrapper(F("game__vacation_days") * Value(timedelta(days=1)), output_field=DurationField())
    return Seat.objects.filter(
        Q(game__vacation_days=None) | Q(vacation_used__lt=allowed), Q(index=F("game__to_move")) | Q(game__to_move=None),
        user__vacations__ended_at=None, user__vacations__begins__lte=now, user__vacations__ends__gt=now, game__vacation=True,
        game__status=Game.Status.RUNNING, game__deadline__isnull=False, game__awaits_server=False,
        absent_since=None, resigned=False,
    )  # fmt: skip


def _standing_for_nobody(now: datetime) -> QuerySet[Game]:
    lasting = Vacation.objects.filter(pk=OuterRef("away_for"), ended_at=None, ends__gt=now)
    return Game.objects.filter(~Exists(lasting) | Q(away_until__lte=now), away=True)


@transaction.atomic
def settle(*, game_id: int, now: datetime) -> bool:
    """Stop the clock of a game, or let it go on with what was left, as the vacation of whoever is on turn asks.

    False where there is nothing to do. Raises NoSuchTable.
    """
    return settle_locked(lock(pk=game_id), now=now)


def settle_locked(game: Game, *, now: datetime) -> bool:
    """`settle` in the caller's transaction."""
    if game.status != Game.Status.RUNNING or game.awaits_server:
        return False
    seats, before, since = load(game).seats, game.away_for, now
    concerned, former = away.concerned(seats, game.to_move), None
    if game.away and away.is_over(game, concerned, now=now):
        former = away.holder(game, seats)
        Seat.objects.bulk_update(away.end(game, seats, now=now), ["vacation_used"])
    for_whom = None
    if not game.away and any(away.until(game, seat, now=now) for seat in concerned):
        outages.settle_up(game, now=now)
        since = _away_since(game, concerned, now)
        for_whom = away.begin(game, concerned, now=since)
    if game.away_for == before:
        return False
    if game.stopped:
        clocks.set_running(game, now=since)
    else:
        outages.make_good(game, now=now)
    if for_whom is None:
        _note_over(game, former, now)
    elif before is None or for_whom is not former:
        _note(game, "vacation", for_whom, now)
    if for_whom is not None:
        news.on_vacation(game, seats, for_whom, now=now)
    news.goes_on(game, now=now)
    game.version += 1
    game.save(update_fields=[*LOGGED, *clocks.COLUMNS])
    return True


def _note_over(game: Game, seat: Seat | None, now: datetime) -> None:
    """That the clock goes on, though perhaps this player stays away: for longer than the table allows."""
    still = seat is not None and seat.vacation is not None and seat.vacation.lasts(now)
    _note(game, "vacation_over", seat, now, {"limit": True} if still else None)


def _note(game: Game, event: str, seat: Seat | None, now: datetime, facts: Any = None) -> None:
    index = None if seat is None else seat.index
    entry_for(game, text=event, actor=Entry.Actor.SERVER, seat=index, facts=facts, now=now).save(force_insert=True)


def _away_since(game: Game, seats: Sequence[Seat], now: datetime) -> datetime:
    """From when on a clock that runs has counted a vacation: nobody loses what passed until the server saw it.

    What it counted while the site was away it has got back already.
    """
    if game.deadline is None or game.ticking_since is None or outages.holds(now=now):
        return now
    began = (seat.vacation.begins for seat in seats if seat.vacation and away.until(game, seat, now=now))
    since = max(min(began), game.ticking_since)
    away_till = Outage.objects.filter(span=None, ended__gt=since, ended__lte=now).aggregate(last=Max("ended"))["last"]
    return max(since, away_till or since)

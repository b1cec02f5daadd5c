"""Vacations at the tables: stopping the clock of whoever goes away on turn, and letting it go on.

A turn that comes to somebody away begins with a clock that stands (`games.services.store`). The rest is found by what
does not agree: clocks that run for somebody away, and clocks that stand for somebody who is not. Each is settled in a
transaction of its own, marked with the vacation's id: twice, late or crashed half-way does nothing wrong. In the exchange
of doubles the clock runs on, for it is secret who is waited for.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import DurationField, Exists, ExpressionWrapper, F, Max, OuterRef, Q, QuerySet, Value

from accounts.models import Vacation
from games.models import Entry, Game, Outage, Seat
from games.services import away, clocks, news, outages
from games.services.store import LOGGED, entry_for, load, lock


def unsettled(*, now: datetime, user_id: int | None = None) -> list[int]:
    """The games whose clock does not agree with the vacation of whoever is on turn, or of this player, in order of their ids."""
    running, standing = _running_for_the_away(now), _standing_for_nobody(now)
    if user_id is not None:
        running, standing = running.filter(user=user_id), standing.filter(seats__user=user_id)
    return sorted({*running.values_list("game", flat=True), *standing.values_list("pk", flat=True)})


def _running_for_the_away(now: datetime) -> QuerySet[Seat]:
    allowed = ExpressionWrapper(F("game__vacation_days") * Value(timedelta(days=1)), output_field=DurationField())
    return Seat.objects.filter(
        Q(game__vacation_days=None) | Q(vacation_used__lt=allowed), user__vacations__ended_at=None,
        user__vacations__begins__lte=now, user__vacations__ends__gt=now, index=F("game__to_move"), game__vacation=True,
        game__status=Game.Status.RUNNING, game__deadline__isnull=False, game__awaits_server=False,
        absent_since=None,
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
    if game.status != Game.Status.RUNNING or game.to_move is None or game.awaits_server:
        return False
    seats, before, since = load(game).seats, game.away_for, now
    seat = seats[game.to_move]
    if game.away and _is_done(game, seat, now):
        away.end(game, seat, now=now)
    if not game.away and away.until(game, seat, now=now) is not None:
        outages.settle_up(game, now=now)
        since = _away_since(game, seat, now)
        away.begin(game, seat, now=since)
    if game.away_for == before:
        return False
    clocks.set_running(game, now=since)
    if before is None or not game.away:
        event = "vacation" if game.away else "vacation_over"
        still = not game.away and seat.vacation is not None and seat.vacation.lasts(now)
        facts = {"limit": True} if still else None
        entry_for(game, text=event, actor=Entry.Actor.SERVER, seat=seat.index, facts=facts, now=now).save(force_insert=True)
    if game.away:
        news.on_vacation(game, seats, seat, now=now)
    news.goes_on(game, now=now)
    game.version += 1
    game.save(update_fields=[*LOGGED, *clocks.COLUMNS])
    return True


def _away_since(game: Game, seat: Seat, now: datetime) -> datetime:
    """From when on a clock that runs has counted a vacation: nobody loses what passed until the server saw it.

    What it counted while the site was away it has got back already.
    """
    if seat.vacation is None or game.deadline is None or game.ticking_since is None or outages.holds(now=now):
        return now
    since = max(seat.vacation.begins, game.ticking_since)
    away_till = Outage.objects.filter(span=None, ended__gt=since, ended__lte=now).aggregate(last=Max("ended"))["last"]
    return max(since, away_till or since)


def _is_done(game: Game, seat: Seat, now: datetime) -> bool:
    """Whether the vacation for which a clock stands is over, or has used up what the table allows."""
    lasts = seat.vacation is not None and seat.vacation.pk == game.away_for and seat.vacation.lasts(now)
    return not lasts or (game.away_until is not None and game.away_until <= now)

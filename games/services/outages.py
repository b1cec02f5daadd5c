"""The watch over the clocks: nobody loses time because the site was away.

Every sweep leaves its beat. Where none came for more than five minutes, or somebody works on the site, no turn runs out,
and afterwards each clock that ran gets back what it counted meanwhile, once: an `Outage` is a row, no two overlap, and a
game is marked with the last that was applied to it. All of them are made with the watch locked, so that their ids follow
one another. A task applies them, some games a transaction; whatever needs a clock to be right before then catches that
one game up by itself.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import DurationField, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Greatest, Least

from games import clock
from games.models import Entry, Game, Outage, Seat, Step, Watch
from games.services import clocks, owed, rows
from games.services.errors import ServiceError
from games.services.owed import SILENCE
from games.services.store import entry_for

LONGEST_GIFT = timedelta(days=14)
APPLYING = 90.0
"""Seconds that a task applies outages before it leaves the rest to the next, well within its time limit."""
TOGETHER = 50
"""Games that are given their time in one transaction: a move at one of them waits for so many."""
_ONE_AT_A_TIME = 7_302_114
"""The number of the advisory lock under which outages are applied."""


@transaction.atomic
def beat(*, now: datetime) -> None:
    """The server looks at the clocks. Had it not for more than five minutes, that was an outage.

    Work on the site is one by itself: it becomes an outage when it is over.
    """
    watch = _watch(now)
    until = watch.maintenance_since or now
    if until - watch.beat > SILENCE:
        _record(Outage.Kind.SILENCE, watch.beat, until)
    watch.beat = max(watch.beat, now)
    watch.save(update_fields=["beat"])


def holds(*, now: datetime) -> bool:
    """Whether no turn may run out now: the site is being worked on, or comes back just now."""
    watch = Watch.objects.first()
    return watch is not None and (watch.maintenance_since is not None or now - watch.beat > SILENCE)


@transaction.atomic
def begin_maintenance(*, reason: str, now: datetime) -> bool:
    """From now on no turn runs out. False where the site is being worked on already."""
    watch = _watch(now)
    if watch.maintenance_since is not None:
        return False
    watch.maintenance_since, watch.maintenance_reason = now, reason
    watch.save(update_fields=["maintenance_since", "maintenance_reason"])
    return True


@transaction.atomic
def end_maintenance(*, now: datetime, by: Any = None) -> bool:
    """Every clock that ran gets back the time that the work took. False where nobody works on the site."""
    watch = _watch(now)
    if watch.maintenance_since is None:
        return False
    _record(Outage.Kind.MAINTENANCE, watch.maintenance_since, now, reason=watch.maintenance_reason, by=by)
    watch.maintenance_since, watch.maintenance_reason = None, ""
    watch.save(update_fields=["maintenance_since", "maintenance_reason"])
    return True


@transaction.atomic
def give(*, span: timedelta, reason: str, by: Any, now: datetime) -> Outage:
    """So much more time for every clock that runs now. Raises ServiceError `bad_span`."""
    if not timedelta(0) < span <= LONGEST_GIFT:
        raise ServiceError("bad_span")
    _watch(now)
    return Outage.objects.create(kind=Outage.Kind.GIFT, began=now, ended=now, span=span, reason=reason, by=by)


def _watch(now: datetime) -> Watch:
    """The one row, locked; made where this is the first look."""
    found = Watch.objects.select_for_update().first()
    if found is None:
        Watch.objects.bulk_create([Watch(beat=now)], ignore_conflicts=True)
        found = Watch.objects.select_for_update().get()
    return found


def _record(kind: Outage.Kind, began: datetime, ended: datetime, **more: Any) -> None:
    """An outage, without what earlier ones have covered: so it may become several, or none."""
    earlier = Outage.objects.filter(began__lt=ended, ended__gt=began).order_by("began")
    for outage in earlier:
        if began < outage.began:
            Outage.objects.create(kind=kind, began=began, ended=outage.began, **more)
        began = max(began, outage.ended)
    if began < ended:
        Outage.objects.create(kind=kind, began=began, ended=ended, **more)


# -- applying them ------------------------------------------------------------------------------


def catch_up(game: Game, *, now: datetime) -> bool:
    """Give the clock of a locked game what outages owe it, and note it in the log. Whether it was owed anything.

    Writes the game; in the caller's transaction. Twice gives nothing.
    """
    if game.deadline is None:
        return False
    return bool(_give([game], Outage.objects.filter(pk__gt=game.pushed_by, ended__gte=game.ticking_since), now))


def _give(games: Sequence[Game], outages: Iterable[Outage], now: datetime) -> int:
    """What these outages owe to these locked games, written in one statement; to how many it was something."""
    known, changed, entries = list(outages), [], []
    for game in games:
        if found := owed.owing(game, known):
            changed.append(game)
            entries += _push(game, found, now)
    if changed:
        rows.write_pushed(games=changed, entries=entries)
    return len(entries)


def _push(game: Game, found: Sequence[Outage], now: datetime) -> list[Entry]:
    """Mark the game with the last of these, and set its clock forward by what they owe together: the row that says so."""
    last, span = found[-1], owed.span(game, found)
    game.pushed_by = last.pk
    if span == clock.NO_TIME or not clocks.push(game, span):
        return []
    game.version += 1
    told = {"seconds": round(span.total_seconds()), "kind": last.kind, "reason": last.reason}
    return [entry_for(game, text="pushed", actor=Entry.Actor.SERVER, facts=told, now=now)]


def settle_up(game: Game, *, now: datetime) -> None:
    """`catch_up`, and what an outage owes that is not over: for whoever stops the clock next, in the same transaction."""
    catch_up(game, now=now)
    clocks.push(game, owed.so_far(game, Watch.objects.first(), unapplied(), now))


def make_good(game: Game, *, now: datetime) -> None:
    """Let the clock of a locked game go on, if nothing holds it any more, with what it had counted of an outage before it was
    stopped; the caller saves it. Where that is not an outage yet it is reckoned to what the clock counts from now on.
    """
    if game.stopped or game.left is None:
        return
    watch, at = Watch.objects.first(), game.stopped_at
    silence = Outage.objects.filter(kind=Outage.Kind.SILENCE, began__lt=at, ended__gte=at).first() if at else None
    counted = owed.before_it_stopped(game, silence, watch)
    known = silence is not None or (watch is not None and now - watch.beat > SILENCE)
    if known:
        game.left += counted
    clocks.set_running(game, now=now)
    if not known and game.ticking_since is not None:
        game.ticking_since = clock.before(game.pace, game.ticking_since, counted)


@transaction.atomic
def push(*, game_ids: Sequence[int], now: datetime) -> int:
    """`catch_up` of several games, in one transaction; how many were owed anything."""
    running = Game.objects.filter(pk__in=game_ids, status=Game.Status.RUNNING, deadline__isnull=False)
    return _give(list(running.order_by("pk").select_for_update()), Outage.objects.order_by("pk"), now)


def unapplied() -> QuerySet[Outage]:
    """Outages that some running game may not have been given yet, oldest first."""
    return Outage.objects.filter(applied_at=None).order_by("pk")


def pending(*, now: datetime) -> list[tuple[datetime, datetime]]:
    """When the site was away, from when to when, as far as absent seats have not been given that yet; up to now, if it is so
    still. None of them overlap.
    """
    found = list(unapplied().filter(span=None).values_list("began", "ended"))
    watch = Watch.objects.first()
    if watch is None:
        return found
    silent = watch.beat if now - watch.beat > SILENCE else None
    began = min((since for since in (watch.maintenance_since, silent) if since is not None), default=now)
    return [*found, (max([began, *(ended for _began, ended in found)]), now)]


def apply(*, now: datetime, seconds: float = APPLYING) -> bool:
    """Give every running clock what the outages owe it, in order of the games' ids. False where some are left to the next.

    One at a time: a second one has nothing to do. A crash leaves the rest, and repeats nothing.
    """
    end = time.monotonic() + seconds
    with _alone() as alone:
        for outage in unapplied() if alone else ():
            games = _owed(outage)
            for start in range(0, len(games), TOGETHER):
                if time.monotonic() > end:
                    return False
                push(game_ids=games[start : start + TOGETHER], now=now)
            _close(outage, now)
    return alone


@transaction.atomic
def _close(outage: Outage, now: datetime) -> None:
    """Absent seats get the time too, to come back in; and the outage is done with. What a pause that lasts, or a frozen clock,
    shares with it, the end of that will give them.
    """
    if Outage.objects.filter(pk=outage.pk, applied_at=None).update(applied_at=now):
        began = Greatest(F("absent_since"), Value(outage.began))
        stood = (Coalesce(Subquery(each), Value(outage.ended)) for each in _standing_since())
        ended = Greatest(Least(Value(outage.ended), *stood), began)
        counted = ExpressionWrapper(ended - began, output_field=DurationField())
        given = Value(outage.span) if outage.span is not None else counted
        absent = Seat.objects.filter(absent_until__isnull=False, absent_since__lt=outage.ended)
        absent.update(absent_until=F("absent_until") + given)


def _standing_since() -> tuple[QuerySet[Any], QuerySet[Any]]:
    """Since when the table of a seat is paused, and frozen; nothing where it is not."""
    games = Game.objects.filter(pk=OuterRef("game"))
    freezes = Step.objects.filter(
        kind=Step.Kind.FROZEN, dispute__game=OuterRef("game"), dispute__game__frozen_until__isnull=False
    )
    return games.values("paused_at"), freezes.order_by("-pk").values("at")[:1]


def _owed(outage: Outage) -> list[int]:
    ticking = Q(status=Game.Status.RUNNING, deadline__isnull=False, awaits_server=False, ticking_since__lte=outage.ended)
    return list(Game.objects.filter(ticking, pushed_by__lt=outage.pk).order_by("pk").values_list("pk", flat=True))


@contextmanager
def _alone() -> Iterator[bool]:
    """Whether no other process applies outages meanwhile. One that is killed lets go."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [_ONE_AT_A_TIME])
        (alone,) = cursor.fetchone()
    try:
        yield alone
    finally:
        if alone:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_ONE_AT_A_TIME])

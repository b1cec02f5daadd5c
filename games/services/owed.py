"""What outages owe to a clock that runs: what it counted meanwhile. Works on rows that the caller has read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from games import clock
from games.models import Game, Outage, Watch

SILENCE = timedelta(minutes=5)
"""Without a look at the clocks for longer than this the site was away."""


def owing(game: Game, outages: Iterable[Outage]) -> list[Outage]:
    """Those for which the clock has not got its time back, in order of their ids."""
    started = game.ticking_since
    if game.deadline is None or game.awaits_server or started is None:
        return []
    found = (one for one in outages if one.pk > game.pushed_by and (one.ended > started or (one.span and one.ended == started)))
    return sorted(found, key=lambda one: one.pk)


def span(game: Game, outages: Iterable[Outage]) -> timedelta:
    """How much time they owe to it together."""
    return sum((one.span if one.span is not None else _counted(game, one.began, one.ended) for one in outages), clock.NO_TIME)


def so_far(game: Game, watch: Watch | None, known: Iterable[Outage], now: datetime) -> timedelta:
    """What an outage that is not over, or not noted yet, owes to a clock that stops now: nothing will be given to it afterwards.

    Without what those owe that are `known`.
    """
    if watch is None or game.deadline is None or game.awaits_server:
        return clock.NO_TIME
    silent = watch.beat if now - watch.beat > SILENCE else None
    began = min((since for since in (watch.maintenance_since, silent) if since is not None), default=now)
    covered = (_counted(game, max(one.began, began), one.ended) for one in known if one.span is None)
    return _counted(game, began, now) - sum(covered, clock.NO_TIME)


def before_it_stopped(game: Game, silence: Outage | None, watch: Watch | None) -> timedelta:
    """What a clock that stands had counted, when it was stopped, of a silence that nobody could know of yet: it was too short.

    `silence` is the outage in which it was stopped, where that is noted by now; else the one that lasts since the last look
    of the `watch`, or may become one.
    """
    began = silence.began if silence is not None else None if watch is None else watch.beat
    if began is None or game.stopped_at is None or not began < game.stopped_at <= began + SILENCE:
        return clock.NO_TIME
    return _counted(game, began, game.stopped_at)


def _counted(game: Game, began: datetime, ended: datetime) -> timedelta:
    return clock.counted(game.pace, max(began, game.ticking_since or began), ended)

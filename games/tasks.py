"""What the workers do: thin, by id, harmless late, early, twice or crashed half-way."""

from __future__ import annotations

import random
from contextlib import suppress

from celery import shared_task
from django.utils import timezone

from games import selectors
from games.services import absence, tables, turns
from games.services.errors import NoSuchTable
from remi_site.celery import send

LONGEST_SERVING = 500
"""Steps at one table in one go, so that a match among computer players cannot hold a worker for ever."""


SWEPT_EXPIRES = 60
"""Seconds after which a swept task that no worker has taken is dropped: later sweeps have found the same game again."""


@shared_task(ignore_result=True)
def serve(game_id: int) -> None:
    """Take the server's steps at a table until a player is on turn or the match is over."""
    rng = random.SystemRandom()
    with suppress(NoSuchTable):
        for _step in range(LONGEST_SERVING):
            if not turns.serve(game_id=game_id, now=timezone.now(), rng=rng):
                return


@shared_task(ignore_result=True)
def expire(game_id: int) -> None:
    """Play a turn that has run out."""
    with suppress(NoSuchTable):
        turns.expire(game_id=game_id, now=timezone.now())


@shared_task(ignore_result=True)
def end_absences(game_id: int) -> None:
    """Have the seats resign that have been absent too long."""
    with suppress(NoSuchTable):
        absence.end(game_id=game_id, now=timezone.now())


@shared_task(ignore_result=True)
def sweep() -> None:
    """Every few seconds: hand out what is due. What was lost on the way is found again here."""
    for pk in selectors.expired_games(now=timezone.now()):
        send("games.tasks.expire", pk, expires=SWEPT_EXPIRES)
    for pk in selectors.absences_over(now=timezone.now()):
        send("games.tasks.end_absences", pk, expires=SWEPT_EXPIRES)
    for pk in selectors.games_awaiting_the_server():
        send("games.tasks.serve", pk, expires=SWEPT_EXPIRES)


@shared_task(ignore_result=True)
def lapse_tables() -> None:
    """Hourly: cancel tables that have not filled in a week."""
    tables.lapse(now=timezone.now())

"""What the workers do: thin, by id, harmless late, early, twice or crashed half-way."""

from __future__ import annotations

import random
from contextlib import suppress

from celery import shared_task
from django.utils import timezone

from games import selectors
from games.services import absence, outages, pauses, tables, turns, vacations
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
def apply_outages() -> None:
    """Give the clocks back what they counted while the site was away; what is left is for the next."""
    outages.apply(now=timezone.now())


@shared_task(ignore_result=True)
def settle_vacation(game_id: int) -> None:
    """Stop a clock for a vacation, or let it go on after one."""
    with suppress(NoSuchTable):
        vacations.settle(game_id=game_id, now=timezone.now())


@shared_task(ignore_result=True)
def settle_vacations_of(user_id: int) -> None:
    """At once what the sweep would find: a player's vacation has begun or ended."""
    now = timezone.now()
    for pk in vacations.unsettled(now=now, user_id=user_id):
        settle_vacation(pk)


@shared_task(ignore_result=True)
def lapse_pause(game_id: int) -> None:
    """End a pause that has lasted for too long."""
    with suppress(NoSuchTable):
        pauses.lapse(game_id=game_id, now=timezone.now())


@shared_task(ignore_result=True)
def sweep() -> None:
    """Every few seconds: hand out what is due. What was lost on the way is found again here."""
    now = timezone.now()
    outages.beat(now=now)
    owing = outages.unapplied().exists()
    if owing:
        send("games.tasks.apply_outages", expires=SWEPT_EXPIRES)
    held = outages.holds(now=now)
    for task, found in (
        ("games.tasks.settle_vacation", vacations.unsettled(now=now)),
        ("games.tasks.lapse_pause", pauses.too_long(now=now)),
        ("games.tasks.expire", [] if held else selectors.expired_games(now=now)),
        ("games.tasks.end_absences", [] if held or owing else selectors.absences_over(now=now)),
    ):
        for pk in found:
            send(task, pk, expires=SWEPT_EXPIRES)
    for pk in selectors.games_awaiting_the_server():
        send("games.tasks.serve", pk, expires=SWEPT_EXPIRES)


@shared_task(ignore_result=True)
def lapse_tables() -> None:
    """Hourly: cancel tables that have not filled in a week."""
    tables.lapse(now=timezone.now())

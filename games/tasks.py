"""What the workers do: thin, by id, harmless late, early, twice or crashed half-way."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress

from celery import shared_task
from django.utils import timezone

from games import selectors
from games.selectors import owndata
from games.services import absence, brought, freezing, leaving, outages, pauses, tables, turns, vacations
from games.services.errors import NoSuchTable
from remi_site.celery import send

LONGEST_SERVING = 500
"""Steps at one table in one go, so that a match among computer players cannot hold a worker for ever."""

TOGETHER = 20
"""Tables handed to one worker at a time: to put them on the queue one by one would take as long as the work itself."""
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
def expire(*game_ids: int) -> None:
    """Play the turns that have run out at these tables."""
    _at_each(game_ids, turns.expire)


@shared_task(ignore_result=True)
def end_absences(*game_ids: int) -> None:
    """Have the seats resign that have been absent too long."""
    _at_each(game_ids, absence.end)


@shared_task(ignore_result=True)
def apply_outages() -> None:
    """Give the clocks back what they counted while the site was away; what is left is for the next."""
    outages.apply(now=timezone.now())


@shared_task(ignore_result=True)
def settle_vacation(*game_ids: int) -> None:
    """Stop clocks for a vacation, or let them go on after one."""
    _at_each(game_ids, vacations.settle)


@shared_task(ignore_result=True)
def settle_vacations_of(user_id: int) -> None:
    """At once what the sweep would find: a player's vacation has begun or ended."""
    _at_each(vacations.unsettled(now=timezone.now(), user_id=user_id), vacations.settle)


@shared_task(ignore_result=True)
def vacate_seats(*game_ids: int) -> None:
    """Give up the seats of accounts that are no more."""
    _at_each(game_ids, leaving.vacate)


@shared_task(ignore_result=True)
def vacate_seats_of(user_id: int) -> None:
    """At once what the sweep would find: an account is no more."""
    _at_each(owndata.seats_of_the_gone(user_id=user_id), leaving.vacate)


@shared_task(ignore_result=True)
def lapse_pause(*game_ids: int) -> None:
    """End pauses that have lasted for too long."""
    _at_each(game_ids, pauses.lapse)


@shared_task(ignore_result=True)
def thaw(*game_ids: int) -> None:
    """Let clocks go on that referees have frozen up to now."""
    _at_each(game_ids, freezing.lapse)


def _at_each(game_ids: Sequence[int], step: Callable[..., object]) -> None:
    """Take a step at these tables. Where it goes wrong at one, the others have theirs all the same."""
    faults = []
    for game_id in game_ids:
        try:
            with suppress(NoSuchTable):
                step(game_id=game_id, now=timezone.now())
        except Exception as fault:
            faults.append(fault)
    if faults:
        raise faults[0]


@shared_task(ignore_result=True)
def sweep() -> None:
    """Every few seconds: hand out what is due. What was lost on the way is found again here.

    A sweep waits on the same queue behind what those before it have handed out, and is dropped after half a minute: so
    however late the workers are, the same game stands there a few times at most, and the queue does not fill.
    """
    now = timezone.now()
    outages.beat(now=now)
    owing = outages.unapplied().exists()
    if owing:
        send("games.tasks.apply_outages", expires=SWEPT_EXPIRES)
    held = outages.holds(now=now)
    for task, found in (
        ("games.tasks.settle_vacation", vacations.unsettled(now=now)),
        ("games.tasks.lapse_pause", pauses.too_long(now=now)),
        ("games.tasks.thaw", freezing.over(now=now)),
        ("games.tasks.vacate_seats", owndata.seats_of_the_gone()),
        ("games.tasks.expire", [] if held else selectors.expired_games(now=now)),
        ("games.tasks.end_absences", [] if held or owing else selectors.absences_over(now=now)),
    ):
        for first in range(0, len(found), TOGETHER):
            send(task, *found[first : first + TOGETHER], expires=SWEPT_EXPIRES)
    for pk in selectors.games_awaiting_the_server():
        send("games.tasks.serve", pk, expires=SWEPT_EXPIRES)


@shared_task(ignore_result=True)
def lapse_tables() -> None:
    """Hourly: cancel tables that have not filled in a week."""
    tables.lapse(now=timezone.now())


@shared_task(ignore_result=True)
def forget_records() -> None:
    """Daily: forget the records that were kept for long enough."""
    brought.forget_old(now=timezone.now())

"""Turns that have run out: finding 1,000 of them among 100,000 running games and handing them to workers who lock them.

The plan of the query is printed: where it does without the partial index on deadlines, that is a figure missed.
"""

from __future__ import annotations

import time
from contextlib import suppress

from .measure import Budget, Line, line
from .site import begun, people, stores

RUNNING, DUE = 100_000, 1_000
SECONDS = 2
INDEX = "running_by_deadline"
# Copies of a running game, each with a name and a deadline of its own: the first ones are due, the others later and later.
COPY = """
INSERT INTO games_game (code, deadline, {others})
SELECT 'copy' || lpad(n::text, 10, '0'), now() + (n - %(due)s - 0.5) * interval '10 seconds', {others}
FROM games_game CROSS JOIN generate_series(1, %(count)s) AS n WHERE id = %(game)s
"""


def run(budget: Budget) -> list[Line]:
    """Every line of the part."""
    stores()
    _fill()
    try:
        plan = _plan()
        print("\n".join(plan))
        rounds = [_hand_out() for _round in range(budget.rounds)]
        return [
            line(f"find {DUE:,} due of {RUNNING:,} running, hand out, lock", "s", rounds, asked=SECONDS, least=False),
            Line("the partial index in the plan", float(any(INDEX in row for row in plan)), "of 1", 0.0, asked=1),
        ]
    finally:
        _empty()


def _fill() -> None:
    from django.db import connection

    from games.models import Game

    code = begun("rami500", people(2)).code
    game = Game.objects.get(code=code)
    others = [f'"{field.column}"' for field in Game._meta.concrete_fields if field.name not in ("id", "code", "deadline")]
    with connection.cursor() as cursor:
        cursor.execute(COPY.format(others=", ".join(others)), {"count": RUNNING, "due": DUE, "game": game.pk})
        cursor.execute("ANALYZE games_game")


def _empty() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_game WHERE code LIKE 'copy%'")


def _plan() -> list[str]:
    """How the database finds them."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from django.utils import timezone

    from games import selectors

    with CaptureQueriesContext(connection) as asked:
        assert len(selectors.expired_games(now=timezone.now())) == DUE
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {asked[0]['sql']}")
        return [row for (row,) in cursor.fetchall()]


def _hand_out() -> float:
    """Seconds from the sweep's first question until the last due game is locked, one after the other.

    What a worker does with the lock is not part of it: nothing is written, and the transaction is rolled back.
    """
    from django.db import transaction
    from django.utils import timezone

    from games import tasks
    from games.services.store import lock

    began = time.perf_counter()
    tasks.sweep()
    handed = _handed_out()
    for pk in handed:
        with transaction.atomic():
            game = lock(pk=pk)
            assert game.deadline is not None
            assert game.deadline <= timezone.now()
            transaction.set_rollback(True)
    taken = time.perf_counter() - began
    if len(handed) != DUE:
        raise RuntimeError(f"{len(handed)} of {DUE} games were handed out")
    return taken


def _handed_out() -> list[int]:
    """The games on the queue, which is empty afterwards."""
    from remi_site.celery import app

    found: list[int] = []
    with (
        app.connection_for_read() as connection,
        connection.SimpleQueue(app.conf.task_default_queue) as queue,
        suppress(queue.Empty),
    ):
        while True:
            message = queue.get_nowait()
            message.ack()
            if message.headers["task"] == "games.tasks.expire":
                found += message.decode()[0]
    return found

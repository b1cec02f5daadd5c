"""The task queue, and the one way to put a task on it."""

import logging
import os
import threading
import time
from typing import Any

from celery import Celery
from kombu import Connection
from kombu.exceptions import OperationalError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "remi_site.settings")
app = Celery("remi")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["accounts.people", "accounts.people.messages", "accounts.leagues"])

logger = logging.getLogger(__name__)

# How a task is put on the queue: a player's move may not wait, so one try, and a quarter of a second to connect and to answer.
PUBLISHING = {"socket_connect_timeout": 0.25, "socket_timeout": 0.25, "max_retries": 0}
# After a failure nobody else waits: for this many seconds tasks are left to the sweep.
PAUSE = 5.0


class _Own(threading.local):
    """What each thread has: its connection for publishing (they may not be shared), and whether it has carried a task."""

    connection: Connection | None = None
    used = False


_own = _Own()
_down_until = 0.0


def _connection() -> Connection:
    if _own.connection is None:
        _own.connection = app.connection_for_write(transport_options=PUBLISHING)
    return _own.connection


def _forget_connection() -> None:
    connection, _own.connection, _own.used = _own.connection, None, False
    if connection is not None:
        connection.release()


def send(task: str, *args: Any, expires: float | None = None) -> bool:
    """Put the task named `task` (as "games.tasks.sweep") on the queue; say whether the broker took it.

    Call it once the transaction is committed. It never raises for a broker that is gone, and answers within a second: what
    the task would do is found again by the sweep. `args` must be plain JSON values. After `expires` seconds on the queue it
    is dropped.
    """
    global _down_until
    if time.monotonic() < _down_until:
        return False
    while True:
        try:
            app.send_task(task, args, connection=_connection(), retry=False, ignore_result=True, expires=expires)
            _own.used = True
            return True
        except OperationalError as error:
            # A connection kept from before a restart of the broker is dead: then a fresh one is tried, once.
            stale = _own.used
            _forget_connection()
            if not stale:
                logger.warning("The broker is not answering (%s): %s is left to the sweep.", error.__class__.__name__, task)
                _down_until = time.monotonic() + PAUSE
                return False


def reset() -> None:
    """Forget that the broker was away, and this thread's connection to it."""
    global _down_until
    _down_until = 0.0
    _forget_connection()

"""A real worker on a real broker: it takes tasks, and a death costs nothing."""

import time

from remi_site import celery
from tests.conftest import Worker


def wait_for(worker: Worker, told: str, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while told not in worker.told():
        assert time.monotonic() < end, worker.told()
        time.sleep(0.05)


def test_a_task_that_is_sent_is_done(worker: Worker) -> None:
    assert celery.send("accounts.people.tasks.purge_guests")
    wait_for(worker, "purge_guests")
    wait_for(worker, "succeeded")


def test_a_task_sent_while_no_worker_lives_is_done_by_the_next(worker: Worker) -> None:
    worker.kill()
    assert celery.send("accounts.people.tasks.purge_guests")
    worker.start()
    wait_for(worker, "succeeded")


def test_a_task_that_fails_is_logged_without_what_it_was_about(worker: Worker) -> None:
    assert celery.send("games.tasks.serve", "7H 8H 9H")
    wait_for(worker, "failed")
    last = worker.told().split("failed", 1)[1]
    assert "7H" not in last

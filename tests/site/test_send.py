"""Putting a task on the queue: never slow, never an error, whatever the broker does."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from remi_site import celery
from remi_site.local import processes, valkey


@contextmanager
def taking_at_most(seconds: float) -> Iterator[None]:
    before = time.monotonic()
    yield
    assert time.monotonic() - before < seconds


@pytest.fixture
def to(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    monkeypatch.setitem(celery.app.conf, "broker_url", celery.app.conf["broker_url"])
    celery.reset()
    yield monkeypatch
    celery.reset()


def tasks_waiting(broker: str) -> int:
    import redis

    with redis.Redis(unix_socket_path=broker.removeprefix("redis+socket://")) as client:
        return int(client.llen("celery"))


def test_a_task_reaches_the_queue(broker: str) -> None:
    assert celery.send("games.tasks.sweep") is True
    assert tasks_waiting(broker) == 1


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "redis+socket:///nowhere/valkey.sock"])
def test_with_the_broker_gone_it_says_no_within_a_second(to: pytest.MonkeyPatch, url: str) -> None:
    to.setitem(celery.app.conf, "broker_url", url)
    with taking_at_most(1):
        assert celery.send("games.tasks.sweep") is False


def test_with_a_broker_that_hangs_it_says_no_within_a_second(to: pytest.MonkeyPatch) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        to.setitem(celery.app.conf, "broker_url", f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        with taking_at_most(1):
            assert celery.send("games.tasks.sweep") is False


def test_after_a_failure_nobody_waits_again_until_the_pause_is_over(to: pytest.MonkeyPatch) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        to.setitem(celery.app.conf, "broker_url", f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        celery.send("games.tasks.sweep")
        with taking_at_most(0.05):
            assert not any(celery.send("games.tasks.sweep") for _ in range(20))


def test_a_broker_that_came_back_gets_the_next_task_at_once(to: pytest.MonkeyPatch, broker: str, tmp_path: Path) -> None:
    sockets = Path(broker.removeprefix("redis+socket://")).parent
    own = sockets / "b"
    own.mkdir(exist_ok=True)
    to.setitem(celery.app.conf, "broker_url", valkey.url(own))

    def start() -> object:
        started = processes.start(valkey.server(tmp_path, own, tmp_path / "log"))
        while not valkey.ready(own):
            time.sleep(0.02)
        return started

    command = valkey.server(tmp_path, own, tmp_path / "log")
    first = start()
    assert celery.send("games.tasks.sweep") is True
    processes.stop(first, command.stop, 5)  # type: ignore[arg-type]
    second = start()
    try:
        assert celery.send("games.tasks.sweep") is True
    finally:
        processes.stop(second, command.stop, 5)  # type: ignore[arg-type]
    assert celery.send("games.tasks.sweep") is False

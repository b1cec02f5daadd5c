"""The real parts the tests run on, each started when the first test asks for it and ended with the session.

A test of the engine asks for none of them.
"""

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]


def pytest_configure(config: pytest.Config) -> None:
    from remi_site import catalogues

    catalogues.compile_all()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Browser tests come last: what is broken below them shows first."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


# --- PostgreSQL and Valkey -----------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def _folder() -> Iterator[Path]:
    """A folder of this session alone, so that two runs, or a run beside `make run`, never meet."""
    from remi_site.local.stores import socket_folder

    folder = socket_folder()
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def _store(folder: Path, **wanted: bool) -> Iterator[dict[str, str]]:
    from remi_site.local.family import Family
    from remi_site.local.stores import open_stores, socket_folder

    sockets = socket_folder()
    with Family() as family, open_stores(folder, sockets, family, durable=False, **wanted) as addresses:
        yield addresses
    shutil.rmtree(sockets, ignore_errors=True)


@pytest.fixture(scope="session")
def database_url(_folder: Path) -> Iterator[str]:
    """The server the tests' database is made on: DATABASE_URL, or one started here."""
    if os.environ.get("DATABASE_URL"):
        yield os.environ["DATABASE_URL"]
    else:
        for addresses in _store(_folder, database=True, broker=False):
            yield addresses["DATABASE_URL"]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(database_url: str) -> None:
    """pytest-django's hook, before it makes the test database: say where the server is."""
    from django.db import connections

    from remi_site import env

    _empty_past_the_triggers()
    place = env.database(database_url)
    connections.settings["default"].update({key: place[key] for key in ("HOST", "PORT", "USER", "PASSWORD", "NAME", "OPTIONS")})


def _empty_past_the_triggers() -> None:
    """After a test on real transactions all tables are emptied, and some refuse that (games/migrations/0010)."""
    from django.db.backends.postgresql.operations import DatabaseOperations

    plain = DatabaseOperations.sql_flush

    def sql_flush(self: Any, *args: Any, **kwargs: Any) -> list[str]:
        return ["SET LOCAL session_replication_role = replica", *plain(self, *args, **kwargs)]

    DatabaseOperations.sql_flush = sql_flush  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def broker_url(_folder: Path) -> Iterator[str]:
    """A Valkey started for the session."""
    for addresses in _store(_folder, database=False, broker=True):
        yield addresses["BROKER_URL"]


@pytest.fixture(autouse=True)
def _forget_the_broker() -> Iterator[None]:
    """What one test learned of the broker is not the next one's business."""
    yield
    if "remi_site.celery" in sys.modules:
        sys.modules["remi_site.celery"].reset()


@pytest.fixture
def broker(broker_url: str) -> Iterator[str]:
    """An empty broker that this test's tasks go to."""
    import redis

    from remi_site import celery

    with redis.Redis(unix_socket_path=broker_url.removeprefix("redis+socket://")) as client:
        client.flushall()
    before = celery.app.conf["broker_url"]
    celery.app.conf["broker_url"] = broker_url
    celery.reset()
    yield broker_url
    celery.reset()
    celery.app.conf["broker_url"] = before


class Worker:
    """A real Celery worker on the tests' database; the test may kill it and start another."""

    def __init__(self, broker_url: str, log: Path, **env: str) -> None:
        from django.db import connection

        place = connection.settings_dict
        user = place["USER"] + (f":{place['PASSWORD']}" if place["PASSWORD"] else "")
        host = f"{place['HOST']}:{place['PORT']}" if place["HOST"] and not place["HOST"].startswith("/") else ""
        query = f"?host={place['HOST']}" if place["HOST"].startswith("/") else ""
        self._log = log
        self._env = {
            **os.environ,
            "DATABASE_URL": f"postgresql://{user}@{host}/{place['NAME']}{query}",
            "BROKER_URL": broker_url,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "PYTHONWARNINGS": "ignore:You're running the worker with superuser",
            **env,
        }
        self.process: Any = None

    def start(self, *, seconds: float = 30) -> None:
        """Start it and wait until it takes tasks."""
        from remi_site.local import processes

        arguments = [sys.executable, "-m", "celery", "--quiet", "--app", "remi_site.celery:app", "worker"]
        arguments += ["--concurrency", "1", "--loglevel", "INFO", "--without-gossip", "--without-mingle", "--without-heartbeat"]
        before = len(self.told())
        self.process = processes.start(processes.Command("worker", arguments, log=self._log, env=self._env, folder=ROOT))
        end = time.monotonic() + seconds
        while " ready." not in self.told()[before:]:
            assert self.process.poll() is None and time.monotonic() < end, f"the worker does not start:\n{self.told()}"
            time.sleep(0.05)

    def told(self) -> str:
        """What it has logged."""
        return self._log.read_text() if self._log.exists() else ""

    def kill(self) -> None:
        """As a power cut would."""
        from remi_site.local import processes

        processes.stop(self.process, signal.SIGKILL, 5)

    def stop(self) -> None:
        from remi_site.local import processes

        if self.process is not None:
            processes.stop(self.process, signal.SIGTERM, 10)


@pytest.fixture
def worker(transactional_db: None, broker: str, tmp_path: Path) -> Iterator[Worker]:
    """A running worker. (It sees only what is committed, hence the transactional database.)"""
    started = Worker(broker, tmp_path / "worker.log")
    try:
        started.start()
        yield started
    finally:
        started.stop()


# --- Browsers ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """The system's Chromium, driven by Playwright."""
    found = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    if found is None:
        sentence = "No Chromium on PATH; install one (Debian: apt install chromium) to run the browser tests."
        if os.environ.get("REMI_REQUIRE_BROWSER") == "1":
            pytest.fail(sentence, pytrace=False)
        pytest.skip(sentence)
    from playwright.sync_api import sync_playwright

    # Playwright's loop runs in this thread, and Django would take it for a reason to refuse the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)
        yield started
        started.close()


@pytest.fixture
def contexts(browser: "Browser") -> "Iterator[Any]":
    """Make visitors: `contexts(width=390, …)` gives a browser context of its own, closed after the test."""
    with ExitStack() as open_contexts:

        def make(*, width: int = 390, height: int = 844, **options: Any) -> "BrowserContext":
            options.setdefault("locale", "en-GB")
            context = browser.new_context(viewport={"width": width, "height": height}, **options)
            open_contexts.callback(context.close)
            return context

        yield make

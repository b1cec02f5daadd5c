"""PostgreSQL and Valkey as one thing: `open_stores` gives the addresses of running ones and ends them afterwards."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from remi_site.local import postgres, valkey
from remi_site.local.family import Child, Family
from remi_site.local.processes import Refused

# Seconds: recovery after a crash can take a while on a slow disk.
START_LIMIT = 60.0


def rotate(log: Path) -> Path:
    """The path of a log that starts empty; the one before it is kept beside it."""
    log.parent.mkdir(parents=True, exist_ok=True)
    if log.exists():
        log.replace(log.with_suffix(".log.1"))
    return log


def socket_folder() -> Path:
    """A new folder for sockets: their paths may have 107 bytes at most (104 on a Mac), a checkout's any number."""
    folder = Path(tempfile.mkdtemp(prefix="remi-"))
    if len(bytes(folder)) > 80:
        folder.rmdir()
        folder = Path(tempfile.mkdtemp(prefix="remi-", dir="/tmp"))
    return folder


def _wait(child: Child, ready: Callable[[], bool], log: Path) -> None:
    end = time.monotonic() + START_LIMIT
    while not ready():
        if child.process.poll() is not None:
            raise Refused(f"{child.command.name} does not start; {log} says why.")
        if time.monotonic() > end:
            raise Refused(f"{child.command.name} is not ready after {START_LIMIT:.0f} s; see {log}.")
        time.sleep(0.05)


@contextmanager
def open_stores(
    folder: Path, sockets: Path, family: Family, *, database: bool = True, broker: bool = True, durable: bool = True
) -> Iterator[dict[str, str]]:
    """Start what is asked for, keeping its data in `folder`; give DATABASE_URL and BROKER_URL; end it on leaving."""
    addresses: dict[str, str] = {}
    try:
        if database:
            log = rotate(folder / "log" / "postgres.log")
            data = folder / "postgres"
            postgres.initialise(data, log, durable)
            postgres.give(sockets)
            child = family.start(postgres.server(data, sockets, log, durable))
            _wait(child, lambda: postgres.ready(sockets), log)
            addresses["DATABASE_URL"] = postgres.url(sockets)
        if broker:
            log = rotate(folder / "log" / "valkey.log")
            child = family.start(valkey.server(folder / "valkey", sockets, log))
            _wait(child, lambda: valkey.ready(sockets), log)
            addresses["BROKER_URL"] = valkey.url(sockets)
        yield addresses
    finally:
        family.stop()

"""Whose `var` folder it is: one lock, one file that says what runs, one secret key."""

import fcntl
import json
import os
import secrets
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from remi_site.local import processes, stores
from remi_site.local.family import Family
from remi_site.local.processes import Refused


class Held(Refused):
    """Another process holds the folder: the site, which may be starting, or a command."""


class Claim:
    """The right to run the servers of a `var` folder, and the file in which those who come later read what runs."""

    def __init__(self, folder: Path, *, command: bool) -> None:
        self.path = folder / "running.json"
        self.command = command
        self.sockets = stores.socket_folder()
        self.addresses: dict[str, str] = {}
        self.families: list[Family] = []

    def write(self) -> None:
        children = [
            [*born, int(child.command.stop)]
            for family in self.families
            for child in family.children
            if (born := processes.identity(child.process.pid)) is not None
        ]
        about = {"pid": os.getpid(), "command": self.command, "sockets": str(self.sockets)}
        told = json.dumps({**about, "addresses": self.addresses, "children": children})
        fresh = self.path.with_suffix(".new")
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(told)
        fresh.replace(self.path)


def clear_leftovers(path: Path) -> None:
    """End what a run that was killed has left behind, the newest first, and its sockets."""
    left = read(path)
    for pid, born, by in reversed(left.get("children", [])):
        processes.clear(pid, born, signal.Signals(by))
    if left.get("sockets"):
        shutil.rmtree(left["sockets"], ignore_errors=True)
    path.unlink(missing_ok=True)


def read(path: Path) -> dict[str, Any]:
    """What the file says; nothing when there is none, or a half-written one."""
    try:
        told: dict[str, Any] = json.loads(path.read_text())
        return told
    except (FileNotFoundError, ValueError):
        return {}


def _in_the_way(told: dict[str, Any]) -> str:
    """Why the site cannot start here, by what the file of another says."""
    pid = told.get("pid", "?")
    if told.get("command"):
        return f"A command of `make manage` runs here (process {pid}). Start the site when it has ended."
    return f"Remi is running here already (process {pid}). A second copy needs a checkout of its own."


@contextmanager
def claim(folder: Path, *, command: bool = False) -> Iterator[Claim]:
    """Hold the folder while the block runs, for the site or for a command. Held when another process does."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Held(_in_the_way(read(folder / "running.json"))) from None
        clear_leftovers(folder / "running.json")
        held = Claim(folder, command=command)
        try:
            held.write()
            yield held
        finally:
            shutil.rmtree(held.sockets, ignore_errors=True)
            held.path.unlink(missing_ok=True)


def secret_key(folder: Path) -> str:
    """The key that signs sessions here; made once."""
    path = folder / "secret_key"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
    return path.read_text().strip()

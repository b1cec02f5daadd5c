"""Child processes that never outlive us: starting, stopping and, after a crash of ours, clearing away."""

import ctypes
import os
import pwd
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

PR_SET_PDEATHSIG = 1


class Refused(Exception):
    """The servers cannot be started here; the text says why and what to do."""


@dataclass(frozen=True)
class Command:
    """A process to run. `stop` is the signal that ends it in good order; `log` takes its output (None: our own)."""

    name: str
    arguments: Sequence[str]
    stop: signal.Signals = signal.SIGTERM
    log: Path | None = None
    user: str | None = None
    env: Mapping[str, str] | None = None
    folder: Path = Path("/")


def _die_with_parent(stop: signal.Signals) -> Callable[[], None] | None:
    """What a child does before its program starts: ask Linux for a signal when its parent is gone, even by kill -9."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return lambda: libc.prctl(PR_SET_PDEATHSIG, int(stop), 0, 0, 0)


def start(command: Command) -> "subprocess.Popen[bytes]":
    """Start it in a session of its own, so that Ctrl-C reaches us alone and we end the children in order."""
    options: dict[str, Any] = {}
    if command.user is not None:
        options = {"user": command.user, "group": primary_group(command.user), "extra_groups": []}
    log = command.log.open("ab") if command.log else None
    try:
        return subprocess.Popen(
            command.arguments,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT if log else None,
            env=dict(command.env) if command.env is not None else None,
            cwd=command.folder,
            start_new_session=True,
            preexec_fn=_die_with_parent(command.stop),
            **options,
        )
    finally:
        if log:
            log.close()


def primary_group(user: str) -> int:
    return pwd.getpwnam(user).pw_gid


def run(command: Command) -> int:
    """Run it to its end and give its exit code; when we are interrupted, so is it."""
    process = start(command)
    try:
        return process.wait()
    except BaseException:
        stop(process, command.stop, 5)
        raise


def stop(process: "subprocess.Popen[bytes]", by: signal.Signals, seconds: float) -> None:
    """End a child and all it started: with its signal first, after `seconds` by force."""
    if process.poll() is None:
        process.send_signal(by)
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def identity(pid: int) -> tuple[int, float] | None:
    """The process's number and birth, which together name it for good; None when it is gone."""
    try:
        return pid, psutil.Process(pid).create_time()
    except psutil.NoSuchProcess:
        return None


def clear(pid: int, born: float, by: signal.Signals, seconds: float = 10) -> None:
    """End a process left by an earlier run of ours that was killed. A newcomer with the same number is not touched."""
    try:
        process = psutil.Process(pid)
        if process.create_time() != born:
            return
        family = [process, *process.children(recursive=True)]
        process.send_signal(by)
        _, alive = psutil.wait_procs(family, timeout=seconds)
        for member in alive:
            with suppress(psutil.NoSuchProcess):
                member.kill()
        psutil.wait_procs(alive, timeout=seconds)
    except psutil.NoSuchProcess:
        return

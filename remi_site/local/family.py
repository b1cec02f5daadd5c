"""A family of children that are kept alive together and ended together."""

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from remi_site.local import processes
from remi_site.local.processes import Command

# A child that lived this long, in seconds, had started well: its next death counts as a first one.
STEADY = 60.0
LONGEST_PAUSE = 30.0


def say(line: str) -> None:
    print(line, flush=True)


@dataclass
class Child:
    command: Command
    process: "subprocess.Popen[bytes]"
    started: float
    deaths: int = 0
    again_at: float | None = None


class Family:
    """Starts children, starts the dead again, and on leaving ends all. `changed` is called whenever a process is new."""

    def __init__(self, changed: Callable[[], None] = lambda: None, patience: float = 10.0) -> None:
        self.children: list[Child] = []
        self._changed = changed
        self._patience = patience

    def start(self, command: Command) -> Child:
        child = Child(command, processes.start(command), time.monotonic())
        self.children.append(child)
        self._changed()
        return child

    def revive(self) -> None:
        """Start again whoever died: at once the first time, then after a pause that doubles."""
        now = time.monotonic()
        for child in self.children:
            if child.process.poll() is None:
                continue
            if child.again_at is None:
                child.deaths = 1 if now - child.started > STEADY else child.deaths + 1
                pause = 0.0 if child.deaths == 1 else min(LONGEST_PAUSE, 2.0 ** (child.deaths - 1))
                child.again_at = now + pause
                when = f"in {pause:.0f} s" if pause else "at once"
                say(f"{child.command.name} ended ({child.process.returncode}); it starts again {when}.")
                processes.stop(child.process, child.command.stop, 0)
            if now >= child.again_at:
                child.process, child.started, child.again_at = processes.start(child.command), now, None
                self._changed()

    def stop(self) -> None:
        """End all, side by side, each by its own signal; whoever dawdles is killed."""
        alive = [child for child in self.children if child.process.poll() is None]
        for child in alive:
            child.process.send_signal(child.command.stop)
        end = time.monotonic() + self._patience
        for child in self.children:
            processes.stop(child.process, child.command.stop, max(0.0, end - time.monotonic()))
        self.children.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

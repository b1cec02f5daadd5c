"""The command line: `run` serves the site, `manage …` runs a Django command on its database."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from types import FrameType

from remi_site.local.claim import Held, claim, read
from remi_site.local.family import Family, say
from remi_site.local.processes import Refused
from remi_site.local.serve import ROOT, environment, serve, var_folder
from remi_site.local.stores import open_stores

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LOOK_AGAIN = 0.25
"""Seconds between two looks whether what is waited for is there."""


def _interrupt(number: int, frame: FrameType | None) -> None:
    """The first request to end starts the ending; those that follow change nothing."""
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    raise KeyboardInterrupt


def manage(arguments: Sequence[str]) -> int:
    """Run `manage.py` on the servers that run here, or on ones started for as long as it takes.

    While the site is starting, or another command runs, it waits: for the database to be made ready, or free.
    """
    if os.environ.get("DATABASE_URL"):
        return _run(arguments, {})
    told = False
    while True:
        try:
            return _run_alone(arguments)
        except Held:
            running = read(var_folder() / "running.json")
        if running.get("addresses"):
            return _run(arguments, running["addresses"])
        if not told:
            what = "Another command runs here" if running.get("command") else "Remi is starting here"
            print(f"{what} (process {running.get('pid', '?')}): waiting for it. Ctrl-C gives up.", file=sys.stderr, flush=True)
            told = True
        time.sleep(LOOK_AGAIN)


def _run(arguments: Sequence[str], addresses: dict[str, str]) -> int:
    # Ctrl-C reaches the command itself, which knows what to do with it.
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        command = [sys.executable, str(ROOT / "manage.py"), *arguments]
        return subprocess.run(command, env=environment(var_folder(), addresses)).returncode
    finally:
        signal.signal(signal.SIGINT, before)


def _run_alone(arguments: Sequence[str]) -> int:
    """On servers of its own. Held where another process has the folder."""
    var = var_folder()
    with claim(var, command=True) as held, Family(held.write) as stores:
        held.families.append(stores)
        with open_stores(var, held.sockets, stores) as addresses:
            return _run(arguments, addresses)


def main(arguments: Sequence[str]) -> int:
    for ending in ENDINGS:
        # Whoever started us with nohup wants us to outlive the terminal.
        if ending is not signal.SIGHUP or signal.getsignal(ending) is not signal.SIG_IGN:
            signal.signal(ending, _interrupt)
    try:
        match arguments:
            case ["run"]:
                serve()
            case ["manage", *rest]:
                return manage(rest)
            case _:
                say("usage: python -m remi_site.local run | manage COMMAND…")
                return 2
    except KeyboardInterrupt:
        if arguments[0] == "manage":
            return 130  # as a shell says it
        say("Remi has ended.")
    except Refused as refused:
        print(refused, file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

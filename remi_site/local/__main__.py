"""The command line: `run` serves the site, `manage …` runs a Django command on its database."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from types import FrameType

from remi_site.local.claim import claim, read
from remi_site.local.family import Family, say
from remi_site.local.processes import Refused
from remi_site.local.serve import ROOT, environment, serve, var_folder
from remi_site.local.stores import open_stores

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """The first request to end starts the ending; those that follow change nothing."""
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    raise KeyboardInterrupt


def manage(arguments: Sequence[str]) -> int:
    """Run `manage.py` on the servers that run here, or on ones started for as long as it takes."""
    var = var_folder()
    # Ctrl-C reaches the command itself, which knows what to do with it.
    signal.signal(signal.SIGINT, lambda number, frame: None)

    def run(addresses: dict[str, str]) -> int:
        command = [sys.executable, str(ROOT / "manage.py"), *arguments]
        return subprocess.run(command, env=environment(var, addresses)).returncode

    if os.environ.get("DATABASE_URL"):
        return run({})
    try:
        with claim(var) as held, Family(held.write) as stores:
            held.families.append(stores)
            with open_stores(var, held.sockets, stores) as addresses:
                return run(addresses)
    except Refused:
        addresses = read(var / "running.json").get("addresses", {})
        if not addresses:
            raise
        return run(addresses)


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
        say("Remi has ended.")
    except Refused as refused:
        print(refused, file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

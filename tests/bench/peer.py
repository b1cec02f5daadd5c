"""Other engines, each a small script in an environment of its own (`.venv-bench`), asked line by line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from .measure import Run

SCRIPTS = Path(__file__).parent / "peers"


class Peer:
    """A peer's script while it runs. `there` is false where the peer is not installed; it then answers nothing."""

    def __init__(self, script: str) -> None:
        python = os.environ.get("BENCH_PEERS", "")
        self.there = False
        self._process: subprocess.Popen[str] | None = None
        if python and Path(python).exists():
            self._process = subprocess.Popen(
                [python, str(SCRIPTS / script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            self.there = self._read() == "ready"
        if not self.there:
            print(f"without {script.removesuffix('.py')}: not installed in the environment BENCH_PEERS", file=sys.stderr)

    def ask(self, line: str) -> str:
        """The peer's answer to a line. Raises RuntimeError where it has gone."""
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._read()
        if not answer:
            raise RuntimeError("a peer has broken down")
        return answer

    def run(self, what: str) -> Run:
        """One of the things that a peer made with `serve` does, as a run."""
        return lambda seconds: float(self.ask(f"{what} {seconds}"))

    def close(self) -> None:
        """End the script."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait(timeout=10)

    def _read(self) -> str:
        assert self._process is not None and self._process.stdout is not None
        return self._process.stdout.readline().strip()

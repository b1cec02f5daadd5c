"""`python -m tests.bench [part …] [--rounds N] [--seconds S] [--json FILE]`: measure, print a table, write JSON."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from .measure import Budget, Line, spread, timed

PARTS = ["engine", "finder", "selfplay", "server", "sweep", "replay", "audit", "leagues"]
"""The modules of this package that measure something, in the order in which they do."""


def main() -> int:
    """Measure the parts that are named, or all."""
    options = _options()
    budget = Budget(options.rounds, options.seconds)
    noise = _noise(budget)
    began = time.monotonic()
    found: dict[str, list[Line]] = {}
    for part in options.parts or PARTS:
        print(f"measuring: {part} …", file=sys.stderr, flush=True)
        found[part] = importlib.import_module(f"{__package__}.{part}").run(budget)
    _print(found)
    print(f"\nMachine noise: the same loop took times that lie {noise:.0%} apart. {budget.rounds} rounds, "
          f"{time.monotonic() - began:.0f} s in all.")  # fmt: skip
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(_data(found, noise, budget), indent=1) + "\n", encoding="utf-8")
    print(f"Written to {options.json}")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Speed, as ratios measured in one run.")
    parser.add_argument("parts", nargs="*", metavar="part", help=f"some of {', '.join(PARTS)}; all by default")
    parser.add_argument("--rounds", type=int, default=Budget().rounds)
    parser.add_argument("--seconds", type=float, default=Budget().seconds, help="of each contender in a round")
    parser.add_argument("--json", type=Path, default=Path("var/bench.json"), help="where the figures are written")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part of the bench: {', '.join(sorted(unknown))}")
    return options


def _noise(budget: Budget) -> float:
    """How far apart the rounds of one and the same loop lie: what no figure below can be surer than."""
    loop = timed(lambda: sum(range(10_000)) // 10_000)
    return spread([loop(budget.seconds / 3) for _ in range(budget.rounds)])


def _print(found: dict[str, list[Line]]) -> None:
    for part, lines in found.items():
        print(f"\n{part}")
        width = max(len(line.name) for line in lines)
        for line in lines:
            print("  " + _row(line, width))


def _row(line: Line, width: int) -> str:
    row = f"{line.name:<{width}}  {line.value:>12,.{2 if line.value < 100 else 0}f} {line.unit:<11} ±{line.spread / 2:>4.0%}"
    if line.ratio is not None:
        row += f"  {line.ratio:>7.2f} × {line.beside}"
    if line.asked is not None:
        mark = "reached" if line.kept else "MISSED"
        row += f"  (asked: {'≥' if line.least else '≤'} {line.asked:g}: {mark})"
    return row + (f"  {line.note}" if line.note else "")


def _data(found: dict[str, list[Line]], noise: float, budget: Budget) -> dict[str, object]:
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": {"cpus": os.cpu_count(), "architecture": platform.machine()},
        "noise": noise,
        "budget": budget._asdict(),
        "parts": {part: [{**line._asdict(), "kept": line.kept} for line in lines] for part, lines in found.items()},
    }


if __name__ == "__main__":
    sys.exit(main())

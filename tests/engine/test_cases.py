"""The recorded cases of tests/cases, each one held to the command line's own functions (docs/notation.md).

A case is {"name", "rule", "record", "expect"}. `record` is replayed and every key of `expect` must come back equal; `legal` among
them is compared with the list of legal moves. Cases of a game that the engine does not know are not collected.
"""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.engine import VARIANTS
from games.engine.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "cases"
NOT_YET = {"etalat"} - set(VARIANTS)

Case = dict[str, Any]
CommandLine = Callable[[str, object], tuple[int, Any]]

ALL = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))]
CASES: list[Case] = [case for case in ALL if case["record"]["variant"] not in NOT_YET]
WITH_LEGAL = [case for case in CASES if "legal" in case["expect"]]


def sentence(case: Case) -> str:
    return f"§{case['rule']} {case['name']}"


@pytest.fixture
def command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """Runs `main([verb, "-"])` on a record given on standard input; returns exit status and the JSON it printed."""

    def run(verb: str, record: object) -> tuple[int, Any]:
        text = json.dumps(record).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text), encoding="utf-8"))
        status = main([verb, "-"])
        printed = capsys.readouterr()
        assert printed.err == ""
        return status, json.loads(printed.out)

    return run


@pytest.mark.parametrize("case", CASES, ids=sentence)
def test_the_case_replays_as_expected(case: Case, command_line: CommandLine) -> None:
    expect = {key: value for key, value in case["expect"].items() if key != "legal"}
    status, answer = command_line("replay", case["record"])
    assert {key: answer.get(key) for key in expect} == expect
    assert status == (0 if answer["ok"] else 1)


@pytest.mark.parametrize("case", WITH_LEGAL, ids=sentence)
def test_the_case_lists_the_legal_moves(case: Case, command_line: CommandLine) -> None:
    status, moves = command_line("legal", case["record"])
    assert moves == case["expect"]["legal"]
    assert status == 0


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_each_game_has_a_case_for_every_way_its_deals_end(variant: str) -> None:
    ends = {
        deal["reason"]
        for case in CASES
        for deal in case["expect"].get("deals", [])
        if case["record"]["variant"] == variant and deal["over"]
    }
    ways = {
        "remi500": {"out", "stock", "resigned"},
        "rami500": {"out", "stock", "stalled"},
        "etalat": {"out", "stock", "spoiled", "board"},
    }
    assert ways[variant] <= ends


def test_the_true_program_answers_as_its_functions_do(command_line: CommandLine) -> None:
    for name in ("the-hand-counts-against", "deep-take-must-be-used"):
        case = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        done = subprocess.run(
            [sys.executable, "-m", "games.engine", "replay", "-"],
            input=json.dumps(case["record"]),
            capture_output=True,
            text=True,
            cwd=ROOT,
            timeout=60,
            check=False,
        )
        assert (done.returncode, json.loads(done.stdout)) == command_line("replay", case["record"])
        assert done.stderr == ""

"""The command line: `python -m games.engine replay|legal|verify|deal` (docs/notation.md)."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.engine.__main__ import main

from .evident import evident
from .test_record import a_record

ROOT = Path(__file__).resolve().parents[2]


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, Any]:
    status = main(list(argv))
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.count("\n") == 1
    return status, json.loads(printed.out)


@pytest.fixture
def record_file(tmp_path: Path) -> Path:
    record = a_record()
    record["deals"][0]["moves"] = ["0 S"]
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    return file


def test_replay_tells_the_deals_the_totals_and_the_state(capsys: pytest.CaptureFixture[str], record_file: Path) -> None:
    status, told = run(capsys, "replay", str(record_file))
    assert status == 0
    assert list(told) == ["ok", "deals", "totals", "winner", "state"]
    assert told["deals"] == [{"over": False, "reason": None, "laid": [0, 0], "scores": None, "out": None}]
    state = told["state"]
    assert list(state) == ["phase", "to_move", "stock", "row", "hands", "melds", "must_use"]
    assert (state["phase"], state["to_move"], state["stock"], [len(hand) for hand in state["hands"]]) == ("play", 0, 38, [8, 7])
    assert all(hand == sorted(hand) for hand in state["hands"])


def test_replay_of_a_record_without_deals_has_no_state(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(a_record() | {"deals": []}), encoding="utf-8")
    assert run(capsys, "replay", str(file)) == (
        0,
        {"ok": True, "deals": [], "totals": [0, 0], "winner": None, "state": None},
    )
    assert run(capsys, "legal", str(file)) == (0, [])


def test_verify_tells_what_holds_and_fails_where_something_does_not(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, record = tmp_path / "record.json", evident(deals=1)
    file.write_text(json.dumps(record), encoding="utf-8")
    status, told = run(capsys, "verify", str(file))
    assert (status, told["ok"], list(told)) == (
        0, True, ["ok", "log", "deals", "voided", "rulings", "totals", "winner"],
    )  # fmt: skip
    assert told["deals"] == [
        {"algorithm": "remi-shuffle/2", "deck": True, "seal": True, "key": True, "moves": True, "scores": True}
    ]
    record["log"]["rows"].pop()
    file.write_text(json.dumps(record), encoding="utf-8")
    status, told = run(capsys, "verify", str(file))
    assert (status, told["ok"], told["log"]["chain"]) == (1, False, False)
    record["deals"][0]["moves"].append("0 S")
    file.write_text(json.dumps(record), encoding="utf-8")
    status, told = run(capsys, "verify", str(file))
    assert (status, told["error"], told["deal"], told["move"]) == (1, "deal_over", 0, len(record["deals"][0]["moves"]) - 1)


def test_legal_lists_sorted_moves(capsys: pytest.CaptureFixture[str], record_file: Path) -> None:
    status, moves = run(capsys, "legal", str(record_file))
    assert status == 0
    assert moves == sorted(moves)
    assert sum(move.startswith("D:") for move in moves) >= 6


def test_standard_input_is_read_for_a_dash(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(a_record()).encode())))
    assert run(capsys, "replay", "-")[1]["state"]["to_move"] == 0


@pytest.mark.parametrize("verb", ["replay", "legal"])
def test_a_record_that_breaks_a_rule_is_told_where(capsys: pytest.CaptureFixture[str], tmp_path: Path, verb: str) -> None:
    record = a_record()
    record["deals"][0]["moves"] = ["0 S", "0 D:*9H"]
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    status, told = run(capsys, verb, str(file))
    assert status == 1
    assert list(told) == ["ok", "deal", "move", "error", "message"]
    assert (told["ok"], told["deal"], told["move"], told["error"]) == (False, 0, 1, "bad_notation")
    assert told["message"]


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"null", b"[]", b"7", b"\xff\xfe", b'{"format": "remi-record/1"}', b"[" * 5_000, b'"' + b"x" * 100, b"NaN"],
    ids=lambda content: repr(content[:12]),
)
@pytest.mark.parametrize("verb", ["replay", "legal"])
def test_a_file_that_is_no_record_is_a_bad_record(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, verb: str, content: bytes
) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(content)
    status, told = run(capsys, verb, str(file))
    assert (status, told["ok"], told["error"], told["deal"], told["move"]) == (1, False, "bad_record", None, None)


@pytest.mark.parametrize("verb", ["replay", "legal"])
def test_a_file_that_is_not_there_is_a_bad_record(capsys: pytest.CaptureFixture[str], tmp_path: Path, verb: str) -> None:
    for missing in (tmp_path / "nothing.json", tmp_path):
        status, told = run(capsys, verb, str(missing))
        assert (status, told["error"]) == (1, "bad_record")


def test_a_file_that_is_not_there_reads_otherwise_than_one_that_is_no_json(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "record.json"
    assert "No such file" in run(capsys, "verify", str(file))[1]["message"]
    file.write_text("Ana 55, Bogdan -43", encoding="utf-8")
    assert "no JSON" in run(capsys, "verify", str(file))[1]["message"]


@pytest.mark.parametrize(("variant", "seats", "cards"), [("remi500", 2, 54), ("remi500", 8, 108), ("rami500", 4, 54)])
def test_deal_prints_a_record_that_can_be_replayed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, variant: str, seats: int, cards: int
) -> None:
    status, record = run(capsys, "deal", "--variant", variant, "--seats", str(seats), "--seed", "ana")
    assert (status, record["format"], record["variant"], len(record["seats"])) == (0, "remi-record/1", variant, seats)
    assert len(record["deals"][0]["deck"].split()) == cards
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert run(capsys, "replay", str(file))[1]["ok"] is True


def test_the_same_seed_gives_the_same_deck_and_another_seed_another(capsys: pytest.CaptureFixture[str]) -> None:
    def deal(seed: str) -> Any:
        return run(capsys, "deal", "--variant", "remi500", "--seats", "3", "--seed", seed)[1]

    assert deal("ana") == deal("ana")
    assert deal("ana")["deals"][0]["deck"] != deal("bogdan")["deals"][0]["deck"]


def test_deal_refuses_seats_that_the_game_does_not_have(capsys: pytest.CaptureFixture[str]) -> None:
    status, told = run(capsys, "deal", "--variant", "rami500", "--seats", "5", "--seed", "ana")
    assert (status, told["error"]) == (1, "bad_record")


def test_the_command_line_needs_neither_django_nor_anything_else_of_the_project() -> None:
    code = (
        "import sys, games.engine.__main__; "
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'django', 'celery', 'remi_site', 'accounts'}), "
        "sorted(m for m in sys.modules if m.startswith('games.') and not m.startswith('games.engine')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60, check=True)
    assert done.stdout.strip() == "[] []"

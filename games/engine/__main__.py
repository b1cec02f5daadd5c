"""The command line: `python -m games.engine replay|legal|verify|deal|match` (docs/notation.md)."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from .errors import RuleError
from .legal import legal_moves
from .moves import text
from .record import FORMAT, RecordError, replay, summary
from .shuffle import deck_text, seed_of, shuffled
from .variants import VARIANTS, rules_for


def main(argv: list[str] | None = None) -> int:
    """Run one command; print one JSON value; 0, or 1 for a record that breaks a rule or does not hold."""
    args = _parser().parse_args(argv)
    try:
        answer = args.run(args)
    except RuleError as fault:
        answer = {
            "ok": False,
            "deal": getattr(fault, "deal", None),
            "move": getattr(fault, "move", None),
            "error": fault.code,
            "message": str(fault),
        }
        print(json.dumps(answer))
        return 1
    print(json.dumps(answer))
    return int(isinstance(answer, dict) and not answer.get("ok", True))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games.engine", description="Rules of Remi and Rami, on the command line.")
    commands = parser.add_subparsers(required=True)
    for name, run, told in (
        ("replay", _replay, "play a record and tell the state at its end"),
        ("legal", _legal, "list the legal moves at the end of a record"),
        ("verify", _verify, "check a record's shuffles, and its moves and scores by the chain of its log"),
    ):
        command = commands.add_parser(name, help=told)
        command.add_argument("file", help="a record, or - for standard input")
        command.set_defaults(run=run)
    deal = commands.add_parser("deal", help="print a fresh record with a shuffled first deal")
    deal.add_argument("--variant", required=True, choices=sorted(VARIANTS))
    deal.add_argument("--seats", required=True, type=int)
    deal.add_argument("--seed", required=True)
    deal.set_defaults(run=_deal)
    match = commands.add_parser("match", help="play matches of computer players and count them")
    match.add_argument("--variant", required=True, choices=sorted(VARIANTS))
    match.add_argument("--bots", required=True, type=lambda names: names.split(","), help="one for each seat: greedy,random")
    match.add_argument("--matches", required=True, type=int)
    match.add_argument("--seed", required=True)
    match.set_defaults(run=_match)
    return parser


def _bytes(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    with open(file, "rb") as source:  # pathlib would be a sixth of the time in which this program answers
        return source.read()


def _read(file: str) -> Any:
    try:
        return json.loads(_bytes(file))
    except OSError as fault:
        raise RecordError(RuleError("bad_record", field="file", reason=fault.strerror or "unreadable"), None, None) from None
    except (ValueError, RecursionError):
        raise RecordError(RuleError("bad_record", field="file", reason="no JSON"), None, None) from None


def _replay(args: argparse.Namespace) -> Any:
    return summary(replay(_read(args.file)))


def _verify(args: argparse.Namespace) -> Any:
    from .verify import verify  # the other commands answer sooner without hashes

    return verify(_read(args.file))


def _legal(args: argparse.Namespace) -> Any:
    deals = replay(_read(args.file)).deals
    if not deals:
        return []
    return sorted(text(move, deals[-1].rules.alphabet) for move in legal_moves(deals[-1]))


def _deal(args: argparse.Namespace) -> Any:
    rules = rules_for(args.variant, args.seats)
    seed = seed_of(args.seed)
    deck = deck_text(rules, shuffled(rules, seed))
    seats = [f"P{seat}" for seat in range(args.seats)]
    # the first dealer is drawn at random too (§1.1): by the seed, so that one text gives one record
    first = {"dealer": seed[-1] % args.seats, "deck": deck, "moves": []}
    return {"format": FORMAT, "variant": args.variant, "options": rules.options, "seats": seats, "deals": [first]}


def _match(args: argparse.Namespace) -> Any:
    from .arena import play_matches  # the other commands answer sooner without the computer players

    return play_matches(args.variant, args.bots, args.matches, args.seed)


if __name__ == "__main__":
    sys.exit(main())

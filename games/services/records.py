"""Records of matches as `remi-record/1` (docs/notation.md), with what a stranger needs to check them (docs/evidence.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games import engine
from games.engine import chain, rulings
from games.engine.record import FORMAT
from games.models import Deal, Game
from games.selectors.holding import Played, played_by
from games.services import evidence
from games.services.evidence import LogRow


def export(*, game: Game, names: Sequence[str]) -> dict[str, Any]:
    """The record of a match, the seats by these names. A deal that is played is left out, and all the log after it: so the
    rulings are those made before it.

    Decks, seeds and lines added are of closed deals, and so are the answers before play: nothing here is secret any more.
    """
    deals = list(game.deals.order_by("number"))
    entries = _told(game, next((row.number for row in deals if not row.closed), len(deals)))
    ruled = rulings.told(entries, game.seat_count)  # type: ignore[arg-type]
    moves: dict[int | None, list[LogRow]] = {}
    for entry in evidence.valid_moves(entries):
        moves.setdefault(entry.deal, []).append(entry)
    turns: dict[int, list[Played]] = {}
    for played in played_by(game=game):
        turns.setdefault(played.deal, []).append(played)
    told = {row.number: _deal(game, row, moves.get(row.number, []), turns.get(row.number, [])) for row in deals if row.closed}
    record = {
        "format": FORMAT,
        "variant": game.variant,
        "options": game.options,
        "rules_version": game.rules_version,
        "seats": list(names),
        "deals": [deal for number, deal in told.items() if number not in ruled.voided],
    }
    if ruled.voided or ruled.listed:
        record |= {"voided": [told[number] for number in sorted(ruled.voided)], "rulings": ruled.listed}
    log = {
        "algorithm": chain.ALGORITHM,
        "code": game.code,
        "rows": [[*evidence.content(entry), *([entry.salt] if entry.salt else [])] for entry in entries],
        "head": entries[-1].hash if entries else "",
    }
    return {**record, "log": log}


def _told(game: Game, closed: int) -> list[LogRow]:
    """The rows of a log from the first on, up to where the deal begins that comes after so many that are closed."""
    found = []
    for entry in evidence.rows(game):
        if entry.deal is not None and entry.deal >= closed:
            break
        found.append(entry)
    return found


def _deal(game: Game, row: Deal, moves: list[LogRow], turns: list[Played]) -> dict[str, Any]:
    lines = row.contributions
    return {
        "number": row.number,
        "dealer": row.dealer,
        "deck": row.deck,
        "moves": [f"{entry.seat} {entry.text}" for entry in moves],
        "played_by": [turn._asdict() for turn in turns],
        "shuffle": {
            "algorithm": row.algorithm,
            "id": engine.deal_id(game.code, row.number),
            "seed": bytes(row.seed).hex(),
            "contributions": lines,
        },
    }

"""Records of matches as `remi-record/1` (docs/notation.md), with what a stranger needs to check them (docs/evidence.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games import engine
from games.engine import chain
from games.engine.record import FORMAT
from games.models import Deal, Game
from games.selectors.holding import Played, played_by
from games.services import evidence
from games.services.evidence import LogRow


def export(*, game: Game, names: Sequence[str]) -> dict[str, Any]:
    """The record of a match, the seats by these names. A deal that is not counted yet is left out, and all the log after it.

    Decks, seeds and lines added are of finished deals, and so are the answers before play: nothing here is secret any more.
    """
    deals = list(game.deals.filter(scored=True).order_by("number"))
    entries = _told(game, len(deals))
    moves: dict[int | None, list[LogRow]] = {}
    for entry in evidence.valid_moves(entries):
        moves.setdefault(entry.deal, []).append(entry)
    turns: dict[int, list[Played]] = {}
    for played in played_by(game=game):
        turns.setdefault(played.deal, []).append(played)
    return {
        "format": FORMAT,
        "variant": game.variant,
        "options": game.options,
        "rules_version": game.rules_version,
        "seats": list(names),
        "deals": [_deal(game, row, moves.get(row.number, []), turns.get(row.number, [])) for row in deals],
        "log": {
            "algorithm": chain.ALGORITHM,
            "code": game.code,
            "rows": [[*evidence.content(entry), *([entry.salt] if entry.salt else [])] for entry in entries],
            "head": entries[-1].hash if entries else "",
        },
    }


def _told(game: Game, finished: int) -> list[LogRow]:
    """The rows of a log from the first on, up to where a deal that is not counted begins."""
    found = []
    for entry in evidence.rows(game):
        if entry.deal is not None and entry.deal >= finished:
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

"""Table and ledger as CSV and JSON, line by line, for spreadsheets and programs. Names as they are now; no other personal data.

In CSV a name or a reason that a spreadsheet would take for a formula gets an apostrophe before it.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from accounts.leagues import selectors
from accounts.leagues.presenters import player_name
from accounts.models import LedgerRow, Season, Standing
from games.selectors import may_see, reliability

TABLE = (
    "rank", "player", "matches", "won", "points", "laps", "deals", "average", "best", "outs", "deals_won", "head_to_head",
    "forfeits", "server_turns", "last", "provisional",
    "reliability",
)  # fmt: skip
LEDGER = (
    "number", "at", "player", "kind", "points", "table", "deal", "counting", "server_turns", "out", "won", "place", "counts",
    "reason", "author", "written",
)  # fmt: skip
FORMULA = re.compile(r"(^|;)(?=\s*[=+\-@＝＋－＠\t\r\n])")
"""Where a cell could begin: many a spreadsheet of our readers takes a semicolon for the end of one, whatever stands around."""


def table_rows(season: Season) -> Iterator[dict[str, Any]]:
    """The lines of the table, by the names of `TABLE`."""
    provisional = selectors.provisional_players(season=season)
    lines = list(selectors.table(season=season))
    in_time = reliability(line.player_id for line in lines)
    for line in lines:
        yield _table_row(line, line.player_id in provisional, in_time[line.player_id])


def ledger_rows(season: Season) -> Iterator[dict[str, Any]]:
    """The rows of the ledger in the order in which they were written, by the names of `LEDGER`."""
    rows = (
        selectors.rows(season=season)
        .select_related("player", "author", "match__game", "deal")
        .defer("deal__state", "deal__deck", "deal__seed")
    )
    for row in rows.order_by("pk").iterator(2_000):
        yield _ledger_row(row)


def csv_lines(names: Iterable[str], rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Each row as a line, below one of the names."""
    writer = csv.writer(_Echo())
    yield writer.writerow(names)
    for row in rows:
        yield writer.writerow([_cell(value) for value in row.values()])


def json_lines(season: Season, name: str, rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """One JSON object: what season it is, and under `name` the rows, each on a line."""
    head = {
        "format": f"remi-league-{name}/1",
        "league": season.league.name,
        "season": season.number,
        "starts": _moment(season.starts_at),
        "status": season.status,
        "ended": season.ended_at and _moment(season.ended_at),
    }
    yield json.dumps(head, ensure_ascii=False)[:-1] + f', "{name}": ['
    before = "\n"
    for row in rows:
        yield before + json.dumps(row, ensure_ascii=False)
        before = ",\n"
    yield "\n]}\n"


class _Echo:
    """A file that hands back what is written to it."""

    def write(self, line: str) -> str:
        return line


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return FORMULA.sub(r"\1'", value) if isinstance(value, str) else value


def _table_row(line: Standing, provisional: bool, in_time: int | None) -> dict[str, Any]:
    given = {name: getattr(line, name) for name in TABLE if name not in ("player", "average", "provisional", "reliability")}
    given |= {
        "player": player_name(line.player),
        "average": None if line.average is None else round(line.average, 2),
        "provisional": provisional,
        "reliability": in_time,
    }
    return {name: given[name] for name in TABLE}


def _ledger_row(row: LedgerRow) -> dict[str, Any]:
    values = (
        row.pk, _moment(row.at), player_name(row.player), row.kind, row.points, _table(row),
        row.deal.number if row.deal else None, row.counting, row.server_turns, row.out, row.won, row.place, row.counts,
        row.reason,
        player_name(row.author) if row.author else None, _moment(row.made_at),
    )  # fmt: skip
    return dict(zip(LEDGER, values, strict=True))


def _table(row: LedgerRow) -> str | None:
    """The code of the table. While it is played and not for everybody, its code opens it to whoever might sit down there."""
    game = row.match.game if row.match else None
    return game.code if game is not None and (game.ended_at is not None or may_see(game, False)) else None


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

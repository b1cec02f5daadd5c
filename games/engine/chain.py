"""The chain of a log, `remi-log/1`: each row's hash holds that of the row before, so no row changes unseen (docs/evidence.md).

The hash of a row is the SHA-256 of three lines: the hash before, the row's salt, its content as canonical JSON. In place of
a hash before the first row stands that of the name of this algorithm and the code of the table, in two lines.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, Protocol, TypeVar

ALGORITHM = "remi-log/1"
MOVE, ROLLED_BACK = "move", "rolled_back"


class Told(Protocol):
    """Of a row what says whether its move stands."""

    @property
    def number(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def facts(self) -> dict[str, Any]: ...


class Row(NamedTuple):
    """What of a row enters its hash, in this order: nobody's name or account."""

    number: int
    at: str
    kind: str
    actor: str
    seat: int | None
    deal: int | None
    text: str
    facts: dict[str, Any]


AnyRow = TypeVar("AnyRow", bound=Told)

_encoded = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def root(code: str) -> str:
    """What stands before the first row of a table's log."""
    return _sha256(f"{ALGORITHM}\n{code}")


def link(before: str, salt: str, content: Sequence[Any]) -> str:
    """The hash of a row after the one whose hash is `before`. `salt` is empty but where the row is secret for a while."""
    return _sha256(f"{before}\n{salt}\n{canonical(content)}")


def canonical(value: Any) -> str:
    """JSON without spaces, keys in order of their code points, ASCII alone."""
    return _encoded(value)


def moment(at: datetime) -> str:
    """A time as the log writes it: UTC, to the millisecond."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


def first_fault(before: str, rows: Iterable[tuple[str, str, Sequence[Any]]]) -> tuple[int | None, str]:
    """The place of the first row (hash, salt, content) that does not follow, or None; and the head: the last hash."""
    for place, (found, salt, content) in enumerate(rows):
        if link(before, salt, content) != found:
            return place, before
        before = found
    return None, before


def valid_moves(rows: Iterable[AnyRow]) -> list[AnyRow]:
    """The moves that stand, of rows in the order of the log: what a replay plays.

    An event "rolled_back" names in `to` the last row that stands: the moves between the two are undone.
    """
    moves: list[AnyRow] = []
    for row in rows:
        if row.kind == MOVE:
            moves.append(row)
        elif row.text == ROLLED_BACK:
            to = row.facts.get("to", -1)
            while moves and moves[-1].number > to:
                moves.pop()
    return moves


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

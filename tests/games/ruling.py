"""Rulings for the tests: what a referee's case does to a match, without the case."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction

from games.models import Entry, Game
from games.services import history
from games.services.errors import ServiceError
from games.services.evidence import rows as log_rows
from games.services.evidence import valid_moves
from games.services.store import Table, load, lock
from tests.games.playing import NOON, chance, rows

CASE = 7


def rule(game: Game, ruling: Callable[..., Table], *what: Any, now: datetime = NOON, then: str = "any") -> Table:
    """Carry out a ruling; the table as it is afterwards. The seed that is sealed by it, if any, is `then`."""
    with chance(then, 0), transaction.atomic():
        return ruling(load(lock(pk=game.pk)), *what, case=CASE, now=now)


def no_ruling(game: Game, ruling: Callable[..., Table], *what: Any, now: datetime = NOON) -> str:
    """The code with which a ruling is refused. Fails where it is not, or where anything changed."""
    before = rows()
    try:
        rule(game, ruling, *what, now=now)
    except ServiceError as fault:
        assert rows() == before
        return fault.code
    raise AssertionError(f"{ruling.__name__} {what} was not refused")


def void(game: Game, number: int, **more: Any) -> Table:
    return rule(game, history.void, number, **more)


def go_back(game: Game, entry: int, **more: Any) -> Table:
    return rule(game, history.go_back, entry, **more)


def standing(game: Game, deal: int | None = None) -> list[Entry]:
    """The moves that stand, of the whole match or of a deal."""
    return [move for move in valid_moves(log_rows(game)) if deal is None or move.deal == deal]  # type: ignore[misc]


def told(game: Game, event: str) -> Entry:
    """The last row of the log with that event."""
    found = game.entries.filter(kind="event", text=event).last()
    assert found is not None
    return found

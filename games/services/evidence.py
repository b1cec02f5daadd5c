"""What the log proves: the chain of its rows, and which of its moves still stand (docs/evidence.md)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from games import engine
from games.engine import chain as chains
from games.engine.chain import AnyRow
from games.models import Deal, Entry, Game

SALT_BYTES = 16


def kept(at: datetime) -> datetime:
    """A time as the log keeps it: to the millisecond."""
    return at.replace(microsecond=at.microsecond // 1_000 * 1_000)


def chain(entry: Entry, game: Game) -> None:
    """Hang an unsaved row on the log of its game, whose head it becomes."""
    if sealed(entry.kind, entry.text):
        entry.salt = os.urandom(SALT_BYTES).hex()
    game.log_head = entry.hash = chains.link(game.log_head or chains.root(game.code), entry.salt, content(entry))


def sealed(kind: str, text: str) -> bool:
    """Whether a row stays secret while its deal lasts: an answer to the exchange of doubles (§4.3)."""
    return kind == Entry.Kind.MOVE and text[:1] == "X"


class LogRow(NamedTuple):
    """A row of a log as it was read: much quicker than as a model, where all rows of a match are."""

    number: int
    at: datetime
    kind: str
    actor: str
    seat: int | None
    deal: int | None
    text: str
    facts: dict[str, Any]
    hash: str
    salt: str


def rows(game: Game) -> list[LogRow]:
    """The whole log of a game, oldest first."""
    return list(map(LogRow._make, game.entries.order_by("number").values_list(*LogRow._fields)))


def content(entry: Entry | LogRow) -> chains.Row:
    """What of a row enters its hash."""
    at = chains.moment(entry.at)
    return chains.Row(entry.number, at, entry.kind, entry.actor, entry.seat, entry.deal, entry.text, entry.facts)


def faults(code: str, entries: Sequence[Entry] | Sequence[LogRow]) -> tuple[int | None, str]:
    """The number of the first row of a whole log that does not follow from those before, or None; and the head."""
    place, head = chains.first_fault(chains.root(code), ((entry.hash, entry.salt, content(entry)) for entry in entries))
    return None if place is None else entries[place].number, head if entries else ""


def valid_moves(entries: Iterable[AnyRow]) -> list[AnyRow]:
    """The moves that stand, of rows in the order of the log: what a replay plays, without what a referee has undone."""
    return chains.valid_moves(entries)


def as_dealt(game: Game, row: Deal, moves: Iterable[Entry] | Iterable[LogRow]) -> engine.Deal:
    """A deal before its first move; `moves` are those of it that stand."""
    codes = game.rules.alphabet.codes
    # who resigned in this deal was dealt to
    resigned = frozenset(row.state["resigned"]) - {move.seat for move in moves if move.text == "R"}
    return engine.start(game.rules, row.dealer, [codes[text] for text in row.deck.split()], resigned)

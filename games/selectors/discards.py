"""How often two players have taken each other's discards, against how often others do: from public rows of the logs alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import Q

from games.engine import chain
from games.models import Entry, Tenure

MATCHES_AT_MOST, ROWS_AT_MOST = 100, 20_000
"""The latest; so many are read for one page."""
FIELDS = ("game", "number", "kind", "actor", "seat", "deal", "text", "facts")


class Share(NamedTuple):
    """Of so many discards the next player took so many."""

    taken: int = 0
    of: int = 0

    @property
    def percent(self) -> int | None:
        return round(100 * self.taken / self.of) if self.of else None


class Discards(NamedTuple):
    """A player's discards: those the other of the two could take, and those that somebody else could."""

    to_other: Share
    to_rest: Share


class _Row(NamedTuple):
    game: int
    number: int
    kind: str
    actor: str
    seat: int
    deal: int
    text: str
    facts: dict[str, Any]


class _Turn(NamedTuple):
    """A turn that a player took: who discarded just before, if anybody did, and whether that was taken."""

    before: int | None
    user: int | None
    taken: bool


def discards(one: int, other: int) -> dict[int, Discards]:
    """By player, what became of the discards of two players in their latest matches, played by themselves. Three queries."""
    games = list(
        Tenure.objects.filter(user__in=[one, other]).order_by("-game").values_list("game", flat=True).distinct()[:MATCHES_AT_MOST]
    )
    held = _held(games)
    counts = {(user, toward): [0, 0] for user in (one, other) for toward in ("other", "rest")}
    for turn in _turns(_rows(games), held):
        if turn.before not in (one, other) or turn.user is None:
            continue
        count = counts[turn.before, "other" if turn.user in (one, other) else "rest"]
        count[0] += turn.taken
        count[1] += 1
    return {user: Discards(Share(*counts[user, "other"]), Share(*counts[user, "rest"])) for user in (one, other)}


def _held(games: list[int]) -> dict[tuple[int, int], list[tuple[int, int | None]]]:
    """By game and seat, from which row on who held it, oldest first."""
    found: dict[tuple[int, int], list[tuple[int, int | None]]] = {}
    rows = Tenure.objects.filter(game__in=games).order_by("from_entry").values_list("game", "seat", "from_entry", "user")
    for game, seat, number, user in rows:
        found.setdefault((game, seat), []).append((number, user))
    return found


def _rows(games: list[int]) -> list[_Row]:
    """The latest moves of these matches, game by game in the order of the log."""
    wanted = Q(kind=Entry.Kind.MOVE) | Q(kind=Entry.Kind.EVENT, text=chain.ROLLED_BACK)
    rows = Entry.objects.filter(wanted, game__in=games).order_by("-game", "-number").values_list(*FIELDS)[:ROWS_AT_MOST]
    return sorted(map(_Row._make, rows), key=lambda row: (row.game, row.number))


def _turns(rows: list[_Row], held: dict[tuple[int, int], list[tuple[int, int | None]]]) -> Iterator[_Turn]:
    for game, of_game in groupby(rows, key=lambda row: row.game):
        for _deal, moves in groupby(chain.valid_moves(of_game), key=lambda row: row.deal):
            yield from _of_deal(moves, lambda row, game=game: _holder(held, game, row))


def _of_deal(moves: Iterable[_Row], holder: Any) -> Iterator[_Turn]:
    """The turns of a deal: what is taken back does not count, nor a turn that the server ended."""
    before: int | None = None
    made: list[str] = []
    for move in moves:
        kind = move.text[:1]
        if kind in ("R", "X"):  # in others' turns too, or before the first
            continue
        if kind == "U":
            del made[-1:]
        elif kind not in ("D", "T", "E", "C"):
            made.append(kind)
        else:
            by = holder(move) if move.actor == Entry.Actor.PLAYER else None
            yield _Turn(before, by, "P" in made)
            before, made = (by if kind == "D" else None), []


def _holder(held: dict[tuple[int, int], list[tuple[int, int | None]]], game: int, row: _Row) -> int | None:
    found = None
    for number, user in held.get((game, row.seat), []):
        if number <= row.number:
            found = user
    return found

"""From the rows of a ledger to the table: pure, and whatever the order in which the rows were written.

- Running totals follow the time a deal ended, then its id. An adjustment counts from when it was made.
- A void removes that counting of its deal, for every player, as if it had never been.
- Of what the rows say of somebody's place in a match, that holds which was written last, for it knew all that was before: a
  match that a ruling took up again after the season ends a second time, though its deal counts as at the season's end.
- Laps: how many times 500 the running total has ever reached. One that falls and climbs again is not counted twice.
- The table is ordered by points, then matches won, head to head, deals won, fewer forfeits; who is level in all shares the rank.
- Head to head is asked among players who are level in points and matches won, and of all of them at once: in every deal
  that two of them both played, who had more points of the two gains one and the other loses one. So it is a figure of each
  player, and three who beat one another in a circle stay level.
- Where a season ends with the first to so many points, it ends with the deal, or adjustment, that brings the first there:
  later deals do not count. Adjustments do, for what is put right after the end is put right.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

LAP = 500
LAST = 5
PLAYED, FORFEIT, ADJUSTMENT, VOID = "played", "forfeit", "adjustment", "void"


class Row(NamedTuple):
    """A row of the ledger. `at` are microseconds, `deal` and `match` are keys; what decisions lack is None."""

    id: int
    player: int
    kind: str
    points: int
    at: int
    match: int | None = None
    deal: int | None = None
    counting: int = 0
    server_turns: int = 0
    out: bool = False
    won: bool = False
    place: int | None = None


class Line(NamedTuple):
    """What the table says of a player; `last` are the places of the last matches, the newest last."""

    rank: int
    player: int
    points: int
    matches: int
    won: int
    laps: int
    deals: int
    deal_points: int
    best: int | None
    outs: int
    deals_won: int
    head_to_head: int
    forfeits: int
    server_turns: int
    last: tuple[int, ...]


class Table(NamedTuple):
    """The lines in their order, and when the first reached the points that end the season, by which deal; None while nobody
    has, and no deal where it was an adjustment.
    """

    lines: list[Line]
    reached_at: int | None
    reached_by: int | None = None


class _Sum:
    """What has been added up of a player so far."""

    __slots__ = (
        "best", "deal_points", "deals", "deals_won", "forfeits", "head", "outs", "peak", "places", "points", "said", "turns",
    )  # fmt: skip

    def __init__(self) -> None:
        self.points = self.peak = self.deals = self.deal_points = self.outs = self.deals_won = 0
        self.forfeits = self.turns = self.head = 0
        self.best: int | None = None
        self.places: dict[int | None, int] = {}
        """By match, in the order in which they were over."""
        self.said: dict[int | None, int] = {}
        """By match, the row that says its place."""


def fold(rows: Iterable[Row], *, until: int | None = None, first_to: int | None = None) -> Table:
    """The table of a season. Deals that ended after `until` do not count, nor those after the first reached `first_to`."""
    kept, last = _counting(rows, until, first_to)
    sums = _added_up(kept)
    _compare_heads(sums, kept)
    return Table(_lines(sums), *((last.at, last.deal) if last else (None, None)))


def places(rows: Iterable[Row], *, until: int | None = None) -> dict[tuple[int | None, int], int]:
    """By match and player, the place as the ledger has it."""
    kept, _last = _counting(rows, until, None)
    return {(match, player): place for player, sum_ in _added_up(kept).items() for match, place in sum_.places.items()}


def _counting(rows: Iterable[Row], until: int | None, first_to: int | None) -> tuple[list[Row], Row | None]:
    """The rows that count, in their order, and the one that brought the first there."""
    kept = list(rows)
    gone = {(row.deal, row.counting) for row in kept if row.kind == VOID}
    if gone:
        kept = [row for row in kept if row.kind != VOID and (row.kind == ADJUSTMENT or (row.deal, row.counting) not in gone)]
    if until is not None:
        kept = [row for row in kept if row.at <= until or row.kind == ADJUSTMENT]
    kept.sort(key=_order)
    index = None if first_to is None else _crossing(kept, first_to)
    if index is None:
        return kept, None
    last = kept[index]
    # That deal counts for all who played it.
    later = (row for row in kept[index + 1 :] if row.deal is None or row.deal == last.deal)
    return [*kept[: index + 1], *later], last


def _order(row: Row) -> tuple[int, int, int]:
    """By time; at one moment deals by their ids, then decisions."""
    return (row.at, 1 << 62, row.id) if row.deal is None else (row.at, row.deal, row.id)


def _crossing(kept: Sequence[Row], first_to: int) -> int | None:
    """The index of the row that brings the first player there."""
    totals: dict[int, int] = {}
    for index, row in enumerate(kept):
        total = totals[row.player] = totals.get(row.player, 0) + row.points
        if total >= first_to:
            return index
    return None


def _added_up(kept: Iterable[Row]) -> dict[int, _Sum]:
    sums: dict[int, _Sum] = {}
    for key, player, kind, points, _at, match, _deal, _counting, turns, out, won, place in kept:
        mine = sums.get(player)
        if mine is None:
            mine = sums[player] = _Sum()
        mine.points += points
        if mine.points > mine.peak:
            mine.peak = mine.points
        if kind != ADJUSTMENT:
            mine.deals += 1
            mine.deal_points += points
            if mine.best is None or points > mine.best:
                mine.best = points
            mine.outs += out
            mine.deals_won += won
            mine.forfeits += kind == FORFEIT
            mine.turns += turns
        if place is not None and key > mine.said.get(match, 0):
            mine.said[match] = key
            if place:
                mine.places[match] = place
            else:
                mine.places.pop(match, None)
    return sums


def _won(mine: _Sum) -> int:
    return sum(place == 1 for place in mine.places.values())


def _compare_heads(sums: dict[int, _Sum], kept: Iterable[Row]) -> None:
    """Note the head to head of those who are level in points and matches won."""
    level: dict[Hashable, set[int]] = {}
    for player, mine in sums.items():
        level.setdefault((mine.points, _won(mine)), set()).add(player)
    group_of = {player: key for key, group in level.items() if len(group) > 1 for player in group}
    if not group_of:
        return
    deals: dict[Hashable, list[Row]] = {}
    for row in kept:
        if row.deal is not None and row.player in group_of:
            deals.setdefault((row.deal, row.counting, group_of[row.player]), []).append(row)
    for met in deals.values():
        for row in met:
            sums[row.player].head += sum((row.points > other.points) - (row.points < other.points) for other in met)


def _lines(sums: dict[int, _Sum]) -> list[Line]:
    keys = {player: (-mine.points, -_won(mine), -mine.head, -mine.deals_won, mine.forfeits) for player, mine in sums.items()}
    order = sorted(sums, key=lambda player: (keys[player], player))
    lines: list[Line] = []
    for index, player in enumerate(order):
        level = index > 0 and keys[order[index - 1]] == keys[player]
        lines.append(_line(player, sums[player], lines[-1].rank if level else index + 1))
    return lines


def _line(player: int, mine: _Sum, rank: int) -> Line:
    last = tuple(mine.places.values())
    return Line(
        rank, player, mine.points, len(last), _won(mine), mine.peak // LAP, mine.deals, mine.deal_points, mine.best,
        mine.outs, mine.deals_won, mine.head, mine.forfeits, mine.turns, last[-LAST:],
    )  # fmt: skip

"""The table as rows: made from the ledger of a season whenever that grows, in the same transaction, with the season locked."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, Q

from accounts.leagues.fold import ADJUSTMENT, VOID, Line, Row, Table, fold, places
from accounts.models import LeagueMatch, LedgerRow, Season, Standing
from games.models import Game

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIELDS = [name for name in Line._fields if name != "player"]


_READ = """
SELECT id, player_id, kind, points, (extract(epoch FROM at) * 1000000)::bigint, match_id, deal_id, counting, server_turns,
    out, won, place
FROM accounts_ledgerrow WHERE season_id = %(season)s
"""


def ledger(season: Season, *, matches: Collection[int] | None = None) -> list[Row]:
    """Every row of a season's ledger, or of these matches of it by their keys, as the fold takes them."""
    which = "" if matches is None else " AND match_id = ANY(%(matches)s)"
    with connection.cursor() as cursor:
        cursor.execute(_READ + which, {"season": season.pk, "matches": list(matches or ())})
        return list(map(Row._make, cursor.fetchall()))


def last_moment(season: Season) -> datetime | None:
    """After which no deal counts; None while that is open."""
    return season.ends_at if season.is_open else season.ended_at


def table_of(season: Season, rows: Collection[Row]) -> Table:
    """The table that these rows make in a season."""
    end = last_moment(season)
    return fold(rows, until=None if end is None else moment(end), first_to=season.first_to)


def places_by(season: Season, rows: Collection[Row]) -> dict[tuple[int | None, int], int]:
    """By match and player, the place as these rows have it."""
    end = last_moment(season)
    return places(rows, until=None if end is None else moment(end))


def counting(season: Season) -> Q:
    """Which rows of its ledger count in a season, as the fold has it: those that the points in the table are the sum of."""
    void = LedgerRow.objects.filter(season=season, deal=OuterRef("deal"), counting=OuterRef("counting"), kind=VOID)
    in_time, end = Q(), last_moment(season)
    if end is not None:
        in_time &= Q(at__lte=end)
    if season.reached_at is not None:
        at_once = Q() if season.reached_by is None else Q(deal__lte=season.reached_by)
        in_time &= Q(at__lt=season.reached_at) | (Q(at=season.reached_at) & at_once)
    return Q(kind=ADJUSTMENT) | (~Q(kind=VOID) & ~Q(Exists(void)) & in_time)


def reached(table: Table) -> tuple[datetime | None, int | None]:
    """When the first was there, and by which deal, as a season keeps it."""
    return None if table.reached_at is None else time_of(table.reached_at), table.reached_by


def moment(at: datetime) -> int:
    """A time as the fold takes it: microseconds. (Reading a hundred thousand of them as such takes a tenth of the time.)"""
    return (at - EPOCH) // timedelta(microseconds=1)


def time_of(moment: int) -> datetime:
    """The way back."""
    return EPOCH + timedelta(microseconds=moment)


def rebuild(season: Season, *, changed: Collection[LeagueMatch] = ()) -> Table:
    """Write the table anew, and for the matches that `changed` what they did to the ranks of those who played them, once over."""
    rows = ledger(season)
    table = table_of(season, rows)
    _write(season, table)
    found = reached(table)
    if (season.reached_at, season.reached_by) != found:
        season.reached_at, season.reached_by = found
        season.save(update_fields=["reached_at", "reached_by"])
    ranks = {line.player: line.rank for line in table.lines}
    for match in changed:
        moved = {}  # where it is not over, or a ruling has taken it up again
        if match.game.status == Game.Status.FINISHED:
            players = {row.player for row in rows if row.match == match.pk}
            without = table_of(season, [row for row in rows if row.match != match.pk])
            before = {line.player: line.rank for line in without.lines}
            moved = {str(player): [before.get(player), ranks.get(player)] for player in sorted(players)}
        if moved != match.ranks:
            match.ranks = moved
            match.save(update_fields=["ranks"])
    return table


def values(line: Line) -> dict[str, Any]:
    """A line as the fields of its `Standing`."""
    return {name: getattr(line, name) for name in FIELDS} | {"last": list(line.last)}


def _write(season: Season, table: Table) -> None:
    """Only what differs."""
    there = {standing.player_id: standing for standing in Standing.objects.filter(season=season)}
    changed = []
    for line in table.lines:
        wanted = values(line)
        standing = there.pop(line.player, None)
        if standing is None or any(getattr(standing, name) != value for name, value in wanted.items()):
            changed.append(Standing(season=season, player_id=line.player, **wanted))
    Standing.objects.bulk_create(
        changed, update_conflicts=True, unique_fields=["season", "player"], update_fields=FIELDS, batch_size=1_000
    )
    Standing.objects.filter(pk__in=[standing.pk for standing in there.values()]).delete()

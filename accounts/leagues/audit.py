"""Whether ledgers and tables are what the deals, and the decisions about them, make. Reads only.

First each match, its row locked for that moment alone: its rows in the ledger are those that its deals make. Then the table: it
is what the ledger makes. So the table is what the deals and the decisions make. A repair appends to the ledger (a ruling, an
adjustment) or has a table made anew from it; a row is never edited.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from accounts.leagues import projection
from accounts.leagues.fold import VOID, Row
from accounts.leagues.services.scoring import deals_of, places_outside_deals, rows_of
from accounts.leagues.services.store import lock_matches, lock_season
from accounts.models import LeagueMatch, LedgerRow, Season, Standing

COMPARED = ("at", "kind", "points", "server_turns", "out", "won")
"""Of a row of a deal; the time not of one that was played on by a ruling, for it depends on when the season was ended.
(Places are compared by match: a ruling may have moved one, with a row of its own.)
"""


def audit(*, season_id: int) -> list[str]:
    """The differences of a season, as sentences; empty where there are none. What waits to be scored is none."""
    found: list[str] = []
    for pk in LeagueMatch.objects.filter(season=season_id).order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            found += [line for match in lock_matches(pk=pk) for line in audit_match(match)]
    with transaction.atomic():
        season = lock_season(pk=season_id)
        return found + differences_of_table(season, projection.ledger(season))


def audit_match(match: LeagueMatch) -> list[str]:
    """The differences between the ledger of one match and its scores."""
    return [] if match.waiting else _differences(match, _made(match))


def _made(match: LeagueMatch) -> list[LedgerRow]:
    """The rows that the deals of a match make, as they were counted last, without those made void."""
    standing, _known = deals_of(match) if match.counts else ({}, set())
    return rows_of(match.season, match, standing, list(standing), match.made_at)


def _key(row: LedgerRow) -> tuple[int | None, int, int]:
    return row.deal_id, row.counting, row.player_id


def _differences(match: LeagueMatch, made: Sequence[LedgerRow]) -> list[str]:
    """Of the rows of a match. A counting that was made void may be anything: it counts nowhere."""
    where, end = f"match {match.game.code}", projection.last_moment(match.season)
    rows = list(match.rows.filter(deal__isnull=False))
    void = {(row.deal_id, row.counting) for row in rows if row.kind == VOID}
    there = {_key(row): row for row in rows if row.kind != VOID and (row.deal_id, row.counting) not in void}
    wanted = {_key(row): row for row in made}
    found = []
    for key in sorted(there.keys() | wanted.keys(), key=str):
        row, other = there.get(key), wanted.get(key)
        name = f"{where}, deal {key[0]}, player {key[2]}"
        if row is None:
            found.append(f"{name}: the ledger lacks it")
        elif other is not None:
            fields = COMPARED[row.counting > 0 :]
            found += [f"{name}: {field} differs" for field in fields if getattr(row, field) != getattr(other, field)]
        elif end is None or row.at <= end:
            found.append(f"{name}: the ledger has it, but no deal makes it")
    settled = {(match.pk, player): place for player, place in places_outside_deals(match.season, match).items()}
    settled |= {(match.pk, row.player_id): row.place for row in made if row.place is not None and _key(row) in there}
    if settled != projection.places_by(match.season, projection.ledger(match.season, matches=[match.pk])):
        found.append(f"{where}: the places are others")
    return found


def differences_of_table(season: Season, rows: Sequence[Row]) -> list[str]:
    """Between the table as it stands and the one that these rows make."""
    table = projection.table_of(season, rows)
    wanted = {line.player: projection.values(line) for line in table.lines}
    there = {standing.player_id: standing for standing in Standing.objects.filter(season=season)}
    found = [f"table: player {player} should not be in it" for player in sorted(there.keys() - wanted.keys())]
    for player, values in sorted(wanted.items()):
        line = there.get(player)
        if line is None:
            found.append(f"table: player {player} is missing")
        else:
            found += [f"table: player {player}: {name} differs" for name in values if getattr(line, name) != values[name]]
    if (season.reached_at, season.reached_by) != projection.reached(table):
        found.append("table: another was the first there")
    return found

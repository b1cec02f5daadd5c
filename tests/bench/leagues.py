"""The table of a large league: 1,000 members and 100,000 rows of the ledger.

Measured are the reads that show it, which the database answers from one row a member, and the whole fold that makes these
rows. Before that the table is compared with the fold.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median
from typing import TYPE_CHECKING, Any

from .measure import Budget, Line, line
from .site import begun, people, stores

if TYPE_CHECKING:
    from accounts.models import Season

MEMBERS, MATCHES, DEALS, SEATS = 1_000, 5_000, 5, 4
ROWS = MATCHES * DEALS * SEATS
TABLE_MS, TABLE_QUERIES, FOLD_SECONDS = 50, 5, 1.0

# Copies of one game and its deal; the deals of a match end an hour apart.
GAMES = """
INSERT INTO games_game (code, {others})
SELECT 'copy' || lpad(n::text, 10, '0'), {others}
FROM games_game CROSS JOIN generate_series(1, %(matches)s) AS n WHERE id = %(game)s
"""
DEALT = """
INSERT INTO games_deal (game_id, number, scored, reason, out, ended_at, {others})
SELECT copy.id, n, true, 'out', 0, now() - interval '30 days' + right(copy.code, 10)::int * interval '5 minutes'
    + n * interval '1 minute', {shared}
FROM games_deal deal JOIN games_game copy ON copy.code LIKE 'copy%%' CROSS JOIN generate_series(0, %(deals)s - 1) AS n
WHERE deal.game_id = %(game)s
"""
PLAYED = """
INSERT INTO accounts_leaguematch (season_id, game_id, forfeit, bots, made_at, people, counts, waiting, provisional, ranks)
SELECT %(season)s, id, 0, false, now(), '[]', true, false, id %% 500 = 0, '{}' FROM games_game WHERE code LIKE 'copy%%'
"""
# The four of a match are a quarter of the members apart, so that each meets others from match to match.
LEDGER = """
INSERT INTO accounts_ledgerrow (season_id, match_id, deal_id, player_id, kind, points, at, counting, server_turns, out, won,
    place, reason, request, made_at)
SELECT %(season)s, match.id, deal.id, (%(players)s::bigint[])[1 + (match.id * 37 + match.id / 1000 * 11 + seat * 250) %% 1000],
    CASE WHEN hashint8(deal.id + seat) %% 97 = 0 THEN 'forfeit' ELSE 'played' END, abs(hashint8(deal.id * 4 + seat)) %% 220 - 90,
    deal.ended_at, 0, 0, seat = deal.number %% 4, seat = deal.number %% 4,
    CASE WHEN deal.number = %(deals)s - 1 THEN 1 + (seat + match.id) %% 4 END, '', '', now()
FROM accounts_leaguematch match JOIN games_deal deal ON deal.game_id = match.game_id CROSS JOIN generate_series(0, 3) AS seat
WHERE match.season_id = %(season)s
"""


def run(budget: Budget) -> list[Line]:
    """Every line of the part."""
    stores()
    season = _filled()
    from accounts.leagues import projection
    from accounts.leagues.audit import differences_of_table

    projection.rebuild(season)
    asked = _asked(season)
    if differences_of_table(season, projection.ledger(season)):
        raise RuntimeError("the table is not what the ledger makes")
    reads = [_database_ms(season) for _round in range(budget.rounds)]
    folds = [_seconds(lambda: projection.table_of(season, projection.ledger(season))) for _round in range(budget.rounds)]
    again = [_seconds(lambda: projection.rebuild(season)) for _round in range(2)]
    size = f"{MEMBERS:,} members, {ROWS:,} rows"
    by_the_clock = f"processor time; {median(wall for _used, wall in folds):.2f} s by the clock, with the database's part"
    return [
        line("the table, database time", "ms", reads, asked=TABLE_MS, least=False, note=size),
        Line("queries of the table", float(len(asked)), "queries", 0.0, asked=TABLE_QUERIES, least=False),
        line("the whole fold, from the ledger's rows", "s", [used for used, _wall in folds], asked=FOLD_SECONDS, least=False,
             note=by_the_clock),
        line("the table made anew where nothing differs", "s", [used for used, _wall in again]),
    ]  # fmt: skip


def _filled() -> Season:
    """A season with its ledger, and no table yet."""
    from django.db import connection
    from django.utils import timezone

    from accounts.leagues.services import leagues, seasons
    from accounts.models import User
    from games.models import Deal, Game

    now = timezone.now()
    players = people(SEATS)
    organiser, game = players[0].user, Game.objects.get(code=begun("remi500", players).code)
    made = leagues.create(
        organiser=organiser, name="Large league", variant="remi500", now=now, terms={"turn_time": timedelta(days=1)}
    )
    season = seasons.start(code=made.code, by=organiser, now=now, first_to=1_000_000)
    members = User.objects.bulk_create(User(username=f"Member {number}") for number in range(MEMBERS))
    values: dict[str, Any] = {
        "season": season.pk, "game": game.pk, "matches": MATCHES, "deals": DEALS, "players": [user.pk for user in members]
    }  # fmt: skip
    games, deals = _columns(Game, "code"), _columns(Deal, "game_id", "number", "scored", "reason", "out", "ended_at")
    shared = ", ".join(f"deal.{column}" for column in deals)
    with connection.cursor() as cursor:
        cursor.execute(GAMES.format(others=", ".join(games)), values)
        cursor.execute(DEALT.format(others=", ".join(deals), shared=shared), values)
        cursor.execute(PLAYED, values)
        cursor.execute(LEDGER, values)
        cursor.execute("ANALYZE")
    return season


def _columns(model: Any, *without: str) -> list[str]:
    return [f'"{field.column}"' for field in model._meta.concrete_fields if field.column not in ("id", *without)]


def _show(season: Season) -> None:
    """What a page of the table reads."""
    from accounts.leagues import selectors
    from games.selectors import reliability

    league = selectors.find_league(code=season.league.code)
    found = selectors.season(league=league)
    assert found is not None
    lines = list(selectors.table(season=found))
    assert len(lines) == MEMBERS
    assert selectors.provisional_players(season=found)
    assert len(reliability([one.player_id for one in lines])) == MEMBERS


def _asked(season: Season) -> list[dict[str, str]]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as asked:
        _show(season)
    return asked.captured_queries


def _database_ms(season: Season) -> float:
    """Milliseconds that the database needs for what a page of the table asks, to plan and to answer, as it says itself."""
    from django.db import connection

    needed = 0.0
    with connection.cursor() as cursor:
        for query in _asked(season):
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query['sql']}")
            [plan] = cursor.fetchone()[0]
            needed += plan["Planning Time"] + plan["Execution Time"]
    return needed


def _seconds(step: Callable[[], object]) -> tuple[float, float]:
    """Of the processor, and by the clock."""
    used, began = time.process_time(), time.perf_counter()
    step()
    return time.process_time() - used, time.perf_counter() - began

"""Leagues for the tests: a cast, a season, and matches really played in it.

season = league("Ana", "Bogdan")         # the first named organises it; the season is the first to 5,000
game = match(season, "Ana", "Bogdan")    # begun, Ana on turn, a deal that she can end at once
end_deal(game)                           # … and its result in the ledger
assert points(season) == {"Ana": 55, "Bogdan": -43}
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from accounts.leagues.services import leagues, matches, members, scoring, seasons
from accounts.models import League, LeagueMatch, LedgerRow, Season, Standing, User
from games.models import Game
from games.services import tables, turns
from tests.games.playing import DAY, NOON, OUT_OF_TWO, chance, fresh, play, player, settle

TERMS: dict[str, Any] = {"turn_time": DAY, "excuses": 0}


def new_league(organiser: str, *names: str, name: str = "Friday league", now: datetime = NOON, **wanted: Any) -> League:
    """A league of Rami 500 with these members."""
    wanted = {"variant": "rami500", "options": {"target": None}, "terms": TERMS, **wanted}
    made = leagues.create(organiser=player(organiser), name=name, now=now, **wanted)
    for member in names:
        members.join(code=made.code, user=player(member), now=now, invite=made.invite)
    return made


def league(organiser: str, *names: str, now: datetime = NOON, season: dict[str, Any] | None = None, **wanted: Any) -> Season:
    """The first season of such a league."""
    made = new_league(organiser, *names, now=now, **wanted)
    return seasons.start(code=made.code, by=player(organiser), now=now, **(season or {}))


def match(season: Season, maker: str, *others: str, now: datetime = NOON, seed: str = OUT_OF_TWO[0]) -> Game:
    """A match of a season that has begun: the first named plays first."""
    seats = 1 + len(others)
    with chance(seed, seats - 1, then=OUT_OF_TWO[0]):
        game = matches.make_table(code=season.league.code, user=player(maker), seats=seats, now=now)
        for name in others:
            tables.join(code=game.code, user=player(name), now=now)
    return fresh(game)


def end_deal(
    game: Game, *, now: datetime = NOON, moves: str = OUT_OF_TWO[1], then: str = OUT_OF_TWO[0], scored: bool = True
) -> None:
    """The player on turn goes out, the deal is counted, and the ledger written."""
    play(game, moves, now=now)
    assert settle(game, now=now, then=then)
    if scored:
        score(game, now=now)


def resign(game: Game, name: str, *, now: datetime = NOON) -> None:
    """Somebody resigns; a deal that ends so is counted and written."""
    turns.resign(code=game.code, user=player(name), now=now)
    settle(game, now=now)
    score(game, now=now)


def score(game: Game, *, now: datetime = NOON) -> int:
    return scoring.score(season_id=LeagueMatch.objects.get(game=game).season_id, now=now)


def again(season: Season) -> Season:
    """The season as it stands in the database."""
    return Season.objects.select_related("league").get(pk=season.pk)


def points(season: Season) -> dict[str, int]:
    """By name, what the table says, best first."""
    return {line.player.username: line.points for line in table(season)}


def table(season: Season) -> list[Standing]:
    return list(Standing.objects.filter(season=season).select_related("player").order_by("rank", "player__username"))


def rows(season: Season) -> list[tuple[str, str, int]]:
    """The ledger as it was written: kind, player, points."""
    found = LedgerRow.objects.filter(season=season).order_by("pk").select_related("player")
    return [(row.kind, row.player.username, row.points) for row in found]


def refused(verb: Any, **given: Any) -> str:
    """The code with which a service refuses. Fails where it does not, or where anything changed."""
    from games import engine
    from games.services.errors import ServiceError
    from tests.games.playing import rows as everything

    before = everything()
    try:
        verb(**given)
    except (ServiceError, engine.RuleError) as fault:
        assert everything() == before
        return fault.code
    raise AssertionError("it was not refused")


__all__ = ["DAY", "NOON", "User", "player", "timedelta"]

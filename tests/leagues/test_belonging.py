"""Whose match it is, whatever happens at the tables: limits, the end and the table of a season by matches agree."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from accounts.leagues.audit import audit
from accounts.leagues.belonging import claims, matches_of
from accounts.leagues.services import matches, members
from accounts.models import Season, Standing, User
from games.models import Game, Seat
from games.services import absence, tables
from games.services.errors import ServiceError
from tests.games.playing import NOON, OUT_OF_TWO, chance, differences, fresh, on_turn, player
from tests.leagues.playing import again, end_deal, league, points, resign

pytestmark = pytest.mark.django_db
NAMES = ["Ana", "Bogdan", "Chloé", "Doru", "Elena", "Florin"]
EACH, STEPS = 3, 120


def in_table(season: Season) -> dict[int, int]:
    lines = Standing.objects.filter(season=season, matches__gt=0)
    return dict(lines.values_list("player", "matches"))


def sits_down(season: Season, rng: random.Random) -> None:
    """Somebody opens a table or joins one, if that is allowed."""
    user = player(rng.choice(NAMES))
    free = list(Game.objects.filter(status="open").order_by("pk"))
    with suppress(ServiceError), chance(OUT_OF_TWO[0], 1, then=OUT_OF_TWO[0]):
        if free and rng.random() < 0.8:
            tables.join(code=rng.choice(free).code, user=user, now=NOON)
        else:
            matches.make_table(code=season.league.code, user=user, seats=2, now=NOON)


def is_replaced(season: Season, rng: random.Random) -> None:
    """Who is on turn stays away, and another takes the seat, if that is allowed."""
    running = list(Game.objects.filter(status="running").order_by("pk"))
    if running:
        game = rng.choice(running)
        seat = Seat.objects.get(game=game, user=on_turn(game))
        Seat.objects.filter(pk=seat.pk).update(absent_since=NOON, absent_until=NOON)
        with suppress(ServiceError):
            absence.take_over(code=game.code, user=player(rng.choice(NAMES)), seat=seat.index, now=NOON)
        Seat.objects.filter(pk=seat.pk).update(absent_since=None, absent_until=None)


def plays(season: Season, rng: random.Random) -> None:
    """A deal ends, by the last card or by resigning; now and then the ledger learns of it late."""
    running = list(Game.objects.filter(status="running").order_by("pk"))
    if running:
        game = rng.choice(running)
        if rng.random() < 0.3:
            resign(game, on_turn(game).username)
        else:
            end_deal(game, scored=rng.random() < 0.7)


def goes(season: Season, rng: random.Random) -> None:
    """A member leaves, or comes back."""
    user = player(rng.choice(NAMES[1:]))
    if rng.random() < 0.6:
        members.join(code=season.league.code, user=user, now=NOON)
    else:
        members.leave(code=season.league.code, user=user, now=NOON)


@pytest.mark.parametrize("chance_of", [1, 3])
def test_limits_end_and_table_agree_whatever_happens(chance_of: int) -> None:
    rng = random.Random(chance_of)
    season = league(*NAMES, options={"target": 60}, season={"until": "matches", "matches_each": EACH})
    ids = {user.pk: user.username for user in User.objects.filter(username__in=NAMES)}
    for _step in range(STEPS):
        rng.choice([sits_down] * 6 + [plays] * 5 + [is_replaced] * 2 + [goes])(season, rng)
        counted = matches_of(again(season))
        assert all(count <= EACH for count in counted.values()), "nobody has more than the season"
        assert all(counted[user_id] >= count for user_id, count in in_table(season).items())
        if not again(season).is_open:
            break
    for game in Game.objects.filter(status="running"):
        resign(game, on_turn(game).username)
    for game in Game.objects.filter(status="open"):
        tables.cancel(code=game.code, user=fresh(game).maker or player("Ana"), now=NOON)
    season = again(season)
    if season.is_open:
        assert not claims(season) and dict(matches_of(season)) == in_table(season)
        present = season.league.memberships.filter(until=None).values_list("user_id", flat=True)
        lagging = {ids[user_id] for user_id in present if in_table(season).get(user_id, 0) < EACH}
        assert lagging, "where nobody lags, the season is over"
        for name in sorted(lagging - {"Ana"}):
            assert again(season).is_open
            members.leave(code=season.league.code, user=player(name), now=NOON)
        assert again(season).is_open is ("Ana" in lagging), "and it is as soon as the last who lagged has gone"
    assert points(season) and audit(season_id=season.pk) == [] and differences() == []

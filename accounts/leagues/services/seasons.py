"""Seasons: beginning one, ending it by itself or by the organiser's word, and taking it up again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from accounts.leagues import projection
from accounts.leagues.services.ending import end, reached
from accounts.leagues.services.scoring import write
from accounts.leagues.services.store import (
    lock_league,
    lock_matches,
    lock_season,
    members,
    must_be_alive,
    must_organise,
    tell,
)
from accounts.models import Season, User
from accounts.models.leagues import FIRST_TO
from games.services.errors import ServiceError

Status, Until = Season.Status, Season.Until
LONGEST_MATCHES, MOST_POINTS = 1_000, 1_000_000


@transaction.atomic
def start(
    *, code: str, by: User, now: datetime, until: str = Until.POINTS, ends_at: datetime | None = None,
    matches_each: int | None = None, first_to: int | None = None,
) -> Season:  # fmt: skip
    """Begin the next season, for the organiser: until a day, so many matches each, or the first to so many points (5,000).

    Raises `league_closed`, `season_open`, or `bad_season` where it does not say when it ends.
    """
    league = lock_league(code)
    must_organise(league, by)
    must_be_alive(league)
    if league.seasons.filter(status=Status.OPEN).exists():
        raise ServiceError("season_open")
    if until == Until.POINTS and first_to is None:
        first_to = FIRST_TO
    said: dict[str, bool] = {
        Until.DATE: ends_at is not None and ends_at > now,
        Until.MATCHES: matches_each is not None and 1 <= matches_each <= LONGEST_MATCHES,
        Until.POINTS: first_to is not None and 1 <= first_to <= MOST_POINTS,
    }
    if not said.get(until):
        raise ServiceError("bad_season")
    number = (league.seasons.aggregate(last=Max("number"))["last"] or 0) + 1
    season = Season.objects.create(
        league=league, number=number, starts_at=now, until=until,
        ends_at=ends_at if until == Until.DATE else None,
        matches_each=matches_each if until == Until.MATCHES else None,
        first_to=first_to if until == Until.POINTS else None,
    )  # fmt: skip
    tell(league, "season_started", set(members(league)) - {by.pk}, key=str(number), now=now, number=number)
    return season


@transaction.atomic
def close(*, code: str, by: User, now: datetime) -> Season:
    """End the season now; what matches under way have counted stays, what they still count does not. For the organiser.

    Raises `no_season` where none is open.
    """
    league = lock_league(code)
    must_organise(league, by)
    matches = lock_matches(season__league=league, season__status=Status.OPEN, waiting=True)
    season = lock_season(league=league, status=Status.OPEN)
    write(season, matches, now)
    end(season, now, now)
    projection.rebuild(season)
    return season


@transaction.atomic
def reopen(*, code: str, by: User, number: int, now: datetime) -> Season:
    """Take up the last season again, where no other has begun; deals that ended meanwhile count. For the organiser.

    Raises `no_season`, `season_open`, or `season_over` where its end has come by itself.
    """
    league = lock_league(code)
    must_organise(league, by)
    must_be_alive(league)
    if league.seasons.filter(status=Status.OPEN).exists():
        raise ServiceError("season_open")
    matches = lock_matches(season__league=league, season__number=number)
    season = lock_season(league=league, number=number)
    later = league.seasons.filter(number__gt=number).exists()
    if later or (season.ends_at is not None and season.ends_at <= now):
        raise ServiceError("season_over")
    season.status, season.ended_at = Status.OPEN, None
    season.save(update_fields=["status", "ended_at"])
    write(season, matches, now)
    if reached(season, projection.rebuild(season)) is not None:
        raise ServiceError("season_over")
    return season


@transaction.atomic
def end_due(*, season_id: int, now: datetime) -> bool:
    """End a season whose day has come. False where it has not, or has been ended."""
    season = lock_season(pk=season_id)
    if not season.is_open or season.ends_at is None or season.ends_at > now:
        return False
    end(season, season.ends_at, now)
    projection.rebuild(season)
    return True

"""Seasons: beginning one, ending it by itself or by the organiser's word, and taking it up again."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from accounts.leagues import projection
from accounts.leagues.services.ending import end, end_if_over, reached
from accounts.leagues.services.scoring import touched, write
from accounts.leagues.services.store import (
    lock_league,
    lock_matches,
    lock_season,
    members,
    must_be_alive,
    must_organise,
    tell,
)
from accounts.models import League, LeagueMatch, Season, User
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
    season = close_now(league, now)
    if season is None:
        raise ServiceError("no_season")
    return season


def close_now(league: League, now: datetime) -> Season | None:
    """End the season of a league, locked, if one is open, with all that has been counted by now."""
    season, changed = _with_all(now, league=league, status=Status.OPEN)
    if season is not None:
        end(season, now, now)
        projection.rebuild(season, changed=changed)
    return season


def end_without(league: League, now: datetime) -> None:
    """End the season of a league, locked, if it has waited for those alone who are no members any more."""
    season, changed = _with_all(now, league=league, status=Status.OPEN, until=Until.MATCHES)
    if season is not None:
        end_if_over(season, projection.rebuild(season, changed=changed), now, over_at=now)


def _with_all(now: datetime, **which: Any) -> tuple[Season | None, list[LeagueMatch]]:
    """A season, locked, its ledger with all that has been counted by now; and the matches that this is about."""
    found = Season.objects.filter(**which).first()
    if found is None:
        return None, []
    matches = lock_matches(season=found, waiting=True)
    season = lock_season(pk=found.pk)
    if not Season.objects.filter(**which).filter(pk=season.pk).exists():
        return None, []  # it has ended meanwhile
    return season, touched(matches, write(season, matches, now))


@transaction.atomic
def reopen(*, code: str, by: User, number: int, now: datetime) -> Season:
    """Take up the last season again, where no other has begun; deals that ended meanwhile count. For the organiser.

    What ended it may have been made void: where the deals since then bring its end, it ends anew, with them.

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
    if reached(season, projection.rebuild(season)) is not None:
        raise ServiceError("season_over")
    changed = touched(matches, write(season, matches, now))
    end_if_over(season, projection.rebuild(season, changed=changed), now)
    return season


@transaction.atomic
def end_due(*, season_id: int, now: datetime) -> bool:
    """End a season whose day has come, with all that has been counted by then. False where it has not, or has been ended."""
    season, changed = _with_all(now, pk=season_id, status=Status.OPEN, ends_at__lte=now)
    if season is None or season.ends_at is None:
        return False
    end(season, season.ends_at, now)
    projection.rebuild(season, changed=changed)
    return True

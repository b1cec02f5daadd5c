"""What the workers do for leagues: thin, harmless late, early, twice or crashed half-way."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from accounts.leagues import selectors
from accounts.leagues.ratings import selectors as ratings
from accounts.leagues.ratings import services as rating
from accounts.leagues.services import scoring, seasons
from remi_site.celery import send

SWEPT_EXPIRES = 60
"""Seconds after which a swept task that no worker has taken is dropped: the next sweep finds the same again."""


@shared_task(ignore_result=True)
def score(game_id: int) -> None:
    """Write what a match has counted into the ledger, and what else waits in its season."""
    season_id = selectors.season_of(game_id=game_id)
    if season_id is not None:
        scoring.score(season_id=season_id, now=timezone.now())


@shared_task(ignore_result=True)
def score_season(season_id: int) -> None:
    """The same, for a season that the sweep has found."""
    scoring.score(season_id=season_id, now=timezone.now())


@shared_task(ignore_result=True)
def end_season(season_id: int) -> None:
    """End a season whose day has come."""
    seasons.end_due(season_id=season_id, now=timezone.now())


@shared_task(ignore_result=True)
def rate(variant: str) -> None:
    """Rate the matches of a game that have ended, or whose results have changed."""
    rating.rate(variant=variant)


@shared_task(ignore_result=True)
def sweep() -> None:
    """Every half minute: deals that the ledger lacks, seasons whose day has come, and matches that are not rated."""
    for pk in selectors.seasons_to_score():
        send("accounts.leagues.tasks.score_season", pk, expires=SWEPT_EXPIRES)
    for pk in selectors.seasons_to_end(now=timezone.now()):
        send("accounts.leagues.tasks.end_season", pk, expires=SWEPT_EXPIRES)
    for variant in ratings.games_to_rate():
        send("accounts.leagues.tasks.rate", variant, expires=SWEPT_EXPIRES)

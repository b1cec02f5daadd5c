"""The end of a season: by what was played, and whether it is final."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from accounts.leagues import projection
from accounts.leagues.fold import Table
from accounts.leagues.services.store import lock_season, members, tell
from accounts.models import LeagueMatch, LedgerRow, Season

Status = Season.Status


def end_if_over(season: Season, table: Table, now: datetime, *, over_at: datetime | None = None) -> None:
    """End a locked season if its table, or the matches played, say so: at `over_at`, or when its last row counted."""
    found = reached(season, table) if season.is_open else None
    if found is not None:
        end(season, over_at or found, now)
        projection.rebuild(season)


def reached(season: Season, table: Table) -> datetime | None:
    """When the season's end has come by what was played; None where it has not."""
    if season.matches_each is None:
        return None if table.reached_at is None else projection.time_of(table.reached_at)
    played = {line.player: line.matches for line in table.lines}
    everybody = members(season.league)
    if any(played.get(user_id, 0) < season.matches_each for user_id in everybody):
        return None
    last = season.rows.order_by("-at").values_list("at", flat=True).first()
    return last if everybody else None


def end(season: Season, ended_at: datetime, now: datetime) -> None:
    disputed = in_dispute(season)
    season.status, season.ended_at = Status.PROVISIONAL if disputed else Status.FINAL, ended_at
    season.save(update_fields=["status", "ended_at"])
    tell(season.league, "season_over", members(season.league), key=f"{season.number}@{ended_at.isoformat()}", now=now,
         number=season.number, provisional=disputed)  # fmt: skip


def in_dispute(season: Season) -> bool:
    """Whether a dispute is open about a match that says something in the season: one that does not count changes nothing. Or
    whether a deal of it is played on by a ruling, and is to be counted anew.
    """
    if season.rows.filter(kind=LedgerRow.Kind.VOID, match__counts=True, deal__scored=False, deal__voided=False).exists():
        return True
    disputed = season.matches.filter(provisional=True, counts=True)
    return disputed.filter(Exists(LedgerRow.objects.filter(match=OuterRef("pk"))) | Q(waiting=True)).exists()


def set_disputed(match: LeagueMatch, is_open: bool) -> None:
    """Note, with the match locked, whether a dispute about it is open: an ended season is final only while none is."""
    season = lock_season(pk=match.season_id)
    match.provisional = is_open
    match.save(update_fields=["provisional"])
    finalise(season)


def finalise(season: Season) -> None:
    """Note whether a locked season that has ended is final by now."""
    if not season.is_open:
        season.status = Status.PROVISIONAL if in_dispute(season) else Status.FINAL
        season.save(update_fields=["status"])

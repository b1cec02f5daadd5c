"""Decisions about points: of the organiser, and of a referee. Each is further rows with reason and author; none is changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import transaction

from accounts.leagues import projection
from accounts.leagues.services.ending import end_if_over
from accounts.leagues.services.scoring import places_of
from accounts.leagues.services.store import REASON_LENGTH, lock_league, lock_season, members, must_manage, reason_of, tell
from accounts.models import LeagueMatch, LedgerRow, Season, User
from accounts.names import one_line
from games import selectors
from games.models import Deal
from games.services.errors import ServiceError

MOST_POINTS = 10_000
Kind = LedgerRow.Kind


@transaction.atomic
def adjust(
    *, code: str, by: User, user_id: int, points: int, reason: str, request: str, now: datetime, number: int | None = None
) -> LedgerRow:
    """Add points to a player of the open season, or of season `number`; or take some away. For organiser and deputies.

    `request` names the form that was sent: the same twice counts once. All members are told, the more so where somebody
    adjusts the own score. Raises `bad_points`, `reason_missing`, `no_season`, `not_in_the_season`.
    """
    league = lock_league(code)
    must_manage(league, by)
    why = reason_of(reason)
    if points == 0 or abs(points) > MOST_POINTS:
        raise ServiceError("bad_points")
    which = {"status": Season.Status.OPEN} if number is None else {"number": number}
    season = lock_season(league=league, **which)
    key = f"league:{league.pk}:{request[:40]}"
    there = LedgerRow.objects.filter(request=key, player=user_id).first()
    if there is not None:
        return there
    name = _name_in(season, user_id)
    row = LedgerRow.objects.create(
        season=season, player_id=user_id, kind=Kind.ADJUSTMENT, points=points, at=now, made_at=now, reason=why, author=by,
        request=key,
    )  # fmt: skip
    facts = {"player": name, "by": by.username, "points": points, "reason": why, "own": user_id == by.pk}
    tell(league, "adjusted", {*members(league), user_id}, key=str(row.pk), now=now, **facts)
    end_if_over(season, projection.rebuild(season), now)
    return row


def _name_in(season: Season, user_id: int) -> str:
    """Of a member, or of who has played in the season."""
    known = season.league.memberships.filter(user=user_id, until=None).exists() or season.rows.filter(player=user_id).exists()
    name = User.objects.filter(pk=user_id).values_list("username", flat=True).first() if known else None
    if name is None:
        raise ServiceError("not_in_the_season")
    return name


def rule(
    *, match: LeagueMatch, ruling: str, referee: User, reason: str, voided: Collection[int], points: Mapping[int, int],
    now: datetime,
) -> None:  # fmt: skip
    """What a referee's ruling means for the league, in its transaction: `voided` deals count no more, `points` are added.

    `ruling` names it: carried out twice it counts once. The match is locked. Where it has other places now, rows say so.
    A match that does not count changes nothing, and one that was played after the season gives no points.
    """
    season = lock_season(pk=match.season_id)
    if not match.counts:
        return
    if not (season.is_open or match.waiting or match.rows.exists()):
        points = {}
    why = one_line(reason)[:REASON_LENGTH] or "-"
    rows = _voids(season, match, voided, ruling)
    rows += [
        LedgerRow(season=season, match=match, kind=Kind.ADJUSTMENT, player_id=user_id, points=more, request=f"{ruling}:points")
        for user_id, more in points.items()
    ]
    _keep(rows, why, referee, now)
    _keep(_other_places(season, match, ruling), why, referee, now)
    end_if_over(season, projection.rebuild(season, changed=[match]), now)
    told = {row.player_id for row in rows}
    if told:
        tell(season.league, "ruled", told, key=ruling, now=now, reason=why)


def _keep(rows: list[LedgerRow], reason: str, referee: User, now: datetime) -> None:
    """Write the rows of a ruling, those that are not there yet."""
    for row in rows:
        row.reason, row.author, row.at, row.made_at = reason, referee, now, now
    LedgerRow.objects.bulk_create(rows, ignore_conflicts=True)


def _voids(season: Season, match: LeagueMatch, numbers: Collection[int], ruling: str) -> list[LedgerRow]:
    """A row for each person whom the deal counted for, or may have, had it been written by now."""
    held, times = selectors.holders(game=match.game), selectors.countings(game_id=match.game_id)
    deals = Deal.objects.filter(game=match.game_id, number__in=[number for number in numbers if number in times])
    rows: list[LedgerRow] = []
    for number, pk in deals.order_by("number").values_list("number", "pk"):
        written = set(match.rows.filter(deal=pk).values_list("player_id", flat=True))
        people = {user_id for user_id in held[number] if user_id is not None} if match.waiting else set()
        for user_id in sorted(written or people):
            rows.append(
                LedgerRow(
                    season=season, match=match, deal_id=pk, counting=times[number], kind=Kind.VOID, player_id=user_id,
                    request=f"{ruling}:deal:{number}",
                )
            )  # fmt: skip
    return rows


def _other_places(season: Season, match: LeagueMatch, ruling: str) -> list[LedgerRow]:
    """Adjustments of no points, for those whose place in the match is another than the ledger has it."""
    match.game.refresh_from_db()
    rows = projection.ledger(season, matches=[match.pk])
    there = {player: place for (_match, player), place in projection.places_by(season, rows).items()}
    wanted = places_of(season, match)
    return [
        LedgerRow(
            season=season, match=match, kind=Kind.ADJUSTMENT, player_id=player, place=wanted.get(player, 0),
            request=f"{ruling}:place",
        )
        for player in sorted(there.keys() | wanted.keys())
        if there.get(player) != wanted.get(player)
    ]  # fmt: skip

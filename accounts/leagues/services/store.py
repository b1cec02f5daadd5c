"""Rows to be locked, and who may do what: what the services share."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.urls import reverse

from accounts.models import League, LeagueMatch, Membership, Season, User
from accounts.names import one_line
from accounts.people import messages
from games.services.errors import ServiceError

MANAGERS = (Membership.Role.ORGANISER, Membership.Role.DEPUTY)
REASON_LENGTH = 300


def lock_league(code: str) -> League:
    """The league's row, locked until the transaction ends. Raises `no_such_league`."""
    league = League.objects.select_for_update(no_key=True).filter(code=code).first()
    if league is None:
        raise ServiceError("no_such_league")
    return league


def lock_season(**which: Any) -> Season:
    """A season's row, locked until the transaction ends: its ledger and table stand still. Raises `no_season`."""
    season = Season.objects.select_for_update(no_key=True, of=("self",)).select_related("league").filter(**which).first()
    if season is None:
        raise ServiceError("no_season")
    return season


def lock_matches(**which: Any) -> list[LeagueMatch]:
    """League matches with their games and seasons, their own rows locked until the transaction ends; before the season is."""
    matches = LeagueMatch.objects.select_for_update(no_key=True, of=("self",)).filter(**which)
    return list(matches.select_related("game", "season").order_by("pk"))


def membership(league: League, user: User) -> Membership | None:
    """Somebody's present membership."""
    return league.memberships.filter(user=user, until=None).first()


def lock_memberships(league: League, **which: Any) -> list[Membership]:
    """The present memberships, locked until the transaction ends: who sits down and who goes wait for one another, as does a
    person who sits down at two tables at once.
    """
    rows = league.memberships.select_for_update(no_key=True, of=("self",)).filter(until=None, **which)
    return list(rows.select_related("user").order_by("pk"))


def must_manage(league: League, user: User) -> Membership:
    """For the organiser and the deputies. Raises `not_the_organiser`."""
    found = membership(league, user)
    if found is None or found.role not in MANAGERS:
        raise ServiceError("not_the_organiser")
    return found


def must_organise(league: League, user: User) -> Membership:
    """For the organiser alone. Raises `not_the_organiser`."""
    found = must_manage(league, user)
    if found.role != Membership.Role.ORGANISER:
        raise ServiceError("not_the_organiser")
    return found


def must_be_alive(league: League) -> None:
    if league.closed_at is not None:
        raise ServiceError("league_closed")


def reason_of(text: str) -> str:
    """A reason as it is kept. Raises `reason_missing` or `reason_too_long`."""
    reason = one_line(text)
    if not reason:
        raise ServiceError("reason_missing")
    if len(reason) > REASON_LENGTH:
        raise ServiceError("reason_too_long")
    return reason


def members(league: League) -> list[int]:
    """The keys of all present members, without accounts that are no more."""
    return list(league.memberships.filter(until=None, user__is_active=True).values_list("user_id", flat=True))


def managers(league: League) -> list[int]:
    """The keys of the organiser and the deputies."""
    return list(league.memberships.filter(until=None, role__in=MANAGERS).values_list("user_id", flat=True))


def tell(league: League, what: str, user_ids: Collection[int], *, key: str, now: datetime, **facts: Any) -> None:
    """Tell people what happened in a league; `key` names it, so that it is told once."""
    path = reverse("leagues:league", args=[league.code])
    told = {"what": what, "league": league.name, "code": league.code, "path": path, **facts}
    messages.post(kind="league", user_ids=user_ids, key=f"{league.code}:{what}:{key}", facts=told, now=now)

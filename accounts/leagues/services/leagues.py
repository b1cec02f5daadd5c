"""Making a league, changing it, closing it."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Value
from django.db.models.functions import Lower

from accounts.leagues.services.store import lock_league, must_be_alive, must_organise
from accounts.models import League, Membership, Season, User
from accounts.models.leagues import FEWEST_SEATS, LEAGUE_NAME_LENGTH, RULES_LENGTH, new_invite
from accounts.names import BLANK
from games import engine
from games.models import Game
from games.services.errors import ServiceError

SHORTEST_NAME = 3
EDITABLE = {"options", "seats_min", "seats_max", "joining", "rules", "terms", "same_people", "forfeit", "bots"}
PICTURE = re.compile(r"(?<=[^\w\s])\ufe0f")
"""What says that a sign is meant as a picture in colours."""
NOT_TERMS = {"variant", "options", "seats", "seat_count", "computers", "title", "visibility", "maker", "now", "status"}
"""What of a table is not for its terms to say."""


@transaction.atomic
def create(*, organiser: User, name: str, variant: str, now: datetime, **wanted: Any) -> League:
    """A new league with its organiser as first member; `wanted` as in `edit`.

    Raises `guests_no_league`, and what `edit` raises.
    """
    if organiser.is_guest:
        raise ServiceError("guests_no_league")
    league = League(variant=variant, made_at=now)
    _fill(league, name=name, **wanted)
    _save(league, force_insert=True)
    Membership.objects.create(league=league, user=organiser, role=Membership.Role.ORGANISER, since=now)
    return league


@transaction.atomic
def edit(*, code: str, by: User, **wanted: Any) -> League:
    """Change a league: its `name`, and of `EDITABLE` what is given; for the organiser.

    It holds for the tables that are made from now on; which game is played stays. Raises `bad_name`, `name_taken`,
    `rules_too_long`, `bad_terms`, and RuleError `bad_record` where the game has no such options or seats.
    """
    league = lock_league(code)
    must_organise(league, by)
    must_be_alive(league)
    _fill(league, **wanted)
    _save(league)
    return league


@transaction.atomic
def renew_invite(*, code: str, by: User) -> League:
    """A new link; the old one opens nothing any more. For the organiser."""
    league = lock_league(code)
    must_organise(league, by)
    league.invite = new_invite()
    league.save(update_fields=["invite"])
    return league


@transaction.atomic
def close(*, code: str, by: User, now: datetime) -> League:
    """Nobody joins and no table is made any more; what was stays to be read. For the organiser, between two seasons.

    Raises `season_open`.
    """
    league = lock_league(code)
    must_organise(league, by)
    if league.seasons.filter(status=Season.Status.OPEN).exists():
        raise ServiceError("season_open")
    if league.closed_at is None:
        league.closed_at = now
        league.save(update_fields=["closed_at"])
        league.requests.filter(accepted=None).update(accepted=False, answered_at=now, answered_by=by)
    return league


@transaction.atomic
def reopen(*, code: str, by: User) -> League:
    """Take up a league that was closed. For the organiser."""
    league = lock_league(code)
    must_organise(league, by)
    league.closed_at = None
    league.save(update_fields=["closed_at"])
    return league


def table_terms(league: League) -> dict[str, Any]:
    """The terms as `games.services.tables.create` takes them: JSON knows no spans of time, but the fields of a table do."""
    fields = {field.name: field for field in Game._meta.concrete_fields}
    return {name: fields[name].to_python(value) for name, value in league.terms.items()}


def _fill(league: League, **wanted: Any) -> None:
    if "name" in wanted:
        league.name = _tidy(wanted.pop("name"))
        if League.objects.alias(small=Lower("name")).filter(small=Lower(Value(league.name))).exclude(pk=league.pk).exists():
            raise ServiceError("name_taken")
    if "rules" in wanted:
        wanted["rules"] = wanted["rules"].replace("\r\n", "\n").strip()
        if len(wanted["rules"]) > RULES_LENGTH:
            raise ServiceError("rules_too_long")
    for field, value in wanted.items():
        if field not in EDITABLE:
            raise TypeError(f"a league has no {field} to set")
        setattr(league, field, value)
    if not FEWEST_SEATS <= league.seats_min <= league.seats_max:
        raise engine.RuleError("bad_record", seats=league.seats_min)
    for seats in range(league.seats_min, league.seats_max + 1):
        league.options = engine.rules_for(league.variant, seats, league.options).options
    _check(league)


def _save(league: League, *, force_insert: bool = False) -> None:
    """Raises `name_taken` where another has taken the name since it was looked for."""
    try:
        with transaction.atomic():
            league.save(force_insert=force_insert)
    except IntegrityError as fault:
        if "one_league_of_a_name" not in str(fault):
            raise
        raise ServiceError("name_taken") from None


def _check(league: League) -> None:
    """Its fields are within bounds, and a table can be made by its terms."""
    try:
        if NOT_TERMS & league.terms.keys():
            raise ServiceError("bad_terms")
        table = Game(variant=league.variant, options=league.options, seat_count=league.seats_max, **table_terms(league))
        table.full_clean(exclude=["maker", "made_at"])
        league.full_clean(validate_constraints=False)
    except (ValidationError, LookupError, TypeError, AttributeError):
        raise ServiceError("bad_terms") from None


def _tidy(name: str) -> str:
    """A name as it is kept: spaces made single, every sign to be seen. Raises `bad_name`."""
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    kinds = [unicodedata.category(sign) for sign in tidy]
    hidden = BLANK.search(PICTURE.sub("", tidy)) or any(kind[0] == "C" or kind in ("Zl", "Zp") for kind in kinds)
    if hidden or not SHORTEST_NAME <= len(tidy) <= LEAGUE_NAME_LENGTH or kinds[0][0] == "M":  # a mark that stands on nothing
        raise ServiceError("bad_name")
    return tidy

"""Tables of a league: making one, making several for the members, and who may sit down."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import combinations

from django.db import transaction
from django.db.models import QuerySet

from accounts.leagues import seating
from accounts.leagues.belonging import matches_of
from accounts.leagues.services.leagues import table_terms
from accounts.leagues.services.store import lock_league, lock_memberships, lock_season, must_be_alive, must_manage
from accounts.models import League, LeagueMatch, Season, User
from games.models import TITLE_LENGTH, Game, Seat
from games.services import absence, tables
from games.services.errors import NoSuchTable, ServiceError

FEWEST_PEOPLE = 2
DOUBLE_TAP = timedelta(seconds=10)
MOST_TABLES = 50


@transaction.atomic
def make_table(*, code: str, user: User, seats: int, now: datetime, title: str = "", computers: int = 0) -> Game:
    """A table of the open season with a member in its first seat, by the league's terms. A double tap makes one.

    Raises `no_season`, `bad_seats`, `league_no_computers`, `league_season_over`, and what `may_sit` raises.
    """
    league = lock_league(code)
    season = open_season(league)
    made = season.matches.filter(game__maker=user, game__made_at__gt=now - DOUBLE_TAP, game__seat_count=seats)
    again = made.filter(game__status=Game.Status.OPEN).select_related("game").order_by("-pk").first()
    if again is not None:
        return again.game
    may_sit(season, user)
    season = _lock_open_season(league, now)
    if not league.seats_min <= seats <= league.seats_max:
        raise ServiceError("bad_seats")
    if computers and (not league.bots or seats - computers < FEWEST_PEOPLE):
        raise ServiceError("league_no_computers")
    return _make(season, user, seats, title, computers, now)


@transaction.atomic
def make_tables(
    *, code: str, by: User, tables_wanted: int, seats: int, now: datetime, rng: random.Random,
    user_ids: Collection[int] | None = None, made: int | None = None,
) -> list[Game]:  # fmt: skip
    """So many tables of at most so many seats, at which members sit who have met least; they begin at once.

    For organiser and deputies. Of all members or those named; where there are fewer places, those sit who have played
    least. `made` is how many matches of the season the page knew of: the same form twice makes them once. Raises `stale`,
    `no_season`, `league_season_over`, `bad_seats`, `bad_tables` where the tables are too many for the people, and `not_a_member`.
    """
    league = lock_league(code)
    must_manage(league, by)
    open_season(league)
    lock_memberships(league)
    season = _lock_open_season(league, now)
    if made is not None and season.matches.count() != made:
        raise ServiceError("stale")
    groups = arrange(season, tables_wanted=tables_wanted, seats=seats, rng=rng, user_ids=user_ids)
    return [_begin(season, group, now) for group in groups]


def arrange(
    season: Season, *, tables_wanted: int, seats: int, rng: random.Random, user_ids: Collection[int] | None = None
) -> list[list[int]]:
    """Who would sit at which table if `make_tables` were asked; it raises the same."""
    league = season.league
    everybody = set(league.memberships.filter(until=None, user__is_active=True).values_list("user_id", flat=True))
    players = everybody if user_ids is None else set(user_ids)
    if not players <= everybody:
        raise ServiceError("not_a_member")
    played = matches_of(season)
    if season.matches_each is not None:
        players = {user_id for user_id in players if played[user_id] < season.matches_each}
    if not league.seats_min <= seats <= league.seats_max:
        raise ServiceError("bad_seats")
    sitting = seating.chosen(sorted(players), tables_wanted * seats, played, rng)
    if not 1 <= tables_wanted <= MOST_TABLES or len(sitting) < tables_wanted * max(league.seats_min, FEWEST_PEOPLE):
        raise ServiceError("bad_tables")
    return seating.seat(sitting, tables_wanted, meetings(season), rng)


def may_sit(season: Season, user: User) -> None:
    """Whether a person may sit down at a table of a season. Locks the membership until the transaction ends.

    Raises `league_closed`, `league_season_over`, `league_members_only`, or `league_matches_played`.
    """
    must_be_alive(season.league)
    if not season.is_open:
        raise ServiceError("league_season_over")
    if not lock_memberships(season.league, user=user):
        raise ServiceError("league_members_only")
    if season.matches_each is not None and matches_of(season)[user.pk] >= season.matches_each:
        raise ServiceError("league_matches_played")


def meetings(season: Season) -> Counter[frozenset[int]]:
    """How often two have sat, or are about to sit, at one table of a season."""
    people: dict[int, list[int]] = {}
    for game_id, user_id in _seated(season).values_list("game_id", "user_id"):
        people.setdefault(game_id, []).append(user_id)
    return Counter(frozenset(pair) for group in people.values() for pair in combinations(group, 2))


def _seated(season: Season) -> QuerySet[Seat]:
    seats = Seat.objects.filter(game__league_match__season=season, user__isnull=False)
    return seats.exclude(game__status=Game.Status.CANCELLED).order_by("pk")


def open_season(league: League) -> Season:
    """The season under way. Raises `no_season`."""
    season = league.seasons.filter(status=Season.Status.OPEN).select_related("league").first()
    if season is None:
        raise ServiceError("no_season")
    return season


def _lock_open_season(league: League, now: datetime) -> Season:
    """The season under way, locked. Raises `no_season`, or `league_season_over` where its day has come."""
    season = lock_season(league=league, status=Season.Status.OPEN)
    if season.ends_at is not None and season.ends_at <= now:
        raise ServiceError("league_season_over")
    return season


def stand_up(league: League, user: User, now: datetime) -> None:
    """Give up somebody's seats at tables of a league that have not begun; the membership is locked, so that none is added."""
    games = Game.objects.filter(league_match__season__league=league, status=Game.Status.OPEN, seats__user=user).order_by("pk")
    for code in games.values_list("code", flat=True):
        try:
            tables.leave(code=code, user=user, now=now)
        except ServiceError as fault:
            if fault.code not in ("already_started", "table_gone"):
                raise


def _make(season: Season, maker: User, seats: int, title: str, computers: int, now: datetime) -> Game:
    """A table with the league's terms, and its place in the season."""
    league = season.league
    public = league.joining == League.Joining.OPEN
    name = title or f"{league.name[: TITLE_LENGTH - 7]} {season.matches.count() + 1}"
    game = tables.create(
        maker=maker, variant=league.variant, seats=seats, options=league.options, now=now, title=name, computers=computers,
        visibility=Game.Visibility.PUBLIC if public else Game.Visibility.LINK, **table_terms(league),
    )  # fmt: skip
    LeagueMatch.objects.create(season=season, game=game, forfeit=league.forfeit, bots=league.bots, made_at=now)
    return game


def _begin(season: Season, group: Sequence[int], now: datetime) -> Game:
    """A table at which these people sit in this order."""
    people = User.objects.in_bulk(group)
    first, *others = (people[user_id] for user_id in group)
    game = _make(season, first, len(group), "", 0, now)
    for user in others:
        tables.join(code=game.code, user=user, now=now)
    return game


@transaction.atomic
def substitute(*, code: str, by: User, game_code: str, seat: int, user_id: int, now: datetime) -> None:
    """Put a member in the place of an absent player of a league match. For organiser and deputies.

    Raises `not_a_member`, `no_such_table` where it is no match of the league, and what `absence.take_over` raises.
    """
    league = lock_league(code)
    must_manage(league, by)
    member = league.memberships.filter(user=user_id, until=None).select_related("user").first()
    if member is None:
        raise ServiceError("not_a_member")
    if not LeagueMatch.objects.filter(game__code=game_code, season__league=league).exists():
        raise NoSuchTable
    absence.take_over(code=game_code, user=member.user, seat=seat, now=now)


def begun(match: LeagueMatch, seats: Sequence[Seat], now: datetime) -> None:
    """Note, with the match locked, who sat down, and whether it counts: not among too few people, nor the same ones too often."""
    season = lock_season(pk=match.season_id)
    match.people = sorted(seat.user_id for seat in seats if seat.user_id is not None)
    limit = season.league.same_people
    again = season.matches.filter(people=match.people, counts=True).count()
    in_time = season.is_open and (season.ends_at is None or now < season.ends_at)
    match.counts = in_time and len(match.people) >= FEWEST_PEOPLE and (limit is None or again < limit)
    match.save(update_fields=["people", "counts"])

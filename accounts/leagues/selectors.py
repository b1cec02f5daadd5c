"""Every read about leagues."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.db.models import Case, Count, Exists, F, Func, OuterRef, Prefetch, Q, QuerySet, TextField, When

from accounts.leagues.projection import counting
from accounts.models import JoinRequest, League, LeagueMatch, LedgerRow, Membership, Season, Standing, User
from games.models import Game, Seat, Tenure
from games.services.errors import ServiceError

SWEEP_AT_ONCE = 100
SIZE = Count("memberships", filter=Q(memberships__until=None))
"""How many members a league has."""
LETTERS = Func(
    F("user__username"),
    template=r"lower(regexp_replace(normalize(%(expressions)s, NFD), '[\u0300-\u036f]', '', 'g'))",
    output_field=TextField(),
)
"""Of memberships: the name without accents and capitals, to sort by. A collation for it is not in every PostgreSQL."""
LINE = [field.name for field in Standing._meta.concrete_fields]


# -- for the workers -----------------------------------------------------------------------------


def season_of(*, game_id: int) -> int | None:
    """The season that a game belongs to."""
    return LeagueMatch.objects.filter(game=game_id).values_list("season_id", flat=True).first()


def seasons_to_score() -> list[int]:
    """The seasons of matches with a deal that the ledger may lack."""
    waiting = LeagueMatch.objects.filter(waiting=True).order_by("season").values_list("season_id", flat=True)
    return list(waiting.distinct()[:SWEEP_AT_ONCE])


def seasons_to_end(*, now: datetime) -> list[int]:
    """Open seasons whose day has come."""
    due = Season.objects.filter(status=Season.Status.OPEN, until=Season.Until.DATE, ends_at__lte=now)
    return list(due.order_by("ends_at").values_list("pk", flat=True)[:SWEEP_AT_ONCE])


# -- leagues and their people --------------------------------------------------------------------


def find_league(*, code: str) -> League:
    """The league behind an address; whoever has that may read it. Raises `no_such_league`."""
    league = League.objects.filter(code=code).first() if code.isalnum() else None
    if league is None:
        raise ServiceError("no_such_league")
    return league


def my_leagues(*, user: User) -> QuerySet[League]:
    """The leagues a player is in, each with its `size`, the open ones first."""
    mine = Membership.objects.filter(league=OuterRef("pk"), user=user, until=None)
    return League.objects.filter(Exists(mine)).annotate(size=SIZE).order_by(F("closed_at").asc(nulls_first=True), "name")


def leagues_to_join(*, user: User | AnonymousUser) -> QuerySet[League]:
    """Leagues that anybody may join or ask to, and this person is not in: those with most members first."""
    found = League.objects.filter(closed_at=None).exclude(joining=League.Joining.LINK)
    if user.is_authenticated:
        found = found.exclude(Exists(Membership.objects.filter(league=OuterRef("pk"), user=user, until=None)))
    return found.annotate(size=SIZE).order_by("-size", "name")


def person(*, name: str, any_case: bool = False) -> User | None:
    """Whoever bears a name as it was typed or stands in an address; None where nobody does."""
    if "\x00" in name:  # which no name has, and the database takes in no question
        return None
    return User.objects.filter(**{"username__iexact" if any_case else "username": name}).first()


def membership(*, league: League, user: User | AnonymousUser) -> Membership | None:
    """Somebody's present membership."""
    return league.memberships.filter(user=user.pk, until=None).first() if user.is_authenticated else None


def members(*, league: League) -> QuerySet[Membership]:
    """All present members, by name, as an alphabet has them: Élodie beside Elena."""
    by = (LETTERS, "user__username")
    return league.memberships.filter(until=None).select_related("user").order_by(*by)


def expelled(*, league: League, user: User | AnonymousUser) -> bool:
    """Whether a person's last membership ended by being expelled: only an organiser lets them in again."""
    if not user.is_authenticated:
        return False
    last = league.memberships.filter(user=user.pk, until__isnull=False).order_by("-until").first()
    return last is not None and last.ended == Membership.Ended.EXPELLED


def former_members(*, league: League) -> QuerySet[Membership]:
    """Who has left or was expelled, the last first; not those who came back."""
    back = Membership.objects.filter(league=league, user=OuterRef("user"), until=None)
    gone = league.memberships.filter(until__isnull=False).exclude(Exists(back))
    return gone.select_related("user").order_by("-until")


def requests(*, league: League) -> QuerySet[JoinRequest]:
    """Who has asked to be let in and was not answered, the first first."""
    return league.requests.filter(accepted=None).select_related("user")


def asked(*, league: League, user: User | AnonymousUser) -> bool:
    """Whether a person has asked to be let in and was not answered."""
    return user.is_authenticated and league.requests.filter(user=user.pk, accepted=None).exists()


# -- seasons -------------------------------------------------------------------------------------


def season(*, league: League, number: int | None = None) -> Season | None:
    """A season of a league: the one of that number, or the last."""
    found = league.seasons.all() if number is None else league.seasons.filter(number=number)
    return found.order_by("-number").first()


def past_seasons(*, league: League) -> list[tuple[Season, list[Standing]]]:
    """The seasons that have ended, the last first, each with its champions: several where they are level."""
    first = Prefetch("standings", Standing.objects.filter(rank=1).select_related("player"), to_attr="first")
    ended = league.seasons.exclude(status=Season.Status.OPEN).order_by("-number").prefetch_related(first)
    return [(season, season.first) for season in ended]


def table(*, season: Season) -> QuerySet[Standing]:
    """The table, best first, each line with its `player`: one query."""
    lines = season.standings.select_related("player").order_by("rank", "player__username")
    return lines.only(*LINE, "player__username", "player__is_active")


def with_ties(lines: QuerySet[Standing]) -> QuerySet[Standing]:
    """These lines, each with `tied`: whether another of its season has the same rank, be it on another page."""
    level = Standing.objects.filter(season=OuterRef("season"), rank=OuterRef("rank")).exclude(pk=OuterRef("pk"))
    return lines.annotate(tied=Exists(level))


def provisional_players(*, season: Season) -> set[int]:
    """Those whose lines hold results under dispute."""
    rows = LedgerRow.objects.filter(match__season=season, match__provisional=True)
    return set(rows.order_by().values_list("player_id", flat=True).distinct())


def without_results(*, season: Season) -> QuerySet[Membership]:
    """Members whom the table does not have yet, by name."""
    lines = Standing.objects.filter(season=season, player=OuterRef("user"))
    return members(league=season.league).exclude(Exists(lines))


def matches(*, season: Season, status: Sequence[str] = ()) -> QuerySet[LeagueMatch]:
    """The matches of a season, each with its game, seats and people; of these statuses where any is named.

    Tables that wait for players come first, then those under way, then the rest; the newest first.
    """
    seats = Prefetch("game__seats", Seat.objects.select_related("user"))
    found = season.matches.exclude(game__status=Game.Status.CANCELLED)
    if status:
        found = found.filter(game__status__in=status)
    return found.select_related("game").prefetch_related(seats).order_by("-game__ended_at", "game__status", "-pk")


def rows(*, season: Season, user_id: int | None = None) -> QuerySet[LedgerRow]:
    """The ledger, the newest row first, each row with whether it `counts`; of one player, where one is named."""
    found = season.rows.all() if user_id is None else season.rows.filter(player=user_id)
    counts = {"counts": Case(When(counting(season), then=True), default=False)}
    return found.annotate(**counts).select_related("player", "author", "match__game").order_by("-at", "-pk")


def champions(*, season: Season) -> list[Standing]:
    """Who has won a season that has ended, by name: several where they are level. Provisionally, where that has ended so."""
    if season.is_open:
        return []
    return list(season.standings.filter(rank=1).select_related("player").order_by("player__username"))


# -- what a match did ----------------------------------------------------------------------------


def league_of_table(*, code: str) -> tuple[str, str, int, bool] | None:
    """Of the league that a table belongs to: its code, its name, the number of the season, whether computers may sit there."""
    found = LeagueMatch.objects.filter(game__code=code)
    return found.values_list("season__league__code", "season__league__name", "season__number", "bots").first()


def is_member(*, code: str, user: User | AnonymousUser) -> bool:
    """Whether somebody is in the league of that code now."""
    return user.is_authenticated and Membership.objects.filter(league__code=code, user=user.pk, until=None).exists()


def belongs_to_table(*, game_id: int, user: User) -> bool:
    """Whether somebody is in the league of a table now; False where it belongs to none."""
    return Membership.objects.filter(league__seasons__matches__game=game_id, user=user, until=None).exists()


@dataclass(frozen=True)
class TableOfLeague:
    """The league of a table in a list."""

    code: str
    name: str
    member: bool
    """Whether the reader is in it."""


def leagues_of(*, codes: Collection[str], user: User | AnonymousUser) -> dict[str, TableOfLeague]:
    """By the codes of tables, the leagues that they belong to, if any: one query."""
    mine = Membership.objects.filter(league=OuterRef("season__league"), user=user.pk, until=None)
    found = LeagueMatch.objects.filter(game__code__in=codes).annotate(member=Exists(mine))
    listed = found.values_list("game__code", "season__league__code", "season__league__name", "member")
    return {table: TableOfLeague(code, name, member) for table, code, name, member in listed}


def has_stake(*, game: Game, user: User) -> bool:
    """Whether the table of the league that a game belongs to is somebody's business: of its members, and whom the season has."""
    match = LeagueMatch.objects.filter(game=game).select_related("season").first()
    if match is None:
        return False
    members = Membership.objects.filter(league=match.season.league_id, user=user, until=None)
    played = Tenure.objects.filter(game__league_match__season=match.season, user=user)
    return members.exists() or played.exists() or match.season.rows.filter(player=user).exists()


@dataclass(frozen=True)
class Gain:
    """What a match came to for one player."""

    user_id: int
    points: int
    before: int | None
    """The rank without the match; None where the player had none. Both are None until the match is over."""
    after: int | None


@dataclass(frozen=True)
class Outcome:
    """A match of a league, for the pages of its table."""

    match: LeagueMatch
    gains: list[Gain]
    """Those who have points from it that count, most first."""
    too_late: bool
    """Whether all of it was over after the season."""


def outcome(*, game: Game) -> Outcome | None:
    """What a game means for its league, with `match.season.league`; None where it belongs to none."""
    match = LeagueMatch.objects.filter(game=game).select_related("season__league").first()
    if match is None:
        return None
    points: dict[int, int] = {}
    for player, more in match.rows.filter(counting(match.season)).order_by("pk").values_list("player_id", "points"):
        points[player] = points.get(player, 0) + more
    gains = [Gain(player, more, *match.ranks.get(str(player), (None, None))) for player, more in points.items()]
    too_late = not gains and not match.season.is_open and not match.rows.filter(kind=LedgerRow.Kind.VOID).exists()
    return Outcome(match, sorted(gains, key=lambda gain: -gain.points), too_late)


# -- points over time ----------------------------------------------------------------------------


def series(
    *, season: Season, user_ids: Collection[int], now: datetime, steps: int = 48
) -> tuple[list[datetime], dict[int, list[int]]]:  # fmt: skip
    """The points of these players at even steps from the season's start to its end, or to `now`: one query."""
    end = (now if season.is_open else season.ended_at) or now
    span = max(end - season.starts_at, timedelta(seconds=1))
    moments = [season.starts_at + span * step / steps for step in range(steps + 1)]
    lines = {user_id: [0] * (steps + 1) for user_id in user_ids}
    rows = season.rows.filter(counting(season), player__in=user_ids)
    for player, at, points in rows.values_list("player_id", "at", "points"):
        step = -((season.starts_at - at) * steps // span)
        lines[player][min(max(step, 0), steps)] += points
    for line in lines.values():
        for step in range(steps):
            line[step + 1] += line[step]
    return moments, lines

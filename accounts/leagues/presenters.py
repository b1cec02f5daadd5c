"""A league in words and lines, for its pages. Takes `now`, never a clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from babel.dates import format_date
from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Page, Paginator
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.leagues import chart, selectors
from accounts.leagues.numbers import points_text
from accounts.models import League, LeagueMatch, LedgerRow, Season, Standing, User
from accounts.models.ledger import LAP
from games.models import Game, Seat
from games.presenters.names import seat_names, table_name
from games.presenters.standings import ranked
from games.presenters.terms import game_in_words, terms
from games.presenters.tile_terms import Term
from games.presenters.times import date_locale, day_of
from games.selectors import may_see, reliability

LINES_ON_A_PAGE, ROWS_ON_A_PAGE = 50, 100
CURVES = 8
MATCHES_SHOWN = 8
Viewer = User | AnonymousUser


def player_name(user: User) -> str:
    """What a player is called in a league; who has gone has no name any more."""
    return user.username if user.is_active else _("deleted player")


# -- the league in words -------------------------------------------------------------------------


def game_words(league: League) -> str:
    """The game and how long a match is: "Remi 500, first to 500"."""
    return game_in_words(Game(variant=league.variant, options=league.options, seat_count=league.seats_max))


def season_words(season: Season) -> str:
    """When a season ends, or has ended."""
    if season.ended_at is not None:
        return _("ended on %(day)s") % {"day": day_of(_last_moment(season, season.ended_at))}
    if season.ends_at is not None:
        return _("until %(day)s") % {"day": day_of(_last_moment(season, season.ends_at))}
    if season.matches_each is not None:
        return ngettext("%(count)s match each", "%(count)s matches each", season.matches_each) % {"count": season.matches_each}
    goal = season.first_to or 0
    words = ngettext("the first to %(points)s point", "the first to %(points)s points", goal)
    return words % {"points": points_text(goal)}


def _last_moment(season: Season, end: datetime) -> datetime:
    """A season until a day ends as the next one begins; the day to be named is the one before."""
    return end - timedelta(microseconds=1) if end == season.ends_at else end


def league_terms(league: League, table: Game, *, now: datetime) -> list[Term]:
    """What holds for every table of a league, and what counts."""
    seats = str(league.seats_min) if league.seats_min == league.seats_max else f"{league.seats_min}–{league.seats_max}"
    shown = terms(table, now=now)
    limit = league.same_people
    return [
        shown[0],
        Term(pgettext("term of a table", "Seats"), seats),
        *shown[2:-1],
        Term(pgettext("term of a table", "Join"), str(league.get_joining_display())),
        Term(_("Computer players"), _("may fill seats") if league.bots else _("none")),
        Term(_("Matches of the same people"), _("all count") if limit is None else _("%(count)s count") % {"count": limit}),
        Term(_("A forfeited deal"), _("%(points)s at most") % {"points": points_text(league.forfeit)}),
    ]


# -- the table -----------------------------------------------------------------------------------


class Line(NamedTuple):
    """A player's line in the table."""

    standing: Standing
    name: str
    you: bool
    tied: bool
    reliability: int | None
    provisional: bool
    moved: int | None
    """How many ranks the last match brought, fewer than 0 where it cost some; None where that is not known or none."""


class Shown(NamedTuple):
    """A page of the table; `own` is the reader's line where it is on another page."""

    page: Page
    lines: list[Line]
    own: Line | None
    mine: Line | None
    """The reader's line, wherever it is."""


def standing(
    season: Season, user: Viewer, *, page: str | int | None = 1, moves: dict[int, int] | None = None, lines: int = LINES_ON_A_PAGE
) -> Shown:
    """A page of the table: five queries at most."""
    table = selectors.with_ties(selectors.table(season=season))
    shown = Paginator(table, lines).get_page(page)
    found = list(shown.object_list)
    here = next((line for line in found if line.player_id == user.pk), None)
    elsewhere = table.filter(player=user.pk).first() if here is None and user.pk else None
    all_lines = [*found, elsewhere] if elsewhere else found
    provisional = selectors.provisional_players(season=season)
    in_time = reliability(line.player_id for line in all_lines)

    def line_of(row: Standing) -> Line:
        tied: bool = row.tied  # type: ignore[attr-defined]
        return Line(
            row, player_name(row.player), row.player_id == user.pk, tied, in_time[row.player_id],
            row.player_id in provisional, (moves or {}).get(row.player_id) or None,
        )  # fmt: skip

    made = [line_of(row) for row in found]
    own = line_of(elsewhere) if elsewhere else None
    return Shown(shown, made, own, own or next((line for line in made if line.you), None))


def headline(mine: Line) -> str:
    """Where the reader stands, and how far the next lap is."""
    row = mine.standing
    missing = (row.laps + 1) * LAP - row.points
    place = _("You share place %(rank)s") if mine.tied else _("You are in place %(rank)s")
    to_lap = ngettext("%(points)s point from lap %(lap)s.", "%(points)s points from lap %(lap)s.", missing)
    facts = {"rank": row.rank, "points": points_text(missing), "lap": row.laps + 1}
    return f"{place}, {to_lap}" % facts


# -- matches -------------------------------------------------------------------------------------


class Player(NamedTuple):
    name: str
    you: bool
    points: int
    free: bool


class Match(NamedTuple):
    """A match in a list."""

    code: str
    name: str
    day: str
    opens: bool
    """Whether the reader may look at its table."""
    players: list[Player]
    counts: bool
    provisional: bool
    status: str
    seated: bool
    free: int


def matches(
    season: Season, user: Viewer, status: Sequence[str], *, member: bool, most: int = MATCHES_SHOWN
) -> list[Match]:  # fmt: skip
    return [match_row(match, user, member=member) for match in selectors.matches(season=season, status=status)[:most]]


def match_row(match: LeagueMatch, user: Viewer, *, member: bool) -> Match:
    """A match of a league; its `member`s may look at all of its tables."""
    game = match.game
    seats = sorted(game.seats.all(), key=lambda seat: seat.index)
    seated = user.pk is not None and any(seat.user_id == user.pk for seat in seats)
    return Match(
        code=game.code,
        name=table_name(game),
        day=_short_day(game.ended_at or match.made_at),
        opens=may_see(game, seated or member),
        players=_players(game, seats, user),
        counts=match.counts is not False,
        provisional=match.provisional,
        status=game.status,
        seated=seated,
        free=game.seat_count - len(seats),
    )


def _players(game: Game, seats: list[Seat], user: Viewer) -> list[Player]:
    """Best first once there are points; in order of play before."""
    names = {seat.index: name for seat, name in zip(seats, seat_names(seats), strict=True)}
    order = seats if game.status == Game.Status.OPEN else ranked(seats, game.winner)
    return [
        Player(names[seat.index], seat.user_id is not None and seat.user_id == user.pk, seat.total, free=False) for seat in order
    ]  # fmt: skip


class AbsentSeat(NamedTuple):
    """A seat of a match under way that the computer plays for somebody who stays away."""

    key: str
    table: str
    name: str


def absent_seats(season: Season) -> list[AbsentSeat]:
    seats = Seat.objects.filter(game__league_match__season=season, game__status=Game.Status.RUNNING, absent_since__isnull=False)
    return [
        AbsentSeat(f"{seat.game.code}-{seat.index}", table_name(seat.game), player_name(seat.user) if seat.user else "")
        for seat in seats.select_related("game", "user").order_by("absent_since")
    ]  # fmt: skip


def moves(season: Season) -> dict[int, int]:
    """By player, how many ranks the last match of the season that is over brought."""
    last = season.matches.exclude(ranks={}).order_by("-game__ended_at", "-pk").values_list("ranks", flat=True).first() or {}
    return {int(key): before - after for key, (before, after) in last.items() if before and after}


def _short_day(at: datetime) -> str:
    return format_date(timezone.localtime(at), _("EEE d MMM"), locale=date_locale())


class Gained(NamedTuple):
    """What a match came to for one player."""

    name: str
    you: bool
    points: int
    before: int | None
    after: int | None
    moved: int


class Outcome(NamedTuple):
    """A match that is over, as the pages of its table show it."""

    code: str
    league: str
    number: int
    lines: list[Gained]
    state: str
    """`uncounted`, `waiting`, `late` (over after the season), `void`, `provisional`, or `counted`."""


def outcome_lines(game: Game, user: Viewer) -> Outcome | None:
    """What a game means for its league; None where it belongs to none, or has not ended."""
    found = selectors.outcome(game=game) if game.status == Game.Status.FINISHED else None
    if found is None:
        return None
    match, people = found.match, User.objects.in_bulk([gain.user_id for gain in found.gains])
    lines = [
        Gained(
            player_name(people[gain.user_id]), gain.user_id == user.pk, gain.points, gain.before, gain.after,
            (gain.before or 0) - (gain.after or 0) if gain.before and gain.after else 0,
        )
        for gain in found.gains
    ]  # fmt: skip
    league = match.season.league
    return Outcome(league.code, league.name, match.season.number, lines, _state(found))


def _state(found: selectors.Outcome) -> str:
    match = found.match
    if not match.counts:
        return "uncounted"
    if match.waiting:
        return "waiting"
    if not found.gains:
        return "late" if found.too_late else "void"
    return "provisional" if match.provisional else "counted"


# -- points over time ----------------------------------------------------------------------------


class Curve(NamedTuple):
    line: chart.Line
    name: str
    label: str
    me: bool


class Chart(NamedTuple):
    drawing: chart.Drawing
    curves: list[Curve]
    """The reader's last, over the others."""
    days: list[tuple[int, str]]
    summary: str
    spoken: list[tuple[str, list[int]]]
    """The same for a screen reader: by player, the points on these days."""


def course(season: Season, shown: Shown, *, now: datetime) -> Chart | None:
    """The points of the first players over time, and the reader's: one query. None where nothing has been played."""
    chosen = shown.lines[:CURVES]
    if shown.mine is not None and shown.mine not in chosen:
        chosen = [*chosen[: CURVES - 1], shown.mine]
    if not chosen:
        return None
    by_key = {line.standing.player_id: line for line in chosen}
    moments, series = selectors.series(season=season, user_ids=list(by_key), now=now)
    drawing = chart.draw(series)
    curves = [Curve(line, by_key[line.key].name, _label(by_key[line.key]), by_key[line.key].you) for line in drawing.lines]
    marks = [0, len(moments) // 2, len(moments) - 1]
    days = [(round(100 * mark / (len(moments) - 1)), _tick(moments[mark], moments)) for mark in marks]
    spoken = [(curve.name, [series[curve.line.key][mark] for mark in marks]) for curve in curves]
    return Chart(drawing, sorted(curves, key=lambda curve: curve.me), days, _summary(chosen, shown.mine), spoken)


def _summary(lines: list[Line], mine: Line | None) -> str:
    first = lines[0]
    words = (
        _("Cumulative points over time. %(name)s shares the first place, with %(points)s.")
        if first.tied
        else _("Cumulative points over time. %(name)s leads with %(points)s.")
    )
    said = words % {"name": first.name, "points": points_text(first.standing.points)}
    if mine is None or mine is first:
        return said
    return said + " " + _("You have %(points)s.") % {"points": points_text(mine.standing.points)}


LABEL = 8


def _label(line: Line) -> str:
    name = line.name if len(line.name) <= LABEL else line.name[: LABEL - 1].rstrip() + "…"
    return f"{name} {points_text(line.standing.points)}"


def _tick(at: datetime, moments: Sequence[datetime]) -> str:
    """The day; of a season that is hours old, the hour."""
    local = timezone.localtime(at)
    if (moments[-1] - moments[0]).days < 2:
        return f"{local:%H:%M}"
    return format_date(local, "d MMM", locale=date_locale())


# -- the ledger ----------------------------------------------------------------------------------


class Entry(NamedTuple):
    """A row of the ledger."""

    row: LedgerRow
    name: str
    day: str
    deal: int | None
    author: str
    opens: bool


def entries(rows: Iterable[LedgerRow], user: Viewer, *, member: bool) -> list[Entry]:
    """Rows of `with_deals`, for a member of the league or another."""
    return [
        Entry(
            row, player_name(row.player), _short_day(row.at), getattr(row, "deal_number", None),
            player_name(row.author) if row.author else "",
            row.match is not None and may_see(row.match.game, row.player_id == user.pk or member),
        )
        for row in rows
    ]  # fmt: skip


def with_deals(season: Season, player: User | None) -> Paginator:
    """The ledger in pages, the newest row first, each row with its `deal_number`, counted from 1."""
    rows = selectors.rows(season=season, user_id=None if player is None else player.pk)
    return Paginator(rows.annotate(deal_number=F("deal__number") + 1), ROWS_ON_A_PAGE)

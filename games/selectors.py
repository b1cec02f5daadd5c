"""Every read about tables and games. Hands leave only as `engine.view`, or `engine.reveal` of a deal that is over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Prefetch, Q, QuerySet

from accounts.models import User
from games import engine
from games.models import Deal, Entry, Game, Hand, Seat
from games.services.errors import NoSuchTable
from games.services.store import Table, load

SWEEP_AT_ONCE = 1_000


def expired_games(*, now: datetime) -> list[int]:
    """Running games whose turn has run out, oldest first, for one sweep."""
    due = Game.objects.filter(status=Game.Status.RUNNING, deadline__lte=now, awaits_server=False)
    return list(due.order_by("deadline").values_list("pk", flat=True)[:SWEEP_AT_ONCE])


def games_awaiting_the_server() -> list[int]:
    """Running games whose next step is the server's."""
    return list(Game.objects.filter(awaits_server=True).order_by("pk").values_list("pk", flat=True)[:SWEEP_AT_ONCE])


def find_game(*, code: str, user: User) -> Game:
    """The game behind an address, where this person may see it. Raises NoSuchTable.

    An open table is seen by whoever has its link; a table by link, once begun, by its players alone.
    """
    game = Game.objects.filter(code=code).first()
    if game is None or not may_see(game, game.seats.filter(user=user).exists):
        raise NoSuchTable
    return game


def may_see(game: Game, is_player: object) -> bool:
    """Whether a person may see a table; `is_player` is asked only where it matters."""
    public = game.visibility == Game.Visibility.PUBLIC or game.status == Game.Status.OPEN
    return public or bool(is_player() if callable(is_player) else is_player)


def game_version(*, code: str, user: User) -> tuple[int, str]:
    """Version and status of a game this person may see, in one query. Raises NoSuchTable."""
    mine = Count("seats", filter=Q(seats__user=user))
    found = Game.objects.filter(code=code).annotate(mine=mine).values_list("version", "status", "visibility", "mine").first()
    if found is None:
        raise NoSuchTable
    version, status, visibility, seated = found
    if visibility == Game.Visibility.LINK and status != Game.Status.OPEN and not seated:
        raise NoSuchTable
    return version, status


def table(*, code: str, user: User) -> Table:
    """A table that has begun, for a player or a spectator. Raises NoSuchTable."""
    game = Game.objects.filter(code=code, started_at__isnull=False).first()
    if game is None:
        raise NoSuchTable
    found = load(game)
    if not may_see(game, found.seat_of(user) is not None):
        raise NoSuchTable
    return found


@dataclass(frozen=True)
class Result:
    """A deal that is over: its row, and itself, all hands open."""

    row: Deal
    deal: engine.Deal
    hands: tuple[engine.Hand, ...]


def result(*, game: Game, number: int) -> Result:
    """A finished deal of a game, hands revealed. Raises NoSuchTable where it is not over or not there."""
    row = game.deals.filter(number=number, scored=True).prefetch_related("hands").first()
    if row is None:
        raise NoSuchTable
    deal = engine.load(game.rules, row.deck, row.state, [hand.cards for hand in row.hands.all()])
    return Result(row, deal, engine.reveal(deal))


def scores(*, game: Game) -> list[list[int | None]]:
    """The match sheet: for each counted deal the score of each seat."""
    rows = Hand.objects.filter(deal__game=game, deal__scored=True).order_by("deal__number", "seat")
    sheet: dict[int, list[int | None]] = {}
    for number, score in rows.values_list("deal__number", "score"):
        sheet.setdefault(number, []).append(score)
    return list(sheet.values())


def log(*, game: Game, last: int = 60) -> list[Entry]:
    """The last rows of a table's log, newest first."""
    return list(game.entries.order_by("-number")[:last])


def _with_seats(games: QuerySet[Game]) -> QuerySet[Game]:
    return games.prefetch_related(Prefetch("seats", Seat.objects.select_related("user")))


def my_games(*, user: User) -> QuerySet[Game]:
    """A player's tables that are open or running, by time left."""
    return _with_seats(
        Game.objects.filter(seats__user=user, status__in=[Game.Status.OPEN, Game.Status.RUNNING]).order_by("deadline", "made_at")
    )


def finished_games(*, user: User, last: int = 20) -> QuerySet[Game]:
    """A player's finished matches, newest first."""
    return _with_seats(Game.objects.filter(seats__user=user, status=Game.Status.FINISHED).order_by("-ended_at")[:last])


def waiting_count(*, user: User) -> int:
    """How many running tables wait for a player's move."""
    return Seat.objects.filter(user=user, resigned=False, game__status=Game.Status.RUNNING, game__to_move=F("index")).count()


def open_tables(*, variants: list[str] | None = None, seats: int | None = None) -> QuerySet[Game]:
    """The lobby: open tables that anyone may join, newest first."""
    games = Game.objects.filter(status=Game.Status.OPEN, visibility=Game.Visibility.PUBLIC).order_by("-made_at")
    if variants:
        games = games.filter(variant__in=variants)
    if seats:
        games = games.filter(seat_count=seats)
    return _with_seats(games)

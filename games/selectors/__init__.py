"""Every read about tables and games. Hands leave only as `engine.view`, or `engine.reveal` of a deal that is over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from operator import or_

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, F, IntegerField, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from accounts.models import User
from games import engine, signals
from games.models import Answer, Deal, Entry, Game, Seat, Tenure, Watch
from games.selectors.chat import around, last_sayings, may_read_chat, must_read_chat, sayings
from games.selectors.holding import Played, hand_sizes, holders, played_by, substitutions, tenures
from games.selectors.invited import invitations, sits
from games.selectors.reliability import less_reliable, percent, reliability
from games.selectors.sheet import TOLD_BY, SheetRow, before, sheet, sheet_of, totals
from games.selectors.tallies import Left, Tally, counted, countings, left_for_good, left_in_void, tallies
from games.services.errors import NoSuchTable
from games.services.evidence import as_dealt, valid_moves
from games.services.rows import Compiled
from games.services.store import Table, load

__all__ = [
    "Left",
    "Played",
    "SheetRow",
    "Tally",
    "around",
    "before",
    "counted",
    "countings",
    "hand_sizes",
    "holders",
    "invitations",
    "last_sayings",
    "left_for_good",
    "left_in_void",
    "may_read_chat",
    "must_read_chat",
    "percent",
    "played_by",
    "reliability",
    "sayings",
    "sheet",
    "sits",
    "substitutions",
    "tallies",
    "tenures",
    "totals",
]

SWEEP_AT_ONCE = 1_000
MINE_AT_ONCE = 500


def work() -> tuple[datetime, str] | None:
    """Since when the site is being worked on, and why, which may be nothing said; None where nobody does."""
    watch = Watch.objects.filter(maintenance_since__isnull=False).first()
    return None if watch is None or watch.maintenance_since is None else (watch.maintenance_since, watch.maintenance_reason)


def expired_games(*, now: datetime) -> list[int]:
    """Running games whose turn, or exchange of doubles, has run out, oldest first, for one sweep."""
    due = Game.objects.filter(status=Game.Status.RUNNING, deadline__lte=now, awaits_server=False)
    return list(due.order_by("deadline").values_list("pk", flat=True)[:SWEEP_AT_ONCE])


def absences_over(*, now: datetime) -> list[int]:
    """Running games with a seat that has been absent too long, the longest first, for one sweep."""
    running = {"game__status": Game.Status.RUNNING, "game__paused_at": None, "game__frozen_until": None}
    due = Seat.objects.filter(absent_until__lte=now, **running)
    return list(dict.fromkeys(due.order_by("absent_until").values_list("game", flat=True)[:SWEEP_AT_ONCE]))


def games_awaiting_the_server() -> list[int]:
    """Running games whose next step is the server's, but for computer players who stand still with a table that does."""
    games = Game.objects.filter(Q(paused_at=None, frozen_until=None) | Q(to_move=None), awaits_server=True)
    return list(games.order_by("pk").values_list("pk", flat=True)[:SWEEP_AT_ONCE])


def find_game(*, code: str, user: User | AnonymousUser) -> Game:
    """The game behind an address, where this person may see it. Raises NoSuchTable.

    An open table is seen by whoever has its link, and so is one that offers a seat to a substitute; else a table by link,
    once begun, by those who play or have played there, or belong to its league.
    """
    game = Game.objects.filter(code=code).first() if code.isalnum() else None
    if game is None or not may_see(game, lambda: _lets_in(game, user)):
        raise NoSuchTable
    return game


def _lets_in(game: Game, user: User | AnonymousUser) -> bool:
    """Whether a table by link that has begun is for this person."""
    welcome = Q(absent_since__isnull=False) | Q(user=user.pk) if user.is_authenticated else Q(absent_since__isnull=False)
    return game.seats.filter(welcome).exists() or _may_watch(game.pk, user)


def _may_watch(game_id: int, user: User | AnonymousUser) -> bool:
    """Whether somebody holds, or has held, a seat of a match; or is let in by what lies above the games (a league)."""
    if not user.is_authenticated:
        return False
    played = Tenure.objects.filter(game=game_id, user=user).exists()
    return played or any(lets_in for _who, lets_in in signals.watching.send(Game, game_id=game_id, user=user))


def is_open(*, code: str) -> bool:
    """Whether a table still waits for players: then whoever has its link may see it."""
    return Game.objects.filter(code=code, status=Game.Status.OPEN).exists()


def offers_a_seat(*, code: str) -> bool:
    """Whether a table looks for a substitute: then whoever has its link may see it."""
    return Seat.objects.filter(game__code=code, absent_since__isnull=False).exists()


def may_see(game: Game, is_player: object) -> bool:
    """Whether a person may see a table; `is_player` is asked only where it matters."""
    public = game.visibility == Game.Visibility.PUBLIC or game.status == Game.Status.OPEN
    return public or bool(is_player() if callable(is_player) else is_player)


def game_version(*, code: str, user: User) -> tuple[int, str, int]:
    """Version and status of a game this person may see, and how much is said there: for who sits there in one query.
    Raises NoSuchTable.
    """
    welcome = Count("seats", filter=Q(seats__user=user) | Q(seats__absent_since__isnull=False))
    games = Game.objects.filter(code=code).annotate(welcome=welcome)
    found = games.values_list("version", "status", "said", "visibility", "welcome", "pk").first()
    if found is None:
        raise NoSuchTable
    version, status, said, visibility, seated, pk = found
    if visibility == Game.Visibility.LINK and status != Game.Status.OPEN and not seated and not _may_watch(pk, user):
        raise NoSuchTable
    return version, status, said


def table(*, code: str, user: User) -> Table:
    """A table that has begun, for a player or a spectator. Raises NoSuchTable."""
    game = Game.objects.filter(code=code, started_at__isnull=False).first()
    if game is None:
        raise NoSuchTable
    return loaded(game=game, user=user)


@dataclass(frozen=True)
class Result:
    """A deal that is over: its row, and itself, all hands open."""

    row: Deal
    deal: engine.Deal
    hands: tuple[engine.Hand, ...]


def result(*, game: Game, number: int) -> Result:
    """A counted deal of a game, void since or not, hands revealed. Raises NoSuchTable where it is not counted or not there."""
    row = game.deals.filter(number=number, scored=True).prefetch_related("hands").first()
    if row is None:
        raise NoSuchTable
    deal = engine.load(game.rules, row.deck, row.state, [hand.cards for hand in row.hands.all()])
    return Result(row, deal, engine.reveal(deal))


def row_with(*, game: Game, hash: str) -> int | None:
    """The number of the row of a log whose hash begins so. Pages name rows like this: gaps between the numbers that they show
    would tell how many answers to an exchange of doubles are sealed there.
    """
    if not re.fullmatch(r"[0-9a-f]{8,64}", hash):
        return None
    return game.entries.filter(hash__startswith=hash).values_list("number", flat=True).first()


@dataclass(frozen=True)
class Replayed:
    """A deal to be shown again: its row, itself as it was dealt, and the moves that stand, sealed answers among them."""

    row: Deal
    start: engine.Deal
    moves: list[Entry]


def replayed(*, game: Game, number: int) -> Replayed:
    """A deal of a game, over or not, with its moves. Raises NoSuchTable where it is not there."""
    row = game.deals.filter(number=number).first()
    if row is None:
        raise NoSuchTable
    wanted = Q(kind=Entry.Kind.MOVE, deal=number) | Q(kind=Entry.Kind.EVENT, text="rolled_back")
    # not by way of the game, and without what a replay makes anew: a long deal is read at each step
    rows = Entry.objects.filter(wanted, game=game.pk).order_by("number")
    moves = valid_moves(rows.only("number", "at", "kind", "actor", "seat", "text"))
    return Replayed(row, as_dealt(game, row, moves), moves)


def told(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """The rows of logs that may be shown: not the answers to the exchange of doubles of a deal that is not over (§4.3), unless
    it is void.

    That the exchange is over, and who spoiled the deal, is told by events.
    """
    unfinished = Deal.objects.filter(game=OuterRef("game"), number=OuterRef("deal"), reason="", voided=False)
    return entries.exclude(Q(kind=Entry.Kind.MOVE, text__startswith="X:") & Q(Exists(unfinished)))


def my_answer(row: Deal, seat: int) -> str | None:
    """What a seat has answered in the exchange of doubles, for its own player alone; None where it has not, or was not asked."""
    return row.answers.filter(seat=seat).exclude(text="").values_list("text", flat=True).first()


def _log_from(game_id: int, number: int) -> QuerySet[Entry]:
    wanted = Q(number__gte=number) | Q(kind=Entry.Kind.EVENT, text__in=TOLD_BY)
    return told(Entry.objects.filter(wanted, game_id=game_id)).order_by("-number")


_log = Compiled(_log_from, 2)


def log(*, game: Game, last: int = 60) -> tuple[list[Entry], list[SheetRow]]:
    """The last rows of a table's log, newest first, and the match sheet, which the log holds too: in one query."""
    rows = _log(game.pk, max(game.log_length - last, 0))
    made_by = [row for row in reversed(rows) if row.kind == Entry.Kind.EVENT]
    return [row for row in rows if row.number >= game.log_length - last], sheet_of(made_by, game.seat_count)


def whole_log(*, game: Game) -> QuerySet[Entry]:
    """Every row of a table's log that may be shown, newest first, each with whether a referee has `undone` it."""
    to = Cast(KeyTextTransform("to", "facts"), IntegerField())
    back = Entry.objects.filter(game=OuterRef("game"), text="rolled_back", number__gt=OuterRef("number")).annotate(to=to)
    rows = told(game.entries.order_by("-number"))
    return rows.annotate(undone=Exists(back.filter(to__lt=OuterRef("number"))))


def undone(rows: Iterable[Entry]) -> set[int]:
    """The numbers of those rows of `whole_log` that a referee has undone."""
    return {row.number for row in rows if getattr(row, "undone", False)}


def _seats() -> Prefetch[str, QuerySet[Seat], str]:
    """With this come the seats of games and their people."""
    return Prefetch("seats", Seat.objects.select_related("user"))


def _called(user_id: int) -> QuerySet[Seat]:
    """The seats of a player that a running table waits for: to move, or to answer the exchange of doubles (§4.3).

    Who is to answer is for nobody else to see: this is for the player's own pages alone.
    """
    silent = Answer.objects.filter(
        deal__game=OuterRef("game"), deal__reason="", deal__voided=False, seat=OuterRef("index"), text=""
    )  # fmt: skip
    going_on = {"game__status": Game.Status.RUNNING, "game__paused_at": None, "game__frozen_until": None}
    seats = Seat.objects.filter(user=user_id, resigned=False, **going_on)
    return seats.filter(Q(game__to_move=F("index")) | Q(Exists(silent)))


def my_games(*, user: User) -> list[tuple[Game, bool]]:
    """A player's tables that are open or running, by time left, each with whether it waits for the player."""
    games = Game.objects.filter(seats__user=user, status__in=[Game.Status.OPEN, Game.Status.RUNNING])
    waits = Exists(_called(user.pk).filter(game=OuterRef("pk")))
    found = games.annotate(waits=waits).order_by("deadline", "made_at").prefetch_related(_seats())
    return [(game, game.waits) for game in found]


def my_versions(*, user: User) -> list[tuple[int, int, bool]]:
    """Which tables a player has that are not cancelled, the version of each, and whether it waits for the player:
    differs where `my_games` would.
    """
    waits = Exists(_called(user.pk).filter(game=OuterRef("pk")))
    games = Game.objects.filter(seats__user=user).exclude(status=Game.Status.CANCELLED).annotate(waits=waits)
    return list(games.order_by("-pk").values_list("pk", "version", "waits")[:MINE_AT_ONCE])


def finished_games(*, user: User, last: int = 20) -> QuerySet[Game]:
    """A player's finished matches, newest first."""
    games = Game.objects.filter(seats__user=user, status=Game.Status.FINISHED)
    return games.order_by("-ended_at").prefetch_related(_seats())[:last]


def last_turns(*, games: Iterable[Game]) -> dict[int, Entry]:
    """By game, the row of the log that ended its last turn, that of the deal just dealt, or that by which a turn is undone;
    `begun` says whether the turn after it has begun.
    """
    ends = Q(text__startswith="D") | Q(text__in=("T", "E", "R", "dealt", "rolled_back"))
    newest = Entry.objects.filter(ends, game=OuterRef("pk")).order_by("-number").values("pk")[:1]
    ids = Game.objects.filter(pk__in=[game.pk for game in games]).values(last=Subquery(newest))
    later = Entry.objects.filter(game=OuterRef("game"), number__gt=OuterRef("number"), kind=Entry.Kind.MOVE)
    return {entry.game_id: entry for entry in Entry.objects.filter(pk__in=ids).annotate(begun=Exists(later))}


def without_vacation(*, user_id: int) -> int:
    """How many running tables a player has whose clock no vacation stops."""
    seats = Seat.objects.filter(user=user_id, resigned=False, game__status=Game.Status.RUNNING, game__vacation=False)
    return seats.count()


def seated(*, user_ids: list[int]) -> set[int]:
    """Those of these people who sit at a table that is not over."""
    alive = [Game.Status.OPEN, Game.Status.RUNNING]
    seats = Seat.objects.filter(user__in=user_ids, game__status__in=alive)
    return set(seats.values_list("user_id", flat=True))


def open_tables(
    *,
    variants: Sequence[str] = (),
    paces: Sequence[tuple[timedelta, timedelta]] = (),
    seats: tuple[int, int] | None = None,
    least: int | None = None,
) -> QuerySet[Game]:
    """The lobby: open tables that anyone may join, those that lack the fewest players first, then the newest.

    Of these games, where any are named; with a turn longer than the first and no longer than the second of a pace,
    where any is; with so many seats; where nobody sits who is less reliable than that.
    """
    games = Game.objects.filter(status=Game.Status.OPEN, visibility=Game.Visibility.PUBLIC)
    games = _fitting(games, variants, paces, seats, least)
    games = games.annotate(free=F("seat_count") - Count("seats")).order_by("free", "-made_at", "-pk")
    return games.prefetch_related(_seats())


def offered_seats(
    *,
    user: User,
    variants: Sequence[str] = (),
    paces: Sequence[tuple[timedelta, timedelta]] = (),
    seats: tuple[int, int] | None = None,
    least: int | None = None,
    last: int = 12,
) -> QuerySet[Game]:
    """Running tables that look for a substitute, the soonest to be given up first, as `open_tables` asks for them.

    Not those at which this person plays or has played.
    """
    absent = Seat.objects.filter(absent_until__isnull=False, game__visibility=Game.Visibility.PUBLIC)
    mine = Tenure.objects.filter(user=user, game=OuterRef("pk"))
    games = _fitting(Game.objects.filter(pk__in=absent.values("game")).exclude(Exists(mine)), variants, paces, seats, least)
    first = absent.filter(game=OuterRef("pk")).order_by("absent_until").values("absent_until")[:1]
    return games.order_by(Subquery(first)).prefetch_related(_seats())[:last]


def _fitting(
    games: QuerySet[Game],
    variants: Sequence[str],
    paces: Sequence[tuple[timedelta, timedelta]],
    seats: tuple[int, int] | None,
    least: int | None,
) -> QuerySet[Game]:
    if variants:
        games = games.filter(variant__in=variants)
    if paces:
        games = games.filter(reduce(or_, (Q(turn_time__gt=over, turn_time__lte=at_most) for over, at_most in paces)))
    if seats:
        games = games.filter(seat_count__range=seats)
    if least is not None:
        games = games.exclude(Exists(Seat.objects.filter(less_reliable(least), game=OuterRef("pk"))))
    return games


def loaded(*, game: Game, user: User) -> Table:
    """A game that has begun with all that a page shows of it. Raises NoSuchTable where it is not for this person."""
    found = load(game)
    seated = found.seat_of(user) is not None or any(seat.absent for seat in found.seats)
    if not may_see(game, lambda: seated or _may_watch(game.pk, user)):
        raise NoSuchTable
    return found


def _waiting_first(user_id: int, beside: int) -> QuerySet[Game]:
    return Game.objects.filter(seats__in=_called(user_id)).exclude(pk=beside).order_by("deadline")[:1]


_next_waiting = Compiled(_waiting_first, 2)


def next_waiting(*, user: User, beside: Game) -> Game | None:
    """The table that waits for a player the longest-suffering: the one with the least time left."""
    return next(iter(_next_waiting(user.pk, beside.pk)), None)

"""Tables for the tests: a cast, decks that are known beforehand, and short ways through a match.

game = running("Ana", "Bogdan")          # two seats, Rami 500, Ana on turn
play(game, "S D:9S")                     # whoever is on turn plays these moves
assert refused(game, "S") == "must_draw_first"
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import chain, repeat
from typing import Any
from unittest import mock

from django.apps import apps

from accounts.models import User
from games import engine, selectors
from games.models import Game, Seat, Watch
from games.services import absence, deals, freezing, outages, pauses, tables, turns, vacations
from games.services.audit import audit
from games.services.errors import ServiceError
from games.services.store import Table, load

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
PATIENT = 1_000
"""Expired turns in a row until a seat is absent: more than any test plays."""

# Deals of Rami 500 and Remi 500 in which the first seat can go out in its first turn.
OUT_OF_TWO = ("lucky 881", "S M:6H,7H,8H M:7D,8D,9D L:2:TD D:8S", (55, -43))
OUT_OF_THREE = ("lucky 36", "S M:*JD,QD,KD M:QS,QH,QC L:1:AD D:AC", (71, -52, -45))


@contextmanager
def chance(seed: str, dealer: int, then: str = "any") -> Iterator[None]:
    """Seeds that are known, and a first dealer who is: in place of the system's source of secrets.

    The first seed that is sealed is `seed`, every later one `then`. The seed of a deal is sealed when the one before begins.
    """
    seeds = chain([seed], repeat(then))
    with (
        mock.patch("games.services.shuffles.secrets.token_bytes", lambda size: engine.seed_of(next(seeds))),
        mock.patch("games.services.tables.secrets.randbelow", lambda bound: dealer),
    ):
        yield


def player(name: str) -> User:
    """A player of that name, made on first mention."""
    return User.objects.filter(username=name).first() or User.objects.create_user(name)


def open_table(maker: str, *others: str, seats: int = 2, variant: str = "rami500", now: datetime = NOON, **terms: Any) -> Game:
    """A table with free seats at which these people sit in this order; unless asked, no turn is excused and nobody absent."""
    terms = {"options": {}, "turn_time": DAY, "excuses": 0, "absent_after": PATIENT, **terms}
    game = tables.create(maker=player(maker), variant=variant, seats=seats, now=now, **terms)
    for name in others:
        tables.join(code=game.code, user=player(name), now=now)
    return fresh(game)


def running(
    *names: str, computers: int = 0, seed: str = "any", then: str = "any", dealer: int | None = None, now: datetime = NOON,
    **terms: Any,
) -> Game:  # fmt: skip
    """A match that has begun: the first named plays first, unless told who deals. The seeds are of the first two deals."""
    seats = len(names) + computers
    with chance(seed, seats - 1 if dealer is None else dealer, then):
        return open_table(*names, seats=seats, computers=computers, now=now, **terms)


def fresh(game: Game) -> Game:
    """The game as it stands in the database."""
    return Game.objects.get(pk=game.pk)


def at(game: Game) -> Table:
    """The table as it stands in the database."""
    return load(fresh(game))


def seat(game: Game, name: str) -> Seat:
    """A player's seat as it stands in the database."""
    return Seat.objects.get(game=game, user__username=name)


def play(game: Game, moves: str, *, now: datetime = NOON) -> Table:
    """The table after moves, each of the player on turn."""
    table = at(game)
    for move in moves.split():
        table = turns.play(code=game.code, user=on_turn(game), move=move, version=table.game.version, now=now)
    return table


def on_turn(game: Game) -> User:
    """Who is to move."""
    to_move = fresh(game).to_move
    assert to_move is not None
    return User.objects.get(seats__game=game, seats__index=to_move)


def quick_turn(game: Game, *, now: datetime = NOON) -> Table:
    """The player on turn draws and discards the first card that may go."""
    play(game, "S" if at(game).deal.stock_left else "E", now=now)
    table = at(game)
    if table.deal.phase == engine.OVER:
        return table
    discard = next(
        engine.move_text(move, table.deal.rules.alphabet) for move in engine.legal_moves(table.deal) if move.kind == "D"
    )
    return play(game, discard, now=now)


def run_out(game: Game) -> datetime:
    """Let the turns run out until the deal is over; when that is."""
    now = NOON
    while at(game).deal.phase != engine.OVER:
        now = fresh(game).deadline or now
        assert turns.expire(game_id=game.pk, now=now)
    return now


def awake(now: datetime) -> None:
    """The server has looked at the clocks all the time until now."""
    Watch.objects.update_or_create(defaults={"beat": now})


def sweep(now: datetime, *, slept: bool = False) -> None:
    """What a sweep at this instant finds, done at once, as its tasks do it: one of many, unless the server `slept` till now."""
    if not slept:
        awake(now)
    outages.beat(now=now)
    outages.apply(now=now)
    for pk in vacations.unsettled(now=now):
        vacations.settle(game_id=pk, now=now)
    for pk in pauses.too_long(now=now):
        pauses.lapse(game_id=pk, now=now)
    for pk in freezing.over(now=now):
        freezing.lapse(game_id=pk, now=now)
    for pk in selectors.expired_games(now=now):
        turns.expire(game_id=pk, now=now)
    for pk in selectors.absences_over(now=now):
        absence.end(game_id=pk, now=now)
    for pk in selectors.games_awaiting_the_server():
        while turns.serve(game_id=pk, now=now, rng=random.Random(1)):
            pass


def settle(game: Game, *, now: datetime = NOON, then: str = "any") -> bool:
    """Count the deal that is over; the next one is dealt, and the seed of the one after it is `then`."""
    with chance(then, 0):
        return deals.settle(game_id=game.pk, now=now)


def refused(game: Game, move: str, *, by: str | None = None) -> str:
    """The code with which a move at the present version is refused. Fails where it is not, or where anything changed."""
    before = rows()
    user = player(by) if by else on_turn(game)
    try:
        turns.play(code=game.code, user=user, move=move, version=fresh(game).version, now=NOON)
    except (engine.RuleError, ServiceError) as fault:
        assert rows() == before
        return fault.code
    raise AssertionError(f"{move} was not refused")


def rows() -> dict[str, list[dict[str, Any]]]:
    """Every row of games and accounts, to compare before and after."""
    models = [*apps.get_app_config("games").get_models(), *apps.get_app_config("accounts").get_models()]
    return {model.__name__: list(model._base_manager.order_by("pk").values()) for model in models if not model._meta.proxy}


def differences(*games: Game) -> list[str]:
    """What the audit finds at these tables, or at all."""
    found = games or tuple(Game.objects.all())
    return [f"{game.pk}: {sentence}" for game in found for sentence in audit(game_id=game.pk)]

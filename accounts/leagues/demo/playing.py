"""A match played through the services by the computer, for people who are none, at times of their own."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import transaction

from accounts.leagues.demo.cast import Member
from accounts.models import Message
from games import engine
from games.engine.bots import BOTS
from games.engine.exchange import pending
from games.models import Game, Seat
from games.services import absence, exchange, turns
from games.services.store import Table, load

TRIES = 5
PASS = "X:pass"


@dataclass
class Course:
    """How a match goes: when, by whose hands, and who leaves it."""

    members: dict[int, Member]
    """By the key of the account."""
    rng: random.Random
    now: datetime
    pause: timedelta
    """About how long somebody takes for a turn."""
    resigns: tuple[int, int] | None = None
    """Who resigns, and in which deal."""
    sleeps: tuple[int, int] | None = None
    """Who stays away, and in which deal, until the computer has played it to its end."""
    until: datetime | None = None
    """No move is made after that: then the match is still running."""
    expired: int = field(default=0, init=False)


@transaction.atomic
def play(game: Game, course: Course) -> Game:
    """Play a match to its end, or until the course says; in one transaction, so that no worker sees it half-way."""
    table = _table(game)
    while table.game.status == Game.Status.RUNNING:
        after = _step(table, course)
        if after is None:
            break
        table = after
    _hush(course.members)
    return table.game


def _table(game: Game) -> Table:
    return load(Game.objects.get(pk=game.pk))


def _step(table: Table, course: Course) -> Table | None:
    """The table after the next thing that happens there; None where it is too late for it."""
    game, deal = table.game, table.deal
    if _woken(table, course):
        return _table(game)
    if game.awaits_server:
        if deal.to_move is not None:
            course.now += timedelta(seconds=course.rng.uniform(2, 9))
        served = turns.serve(game_id=game.pk, now=course.now, rng=course.rng)
        return _table(game) if served else None
    if deal.phase == engine.EXCHANGE:
        for index in pending(deal):
            _answer(table, table.seats[index], course)
        return _table(game)
    assert deal.to_move is not None
    seat = table.seats[deal.to_move]
    if _away(table, seat, course):
        return _table(game)
    if deal.phase == engine.DRAW:
        course.now += course.pause * min(course.rng.expovariate(1), 8)
        if course.until is not None and course.now >= course.until:
            return None
    return _turn(table, seat, course)


def _turn(table: Table, seat: Seat, course: Course) -> Table:
    """A move of who is on turn, or the resignation that the course has for them."""
    assert seat.user is not None
    course.now += timedelta(seconds=course.rng.uniform(1, 25))
    if course.resigns == (seat.user_id, table.row.number) and not seat.resigned:
        return turns.resign(code=table.game.code, user=seat.user, now=course.now)
    version = table.game.version
    return turns.play(code=table.game.code, user=seat.user, move=_chosen(table, seat, course), version=version, now=course.now)


def _away(table: Table, seat: Seat, course: Course) -> bool:
    """What becomes of a turn of somebody who stays away, or comes back in the deal after; False where it is played."""
    if course.sleeps is None or seat.user is None or course.sleeps[0] != seat.user_id:
        return False
    if table.row.number != course.sleeps[1] or course.expired >= TRIES or table.game.deadline is None:
        return False
    course.expired += 1
    course.now = max(course.now, table.game.deadline)
    turns.expire(game_id=table.game.pk, now=course.now)
    return True


def _woken(table: Table, course: Course) -> bool:
    """Whoever stayed away for a deal is back when the next one is dealt."""
    if course.sleeps is None or table.row.number == course.sleeps[1]:
        return False
    back = [seat.user for seat in table.seats if seat.absent and seat.user is not None]
    for user in back:
        absence.back(code=table.game.code, user=user, now=course.now)
    return bool(back)


def _answer(table: Table, seat: Seat, course: Course) -> None:
    """What is answered in the exchange of doubles; a pass where no answer comes to mind."""
    if seat.user is None or table.row.answers.filter(seat=seat.index).exclude(text="").exists():
        return
    text = _chosen(table, seat, course)
    course.now += timedelta(seconds=course.rng.uniform(20, 900))
    exchange.answer(
        code=table.game.code, user=seat.user, answer=text if text[:1] == PASS[:1] else PASS, deal=table.row.number, now=course.now
    )


def _chosen(table: Table, seat: Seat, course: Course) -> str:
    """The computer's move, from what the seat may know; now and then any move that may be made."""
    assert seat.user_id is not None
    careless = not table.deal.rules.tight and course.rng.random() < course.members[seat.user_id].luckless
    bot = BOTS["random" if careless else "greedy"]
    move = bot(engine.view(table.deal, seat.index), course.rng)
    return engine.move_text(move, table.deal.rules.alphabet)


def _hush(people: Iterable[int]) -> None:
    """Nobody reads what these accounts are told."""
    Message.objects.filter(user__in=list(people)).delete()

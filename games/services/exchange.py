"""The exchange of doubles before a deal of tiles (§4.3, §4.4): asking, answering in any order, resolving at once.

An answer is sealed. Until the last has been given nothing changes but its own row: no move, no version, no deadline, for
each of them would tell who was asked. Hence its token is the deal and the seat, not the version.
"""

from __future__ import annotations

import random
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import engine
from games.engine.exchange import pending
from games.models import Answer, Entry, Game, Seat
from games.services import computers, news
from games.services.errors import ServiceError, Stale
from games.services.pauses import must_go_on
from games.services.store import Table, advance, call_server, save, seated

PASS = "X:pass"
ANSWER = "X"


@transaction.atomic
def answer(*, code: str, user: User, answer: str, deal: int, now: datetime) -> Table:
    """A player's answer, in notation, in the exchange of deal number `deal`; the table afterwards.

    Raises NoSuchTable; Stale where that exchange is over; ServiceError `already_answered`; RuleError, of a seat that is
    not asked (`not_your_turn`), or as the engine refuses the answer.
    """
    table, seat = seated(code=code, user=user)
    running = table.game.status == Game.Status.RUNNING
    if not running or table.row.number != deal or table.deal.phase != engine.EXCHANGE:
        raise Stale
    must_go_on(table.game)
    asked = table.row.answers.filter(seat=seat.index).first()
    if asked is not None and asked.text:
        raise ServiceError("already_answered")
    if answer[:1] != ANSWER:
        raise engine.RuleError("bad_notation", text=answer[:80])
    engine.apply(table.deal, seat.index, answer)  # tried out: what it would do is not kept
    _give(table, seat.index, answer, Entry.Actor.PLAYER, now)
    news.answered(table.game, user, now=now)
    if resolve(table, now=now):
        save(table, now=now)
        call_server(table.game)
    return table


def ask(table: Table, *, now: datetime) -> None:
    """Put the question of a deal just dealt, and have the computer players answer it. Not for others than `deals.begin`."""
    asked = pending(table.deal)
    Answer.objects.bulk_create(Answer(deal=table.row, seat=index) for index in asked)
    for index in asked:
        if table.seats[index].by_computer:
            _give(table, index, _computer_s(table, table.seats[index]), Entry.Actor.COMPUTER, now)


def pass_for_the_silent(table: Table, *, now: datetime) -> None:
    """Answer for all who have not: the time is up (§1.11). In the caller's transaction, not saved."""
    given = _given(table)
    for index in pending(table.deal):
        if index not in given:
            _give(table, index, PASS, Entry.Actor.CLOCK, now)
    resolve(table, now=now)


def resolve(table: Table, *, now: datetime) -> bool:
    """Play all answers, seat by seat, once the last is given; else False, and nothing is played.

    In the caller's transaction; not saved.
    """
    asked = pending(table.deal)
    given = _given(table) if asked else {}
    if not asked or any(index not in given for index in asked):
        return False
    for index in asked:
        advance(table, index, given[index].text, actor=Entry.Actor(given[index].actor), now=now)
    return True


def _given(table: Table) -> dict[int, Answer]:
    return {row.seat: row for row in table.row.answers.exclude(text="")}


def _give(table: Table, seat: int, text: str, actor: Entry.Actor, now: datetime) -> None:
    """Write an answer where there is none yet."""
    table.row.answers.filter(seat=seat, text="").update(text=text, actor=actor, at=now)


def _computer_s(table: Table, seat: Seat) -> str:
    """What a computer player answers; a pass where it goes wrong."""
    try:
        text = computers.choose(table, seat, random.SystemRandom())
        engine.apply(table.deal, seat.index, text)
    except Exception as fault:  # must not stop a match
        computers.failed(table, seat, fault)
        return PASS
    return text if text[:1] == ANSWER else PASS

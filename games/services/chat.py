"""The chat of a table: saying something, muting, reporting, and what referees do with a report.

Players write, from the first seat taken until two weeks after the match. The words are no part of the log, and change
neither version nor turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.urls import reverse

from accounts.models import User
from accounts.names import one_line
from games.models import SAYING_LENGTH, ChatReport, Game, Mute, Saying, Seat, Tenure
from games.services import news
from games.services.errors import NoSuchTable, ServiceError
from games.services.store import lock

OPEN_FOR = timedelta(days=14)
"""How long people may talk once the match is over."""
SAME = timedelta(seconds=10)
"""Within it the same words again are the same tap again."""


def is_closed(game: Game, now: datetime) -> bool:
    """Whether nothing can be said at a table any more."""
    if game.status == Game.Status.CANCELLED:
        return True
    return game.ended_at is not None and now > game.ended_at + OPEN_FOR


@transaction.atomic
def say(*, code: str, user: User, text: str, now: datetime) -> Saying:
    """Say something at a table, and call those whose names it has.

    Raises NoSuchTable where the speaker holds no seat, or ServiceError `chat_closed`, `chat_empty`, `chat_long`.
    """
    game = lock(code=code)
    seats = list(game.seats.select_related("user"))
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if seat is None:
        raise NoSuchTable
    if is_closed(game, now):
        raise ServiceError("chat_closed")
    text = cleaned(text)
    last = game.sayings.last()
    if last is not None and last.user_id == user.pk and last.text == text and now - last.said_at < SAME and not last.removed:
        return last
    _count(game)
    said = Saying.objects.create(game=game, number=game.said, user=user, text=text, said_at=now)
    seat.seen_chat = game.said
    seat.save(update_fields=["seen_chat"])
    _call(game, said, user, seats, now)
    return said


def cleaned(text: str) -> str:
    """Words as they are kept: in one line, without signs that cannot be seen. Raises ServiceError `chat_empty`, `chat_long`."""
    text = one_line(text)
    if not text:
        raise ServiceError("chat_empty")
    if len(text) > SAYING_LENGTH:
        raise ServiceError("chat_long")
    return text


def _count(game: Game) -> None:
    game.said += 1
    game.save(update_fields=["said"])


def _call(game: Game, said: Saying, speaker: User, seats: Sequence[Seat], now: datetime) -> None:
    """Tell those of the table who are called by name, but for who does not want to read the speaker."""
    called = [seat.user for seat in seats if seat.user is not None and seat.user != speaker and names(said.text, seat.user)]
    deaf = set(Mute.objects.filter(muted=speaker, user__in=called).values_list("user", flat=True)) if called else set()
    hearing = [user.pk for user in called if user.pk not in deaf]
    if hearing:
        path = reverse("games:chat", args=[game.code])
        news.mentioned(game, hearing, speaker, said.number, path, now=now)


def names(text: str, user: User) -> bool:
    """Whether words have the name of somebody in them, whatever its case."""
    return user.is_active and re.search(rf"(?<!\w){re.escape(user.username.casefold())}(?!\w)", text.casefold()) is not None


def see(*, code: str, user: User, number: int) -> None:
    """Note up to where a player has seen the chat; never less than before, nor more than there is. Raises NoSuchTable."""
    seat = Seat.objects.filter(game__code=code, user=user).select_related("game").first()
    if seat is None:
        raise NoSuchTable
    upto = min(number, seat.game.said)
    Seat.objects.filter(pk=seat.pk, user=user, seen_chat__lt=upto).update(seen_chat=upto)


@transaction.atomic
def mute(*, user: User, other: User, now: datetime) -> None:
    """Read somebody no more, at any table; twice is once. Raises ServiceError `own_words`."""
    if user == other:
        raise ServiceError("own_words")
    Mute.objects.bulk_create([Mute(user=user, muted=other, at=now)], ignore_conflicts=True)


@transaction.atomic
def unmute(*, user: User, other: User) -> None:
    """Read somebody again."""
    Mute.objects.filter(user=user, muted=other).delete()


@transaction.atomic
def report(*, game: Game, number: int, user: User, now: datetime) -> None:
    """Ask the referees to look at words of a table's chat that this person may read; twice is once.

    Raises ServiceError `own_words`, `words_gone`.
    """
    saying = lock(pk=game.pk).sayings.filter(number=number).first()
    if saying is None or saying.removed:
        raise ServiceError("words_gone")
    if saying.user_id == user.pk:
        raise ServiceError("own_words")
    ChatReport.objects.bulk_create([ChatReport(saying=saying, user=user, made_at=now)], ignore_conflicts=True)


@transaction.atomic
def rule(*, saying: Saying, remove: bool, by: User, now: datetime) -> None:
    """Close what is reported of these words: a referee removes them from the table, or lets them stay. Twice is once.

    Raises ServiceError `not_a_referee`, or `partial` where the referee plays or has played there.
    """
    if not by.has_perm("games.referee"):
        raise ServiceError("not_a_referee")
    game = lock(pk=saying.game_id)
    if game.seats.filter(user=by).exists() or Tenure.objects.filter(game=game, user=by).exists():
        raise ServiceError("partial")
    saying = Saying.objects.get(pk=saying.pk)
    if remove and not saying.removed:
        saying.removed_at, saying.removed_by = now, by
        saying.save(update_fields=["removed_at", "removed_by"])
        _count(game)
    outcome = ChatReport.Outcome.REMOVED if saying.removed else ChatReport.Outcome.KEPT
    saying.reports.filter(outcome=ChatReport.Outcome.OPEN).update(outcome=outcome, closed_at=now, closed_by=by)

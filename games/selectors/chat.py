"""What is said at a table, as one reader has it."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from games.models import ChatReport, Game, Mute, Saying, Seat, Tenure
from games.services.errors import NoSuchTable

AT_THE_TABLE = 8
AROUND = 3


def may_read_chat(*, game: Game, user: User, seats: Sequence[Seat]) -> bool:
    """Whether a person who may see a table may read its chat too: at one by link only who plays or has played there, for
    its link may be in many hands.
    """
    if game.visibility == Game.Visibility.PUBLIC or any(seat.user_id == user.pk for seat in seats):
        return True
    return Tenure.objects.filter(game=game.pk, user=user.pk).exists()


def must_read_chat(*, game: Game, user: User, seats: Sequence[Seat]) -> None:
    """Raise NoSuchTable where the chat of a table is not for this person."""
    if not may_read_chat(game=game, user=user, seats=seats):
        raise NoSuchTable


def sayings(*, game: Game, user: User) -> QuerySet[Saying]:
    """All that was said at a table, newest first, each with whether the reader has muted who said it, or has reported it."""
    muted = Mute.objects.filter(user=user.pk, muted=OuterRef("user"))
    reported = ChatReport.objects.filter(user=user.pk, saying=OuterRef("pk"))
    found = game.sayings.select_related("user").annotate(muted=Exists(muted), reported=Exists(reported))
    return found.order_by("-number")


def last_sayings(*, game: Game, user: User) -> list[Saying]:
    """The last that was said at a table by those whom the reader wants to read, oldest first."""
    if not game.said:
        return []
    muted = Mute.objects.filter(user=user.pk, muted=OuterRef("user"))
    return list(reversed(game.sayings.select_related("user").exclude(Exists(muted)).order_by("-number")[:AT_THE_TABLE]))


def around(*, saying: Saying) -> list[Saying]:
    """Words of a chat with what was said just before and after, for a referee."""
    told = Saying.objects.filter(game=saying.game_id).select_related("user")
    before = reversed(told.filter(number__lt=saying.number).order_by("-number")[:AROUND])
    return [*before, *told.filter(number__gte=saying.number).order_by("number")[: AROUND + 1]]

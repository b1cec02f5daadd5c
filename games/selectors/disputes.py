"""Disputes as the players of a table may read them, and what is public of all of them: figures without names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db.models import Count, QuerySet
from django.db.models.functions import TruncMonth

from accounts.models import User
from games.models import Dispute, Entry, Game, Ruling, Step
from games.services.cases import plays
from games.services.errors import NoSuchTable
from games.services.freezing import frozen_for

MONTHS = 12
FRESH_SECONDS = 600


def may_dispute(*, game: Game, user: User | AnonymousUser) -> bool:
    """Whether somebody reads the disputes of a table, and may open one: who plays or has played there."""
    return isinstance(user, User) and plays(game, user)


def must_play(*, code: str, user: User) -> Game:
    """The game of a player. Raises NoSuchTable."""
    game = Game.objects.filter(code=code).first() if code.isalnum() else None
    if game is None or not plays(game, user):
        raise NoSuchTable
    return game


def of_table(*, game: Game) -> QuerySet[Dispute]:
    """The disputes of a table, newest first."""
    return game.disputes.select_related("opener", "referee").prefetch_related("rulings").order_by("-pk")


def find(*, game: Game, case: int) -> Dispute:
    """A dispute of a table. Raises NoSuchTable."""
    found = of_table(game=game).filter(pk=case).first()
    if found is None:
        raise NoSuchTable
    found.game = game
    return found


def steps(*, dispute: Dispute) -> list[Step]:
    """What has happened in a dispute, oldest first, for the players: not yet that a referee looked at a deal still played.

    A look that they have been told of stays, where a ruling went back into the deal since.
    """
    rows = list(dispute.steps.select_related("user").order_by("pk"))
    if not any(row.kind == Step.Kind.LOOKED for row in rows):
        return rows
    texts = ("counted", "voided", "rolled_back")
    found = Entry.objects.filter(game=dispute.game_id, kind=Entry.Kind.EVENT, text__in=texts).order_by("number")
    ends = list(found.values_list("deal", "number", "text"))
    return [row for row in rows if row.kind != Step.Kind.LOOKED or _is_told(row.facts, ends)]


def _is_told(look: Mapping[str, int], ends: Iterable[tuple[int | None, int, str]]) -> bool:
    """Whether the deal that a referee looked at was over then, or has been since. `ends`: by deal and number of the row, what
    closed a deal and what opened it again.
    """
    over = False
    for deal, number, text in ends:
        if deal == look["deal"]:
            if over and number > look["upto"]:
                return True
            over = text != "rolled_back"
    return over


def rulings(*, dispute: Dispute) -> list[Ruling]:
    """What has been ruled in a dispute, with the referees."""
    return list(dispute.rulings.select_related("referee").order_by("pk"))


def frozen(*, game: Game) -> int | None:
    """The key of the dispute for which the clock of a table is frozen."""
    held = frozen_for(game)
    return None if held is None else held[0]


class Month(NamedTuple):
    """How many disputes were opened, rulings made and appeals asked for in a month; `first` None is in all."""

    first: datetime | None
    opened: dict[str, int]
    ruled: dict[str, int]
    appealed: int
    changed: int
    """Of the rulings those on appeal that changed what had been ruled."""


def counts(*, now: datetime) -> list[Month]:
    """In all, then each of the last twelve months, the present one first. Made anew every ten minutes, in three queries."""
    return cache.get_or_set("rulings", lambda: _counts(now), FRESH_SECONDS) or []


def _counts(now: datetime) -> list[Month]:
    month = TruncMonth("opened_at", tzinfo=UTC)
    opened = Dispute.objects.order_by().values_list(month, "kind").annotate(Count("pk"))
    month = TruncMonth("at", tzinfo=UTC)
    ruled = list(Ruling.objects.order_by().values_list(month, "kind", "appeal").annotate(Count("pk")))
    appeals = Step.objects.filter(kind=Step.Kind.APPEALED).order_by().values_list(month).annotate(Count("pk"))
    changed = [(first, count) for first, kind, on_appeal, count in ruled if on_appeal and kind != Ruling.Kind.DISMISS]
    made = ([(first, kind, count) for first, kind, count in opened], [(first, kind, count) for first, kind, _a, count in ruled])
    asked = list(appeals)
    return [_month(first, *made, asked, changed) for first in (None, *_months(now))]


def _months(now: datetime) -> list[datetime]:
    local = now.astimezone(UTC)
    at = local.year * 12 + local.month - 1
    return [datetime((at - back) // 12, (at - back) % 12 + 1, 1, tzinfo=UTC) for back in range(MONTHS)]


def _month(
    first: datetime | None,
    opened: Iterable[tuple[datetime, str, int]],
    ruled: Iterable[tuple[datetime, str, int]],
    asked: Iterable[tuple[datetime, int]],
    changed: Iterable[tuple[datetime, int]],
) -> Month:
    def by_kind(rows: Iterable[tuple[datetime, str, int]]) -> dict[str, int]:
        found: Counter[str] = Counter()
        for month, kind, count in rows:
            found[kind] += count if first in (None, month) else 0
        return dict(found)

    def in_all(rows: Iterable[tuple[datetime, int]]) -> int:
        return sum(count for month, count in rows if first in (None, month))

    return Month(first, by_kind(opened), by_kind(ruled), in_all(asked), in_all(changed))

"""Matches that have ended, as rows: for what is made of results alone."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from accounts.leagues.ratings.services import mark
from accounts.models import User
from games.models import Deal, Game, Hand, Seat, Tenure
from tests.games.playing import DAY, NOON, player

codes = itertools.count()


def over(
    *seats: tuple[str, int], at: datetime = NOON, resigned: tuple[str, ...] = (), variant: str = "rami500", **more: Any
) -> Game:
    """A match that has ended so, as rows; a name with a star is a computer player's kind, and one with a plus a guest's."""
    game = Game.objects.create(
        variant=variant, options={}, seat_count=len(seats), turn_time=DAY, made_at=at, started_at=at, ended_at=at,
        status=Game.Status.FINISHED, winner=0, code=f"rated{next(codes):09d}", **more,
    )  # fmt: skip
    for index, (name, total) in enumerate(seats):
        bot, user = (name[1:], None) if name.startswith("*") else ("", player(name.lstrip("+")))
        if name.startswith("+"):
            User.objects.filter(username=name[1:]).update(is_guest=True)
        Seat.objects.create(game=game, index=index, user=user, bot=bot, total=total, joined_at=at, resigned=name in resigned)
        Tenure.objects.create(game=game, seat=index, user=user, bot=bot, from_deal=0, from_entry=0)
    mark(game=game)
    return game


def deals(game: Game, count: int) -> None:
    for number in range(count):
        Deal.objects.create(
            game=game, number=number, dealer=0, seed=b"", deck="", state={"resigned": []}, reason="out", scored=True,
            began_at=NOON, ended_at=NOON,
        )  # fmt: skip


def takes_over(game: Game, seat: int, name: str, *, from_deal: int) -> None:
    Tenure.objects.create(game=game, seat=seat, user=player(name), from_deal=from_deal, from_entry=50)
    Seat.objects.filter(game=game, index=seat).update(user=player(name), held_from=50)


def scored(game: Game, *sheet: Sequence[int]) -> None:
    """The deals of a match: for each the score of each seat."""
    deals(game, len(sheet))
    for deal, scores in zip(game.deals.order_by("number"), sheet, strict=True):
        Hand.objects.bulk_create(Hand(deal=deal, seat=seat, score=score) for seat, score in enumerate(scores))

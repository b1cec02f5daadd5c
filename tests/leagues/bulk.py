"""Many matches at once, as rows: what leagues read of a match, without a card being played."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from accounts.models import LeagueMatch, Season, User
from games.models import Deal, Entry, Game, Hand, Seat, Tenure
from tests.games.playing import DAY

RESIGNS = 0.1
"""How often somebody resigns in the last deal of a match."""


def players(count: int, *, prefix: str = "Player") -> list[User]:
    return User.objects.bulk_create(User(username=f"{prefix} {number}") for number in range(count))


def finished_matches(
    season: Season, groups: Sequence[Sequence[User]], *, deals: int, rng: random.Random, start: datetime
) -> list[LeagueMatch]:
    """A finished match of so many deals for each group, all of them waiting to be scored; the times lie hours apart."""
    made = [_Match(season, group, deals, rng, start + timedelta(hours=number)) for number, group in enumerate(groups)]
    Game.objects.bulk_create((one.game for one in made), batch_size=1_000)
    for model, name in ((Seat, "seats"), (Tenure, "tenures"), (Deal, "deals"), (Entry, "entries")):
        model._default_manager.bulk_create((row for one in made for row in getattr(one, name)()), batch_size=2_000)
    keys = {(deal.game_id, deal.number): deal for deal in Deal.objects.filter(game__in=[one.game for one in made])}
    Hand.objects.bulk_create((row for one in made for row in one.hands(keys)), batch_size=2_000)
    matches = LeagueMatch.objects.bulk_create((one.match() for one in made), batch_size=1_000)
    with connection.cursor() as cursor:
        cursor.execute(
            "ANALYZE"
        )  # what one transaction has written the planner knows nothing of, and it may plan for empty tables
    return matches


class _Match:
    """A match with its scores, and who resigned in its last deal, as rows to be written."""

    def __init__(self, season: Season, group: Sequence[User], deals: int, rng: random.Random, start: datetime) -> None:
        self.season, self.group, self.start = season, group, start
        self.scores = [[rng.randint(-90, 130) for _seat in group] for _deal in range(deals)]
        self.totals = [sum(column) for column in zip(*self.scores, strict=True)]
        self.gone = rng.randrange(len(group)) if rng.random() < RESIGNS else None
        self.end = start + deals * timedelta(minutes=9)
        self.game = Game(
            variant="remi500", options={"target": None}, seat_count=len(group), turn_time=DAY, status=Game.Status.FINISHED,
            made_at=start, started_at=start, ended_at=self.end, winner=self._winner(), log_length=2 * deals,
        )  # fmt: skip

    def _winner(self) -> int:
        left = [seat for seat in range(len(self.group)) if seat != self.gone]
        return max(left, key=lambda seat: self.totals[seat])

    def seats(self) -> list[Seat]:
        return [
            Seat(
                game=self.game, index=index, user=user, joined_at=self.start, total=self.totals[index],
                resigned=index == self.gone,
            )
            for index, user in enumerate(self.group)
        ]  # fmt: skip

    def tenures(self) -> list[Tenure]:
        return [Tenure(game=self.game, seat=index, user=user, from_deal=0, from_entry=0) for index, user in enumerate(self.group)]

    def deals(self) -> list[Deal]:
        return [
            Deal(
                game=self.game, number=number, dealer=0, seed=b"", deck="", scored=True, began_at=self.start,
                ended_at=self.start + (number + 1) * timedelta(minutes=9), reason="out", out=scores.index(max(scores)),
                state={"resigned": [self.gone] if self._has_left(number) else []},
            )
            for number, scores in enumerate(self.scores)
        ]  # fmt: skip

    def _has_left(self, number: int) -> bool:
        return self.gone is not None and number == len(self.scores) - 1

    def entries(self) -> list[Entry]:
        """What leagues read of the log: that deals were counted, and who resigned."""
        counted: list[dict[str, Any]] = [
            {"kind": "event", "actor": "server", "deal": number, "text": "counted"} for number in range(len(self.scores))
        ]
        if self.gone is not None:
            counted.append({"kind": "move", "actor": "player", "deal": len(self.scores) - 1, "text": "R", "seat": self.gone})
        return [Entry(game=self.game, number=number, at=self.end, hash="0" * 64, **facts) for number, facts in enumerate(counted)]

    def hands(self, keys: dict[tuple[int, int], Deal]) -> list[Hand]:
        return [
            Hand(deal=keys[self.game.pk, number], seat=seat, score=score)
            for number, scores in enumerate(self.scores)
            for seat, score in enumerate(scores)
        ]  # fmt: skip

    def match(self) -> LeagueMatch:
        people = sorted(user.pk for user in self.group)
        return LeagueMatch(
            season=self.season, game=self.game, made_at=self.start, people=people, counts=True, waiting=True, forfeit=-25
        )

"""Whoever goes away and comes back during the exchange of doubles, and whoever answers: no time is added, and none lost.

What the clock should have counted is added up beside it, from nothing but who is away.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.people import absence
from games.models import Game
from games.services import clocks
from games.services.errors import ServiceError
from tests.games.playing import DAY, NOON, differences, fresh, player, seat, sweep
from tests.games.tiles import ALL_BIG, answer, tile_table

pytestmark = pytest.mark.django_db
NAMES = ("Ana", "Bogdan", "Chloé")
HOUR = timedelta(hours=1)
LONG = 14 * DAY

steps = st.tuples(st.sampled_from(["away", "away", "back", "answer"]), st.sampled_from(NAMES), st.integers(1, 30))


class Reckoned:
    """An exchange that all three are asked in, and what each vacation and the clock should have counted."""

    def __init__(self, limit: int | None) -> None:
        self.limit = limit
        self.game: Game = tile_table(*NAMES, seed=ALL_BIG, turn_time=LONG, vacation_days=limit)
        self.now, self.counted = NOON, timedelta(0)
        self.used = dict.fromkeys(NAMES, timedelta(0))
        self.answers = 0

    def waits_for(self) -> list[str]:
        """Who is away and may be, by the days that the table allows."""
        gone = absence.away(user_ids=[player(name).pk for name in NAMES], now=self.now)
        room = [name for name in NAMES if self.limit is None or self.used[name] < self.limit * DAY]
        return [name for name in room if player(name).pk in gone]

    def wait(self, hours: int) -> None:
        """Hour by hour, for what is over is over between two of them."""
        for _hour in range(hours):
            waits_for = self.waits_for()
            self.counted += timedelta(0) if waits_for else HOUR
            for name in waits_for:
                self.used[name] += HOUR
            self.now += HOUR
            sweep(self.now)

    def act(self, what: str, name: str) -> None:
        user = player(name)
        match what:
            case "away":
                absence.plan(user=user, first=self.now.date(), last=self.now.date() + DAY, now=self.now)
            case "back":
                absence.end(user=user, now=self.now)
            case "answer" if self.answers < 2:  # so that it goes on
                answer(self.game, "X:pass", by=name, now=self.now)
                self.answers += 1
        sweep(self.now)

    def check(self) -> None:
        game = fresh(self.game)
        assert game.in_exchange
        assert clocks.left(game, now=self.now) == LONG - self.counted
        assert (game.deadline is None) == bool(self.waits_for())


@pytest.mark.parametrize("limit", [None, 2])
@settings(max_examples=4, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(taken=st.lists(steps, min_size=3, max_size=6))
def test_the_clock_counts_while_nobody_is_away_and_only_then(limit: int | None, taken: list[tuple[str, str, int]]) -> None:
    with transaction.atomic():
        sweep(NOON)
        reckoned = Reckoned(limit)
        for what, name, hours in [*taken, *(("back", name, 1) for name in NAMES)]:
            try:
                with transaction.atomic():
                    reckoned.act(what, name)
            except (ServiceError, absence.NoVacation):
                pass
            reckoned.check()
            reckoned.wait(hours)
            reckoned.check()
        if limit is not None:
            assert {name: seat(reckoned.game, name).vacation_used for name in NAMES} == reckoned.used
        assert differences(reckoned.game) == []
        transaction.set_rollback(True)

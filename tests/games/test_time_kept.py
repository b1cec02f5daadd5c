"""Whatever stops a clock and lets it go on, in whatever order: to the second nothing is added and nothing lost.

What a clock has counted is added up beside it, from nothing but whether it ran; in the end the two agree.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.people import absence
from games import clock
from games.models import Game
from games.services import clocks, outages, pauses
from tests.games.playing import DAY, NOON, awake, differences, fresh, player, quick_turn, running, seat, sweep

pytestmark = pytest.mark.django_db
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
LONG = 14 * DAY
PACES: dict[str, dict[str, Any]] = {
    "by the turn": {"turn_time": LONG},
    "without weekends": {"turn_time": LONG, "weekend_pause": True, "zone": "Europe/Bucharest"},
    "at an hour": {"turn_time": LONG, "deadline_hour": 20, "quiet_from": 22, "quiet_to": 8, "zone": "America/New_York"},
    "with a bank": {"turn_time": LONG, "increment": HOUR, "bank_cap": 20 * DAY},
}


class Kept:
    """A table with Ana on turn, the time, and what her clock should have counted."""

    def __init__(self, **pace: Any) -> None:
        self.game = running("Ana", "Bogdan", **pace)
        self.now, self.counted, self.given = NOON, timedelta(0), timedelta(0)
        self.unseen = timedelta(0)
        """Of what was counted, what goes back to a vacation that has begun once the sweep sees it."""
        awake(self.now)

    @property
    def runs(self) -> bool:
        return fresh(self.game).deadline is not None

    def wait(self, span: timedelta, *, counts: bool = True) -> None:
        """Let time pass: the clock counts it where it runs, unless that is an outage."""
        if counts and self.runs:
            counted = clock.counted(self.game.pace, self.now, self.now + span)
            self.counted += counted
            self.unseen += counted if self.away else timedelta(0)
        self.now += span
        self.unseen = self.unseen if counts and self.away else timedelta(0)

    def sweep(self, *, slept: bool = False) -> None:
        before = self.runs
        sweep(self.now, slept=slept)
        if before and not self.runs:
            self.counted -= self.unseen
        self.unseen = timedelta(0)

    @property
    def away(self) -> bool:
        return bool(absence.away(user_ids=[player("Ana").pk], now=self.now))

    # what may happen, each in turn

    def play_on(self, span: timedelta) -> None:
        self.wait(span)
        awake(self.now)

    def look(self, span: timedelta) -> None:
        self.wait(span)
        self.sweep()
        self.stands_for_a_reason()

    def pause(self, span: timedelta) -> None:
        """Paused, or gone on with, by both."""
        self.play_on(span)
        verbs = [(pauses.resume, "Bogdan")] if fresh(self.game).paused_at else [(pauses.agree, "Ana"), (pauses.agree, "Bogdan")]
        for verb, name in verbs:
            verb(code=self.game.code, user=player(name), version=fresh(self.game).version, now=self.now)
        self.unseen = timedelta(0)

    def vacation(self, span: timedelta) -> None:
        """Begun for a day or three, or ended; the sweep sees it later."""
        self.play_on(span)
        ana, today, self.unseen = player("Ana"), self.now.date(), timedelta(0)
        if not absence.end(user=ana, now=self.now):
            try:
                absence.plan(user=ana, first=today, last=today + (span.seconds % 3) * DAY, now=self.now)
            except absence.NoVacation as fault:
                assert fault.code == "too_long"

    def silence(self, span: timedelta) -> None:
        awake(self.now)
        self.wait(span, counts=span <= outages.SILENCE)
        self.sweep(slept=True)

    def work(self, span: timedelta) -> None:
        """Somebody works on the site, and meanwhile something else happens."""
        outages.begin_maintenance(reason="", now=self.now)
        self.wait(span / 2, counts=False)
        awake(self.now)
        self.pause_now()
        self.wait(span, counts=False)
        awake(self.now)
        outages.end_maintenance(now=self.now)

    def pause_now(self) -> None:
        before, self.counted = self.counted, timedelta(0)
        self.pause(timedelta(0))
        self.counted = before

    def give(self, span: timedelta) -> None:
        """A span by hand, which is applied with the next sweep, or when the clock stops."""
        if self.runs:
            self.given += span
        outages.give(span=span, reason="", by=None, now=self.now)
        self.wait(SECOND)

    # what holds

    def stands_for_a_reason(self) -> None:
        game = fresh(self.game)
        assert self.runs == (game.paused_at is None and not self.away)

    def left(self) -> timedelta:
        return clocks.left(fresh(self.game), now=self.now)


ACTS: list[Callable[[Kept, timedelta], None]] = [
    Kept.play_on, Kept.look, Kept.pause, Kept.vacation, Kept.silence, Kept.work, Kept.give,
]  # fmt: skip
spans = st.one_of(
    st.integers(1, 400).map(lambda seconds: seconds * SECOND), st.integers(1, 600).map(lambda minutes: minutes * MINUTE)
)
stories = st.lists(st.tuples(st.sampled_from(ACTS), spans), min_size=1, max_size=10)


@pytest.mark.parametrize("pace", PACES.values(), ids=PACES)
@given(story=stories)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_adds_time_and_nothing_takes_any(pace: dict[str, Any], story: list[tuple[Any, timedelta]]) -> None:
    with transaction.atomic():
        kept = Kept(**pace)
        for act, span in story:
            act(kept, span)
        kept.sweep()
        kept.stands_for_a_reason()
        assert kept.left() == fresh(kept.game).allowance - kept.counted + kept.given
        assert differences(kept.game) == []
        _bank_pays_what_was_counted(kept)
        transaction.set_rollback(True)


def _bank_pays_what_was_counted(kept: Kept) -> None:
    if not kept.game.pace.banked:
        return
    if fresh(kept.game).paused_at:
        kept.pause(timedelta(0))
    quick_turn(kept.game, now=kept.now)
    used = max(kept.counted - kept.given, timedelta(0))
    assert seat(kept.game, "Ana").bank == min(LONG - used + HOUR, 20 * DAY)


@given(story=stories, again=st.lists(st.integers(0, 3), min_size=1, max_size=4))
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_repeated_sweeps_change_nothing(story: list[tuple[Any, timedelta]], again: list[int]) -> None:
    with transaction.atomic():
        kept = Kept(turn_time=LONG)
        for act, span in story:
            act(kept, span)
        sweep(kept.now)
        before = _rows(kept.game)
        for _sweep in again:
            sweep(kept.now)
        assert _rows(kept.game) == before
        transaction.set_rollback(True)


def _rows(game: Game) -> tuple[Any, ...]:
    return Game.objects.filter(pk=game.pk).values_list()[0], list(game.seats.order_by("index").values_list())

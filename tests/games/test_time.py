"""No order of sweeps, outages, pauses, vacations and moves gains or loses time, or ends a turn twice, early or late."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import Vacation
from accounts.people import absence
from games.models import Game
from games.services import outages, pauses
from games.services.errors import ServiceError
from tests.games.playing import NOON, differences, fresh, player, quick_turn, running, sweep

pytestmark = pytest.mark.django_db
MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
TURN, LATE = timedelta(hours=5), 30 * SECOND
NAMES = ("Ana", "Bogdan")
Span = tuple[datetime, datetime]


@dataclass
class Site:
    """A table and the server that looks after it, with a clock of its own beside the table's."""

    game: Game
    now: datetime = NOON
    began: datetime = NOON
    """When the turn did, so far as this clock knows."""
    seen: datetime = NOON
    """The last sweep."""
    down: list[Span] = field(default_factory=list)
    paused: list[Span] = field(default_factory=list)
    worked: list[Span] = field(default_factory=list)
    pause: datetime | None = None
    work: datetime | None = None

    def stood(self) -> list[Span]:
        """When the clock of the turn was not to count."""
        end = self.now
        spans = [*self.down, *self.paused, *self.worked]
        spans += [(since, end) for since in (self.pause, self.work) if since is not None]
        name = NAMES[fresh(self.game).to_move or 0]
        for row in Vacation.objects.filter(user=player(name), begins__lt=end):
            spans.append((row.begins, min(row.ended_at or row.ends, end)))
        return spans

    def used(self) -> timedelta:
        """What the turn has used by now: what of it no span covers."""
        at, whole = self.began, timedelta(0)
        for began, ended in sorted(self.stood()):
            whole += max(began - at, timedelta(0))
            at = max(at, min(ended, self.now))
        return whole + max(self.now - at, timedelta(0))

    def sweep(self, *, slept: bool = False) -> None:
        before = self.game.entries.filter(text="T").count()
        mover, used = fresh(self.game).to_move, self.used()
        sweep(self.now, slept=slept)
        self.seen = self.now
        ended = self.game.entries.filter(text="T").count() - before
        assert ended <= 1
        if ended:
            assert used >= TURN - SECOND and fresh(self.game).to_move != mover
            self.began = self.now
        else:
            assert used <= TURN + LATE

    def wait(self, span: timedelta) -> None:
        """Sweeps whenever something is due, a little late as they are, and at the end."""
        end = self.now + span
        while True:
            game = fresh(self.game)
            due = [game.deadline, game.away_until]
            due += [at for row in Vacation.objects.filter(ended_at=None) for at in (row.begins, row.ends)]
            due += [None if game.paused_at is None else game.paused_at + pauses.LONGEST_PAUSE]
            times = [at + 5 * SECOND for at in due if at is not None and self.now < at + 5 * SECOND < end]
            self.now = min(times, default=end)
            self.sweep()
            if self.now == end:
                return


def step(site: Site, what: str, name: str, minutes: int) -> None:
    """One step, allowed or not."""
    game, now = fresh(site.game), site.now
    if game.status != "running":
        return
    person: dict[str, Any] = {"code": game.code, "user": player(name), "now": now}
    match what:
        case "wait":
            site.wait(minutes * MINUTE)
        case "down":
            began = site.seen
            site.now += (minutes + 6) * MINUTE
            site.down.append((began, site.now))
            site.sweep(slept=True)
        case "pause":
            for each in NAMES:
                pauses.agree(**person | {"user": player(each)}, version=fresh(game).version)
            site.pause = now
        case "resume":
            pauses.resume(**person, version=game.version)
            assert site.pause is not None
            site.paused.append((site.pause, now))
            site.pause = None
        case "go away":
            first = now.date() + timedelta(days=minutes % 2)
            absence.plan(user=player(name), first=first, last=first + timedelta(days=minutes % 3), now=now)
        case "come back":
            absence.end(user=player(name), now=now)
        case "work":
            if outages.begin_maintenance(reason="", now=now):
                site.work = now
        case "work over":
            if outages.end_maintenance(now=now) and site.work is not None:
                site.worked.append((site.work, now))
                site.work = None
        case "move" if game.paused_at is None and not game.awaits_server:
            quick_turn(game, now=now)
            site.began = now


steps = st.lists(
    st.tuples(
        st.sampled_from(["wait", "wait", "wait", "down", "pause", "resume", "go away", "come back", "work", "work over", "move"]),
        st.sampled_from(NAMES),
        st.integers(0, 400),
    ),
    min_size=4,
    max_size=18,
)


@settings(max_examples=10, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(steps)
def test_whatever_happens_a_turn_ends_once_and_when_its_time_is_over(todo: list[tuple[str, str, int]]) -> None:
    with transaction.atomic():
        site = Site(running(*NAMES, turn_time=TURN))
        site.sweep()
        for what, name, minutes in todo:
            try:
                with transaction.atomic():
                    step(site, what, name, minutes)
            except (ServiceError, absence.NoVacation):
                pass
        assert differences(site.game) == []
        transaction.set_rollback(True)

"""Whatever the order of moves, sweeps, restarts, pauses and vacations: no turn runs out early, twice, or much too late.

A second clock, kept here, says how much of its time each turn has used.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from accounts.people import absence as vacations
from games.models import Game, Outage
from games.services import pauses
from games.services.errors import ServiceError
from games.services.owed import SILENCE, before_it_stopped
from tests.games.playing import DAY, NOON, at, chance, differences, fresh, player, quick_turn, running, sweep

pytestmark = pytest.mark.django_db
TURN, BETWEEN_SWEEPS = timedelta(minutes=5), timedelta(seconds=30)
# Where nothing can run out the server is not made to look so often, only often enough not to count as asleep.
QUIET = timedelta(seconds=140)
NAMES = ("Ana", "Bogdan")

steps = st.tuples(
    st.sampled_from(["turn", "turn", "pause", "resume", "go away", "come back", "stop", "start", "sleep", "wait"]),
    st.sampled_from(NAMES),
    st.integers(0, 170),
)


class SecondClock:
    """What the turn of one game has used of its time, at least and at most, as people would reckon it.

    While the server is down it is open whether the time counts: if it is up again within five minutes it does, else not.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.now, self.seen = game, NOON, NOON
        self.up, self.unsteady = True, False
        self.away: set[str] = set()
        self._turn = self._turn_now()
        self._least = self._most = timedelta(0)
        self._stands = False

    def _turn_now(self) -> tuple[int, ...]:
        """Changes with every turn, and with every excuse."""
        table = at(self.game)
        return (table.row.number, table.row.turns, *(seat.excused for seat in table.seats))

    def _counts(self) -> bool:
        return not self._stands and fresh(self.game).paused_at is None

    def look_again(self) -> None:
        """After something was done: whether a turn began, and whether the clock stands for its player."""
        turn = self._turn_now()
        if turn != self._turn:
            self._turn, self._least, self._most = turn, timedelta(0), timedelta(0)
            self._settle()

    def _settle(self) -> None:
        to_move = fresh(self.game).to_move
        self._stands = to_move is not None and NAMES[to_move] in self.away

    def wait(self, seconds: int) -> None:
        """Time passes; while it is up the server looks every half a minute, and at the end."""
        end = self.now + timedelta(seconds=seconds)
        while self.now < end:
            passed = min(end - self.now, QUIET if self._most + QUIET < TURN else BETWEEN_SWEEPS)
            if self._counts():
                self._most += passed
                self._least += passed if self.up else timedelta(0)
            self.now += passed
            if self.up:
                self.sweep()

    def restart(self) -> None:
        """The server is up again, and now it shows whether the time without it counts."""
        if not self.up and not self.unsteady:
            if self.now - self.seen > SILENCE:
                self._most = self._least
            else:
                self._least = self._most
        self.up, self.unsteady = True, False
        self.sweep(late=self.now - self.seen)

    def sweep(self, late: timedelta = timedelta(0)) -> None:
        """What runs out by now, and nothing else; looked at again, as by a second server, it has."""
        due, early = self._counts() and self._least >= TURN, self._most < TURN
        before, version = self._turn_now(), fresh(self.game).version
        used = self._least
        sweep(self.now, slept=True)
        after, ran_out = fresh(self.game).version, self._turn_now() != before
        if ran_out:
            sweep(self.now, slept=True)
            assert fresh(self.game).version == after, "looked at a second time, something else was found"
        assert not (ran_out and early), "a turn ran out early"
        assert ran_out or not due, "a turn did not run out"
        assert used <= TURN + BETWEEN_SWEEPS + late, "a turn ran out too late"
        assert after - version <= 3, "more than one thing was done"
        self.seen = self.now
        self._settle()
        self.look_again()
        self.check()

    def check(self) -> None:
        """What the game says is left is what is left here, to the second."""
        game = fresh(self.game)
        if game.awaits_server:
            return
        left = game.deadline - self.now if game.deadline is not None else game.left
        assert left is not None
        left += self._comes_back(game)
        second = timedelta(seconds=1)
        assert TURN - self._most - second <= left <= TURN - self._least + second

    def _comes_back(self, game: Game) -> timedelta:
        """What a clock that stands gets back when it goes on: what it had counted of a silence that was noticed afterwards."""
        at = game.stopped_at
        silence = Outage.objects.filter(kind=Outage.Kind.SILENCE, began__lt=at, ended__gte=at).first() if at else None
        return timedelta(0) if silence is None else before_it_stopped(game, silence, None)


def act(clock: SecondClock, what: str, name: str) -> None:
    game, user, now = clock.game, player(name), clock.now
    version = fresh(game).version
    match what:
        case "turn":
            quick_turn(game, now=now)
        case "pause":
            for each in NAMES:
                pauses.agree(code=game.code, user=player(each), version=fresh(game).version, now=now)
        case "resume":
            pauses.resume(code=game.code, user=user, version=version, now=now)
        case "go away":
            vacations.plan(user=user, first=now.date(), last=now.date() + DAY, now=now)
            clock.away.add(name)
        case "come back" if vacations.end(user=user, now=now):
            clock.away.remove(name)
        case "stop":
            clock.up = False
        case "start":
            clock.restart()
        case "sleep":
            clock.up = False
            clock.wait(200)
            clock.restart()
    if what in ("go away", "come back"):
        clock.unsteady = not clock.up
    clock.look_again()
    if clock.up and what in ("go away", "come back"):
        clock.sweep()  # what a task does at once


@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(excuses=st.integers(0, 2), taken=st.lists(steps, min_size=5, max_size=30))
def test_no_order_of_things_makes_a_turn_run_out_early_twice_or_late(excuses: int, taken: list[tuple[str, str, int]]) -> None:
    with transaction.atomic(), chance("orders", 1):
        sweep(NOON, slept=True)
        clock = SecondClock(running(*NAMES, turn_time=TURN, excuses=excuses))
        for what, name, seconds in [*taken, ("start", "Ana", 0), ("wait", "Ana", 400)]:
            clock.wait(seconds)
            try:
                with transaction.atomic():
                    act(clock, what, name)
            except (ServiceError, vacations.NoVacation):
                continue
        expired = clock.game.entries.filter(text__in=("T", "excused")).count()
        event(f"{expired} ran out")
        event(f"pushed: {clock.game.entries.filter(text='pushed').exists()}")
        assert differences() == []
        transaction.set_rollback(True)

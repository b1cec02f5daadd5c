"""Two at once, over real connections: one goes through, the other is told so, and nothing is counted twice.

Each race is run with either side first in the queue for the game's row.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Thread
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from games import engine
from games.models import Game
from games.services import deals, tables, turns
from games.services.errors import ServiceError
from games.services.store import lock
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_TWO,
    PATIENT,
    at,
    differences,
    fresh,
    on_turn,
    open_table,
    play,
    player,
    running,
)

pytestmark = pytest.mark.django_db(transaction=True)
DUE = NOON + DAY

Call = Callable[[], Any]
both_orders = pytest.mark.parametrize("swapped", [False, True], ids=["as_written", "the_other_first"])


class Racer(Thread):
    """A call on a connection of its own. `answer` is what it returned, or the code of its refusal."""

    def __init__(self, call: Call) -> None:
        super().__init__(daemon=True)
        self._call = call
        self.answer: Any = None
        self.fault: Exception | None = None

    def run(self) -> None:
        try:
            self.answer = self._call()
        except (ServiceError, engine.RuleError) as refusal:
            self.answer = refusal.code
        except Exception as fault:
            self.fault = fault
        finally:
            connection.close()


def finish(racers: list[Racer]) -> list[Any]:
    for racer in racers:
        racer.join(timeout=20)
        assert not racer.is_alive()
        if racer.fault is not None:
            raise racer.fault
    return [racer.answer for racer in racers]


def waiting() -> int:
    """How many connections wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_stat_clear_snapshot(), (SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock')"
        )
        return int(cursor.fetchone()[1])


def race(game: Game, *calls: Call, swapped: bool = False) -> list[Any]:
    """What calls answer that all queue for the game's row, in the order given or the other way round."""
    racers = [Racer(call) for call in calls]
    queue = racers[::-1] if swapped else racers
    with transaction.atomic():
        lock(pk=game.pk)
        for place, racer in enumerate(queue, start=1):
            racer.start()
            end = time.monotonic() + 10
            while waiting() < place:
                assert time.monotonic() < end, "the call does not ask for the game's row"
                time.sleep(0.002)
    answers = finish(racers)
    assert differences() == []
    return answers


def click(game: Game, move: str, by: str = "Ana") -> Call:
    """A move on the table as it stands now."""
    user, version = player(by), fresh(game).version
    return lambda: turns.play(code=game.code, user=user, move=move, version=version, now=NOON) and "played"


def doing(verb: Callable[..., Any], game: Game, by: str) -> Call:
    user = player(by)
    return lambda: verb(code=game.code, user=user, now=NOON) and "done"


def expiry(game: Game) -> Call:
    return lambda: turns.expire(game_id=game.pk, now=DUE)


def worker(game: Game) -> Call:
    return lambda: turns.serve(game_id=game.pk, now=NOON, rng=random.Random(1))


def moves(game: Game) -> list[str]:
    return [entry.text for entry in game.entries.filter(kind="move")]


@pytest.fixture
def game() -> Game:
    return running("Ana", "Bogdan", seed=OUT_OF_TWO[0])


# -- moves --------------------------------------------------------------------------------------


def test_a_double_click_plays_once(game: Game) -> None:
    assert race(game, click(game, "S"), click(game, "S")) == ["played", "stale"]
    assert moves(game) == ["S"]


def test_three_clicks_play_once(game: Game) -> None:
    assert race(game, click(game, "S"), click(game, "S"), click(game, "S")) == ["played", "stale", "stale"]
    assert moves(game) == ["S"]


@both_orders
def test_of_two_tabs_the_first_plays(game: Game, swapped: bool) -> None:
    play(game, "S")
    answers = race(game, click(game, "D:8S"), click(game, "M:6H,7H,8H"), swapped=swapped)
    assert sorted(answers) == ["played", "stale"]
    assert moves(game) == ["S", "M:6H,7H,8H" if swapped else "D:8S"]


def test_a_player_who_was_slower_than_the_one_on_turn_sees_the_fresh_table(game: Game) -> None:
    assert race(game, click(game, "S"), click(game, "S", by="Bogdan")) == ["played", "stale"]


def test_a_player_who_is_not_on_turn_does_not_come_first_by_being_quick(game: Game) -> None:
    assert race(game, click(game, "S"), click(game, "S", by="Bogdan"), swapped=True) == ["played", "not_your_turn"]
    assert moves(game) == ["S"]


def test_a_double_click_in_the_browser_shows_the_fresh_table_twice(game: Game) -> None:
    url, sent = f"/t/{game.code}/play/", {"version": game.version, "move": "S"}
    clients = [Client(headers={"HX-Request": "true"}), Client(headers={"HX-Request": "true"})]
    for client in clients:
        client.force_login(player("Ana"), backend="django.contrib.auth.backends.ModelBackend")
    first, second = race(game, *[lambda client=client: client.post(url, sent) for client in clients])
    assert (first.status_code, second.status_code) == (200, 200)
    assert moves(game) == ["S"]
    assert "The table has moved on." in second.content.decode()
    assert "The table has moved on." not in first.content.decode()


# -- the server beside a player -----------------------------------------------------------------


@both_orders
def test_a_worker_beside_a_click(swapped: bool) -> None:
    game = running("Ana", computers=1, dealer=0)
    answers = race(game, worker(game), click(game, "S"), swapped=swapped)
    assert answers == [True, "not_your_turn" if swapped else "stale"]
    assert fresh(game).to_move == 0


def test_two_workers_play_a_computer_s_turn_once() -> None:
    game = running("Ana", computers=1, dealer=0)
    assert race(game, worker(game), worker(game)) == [True, False]
    assert at(game).row.turns == 1


@both_orders
def test_a_click_at_the_last_moment_beside_the_clock(game: Game, swapped: bool) -> None:
    play(game, "S")
    answers = race(game, click(game, "D:8S"), expiry(game), swapped=swapped)
    assert answers == (["stale", True] if swapped else ["played", True])
    assert moves(game) == (["S", "T"] if swapped else ["S", "D:8S", "T"])


@both_orders
def test_a_click_that_gets_a_new_deadline_beside_the_clock(game: Game, swapped: bool) -> None:
    play(game, "S")
    user, version = player("Ana"), fresh(game).version
    in_time = lambda: turns.play(code=game.code, user=user, move="D:8S", version=version, now=DUE) and "played"  # noqa: E731
    answers = race(game, in_time, expiry(game), swapped=swapped)
    assert answers == (["stale", True] if swapped else ["played", False])
    assert moves(game) == (["S", "T"] if swapped else ["S", "D:8S"])


def test_two_sweeps_expire_a_turn_once(game: Game) -> None:
    assert race(game, expiry(game), expiry(game)) == [True, False]
    assert moves(game) == ["T"]


# -- between deals ------------------------------------------------------------------------------


def settling(game: Game) -> Call:
    return lambda: deals.settle(game_id=game.pk, now=NOON)


def test_two_workers_count_a_deal_once(game: Game) -> None:
    play(game, OUT_OF_TWO[1])
    assert race(game, settling(game), settling(game)) == [True, False]
    assert [seat.total for seat in game.seats.all()] == [55, -43]
    assert [entry.text for entry in game.entries.all()].count("counted") == 1
    assert game.deals.count() == 2


@both_orders
def test_a_worker_that_counts_beside_a_player_who_resigns(game: Game, swapped: bool) -> None:
    play(game, OUT_OF_TWO[1])
    answers = race(game, settling(game), doing(turns.resign, game, "Bogdan"), swapped=swapped)
    assert answers == [True, "done"]
    assert [entry.text for entry in game.entries.all()].count("counted") == (2 if swapped else 1)
    assert game.deals.count() == 2


@both_orders
def test_resigning_beside_a_move(swapped: bool) -> None:
    game = running("Ana", "Bogdan", "Chloé")
    answers = race(game, click(game, "S"), doing(turns.resign, game, "Bogdan"), swapped=swapped)
    assert answers == ["stale" if swapped else "played", "done"]
    assert moves(game) == (["R"] if swapped else ["S", "R"])


def test_two_of_two_who_resign_at_once_leave_one_winner(game: Game) -> None:
    answers = race(game, doing(turns.resign, game, "Ana"), doing(turns.resign, game, "Bogdan"))
    assert answers == ["done", "stale"]
    assert moves(game) == ["R"]


# -- before the first deal ----------------------------------------------------------------------


def test_of_two_for_the_last_seat_one_gets_it() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    answers = race(game, doing(tables.join, game, "Chloé"), doing(tables.join, game, "Dan"))
    assert answers == ["done", "already_started"]
    assert [str(seat.user) for seat in game.seats.all()] == ["Ana", "Bogdan", "Chloé"]
    assert fresh(game).status == "running"


def test_two_for_two_seats_both_sit() -> None:
    game = open_table("Ana", "Bogdan", seats=4)
    assert race(game, doing(tables.join, game, "Chloé"), doing(tables.join, game, "Dan")) == ["done", "done"]
    assert fresh(game).status == "running"


def test_a_double_click_on_join_takes_one_seat() -> None:
    game = open_table("Ana", seats=3)
    assert race(game, doing(tables.join, game, "Bogdan"), doing(tables.join, game, "Bogdan")) == ["done", "done"]
    assert game.seats.count() == 2


@both_orders
def test_joining_beside_giving_up(swapped: bool) -> None:
    game = open_table("Ana")
    answers = race(game, doing(tables.join, game, "Bogdan"), doing(tables.cancel, game, "Ana"), swapped=swapped)
    assert answers == (["table_gone", "done"] if swapped else ["done", "already_started"])
    assert fresh(game).status == ("cancelled" if swapped else "running")


@both_orders
def test_joining_beside_lapsing(swapped: bool) -> None:
    game = open_table("Ana")
    lapsing = lambda: tables.lapse(now=NOON + timedelta(days=8))  # noqa: E731
    answers = race(game, doing(tables.join, game, "Bogdan"), lapsing, swapped=swapped)
    assert answers == (["table_gone", 1] if swapped else ["done", 0])


@both_orders
def test_joining_beside_starting(swapped: bool) -> None:
    game = open_table("Ana", seats=3)
    answers = race(game, doing(tables.join, game, "Bogdan"), doing(tables.start, game, "Ana"), swapped=swapped)
    assert answers == ["already_started" if swapped else "done", "done"]
    assert game.seats.filter(user=None).count() == (2 if swapped else 1)


@both_orders
def test_joining_beside_the_last_one_leaving(swapped: bool) -> None:
    game = open_table("Ana", seats=3)
    answers = race(game, doing(tables.join, game, "Bogdan"), doing(tables.leave, game, "Ana"), swapped=swapped)
    assert answers == ["table_gone" if swapped else "done", "done"]
    assert (fresh(game).status, fresh(game).maker) == (("cancelled", player("Ana")) if swapped else ("open", player("Bogdan")))


def test_a_double_click_on_start_starts_once() -> None:
    game = open_table("Ana", seats=3)
    assert race(game, doing(tables.start, game, "Ana"), doing(tables.start, game, "Ana")) == ["done", "already_started"]
    assert game.deals.count() == 1


# -- everybody at once --------------------------------------------------------------------------


@contextmanager
def crowd(*calls: Call) -> Iterator[list[Racer]]:
    racers = [Racer(call) for call in calls]
    for racer in racers:
        racer.start()
    yield racers
    finish(racers)


def test_players_workers_and_the_clock_at_one_table_without_order() -> None:
    game = running("Ana", "Bogdan", computers=1, absent_after=PATIENT, options={"target": 100})
    played = []

    def plays(seed: int) -> Call:
        rng = random.Random(seed)

        def call() -> None:
            for _try in range(40):
                table = at(game)
                legal = engine.legal_moves(table.deal)
                if table.deal.to_move in (0, 1) and legal:
                    move = engine.move_text(rng.choice(legal), engine.CARDS)
                    try:
                        turns.play(
                            code=game.code, user=on_turn(game), move=move, version=table.game.version, now=NOON
                        )  # fmt: skip
                        played.append(move)
                    except (ServiceError, engine.RuleError, player("Ana").DoesNotExist):
                        continue

        return call

    def serves() -> None:
        for _try in range(40):
            turns.serve(game_id=game.pk, now=NOON, rng=random.Random(3))
            turns.expire(game_id=game.pk, now=NOON + timedelta(hours=23))

    def expires() -> None:
        for _try in range(15):
            turns.expire(game_id=game.pk, now=NOON + 2 * DAY)

    with crowd(plays(1), plays(2), serves, serves, expires):
        pass
    assert differences() == []
    assert game.entries.filter(kind="move", actor="player").count() == len(played) > 0

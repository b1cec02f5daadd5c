"""A real worker on a real broker: matches go on by themselves, and whatever is killed or lost, nothing is lost or done twice."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from django.db import connection, transaction
from django.test import Client

from games import tasks
from games.models import Game
from games.services import turns
from games.tasks import TOGETHER
from remi_site import celery
from tests.conftest import Worker
from tests.games.playing import (
    NOON,
    OUT_OF_THREE,
    at,
    differences,
    fresh,
    on_turn,
    play,
    player,
    quick_turn,
    rows,
    running,
)

pytestmark = pytest.mark.django_db(transaction=True)


def until(holds: Callable[[], object], *, seconds: float = 20) -> None:
    """Wait for what somebody else does."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it has not happened"
        time.sleep(0.01)


def counted_once(game: Game) -> None:
    """Every deal but the one being played has one score, and log and snapshot agree."""
    assert differences(game) == []
    counted = [entry.deal for entry in game.entries.filter(text="counted")]
    assert counted == [deal.number for deal in game.deals.filter(scored=True)]


def computers_alone(*, target: int | None) -> Game:
    """A match that computers play on among themselves, since the only player has left."""
    game = running("Ana", computers=2, seed=str(random.random()), options={"target": target})
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    return game


# -- all is well --------------------------------------------------------------------------------


def test_a_match_of_a_player_and_two_computers_is_played_to_its_end(worker: Worker) -> None:
    game = running("Ana", computers=2, options={"target": 40})
    while fresh(game).status == "running":
        until(lambda: not fresh(game).awaits_server, seconds=10)
        if fresh(game).status == "running":
            quick_turn(game)
    assert fresh(game).winner is not None
    counted_once(game)


def test_the_sweep_that_beat_sends_expires_what_is_due(worker: Worker) -> None:
    game = running("Ana", "Bogdan")  # due long ago by the worker's clock
    assert celery.send("games.tasks.sweep")
    until(lambda: fresh(game).to_move == 1)
    assert [entry.actor for entry in game.entries.filter(kind="move")] == ["clock"]
    counted_once(game)


def test_however_often_a_sweep_is_sent_what_is_due_is_played_once(worker: Worker) -> None:
    games = [running("Ana", "Bogdan", excuses=0) for _game in range(TOGETHER + 5)]  # more than one worker has at a time
    for _sweep in range(5):
        assert celery.send("games.tasks.sweep")
    until(lambda: all(fresh(game).to_move == 1 for game in games))
    assert [game.entries.filter(kind="move").count() for game in games] == [1] * len(games)


def test_a_table_where_it_goes_wrong_does_not_keep_the_others_waiting() -> None:
    broken, *others = [running("Ana", "Bogdan", excuses=0) for _game in range(3)]
    broken.deals.update(state={})
    with pytest.raises(Exception):  # noqa: B017 (whatever it is, the worker's log has it)
        tasks.expire(*(game.pk for game in (broken, *others)))
    assert [fresh(game).to_move for game in (broken, *others)] == [0, 1, 1]


# -- the worker is killed -----------------------------------------------------------------------


def blocked() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_stat_clear_snapshot(), (SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock')"
        )
        return bool(cursor.fetchone()[1])


def kill_before_it_writes(worker: Worker, game: Game, table: str) -> None:
    """Stop the worker where it is about to write to a table, kill it there, and start another."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {table} IN SHARE MODE")
        assert celery.send("games.tasks.serve", game.pk)
        until(blocked)
        worker.kill()
    worker.start()


def test_killed_before_any_of_its_writes_it_has_done_nothing_and_does_it_once_afterwards(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as quiet:
        quiet.setattr("games.services.store.send", lambda *task: True)  # the test itself says when the worker begins
        to_count = running("Ana", "Bogdan", "Chloé", seed=OUT_OF_THREE[0])
        play(to_count, OUT_OF_THREE[1])
        to_play = running("Ana", computers=1, dealer=0)
    before = rows()
    for game, table in ((to_count, "games_seat"), (to_count, "games_entry"), (to_count, "games_game"), (to_play, "games_hand")):
        kill_before_it_writes(worker, game, table)
        assert rows() == before
    tasks.sweep()
    until(lambda: not fresh(to_count).awaits_server and not fresh(to_play).awaits_server)
    assert (at(to_count).row.number, at(to_play).row.turns) == (1, 1)
    counted_once(to_count)
    counted_once(to_play)


def test_killed_at_any_moment_it_loses_nothing_and_does_nothing_twice(worker: Worker) -> None:
    games = [computers_alone(target=60) for _match in range(3)]
    rng = random.Random(5)
    for _kill in range(3):
        length = sum(fresh(game).log_length for game in games)
        tasks.sweep()
        if all(fresh(game).status == Game.Status.FINISHED for game in games):
            break  # a quick worker, and quick matches
        until(lambda length=length: sum(fresh(game).log_length for game in games) > length)  # type: ignore[misc]
        time.sleep(rng.uniform(0.0, 0.15))
        worker.kill()
        assert differences() == []
        worker.start()
    tasks.sweep()
    until(lambda: all(fresh(game).status == "finished" for game in games), seconds=60)
    for game in games:
        counted_once(game)


# -- messages and brokers are lost --------------------------------------------------------------


def test_a_lost_message_is_found_by_the_sweep(transactional_db: None, broker: str, tmp_path: Path) -> None:
    game = running("Ana", computers=1, dealer=0)
    with redis.Redis(unix_socket_path=broker.removeprefix("redis+socket://")) as queue:
        assert queue.llen("celery") == 1
        queue.flushall()
    started = Worker(broker, tmp_path / "worker.log")
    started.start()
    try:
        assert fresh(game).awaits_server
        tasks.sweep()
        until(lambda: not fresh(game).awaits_server)
    finally:
        started.stop()
    counted_once(game)


@pytest.fixture
def silent() -> Iterator[str]:
    """A broker that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=16) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


REFUSING = "redis://127.0.0.1:1/0"


@pytest.mark.parametrize("broken", ["refusing", "silent"])
def test_with_the_broker_away_a_move_is_played_within_a_second_and_the_sweep_catches_up(
    worker: Worker, silent: str, broken: str
) -> None:
    game = running("Ana", computers=1)
    client = Client(headers={"HX-Request": "true"})
    client.force_login(player("Ana"), backend="django.contrib.auth.backends.ModelBackend")
    post(client, game, "arrange", sort="suit")  # what a process does on its first request is not the broker's fault
    working = celery.app.conf["broker_url"]
    celery.app.conf["broker_url"] = silent if broken == "silent" else REFUSING
    celery.reset()
    for move in ("S", "D:" + at(game).hands[0].cards[0]):
        began = time.monotonic()
        assert post(client, game, "play", move=move) == 200
        assert time.monotonic() - began < 1.0
    assert (fresh(game).to_move, fresh(game).awaits_server) == (1, True)
    celery.app.conf["broker_url"] = working
    celery.reset()
    time.sleep(0.2)
    assert fresh(game).awaits_server  # no message is on its way
    tasks.sweep()
    until(lambda: not fresh(game).awaits_server)
    assert on_turn(game) == player("Ana")
    counted_once(game)


def post(client: Client, game: Game, what: str, **sent: str) -> int:
    return client.post(f"/t/{game.code}/{what}/", {"version": fresh(game).version, **sent}).status_code

"""A real worker, a real broker and a mail server: whatever breaks in the middle, each letter leaves once, or is dropped
with the reason, or is known to be unknown.
"""

from __future__ import annotations

import shutil
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Delivery, Message, User
from accounts.people import messages
from accounts.people.messages import send
from games.models import Deal, Entry, Game, Hand, Seat, new_code
from games.services import turns
from remi_site import celery
from remi_site.local import processes, stores, valkey
from remi_site.local.family import Child, Family
from tests.conftest import Worker
from tests.games.playing import at, fresh, play, running
from tests.messages.sink import Sink, listening
from tests.messages.telling import person

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = 1_000
PLAYERS = 50
SWEEP = "accounts.people.messages.tasks.sweep"


class Broker:
    """A Valkey of the test's own, to be killed and started again."""

    def __init__(self, folder: Path, family: Family) -> None:
        self._folder, self._family = folder, family
        self._sockets = stores.socket_folder()
        self.url = valkey.url(self._sockets)
        self._child: Child | None = None

    def start(self) -> None:
        log = self._folder / "valkey.log"
        self._child = self._family.start(valkey.server(self._folder / "valkey", self._sockets, log))
        until(lambda: valkey.ready(self._sockets))

    def kill(self) -> None:
        assert self._child is not None
        processes.stop(self._child.process, signal.SIGKILL, 5)

    def forget(self) -> None:
        shutil.rmtree(self._sockets, ignore_errors=True)


@pytest.fixture
def own_broker(tmp_path: Path) -> Iterator[Broker]:
    with Family() as family:
        broker = Broker(tmp_path, family)
        broker.start()
        before = celery.app.conf["broker_url"]
        celery.app.conf["broker_url"] = broker.url
        celery.reset()
        yield broker
        celery.app.conf["broker_url"] = before
        celery.reset()
        broker.forget()


@pytest.fixture
def letters() -> Iterator[Sink]:
    with listening() as sink:
        yield sink


@pytest.fixture
def sender(transactional_db: None, own_broker: Broker, letters: Sink, tmp_path: Path) -> Iterator[Worker]:
    started = Worker(own_broker.url, tmp_path / "worker.log", TESTS_EMAIL_URL=letters.url)
    try:
        started.start()
        yield started
    finally:
        started.stop()


def until(holds: Callable[[], object], *, seconds: float = 20, meanwhile: Callable[[], object] = lambda: None) -> None:
    """Wait for what somebody else does."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it has not happened"
        meanwhile()
        time.sleep(0.05)


def beat(every: float = 1.0) -> Callable[[], None]:
    """What beat does, a little faster: a sweep from time to time."""
    last = [0.0]

    def tick() -> None:
        if time.monotonic() - last[0] >= every:
            last[0] = time.monotonic()
            celery.reset()
            celery.send(SWEEP, expires=15)

    return tick


def tables(count: int, now: datetime) -> list[Game]:
    """So many running tables of two, players changing, where the first has drawn: copies of one that was played."""
    people = [person(f"P{number}") for number in range(PLAYERS)]
    first = running("P0", "P1", now=now)
    play(first, "S", now=now)
    first = fresh(first)
    table = at(first)
    games = [_copy(Game, first, code=new_code()) for _game in range(count - 1)]
    Game.objects.bulk_create(games)
    deals = Deal.objects.bulk_create(_copy(Deal, table.row, game=game) for game in games)
    Hand.objects.bulk_create(_copy(Hand, hand, deal=deal) for deal in deals for hand in table.hands)
    Entry.objects.bulk_create(_copy(Entry, entry, game=game) for game in games for entry in first.entries.all())
    Seat.objects.bulk_create(
        _copy(Seat, seat, game=game, user=people[(place + seat.index) % PLAYERS])
        for place, game in enumerate(games, start=1)
        for seat in table.seats
    )
    Message.objects.all().delete()
    return [first, *games]


def _copy(model: Any, row: Any, **changed: Any) -> Any:
    kept = {field.attname: getattr(row, field.attname) for field in model._meta.concrete_fields if not field.primary_key}
    for name in changed:
        kept.pop(model._meta.get_field(name).attname)
    return model(**kept, **changed)


def seats_of(games: list[Game]) -> dict[tuple[int, int], User]:
    seats = Seat.objects.filter(game__in=games).select_related("user")
    return {(seat.game_id, seat.index): seat.user for seat in seats if seat.user}


def move(game: Game, user: User, text: str, now: datetime) -> None:
    turns.play(code=game.code, user=user, move=text, version=game.version, now=now)


def nothing_waits() -> bool:
    on_the_way = Delivery.objects.filter(status__in=[Delivery.Status.WAITING, Delivery.Status.SENDING])
    return not Message.objects.filter(spread_at=None).exists() and not on_the_way.exists()


def test_a_thousand_games_move_at_once_and_the_broker_restarts_and_each_is_told_once_or_dropped_with_a_reason(
    sender: Worker, own_broker: Broker, letters: Sink
) -> None:
    now = timezone.now()
    games = tables(GAMES, now)
    people = seats_of(games)
    discard = "D:" + at(games[0]).hands[0].cards[0]
    tick = beat()
    for place, game in enumerate(games):
        move(game, people[game.pk, 0], discard, now)
        tick()
        if place == GAMES // 2:
            until(lambda: len(letters.letters) > 20, seconds=60, meanwhile=tick)
            own_broker.kill()  # with tasks on it, and one being carried out
        if place == GAMES * 3 // 4:
            own_broker.start()
    # some of them have played before their letter leaves
    quick = list(Message.objects.filter(spread_at=None).order_by("-pk")[:40])
    for message in quick:
        game = Game.objects.get(code=message.game)
        move(game, message.user, "S", now)
        move(fresh(game), message.user, "D:" + at(game).hands[1].cards[0], now)

    until(nothing_waits, seconds=180, meanwhile=tick)

    assert Message.objects.filter(kind="turn").count() == GAMES + len(quick)
    ends = Counter(Delivery.objects.values_list("status", "reason"))
    told_later = Message.objects.filter(deliveries=None)
    assert set(told_later.values_list("closed", flat=True)) <= {"played"}
    assert ends[("sent", "")] + ends[("dropped", "played")] + told_later.count() == GAMES + len(quick)
    assert set(ends) <= {("sent", ""), ("dropped", "played")}
    sent = {f"letter-{pk}" for pk in Delivery.objects.filter(status="sent").values_list("pk", flat=True)}
    assert Counter(str(letter["Message-ID"]).strip("<>").partition("@")[0] for letter in letters.letters) == Counter(sent)
    assert len(sent) >= GAMES - len(quick)


def test_a_worker_killed_in_the_middle_of_a_sending_leaves_it_unknown_and_nobody_sends_it_again(
    sender: Worker, letters: Sink
) -> None:
    now = timezone.now()
    ana, bogdan = person("Ana"), person("Bogdan")
    held = threading.Event()

    def stall(verb: str) -> None:
        if verb == "." and not held.is_set():
            held.set()
            time.sleep(3)  # by then nobody waits for the answer

    letters.before_answer = stall
    messages.post(kind="ruling", user_ids=[ana.pk], key="1", now=now)
    celery.send(SWEEP)
    assert held.wait(20)
    sender.kill()
    assert Delivery.objects.get().status == "sending"
    messages.post(kind="ruling", user_ids=[bogdan.pk], key="1", now=now)
    sender.start()
    until(lambda: Delivery.objects.filter(status="sent").exists(), meanwhile=beat())
    assert Delivery.objects.get(message__user=ana).status == "sending"
    # five minutes later
    Delivery.objects.filter(message__user=ana).update(began_at=now - send.LOST_AFTER - timedelta(seconds=1))
    until(lambda: Delivery.objects.get(message__user=ana).status == "unknown", meanwhile=beat())
    for _sweep in range(2):
        celery.send(SWEEP)
    time.sleep(0.5)
    assert letters.by_receiver().keys() == {"ana@example.org", "bogdan@example.org"}
    assert len(letters.letters) == 2
    assert Delivery.objects.get(message__user=ana).attempts == 1


def test_a_worker_killed_at_any_moment_sends_nothing_twice(sender: Worker, letters: Sink) -> None:
    people = [person(f"P{number}") for number in range(120)]
    messages.post(kind="ruling", user_ids=[user.pk for user in people], key="1", now=timezone.now())
    for part in range(2):
        celery.send(SWEEP)
        until(lambda part=part: len(letters.letters) > 15 * (part + 1), meanwhile=beat(0.5))  # type: ignore[misc]
        sender.kill()
        sender.start()
    # what it had not taken yet is due again after a while, and what it had taken is lost
    Delivery.objects.filter(status="waiting").update(next_at=timezone.now())
    Delivery.objects.filter(status="sending").update(began_at=timezone.now() - 2 * send.LOST_AFTER)
    until(nothing_waits, seconds=60, meanwhile=beat(0.5))
    statuses = Counter(Delivery.objects.values_list("status", flat=True))
    assert statuses["unknown"] <= 2 and statuses["sent"] + statuses["unknown"] == len(people)
    received = Counter(str(letter["To"]) for letter in letters.letters)
    assert set(received.values()) == {1}
    assert statuses["sent"] <= len(received) <= len(people)

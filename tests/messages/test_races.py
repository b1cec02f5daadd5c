"""Two at once, over real connections: each thing is told once, and nobody who plays waits for the letters."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from accounts.models import Delivery, Message
from accounts.people import messages
from accounts.people.messages import claims, send, spread
from accounts.people.messages.mail import carrier
from tests.games.playing import at, on_turn, quick_turn, running
from tests.games.test_races import Racer, click, finish
from tests.messages.sink import Sink
from tests.messages.telling import NOON, person, tell

pytestmark = pytest.mark.django_db(transaction=True)
HOUR = timedelta(hours=1)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    racers = [Racer(call) for call in calls]
    for racer in racers:
        racer.start()
    return finish(racers)


@pytest.mark.usefixtures("become")
def test_two_sweeps_spread_a_message_once() -> None:
    for number in range(40):
        tell(person(f"P{number}"))
    assert sum(at_once(*[lambda: spread.spread(now=NOON)] * 3)) == 40
    assert Delivery.objects.count() == 40


@pytest.mark.usefixtures("become")
def test_of_two_sweeps_one_spreads_and_the_other_leaves_it_to_that() -> None:
    tell(person("Ana"))
    with transaction.atomic():
        assert spread.spread(now=NOON) == 1
        assert at_once(lambda: spread.spread(now=NOON)) == [0]


@pytest.mark.usefixtures("become")
def test_two_sweeps_hurry_once() -> None:
    tell(person("Ana"), "turn", until=NOON + HOUR, facts={"span": 3600})
    spread.spread(now=NOON)
    at_once(*[lambda: spread.remind(now=NOON + HOUR)] * 3)
    assert Message.objects.filter(kind="hurry").count() == 1


def sender(now: datetime) -> Callable[[], int]:
    """Send all that is due on a connection of its own."""

    def run() -> int:
        sent = 0
        with carrier() as carry:
            while leased := claims.lease(way="mail", now=now):
                for delivery in leased:
                    if claims.take(delivery, now=now):
                        send.deliver([delivery], carry)
                        sent += 1
            while taken := claims.take_digest(now=now):
                send.deliver(taken, carry)
                sent += 1
        return sent

    return run


@pytest.mark.usefixtures("become")
def test_four_senders_send_each_letter_once(sink: Sink) -> None:
    for number in range(40):
        tell(person(f"P{number}"))
    spread.spread(now=NOON)
    assert sum(at_once(*[sender(NOON)] * 4)) == 40
    assert len(sink.letters) == len(sink.by_receiver()) == 40


@pytest.mark.usefixtures("become")
def test_a_lease_that_lasted_too_long_is_another_s(sink: Sink) -> None:
    tell(person("Ana"))
    spread.spread(now=NOON)
    [slow] = claims.lease(way="mail", now=NOON)
    assert claims.lease(way="mail", now=NOON + claims.LEASE - timedelta(seconds=1)) == []
    [quick] = claims.lease(way="mail", now=NOON + claims.LEASE)
    assert not claims.take(slow, now=NOON + claims.LEASE)
    assert claims.take(quick, now=NOON + claims.LEASE)
    assert not claims.take(quick, now=NOON + claims.LEASE)


@pytest.mark.usefixtures("become")
def test_two_takes_of_one_lease_are_one() -> None:
    tell(person("Ana"))
    spread.spread(now=NOON)
    [leased] = claims.lease(way="mail", now=NOON)
    calls = [lambda: claims.take(copy(leased), now=NOON)] * 3
    assert sorted(at_once(*calls)) == [False, False, True]


@pytest.mark.usefixtures("become")
def test_two_senders_make_one_letter_of_a_day(sink: Sink) -> None:
    for name in ("Ana", "Bogdan"):
        user = person(name, digest_hour=13)
        for key in range(20):
            tell(user, key=str(key))
    spread.spread(now=NOON)
    assert sum(at_once(*[sender(NOON + HOUR)] * 3)) == 2
    assert sink.by_receiver() == {f"{name}@example.org": ["Remi: 20 messages"] for name in ("ana", "bogdan")}


def test_the_same_news_from_two_sides_is_told_once() -> None:
    ana = person("Ana")
    post = lambda: messages.post(kind="ruling", user_ids=[ana.pk], key="1", now=NOON)  # noqa: E731
    at_once(post, post, post)
    assert Message.objects.count() == 1


def test_a_move_does_not_wait_for_a_sweep_that_holds_its_messages() -> None:
    game = running("Ana", "Bogdan")
    with transaction.atomic():
        assert list(Message.objects.select_for_update().filter(game=game.code))
        assert at_once(click(game, "S")) == ["played"]
        assert at_once(click(game, "D:" + at(game).hands[0].cards[0])) == ["played"]
    assert on_turn(game).username == "Bogdan"
    # what could not be closed then is found to be over when it is looked at
    assert Message.objects.get(kind="turn", user__username="Ana").closed == ""
    spread.spread(now=NOON)
    assert Message.objects.get(kind="turn", user__username="Ana").closed == "played"


def test_nor_does_looking_at_a_table() -> None:
    ana = person("Ana")
    tell(ana, "deal_over", key="x:0", game="x", now=NOON - HOUR)
    with transaction.atomic():
        assert list(Message.objects.select_for_update())
        at_once(lambda: messages.look(user_id=ana.pk, game="x", now=NOON))
    assert Message.objects.get().read_at is None
    messages.look(user_id=ana.pk, game="x", now=NOON)
    assert Message.objects.get().read_at == NOON


def test_a_sweep_beside_moves_and_looks_never_gets_stuck() -> None:
    games = [running("Ana", "Bogdan", title=f"T{number}") for number in range(4)]
    ana = person("Ana")

    def sweep() -> None:
        for _time in range(20):
            spread.spread(now=NOON)
            spread.remind(now=NOON + timedelta(hours=30))
            send.drop_moot()

    def play() -> None:
        for game in games:
            for _turn in range(4):
                quick_turn(game)

    def look() -> None:
        for _time in range(20):
            for game in games:
                messages.look(user_id=ana.pk, game=game.code, now=NOON + HOUR)

    at_once(sweep, sweep, play, look)
    assert Message.objects.filter(kind="turn").count() == 4 * 5

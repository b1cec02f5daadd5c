"""Which ways a message goes, what takes whose place, and when time is said to run out."""

from __future__ import annotations

from datetime import time, timedelta
from typing import Any

import pytest
from django.core import mail

from accounts.models import Delivery, Message, MessageSettings, PushSubscription, Webhook
from accounts.people import messages
from accounts.people.messages import spread
from accounts.people.messages.kinds import KINDS, SETTABLE, SITE, WAYS
from accounts.people.messages.standing import Standing
from accounts.people.services import make_guest
from tests.messages.telling import NOON, go, person, tell, went, wish

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _only_letters_are_carried(monkeypatch: pytest.MonkeyPatch) -> None:
    from accounts.people.messages.ways import CARRIERS

    for way in [way for way in CARRIERS if way != "mail"]:
        monkeypatch.delitem(CARRIERS, way)


# -- ways ------------------------------------------------------------------------------------------


def ways(message: Message) -> set[str]:
    spread.spread(now=NOON)
    message.refresh_from_db()
    return {row.way for row in message.deliveries.all()} | ({SITE} if message.on_site else set())


def reach(user: Any) -> None:
    PushSubscription.objects.create(user=user, endpoint=f"https://push.example/{user.pk}", made_at=NOON)
    Webhook.objects.create(user=user, url="https://hook.example/", made_at=NOON)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_goes_as_it_does_for_all_who_have_set_nothing(kind: str) -> None:
    ana = person("Ana")
    reach(ana)
    expected = {way for way in WAYS if KINDS[kind].goes_by(way)} if kind != "test" else {SITE}
    assert ways(tell(ana, kind)) == expected


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", [kind.name for kind in SETTABLE])
def test_each_wish_holds_for_its_kind_and_way_alone(kind: str, way: str) -> None:
    ana = person("Ana")
    reach(ana)
    usual = {each for each in WAYS if KINDS[kind].goes_by(each)}
    wish(ana, kind, way, way not in usual)
    wish(ana, "test", way, False)
    asked = usual ^ {way}
    assert ways(tell(ana, kind)) == (asked | {SITE} if KINDS[kind].always_on_site else asked)


def test_nothing_is_sent_where_there_is_no_way_to() -> None:
    guest = make_guest(language="en", now=NOON)
    assert ways(tell(guest)) == {SITE}


def test_an_address_that_is_not_confirmed_gets_nothing_and_its_owner_learns_why() -> None:
    ana = person("Ana", verified=False)
    tell(ana)
    go()
    assert went(ana) == [("ruling", "unverified")]
    assert mail.outbox == []


def test_an_account_that_is_closed_is_told_nothing() -> None:
    ana = person("Ana")
    message = tell(ana)
    ana.is_active = False
    ana.save()
    assert ways(message) == {SITE}
    assert message.closed == "gone"
    with pytest.raises(Message.DoesNotExist):
        tell(ana, key="2")


def test_a_test_goes_the_way_that_it_tests() -> None:
    ana = person("Ana")
    reach(ana)
    assert ways(tell(ana, "test", facts={"way": "webhook"})) == {SITE, "webhook"}


def test_spread_twice_it_goes_once() -> None:
    ana = person("Ana")
    tell(ana)
    assert [spread.spread(now=NOON) for _time in range(2)] == [1, 0]
    assert Delivery.objects.count() == 1


def test_what_is_not_due_is_left() -> None:
    message = tell(person("Ana"), now=NOON + HOUR)
    assert spread.spread(now=NOON) == 0
    message.refresh_from_db()
    assert message.spread_at is None


def test_a_thousand_messages_take_no_more_queries_than_two(django_assert_max_num_queries: Any) -> None:
    people = [person(f"P{number}") for number in range(30)]
    for user in people:
        tell(user)
    with django_assert_max_num_queries(14):
        assert spread.spread(now=NOON) == 30


# -- deadlines that move ---------------------------------------------------------------------------


def test_a_moved_deadline_moves_the_reminder_and_one_that_stands_is_looked_at_again(become: dict[str, Standing]) -> None:
    until = NOON + HOUR
    message = tell(person("Ana"), "turn", key="k", until=until, facts={"span": 3600})
    spread.spread(now=NOON)
    become["turn"] = Standing(until=until + HOUR)
    spread.remind(now=NOON + timedelta(minutes=48))
    message.refresh_from_db()
    assert (message.until, message.remind_at) == (until + HOUR, NOON + timedelta(minutes=108))
    become["turn"] = Standing(until=None)
    spread.remind(now=NOON + timedelta(minutes=108))
    message.refresh_from_db()
    assert (message.until, message.remind_at) == (None, NOON + timedelta(minutes=118))
    become["turn"] = Standing(until=NOON + timedelta(hours=9))
    spread.remind(now=NOON + timedelta(minutes=118))
    message.refresh_from_db()
    assert message.remind_at == NOON + timedelta(hours=9) - timedelta(minutes=12)
    assert not Message.objects.filter(kind="hurry").exists()


def test_a_deadline_that_moves_far_after_the_warning_is_warned_of_anew(become: dict[str, Standing]) -> None:
    until, ana = NOON + HOUR, person("Ana")
    tell(ana, "turn", key="k", until=until, facts={"span": 3600})
    go()
    become["turn"] = become["hurry"] = Standing(until=until)
    go(NOON + timedelta(minutes=48))
    become["turn"] = become["hurry"] = Standing(until=until + HOUR)
    messages.goes_on(game="", now=NOON + timedelta(minutes=50))
    go(NOON + timedelta(minutes=50))
    assert [kind for kind, _how in went(ana)] == ["turn", "hurry"]
    go(NOON + timedelta(minutes=108))
    assert [kind for kind, _how in went(ana)] == ["turn", "hurry", "hurry"]


def test_a_deadline_that_moves_a_little_after_the_warning_is_warned_of_no_second_time(become: dict[str, Standing]) -> None:
    until, ana = NOON + HOUR, person("Ana")
    tell(ana, "turn", key="k", until=until, facts={"span": 3600})
    go()
    become["turn"] = become["hurry"] = Standing(until=until)
    go(NOON + timedelta(minutes=48))
    become["turn"] = become["hurry"] = Standing(until=until + timedelta(minutes=1))
    for minute in range(49, 51):
        messages.goes_on(game="", now=NOON + timedelta(minutes=minute))
        go(NOON + timedelta(minutes=minute))
    assert [kind for kind, _how in went(ana)] == ["turn", "hurry"]
    assert Message.objects.filter(kind="hurry").count() == 1


@pytest.mark.parametrize("moved", [None, NOON + 9 * HOUR])
def test_a_warning_that_waited_is_left_out_where_there_is_time_again(become: dict[str, Standing], moved: Any) -> None:
    ana = person("Ana", quiet_from=time(12, 30), quiet_to=time(13, 30))
    tell(ana, "turn", key="k", until=NOON + HOUR, facts={"span": 3600})
    go()
    become["turn"] = become["hurry"] = Standing(until=NOON + HOUR)
    go(NOON + timedelta(minutes=48))
    assert went(ana) == [("turn", "sent"), ("hurry", "waiting")]
    become["turn"] = become["hurry"] = Standing(until=moved)
    go(NOON + timedelta(minutes=95))
    assert went(ana) == [("turn", "sent"), ("hurry", "over")]


def test_a_clock_that_goes_on_is_looked_at_at_once(become: dict[str, Standing]) -> None:
    """Else who has less time than until the next look is never told to hurry."""
    ana = person("Ana")
    become["turn"] = become["hurry"] = Standing(until=None)
    tell(ana, "turn", key="k", game="x", facts={"span": 1800})
    go()
    until = NOON + timedelta(minutes=7)
    become["turn"] = become["hurry"] = Standing(until=until)
    messages.goes_on(game="y", now=NOON + timedelta(minutes=2))
    go(NOON + timedelta(minutes=2))
    assert [kind for kind, _how in went(ana)] == ["turn"]
    messages.goes_on(game="x", now=NOON + timedelta(minutes=2))
    for minute in (2, 3):
        go(NOON + timedelta(minutes=minute))
    assert [kind for kind, _how in went(ana)] == ["turn", "hurry"]
    assert Message.objects.get(kind="hurry").until == until


def test_a_letter_that_waited_tells_the_deadline_as_it_is_now(become: dict[str, Standing]) -> None:
    ana = person("Ana", quiet_from=time(12, 0), quiet_to=time(13, 0))
    tell(ana, "turn", key="k", until=NOON + 20 * HOUR, facts={"span": 72000})
    go()
    become["turn"] = Standing(until=NOON + 27 * HOUR)
    go(NOON + HOUR)
    assert "15:00" in str(mail.outbox[-1].body)


def test_a_turn_that_was_played_runs_out_no_more(become: dict[str, Standing]) -> None:
    message = tell(person("Ana"), "turn", key="k", until=NOON + HOUR, facts={"span": 3600})
    spread.spread(now=NOON)
    become["turn"] = Standing(closed="played")
    spread.remind(now=NOON + timedelta(minutes=48))
    message.refresh_from_db()
    assert (message.closed, message.remind_at, Message.objects.count()) == ("played", None, 1)


# -- time runs out ---------------------------------------------------------------------------------


def reminders(**settings: Any) -> list[timedelta]:
    """How long before the deadline of a turn of one day its player is told."""
    ana = person("Ana", **settings)
    until = NOON + timedelta(days=1)
    message = tell(ana, "turn", key="k", until=until, facts={"span": 86400})
    found = []
    spread.spread(now=NOON)
    while (row := Message.objects.exclude(remind_at=None).first()) is not None:
        assert row.remind_at is not None
        found.append(until - row.remind_at)
        assert spread.remind(now=row.remind_at) == 1
        spread.spread(now=row.remind_at)
    assert list(Message.objects.values_list("kind", flat=True).order_by("pk")) == ["turn", "hurry", "hurry"]
    assert {row.until for row in Message.objects.all()} == {message.until}
    return found


@pytest.mark.parametrize("share", MessageSettings.HURRY)
def test_it_is_told_at_the_share_that_the_player_chose_and_near_the_end(share: int) -> None:
    assert reminders(hurry=share) == [timedelta(days=1) * share / 100, timedelta(minutes=72)]


def test_by_default_it_is_told_at_a_fifth() -> None:
    assert reminders()[0] == timedelta(hours=4, minutes=48)


@pytest.mark.parametrize(
    ("minutes", "told"),
    [(5, [1.0]), (30, [6.0]), (120, [24.0, 10.0]), (14 * 1440, [14 * 288.0, 120.0])],
)
def test_the_last_call_is_near_the_end_and_left_out_in_short_turns(minutes: int, told: list[float]) -> None:
    ana, until = person("Ana"), NOON + timedelta(minutes=minutes)
    tell(ana, "turn", key="k", until=until, facts={"span": minutes * 60})
    spread.spread(now=NOON)
    found = []
    while (row := Message.objects.exclude(remind_at=None).first()) is not None:
        assert row.remind_at is not None
        found.append((until - row.remind_at) / timedelta(minutes=1))
        spread.remind(now=row.remind_at)
        spread.spread(now=row.remind_at)
    assert found == told


def test_reminded_twice_it_is_told_once() -> None:
    tell(person("Ana"), "turn", key="k", until=NOON + HOUR, facts={"span": 3600})
    spread.spread(now=NOON)
    at = NOON + timedelta(minutes=48)
    assert [spread.remind(now=at) for _time in range(3)] == [1, 0, 0]
    assert Message.objects.filter(kind="hurry").count() == 1


def test_a_turn_that_was_read_still_runs_out() -> None:
    message = tell(person("Ana"), "turn", key="k", until=NOON + HOUR, facts={"span": 3600})
    spread.spread(now=NOON)
    Message.objects.filter(pk=message.pk).update(read_at=NOON)
    assert spread.remind(now=NOON + timedelta(minutes=48)) == 1
    assert Message.objects.filter(kind="hurry").exists()


def test_what_does_not_ask_is_not_reminded_of() -> None:
    for kind in ("started", "away", "ruling"):
        tell(person("Ana"), kind, until=NOON + HOUR)
    spread.spread(now=NOON)
    assert not Message.objects.exclude(remind_at=None).exists()

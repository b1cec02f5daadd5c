"""Posting, and taking note of what is seen: each once, and never in anybody's way."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import Delivery, Looking, Message
from accounts.people import messages
from tests.messages.telling import NOON, go, person, tell

pytestmark = pytest.mark.django_db


def test_the_same_thing_is_told_once() -> None:
    ana, bogdan = person("Ana"), person("Bogdan")
    for _time in range(2):
        messages.post(kind="ruling", user_ids=[ana.pk, bogdan.pk], key="7", now=NOON)
    assert sorted(Message.objects.values_list("user__username", "key")) == [("Ana", "7"), ("Bogdan", "7")]


def test_another_kind_or_key_is_another_thing() -> None:
    ana = person("Ana")
    for kind, key in (("ruling", "7"), ("ruling", "8"), ("started", "7")):
        tell(ana, kind, key=key)
    assert Message.objects.count() == 3


def test_posting_to_many_is_one_query(django_assert_num_queries: Any) -> None:
    ids = [person(f"P{number}").pk for number in range(8)]
    with django_assert_num_queries(1):
        messages.post(kind="deal_over", user_ids=ids, key="x:0", game="x", now=NOON)
    assert Message.objects.count() == 8


def test_what_is_for_one_alone_joins_what_all_may_know() -> None:
    ana, bogdan = person("Ana"), person("Bogdan")
    facts, own = {"title": "Vineri"}, {ana.pk: {"seat": 0}, bogdan.pk: {"seat": 1}}
    messages.post(kind="deal_over", user_ids=own.keys(), key="x:0", facts=facts, own=own, now=NOON)
    assert [message.facts for message in Message.objects.order_by("user__username")] == [
        {"title": "Vineri", "seat": 0},
        {"title": "Vineri", "seat": 1},
    ]


def test_a_kind_that_nobody_knows_is_a_fault_of_ours() -> None:
    with pytest.raises(AssertionError):
        messages.post(kind="spam", user_ids=[person("Ana").pk], key="1", now=NOON)


def test_it_is_undone_with_what_it_tells_of() -> None:
    ana = person("Ana")
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        tell(ana)
        raise ZeroDivisionError
    assert not Message.objects.exists()


def test_the_next_turn_closes_what_asked_for_the_one_before() -> None:
    ana, bogdan = person("Ana"), person("Bogdan")
    tell(ana, "turn", key="x:1", game="x")
    tell(ana, "hurry", key="x:1:1", game="x")
    tell(ana, "turn", key="y:1", game="y")
    tell(ana, "ruling", key="1", game="x")
    tell(bogdan, "turn", key="x:2", game="x", now=NOON + timedelta(minutes=1))
    closed = Message.objects.exclude(closed="").values_list("kind", "key", "closed", "closed_at")
    at = NOON + timedelta(minutes=1)
    assert sorted(closed) == [("hurry", "x:1:1", "played", at), ("turn", "x:1", "played", at)]


def test_a_turn_with_nobody_to_tell_only_closes() -> None:
    asked = tell(person("Ana"), "turn", key="x:1", game="x")
    messages.post(kind="turn", user_ids=[], key="x:2", game="x", why="expired", now=NOON)
    asked.refresh_from_db()
    assert (asked.closed, Message.objects.count()) == ("expired", 1)


def test_closing_for_one_leaves_the_others_asked() -> None:
    ana, bogdan = person("Ana"), person("Bogdan")
    messages.post(kind="turn", user_ids=[ana.pk, bogdan.pk], key="x:0", game="x", now=NOON)
    messages.close(game="x", user_ids=[ana.pk], why="played", now=NOON)
    assert list(Message.objects.filter(closed="").values_list("user__username", flat=True)) == ["Bogdan"]


def test_looking_at_a_table_reads_what_its_page_has_shown_by_then() -> None:
    ana = person("Ana")
    tell(ana, "deal_over", key="x:0", game="x")
    tell(ana, "deal_over", key="y:0", game="y")
    messages.look(user_id=ana.pk, game="x", now=NOON + timedelta(seconds=5))
    assert not Message.objects.exclude(read_at=None).exists()
    messages.look(user_id=ana.pk, game="x", now=NOON + timedelta(seconds=20))
    assert list(Message.objects.exclude(read_at=None).values_list("game", flat=True)) == ["x"]
    assert list(Looking.objects.values_list("game", "at")) == [("x", NOON + timedelta(seconds=20))]


def test_reading_all_reads_ones_own_alone_and_once() -> None:
    ana, bogdan = person("Ana"), person("Bogdan")
    for user in (ana, bogdan):
        tell(user, key="1")
        tell(user, key="2")
    assert messages.mark_read(user_id=ana.pk, now=NOON) == 2
    assert messages.mark_read(user_id=ana.pk, now=NOON) == 0
    assert messages.mark_read(user_id=bogdan.pk, which=Q(key="1"), now=NOON) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"status": "sent", "next_at": None},
        {"status": "waiting", "next_at": None},
        {"status": "dropped", "next_at": None},
        {"status": "sending", "next_at": None, "began_at": None},
        {"status": "failed"},
    ],
    ids=lambda wrong: wrong["status"],
)
def test_the_database_refuses_a_delivery_that_says_half(wrong: dict[str, Any]) -> None:
    tell(person("Ana"))
    go()
    with pytest.raises(IntegrityError), transaction.atomic():
        Delivery.objects.update(**{"status": "waiting", "next_at": NOON, "sent_at": None, **wrong})


def test_the_database_refuses_a_message_closed_without_a_reason() -> None:
    tell(person("Ana"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Message.objects.update(closed_at=NOON)
    with pytest.raises(IntegrityError), transaction.atomic():
        Message.objects.update(closed="played")

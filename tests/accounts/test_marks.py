"""Marks of addresses: what tells a referee that two accounts play from one place, and tells nobody where that is."""

from __future__ import annotations

import logging
from datetime import date, timedelta
from typing import Any

import pytest
import time_machine
from django.core import serializers
from django.test import Client

from accounts.models import AddressKey, AddressMark, User
from accounts.people import marks, services
from accounts.people.owndata import services as owndata
from accounts.people.owndata.collecting import collected
from accounts.people.tasks import forget_marks
from tests.accounts.conftest import NOON

pytestmark = pytest.mark.django_db

HOME, ELSEWHERE = "192.0.2.7", "192.0.2.8"
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _a_process_that_has_just_begun() -> None:
    marks._today.clear()


@pytest.fixture
def bogdan() -> User:
    return User.objects.create_user("Bogdan", "bogdan@example.org")


def seen(user: User, address: str, days: int = 0) -> None:
    """A player is here, so many days after the first of March."""
    services.touch(user=user, address=address, now=NOON + days * DAY)


def shared(*users: User, days: int = 0) -> list[marks.Shared]:
    return marks.shared_addresses([user.pk for user in users], now=NOON + days * DAY)


def test_two_accounts_at_one_address_share_the_days_they_were_there(ana: User, bogdan: User) -> None:
    for day in (0, 2, 5):
        seen(ana, HOME, day)
        seen(bogdan, HOME if day else ELSEWHERE, day)
    assert shared(bogdan, ana, days=5) == [(ana.pk, bogdan.pk, date(2026, 3, 3), date(2026, 3, 6), 2)]


def test_one_address_on_different_days_is_no_hint(ana: User, bogdan: User) -> None:
    seen(ana, HOME)
    seen(bogdan, HOME, 1)
    assert shared(ana, bogdan, days=1) == []
    assert len(set(AddressMark.objects.values_list("mark", flat=True))) == 2


def test_of_three_at_one_address_each_two_are_named(ana: User, bogdan: User, guest: User) -> None:
    guest.last_seen = None
    User.objects.filter(pk=guest.pk).update(last_seen=None)
    for user in (ana, bogdan, guest):
        seen(user, HOME)
    assert {row[:2] for row in shared(ana, bogdan, guest)} == {(ana.pk, bogdan.pk), (ana.pk, guest.pk), (bogdan.pk, guest.pk)}
    assert shared(ana) == []


def test_an_account_has_one_mark_a_day_and_address(ana: User) -> None:
    for hour in range(4):
        services.touch(user=ana, address=ELSEWHERE if hour == 3 else HOME, now=NOON + timedelta(hours=hour))
    assert AddressMark.objects.filter(user=ana).count() == 2


def test_a_mark_costs_no_statement_beside_that_of_who_was_last_seen(ana: User, django_assert_num_queries: Any) -> None:
    seen(ana, HOME)
    with django_assert_num_queries(1):
        services.touch(user=ana, address=HOME, now=NOON + timedelta(hours=1))
    with django_assert_num_queries(0):
        services.touch(user=ana, address=ELSEWHERE, now=NOON + timedelta(hours=1, minutes=59))


def test_another_process_marks_with_the_same_key(ana: User, bogdan: User) -> None:
    seen(ana, HOME)
    marks._today.clear()
    seen(bogdan, HOME)
    assert AddressKey.objects.count() == 1 and len(shared(ana, bogdan)) == 1


def test_nothing_that_is_stored_has_the_address_in_it(ana: User, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        seen(ana, HOME)
    kept = serializers.serialize("json", [*AddressMark.objects.all(), *AddressKey.objects.all(), *User.objects.all()])
    assert HOME not in kept and HOME not in caplog.text
    assert AddressMark.objects.get().mark not in caplog.text


@pytest.mark.parametrize("address", ["127.0.0.1", "::1/128", "unknown", ""])
def test_an_address_that_is_nobodys_makes_no_mark(address: str, ana: User) -> None:
    seen(ana, address)
    ana.refresh_from_db()
    assert not AddressMark.objects.exists() and ana.last_seen == NOON


@pytest.mark.parametrize(("one", "other", "same"), [
    ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True), ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
    (HOME, HOME, True), (HOME, ELSEWHERE, False),
])  # fmt: skip
def test_a_household_is_an_address_or_a_64_of_the_longer_ones(
    one: str, other: str, same: bool, ana: User, guest: User, ana_client: Client, guest_client: Client
) -> None:
    with time_machine.travel(NOON + DAY, tick=False):
        ana_client.post("/language/", {"language": "en"}, REMOTE_ADDR=one)
        guest_client.post("/language/", {"language": "en"}, REMOTE_ADDR=other)
    assert bool(shared(ana, guest, days=1)) == same


def test_a_look_leaves_no_mark(ana_client: Client) -> None:
    ana_client.get("/settings/", REMOTE_ADDR=HOME)
    assert not AddressMark.objects.exists()


def test_a_log_in_leaves_a_mark(ana: User, client: Client) -> None:
    client.post("/account/login/", {"login": "Ana", "password": "o parolă lungă"}, REMOTE_ADDR=HOME)
    assert AddressMark.objects.filter(user=ana).count() == 1


def test_keys_and_marks_are_destroyed_after_30_days(ana: User, bogdan: User) -> None:
    for user in (ana, bogdan):
        seen(user, HOME)
        seen(user, HOME, 1)
    with time_machine.travel(NOON + 29 * DAY, tick=False):
        forget_marks()
    assert AddressKey.objects.count() == 2 and shared(ana, bogdan, days=29)[0].days == 2
    assert shared(ana, bogdan, days=30)[0].days == 1
    with time_machine.travel(NOON + 30 * DAY, tick=False):
        forget_marks()
        forget_marks()
    assert list(AddressKey.objects.values_list("day", flat=True)) == [date(2026, 3, 2)]
    assert set(AddressMark.objects.values_list("day", flat=True)) == {date(2026, 3, 2)}


def test_no_process_keeps_the_key_of_a_day_that_is_over(ana: User) -> None:
    seen(ana, HOME)
    seen(ana, HOME, 1)
    assert list(marks._today) == [date(2026, 3, 2)]


def test_the_own_data_tell_the_days_alone(ana: User) -> None:
    seen(ana, HOME)
    services.touch(user=ana, address=ELSEWHERE, now=NOON + timedelta(hours=2))
    assert collected(user=ana)["address_marks"] == {"days": [date(2026, 3, 1)]}


def test_the_marks_go_with_the_account_and_none_is_made_of_one_that_is_gone(ana: User) -> None:
    seen(ana, HOME)
    owndata.delete(user_id=ana.pk, now=NOON)
    marks.note(user_id=ana.pk, address=HOME, now=NOON + DAY)
    ana.refresh_from_db()
    assert not AddressMark.objects.exists() and ana.last_seen is None


def test_of_an_account_that_is_not_there_nothing_is_noted() -> None:
    marks.note(user_id=0, address=HOME, now=NOON)
    assert not AddressMark.objects.exists()

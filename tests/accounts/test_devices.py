"""Devices that are told, and tests of each way: the buttons of the settings page."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import Delivery, Message, PushSubscription, User
from accounts.people.messages import devices, push, wishes
from accounts.people.messages.kinds import WAYS
from accounts.people.messages.panel import SOON
from accounts.people.messages.spread import spread
from tests.accounts.conftest import NOON
from tests.accounts.far import Phone

pytestmark = pytest.mark.django_db
URL = "/settings/messages/devices/"
ENDPOINT = "https://push.example.org/one"
FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


def add(client: Client, endpoint: str = ENDPOINT, **other: str) -> Any:
    told = {**Phone(endpoint).told, **other}
    return client.post(URL, told, headers={"user-agent": FIREFOX}, follow=True)


def test_a_device_is_added_by_its_name(ana: User, ana_client: Client) -> None:
    page = add(ana_client).content.decode()

    assert "Messages reach this device now." in page
    assert "Firefox · Android" in page
    row = PushSubscription.objects.get()
    assert (row.user, row.endpoint, row.device) == (ana, ENDPOINT, "Firefox · Android")


def test_adding_it_again_keeps_one_with_the_new_keys(ana_client: Client) -> None:
    add(ana_client)
    before = PushSubscription.objects.get().p256dh
    add(ana_client)

    assert PushSubscription.objects.get().p256dh != before


def test_a_phone_that_changes_hands_tells_its_new_owner_alone(ana_client: Client, guest: User, guest_client: Client) -> None:
    add(ana_client)
    add(guest_client)

    assert PushSubscription.objects.get().user == guest


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": ""}, {"endpoint": "http://push.example.org/"}, {"endpoint": "https://10.0.0.1/"},
        {"endpoint": "https://0x7f.1/"}, {"endpoint": "https://push.example.org/" + "a" * 2000}, {"endpoint": "https://a.b/\x00"},
        {"p256dh": ""}, {"p256dh": "x" * 5000}, {"auth": ""}, {"auth": "\x00"}, {"auth": "AAAA"},
    ],
)  # fmt: skip
def test_what_is_no_device_is_refused_in_words(ana_client: Client, wrong: dict[str, str]) -> None:
    page = add(ana_client, **wrong).content.decode()

    assert "did not say how it can be reached" in page
    assert not PushSubscription.objects.exists()


def test_a_form_with_nothing_in_it_is_refused_too(ana_client: Client) -> None:
    assert ana_client.post(URL).status_code == 302
    assert not PushSubscription.objects.exists()


def test_ten_devices_are_the_most_and_one_of_them_may_come_again(ana_client: Client) -> None:
    for number in range(10):
        add(ana_client, f"{ENDPOINT}{number}")

    assert "Ten devices are the most" in add(ana_client, f"{ENDPOINT}10").content.decode()
    assert "reach this device now" in add(ana_client, f"{ENDPOINT}9").content.decode()
    assert PushSubscription.objects.count() == wishes.MOST_DEVICES


@pytest.mark.django_db(transaction=True)
def test_two_devices_added_at_once_are_not_more_than_ten(ana: User) -> None:
    for number in range(9):
        wishes.add_device(user=ana, browser=push.Browser(f"{ENDPOINT}{number}", "", ""), device="", now=NOON)
    both, refused = threading.Barrier(2), []

    def one_more(number: int) -> None:
        both.wait()
        try:
            wishes.add_device(user=ana, browser=push.Browser(f"{ENDPOINT}{number}", "", ""), device="", now=NOON)
        except wishes.TooManyDevices:
            refused.append(number)
        connection.close()

    adding = [threading.Thread(target=one_more, args=[number]) for number in (9, 10)]
    for thread in adding:
        thread.start()
    for thread in adding:
        thread.join()

    assert PushSubscription.objects.count() == 10 and len(refused) == 1


@pytest.mark.django_db(transaction=True)
def test_two_pages_saved_at_once_leave_one_of_the_two(ana: User) -> None:
    first = wishes.of(ana)
    other = replace(first, wanted=dict.fromkeys(first.wanted, False), webhook="https://chat.example.org/", hurry=50)
    both, faults = threading.Barrier(2), []

    def save(wished: wishes.Wishes) -> None:
        both.wait()
        try:
            wishes.save(user=ana, wishes=wished, ways=WAYS, now=NOON)
        except Exception as fault:
            faults.append(fault)
        connection.close()

    for _try in range(5):
        saving = [threading.Thread(target=save, args=[wished]) for wished in (first, other)]
        for thread in saving:
            thread.start()
        for thread in saving:
            thread.join()

    assert faults == []
    ruling = {("ruling", "site"): True}
    assert wishes.of(ana) in (first, replace(other, wanted={**other.wanted, **ruling}))


def test_a_device_is_removed_by_its_owner_alone(ana_client: Client, guest_client: Client) -> None:
    add(ana_client)
    pk = PushSubscription.objects.get().pk

    guest_client.post(f"{URL}{pk}/remove/")
    assert PushSubscription.objects.exists()
    ana_client.post(f"{URL}{pk}/remove/")
    assert not PushSubscription.objects.exists()
    assert ana_client.post(f"{URL}{pk}/remove/").status_code == 302


def test_adding_too_often_is_refused_for_a_while(ana_client: Client) -> None:
    with time_machine.travel(NOON, tick=False):
        statuses = [ana_client.post(URL).status_code for _try in range(devices.ADDING + 1)]

    assert statuses == [302] * devices.ADDING + [429]


# -- an address that the browser changes ----------------------------------------------------------


def test_the_service_worker_renews_the_address_without_a_page(ana: User, ana_client: Client) -> None:
    add(ana_client)
    fresh = Phone("https://push.example.org/two")
    worker = Client(enforce_csrf_checks=True)

    assert worker.post(f"{URL}renew/", {**fresh.told, "old": ENDPOINT}).status_code == 204
    row = PushSubscription.objects.get()
    assert (row.user, row.endpoint, row.auth) == (ana, fresh.told["endpoint"], fresh.told["auth"])


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"old": "https://push.example.org/unknown"}, 404),
        ({"old": ""}, 404),
        ({"old": "\x00"}, 404),
        ({"endpoint": "https://192.168.0.1/"}, 400),
        ({"auth": ""}, 400),
        ({"endpoint": "https://push.example.org/taken"}, 404),
    ],
)
def test_an_address_that_nobody_knows_or_may_have_renews_nothing(
    ana_client: Client, guest_client: Client, client: Client, change: dict[str, str], status: int
) -> None:
    add(ana_client)
    add(guest_client, "https://push.example.org/taken")

    told = {**Phone("https://push.example.org/two").told, "old": ENDPOINT, **change}
    assert client.post(f"{URL}renew/", told).status_code == status
    assert set(PushSubscription.objects.values_list("endpoint", flat=True)) == {ENDPOINT, "https://push.example.org/taken"}


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox · Android"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge · Windows"),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", "Chrome · Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18 Safari/604", "Safari · iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605 Version/18 Safari/605", "Safari · Mac"),
        ("Mozilla/5.0 (Linux; Android 15) SamsungBrowser/28.0 Chrome/130 Mobile Safari/537.36", "Samsung Internet · Android"),
        ("curl/8", ""),
        ("", ""),
        ("<script>Firefox/1</script>" + "x" * 9000, "Firefox"),
    ],
)
def test_a_device_is_called_as_its_owner_would(agent: str, name: str) -> None:
    assert devices.device_name(agent) == name


# -- tests of a way -------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["site", "mail", "push", "webhook"])
def test_a_test_is_posted_for_its_way(ana: User, ana_client: Client, way: str) -> None:
    page = ana_client.post("/settings/messages/test/", {"way": way}, follow=True).content.decode()

    assert "A test is on its way" in page
    message = Message.objects.get(user=ana)
    assert (message.kind, message.facts) == ("test", {"way": way})


def test_while_a_test_is_on_its_way_the_page_asks_how_it_goes_until_it_knows(ana: User, ana_client: Client) -> None:
    ask = 'hx-get="/settings/messages/" hx-trigger="every 2s"'
    assert ask not in ana_client.get("/settings/").content.decode()
    with time_machine.travel(NOON, tick=False):
        assert ask in ana_client.post("/settings/messages/test/", {"way": "site"}, follow=True).content.decode()
        assert ask in ana_client.get("/settings/messages/").content.decode()
        spread(now=NOON)
        part = ana_client.get("/settings/messages/").content.decode()
    assert ask not in part and "Does it arrive?" in part
    assert re.search(r'id="bell"[^>]* data-unread="1"[^>]* hx-swap-oob="true"', part)


def test_a_letter_that_is_put_off_is_known_and_one_of_which_nothing_is_heard_is_not_waited_for_for_ever(
    ana: User, ana_client: Client
) -> None:
    EmailAddress.objects.create(user=ana, email="ana@example.org", primary=True, verified=True)
    with time_machine.travel(NOON, tick=False):
        ana_client.post("/settings/messages/test/", {"way": "mail"})
        spread(now=NOON)
        assert "every 2s" in ana_client.get("/settings/messages/").content.decode()
        Delivery.objects.update(last_error="451 later", began_at=NOON)
        part = ana_client.get("/settings/messages/").content.decode()
        assert "every 2s" not in part and "451 later" in part
        Delivery.objects.update(last_error="")
        assert "every 2s" in ana_client.get("/settings/messages/").content.decode()
    with time_machine.travel(NOON + SOON, tick=False):
        assert "every 2s" not in ana_client.get("/settings/messages/").content.decode()


@pytest.mark.parametrize("way", ["", "pigeon", "\x00", "mail " * 999])
def test_a_way_that_is_none_is_not_tested(ana_client: Client, way: str) -> None:
    assert ana_client.post("/settings/messages/test/", {"way": way}).status_code == 302
    assert not Message.objects.exists()


def test_tests_are_rationed(ana_client: Client) -> None:
    with time_machine.travel(NOON, tick=False):
        answers = [ana_client.post("/settings/messages/test/", {"way": "site"}) for _try in range(devices.TESTS + 1)]

    assert [answer.status_code for answer in answers] == [302] * devices.TESTS + [429]
    assert "Retry-After" in answers[-1].headers
    assert Message.objects.count() == devices.TESTS


@pytest.mark.parametrize("url", [URL, f"{URL}1/remove/", "/settings/messages/test/"])
def test_a_visitor_is_sent_to_log_in(client: Client, url: str) -> None:
    assert client.post(url).headers["Location"].startswith("/account/login/")


# -- the service worker ---------------------------------------------------------------------------


def test_the_service_worker_stands_at_the_root_and_is_asked_for_anew(client: Client) -> None:
    answer = client.get("/sw.js")

    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert (answer.headers["Service-Worker-Allowed"], answer.headers["Cache-Control"]) == ("/", "no-cache")
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert b"showNotification" in answer.content


def test_the_page_has_the_key_that_browsers_subscribe_with(ana_client: Client) -> None:
    from accounts.people.messages import keys

    assert f'data-key="{keys.keys().public}"' in ana_client.get("/settings/").content.decode()


def test_a_device_says_which_of_the_list_it_is(ana: User, ana_client: Client) -> None:
    import hashlib

    PushSubscription.objects.create(user=ana, endpoint=ENDPOINT, p256dh="", auth="", made_at=timezone.now())
    mark = hashlib.sha256(ENDPOINT.encode()).hexdigest()[:16]
    assert f'data-device="{mark}"' in ana_client.get("/settings/").content.decode()

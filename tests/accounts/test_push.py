"""Web push: sealed for one browser, signed by this site, sent to public machines alone."""

from __future__ import annotations

import json
import threading
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import http_ece
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connection
from py_vapid import Vapid02

from accounts.models import SiteKey
from accounts.people.messages import keys, outward, push
from tests.accounts.far import NAME, Far, Phone, far_away, headers_of

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
CREATED = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"


@pytest.fixture
def far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Far]:
    settings.OUTWARD_LOOPBACK = True
    with far_away(tmp_path, monkeypatch) as server:
        server.answers(CREATED)
        yield server


def send(phone: Phone, told: bytes, **other: Any) -> outward.Answer:
    plain: dict[str, Any] = {"topic": "abc", "keep": timedelta(hours=2), "urgent": True, "now": NOW}
    return push.post(push.checked(**phone.told), told, **{**plain, **other})


# -- what is sent ---------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_browser_alone_can_read_it(far: Far) -> None:
    phone, other = Phone(far.url), Phone(far.url)
    told = push.payload(title="E rândul tău", body="Marți seara", url="/t/abc/", tag="abc", lang="ro")

    assert send(phone, told).status == 201
    (request,) = far.requests
    body = request.partition(b"\r\n\r\n")[2]
    assert phone.read(body) == {"title": "E rândul tău", "body": "Marți seara", "url": "/t/abc/", "tag": "abc", "lang": "ro"}
    assert b"seara" not in request
    with pytest.raises(http_ece.ECEException):
        other.read(body)


@pytest.mark.django_db
def test_the_push_service_is_told_who_sends_it_and_for_how_long(far: Far) -> None:
    send(Phone(far.url), b"{}")

    told = headers_of(far.requests[0])
    assert (told["ttl"], told["urgency"], told["topic"], told["content-encoding"]) == ("7200", "high", "abc", "aes128gcm")
    schema, parts = told["authorization"].split(" ", 1)
    named = dict(part.strip().split("=", 1) for part in parts.split(","))
    assert (schema, named["k"]) == ("vapid", keys.keys().public)
    assert Vapid02.verify(f"vapid t={named['t']},k={named['k']}")
    claims = json.loads(urlsafe_b64decode(named["t"].split(".")[1] + "=="))
    assert claims["aud"] == f"https://{NAME}:{far.port}"
    assert claims["exp"] == int((NOW + push.CLAIM).timestamp())
    assert claims["sub"] == push.subject()


@pytest.mark.django_db
def test_a_signature_of_another_site_is_seen(far: Far) -> None:
    send(Phone(far.url), b"{}")
    token = headers_of(far.requests[0])["authorization"].split("t=")[1].split(",")[0]

    assert not Vapid02.verify(f"vapid t={token},k={keys._pair().public}")


@pytest.mark.django_db
def test_what_does_not_hurry_says_so(far: Far) -> None:
    send(Phone(far.url), b"{}", urgent=False, topic="")

    told = headers_of(far.requests[0])
    assert told["urgency"] == "normal" and "topic" not in told


@pytest.mark.parametrize("letter", ["ș", "\N{PLAYING CARD BACK}"])
def test_the_longest_words_still_fit(letter: str) -> None:
    told = push.payload(title=letter * 999, body=letter * 9999, url="/t/" + "a" * 14 + "/", tag="a" * 14, lang="ro")

    assert len(told) <= 3000
    assert json.loads(told)["body"] == letter * 500


# -- whom it may be sent to -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": ""}, {"endpoint": "http://push.example.org/x"}, {"endpoint": "https://127.0.0.1/x"},
        {"endpoint": "https://localhost/x"}, {"endpoint": "https://[2606:2800:21f::1]/x"},
        {"endpoint": "https://push.example.org/" + "a" * 1000},
        {"p256dh": ""}, {"p256dh": "AAAA"}, {"p256dh": "B" + "A" * 86}, {"p256dh": "ă" * 87}, {"p256dh": "A" * 9999},
        {"auth": ""}, {"auth": "AAAA"}, {"auth": "A" * 9999}, {"auth": "not base 64!"}, {"auth": "\x00" * 22},
    ],
)  # fmt: skip
def test_what_is_no_browser_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(push.BadBrowser):
        push.checked(**{**Phone("https://push.example.org/x").told, **wrong})


def test_keys_are_kept_in_one_form() -> None:
    phone = Phone("https://push.example.org/x")

    padded = push.checked(**{**phone.told, "auth": phone.told["auth"] + "=="})

    assert padded == push.checked(**phone.told)


@pytest.mark.django_db
def test_an_endpoint_of_the_house_is_not_sent_to(far: Far, settings: Any) -> None:
    phone = Phone(far.url)
    browser = push.checked(**phone.told)
    settings.OUTWARD_LOOPBACK = False

    with pytest.raises(outward.Unreachable) as told:
        push.post(browser, b"{}", topic="", keep=timedelta(1), urgent=False, now=NOW)
    assert (told.value.code, far.requests) == ("private", [])


# -- the keys of the site -------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_keys_are_made_with_the_tables_and_stay() -> None:
    made = keys.keys()

    call_command("migrate", verbosity=0)

    assert keys.keys() == made
    assert SiteKey.objects.count() == 1
    assert keys.given(made.private) == made


@pytest.mark.django_db(transaction=True)
def test_two_processes_that_start_at_once_have_the_same_keys() -> None:
    SiteKey.objects.all().delete()
    both = threading.Barrier(2)

    def start() -> None:
        both.wait()
        keys.make()
        connection.close()

    starting = [threading.Thread(target=start) for _process in range(2)]
    for thread in starting:
        thread.start()
    for thread in starting:
        thread.join()

    assert SiteKey.objects.count() == 1
    assert len(urlsafe_b64decode(keys.keys().public + "=")) == 65


def test_keys_that_were_given_are_used_without_the_database(settings: Any) -> None:
    settings.VAPID_PRIVATE_KEY = keys._pair().private

    assert keys.keys() == keys.given(settings.VAPID_PRIVATE_KEY)


@pytest.mark.parametrize("wrong", ["x", "AAAA", "A" * 43, "not base 64 at all, but rather a sentence", "_" * 43, "ă"])
def test_a_given_key_that_is_none_is_told_when_the_tables_are_made(settings: Any, wrong: str) -> None:
    settings.VAPID_PRIVATE_KEY = wrong

    with pytest.raises(ImproperlyConfigured, match="VAPID_PRIVATE_KEY"):
        keys.make_with_tables()


@pytest.mark.parametrize(
    "wrong", ["me@example.org", "mailto:", "http://remi.example", "https://remi.example/me", "https://localhost"]
)
def test_a_subject_that_is_none_is_told_when_the_tables_are_made(settings: Any, wrong: str) -> None:
    settings.VAPID_SUBJECT = wrong

    with pytest.raises(ImproperlyConfigured, match="VAPID_SUBJECT"):
        keys.make_with_tables()


@pytest.mark.parametrize(
    ("given", "site", "subject"),
    [
        ("mailto:me@example.org", "https://remi.example", "mailto:me@example.org"),
        ("", "https://remi.example", "https://remi.example"),
        ("", "https://remi.example:8443", "mailto:remi@localhost"),
        ("", "http://127.0.0.1:8000", "mailto:remi@localhost"),
    ],
)
def test_a_push_service_knows_whom_to_turn_to(settings: Any, given: str, site: str, subject: str) -> None:
    settings.VAPID_SUBJECT, settings.SITE_URL = given, site

    assert push.subject() == subject

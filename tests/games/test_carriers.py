"""Push and webhook as ways of the outbox: what leaves, and what each answer makes of a delivery."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Delivery, Message, Preference, PushSubscription, User, Webhook
from accounts.people.messages import post, push, webhook, wishes
from accounts.people.messages.carriers import Letter
from accounts.people.messages.claims import lease, take
from accounts.people.messages.kinds import SETTABLE, WAYS
from accounts.people.messages.send import deliver, send_some
from accounts.people.messages.spread import spread
from accounts.people.messages.ways import CARRIERS
from accounts.people.messages.wording import worded
from games.models import Game
from tests.accounts.far import Far, Phone, body_of, far_away, headers_of, resolves
from tests.games.playing import player, running

pytestmark = pytest.mark.django_db
TITLE = "Marți <b> @channel"
CREATED = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"


def status(code: int) -> bytes:
    return f"HTTP/1.1 {code} x\r\nContent-Length: 0\r\n\r\n".encode()


@pytest.fixture
def far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Far]:
    settings.OUTWARD_LOOPBACK, settings.SITE_URL = True, "https://remi.example"
    with far_away(tmp_path, monkeypatch) as server:
        yield server


@pytest.fixture
def game() -> Game:
    """A table at which Ana is to move: she has been told."""
    return running("Ana", "Bogdan", title=TITLE, now=timezone.now())


@pytest.fixture
def ana(game: Game) -> User:
    return player("Ana")


def by(user: User, way: str) -> None:
    """Whoever has set this is told by one way off the site."""
    for kind in SETTABLE:
        for other in WAYS[1:]:
            Preference.objects.create(user=user, kind=kind.name, way=other, wanted=other == way)


@pytest.fixture
def phone(ana: User, far: Far) -> Phone:
    by(ana, "push")
    far.answers(CREATED)
    return subscribed(ana, far.url)


def subscribed(user: User, endpoint: str) -> Phone:
    phone = Phone(endpoint)
    wishes.add_device(user=user, browser=push.checked(**phone.told), device="Firefox · Android", now=timezone.now())
    return phone


@pytest.fixture
def chat(ana: User, far: Far) -> Far:
    by(ana, "webhook")
    Webhook.objects.create(user=ana, url=far.url, made_at=timezone.now())
    return far


def tell(user: User, kind: str = "ruling", **other: Any) -> Message:
    """One message, and no other."""
    Message.objects.all().delete()
    plain: dict[str, Any] = {"game": Game.objects.get().code, "facts": {"title": TITLE}}
    post(kind=kind, user_ids=[user.pk], key="1", now=timezone.now(), **{**plain, **other})
    return Message.objects.get()


def sent(way: str, message: Message) -> Delivery:
    """Let the outbox do what is due."""
    spread(now=timezone.now())
    send_some(way=way)
    return Delivery.objects.get(message=message, way=way)


def letter_by(way: str, message: Message) -> Letter:
    delivery = Delivery(message=message, way=way)
    return Letter(message.user, (delivery,), (worded(message, now=timezone.now()),))


# -- push -----------------------------------------------------------------------------------------


def test_a_turn_reaches_the_phone_in_its_owners_language(game: Game, ana: User, phone: Phone, far: Far) -> None:
    User.objects.filter(pk=ana.pk).update(language="fr")
    Message.objects.exclude(user=ana, kind="turn").delete()

    assert sent("push", Message.objects.get()).status == "sent"
    (request,) = far.requests
    told = phone.read(body_of(request))
    assert told["title"] == f"À vous de jouer : table « {TITLE} »"
    assert (told["url"], told["tag"], told["lang"]) == (f"/t/{game.code}/", game.code, "fr")
    headers = headers_of(request)
    assert (headers["urgency"], headers["topic"]) == ("high", game.code)
    assert 86_000 < int(headers["ttl"]) <= 86_400
    assert PushSubscription.objects.get().last_sent_at is not None


def test_every_device_is_told_and_each_can_read_it(ana: User, phone: Phone, far: Far) -> None:
    other = subscribed(ana, far.url + "2")

    assert sent("push", tell(ana)).status == "sent"
    by_path = {request.split(b" ")[1]: body_of(request) for request in far.requests}
    assert phone.read(by_path[b"/hook?key=1"]) == other.read(by_path[b"/hook?key=12"])


@pytest.mark.parametrize("code", [404, 410])
def test_a_device_that_is_gone_is_forgotten(ana: User, phone: Phone, far: Far, code: int) -> None:
    far.answers(status(code))
    delivery = sent("push", tell(ana))

    assert (delivery.status, delivery.last_error) == ("failed", "This device takes no messages any more.")
    assert not PushSubscription.objects.exists()


def test_one_device_that_takes_it_is_enough_and_the_gone_one_is_forgotten(ana: User, phone: Phone, far: Far) -> None:
    subscribed(ana, far.url + "2")
    far.handler = lambda connection, request: connection.sendall(CREATED if b"key=12" in request else status(410))

    assert sent("push", tell(ana)).status == "sent"
    assert PushSubscription.objects.get().endpoint.endswith("key=12")


@pytest.mark.parametrize("code", [429, 500, 503])
def test_a_push_service_that_is_busy_is_tried_again(ana: User, phone: Phone, far: Far, code: int) -> None:
    far.answers(status(code))
    delivery = sent("push", tell(ana))

    assert (delivery.status, delivery.attempts) == ("waiting", 1)
    assert delivery.last_error == f"It answered with status {code}."
    assert delivery.next_at and delivery.next_at > timezone.now() + timedelta(seconds=30)
    far.answers(CREATED)
    Delivery.objects.update(next_at=timezone.now())
    send_some(way="push")
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts, delivery.last_error) == ("sent", 2, "")


def test_a_signature_that_is_not_taken_is_not_tried_again(ana: User, phone: Phone, far: Far) -> None:
    far.answers(status(403))

    assert sent("push", tell(ana)).status == "failed"
    assert PushSubscription.objects.exists()


def test_a_device_renewed_while_it_was_sent_to_is_not_forgotten(ana: User, phone: Phone, far: Far) -> None:
    far.answers(status(410))
    row = PushSubscription.objects.get()
    wishes.renew_device(old=far.url, browser=push.checked(**Phone(far.url + "new").told))

    with pytest.raises(push.Refused):
        push._hand_over(row, letter_by("push", tell(ana)), timezone.now())  # read before it was renewed
    assert PushSubscription.objects.get().endpoint.endswith("new")


def test_ten_devices_that_never_answer_do_not_hold_the_others_up(
    ana: User, phone: Phone, far: Far, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "TOGETHER", 0.6)
    for number in range(9):
        subscribed(ana, f"{far.url}{number}")
    far.handler = lambda connection, _request: time.sleep(3)
    before = time.monotonic()

    assert sent("push", tell(ana)).status == "unknown"
    assert time.monotonic() - before < 2.5


# -- webhook --------------------------------------------------------------------------------------


def test_a_chat_tool_is_told_in_the_way_of_each(game: Game, ana: User, chat: Far) -> None:
    Message.objects.exclude(user=ana, kind="turn").delete()
    delivery = sent("webhook", Message.objects.get())

    assert delivery.status == "sent"
    (request,) = chat.requests
    assert headers_of(request)["content-type"].startswith("application/json")
    told = json.loads(body_of(request))
    assert told["content"].startswith(f"Your turn at “{TITLE}”: Rami 500 with Bogdan.")
    assert told["content"].endswith(f"\nhttps://remi.example/t/{game.code}/")
    assert "<" not in told["text"] and "&lt;b&gt;" in told["text"] and "@channel" not in told["text"]
    assert told["allowed_mentions"] == {"parse": []}
    assert (told["kind"], told["table"], told["url"]) == ("turn", game.code, f"https://remi.example/t/{game.code}/")


@pytest.mark.parametrize("letter", ["ș", "<", "\N{PLAYING CARD BACK}", '"', "\\"])
def test_the_longest_words_stay_below_what_chat_tools_take(letter: str) -> None:
    told = json.loads(webhook.payload(title=letter * 3000, body=letter * 3000, url="https://x/", kind="turn", game="abc"))

    assert len(told["content"]) < 2000


@pytest.mark.parametrize(
    ("code", "state", "words"),
    [
        (200, "sent", ""),
        (204, "sent", ""),
        (302, "failed", "It points to another address (status 302). Give the one it leads to."),
        (307, "failed", "It points to another address (status 307). Give the one it leads to."),
        (400, "failed", "It answered with status 400."),
        (404, "failed", "It answered with status 404."),
        (408, "waiting", "It answered with status 408."),
        (429, "waiting", "It answered with status 429."),
        (500, "waiting", "It answered with status 500."),
    ],
)
def test_what_each_answer_means(ana: User, chat: Far, code: int, state: str, words: str) -> None:
    chat.answers(status(code))
    delivery = sent("webhook", tell(ana))

    assert (delivery.status, delivery.last_error) == (state, words)
    assert len(chat.requests) == 1


def test_an_answer_that_never_comes_leaves_it_unknown_and_not_sent_again(
    ana: User, chat: Far, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat.handler = lambda connection, _request: connection.close()
    delivery = sent("webhook", tell(ana))

    assert (delivery.status, delivery.last_error) == ("unknown", "It answered with something that is no answer.")
    send_some(way="webhook")
    assert len(chat.requests) == 1


def test_nobody_at_home_is_tried_again(ana: User, chat: Far) -> None:
    chat.close()
    delivery = sent("webhook", tell(ana))

    assert (delivery.status, delivery.last_error) == ("waiting", "No connection came about.")


def test_a_name_that_leads_into_the_house_by_now_fails_for_good(ana: User, chat: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    resolves(monkeypatch, {"hook.test": ["10.0.0.1"]})
    delivery = sent("webhook", tell(ana))

    assert (delivery.status, delivery.last_error) == ("failed", "This address does not lead to the open internet.")
    assert chat.requests == []


def test_an_address_from_before_the_rules_is_not_followed(ana: User, chat: Far) -> None:
    Webhook.objects.update(url="http://hook.test/")
    delivery = sent("webhook", tell(ana))

    assert (delivery.status, chat.requests) == ("failed", [])


def test_what_the_owner_reads_is_in_the_owners_language(ana: User, chat: Far) -> None:
    User.objects.filter(pk=ana.pk).update(language="ro")
    chat.answers(status(404))

    assert sent("webhook", tell(ana)).last_error == "A răspuns cu starea 404."


@pytest.mark.parametrize("way", ["push", "webhook"])
def test_where_nothing_is_left_to_send_to_it_fails_and_says_so(ana: User, way: str) -> None:
    by(ana, way)
    subscribed(ana, "https://push.example.org/x")
    Webhook.objects.create(user=ana, url="https://hook.test/", made_at=timezone.now())
    tell(ana)
    spread(now=timezone.now())
    claimed = lease(way=way, now=timezone.now())
    assert [take(delivery, now=timezone.now()) for delivery in claimed] == [True]
    PushSubscription.objects.all().delete()
    Webhook.objects.all().delete()

    with CARRIERS[way]() as carry:
        deliver(claimed, carry)

    delivery = Delivery.objects.get(way=way)
    assert delivery.status == "failed" and delivery.last_error.startswith("There is no")


def test_the_test_goes_by_the_way_it_tests_alone(ana: User, chat: Far) -> None:
    subscribed(ana, chat.url)
    message = tell(ana, "test", game="", facts={"way": "webhook"})

    assert sent("webhook", message).status == "sent"
    assert [delivery.way for delivery in Delivery.objects.all()] == ["webhook"]
    told = json.loads(body_of(chat.requests[0]))
    assert told["text"].startswith("A test from Remi") and told["url"] == "https://remi.example/settings/"

"""What is posted, refused and told onward hangs on no card that the player has not seen; nor do logs and letters tell any."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.test import Client

from accounts.models import Message, PushSubscription, Webhook
from accounts.people.messages import outward, push
from accounts.people.messages.kinds import SETTABLE, WAYS
from games import engine
from games.models import Entry, Game
from remi_site.errors import Discretion, LogFormatter
from tests.accounts.far import Phone
from tests.games.pages import HTMX
from tests.games.playing import DAY, NOON, at, play, running
from tests.messages.telling import go, person, wish
from tests.secrecy.answers import said
from tests.secrecy.asking import read, seats, visitors
from tests.secrecy.tables import made
from tests.secrecy.twins import twin, undone

pytestmark = pytest.mark.django_db
Form = tuple[str, dict[str, Any]]
TOKEN = re.compile(r"/messages/stop/[^/]+/")


def forms(game: Game, name: str) -> list[Form]:
    """What somebody may post at a table, sense and nonsense; by path. Not what brings a card to light."""
    deal, seat = at(game).deal, seats(game).get(name)
    texts = deal.rules.alphabet.texts
    own = [texts[card] for card in deal.hands[seat].cards()] if seat is not None else []
    of_others = [texts[card] for index, hand in enumerate(deal.hands) if index != seat for card in hand.cards()]
    hidden = [text for text in dict.fromkeys(of_others) if text not in own][:2]
    moves = ["S", "E", "T", "U", "B", "P2", "P99", "X:pass", "no such move", "W:1:*", f"M:{','.join(own[:3])}"]
    moves += [f"{kind}:{hidden[0]}" for kind in ("D", "C", "L:1", "X")]
    play: list[dict[str, Any]] = [{"move": move} for move in moves if not (move == "S" and deal.to_move == seat)]
    play += [{"move": kind, "card": [*hidden, *own[:2]]} for kind in ("M", "L")]
    play += [{"move": f"D:{card}"} for card in own[:2] if deal.phase == engine.PLAY]
    others: list[Form] = [
        ("arrange/", {"sort": "hand", "order": [*own[:3], *hidden]}), ("arrange/", {"sort": "rank"}),
        ("pause/", {"act": "agree"}), ("contribute/", {"line": "words"}), ("back/", {}), ("take-over/", {"seat": "0"}),
        ("chat/say/", {"text": "Hello"}), ("chat/1/", {"act": "mute"}), (f"deals/{at(game).row.number}/go-on/", {}),
    ]  # fmt: skip
    if deal.phase != engine.EXCHANGE or seat is None or seat not in deal.extra.asked:
        others += [("answer/", {"answer": text, "deal": at(game).row.number}) for text in ("X:pass", "X:3Y")]
    if game.seat_count > 2 and deal.phase != engine.EXCHANGE:
        others.append(("resign/", {}))
    return [("play/", form) for form in play] + others


class Heard(logging.Handler):
    """What the server's log says, as its handlers write it."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self.setFormatter(LogFormatter("%(levelname)s %(name)s %(message)s"))
        self.addFilter(Discretion())

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def heard() -> Iterator[Heard]:
    handler, root = Heard(), logging.getLogger()
    root.addHandler(handler)
    yield handler
    root.removeHandler(handler)


def told_by(client: Client, game: Game, form: Form, heard: Heard) -> list[Any]:
    """All that comes of a form: the answer, the page after it, what others are told, the log of the table and of the server."""
    path, data = form
    heard.lines.clear()
    with undone():
        answer = said(client.post(f"/t/{game.code}/{path}", {"version": game.version, **data}, headers=HTMX))
        log = Entry.objects.filter(game=game, number__gte=game.log_length).exclude(text__startswith="X:").order_by("number")
        return [
            answer,
            None if path == "play/" else read(client, f"/t/{game.code}/"),
            list(Message.objects.order_by("pk").values("user", "kind", "game", "facts", "until", "closed")),
            list(log.values("actor", "seat", "text", "facts")),
            list(heard.lines),
        ]


@pytest.mark.parametrize(
    ("name", "people"), [("remi500", ["Ana", "stranger"]), ("opened", ["Ana", "Bogdan"]), ("asked", ["Chloé"])]
)
def test_no_answer_to_what_is_posted_hangs_on_a_hidden_card(name: str, people: list[str], heard: Heard) -> None:
    with time_machine.travel(NOON, tick=False):
        game = made(name)
        clients = visitors(game)
        for who in people:
            asked = forms(game, who)
            one = [told_by(clients[who], game, form, heard) for form in asked]
            with twin(game, seats(game).get(who)):
                other = [told_by(clients[who], game, form, heard) for form in asked]
            assert [form for form, was, now in zip(asked, one, other, strict=True) if was != now] == [], who


def test_it_would_be_seen_if_an_answer_did(heard: Heard) -> None:
    with time_machine.travel(NOON, tick=False):
        game = made("opened")
        client, form = visitors(game)["Bogdan"], ("play/", {"move": "S"})
        one = told_by(client, game, form, heard)
        with twin(game, seats(game)["Ana"]):
            assert told_by(client, game, form, heard) != one


# -- letters -------------------------------------------------------------------------------------


class Posted:
    """What leaves the site: letters, and what goes to browsers and chat tools, before it is sealed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: list[str] = []
        payload = push.payload

        def seen(**told: Any) -> bytes:
            self.sent.append(payload(**told).decode())
            return payload(**told)

        def post(url: str, told: bytes, headers: dict[str, str], **more: Any) -> outward.Answer:
            self.sent.append(url if "Content-Encoding" in headers else told.decode())
            return outward.Answer(201, {}, b"")

        monkeypatch.setattr(push, "payload", seen)
        monkeypatch.setattr(outward, "post", post)

    def all(self) -> list[str]:
        return self.sent + [whole(letter) for letter in mail.outbox]


def whole(letter: Any) -> str:
    """All that a letter says."""
    return f"{letter.subject}\n{letter.body}\n{getattr(letter, 'alternatives', '')}"


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Posted:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    return Posted(monkeypatch)


def reachable(name: str) -> None:
    """Somebody who is told of everything by every way."""
    user = person(name)
    PushSubscription.objects.create(user=user, made_at=NOON, **Phone("https://push.example/1").told)
    Webhook.objects.create(user=user, url="https://chat.example/1", made_at=NOON)
    for kind in SETTABLE:
        for way in WAYS:
            wish(user, kind.name, way, True)


def letters(game: Game, posted: Posted) -> list[str]:
    """What leaves the site when Ana has discarded."""
    posted.sent.clear()
    mail.outbox.clear()
    with undone():
        deal = at(game).deal
        moves = (engine.move_text(move, deal.rules.alphabet) for move in engine.legal_moves(deal) if move.kind == "D")
        play(game, next(moves))
        go(NOON + DAY / 2)
        return [TOKEN.sub("", text) for text in posted.all()]


@pytest.mark.parametrize("name", ["remi500", "opened"])
def test_what_leaves_the_site_hangs_on_no_hidden_card(name: str, posted: Posted) -> None:
    with time_machine.travel(NOON, tick=False):
        game = made(name)
        reachable("Bogdan")
        one = letters(game, posted)
        assert {"Your turn" in text for text in one} == {True, False} and len(one) > 3
        with twin(game, seats(game)["Ana"]):
            assert letters(game, posted) == one


# -- what is told when something breaks ----------------------------------------------------------


@pytest.mark.parametrize("path", ["", "log/", "poll/0/", "play/"])
def test_a_fault_of_the_site_tells_no_card(path: str, heard: Heard, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.ADMINS = [("keeper", "keeper@example.org")]
    with time_machine.travel(NOON, tick=False):
        game = running("Ana", "Bogdan")
        hands = " ".join(" ".join(hand.cards) for hand in at(game).hands)

        def broken(*_given: Any, **_more: Any) -> None:
            raise ValueError(f"{hands} {at(game).row.deck} {bytes(at(game).row.seed)!r}")

        for place in ("games.views.showing.page", "games.selectors.whole_log", "games.services.turns.play"):
            monkeypatch.setattr(place, broken)
        client = visitors(game)["Ana"]
        client.raise_request_exception = False
        there, form = f"/t/{game.code}/{path}", {"move": "S", "version": str(game.version)}
        answer = client.post(there, form) if path == "play/" else client.get(there)
        assert answer.status_code == 500
        told = [answer.content.decode(), str(dict(answer.items())), *heard.lines]
        told += [whole(letter) for letter in mail.outbox]
        assert len(mail.outbox) == 1 and any("ValueError" in line for line in heard.lines)
        for secret in (hands[:20], at(game).row.deck[:20], repr(bytes(at(game).row.seed))[:20]):
            assert not [text for text in told if secret in text]

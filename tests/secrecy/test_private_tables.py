"""Tables that are not for everybody: a code that is guessed tells nothing, and none is told to whom it is not for."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.core import signing
from django.test import Client
from django.urls import get_resolver

from accounts.models import League, Message, PushSubscription
from accounts.models.leagues import CODE_ALPHABET as LEAGUE_ALPHABET
from accounts.models.leagues import INVITE_LENGTH
from accounts.people import messages
from accounts.people.messages.inbox import mark
from games.models import CODE_LENGTH, Answer, Dispute, Game, KeptRecord, Saying, Seat
from games.models.tables import CODE_ALPHABET
from games.services import disputes
from tests.games import absent
from tests.games.pages import HTMX, visitor
from tests.games.playing import NOON, play, player, quick_turn, running
from tests.games.test_every_url import patterns
from tests.leagues.playing import end_deal, league, match, new_league
from tests.secrecy.answers import Said, said
from tests.secrecy.asking import read, visitors
from tests.secrecy.twins import undone

pytestmark = pytest.mark.django_db

MISSING = "2" * CODE_LENGTH
POSTED = {
    "move": "S", "version": "1", "answer": "X:pass", "deal": "0", "act": "agree", "text": "Hello", "said": "1", "seat": "0",
    "name": "Ana", "line": "words", "sort": "suit",
}  # fmt: skip


def paths(code: str) -> list[str]:
    """Every address of a table with this code."""
    found, case = [], Dispute.objects.values_list("pk", flat=True).first() or 1
    for _name, pattern in patterns(get_resolver()):
        if pattern.startswith("t/<slug:code>/"):
            filled = pattern.replace("<slug:code>", code).replace("<int:case>", str(case))
            found.append("/" + re.sub(r"<int:\w+>", "0", filled))
    return found


def test_the_addresses_are_those_of_a_table() -> None:
    assert len(paths("x")) > 30 and not [path for path in paths("x") if "<" in path]


def without(code: str, answer: Said) -> Said:
    """An answer without the code that was asked for."""
    headers = tuple((name, value.replace(code, "CODE")) for name, value in answer.headers)
    cookies = tuple((name, value.replace(code, "CODE")) for name, value in answer.cookies)
    return Said(answer.status, headers, cookies, answer.body.replace(code.encode(), b"CODE"))


def private(**terms: Any) -> Game:
    """A table by link that has begun."""
    game = running("Ana", "Bogdan", "Chloé", visibility="link", **terms)
    quick_turn(game)
    play(game, "S")
    disputes.open_dispute(code=game.code, user=player("Ana"), kind="rule", words="Was that allowed?", deal=0, now=NOON)
    return game


def of_a_closed_league() -> Game:
    """A table that has begun, of a league that lets in whom it likes."""
    season = league("Ana", "Bogdan", "Chloé", joining="link")
    return match(season, "Ana", "Bogdan", "Chloé")


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("nobody", private),
        ("stranger", private),
        ("guest", of_a_closed_league),
        ("referee", of_a_closed_league),
        ("superuser", private),
    ],
)
def test_a_private_table_answers_strangers_as_one_that_is_not_there(name: str, make: Callable[[], Game]) -> None:
    with time_machine.travel(NOON, tick=False):
        game = make()
        client = visitors(game)[name]
        told = []
        for there, nowhere in zip(paths(game.code), paths(MISSING), strict=True):
            htmx = "poll" in there or "buttons" in there or "waiting" in there
            if without(game.code, read(client, there, htmx=htmx)) != without(MISSING, read(client, nowhere, htmx=htmx)):
                told.append(f"GET {there}")
            before, answers = state(), []
            for path in (there, nowhere):
                with undone():
                    answers.append(said(client.post(path, POSTED, headers=HTMX if "play" in path else {})))
                    assert state() == before, f"{path} wrote something"
            if without(game.code, answers[0]) != without(MISSING, answers[1]):
                told.append(f"POST {there}: {answers[0].status} {answers[1].status}")
        assert told == []


def state() -> list[Any]:
    """What there is of tables."""
    return [list(model.objects.order_by("pk").values()) for model in (Game, Seat, Saying, Answer, Dispute)]


def test_it_would_be_seen_if_a_table_were_for_everybody() -> None:
    with time_machine.travel(NOON, tick=False):
        game = running("Ana", "Bogdan")
        there, nowhere = (read(visitor("Céline"), f"/t/{code}/") for code in (game.code, MISSING))
        assert (there.status, nowhere.status) == (200, 404)


def test_no_page_tells_strangers_the_code_of_a_private_table() -> None:
    """Where a seat is offered, the code alone opens the table."""
    with time_machine.travel(NOON, tick=False):
        season = league("Ana", "Bogdan", "Chloé", joining="link", options={"target": 500})
        game = match(season, "Ana", "Bogdan")
        end_deal(game)
        Game.objects.filter(pk=game.pk).update(absent_after=1)
        absent.expire(game)
        assert Game.objects.get(pk=game.pk).visibility == "link" and game.seats.filter(absent_since__isnull=False).exists()
        code, number = season.league.code, season.number
        clients = visitors(game)
        pages = [
            "/u/Ana/", "/u/Bogdan/", "/lobby/", "/tables/", "/leagues/",
            *(f"/l/{code}/{page}" for page in ("", "embed/", "members/")),
            *(f"/l/{code}/seasons/{number}/{page}" for page in ("", "matches/", "ledger/", "players/Ana/")),
            *(f"/l/{code}/seasons/{number}/{kind}.{form}" for kind in ("table", "ledger") for form in ("csv", "json")),
        ]  # fmt: skip
        shown = [
            f"{page} to {name}"
            for page in pages
            for name in ("nobody", "stranger", "referee")
            if game.code.encode() in read(clients[name], page).body
        ]
        assert shown == []


# -- guessing ------------------------------------------------------------------------------------


def bits(alphabet: str, length: int) -> float:
    return length * math.log2(len(alphabet))


def test_what_opens_something_by_itself_cannot_be_guessed() -> None:
    """With 64 bits, a thousand tries a second at a million tables find the first in half a million years."""
    assert len(set(CODE_ALPHABET)) == len(CODE_ALPHABET) and len(set(LEAGUE_ALPHABET)) == len(LEAGUE_ALPHABET)
    assert bits(CODE_ALPHABET, CODE_LENGTH) > 64
    assert bits(LEAGUE_ALPHABET, INVITE_LENGTH) > 64
    game, kept = running("Ana", "Bogdan"), KeptRecord(owner=player("Ana"))
    for code in (game.code, kept.code):
        assert len(code) == CODE_LENGTH and set(code) <= set(CODE_ALPHABET)
    invite = new_league("Ana").invite
    assert len(invite) == INVITE_LENGTH and set(invite) <= set(LEAGUE_ALPHABET)


def test_codes_come_from_the_source_of_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.choice", lambda signs: signs[-1])
    assert Game().code == KeptRecord().code == "9" * CODE_LENGTH
    assert League().invite == "9" * INVITE_LENGTH


def test_the_invitation_of_a_league_cannot_be_tried_for_long() -> None:
    made = new_league("Ana", joining="link")
    client = visitor("Céline")
    answers = [client.post(f"/l/{made.code}/join/", {"invite": f"wrong{number:09d}"}).status_code for number in range(31)]
    assert answers == [302] * 30 + [429]
    assert client.post(f"/l/{made.code}/join/", {"invite": made.invite}).status_code == 429
    assert not made.memberships.filter(user=player("Céline")).exists()


@pytest.mark.parametrize("path", ["", "deals/0/", "deals/0/1/"])
def test_a_record_that_somebody_else_keeps_is_not_there(path: str) -> None:
    kept = KeptRecord.objects.create(owner=player("Ana"), record={}, kept_at=NOON, forget_at=NOON.replace(year=2100))
    for name in ("Bogdan", "Céline"):
        client = visitor(name)
        mine, nowhere = (read(client, f"/records/{code}/{path}") for code in (kept.code, MISSING))
        assert mine.status == 404 and without(kept.code, mine) == without(MISSING, nowhere)
        client.post(f"/records/{kept.code}/forget/")
    assert KeptRecord.objects.filter(pk=kept.pk).exists()


def test_a_message_or_a_device_of_somebody_else_is_not_there() -> None:
    ana, client = player("Ana"), visitor("Bogdan")
    messages.post(kind="ruling", user_ids=[ana.pk], key="1", now=NOON)
    device = PushSubscription.objects.create(user=ana, endpoint="https://push.example/1", p256dh="p", auth="a", made_at=NOON)
    message = Message.objects.get()
    theirs, nowhere = (client.post("/messages/open/", {"message": mark(pk)}) for pk in (message.pk, message.pk + 1_000))
    assert theirs.status_code == nowhere.status_code == 404 and said(theirs) == said(nowhere)
    gone, missing = (client.post(f"/settings/messages/devices/{pk}/remove/") for pk in (device.pk, device.pk + 1_000))
    assert said(gone) == said(missing)
    assert PushSubscription.objects.filter(pk=device.pk).exists()
    assert Message.objects.get().read_at is None


TOKENS = {
    "a number": "1", "no signature": "WzEsImFsbCJd", "a short signature": "WzEsImFsbCJd:1sAbCd:x",
    "signed for something else": signing.dumps([1, "all"], salt="another"),
}  # fmt: skip


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS.keys())
def test_a_link_that_ends_letters_cannot_be_made_up(token: str) -> None:
    player("Ana")
    for asked in (Client().get, Client().post):
        assert asked(f"/messages/stop/{token}/").status_code == 404

"""What is asked of every address, whoever asks: no POST without a token, nothing written by looking, the headers, the hosts."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
import time_machine
from django.contrib.auth import SESSION_KEY
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client, override_settings
from django.test.client import FakePayload
from django.urls import get_resolver

from accounts.models import User
from games.models import Game
from tests.games.pages import HTMX, visitor
from tests.games.playing import NOON, player
from tests.games.test_every_url import address, patterns, row_of, things
from tests.secrecy.answers import said, watched
from tests.secrecy.tables import made

pytestmark = pytest.mark.django_db
PASSWORD = "a long password"
WITHOUT_TOKEN = {"unsubscribe", "renew_device"}
"""Where programs post that have no page: what they must know is in their addresses, signed or known to nobody else."""


def every_path(game: Game) -> dict[str, str]:
    """By path, the name of its address."""
    known = things(game)
    return {
        address(pattern, row, game, known): name
        for name, pattern in patterns(get_resolver())
        if (row := row_of(name)) is not None
    }


def asked(client: Client, method: str, path: str, **more: Any) -> Any:
    """An answer, from a database where nothing can be written."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
        return client.generic(method, path, **more)


@pytest.fixture
def game() -> Game:
    return made("opened")


def test_it_would_be_seen_if_an_answer_wrote_something(game: Game) -> None:
    with watched() as statements:
        visitor("Céline").post(f"/t/{game.code}/chat/say/", {"text": "Hello"})
        assert statements.writes
    with watched() as statements:
        Game.objects.select_for_update().get(pk=game.pk)
        assert statements.writes and not statements.secret


@pytest.mark.parametrize("name", ["boss", None])
def test_nothing_can_be_posted_without_a_token(game: Game, name: str | None) -> None:
    if name == "boss":
        User.objects.create_superuser(name)
    client = Client(enforce_csrf_checks=True)
    if name:
        client.force_login(player(name))
        visitor(name).post("/language/")  # that somebody is here is noted once for a while
    wrong = []
    for path, address_name in every_path(game).items():
        if address_name in WITHOUT_TOKEN:
            continue
        form = {"data": b"move=S&version=1", "content_type": "application/x-www-form-urlencoded"}
        answer = asked(client, "POST", path, **form)
        to_the_table = (302, f"/t/{game.code}/")
        refused = answer.status_code == 403 or (answer.status_code, answer.get("Location")) == to_the_table
        if not refused:
            wrong.append(f"{path} ({address_name}): {answer.status_code}")
    assert wrong == []


def test_a_token_of_another_browser_is_none(game: Game) -> None:
    mine, other = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    for client, name in ((mine, "Ana"), (other, "Bogdan")):
        client.force_login(player(name))
        client.get(f"/t/{game.code}/")
    token = other.cookies["csrftoken"].value
    before = Game.objects.get(pk=game.pk).version
    answer = mine.post(f"/t/{game.code}/play/", {"move": "U", "version": before, "csrfmiddlewaretoken": token})
    assert answer.status_code == 302 and Game.objects.get(pk=game.pk).version == before
    own = mine.cookies["csrftoken"].value
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}):
        form = {"move": "U", "version": before, "csrfmiddlewaretoken": own}
        mine.post(f"/t/{game.code}/play/", form, headers=headers)
        assert Game.objects.get(pk=game.pk).version == before


def test_other_methods_write_nothing_and_break_nothing(game: Game) -> None:
    client = visitor("Ana")
    for path in every_path(game):
        assert asked(client, "PUT", path).status_code < 500, path


def test_a_head_says_what_a_get_would_without_the_words(game: Game) -> None:
    client = visitor("Ana")
    with time_machine.travel(NOON, tick=False):
        for path, name in every_path(game).items():
            if name.startswith("account_"):
                continue  # allauth counts how often one asks without words, and that is written
            got, head = said(asked(client, "GET", path)), said(asked(client, "HEAD", path))
            assert (head.status, head.headers, head.body) == (got.status, got.headers, b""), path


def test_every_answer_has_the_headers_that_browsers_and_caches_heed(game: Game) -> None:
    """No shared cache may keep what was made for one person; what is made for all says so and sets no cookie."""
    client, wrong = visitor("Ana"), []
    for path, name in every_path(game).items():
        answer = asked(client, "GET", path)
        kept = answer.get("Cache-Control", "")
        if name in ("leagues:embed", "service_worker", "admin:jsi18n"):
            good = not answer.cookies
        else:
            good = "private" in kept or "no-store" in kept
        good = good and answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
        good = good and answer.headers["X-Content-Type-Options"] == "nosniff"
        good = good and answer.headers["Referrer-Policy"] == "same-origin"
        good = good and answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        if not good or (answer.get("X-Frame-Options") == "DENY") == (name == "leagues:embed"):
            wrong.append(f"{path}: {dict(answer.items())}")
    assert wrong == []


# -- who one is ----------------------------------------------------------------------------------


def with_password(name: str) -> User:
    user = player(name)
    user.set_password(PASSWORD)
    user.email = f"{name.lower()}@example.org"
    user.save()
    return user


def log_in(client: Client, name: str, password: str = PASSWORD, **more: str) -> Any:
    return client.post("/account/login/", {"login": name, "password": password, **more})


def test_logging_in_gives_a_new_session() -> None:
    with_password("Ana")
    client = Client()
    client.post("/play/")  # a guest, whose session somebody may have planted
    planted = client.session.session_key
    assert planted
    log_in(client, "Ana", leave_guest="on")
    assert client.session.session_key != planted
    assert int(client.session[SESSION_KEY]) == player("Ana").pk
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert thief.get("/tables/").status_code == 302


def test_signing_up_gives_a_guest_a_new_session() -> None:
    client = Client()
    client.post("/play/")
    planted = client.session.session_key
    answer = client.post("/account/signup/", {"username": "Dan", "password1": PASSWORD})
    assert answer.status_code == 302 and User.objects.get(username="Dan").is_guest is False
    assert client.session.session_key != planted
    thief = Client()
    thief.cookies["sessionid"] = planted or ""
    assert thief.get("/tables/").status_code == 302


def test_a_session_that_the_site_did_not_give_is_not_taken_on() -> None:
    with_password("Ana")
    client = Client()
    client.cookies["sessionid"] = "a" * 32
    log_in(client, "Ana")
    assert client.session.session_key != "a" * 32


def test_logging_out_ends_the_session_for_whoever_copied_it() -> None:
    with_password("Ana")
    client, thief = Client(), Client()
    log_in(client, "Ana")
    thief.cookies["sessionid"] = client.cookies["sessionid"].value
    assert thief.get("/tables/").status_code == 200
    client.post("/account/logout/")
    assert thief.get("/tables/").status_code == 302


def test_a_new_password_ends_the_other_sessions() -> None:
    with_password("Ana")
    here, elsewhere = Client(), Client()
    log_in(here, "Ana")
    log_in(elsewhere, "Ana")
    form = {"oldpassword": PASSWORD, "password1": "another long password", "password2": "another long password"}
    assert here.post("/account/password/", form).status_code == 302
    assert here.get("/tables/").status_code == 200
    assert elsewhere.get("/tables/").status_code == 302


def test_an_account_that_is_closed_is_out_at_once() -> None:
    client = visitor("Ana")
    assert client.get("/tables/").status_code == 200
    User.objects.filter(username="Ana").update(is_active=False)
    assert client.get("/tables/").status_code == 302


@override_settings(SESSION_COOKIE_SECURE=True, CSRF_COOKIE_SECURE=True, LANGUAGE_COOKIE_SECURE=True)
def test_cookies_are_secure_and_the_one_that_opens_the_door_is_for_no_script() -> None:
    with_password("Ana")
    client = Client()
    client.get("/account/login/", secure=True)
    client.post("/account/login/", {"login": "Ana", "password": PASSWORD}, secure=True)
    client.post("/language/", {"language": "fr"}, secure=True)
    assert set(client.cookies) == {"sessionid", "csrftoken", "django_language"}
    for name, cookie in client.cookies.items():
        assert cookie["secure"] and cookie["samesite"] == "Lax" and not cookie["domain"], name
    assert client.cookies["sessionid"]["httponly"]


# -- where one is sent ---------------------------------------------------------------------------

ELSEWHERE = [
    "https://evil.example/", "//evil.example/", "///evil.example/", "http:evil.example", "/\\evil.example/", "\\\\evil.example",
    "https:///evil.example", "javascript:alert(1)", " //evil.example", "//evil.example\\@testserver/", "https://testserver@evil.example/",
    "\t//evil.example", "%2f%2fevil.example", "data:text/html,x", "ftp://testserver/",
]  # fmt: skip


def leads_here(answer: Any) -> bool:
    """Whether an answer sends nobody to another site, as browsers read addresses: tabs are nothing, backslashes are slashes."""
    there = answer.get("Location") or answer.get("HX-Redirect") or "/"
    read = urljoin("http://testserver/a/", re.sub(r"[\t\r\n]", "", there).strip().replace("\\", "/"))
    return urlsplit(read).netloc == "testserver" and urlsplit(read).scheme == "http"


@pytest.mark.parametrize("there", ELSEWHERE)
def test_nobody_is_sent_to_another_site(there: str) -> None:
    with_password("Ana")
    assert leads_here(log_in(Client(), "Ana", next=there))
    assert leads_here(Client().post(f"/account/login/?next={there}", {"login": "Ana", "password": PASSWORD}))
    assert leads_here(Client().post("/account/signup/", {"username": "Dan", "password1": PASSWORD, "next": there}))
    assert leads_here(visitor("Ana").post("/account/logout/", {"next": there}))
    assert leads_here(visitor("Ana").get("/account/login/", {"next": there}))
    for headers in ({}, {"Referer": there.strip()}):
        assert leads_here(Client().post("/language/", {"language": "fr", "next": there}, headers=headers))
    assert leads_here(Client().get("/tables/", headers={**HTMX, "HX-Current-URL": there.strip()}))
    assert leads_here(Client().post("/t/x/play/", headers={"Referer": there.strip()}))
    assert leads_here(Client().get("/admin/login/", {"next": there}))
    boss = User.objects.create_superuser("boss")
    client = Client()
    client.force_login(boss)
    assert leads_here(client.get("/admin/login/", {"next": there}))


def test_only_the_names_that_the_site_goes_by_are_answered(game: Game) -> None:
    for path in ("/", "/account/login/", "/account/password/reset/", f"/t/{game.code}/", "/admin/"):
        for host in ("evil.example", "testserver.evil.example", "testserver:80@evil.example", ""):
            assert visitor("Ana").get(path, headers={"Host": host}).status_code == 400, (path, host)


def test_a_letter_leads_to_this_site_whatever_the_request_says() -> None:
    with_password("Ana")
    spoofed = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https", "X-Original-Host": "evil.example"}
    Client().post("/account/password/reset/", {"email": "ana@example.org"}, headers={**spoofed, "Forwarded": "host=evil.example"})
    assert len(mail.outbox) == 1 and "evil" not in str(mail.outbox[0].message())
    assert "http://testserver/" in mail.outbox[0].body


def test_passwords_cannot_be_tried_for_long() -> None:
    with_password("Ana")
    with time_machine.travel(NOON, tick=False):
        client = Client()
        for number in range(20):
            log_in(client, "Ana", f"wrong {number}")
        log_in(client, "Ana")
        assert SESSION_KEY not in client.session


# -- what is brought along -----------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"[" * 900_000, b'{"a":' * 150_000, b"\xff\xfe" * 1_000, b"\x00" * 1_000, b"9" * 900_000])
def test_a_record_that_is_made_to_break_something_is_refused(content: bytes) -> None:
    answer = visitor("Ana").post("/records/", {"record": SimpleUploadedFile("../../x.json", content)})
    assert answer.status_code == 422


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json"])
def test_a_body_that_is_too_large_is_refused_before_it_is_read(kind: str) -> None:
    client = visitor("Ana")
    unread: dict[str, Any] = {"wsgi.input": FakePayload(b""), "CONTENT_LENGTH": "2621441", "CONTENT_TYPE": kind}
    for path in ("/t/abc/play/", "/records/", "/records/look/", "/language/", "/account/login/", "/nowhere/"):
        answer = client.generic("POST", path, **unread)
        assert answer.status_code == 413 and "Content-Security-Policy" in answer.headers, path


def test_a_form_of_too_many_fields_is_refused() -> None:
    many = "&".join(f"card={number}" for number in range(1_500)).encode()
    client = visitor("Ana")
    assert client.generic("POST", "/language/", many, content_type="application/x-www-form-urlencoded").status_code == 400

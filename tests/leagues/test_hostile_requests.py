"""What no browser sends to a league, but somebody will: a sentence and a right status, never a crash."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from accounts.leagues.urls import urlpatterns
from accounts.models import LedgerRow, Membership, Season, User
from accounts.people.services import make_guest
from games.models import Game
from tests.games.pages import visitor, words
from tests.games.playing import NOON, player
from tests.leagues.playing import end_deal, league, match, new_league
from tests.leagues.test_pages import home
from tests.leagues.test_pages_manage import FORM

pytestmark = pytest.mark.django_db

NONSENSE = (
    "", " ", "\x00", "Bogdan\x00", "\x00" * 50, "²", "٣", "１", "-1", "-0", "0", "00", "+1", "1.5", "1e9", "NaN", "None", "null",
    "9" * 11, "9" * 30, "9" * 5_000, "x" * 30_000, "<script>", "'; DROP TABLE", "%00", "\\", "../../..", "a/b", "\u202eanA", "👻",
    "ﬀ", "İ", "\ud7ff", "\uffff", "\r\n", "2001-01-01", "0001-01-01", "9999-12-31", "9999-12-30", "10000-01-01", "2026-02-30",
)  # fmt: skip
WORST = ("", "\x00", "Bogdan\x00", "²", "9" * 30, "9" * 5_000, "9999-12-31", "-1", "x" * 30_000)
ROLES = (None, "guest", "Dan", "Bogdan", "Deputy", "Ana")
"""Nobody, a guest, a stranger, a member, a deputy, the organiser."""


@pytest.fixture
def season() -> Season:
    """A league with results, a request to join, somebody expelled, and a deputy."""
    season = league("Ana", "Bogdan", "Deputy", "Eva", joining="link", bots=True)
    season.league.memberships.filter(user=player("Deputy")).update(role=Membership.Role.DEPUTY)
    season.league.memberships.filter(user=player("Eva")).update(until=NOON, ended="expelled", reason="So")
    end_deal(match(season, "Ana", "Bogdan"))
    return season


def some(salt: str, count: int) -> Sequence[str]:
    """So many of the nonsense, always the same ones: all of it everywhere would take minutes."""
    return random.Random(salt).sample(NONSENSE, count)


def browser(role: str | None) -> Client:
    client = visitor(None if role == "guest" else role)
    if role == "guest":
        client.force_login(make_guest(language="en", now=NOON))
    return client


def asked(client: Client, path: str, data: dict[str, Any] | None = None, *, post: bool = True) -> HttpResponse:
    """What is answered, and the page that it leads to read too; nothing is kept of it."""
    with transaction.atomic():
        answer: Any = client.post(path, data or {}) if post else client.get(path, data or {})
        if answer.status_code == 302 and answer["Location"].startswith("/l/"):
            answer.told = client.get(answer["Location"])
            assert answer.told.status_code in (200, 403), answer["Location"]
        transaction.set_rollback(True)
    return answer


# -- addresses -----------------------------------------------------------------------------------

PARTS = {"code": "{code}", "number": "1", "name": "Bogdan", "kind": "table", "form": "csv"}


def addresses() -> list[str]:
    """Every address of the leagues, its parts in braces."""
    found = [re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern)) for pattern in urlpatterns]
    assert len(found) > 20
    return found


def test_no_part_of_an_address_breaks_a_page(season: Season) -> None:
    known, boss = PARTS | {"code": season.league.code}, browser("Ana")
    for address in addresses():
        for part in (name for name in known if f"{{{name}}}" in address):
            for value in (*WORST, *some(address, 6)) if part == "name" else some(address, 3):
                filled = "/" + address.format(**{**known, part: quote(value, safe="/")})
                for post in (False, True):
                    assert asked(boss, filled, post=post).status_code in (200, 302, 403, 404, 405, 422), filled


def test_no_question_behind_an_address_breaks_a_page(season: Season) -> None:
    boss = browser("Ana")
    for address in addresses():
        path = "/" + address.format(**(PARTS | {"code": season.league.code}))
        drawing = address.endswith("tables/")
        names = ("tables", "seats", "lot", "who", "among") if drawing else ("page", "invite", "lang", "variant")
        usual = {"tables": "1", "seats": "2", "lot": "1"} if drawing else {}
        for name in names:
            for value in (*WORST, *some(name, 3)) if drawing else some(name + address, 2):
                answer = asked(boss, path, usual | {name: value}, post=False)
                assert answer.status_code in (200, 302, 404, 405, 422), (name, value)


@pytest.mark.parametrize("raw", [b"%00", b"%ff", b"%ed%a0%80", b"%c0%af", b"%f4%90%80%80"])
def test_bytes_that_are_no_text_are_no_name(raw: bytes, season: Season) -> None:
    for rest in ("seasons/1/players/{}/", "members/{}/", "members/{}/decide/"):
        path = home(season) + rest.format(raw.decode())
        assert browser("Ana").get(path).status_code in (404, 405)
        assert browser("Ana").post(path, {"act": "deputy"}).status_code in (404, 405)


def test_a_name_that_the_keeper_of_the_server_gave_breaks_no_page() -> None:
    season = league("Ana", "Bogdan", "Céline")
    end_deal(match(season, "Ana", "Bogdan"))
    bogdan, boss = player("Bogdan").pk, browser("Ana")
    for name in ("a/b", "a b/../c", "100%/?#&", "/", "é/ü"):
        User.objects.filter(pk=bogdan).update(username=name)
        for rest in ("", "seasons/1/", "members/", "manage/", "tables/", "seasons/1/ledger/", "embed/"):
            assert boss.get(home(season) + rest).status_code == 200, (name, rest)
        if name in ("/", "a b/../c"):  # what a browser makes another address of
            continue
        for rest in ("seasons/1/players/{}/", "members/{}/"):
            page = boss.get(home(season) + rest.format(quote(name)))
            assert page.status_code == 200 and name in words(page), (name, rest)
        assert boss.post(home(season) + f"members/{quote(name)}/decide/", {"act": "deputy"}).status_code == 302
        assert season.league.memberships.get(user=bogdan).role == Membership.Role.DEPUTY


# -- forms ---------------------------------------------------------------------------------------

FORMS: dict[str, dict[str, Any]] = {
    "leagues/new/": {**FORM, "bots": "on"},
    "l/{code}/edit/": {**FORM, "bots": "on"},
    "l/{code}/join/": {"invite": "x"},
    "l/{code}/withdraw/": {},
    "l/{code}/leave/": {},
    "l/{code}/table/": {"seats": "2", "computers": "1"},
    "l/{code}/answer/": {"player": "1", "act": "accept"},
    "l/{code}/season/": {"until": "date", "ends_on": "2100-01-01", "first_to": "100", "matches_each": "10"},
    "l/{code}/season/end/": {},
    "l/{code}/season/reopen/": {},
    "l/{code}/adjust/": {"name": "Bogdan", "points": "5", "reason": "So", "request": "r", "number": "1"},
    "l/{code}/change/": {"act": "invite"},
    "l/{code}/substitute/": {"seat": "x-0", "name": "Bogdan"},
    "l/{code}/tables/": {"tables": "1", "seats": "2", "lot": "1", "among": "", "who": "", "made": "1"},
    "l/{code}/members/Bogdan/decide/": {"act": "expel", "reason": "So"},
    "l/{code}/members/Eva/decide/": {"act": "readmit"},
}


def test_every_address_that_takes_a_form_is_tried() -> None:
    tried = {path.replace("Bogdan", "{name}").replace("Eva", "{name}") for path in FORMS}
    client, season = browser("Ana"), league("Ana", "Bogdan")
    for address in addresses():
        path = "/" + address.format(**(PARTS | {"code": season.league.code}))
        takes = asked(client, path).status_code != 405
        assert takes == (address in tried), address


@pytest.mark.parametrize("open_season", [True, False])
def test_no_field_of_a_form_breaks_it_and_the_answer_says_something(open_season: bool, season: Season) -> None:
    if not open_season:
        Season.objects.filter(pk=season.pk).update(status="final", ended_at=NOON)
    boss = browser("Ana")
    for path, usual in FORMS.items():
        filled, large = "/" + path.format(code=season.league.code), len(usual) > 9
        for name in random.Random(path).sample(sorted(usual), 9) if large else usual:
            for value in some(name, 1) if large or not open_season else (*WORST, None):
                data = {**usual, name: value}
                if value is None:
                    del data[name]
                answer: Any = asked(boss, filled, data)
                assert answer.status_code in (302, 404, 422), (path, name, value)
                page = getattr(answer, "told", answer).content
                if answer.status_code == 422 or hasattr(answer, "told"):
                    assert b'class="refusal"' in page or b'notes" role="status"' in page, (path, name, value)


@pytest.mark.parametrize("role", ROLES)
def test_nobody_breaks_anything_with_nonsense_in_every_field(role: str | None, season: Season) -> None:
    client = browser(role)
    for path, usual in FORMS.items():
        for value in some(path, 2):
            answer = asked(client, "/" + path.format(code=season.league.code), dict.fromkeys(usual, value))
            assert answer.status_code in (200, 302, 403, 404, 422), (path, value)


def test_a_form_with_a_file_in_the_place_of_words_is_no_crash(season: Season) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    boss = browser("Ana")
    for path, usual in FORMS.items():
        for name in list(usual)[:9]:
            data = {**usual, name: SimpleUploadedFile("x.txt", b"\x00\xff")}
            assert asked(boss, "/" + path.format(code=season.league.code), data).status_code in (200, 302, 403, 404, 422)


@pytest.mark.parametrize("reason", ["\x00", "So\x00", "\u202eos\u200b", "a\tb\nc"])
def test_a_reason_is_kept_as_it_can_be_read(reason: str) -> None:
    season, boss = league("Ana", "Bogdan"), visitor("Ana")
    boss.post(home(season) + "members/Bogdan/decide/", {"act": "expel", "reason": reason})
    kept = Membership.objects.get(user=player("Bogdan")).reason
    assert kept in ("", "So", "os", "a b c")
    boss.post(home(season) + "adjust/", {"name": "Ana", "points": "5", "reason": reason, "request": "r"})
    assert not set("".join(LedgerRow.objects.values_list("reason", flat=True))) & set("\x00\u202e\u200b\t\n")


@pytest.mark.parametrize("reason", ["\u3164", "\u2800 \ufe0f", "\u115f\u200d"])
def test_a_reason_that_cannot_be_seen_is_none(reason: str) -> None:
    season, boss = league("Ana", "Bogdan"), visitor("Ana")
    boss.post(home(season) + "members/Bogdan/decide/", {"act": "expel", "reason": reason})
    boss.post(home(season) + "adjust/", {"name": "Ana", "points": "5", "reason": reason, "request": "r"})
    assert Membership.objects.get(user=player("Bogdan")).until is None and not LedgerRow.objects.exists()


@pytest.mark.parametrize("seat", ["²", "", "-1", "99", "x", "1x"])
def test_a_seat_that_is_none_is_not_the_first(seat: str) -> None:
    from games.services import turns
    from tests.games.playing import DAY, awake, fresh

    season = league("Ana", "Bogdan", "Céline", terms={"turn_time": DAY, "excuses": 0, "absent_after": 1})
    game = match(season, "Bogdan", "Céline")
    awake(NOON + 2 * DAY)
    assert turns.expire(game_id=game.pk, now=NOON + 2 * DAY)
    answer = visitor("Ana").post(home(season) + "substitute/", {"seat": f"{game.code}-{seat}", "name": "Ana"})
    assert answer.status_code == (302 if seat == "99" else 404)
    assert fresh(game).seats.get(index=0).user == player("Bogdan")


@pytest.mark.parametrize("day", ["9999-12-31", "9999-12-30", "0001-01-01", "2001-01-01", "2200-01-01"])
def test_a_last_day_that_is_none_is_told_at_its_place(day: str) -> None:
    made = new_league("Ana")
    answer = visitor("Ana").post(f"/l/{made.code}/season/", {"until": "date", "ends_on": day})
    assert answer.status_code == 422
    assert ("That day is over." if day < "2026" else "A season lasts ten years at most.") in words(answer)
    assert not Season.objects.exists()


def test_what_stands_in_a_field_that_is_not_asked_for_is_nobody_s_fault() -> None:
    made = new_league("Ana")
    asked = {"until": "points", "first_to": "300", "ends_on": "9999-12-31", "matches_each": "many"}
    assert visitor("Ana").post(f"/l/{made.code}/season/", asked).status_code == 302
    assert Season.objects.get().first_to == 300
    assert not Game.objects.exists()

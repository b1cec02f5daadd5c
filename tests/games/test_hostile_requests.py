"""What no browser sends, but somebody will: an answer, never a crash, and nothing told or changed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Deal, Game
from games.services import tables
from tests.games.playing import player, running, seat

pytestmark = pytest.mark.django_db


def logged_in(name: str) -> Client:
    client = Client()
    client.force_login(player(name))
    return client


@pytest.mark.parametrize("order", ["\x00", "7H\x00", "<b>", "zz"])
def test_an_order_of_the_hand_keeps_cards_alone(order: str) -> None:
    game = running("Ana", "Bogdan")
    answer = logged_in("Ana").post(f"/t/{game.code}/arrange/", {"sort": "hand", "order": [order, "7H"]})
    assert answer.status_code == 204
    assert seat(game, "Ana").arrangement == ["7H"]


def test_a_table_like_none_is_a_404() -> None:
    for like in ("\x00", "nowhere", "../"):
        assert logged_in("Ana").get("/tables/new/", {"like": like}).status_code == 404


@pytest.mark.parametrize("address", ["http://[", "//", "javascript:alert(1)", "http://[::1"])
def test_addresses_that_cannot_be_read_lead_home(address: str) -> None:
    game = running("Ana", "Bogdan")
    swapped = Client().get(f"/t/{game.code}/poll/0/", headers={"HX-Request": "true", "HX-Current-URL": address})
    posted = Client().post(f"/t/{game.code}/play/", headers={"Referer": address})
    assert swapped.status_code == 200 and swapped["HX-Redirect"].startswith("/account/login/")
    assert posted.status_code == 302 and posted["Location"].startswith("/account/login/")


def test_a_way_back_that_cannot_be_read_is_none() -> None:
    User.objects.create_user("Dan", password="a long password")
    answer = Client().post("/account/login/?next=http://[", {"login": "Dan", "password": "a long password", "next": "http://["})
    assert answer.status_code == 302 and answer["Location"] == "/tables/"


@pytest.mark.parametrize("path", ["/", "/tables/new/", "/account/login/", "/nowhere/"])
def test_a_form_in_another_encoding_is_refused(path: str) -> None:
    answer = Client().post(path, b"a=1", content_type="application/x-www-form-urlencoded; charset=utf-7")
    assert answer.status_code == 400 and "Content-Security-Policy" in answer.headers


@pytest.mark.parametrize(
    "query", ["deck__startswith=8S", "seed=x", "state__turn_hand__0=7H", "hands__cards__0=7H", "game__deals__deck__contains=7H"]
)
def test_the_lists_of_the_admin_answer_no_question_about_secrets(query: str) -> None:
    game = running("Ana", "Bogdan")
    boss = Client()
    boss.force_login(User.objects.create_superuser("boss"))
    first = Deal.objects.get(game=game).deck[:2]
    for path in ("game", "deal", "entry"):
        for asked in (query, query.replace("8S", first)):
            assert boss.get(f"/admin/games/{path}/?{asked}").status_code in (302, 400)
        assert boss.get(f"/admin/games/{path}/?q=7H").status_code == 200


def test_the_lists_of_the_admin_still_filter_by_what_they_offer() -> None:
    running("Ana", "Bogdan")
    boss = Client()
    boss.force_login(User.objects.create_superuser("boss"))
    assert boss.get("/admin/games/game/?status__exact=running").status_code == 200
    assert boss.get("/admin/games/deal/?scored__exact=0").status_code == 200


def _at_once(calls: list[Callable[[], Any]]) -> None:
    def run(call: Callable[[], Any]) -> None:
        try:
            call()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.django_db(transaction=True)
def test_the_same_table_asked_for_several_times_at_once_is_one_table() -> None:
    ana, now = player("Ana"), timezone.now()

    def ask() -> None:
        tables.create_once(
            maker=User.objects.get(pk=ana.pk),
            variant="rami500",
            seats=3,
            options={},
            turn_time=timedelta(days=1),
            now=now,
            title="x",
        )

    _at_once([ask] * 4)
    assert Game.objects.count() == 1
    tables.create_once(maker=ana, variant="rami500", seats=3, options={}, turn_time=timedelta(days=1), now=now, title="another")
    assert Game.objects.count() == 2

"""The admin of the games: to look at only, and nothing hidden in it, for superusers neither."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Deal, Entry, Game, Outage, Seat, Watch
from games.services import outages
from tests.games.pages import words
from tests.games.playing import DAY, NOON, at, play, quick_turn, rows, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("Boss"))
    return client


def pages(game: Game) -> list[str]:
    """Every page of the admin that could tell of a table."""
    deal = game.deals.get()
    lists = [reverse(f"admin:games_{name}_changelist") for name in ("game", "deal", "entry")]
    return [
        *lists,
        reverse("admin:games_game_change", args=[game.pk]),
        reverse("admin:games_deal_change", args=[deal.pk]),
        reverse("admin:games_game_history", args=[game.pk]),
    ]


def test_no_page_shows_a_hand_the_deck_the_seed_or_the_state(boss: Client) -> None:
    game = running("Ana", "Bogdan")
    play(game, "S")
    Seat.objects.filter(game=game).update(arrangement=["QH", "2S"])
    deal = Deal.objects.get()
    hands = {card for hand in at(game).hands for card in hand.cards} | {"QH", "2S"}
    turned_up = at(game).deal.rules.alphabet.texts[at(game).deal.row[0]]
    for url in pages(game):
        answer = boss.get(url)
        assert answer.status_code == 200, url
        page = answer.content.decode()
        assert deal.deck not in page
        assert deal.seed.hex() not in page
        assert set(re.findall(r"\b[A2-9TJQK][SHDC]\b", page)) & hands <= {turned_up}, url


def test_nothing_can_be_added_changed_or_deleted(boss: Client) -> None:
    game = running("Ana", "Bogdan")
    deal, entry = game.deals.get(), game.entries.first()
    assert entry
    before = rows()
    for name, row in (("game", game), ("deal", deal), ("entry", entry)):
        change = reverse(f"admin:games_{name}_change", args=[row.pk])
        for url in (change, reverse(f"admin:games_{name}_add"), reverse(f"admin:games_{name}_delete", args=[row.pk])):
            assert boss.post(url, {"title": "Mine", "post": "yes"}).status_code == 403, url
        bulk = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
        boss.post(reverse(f"admin:games_{name}_changelist"), bulk)
    after = rows()
    assert {name: after[name] for name in after if name != "User"} == {name: before[name] for name in before if name != "User"}


def test_the_fields_shown_hold_no_secret() -> None:
    secret = {"deck", "seed", "state", "cards", "arrangement"}
    shown = {
        field
        for model, options in admin.site._registry.items()
        if model._meta.app_label == "games"
        for part in (options, *options.inlines)
        for field in (*(part.fields or ["everything"]), *getattr(part, "list_display", ()))
    }
    assert "number" in shown
    assert not shown & (secret | {"everything"})


def test_the_log_tells_moves_and_their_public_facts(boss: Client) -> None:
    game = running("Ana", "Bogdan")
    quick_turn(game)
    discard = Entry.objects.get(text__startswith="D:")
    card = discard.text.removeprefix("D:")
    page = words(boss.get(reverse("admin:games_entry_changelist")))
    assert f'D:{card} {{"cards": ["{card}"]}}' in page


def test_who_is_no_staff_does_not_come_in() -> None:
    client = Client()
    client.force_login(User.objects.create_user("Ana"))
    assert client.get(reverse("admin:games_game_changelist")).status_code == 302


# -- the watch over the clocks ------------------------------------------------------------------


@pytest.fixture
def keeper() -> Client:
    """Who looks after the site, with no right but those for the clocks."""
    client, user = Client(), User.objects.create_user("Keeper", is_staff=True)
    user.user_permissions.add(*Permission.objects.filter(codename__in=["add_outage", "view_outage", "change_watch"]))
    client.force_login(user)
    return client


GIVE, WATCH = "/admin/games/outage/add/", "/admin/games/watch/1/change/"


def test_time_is_given_to_every_clock_with_the_reason(keeper: Client) -> None:
    answer = keeper.post(GIVE, {"hours": "36", "minutes": "30", "reason": "The mails were late"})
    assert answer.status_code == 302
    given = Outage.objects.get()
    assert (given.kind, given.span, given.reason) == ("gift", timedelta(hours=36, minutes=30), "The mails were late")
    assert (given.by, given.applied_at) == (User.objects.get(username="Keeper"), None)
    assert LogEntry.objects.get().object_id == str(given.pk)
    assert "The mails were late" in words(keeper.get("/admin/games/outage/"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"hours": "0", "minutes": "0"},
        {"hours": "-1"},
        {"hours": "337"},
        {"hours": "336", "minutes": "1"},
        {"minutes": "60"},
        {"hours": "x"},
        {"hours": "1" * 400},
        {"reason": ""},
        {"reason": "x" * 201},
        {"reason": "a\0b"},
    ],
)
def test_a_gift_that_cannot_be_is_refused(keeper: Client, wrong: dict[str, str]) -> None:
    answer = keeper.post(GIVE, {"hours": "1", "minutes": "0", "reason": "Why", **wrong})
    assert (answer.status_code, Outage.objects.count()) == (200, 0)


def test_work_on_the_site_begins_and_ends_there(keeper: Client) -> None:
    outages.beat(now=NOON)
    with time_machine.travel(NOON, tick=False):
        keeper.post(WATCH, {"working": "on", "reason": "A new disk"})
        assert "checked" in keeper.get(WATCH).content.decode()
    assert Watch.objects.get().maintenance_since == NOON
    with time_machine.travel(NOON + DAY, tick=False):
        keeper.post(WATCH, {"reason": ""})
    assert Watch.objects.get().maintenance_since is None
    done = Outage.objects.get()
    assert (done.kind, done.began, done.ended, done.reason) == ("work", NOON, NOON + DAY, "A new disk")


def test_without_the_right_nobody_touches_the_clocks() -> None:
    outages.beat(now=NOON)
    client = Client()
    client.force_login(User.objects.create_user("Helper", is_staff=True))
    for url, sent in ((GIVE, {"hours": "1", "minutes": "0", "reason": "x"}), (WATCH, {"working": "on", "reason": ""})):
        assert client.post(url, sent).status_code == 403
    assert not Outage.objects.exists() and Watch.objects.get().maintenance_since is None


def test_an_outage_is_neither_changed_nor_deleted(boss: Client) -> None:
    given = outages.give(span=DAY, reason="Why", by=None, now=NOON)
    assert boss.post(f"/admin/games/outage/{given.pk}/change/", {"hours": "9"}).status_code == 403
    assert boss.post(f"/admin/games/outage/{given.pk}/delete/", {"post": "yes"}).status_code == 403


def test_the_command_says_how_it_is_and_begins_and_ends_work(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("maintenance")
    assert "Nobody works on the site." in capsys.readouterr().out
    call_command("maintenance", "on", "A new disk")
    assert "No turn runs out." in capsys.readouterr().out
    with pytest.raises(CommandError, match="already"):
        call_command("maintenance", "on")
    call_command("maintenance", "off")
    assert Outage.objects.get().reason == "A new disk"
    with pytest.raises(CommandError, match="Nobody works"):
        call_command("maintenance", "off")
    with pytest.raises(CommandError, match="too long"):
        call_command("maintenance", "on", "x" * 201)

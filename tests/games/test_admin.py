"""The admin of the games: to look at only, and nothing hidden in it, for superusers neither."""

from __future__ import annotations

import re

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Deal, Entry, Game, Seat
from tests.games.pages import words
from tests.games.playing import at, play, quick_turn, rows, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("Boss"))
    return client


def pages(game: Game) -> list[str]:
    """Every page of the admin that could tell of a table."""
    deal, entry = game.deals.get(), game.entries.first()
    assert entry
    lists = [reverse(f"admin:games_{name}_changelist") for name in ("game", "deal", "entry")]
    return [
        *lists,
        reverse("admin:games_game_change", args=[game.pk]),
        reverse("admin:games_deal_change", args=[deal.pk]),
        *[reverse("admin:games_entry_change", args=[entry.pk]) for entry in game.entries.all()],
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
    page = words(boss.get(reverse("admin:games_entry_change", args=[discard.pk])))
    assert f"Text: D:{card}" in page
    assert f'Facts: {{"cards": ["{card}"]}}' in page


def test_who_is_no_staff_does_not_come_in() -> None:
    client = Client()
    client.force_login(User.objects.create_user("Ana"))
    assert client.get(reverse("admin:games_game_changelist")).status_code == 302

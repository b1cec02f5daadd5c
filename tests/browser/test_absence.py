"""Back at one tap, and sitting down for somebody who stays away, in a real browser."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from games.models import Game
from games.services import turns
from tests.browser.players import come_in
from tests.games.playing import awake, fresh, player, running

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def left_by_ana() -> Game:
    now = timezone.now()
    game = running("Ana", "Bogdan", absent_after=1, now=now - timedelta(days=1))
    awake(now)
    assert turns.expire(game_id=game.pk, now=now)
    return fresh(game)


def test_back_at_one_tap_without_loading_the_page_anew(live_server: LiveServer, contexts: Any) -> None:
    game = left_by_ana()
    page = come_in(contexts(width=390), live_server.url, player("Ana"))
    page.goto(f"{live_server.url}/t/{game.code}/")
    page.evaluate("window.stays = true")
    page.get_by_role("button", name="I am back").click()
    page.get_by_text("Your hand waits here").wait_for()
    assert page.evaluate("window.stays")
    assert page.get_by_role("button", name="I am back").count() == 0
    assert not game.seats.get(index=0).absent


def test_from_the_lobby_to_the_hand_of_an_absent_player_in_two_taps(live_server: LiveServer, contexts: Any) -> None:
    game = left_by_ana()
    page = come_in(contexts(width=390), live_server.url, player("Dan"))
    page.goto(f"{live_server.url}/lobby/")
    page.get_by_role("link", name="Take over").click()
    page.get_by_role("button", name="Take over").click()
    page.locator("#cards").wait_for()
    assert page.locator("#cards li").count() == len(game.deals.get().hands.get(seat=0).cards)
    assert str(game.seats.get(index=0).user) == "Dan"

"""Talking at a table, in a real browser: words come by themselves, and what is being written stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from games.services import chat
from tests.browser.players import come_in
from tests.games.playing import play, player, running, seat

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_words_come_and_go_beside_the_table_and_a_move_takes_nothing_from_the_field(
    live_server: LiveServer, contexts: Any
) -> None:
    game = running("Ana", "Bogdan", now=timezone.now())
    page = come_in(contexts(width=1280, height=900), live_server.url, player("Bogdan"))
    page.goto(f"{live_server.url}/t/{game.code}/")
    field = page.get_by_label("Say something")
    field.fill("half a sen")
    chat.say(code=game.code, user=player("Ana"), text="Good luck!", now=timezone.now())
    page.locator("#says").get_by_text("Good luck!").wait_for()
    play(game, "S", now=timezone.now())
    page.locator(".log").get_by_text("drew").first.wait_for()
    assert field.input_value() == "half a sen"
    assert page.locator("#says").get_by_text("Good luck!").is_visible()
    field.press("End")
    field.type("tence")
    field.press("Enter")
    page.locator("#says").get_by_text("half a sentence").wait_for()
    assert field.input_value() == "" and page.evaluate("document.activeElement.id") == "words"


def test_the_mark_of_new_words_goes_when_they_are_looked_at(live_server: LiveServer, contexts: Any) -> None:
    game = running("Ana", "Bogdan", now=timezone.now())
    chat.say(code=game.code, user=player("Ana"), text="Good luck!", now=timezone.now())
    page = come_in(contexts(width=390), live_server.url, player("Bogdan"))
    page.goto(f"{live_server.url}/t/{game.code}/")
    opener = page.get_by_role("button", name="New words in the chat")
    assert opener.is_visible() and seat(game, "Bogdan").seen_chat == 0
    with page.expect_response("**/chat/seen/"):
        opener.click()
    assert page.locator("#says").get_by_text("Good luck!").is_visible()
    assert opener.count() == 0 and seat(game, "Bogdan").seen_chat == 1


def test_on_the_page_of_the_chat_too_and_the_bell_beside_it_keeps_its_number(live_server: LiveServer, contexts: Any) -> None:
    game = running("Ana", "Bogdan", now=timezone.now())
    chat.say(code=game.code, user=player("Ana"), text="Good luck!", now=timezone.now())
    page = come_in(contexts(width=390), live_server.url, player("Bogdan"))
    with page.expect_response("**/chat/seen/"):
        page.goto(f"{live_server.url}/t/{game.code}/chat/")
    assert seat(game, "Bogdan").seen_chat == 1
    assert page.locator("#bell").get_attribute("data-unread") == "0"

"""The page of a table notes that it is looked at: then what it shows is not told by mail too."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from accounts.models import Looking
from tests.browser.players import come_in
from tests.games.playing import player, running

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def until(holds: Callable[[], object], *, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it has not happened"
        time.sleep(0.02)


def test_it_is_noted_once_when_the_page_is_opened_and_not_by_a_page_in_the_background(
    contexts: Any, live_server: LiveServer
) -> None:
    game = running("Ana", "Bogdan")
    page = come_in(contexts(), live_server.url, player("Ana"))
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.url.endswith("looking/") else None)
    page.goto(f"{live_server.url}/t/{game.code}/")
    until(lambda: Looking.objects.filter(user=player("Ana"), game=game.code).exists())
    page.mouse.move(50, 50)
    page.mouse.move(90, 90)
    assert posts == [f"{live_server.url}/t/{game.code}/looking/"]
    # a minute later, in the background and then in front again
    page.evaluate("() => { const now = Date.now(); Date.now = () => now + 61_000; }")
    page.evaluate("() => Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    page.mouse.move(50, 50)
    assert len(posts) == 1
    page.evaluate("() => { delete document.hidden; document.dispatchEvent(new Event('visibilitychange')); }")
    until(lambda: len(posts) == 2)

"""A league from its first form to a table that has moved, in real browsers, with a real worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import League, LedgerRow
from games.models import Game
from games.services import chat
from tests.browser.players import DESK, PHONE, come_in, make
from tests.conftest import Worker
from tests.games.playing import fresh, player, quick_turn
from tests.games.test_worker import until
from tests.leagues.playing import league, match

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def play_to_the_end(game: Game) -> None:
    """The members draw and discard, the computers play by themselves."""
    while fresh(game).status == Game.Status.RUNNING:
        until(lambda: not fresh(game).awaits_server, seconds=20)
        if fresh(game).status == Game.Status.RUNNING:
            quick_turn(game)


def test_two_members_and_two_computers_finish_a_match_and_the_table_moves(
    live_server: LiveServer, contexts: Any, worker: Worker
) -> None:
    ana = come_in(contexts(**PHONE), live_server.url, player("Ana"))
    ana.goto(f"{live_server.url}/leagues/")
    ana.get_by_role("link", name="New league").click()
    ana.get_by_label("Name of the league").fill("Friday league")
    ana.get_by_label("Remi 500").check(force=True)
    ana.get_by_label("Computer players").check()
    ana.get_by_text("Options of the card games").click()
    ana.get_by_label("Target", exact=True).first.select_option("one")
    ana.get_by_role("button", name="Make the league").click()
    ana.get_by_role("button", name="Begin the season").click()
    ana.get_by_text("The season has begun.").wait_for()
    league = League.objects.get()

    bogdan = come_in(contexts(**DESK), live_server.url, player("Bogdan"))
    bogdan.goto(f"{live_server.url}/l/{league.code}/")
    bogdan.get_by_role("button", name="Join the league").click()
    bogdan.get_by_text("You are a member now.").wait_for()

    ana.goto(f"{live_server.url}/l/{league.code}/")
    ana.get_by_label("Computer players").select_option("2")
    ana.get_by_role("button", name="New table").click()
    ana.get_by_role("heading", name="Friday league 1").wait_for()
    bogdan.reload()
    bogdan.get_by_role("button", name="Join Friday league 1").click()
    bogdan.locator("#table").wait_for()

    game = Game.objects.get()
    assert game.seats.exclude(bot="").count() == 2
    play_to_the_end(game)
    until(lambda: LedgerRow.objects.count() == 2)

    bogdan.goto(f"{live_server.url}/t/{game.code}/")
    if "/deals/" in bogdan.url:
        bogdan.get_by_role("button", name="To the match sheet").click()
    expect(bogdan.locator(".outcome li")).to_have_count(2)
    bogdan.get_by_role("link", name="To the league").click()
    rows = bogdan.locator(".standing tbody tr")
    expect(rows).to_have_count(2)
    best = max(LedgerRow.objects.all(), key=lambda row: row.points)
    expect(rows.first).to_contain_text(best.player.username)
    expect(bogdan.locator(".standing [data-me] th")).to_contain_text("Bogdan (you)")
    expect(bogdan.locator(".chart polyline")).to_have_count(2)
    ana.goto(f"{live_server.url}/l/{league.code}/")
    assert ana.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_move_keeps_the_name_of_the_league_beside_the_table_and_brings_new_words_soon(
    live_server: LiveServer, contexts: Any
) -> None:
    now = timezone.now()
    game = match(league("Ana", "Bogdan", now=now), "Ana", "Bogdan", now=now, seed="any")
    chat.say(code=game.code, user=player("Bogdan"), text="good luck", now=now)
    page = come_in(contexts(**DESK), live_server.url, player("Ana"))
    page.goto(f"{live_server.url}/t/{game.code}/")
    named = page.locator("#of-league").get_by_role("link", name="Friday league")
    named.wait_for()
    page.get_by_text("good luck").wait_for()
    chat.say(code=game.code, user=player("Bogdan"), text="take your time", now=now)

    make(page, "S")
    assert named.is_visible() and page.get_by_text("good luck").is_visible()
    page.get_by_text("take your time").wait_for(timeout=15_000)
    assert named.is_visible() and named.get_attribute("href") == f"/l/{League.objects.get().code}/"

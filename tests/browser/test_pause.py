"""Two people pause their table in real browsers, and go on; and one goes on vacation, with and without script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from accounts.models import Vacation
from tests.browser.players import at_rest, come_in
from tests.browser.test_play import fresh, no_sideways_scroll, table_for

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False], ids=["with_script", "without_script"])
def test_two_pause_their_table_and_one_goes_on(live_server: LiveServer, contexts: Any, script: bool) -> None:
    game, people = table_for("Ana", "Bogdan")
    faults: list[str] = []
    pages = []
    for person, width in zip(people, (390, 1280), strict=True):
        page = come_in(contexts(width=width, java_script_enabled=script), live_server.url, person)
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.goto(f"{live_server.url}/t/{game.code}/")
        pages.append(page)
    ana, bogdan = pages
    if script:
        at_rest(ana)
        ana.locator(".opener").click()
        ana.locator('#side button[value="agree"]').click()
    else:  # where the side is folded away, it opens without script all the same
        bogdan.locator('#side button[value="agree"]').click()
        ana, bogdan = bogdan, ana
    ana.get_by_text("You are for a pause.").wait_for()
    bogdan.reload()
    bogdan.locator('.asks button[value="agree"]').click()
    bogdan.get_by_text("Paused, until").wait_for()
    assert fresh(game).paused_at is not None and no_sideways_scroll(bogdan)
    assert bogdan.locator('#acts .btn[name="move"]').count() == 0
    bogdan.get_by_role("button", name="Go on playing").click()
    bogdan.get_by_text("Paused, until").wait_for(state="detached")
    assert (fresh(game).paused_at, fresh(game).left) == (None, None)
    assert faults == []


@pytest.mark.parametrize("script", [True, False], ids=["with_script", "without_script"])
def test_a_vacation_is_begun_and_ended_in_the_settings(live_server: LiveServer, contexts: Any, script: bool) -> None:
    _game, [ana] = table_for("Ana", computers=1)
    page = come_in(contexts(width=390, java_script_enabled=script), live_server.url, ana)
    page.goto(f"{live_server.url}/settings/")
    today = timezone.localdate().isoformat()
    page.locator("#vacation #id_first").fill(today)
    page.locator("#vacation #id_last").fill(today)
    page.get_by_role("button", name="Go on vacation").click()
    page.get_by_text("You are away. Have a good time!").wait_for()
    assert Vacation.objects.get().lasts(timezone.now()) and no_sideways_scroll(page)
    page.locator("#vacation").get_by_role("button", name="I am back").click()
    page.get_by_text("Your vacation has ended.").wait_for()
    assert not Vacation.objects.get().lasts(timezone.now())

"""A move is contested from the log in a real browser, with and without script, by hand and by keyboard, and withdrawn again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from games.models import Dispute
from games.services import rulings
from tests.browser.players import come_in
from tests.browser.test_play import no_sideways_scroll, table_for
from tests.games.cases import HOUR, referee
from tests.games.playing import quick_turn

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False], ids=["with_script", "without_script"])
def test_a_move_is_contested_answered_and_withdrawn(live_server: LiveServer, contexts: Any, script: bool) -> None:
    game, [ana, bogdan] = table_for("Ana", "Bogdan")
    quick_turn(game, now=timezone.now())
    page = come_in(contexts(width=390, java_script_enabled=script), live_server.url, ana)
    page.goto(f"{live_server.url}/t/{game.code}/log/")
    page.get_by_role("link", name="Contest").first.click()
    page.get_by_label("Collusion").focus()
    page.keyboard.press("Space")
    page.get_by_label("What happened").fill("That was\nnot right.")
    assert no_sideways_scroll(page)
    page.get_by_role("button", name="Open the dispute").press("Enter")
    page.get_by_text("The dispute is open").wait_for()
    made = Dispute.objects.get()
    assert (made.kind, made.words, made.deal) == ("collusion", "That was\nnot right.", 0) and no_sideways_scroll(page)

    rulings.claim(case=made.pk, user=referee(), now=timezone.now())
    rulings.freeze(case=made.pk, user=referee(), span=HOUR, now=timezone.now())
    other = come_in(contexts(width=1280, java_script_enabled=script), live_server.url, bogdan)
    other.goto(f"{live_server.url}/t/{game.code}/")
    other.get_by_text("Frozen by a referee, until").wait_for()
    assert other.locator('#acts .btn[name="move"]').count() == 0 and no_sideways_scroll(other)
    other.get_by_role("link", name="Look, or answer").click()
    other.get_by_role("link", name="Collusion").click()
    other.get_by_label("Your answer").fill("It was.")
    other.get_by_role("button", name="Answer").click()
    other.get_by_text("Your answer stands with the case.").wait_for()
    assert other.get_by_role("button", name="Withdraw").count() == 0

    page.reload()
    page.get_by_role("button", name="Withdraw").click()
    page.get_by_text("It is withdrawn.").wait_for()
    other.goto(f"{live_server.url}/t/{game.code}/")
    assert other.get_by_text("Frozen by a referee").count() == 0

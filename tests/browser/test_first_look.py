"""What somebody sees who comes for the first time, by the link of a table, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from tests.games.playing import open_table

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_terms_stand_in_the_hours_of_the_visitors_place_at_first_sight(live_server: LiveServer, contexts: Any) -> None:
    game = open_table("Ana", quiet_from=22, quiet_to=8, zone="UTC", now=timezone.now())
    page = contexts(width=390, timezone_id="Asia/Tokyo").new_page()
    page.goto(f"{live_server.url}/t/{game.code}/")
    page.get_by_text("no turn ends between 22:00 and 08:00 (UTC; 07:00 and 17:00 for you)").wait_for()

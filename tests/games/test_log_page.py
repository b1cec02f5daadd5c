"""The page of the whole log."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Game
from games.views import log
from tests.games.pages import visitor, words
from tests.games.playing import open_table, quick_turn, running

pytestmark = pytest.mark.django_db


def test_the_log_tells_the_newest_first_in_words_and_notation() -> None:
    game = running("Ana", "Bogdan", title="Friday")
    for _turn in range(2):
        quick_turn(game)
    page = words(visitor("Ana").get(f"/t/{game.code}/log/"))
    assert page.index("Bogdan drew, discarded") < page.index("You drew, discarded") < page.index("The match begins")
    assert "S D:" in page


def test_a_draw_from_the_stock_stays_unseen() -> None:
    game = running("Ana", "Bogdan")
    turn = quick_turn(game)
    shown = visitor("Ana").get(f"/t/{game.code}/log/").content.decode()
    discarded = turn.deal.rules.alphabet.texts[turn.deal.row[-1]]
    assert [f"D:{card}" in shown for hand in turn.hands for card in hand.cards if card != discarded].count(True) == 0
    assert f"D:{discarded}" in shown


def test_a_table_that_fills_has_a_log_too() -> None:
    game = open_table("Ana", seats=4, computers=1)
    assert "You opened the table" in words(visitor("Ana").get(f"/t/{game.code}/log/"))


def test_a_long_log_is_told_page_by_page(monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: Any) -> None:
    monkeypatch.setattr(log, "ROWS_ON_A_PAGE", 3)
    game = running("Ana", "Bogdan")
    client = visitor("Ana")
    with django_assert_max_num_queries(9):
        assert "page 1 of 2" in words(client.get(f"/t/{game.code}/log/"))
    assert "opened the table" in words(client.get(f"/t/{game.code}/log/?page=2"))


def test_a_foreign_table_has_no_log() -> None:
    game = running("Ana", "Bogdan", visibility=Game.Visibility.LINK)
    assert visitor("Céline").get(f"/t/{game.code}/log/").status_code == 404
    assert visitor().get(f"/t/{game.code}/log/").status_code == 302

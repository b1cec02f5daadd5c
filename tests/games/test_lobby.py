"""The lobby: open tables that anyone may join, and the ones asked for."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from games.models import Game
from tests.games.pages import visitor, words
from tests.games.playing import DAY, NOON, open_table, running

pytestmark = pytest.mark.django_db

URL = "/lobby/"


def listed(query: str = "", name: str = "Ana") -> list[str]:
    """The names of the tables shown, in order."""
    page = visitor(name).get(URL + query).content.decode()
    return re.findall(r'<h3><a href="/t/[^"]+">(.*?)</a></h3>', page)


def test_a_visitor_logs_in_first_and_comes_back() -> None:
    assert visitor().get(URL)["Location"] == "/account/login/?next=/lobby/"


def test_only_open_public_tables_are_shown() -> None:
    open_table("Bogdan", title="Open")
    open_table("Bogdan", title="By link", visibility=Game.Visibility.LINK)
    running("Bogdan", "Céline", title="Running")
    assert listed() == ["Open"]


def test_tables_that_lack_the_fewest_players_come_first() -> None:
    open_table("Bogdan", title="Four", seats=4)
    open_table("Bogdan", "Céline", title="Almost", seats=3)
    open_table("Bogdan", title="Newer", seats=4, now=NOON + timedelta(hours=1))
    assert listed() == ["Almost", "Newer", "Four"]


def test_a_table_says_what_is_played_how_fast_and_who_sits_there() -> None:
    open_table("Bogdan", title="Big", seats=5, computers=2, variant="remi500", options={"target": None, "top_card_free": True})
    page = words(visitor("Ana").get(URL))
    assert "Remi 500, one deal 1 day a turn top card free Bogdan new free free Computer 1 Computer 2 Join" in page


def test_the_last_seat_says_that_the_match_starts_at_once() -> None:
    game = open_table("Bogdan")
    page = visitor("Ana").get(URL).content.decode()
    assert f'<button class="btn go" formaction="/t/{game.code}/join/">' in page
    assert "it starts at once" in page


def test_at_ones_own_table_there_is_nothing_to_join() -> None:
    game = open_table("Ana")
    page = visitor("Ana").get(URL).content.decode()
    assert f"/t/{game.code}/join/" not in page
    assert "you sit here" in page


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?game=remi500", {"remi quick", "remi five"}),
        ("?game=remi500&game=rami500", {"remi quick", "remi five", "rami slow", "rami day"}),
        ("?pace=live", {"remi quick"}),
        ("?pace=day&pace=slow", {"rami day", "rami slow", "remi five"}),
        ("?pace=slow&game=rami500", {"rami slow"}),
        ("?pace=slow", {"rami slow"}),
        ("?seats=2", {"remi quick", "rami day"}),
        ("?seats=5-8", {"remi five"}),
        ("?game=chess&pace=never&seats=99&page=x", {"remi quick", "remi five", "rami slow", "rami day"}),
        ("?page=-3", {"remi quick", "remi five", "rami slow", "rami day"}),
    ],
)
def test_filters_choose_the_tables_and_nonsense_chooses_all(query: str, expected: set[str]) -> None:
    open_table("Bogdan", title="remi quick", variant="remi500", turn_time=timedelta(hours=1))
    open_table("Bogdan", title="remi five", variant="remi500", seats=5)
    open_table("Bogdan", title="rami slow", seats=3, turn_time=14 * DAY)
    open_table("Bogdan", title="rami day", turn_time=timedelta(hours=8))
    assert set(listed(query)) == expected


def test_where_no_table_fits_the_others_are_a_tap_away() -> None:
    open_table("Bogdan")
    answer = visitor("Ana").get(URL + "?game=remi500")
    assert "No table fits these filters 1 other is open." in words(answer)
    assert 'href="/lobby/">Show all' in answer.content.decode()


def test_where_no_table_is_open_the_next_step_is_to_open_one() -> None:
    answer = visitor("Ana").get(URL)
    assert "No table is open" in words(answer)
    assert 'class="btn go" href="/tables/new/"' in answer.content.decode()


def test_many_tables_are_shown_page_by_page_and_keep_the_filters() -> None:
    for number in range(31):
        open_table("Bogdan", title=f"Table {number}")
    page = visitor("Ana").get(URL + "?game=rami500").content.decode()
    assert "31 open tables" in page
    assert 'href="?game=rami500&amp;page=2"' in page
    assert listed("?game=rami500&page=2") == ["Table 0"]


def test_a_name_of_a_table_is_text_and_nothing_else() -> None:
    open_table("Bogdan", title="<script>alert(1)</script>")
    assert "<script>alert" not in visitor("Ana").get(URL).content.decode()


def test_the_queries_do_not_grow_with_the_tables(django_assert_num_queries: Any) -> None:
    client = visitor("Ana")
    open_table("Bogdan")
    # session, user, count, tables, their seats with the players and how reliable they are, tables that look for a substitute,
    # leagues, bell
    with django_assert_num_queries(9):
        client.get(URL)
    for _number in range(6):
        open_table("Bogdan", "Céline", seats=4)
    with django_assert_num_queries(9):
        assert client.get(URL).status_code == 200

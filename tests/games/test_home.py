"""My games: what waits first, what it says of each table, and how it stays fresh."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from accounts.people.messages import post
from accounts.people.messages.spread import spread
from games.services import outages, tables, turns
from tests.games.pages import HTMX, visitor, words
from tests.games.playing import DAY, NOON, OUT_OF_TWO, on_turn, open_table, play, player, quick_turn, running, settle

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]

URL = "/tables/"


@pytest.fixture
def _noon() -> Any:
    with time_machine.travel(NOON, tick=False):
        yield


def names_under(page: str, heading: str) -> list[str]:
    """The tables listed under a heading, in order."""
    found = re.search(rf"<h2[^>]*>{heading}</h2>(.*?)</section>", page, re.S)
    return re.findall(r"<h3><a [^>]*>(.*?)</a>", found[1]) if found else []


def test_a_visitor_logs_in_first_and_comes_back() -> None:
    assert visitor().get(URL)["Location"] == "/account/login/?next=/tables/"


def test_who_has_no_table_is_offered_three_ways_to_begin() -> None:
    page = visitor("Ana").get(URL).content.decode()
    assert "Nothing is being played" in page
    for way in ('action="/play/"', 'href="/lobby/"', 'href="/tables/new/"'):
        assert way in page


def test_the_table_with_the_least_time_left_comes_first() -> None:
    running("Ana", "Bogdan", title="Slow", turn_time=3 * DAY)
    running("Ana", "Bogdan", title="Quick", turn_time=timedelta(hours=2))
    running("Bogdan", "Ana", title="Not mine yet")
    open_table("Ana", title="Filling", seats=3)

    page = visitor("Ana").get(URL).content.decode()

    assert names_under(page, "Waiting for you") == ["Quick", "Slow"]
    assert names_under(page, "Waiting for players") == ["Filling"]
    assert names_under(page, "Others to move") == ["Not mine yet"]
    assert page.count('class="btn go"') == 1


def test_the_tab_shows_how_many_wait() -> None:
    running("Ana", "Bogdan")
    assert "<title>(1) My tables · Remi</title>" in visitor("Ana").get(URL).content.decode()
    assert "<title>My tables · Remi</title>" in visitor("Bogdan").get(URL).content.decode()


def test_a_waiting_table_tells_what_the_one_before_discarded() -> None:
    game = running("Ana", "Bogdan", title="Friday")
    discarded = quick_turn(game).deal.row[-1]
    page = visitor("Bogdan").get(URL)
    assert "Rami 500 with Ana. Ana discarded" in words(page)
    assert discarded is not None


def test_who_plays_first_in_a_new_deal_is_told_so() -> None:
    running("Ana", "Bogdan")
    assert "A new deal: you play first." in words(visitor("Ana").get(URL))


def test_who_has_drawn_in_a_new_deal_is_not_told_so_any_more() -> None:
    play(running("Ana", "Bogdan"), "S")
    page = words(visitor("Ana").get(URL))
    assert "You have begun your turn." in page and "you play first" not in page


def test_a_turn_that_ran_out_is_told_as_such() -> None:
    game = running("Ana", "Bogdan")
    turns.expire(game_id=game.pk, now=NOON + DAY)
    assert "Time ran out for Ana; the server discarded" in words(visitor("Bogdan").get(URL))


def test_what_is_left_of_the_time_stands_in_words_and_as_a_date() -> None:
    running("Ana", "Bogdan", turn_time=timedelta(hours=8))
    page = visitor("Ana", accept_language="en").get(URL)
    assert '<time class="left" datetime="2026-03-01T20:00:00+00:00">' in page.content.decode()
    assert "8 h until 20:00 today" in words(page)


def test_a_turn_that_ends_soon_stands_out() -> None:
    running("Ana", "Bogdan", now=NOON - timedelta(hours=22))
    assert "data-soon" in visitor("Ana").get(URL).content.decode()


def test_a_table_where_the_deal_is_being_counted_waits_for_nobody() -> None:
    seed, moves, _scores = OUT_OF_TWO
    game = running("Ana", "Bogdan", seed=seed)
    play(game, moves)
    for name in ("Ana", "Bogdan"):
        assert "The deal is being counted." in words(visitor(name).get(URL))


def test_who_has_resigned_is_not_called_to_move() -> None:
    game = running("Ana", "Bogdan", "Céline", variant="remi500")
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    page = visitor("Ana").get(URL)
    assert "No table waits for you" in words(page)
    assert "You have resigned. Bogdan is to move." in words(page)


def test_finished_matches_stand_with_place_and_points() -> None:
    seed, moves, scores = OUT_OF_TWO
    game = running("Ana", "Bogdan", seed=seed, options={"target": 50}, title="Over")
    play(game, moves)
    settle(game)
    assert f"Over won +{scores[0]}" in words(visitor("Ana").get(URL))
    assert f"Over place 2 of 2 \N{MINUS SIGN}{-scores[1]}" in words(visitor("Bogdan").get(URL))


def test_a_cancelled_table_is_gone() -> None:
    game = open_table("Ana", title="Gone")
    tables.cancel(code=game.code, user=player("Ana"), now=NOON)
    assert "Gone" not in words(visitor("Ana").get(URL))


def test_no_card_of_a_hand_is_on_the_page() -> None:
    game = running("Ana", "Bogdan")
    page = visitor("Ana").get(URL).content.decode()
    assert on_turn(game).username == "Ana"
    assert len(re.findall(r'class="card"', page)) == 1  # the one that stands for the game


def test_the_page_asks_again_and_hears_nothing_while_nothing_changes() -> None:
    game = running("Ana", "Bogdan")
    client = visitor("Ana")
    seen = re.search(r'hx-get="(/tables/\?seen=\w+)"', client.get(URL).content.decode())
    assert seen
    assert client.get(seen[1], headers=HTMX).status_code == 204

    quick_turn(game)
    answer = client.get(seen[1], headers=HTMX)
    assert answer.status_code == 200
    assert answer.content.decode().startswith("<title>My tables · Remi</title>")
    assert "<html" not in answer.content.decode()


def test_a_new_message_brings_the_bell_along_with_the_tables() -> None:
    client = visitor("Ana")
    seen = re.search(r'hx-get="(/tables/\?seen=\w+)"', client.get(URL).content.decode())
    assert seen and client.get(seen[1], headers=HTMX).status_code == 204

    post(kind="league", user_ids=[player("Ana").pk], key="1", facts={"league": "Duminica"}, now=NOON)
    spread(now=NOON)
    part = client.get(seen[1], headers=HTMX).content.decode()

    assert "<title>(1) My tables" in part
    assert re.search(r'<a [^>]*id="bell"[^>]* data-unread="1"[^>]* hx-swap-oob="true"', part)


def test_work_on_the_site_is_said_and_comes_to_the_page_that_is_open() -> None:
    running("Ana", "Bogdan")
    client = visitor("Ana")
    seen = re.search(r'hx-get="(/tables/\?seen=\w+)"', client.get(URL).content.decode())
    assert seen and client.get(seen[1], headers=HTMX).status_code == 204

    outages.begin_maintenance(reason="A new <disk>", now=NOON)
    part = client.get(seen[1], headers=HTMX).content.decode()
    assert "The site is being worked on: no turn runs out meanwhile.</b> A new &lt;disk&gt;" in part

    assert "24 h the clock stands" in words(client.get(URL)) and "until" not in words(client.get(URL))

    outages.end_maintenance(now=NOON)
    assert "worked on" not in client.get(URL).content.decode()


def test_the_queries_do_not_grow_with_the_tables(django_assert_num_queries: Any) -> None:
    def fill(count: int) -> None:
        for number in range(count):
            running("Ana", "Bogdan")
            open_table("Ana", seats=3)
            seed, moves, _scores = OUT_OF_TWO
            over = running("Ana", f"Other {number}", seed=seed, options={"target": 50})
            play(over, moves)
            settle(over)

    client = visitor("Ana")
    fill(1)
    # session, user, versions, bell, work on the site, games and their seats, last turns, finished and their seats, invitations
    with django_assert_num_queries(11):
        client.get(URL)
    fill(4)
    with django_assert_num_queries(11):
        assert client.get(URL).status_code == 200

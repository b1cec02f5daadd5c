"""The end of a deal of tiles, the rack, the lists, the log and the terms."""

from __future__ import annotations

import re

import pytest

from games import engine
from games.forms import USUAL_TABLE
from games.models import Game
from games.presenters.result import result_context
from games.services import deals, exchange, turns
from tests.games.pages import HTMX, visitor, words
from tests.games.playing import NOON, at, fresh, play, player, seat, settle
from tests.games.tile_pages import (
    MINUS,
    body,
    drawn,
    held,
    opened,
    picked,
    post,
    ready_to_open,
    table,
)
from tests.games.tiles import rigged

pytestmark = pytest.mark.django_db


# -- the end of a deal ---------------------------------------------------------------------------


def half_played() -> Game:
    """Ana has opened and announced; the atu is a 1, and she was dealt its twin. Bogdan has not opened."""
    hand = "1K 1R 1B 11R 12R 13R 4B 5B 6B 7K 7R 7B 2Y"
    game = rigged("Ana", "Bogdan", hands=[hand, ""], atu="1K", exchange=False)
    play(game, f"D:{next(tile for tile in held(game, 'Ana') if tile not in hand.split())} S")
    play(game, f"D:{drawn(game)} S")
    play(game, f"M:1R,1B,1K M:11R,12R,13R M:4B,5B,6B M:7R,7B,7K A D:{drawn(game)}")
    return game


def test_the_end_of_a_deal_tells_how_each_score_came_about() -> None:
    game = half_played()
    run_to_the_end(game)
    settle(game)
    page = words(table("Ana", game, "deals/0/"))
    finished = game.deals.get(number=0)
    scores = {hand.seat: hand.score for hand in finished.hands.all()}
    assert "How each score came about." in page and "Laid" in page and "In hand" in page
    assert "Dealt the atu’s twin +50" in page
    assert page.count("Double game: the atu is a 1 ×2") == 2
    assert "Not opened" in page and f"{MINUS}100" in page
    assert f"{scores[0]:+}".replace("-", MINUS) in page and f"{scores[1]:+}".replace("-", MINUS) in page


def run_to_the_end(game: Game) -> None:
    """Let the turns run out until the deal is over."""
    while at(game).deal.phase != engine.OVER:
        turns.expire(game_id=game.pk, now=fresh(game).deadline or NOON)


def test_closing_is_offered_and_then_told() -> None:
    hand = "1K 1R 1B 11R 12R 13R 4B 5B 6B 7K 7R 7B 7Y 3B"
    game = rigged("Ana", "Bogdan", hands=[hand, ""], exchange=False)
    play(game, f"D:{next(tile for tile in held(game, 'Ana') if tile not in hand.split())} S")
    play(game, f"D:{drawn(game)} S")
    play(game, f"M:1R,1B,1K M:11R,12R,13R M:4B,5B,6B M:7R,7B,7K A D:{drawn(game)} S")
    play(game, f"D:{drawn(game)} S")
    play(game, "L:4:7Y L:3:3B")
    last = drawn(game)
    assert "Discard your last tile: that closes the deal" in words(table("Ana", game))
    assert "Close the deal" in words(picked("Ana", game, last))
    post("Ana", game, htmx=False, move="D", card=last)
    assert at(game).deal.reason == "out"
    settle(game)
    page = words(table("Ana", game, "deals/0/"))
    assert "You closed the deal and take the lead." in page and "Closed the deal +50" in page
    assert "closed the deal with" in words(table("Bogdan", game, "log/"))
    assert "Ana closed the deal and takes the lead." in words(table("Bogdan", game, "deals/0/"))


def test_the_lines_of_each_bill_add_up_to_its_score() -> None:
    game = half_played()
    run_to_the_end(game)
    settle(game)
    seats = list(game.seats.select_related("user"))
    for result in result_context(game=fresh(game), seats=seats, number=0, user=player("Ana"))["results"]:
        total = 0
        for line in result.bill:
            value = line.value.replace(MINUS, "-")
            total = total * int(value[1:]) if value.startswith("×") else total + int(value)
        assert total == result.score


# -- the rack ------------------------------------------------------------------------------------


def shelves(page: str) -> list[list[list[str]]]:
    """The tiles of a page's rack, by shelf and group."""
    found = page.split('id="cards"')[1].split("</div>")[0]
    groups = [re.findall(r"<li><ul>(.*?)</ul></li>", shelf, re.S) for shelf in found.split('<ul class="shelf"')[1:]]
    return [[re.findall(r'data-card="([^"]+)"', group) for group in shelf] for shelf in groups]


def test_a_rack_keeps_its_arrangement_and_the_gaps_in_it() -> None:
    game = opened()
    tiles = held(game, "Ana")
    order = [*tiles[:2], "", tiles[2], "/", *tiles[3:]]
    assert post("Ana", game, "arrange/", sort="hand", order=order).status_code == 204
    assert shelves(body(table("Ana", game))) == [[tiles[:2], [tiles[2]]], [tiles[3:]]]
    assert shelves(body(table("Ana", game, **HTMX))) == [[tiles[:2], [tiles[2]]], [tiles[3:]]]


def test_what_was_laid_falls_out_and_what_is_new_stands_last() -> None:
    game = opened()
    tiles = held(game, "Ana")
    post("Ana", game, "arrange/", sort="hand", order=[tiles[1], "", tiles[0], "/", *tiles[2:]])
    play(game, f"D:{tiles[0]} S")
    play(game, f"D:{drawn(game)} S")
    upper, lower = shelves(body(table("Ana", game)))
    assert upper == [[tiles[1]]] and lower[0] == tiles[2:] and lower[1:] == [[drawn(game)]]


@pytest.mark.parametrize("order", [["", "", "/", "/", ""], ["zz", "<script>", "x" * 900] * 100, ["/"], ["*"] * 30])
def test_an_arrangement_of_nonsense_loses_no_tile(order: list[str]) -> None:
    game = opened()
    post("Ana", game, "arrange/", sort="hand", order=order)
    shown = [tile for shelf in shelves(body(table("Ana", game))) for group in shelf for tile in group]
    assert sorted(shown) == sorted(held(game, "Ana"))


def test_without_an_arrangement_the_rack_is_sorted_by_colour_or_number() -> None:
    game = rigged("Ana", "Bogdan", hands=["1R 2R 1B 5K 6K 7K", ""], exchange=False)
    for group in [group for shelf in shelves(body(table("Ana", game))) for group in shelf]:
        assert len({tile[-1] for tile in group}) == 1
    post("Ana", game, "arrange/", htmx=False, sort="number")
    reading = [tile for shelf in shelves(body(table("Ana", game))) for group in shelf for tile in group]
    numbers = [int(tile[:-1]) for tile in reading if tile != "*"]
    assert numbers == sorted(numbers)


def test_an_arrangement_ends_with_its_deal() -> None:
    game = rigged("Ana", "Bogdan", hands=["3Y 3Y 5R 5R 8K 8K", ""], exchange=False)
    post("Ana", game, "arrange/", sort="hand", order=["3Y", "", "3Y"])
    exchange.answer(code=game.code, user=player("Ana"), answer="X:spoil", deal=0, now=NOON)
    deals.settle(game_id=game.pk, now=NOON)
    assert seat(game, "Ana").arrangement == [] and seat(game, "Ana").sort == "hand"


# -- the lists, the log, the terms ---------------------------------------------------------------


def test_my_tables_show_tiles_and_the_game_by_its_name() -> None:
    game = opened()
    page = visitor("Ana").get("/tables/")
    assert "Remi on tiles with Bogdan" in words(page) and 'class="tile"' in body(page)
    assert "Remi pe etalate" in words(visitor("Ana", accept_language="ro").get(f"/t/{game.code}/log/"))


def test_a_joly_that_was_discarded_is_called_one() -> None:
    game = rigged("Ana", "Bogdan", hands=["* 2R 4B", ""], exchange=False)
    play(game, "D:*")
    page = words(visitor("Bogdan").get("/tables/"))
    assert "Ana discarded joly ." in page
    assert "discarded joly" in words(table("Bogdan", game))


def test_the_log_tells_openings_and_announcements_in_words() -> None:
    game = opened()
    said = words(table("Bogdan", game, "log/"))
    assert "Ana drew, laid 12 12 12 for 30, laid 4 5 6 for 15, opened with 45, discarded" in said


def test_the_terms_tell_every_option() -> None:
    usual = words(table("Ana", ready_to_open()))
    assert "Opening 45 points, a set and a run" in usual and "Last three to be announced, or 500 are lost" in usual
    odd = ready_to_open(
        opening=30, opening_shape="run", ones_open=True, lay_off_on_opening_turn=True, first_discard_dead=False, announce="auto"
    )
    said = words(table("Ana", odd))
    for term in (
        "Opening 30 points, a run, or a set of 1s", "In that turn laying off once it is complete", "Doubles not exchanged",
        "First discard may be taken", "Last three the server announces them",
    ):  # fmt: skip
        assert term in said


def test_a_table_of_tiles_is_made_as_it_was_asked_for() -> None:
    wanted = {**USUAL_TABLE, "variant": "etalat", "seats": "3", "tiles_target": "500", "opening": "60", "announce": "auto"}
    wanted |= {"ones_open": "on", "top_card": "nonsense", "target": "nonsense"}
    del wanted["exchange"]
    visitor("Ana").post("/tables/new/", wanted)
    assert Game.objects.get().options == {
        "target": 500, "opening": 60, "opening_shape": "set_and_run", "ones_open": True, "lay_off_on_opening_turn": False,
        "exchange": False, "first_discard_dead": True, "announce": "auto",
    }  # fmt: skip
    page = body(visitor("Ana").get(f"/tables/new/?like={Game.objects.get().code}"))
    assert re.search(r'name="ones_open"[^>]* checked', page) and not re.search(r'name="exchange"[^>]* checked', page)
    assert '<option value="60" selected>' in page


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"seats": "5"}, "Remi on tiles has 2 to 4 seats."),
        ({"opening": "7"}, "There is no such choice."),
        ({"announce": ""}, "Something is missing here"),
    ],
)
def test_options_of_tiles_that_there_are_not_are_refused(changed: dict[str, str], said: str) -> None:
    answer = visitor("Ana").post("/tables/new/", {**USUAL_TABLE, "variant": "etalat", **changed})
    assert answer.status_code == 422 and said in words(answer)
    assert not Game.objects.exists()

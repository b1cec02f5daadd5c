"""Tiles in real browsers: a deal from the exchange to the close, the board game, the rack, no sideways scroll."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from accounts.models import User
from games import engine, selectors
from games.engine.bots import BOTS
from games.models import Entry, Game
from games.services import exchange, tables, turns
from games.services.audit import audit
from tests.browser.players import come_in, make, pick, press
from tests.browser.test_play import fresh, no_sideways_scroll, until
from tests.games.playing import chance
from tests.games.tiles import THREE_DOUBLES, dealt

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIMPLU = "1R 2R 3R 4R 7R 7Y 7B 10K 11K 12K 13K 5Y 5B 5K 9Y"


def tiles_for(*names: str, computers: int = 0, **options: Any) -> tuple[Game, list[User]]:
    """A match of tiles that these people have begun, the first of them playing first."""
    now = timezone.now()
    people = [User.objects.create_user(name) for name in names]
    seats = len(names) + computers
    with chance(THREE_DOUBLES, seats - 1):
        game = tables.create(
            maker=people[0], variant="etalat", seats=seats, options=options, turn_time=timedelta(days=1), now=now,
            computers=computers,
        )  # fmt: skip
        for person in people[1:]:
            tables.join(code=game.code, user=person, now=now)
    return fresh(game), people


def rigged(*names: str, hands: list[str], **options: Any) -> tuple[Game, list[User]]:
    """The same with these tiles dealt."""
    with dealt(hands):
        return tiles_for(*names, **{"exchange": False, **options})


def at_table(contexts: Any, live_server: LiveServer, game: Game, person: User, **context: Any) -> Page:
    page = come_in(contexts(**context), live_server.url, person)
    page.goto(f"{live_server.url}/t/{game.code}/")
    return page


def view_of(game: Game, person: User) -> engine.View:
    table = selectors.table(code=game.code, user=person)
    seat = table.seat_of(person)
    assert seat is not None
    return engine.view(table.deal, seat.index)


def answer_the_exchange(page: Page, rng: random.Random) -> None:
    """Choose one of the plates and give that answer."""
    plates = page.locator('#acts input[name="answer"]:not([value="X:spoil"])')
    plates.nth(rng.randrange(plates.count())).check(force=True)
    press(page, "#acts .go")
    page.locator('#acts input[name="answer"]').first.wait_for(state="detached")


def play_one(page: Page, game: Game, person: User, rng: random.Random) -> None:
    """The move that the computer would make in this player's place; an announcement with the discard that follows it."""
    table = selectors.table(code=game.code, user=person)
    seat = table.seat_of(person)
    assert seat is not None
    move = BOTS["greedy"](engine.view(table.deal, seat.index), rng)
    if move.kind == "A":
        announced = engine.apply(table.deal, seat.index, "A")
        move = BOTS["greedy"](engine.view(announced, seat.index), rng)
        page.locator("#announce").check(force=True)
    text = engine.move_text(move, engine.TILES)
    if text == "B":
        page.locator(".offer summary").click()
        page.locator('button[form="board"]').click()
        page.wait_for_load_state()
    else:
        make(page, text)


def test_two_people_play_a_deal_from_the_exchange_to_the_close(live_server: LiveServer, contexts: Any, worker: object) -> None:
    game, people = tiles_for("Ana", "Bogdan", target=None)
    pages = {
        person.pk: at_table(contexts, live_server, game, person, width=width, height=height)
        for person, width, height in zip(people, (390, 1280), (844, 900), strict=True)
    }
    faults: list[str] = []
    for page in pages.values():
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    rng = random.Random(5)
    for person in people:
        if view_of(game, person).extra.question is not None:
            answer_the_exchange(pages[person.pk], rng)
            assert no_sideways_scroll(pages[person.pk])
    while fresh(game).status == Game.Status.RUNNING:
        now = fresh(game)
        if now.to_move is None:
            until(lambda: fresh(game).to_move is not None or fresh(game).status != Game.Status.RUNNING)
            break
        person = people[now.to_move]
        page = pages[person.pk]
        page.wait_for_selector(f'#version[value="{now.version}"]', state="attached", timeout=20_000)  # by itself
        play_one(page, game, person, rng)
        assert no_sideways_scroll(page)
    until(lambda: Entry.objects.filter(game=game, text="counted").exists())
    kinds = {entry.text[:1] for entry in Entry.objects.filter(game=game, kind="move", deal=0)}
    assert {"X", "S", "M", "D"} <= kinds
    assert [fault for fault in faults if not fault.startswith("htmx:")] == []
    assert audit(game_id=game.pk) == []
    for person in people:
        pages[person.pk].goto(f"{live_server.url}/t/{game.code}/deals/0/")
        assert pages[person.pk].locator(".bill").count() == 2
        assert no_sideways_scroll(pages[person.pk])


def test_a_board_game_is_announced_and_closed(live_server: LiveServer, contexts: Any) -> None:
    game, (ana, _bogdan) = rigged("Ana", "Bogdan", hands=[SIMPLU, ""])
    page = at_table(contexts, live_server, game, ana)
    page.locator(".offer summary").click()
    page.get_by_role("button", name="Announce the board game").click()
    page.get_by_text("Close the board game, or discard").wait_for()
    page.locator('#cards input[value="9Y"]').check(force=True)
    page.locator('.lay[value="C:9Y"]').wait_for()
    assert "Close with Simplu" in page.locator(".lay").inner_text()
    page.locator('.lay[value="C:9Y"]').click()
    until(lambda: Entry.objects.filter(game=game, text="C:9Y").exists())
    assert selectors.table(code=game.code, user=ana).deal.reason == "board"


def test_a_turn_with_an_announcement_is_played_without_script(live_server: LiveServer, contexts: Any) -> None:
    hand = "12R 12B 12K 4B 5B 6B 8R 8Y 8B 9Y 10Y 11Y 2K"
    game, (ana, bogdan) = rigged("Ana", "Bogdan", hands=[hand, ""])
    page = at_table(contexts, live_server, game, ana, java_script_enabled=False)
    first = next(tile for tile in tiles_of(page) if tile not in hand.split())
    page.locator(f'#cards input[value="{first}"]').check(force=True)
    page.locator('.drop[value="D"]').click()
    quick_turn(game, bogdan)
    page.goto(f"{live_server.url}/t/{game.code}/")
    page.locator('.from[value="S"]').click()
    for meld in ("12R 12B 12K", "4B 5B 6B", "8R 8Y 8B", "9Y 10Y 11Y"):
        for tile in meld.split():
            page.locator(f'#cards input[value="{tile}"]').check(force=True)
        page.locator('.lay[value="M"]').click()
    page.locator("#announce").check(force=True)
    page.locator('#cards input[value="2K"]').check(force=True)
    page.locator('.drop[value="D"]').click()
    assert [entry.text for entry in Entry.objects.filter(game=game, seat=0, kind="move")][-2:] == ["A", "D:2K"]


def quick_turn(game: Game, person: User) -> None:
    """Draw and discard what was drawn."""
    for move in ("S", None):
        view = view_of(game, person)
        text = move or f"D:{engine.TILES.texts[view.drew or 0]}"
        turns.play(code=game.code, user=person, move=text, version=fresh(game).version, now=timezone.now())


# -- the rack ------------------------------------------------------------------------------------


def tiles_of(page: Page) -> list[str]:
    return [tile.get_attribute("data-card") or "" for tile in page.locator("#cards li[data-card]").all()]


def shelves(page: Page) -> list[list[list[str]]]:
    """The tiles by shelf and group, as they stand on the page."""
    found: list[list[list[str]]] = page.evaluate(
        """() => [...document.querySelectorAll("#cards > .shelf")].map((shelf) => [...shelf.children].map(
            (group) => [...group.querySelectorAll("[data-card]")].map((tile) => tile.dataset.card)))"""
    )
    return found


def tile(page: Page, text: str) -> Locator:
    return page.locator(f'#cards li[data-card="{text}"]')


RACK = "2R 4R 6R 3Y 5Y 7Y 9B 11B 13B 8K 10K 12K 1Y 1B 5K"
BY_COLOUR = [[["2R", "4R", "6R"], ["1Y", "3Y", "5Y", "7Y"]], [["1B", "9B", "11B", "13B"], ["5K", "8K", "10K", "12K"]]]


def arranging(page: Page) -> Any:
    return page.expect_response(lambda answer: "/arrange/" in answer.url and answer.status == 204)


def test_a_tile_is_moved_by_keyboard_within_its_group_out_of_it_and_to_the_other_shelf(
    live_server: LiveServer, contexts: Any
) -> None:
    game, (ana, _bogdan) = rigged("Ana", "Bogdan", hands=[RACK, ""])
    page = at_table(contexts, live_server, game, ana, width=1280, height=900)
    assert shelves(page) == BY_COLOUR
    tile(page, "4R").locator("input").focus()
    for key, wanted in (
        ("ArrowRight", [["2R", "6R", "4R"], ["1Y", "3Y", "5Y", "7Y"]]),
        ("ArrowRight", [["2R", "6R"], ["4R"], ["1Y", "3Y", "5Y", "7Y"]]),
        ("ArrowRight", [["2R", "6R"], ["4R", "1Y", "3Y", "5Y", "7Y"]]),
        ("ArrowLeft", [["2R", "6R"], ["4R"], ["1Y", "3Y", "5Y", "7Y"]]),
        ("ArrowLeft", [["2R", "6R", "4R"], ["1Y", "3Y", "5Y", "7Y"]]),
    ):
        with arranging(page):
            page.keyboard.press(f"Control+{key}")
        assert shelves(page) == [wanted, BY_COLOUR[1]]
    with arranging(page):
        page.keyboard.press("Control+ArrowDown")
    upper, lower = shelves(page)
    assert upper == [["2R", "6R"], ["1Y", "3Y", "5Y", "7Y"]]
    assert ["4R" in group for group in lower].count(True) == 1
    assert page.evaluate("document.activeElement.value") == "4R"
    kept = shelves(page)
    page.reload()
    assert shelves(page) == kept
    assert page.locator("#sort").input_value() == "hand"
    phone = at_table(contexts, live_server, game, ana)
    assert shelves(phone) == kept


def drag(page: Page, text: str, x: float, y: float) -> None:
    box = tile(page, text).bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(x, y, steps=12)
    page.mouse.up()


def test_a_tile_is_dragged_into_a_group_and_into_one_of_its_own(live_server: LiveServer, contexts: Any) -> None:
    game, (ana, _bogdan) = rigged("Ana", "Bogdan", hands=[RACK, ""])
    page = at_table(contexts, live_server, game, ana, width=1280, height=900)
    with arranging(page):
        box = tile(page, "8K").bounding_box()
        assert box
        drag(page, "2R", box["x"] + box["width"] * 0.6, box["y"] + box["height"] / 2)
    assert shelves(page)[0][0] == ["4R", "6R"]
    assert sorted(shelves(page)[1][1]) == ["10K", "12K", "2R", "5K", "8K"]
    with arranging(page):
        shelf = page.locator("#cards > .shelf").first.bounding_box()
        assert shelf
        drag(page, "5Y", shelf["x"] + shelf["width"] - 4, shelf["y"] + 20)
    assert shelves(page)[0][-1] == ["5Y"]
    assert page.locator("#cards input:checked").count() == 0
    kept = shelves(page)
    page.reload()
    assert shelves(page) == kept


def test_a_tile_drawn_lands_at_the_end_of_the_lower_shelf(live_server: LiveServer, contexts: Any) -> None:
    game, (ana, bogdan) = rigged("Ana", "Bogdan", hands=[RACK, ""])
    page = at_table(contexts, live_server, game, ana, width=1280, height=900)
    tile(page, "4R").locator("input").focus()
    with arranging(page):
        page.keyboard.press("Control+ArrowRight")
    make(page, "D:5K")
    quick_turn(game, bogdan)
    page.reload()
    make(page, "S")
    drew = engine.TILES.texts[view_of(game, ana).drew or 0]
    assert shelves(page)[0][0] == ["2R", "6R", "4R"]
    assert shelves(page)[1][-1] == [drew]
    assert page.locator("#cards li[data-card] .tile[data-new]").count() == 1


# -- every width ---------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_state_of_the_table_scrolls_sideways(live_server: LiveServer, contexts: Any, width: int) -> None:
    game, people = tiles_for("Ana", "Bogdan", "Chloé-Antoinette")
    page = at_table(contexts, live_server, game, people[0], width=width, height=800)
    assert no_sideways_scroll(page)
    for person in people:
        view = view_of(game, person)
        if view.extra.question is not None:
            exchange.answer(code=game.code, user=person, answer="X:pass", deal=0, now=timezone.now())
    page.reload()
    assert no_sideways_scroll(page)
    make(page, f"D:{tiles_of(page)[0]}")
    for person in people[1:]:
        quick_turn(game, person)
    page.reload()
    assert no_sideways_scroll(page)
    make(page, "S")
    pick(page, tiles_of(page)[:1])
    assert no_sideways_scroll(page)
    for path in ("/tables/", "/tables/new/", "/lobby/", "/rules/", "/rules/etalat/", "/"):
        page.goto(live_server.url + path)
        assert no_sideways_scroll(page), path
    assert not re.search(r"\bundefined\b", page.content())

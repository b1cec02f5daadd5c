"""A deal seen again in a real browser: keys, slider, swipe, by itself, the way of a card, and without script."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from games.models import Game
from tests.browser.players import come_in
from tests.browser.test_play import _is_fault, no_sideways_scroll
from tests.games.playing import OUT_OF_THREE, play, player, quick_turn, running, settle
from tests.games.tiles import follow, script, tile_table

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game() -> Game:
    """A match of three whose first deal is over in one turn of five moves, the second running."""
    game = running("Ana", "Bogdan", "Chloé", seed=OUT_OF_THREE[0])
    play(game, OUT_OF_THREE[1])
    settle(game)
    for _turn in range(3):
        quick_turn(game)
    return game


def opened(
    contexts: Any, live_server: LiveServer, game: Game, name: str = "Ana", *, path: str = "", deal: int = 0, **context: Any
) -> Page:
    page: Page = come_in(contexts(**context), live_server.url, player(name))
    page.goto(f"{live_server.url}/t/{game.code}/deals/{deal}/replay/{path}")
    return page


def at(page: Page, step: int, last: int = 5) -> None:
    """Wait until a step is shown, in words, in the address and in the list."""
    place = f"Move {step} of {last}" if step else f"As dealt, {last} moves"
    expect(page.get_by_role("status")).to_contain_text(place)
    expect(page).to_have_url(re.compile(rf"/replay/{step}/"))
    expect(page).to_have_title(re.compile(place))
    expect(page.locator('#moves [aria-current="step"] button')).to_have_text(str(step), use_inner_text=False)


def test_one_steps_by_keys_by_buttons_by_the_slider_and_by_the_list(live_server: LiveServer, contexts: Any, game: Game) -> None:
    page = opened(contexts, live_server, game, width=1280, height=900)
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if _is_fault(message) else None)
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    loads: list[str] = []
    page.on("load", lambda _page: loads.append(page.url))
    at(page, 0)
    for key, step in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 5),
        ("ArrowUp", 0),
        ("ArrowDown", 5),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        at(page, step)
    for _press in range(4):
        page.keyboard.press("ArrowRight")
    at(page, 4)
    page.get_by_role("button", name="Next move").click()
    at(page, 5)
    page.get_by_role("button", name="Previous move").focus()
    page.keyboard.press("Enter")
    at(page, 4)
    assert page.evaluate("document.activeElement.innerText.trim()") == "Previous move"
    page.get_by_role("slider").fill("2")
    at(page, 2)
    page.get_by_role("slider").press("ArrowRight")
    at(page, 3)
    page.locator('#moves [data-at="1"] button').click()
    at(page, 1)
    assert not loads and not faults


def test_it_is_seen_by_whom_one_likes_and_a_card_tells_its_way(live_server: LiveServer, contexts: Any, game: Game) -> None:
    page = opened(contexts, live_server, game, "Bogdan", path="3/?seat=1", width=1280, height=900)
    expect(page.locator("ol.hand")).to_have_attribute("aria-label", re.compile("Your hand, 7"))
    page.get_by_label("Ana", exact=True).check(force=True)
    expect(page.locator("ol.hand")).to_have_attribute("aria-label", re.compile("Hand of Ana, 2"))
    expect(page).to_have_url(re.compile(r"/replay/3/\?seat=0$"))
    page.get_by_label("All", exact=True).check(force=True)
    expect(page.locator(".hands .held")).to_have_count(3)
    page.locator('.hands .trace[value="AD"]').first.click()
    way = page.get_by_role("group", name="The way of a card")
    expect(way.get_by_role("button", name="4 · laid Ana")).to_be_visible()
    assert page.locator("#moves [data-hit]").count() >= 2
    way.get_by_role("button", name="4 · laid Ana").click()
    at(page, 4)
    page.keyboard.press("ArrowRight")
    at(page, 5)
    expect(way).to_be_visible()
    way.get_by_role("button", name="Close").click()
    expect(way).to_have_count(0)
    page.locator("#find").select_option("QS")
    expect(way.get_by_role("button", name=re.compile("laid Ana"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"/replay/5/\?seat=all&card=QS$"))


def test_it_plays_by_itself_until_the_end_or_until_stopped(live_server: LiveServer, contexts: Any, game: Game) -> None:
    page = opened(contexts, live_server, game, path="3/?seat=0", width=1280, height=900)
    page.locator("body").press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    at(page, 5)
    expect(page.get_by_role("button", name="Play")).to_be_visible(timeout=4_000)
    page.get_by_role("button", name="Play").click()
    at(page, 0)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.wait_for_timeout(1_800)
    at(page, 0)


def swipe(page: Page, by: int) -> None:
    """A finger that goes sideways over the table."""
    box = page.locator(".lane").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + 20
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 6):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + by * part / 5, "y": y + part}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_finger_goes_from_step_to_step(live_server: LiveServer, contexts: Any, game: Game) -> None:
    page = opened(contexts, live_server, game, path="2/?seat=0", has_touch=True, is_mobile=True)
    swipe(page, -120)
    at(page, 3)
    swipe(page, 120)
    at(page, 2)
    swipe(page, 20)
    page.wait_for_timeout(300)
    at(page, 2)


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_scrolls_sideways(live_server: LiveServer, contexts: Any, game: Game, width: int) -> None:
    terms, steps = script(3)
    tiles = tile_table("Ana", "Bogdan", **terms)
    follow(tiles, steps)
    for shown, last in ((game, 5), (tiles, len(steps))):
        page = opened(contexts, live_server, shown, width=width)
        for step in range(0, last + 1, max(1, last // 3)):
            for seat in ("0", "all"):
                page.goto(f"{live_server.url}/t/{shown.code}/deals/0/replay/{step}/?seat={seat}&card=7R")
                assert no_sideways_scroll(page)


def test_without_script_it_does_the_same(live_server: LiveServer, contexts: Any, game: Game) -> None:
    page = opened(contexts, live_server, game, java_script_enabled=False, width=1280, height=900)
    for button, step in (("Next move", 1), ("Next turn", 5), ("As dealt", 0), ("Last move", 5), ("Previous move", 4)):
        page.get_by_role("button", name=button, exact=True).click()
        expect(page).to_have_url(re.compile(rf"/replay/{step}/\?seat=0$"))
    page.get_by_label("All", exact=True).check(force=True)
    page.get_by_role("button", name="Change").click()
    expect(page).to_have_url(re.compile(r"/replay/4/\?seat=all$"))
    page.locator('.trace[value="QS"]').first.click()
    expect(page).to_have_url(re.compile(r"/replay/4/\?seat=all&card=QS$"))
    page.get_by_role("button", name=re.compile("laid")).first.click()
    page.locator('#moves [data-at="2"] button').click()
    expect(page).to_have_url(re.compile(r"/replay/2/\?seat=all&card=QS$"))
    page.get_by_role("button", name="Deal 2").click()
    expect(page).to_have_url(re.compile(r"/deals/1/replay/6/\?seat=0"))


def test_a_running_deal_goes_on_while_it_is_looked_at(live_server: LiveServer, contexts: Any, game: Game) -> None:
    page = opened(contexts, live_server, game, deal=1, width=1280, height=900)
    at(page, 6, 6)
    assert page.locator(".seen").count() == 0
    quick_turn(game)
    page.keyboard.press("ArrowLeft")
    at(page, 5, 8)
    page.keyboard.press("End")
    at(page, 8, 8)
    assert page.locator("#moves li").count() == 9

"""People play in real browsers, on the real server, with a real worker behind it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from accounts.models import User
from games import engine, selectors
from games.models import Entry, Game
from games.services import tables
from games.services.audit import audit
from tests.browser.players import at_rest, come_in, good_move, make, press, touch

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def until(true: Callable[[], Any], seconds: float = 30) -> None:
    """Wait for something that others do."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def table_for(*names: str, variant: str = "rami500", computers: int = 0, **options: Any) -> tuple[Game, list[User]]:
    now = timezone.now()
    people = [User.objects.create_user(name) for name in names]
    game = tables.create(
        maker=people[0], variant=variant, seats=len(names) + computers, options=options, turn_time=timedelta(days=1), now=now,
        computers=computers,
    )  # fmt: skip
    for person in people[1:]:
        tables.join(code=game.code, user=person, now=now)
    return fresh(game), people


def _is_fault(message: ConsoleMessage) -> bool:
    """Whether the console tells of an error of ours: htmx also notes each request that a newer one replaced."""
    return message.type == "error" and not message.text.startswith(("htmx:sendAbort", "htmx:afterRequest"))


def no_sideways_scroll(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def test_two_people_play_a_deal_of_rami_in_two_browsers(live_server: LiveServer, contexts: Any, worker: object) -> None:
    game, people = table_for("Ana", "Bogdan", target=None)
    pages = {
        person.pk: come_in(contexts(width=width, height=height), live_server.url, person)
        for person, width, height in zip(people, (390, 1280), (844, 900), strict=True)
    }
    faults: list[str] = []
    for page in pages.values():
        page.on("console", lambda message: faults.append(message.text) if _is_fault(message) else None)
        page.goto(f"{live_server.url}/t/{game.code}/")
    rng = random.Random(7)
    while fresh(game).status == Game.Status.RUNNING:
        now = fresh(game)
        if now.to_move is None or selectors.table(code=game.code, user=people[0]).row.number:
            break
        person = people[now.to_move]
        page = pages[person.pk]
        page.wait_for_selector(f'#version[value="{now.version}"]', state="attached", timeout=20_000)  # by itself
        make(page, good_move(game, person, rng))
        assert no_sideways_scroll(page)
    until(lambda: Entry.objects.filter(game=game, text="counted").exists())
    for page in pages.values():
        page.goto(f"{live_server.url}/t/{game.code}/")
        assert page.locator("h1").count() == 1
    assert not faults
    assert audit(game_id=game.pk) == []


def test_a_match_against_the_computer_is_played_to_its_end(live_server: LiveServer, contexts: Any, worker: object) -> None:
    game, (ana,) = table_for("Ana", computers=1, variant="remi500", target=None)
    page = come_in(contexts(), live_server.url, ana)
    page.goto(f"{live_server.url}/t/{game.code}/")
    rng = random.Random(11)
    while fresh(game).status == Game.Status.RUNNING:
        until(lambda: not fresh(game).awaits_server)
        now = fresh(game)
        if now.status != Game.Status.RUNNING:
            break
        if page.locator("form[action*=go-on]").count():
            press(page, "form[action*=go-on] .btn")
        page.goto(f"{live_server.url}/t/{game.code}/")
        make(page, good_move(game, ana, rng))
    page.goto(f"{live_server.url}/t/{game.code}/")
    assert "wins the match" in page.content() or "You win the match" in page.content()
    assert audit(game_id=game.pk) == []


def test_a_visitor_plays_at_one_tap(live_server: LiveServer, contexts: Any, worker: object) -> None:
    page = contexts().new_page()
    page.goto(live_server.url)
    page.get_by_role("button", name="Play now").first.click()
    page.wait_for_url("**/t/*/")
    guest = User.objects.get(is_guest=True)
    game = Game.objects.get(seats__user=guest)
    until(lambda: not fresh(game).awaits_server)
    page.reload()
    page.get_by_role("button", name="Draw from the stock").click()
    page.locator('.drop[value="D"], .undo').first.wait_for()
    assert Entry.objects.filter(game=game, text="S").exists()


def test_a_turn_is_played_without_script(live_server: LiveServer, contexts: Any) -> None:
    game, people = table_for("Ana", "Bogdan")
    person = people[fresh(game).to_move or 0]
    page = come_in(contexts(java_script_enabled=False), live_server.url, person)
    page.goto(f"{live_server.url}/t/{game.code}/")
    page.locator("#row input").last.check(force=True)
    page.locator(".takes").click()
    assert "Lay the picked cards" in page.content()
    page.locator('.undo[value="U"]').click()
    page.locator('.from[value="S"]').click()
    page.locator('.drop[value="D"]').click()
    assert "No card is chosen." in page.content()
    page.locator("#cards input").first.check(force=True)
    page.locator('.drop[value="D"]').click()
    assert fresh(game).to_move != people.index(person)
    assert [entry.text[:1] for entry in Entry.objects.filter(game=game, kind="move")] == ["P", "U", "S", "D"]


def test_a_match_is_played_to_its_end_without_script(live_server: LiveServer, contexts: Any, worker: object) -> None:
    game, (ana,) = table_for("Ana", computers=1, target=None)
    page = come_in(contexts(java_script_enabled=False), live_server.url, ana)
    rng = random.Random(3)
    while fresh(game).status == Game.Status.RUNNING:
        until(lambda: not fresh(game).awaits_server)
        if fresh(game).status != Game.Status.RUNNING:
            break
        page.goto(f"{live_server.url}/t/{game.code}/")
        if page.locator("form[action*=go-on]").count():
            page.locator("form[action*=go-on] .btn").click()
        _without_script(page, good_move(game, ana, rng))
    assert audit(game_id=game.pk) == []


def _without_script(page: Page, move: str) -> None:
    """A move by the plain buttons: tick, press, and choose where there is a choice."""
    kind, _colon, rest = move.partition(":")
    if kind[0] == "P":
        touch(page, f'#row input[value="{kind}"]')
        page.locator(".takes").click()
    elif kind in ("S", "E", "U"):
        page.locator(f'#acts .btn[value="{kind}"]').click()
    elif kind == "W":
        touch(page, f'#cards input[value="{rest.split(":")[1]}"]')
        page.locator('.lay[value="M"]').click()
        choice = page.locator(f'#acts input[name="as"][value="{move}"]')
        if choice.count():
            choice.check(force=True)
            page.locator('.lay[value="M"]').click()
    else:
        for card in rest.split(":")[-1].split(","):
            touch(page, f'#cards input[value="{"*" if card[0] == "*" else card}"]:not(:checked)')
        page.locator(f'#acts .btn[value="{kind}"]').click()
        choice = page.locator(f'#acts input[name="as"][value="{move}"]')
        if choice.count():
            choice.check(force=True)
            page.locator(f'#acts .btn[value="{kind}"]').click()


def test_the_keyboard_alone_plays_a_turn(live_server: LiveServer, contexts: Any) -> None:
    game, people = table_for("Ana", "Bogdan")
    person = people[fresh(game).to_move or 0]
    page = come_in(contexts(width=1280, height=900), live_server.url, person)
    page.goto(f"{live_server.url}/t/{game.code}/")
    page.locator(".from").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#acts .drop:not([disabled]), #acts .undo")
    at_rest(page)
    page.locator("#cards input").first.focus()
    with page.expect_response(lambda answer: "/buttons/" in answer.url):
        page.keyboard.press("Space")
    page.locator('.drop[value^="D:"]').wait_for()
    page.locator(".drop").focus()
    page.keyboard.press("Enter")
    until(lambda: fresh(game).to_move != people.index(person))


def test_the_hand_is_put_in_order_by_keyboard_and_by_dragging(live_server: LiveServer, contexts: Any) -> None:
    game, people = table_for("Ana", "Bogdan")
    page = come_in(contexts(width=1280, height=900), live_server.url, people[0])
    page.goto(f"{live_server.url}/t/{game.code}/")
    page.locator("#sort").select_option("hand")
    page.wait_for_selector("#cards[data-arrange]")
    cards = page.locator("#cards > li")
    before = [cards.nth(at).get_attribute("data-card") for at in range(cards.count())]
    with page.expect_response(lambda answer: "/arrange/" in answer.url):
        box_from, box_to = cards.first.bounding_box(), cards.nth(3).bounding_box()
        assert box_from and box_to
        page.mouse.move(box_from["x"] + 20, box_from["y"] + 20)
        page.mouse.down()
        page.mouse.move(box_to["x"] + box_to["width"] * 0.8, box_to["y"] + 20, steps=8)
        page.mouse.up()
    page.reload()
    after = [cards.nth(at).get_attribute("data-card") for at in range(cards.count())]
    assert after == [*before[1:4], before[0], *before[4:]]


def test_what_the_others_do_appears_by_itself(live_server: LiveServer, contexts: Any) -> None:
    game, people = table_for("Ana", "Bogdan")
    mover = fresh(game).to_move or 0
    waiting = come_in(contexts(), live_server.url, people[1 - mover])
    waiting.goto(f"{live_server.url}/t/{game.code}/")
    moving = come_in(contexts(), live_server.url, people[mover])
    moving.goto(f"{live_server.url}/t/{game.code}/")
    make(moving, "S")
    view = engine.view(selectors.table(code=game.code, user=people[mover]).deal, mover)
    make(moving, engine.move_text(engine.legal_moves(view)[-1], engine.CARDS))
    waiting.get_by_text("Draw one, or take from the row").wait_for(timeout=15_000)


def test_the_keyboard_goes_on_at_the_hand_after_a_move(live_server: LiveServer, contexts: Any) -> None:
    game, people = table_for("Ana", "Bogdan")
    person = people[fresh(game).to_move or 0]
    page = come_in(contexts(width=1280, height=900), live_server.url, person)
    page.goto(f"{live_server.url}/t/{game.code}/")
    page.locator(".from").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#acts .undo")
    at_rest(page)
    assert page.evaluate("document.activeElement !== document.body")


def test_news_of_an_older_table_does_not_undo_what_is_picked(live_server: LiveServer, contexts: Any) -> None:
    game, people = table_for("Ana", "Bogdan")
    person = people[fresh(game).to_move or 0]
    page = come_in(contexts(), live_server.url, person)
    page.goto(f"{live_server.url}/t/{game.code}/")
    make(page, "S")
    at_rest(page)
    touch(page, "#cards input")
    with page.expect_response(lambda answer: "/poll/0/" in answer.url):
        page.evaluate("code => { htmx.ajax('GET', `/t/${code}/poll/0/`, {target: '#table', swap: 'outerHTML'}) }", game.code)
    at_rest(page)
    assert page.locator("#cards input:checked").count() == 1

"""People in browsers: how they come in, and how they make a move with the mouse and the buttons."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from django.test import Client

from accounts.models import User
from games import engine, selectors
from games.engine.bots import BOTS
from games.models import Game

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}


def come_in(context: BrowserContext, url: str, user: User) -> Page:
    """A page of somebody who is logged in."""
    client = Client()
    client.force_login(user)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}])
    return context.new_page()


def good_move(game: Game, user: User, rng: random.Random) -> str:
    """What the computer would play in this player's place, by the same view."""
    table = selectors.table(code=game.code, user=user)
    seat = table.seat_of(user)
    assert seat is not None
    view = engine.view(table.deal, seat.index)
    return engine.move_text(BOTS["greedy"](view, rng), view.rules.alphabet)


def make(page: Page, move: str) -> None:
    """Make a move as a person does: tick the cards, wait for the button that says it, press it."""
    at_rest(page)
    version = page.locator("#version").input_value()
    kind, _colon, rest = move.partition(":")
    if kind[0] == "P":
        touch(page, f'#row input[value="{kind}"]')
        page.locator("#tell:not(:has(.unpicked))").wait_for()
        press(page, ".takes")
    elif kind in ("S", "E"):
        press(page, f'.from[value="{kind}"]')
    elif kind == "U":
        press(page, '.undo[value="U"]')
    else:
        pick(page, rest.split(":")[-1].split(","))
        _press_the_way(page, move)
    page.wait_for_function(
        "version => document.querySelector('#version')?.value !== version || !document.querySelector('#play')", arg=version
    )


def at_rest(page: Page) -> None:
    """Wait the moment that a fresh fragment takes to come to life, which a person's hand needs anyway."""
    page.wait_for_function("() => !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling')")


def touch(page: Page, selector: str) -> None:
    """Tap a card where it shows: its upper left corner, which no other card covers."""
    at_rest(page)
    page.locator(selector).first.click(force=True, position={"x": 12, "y": 12})


def pick(page: Page, cards: list[str]) -> None:
    """Tick cards of the hand; a joker that stands for one is a joker there."""
    for card in cards:
        text = "*" if card.startswith("*") else card
        touch(page, f'#cards input[value="{text}"]:not(:checked)')
    page.wait_for_function("() => !document.querySelector('#cards.htmx-request')")
    page.locator('#acts .btn[value]:not([value="M"]):not([value="L"]):not([value="D"]), #acts .plate').first.wait_for()


def _press_the_way(page: Page, move: str) -> None:
    """The button of exactly this move, or the choice of it and then the button below."""
    plate = page.locator(f'#acts input[name="as"][value="{move}"]')
    if plate.count():
        plate.check(force=True)
        press(page, f'#acts .btn[value="{move[0]}"]')
    else:
        press(page, f'.btn[value="{move}"], .meld[value="{move}"]')


def press(page: Page, selector: str) -> None:
    """Press a button that may lie below others on a small screen, as a tap or the keyboard does."""
    page.locator(selector).first.click()

"""The check of a shuffle in a real browser: the same answers as `games.engine verify`, on a page that says so in words."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from games.engine import seed_of
from games.engine.chain import canonical
from games.engine.verify import verify
from games.models import Game
from games.services import shuffles
from tests.browser.players import come_in
from tests.engine.evident import evident
from tests.engine.test_verify import CHEATS, kept
from tests.games.playing import NOON, OUT_OF_TWO, fresh, play, player, quick_turn, running, settle
from tests.games.ruling import void
from tests.games.test_ruled_records import exported, ruled

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SCRIPT = "/static/js/verify.js"
CHECK = f"""async (record) => {{
  const {{ check }} = await import("{SCRIPT}");
  const found = [];
  for (const place of record.deals.keys()) found.push(await check(record, place));
  return found.map((deal) => Object.fromEntries(Object.entries(deal).map(([name, {{ holds }}]) => [name, holds])));
}}"""


@pytest.fixture
def blank(contexts: Any, live_server: LiveServer) -> Page:
    """A page of the site, to run its script on."""
    page: Page = contexts().new_page()
    page.goto(f"{live_server.url}/rules/")
    return page


def by_python(record: dict[str, Any]) -> list[dict[str, bool]]:
    """What the browser should find: it does not play by the rules, and looks at no scores."""
    found = verify(record)
    answers = []
    for deal in found["deals"]:
        seen = {name: deal[name] for name in ("deck", "moves", "seal", "key") if deal[name] is not None}
        answers.append(seen | {"chain": found["log"]["chain"]})
    return answers


GAMES = [("rami500", 2), ("rami500", 4), ("remi500", 2), ("remi500", 3), ("remi500", 8), ("etalat", 2), ("etalat", 4)]


@pytest.mark.parametrize(("variant", "seats"), GAMES)
def test_browser_and_engine_agree_on_whatever_was_played(blank: Page, variant: str, seats: int) -> None:
    for number in range(4):
        bots = "greedy" if number == 0 else "random"
        lines = ("", "ț 🂡", "mine")[:number]
        record = evident(variant, seats, seed=f"deal {number}", bots=bots, lines=lines[:seats], mishaps=number > 1)
        found = blank.evaluate(CHECK, record)
        assert found == by_python(record)
        assert all(all(deal.values()) for deal in found)


def test_browser_and_engine_agree_where_a_referee_has_ruled(blank: Page) -> None:
    record = exported(ruled())
    found = verify(record)
    numbered = zip([*record["deals"], *record["voided"]], [*found["deals"], *found["voided"]], strict=True)
    expected = [
        {name: deal[name] for name in ("deck", "moves", "seal", "key")} | {"chain": True}
        for _number, deal in sorted((data["number"], deal) for data, deal in numbered)
    ]
    every = CHECK.replace("record.deals.keys()", "[...record.deals, ...record.voided].keys()")
    answers = blank.evaluate(every, record)
    assert answers == expected and len(answers) == 4 and all(all(deal.values()) for deal in answers)
    record["rulings"].pop()  # nobody came back: the last deal was dealt to others then
    assert [deal["moves"] for deal in blank.evaluate(every, record)] == [True, True, True, False]


def test_the_browser_finds_the_cheats_that_the_engine_finds(blank: Page) -> None:
    for cheat, fails in CHEATS:
        record = kept()
        cheat(record)
        expected, found = by_python(record), blank.evaluate(CHECK, record)
        for deal, seen in zip(expected, found, strict=True):
            # of a deck that does not follow the moves fail too: a card comes from nowhere
            assert {**seen, "moves": None, "seal": None} == {**deal, "moves": None, "seal": None}
            assert seen["moves"] <= deal["moves"] and seen.get("seal", True) <= deal.get("seal", True)
        assert all(all(deal.values()) for deal in found) is (not set(fails) - {"scores"})


@pytest.mark.parametrize("variant", ["rami500", "etalat"])
def test_a_card_that_was_not_where_a_move_takes_it_from_is_found(blank: Page, variant: str) -> None:
    agreeing = f"""async ([record, deck, rows]) => {{
      const {{ agreeing }} = await import("{SCRIPT}");
      return agreeing(record, 0, deck, rows);
    }}"""
    record = evident(variant, 2, seed="moves", deals=1)
    names = ("number", "at", "kind", "actor", "seat", "deal", "text", "facts")
    rows = [dict(zip(names, row, strict=False)) for row in record["log"]["rows"] if row[2] == "move"]
    deck = record["deals"][0]["deck"].split()
    assert blank.evaluate(agreeing, [record, deck, rows]) == len(rows)
    random.Random(1).shuffle(deck)
    assert blank.evaluate(agreeing, [record, deck, rows]) < len(rows) / 2


def test_both_write_canonical_json_alike(blank: Page) -> None:
    values: list[Any] = [
        None,
        True,
        -3,
        "",
        'a"\\\n\x00\x1f\x7f\x80é😀\ud800',
        [],
        {},
        {"b": [1, {"a": "ț"}], "a": None, "Z": 10**9},
    ]
    write = f"""async (values) => {{
      const {{ canonical }} = await import("{SCRIPT}");
      return values.map(canonical);
    }}"""
    assert blank.evaluate(write, values) == [canonical(value) for value in values]


# -- the page -----------------------------------------------------------------------------------


def played() -> Game:
    """A match whose first deal is over, and to whose shuffle Ana has added a line."""
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    shuffles.contribute(code=game.code, user=player("Ana"), text="three blue ducks", now=NOON)
    play(game, OUT_OF_TWO[1])
    settle(game)
    return fresh(game)


def checked(contexts: Any, live_server: LiveServer, game: Game, script: str = "", **context: Any) -> Page:
    page: Page = come_in(contexts(**context), live_server.url, player("Bogdan"))
    if script:
        page.add_init_script(script)
    page.goto(f"{live_server.url}/t/{game.code}/deals/0/check/")
    return page


def test_the_page_says_that_all_agrees(contexts: Any, live_server: LiveServer) -> None:
    page = checked(contexts, live_server, played())
    page.get_by_text("This deal was played with the pack fixed before the first card.").wait_for()
    for words in ("the same, all 64 signs", "the same 54 in the same order", "5 of 5 moves agree", "lines, unbroken"):
        assert page.get_by_text(words).is_visible(), words
    assert not page.get_by_text("not checked here").first.is_visible()


def test_the_page_of_a_void_deal_says_that_all_agrees(contexts: Any, live_server: LiveServer) -> None:
    game = played()
    quick_turn(game)
    void(game, 1)
    void(game, 0)
    page: Page = come_in(contexts(), live_server.url, player("Bogdan"))
    for number in (0, 1):
        page.goto(f"{live_server.url}/t/{game.code}/deals/{number}/check/")
        page.get_by_text("This deal was played with the pack fixed before the first card.").wait_for()


def test_the_page_says_what_does_not_agree(contexts: Any, live_server: LiveServer) -> None:
    game = played()
    game.deals.filter(number=0).update(seed=seed_of("better for the house"))
    page = checked(contexts, live_server, game)
    page.get_by_text("Something here doesn’t agree.").wait_for()
    for words in ("not the one that was shown", "another order", "lines, unbroken"):
        assert page.get_by_text(words).is_visible(), words
    assert not page.get_by_text("This deal was played with the pack fixed").is_visible()


@pytest.mark.parametrize("why", ["no script", "no crypto", "no record"])
def test_where_the_browser_cannot_check_the_page_names_the_command(contexts: Any, live_server: LiveServer, why: str) -> None:
    without = 'Object.defineProperty(crypto, "subtle", { value: undefined })' if why == "no crypto" else ""
    broken = 'globalThis.fetch = () => Promise.reject("away")' if why == "no record" else ""
    page = checked(contexts, live_server, played(), without or broken, java_script_enabled=why != "no script")
    page.get_by_text("This browser can’t check it here.").wait_for()
    assert page.get_by_text("python -m games.engine verify").is_visible()
    assert page.get_by_text("not checked here").first.is_visible()
    assert not page.get_by_text("Your browser is checking").is_visible()


def test_a_line_is_drawn_at_random_and_kept(contexts: Any, live_server: LiveServer) -> None:
    game = played()
    page = come_in(contexts(), live_server.url, player("Bogdan"))
    page.goto(f"{live_server.url}/t/{game.code}/shuffle/")
    page.get_by_role("button", name="Random").click()
    drawn = page.get_by_label("Add to the next shuffle").input_value()
    assert len(drawn) == 32
    page.get_by_role("button", name="Keep").click()
    page.get_by_text("Added to the next shuffle.").wait_for()
    assert game.seats.get(index=1).contribution == drawn

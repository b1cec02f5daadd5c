"""What tiles refuse: each has its sentence, in the words of tiles, and at the table nothing changes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import translation

from games.engine.tiles import Opening
from games.messages import refusal
from tests.games.pages import words
from tests.games.playing import rows, running
from tests.games.tile_pages import (
    OPENING,
    body,
    picked,
    post,
    round_of_discards,
    table,
)
from tests.games.tiles import rigged, tile_table

pytestmark = pytest.mark.django_db


# -- every refusal has its sentence --------------------------------------------------------------

CODES = [
    "must_draw_first", "already_drawn", "row_too_short", "pickup_unusable", "must_use_pickup", "cannot_discard_pickup",
    "not_in_hand", "joker_undeclared", "not_a_meld", "no_such_meld", "cannot_lay_off", "no_such_joker", "nothing_to_undo",
    "first_round", "dead_discard", "must_draw_stock", "cannot_break_row", "not_opened", "opening_incomplete",
    "must_use_joker", "must_keep_discard", "too_many_to_announce", "already_announced", "too_many_tiles", "no_exchange",
    "board_player", "too_late_for_board", "already_opened", "not_board_player", "not_a_board_hand", "not_a_double",
    "cannot_spoil", "already_answered", "no_answer", "not_your_turn", "none_chosen", "one_card", "too_few", "choose_joker",
    "choose_meld", "deal_over", "match_over", "stale", "wrong_phase", "stock_empty",
]  # fmt: skip
SITUATIONS: list[dict[str, Any]] = [
    {"opened": False, "board": False, "needed": 45, "opening": Opening(30, 45, True, False, True, False), "tiles": 15},
    {"opened": True, "board": True, "needed": 45, "opening": None, "tiles": 20, "announces": "auto"},
]


@pytest.mark.parametrize("language", ["en", "ro", "fr"])
@pytest.mark.parametrize("code", CODES)
def test_every_refusal_has_a_sentence_of_its_own_that_speaks_of_tiles(code: str, language: str) -> None:
    with translation.override(language):
        unknown = refusal("bad_notation", {}, with_tiles=True)
        for situation in SITUATIONS:
            said = refusal(code, {**situation, "card": "5R", "cards": ["5R", "*"], "row": 3}, with_tiles=True)
            assert said.what != unknown.what and said.instead
            plain = re.sub(r"<[^>]+>", "", said.what + said.instead)
            assert not re.search(r"\bcards?\b|\bcart(e|ea|ea|i)\b|\bcărți\b|\bcartes?\b|%\(|\{", plain), plain


@pytest.mark.parametrize(
    ("opening", "said"),
    [
        (Opening(30, 45, True, False, True, False), "30 of 45, a run is still missing"),
        (Opening(15, 45, False, True, True, False), "15 of 45, a set is still missing"),
        (Opening(0, 45, False, False, True, False), "0 of 45, a set and a run are still missing"),
        (Opening(40, 45, True, True, True, False), "40 of 45"),
        (Opening(30, 45, False, False, False, False), "30 of 45, a run is still missing"),
    ],
)
def test_what_an_opening_lacks_is_said(opening: Opening, said: str) -> None:
    words_of = refusal("opening_incomplete", {"opening": opening}, with_tiles=True)
    assert words_of.what == f"Your opening is not complete: {said}."


@pytest.mark.parametrize(
    ("moves", "by", "said"),
    [
        ("M:12R,12B,12K", "Ana", "Not in your first turn."),
        ("A", "Ana", "It is too early to announce."),
        ("C:9K", "Ana", "You have not announced the board game."),
        ("L:1:7Y", "Ana", "Not in your first turn."),
        ("S", "Ana", "You have drawn already."),
        ("D:13Y", "Ana", "You do not hold"),
        ("D:9K", "Bogdan", "It is not your turn."),
    ],
)
def test_at_the_table_the_sentence_says_what_is_missing_and_nothing_changes(moves: str, by: str, said: str) -> None:
    game = rigged("Ana", "Bogdan", hands=[OPENING, "13Y"], exchange=False)
    before = rows()
    answer = post(by, game, move=moves, htmx=False)
    assert answer.status_code == 422 and said in words(answer)
    assert {name: rows()[name] for name in ("Game", "Deal", "Hand", "Entry")} == {
        name: before[name] for name in ("Game", "Deal", "Hand", "Entry")
    }


def test_taking_before_the_opening_says_why_not() -> None:
    game = rigged("Ana", "Bogdan", hands=["2K 5Y", "13Y"], exchange=False)
    round_of_discards(game)
    shown = picked("Ana", game, take="P1")
    assert "It cannot be taken: you cannot open with the" in words(shown) and "not possible" in words(shown)
    assert "You cannot open with the" in words(post("Ana", game, move="P1"))
    assert "Whoever has not opened cannot break the row." in words(post("Ana", game, move="P2")) or "is dead" in words(
        post("Ana", game, move="P2")
    )


def test_tables_of_cards_know_nothing_of_tiles() -> None:
    game = tile_table("Ana", "Bogdan")
    cards = running("Chloé", "Dan")
    page = body(table("Chloé", cards))
    assert "tiles.css" not in page and "rack.js" not in page and "tiles" not in words(table("Chloé", cards))
    assert "tiles.css" in body(table("Ana", game)) and "rack.js" in body(table("Ana", game))

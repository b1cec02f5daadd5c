"""The pages of the tile game: what each state shows, and that nothing of others is in it."""

from __future__ import annotations

import re

import pytest

from games.models import Entry, Game, Seat
from tests.games.pages import HTMX, visitor, words
from tests.games.playing import at, fresh, play, rows, settle
from tests.games.tile_pages import (
    MINUS,
    OPENING,
    SIMPLU,
    TILE,
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


# -- who sees what -------------------------------------------------------------------------------


def test_a_player_s_page_has_their_own_tiles_and_nobody_else_s() -> None:
    game = opened()
    shown = TILE.findall(body(table("Ana", game)))
    assert sorted(shown[::2]) == sorted(held(game, "Ana"))
    assert TILE.findall(body(table("Chloé", game))) == []


def test_two_tables_that_differ_in_hidden_tiles_alone_give_the_same_page() -> None:
    pages = []
    for others in (["2Y 3K 5R", "8R 9R 13Y"], ["8R 9R 13Y", "2Y 3K 5R"]):
        game = rigged(
            "Ana", "Bogdan", "Chloé", hands=["1R 2R 4Y 5K 6B 8Y 10R 11B 12Y 13K 3B 7R 9B 2B 6K", *others], exchange=False
        )
        for state in ("", f"buttons/?version={game.version}&card=1R"):
            answer = table("Ana", game, state)
            pages.append(
                re.sub(
                    r'csrf[^>]*"[\w]{20,}"|[\w]{64}|<code>[\da-f ]+</code>|[\da-f]{4} [\da-f]{4} …',
                    "",
                    body(answer).replace(game.code, "code"),
                )
            )
        Game.objects.filter(pk=game.pk).update(visibility="link")
    assert pages[:2] == pages[2:]


def test_looking_writes_nothing() -> None:
    game = rigged("Ana", "Bogdan", hands=["5R 5R", "6K 6K"])
    client, before = visitor("Ana"), rows()
    for path in ("", f"poll/{game.version}/", "poll/0/", "buttons/", f"buttons/?version={game.version}&card=5R&announce=1"):
        client.get(f"/t/{game.code}/{path}", headers=HTMX)
    assert rows() == before


def test_the_page_keeps_to_the_policy_for_content() -> None:
    for game in (opened(), rigged("Dan", "Eva", hands=["5R 5R 11B 11B 1K 1K", "6K 6K"])):
        name = Seat.objects.filter(game=game).order_by("index")[0].user.username  # type: ignore[union-attr]
        assert not re.search(r"<style|style=|<script(?![^>]*src=)|\son\w+=", body(table(name, game)))


@pytest.mark.parametrize("language", ["en", "ro", "fr"])
def test_no_page_of_tiles_speaks_of_cards(language: str) -> None:
    states = [
        rigged("Ana", "Bogdan", hands=["5R 5R 11B 11B 1K 1K", "6K 6K"]),
        ready_to_open(),
        opened(),
        rigged("Ana", "Bogdan", hands=[SIMPLU, ""], exchange=False),
    ]
    play(states[3], "B")
    game = opened()
    play(game, f"D:{drawn(game)} S")
    play(game, f"D:{drawn(game)}")
    said = []
    for state in [*states, game]:
        buttons = f"buttons/?version={fresh(state).version}"
        for path in ("", f"{buttons}&card={held(state, 'Ana')[0]}", f"{buttons}&take=P1", "log/", "resign/"):
            said.append(words(visitor("Ana", accept_language=language).get(f"/t/{state.code}/{path}", headers=HTMX)))
    cards = r".{0,40}\b(?:cards?|cart(?:e|ea|es)|cărți(?:i|le)?|talon|pachet)\b.{0,20}"
    assert {found for text in said for found in re.findall(cards, text, re.I)} == set()


# -- the turn ------------------------------------------------------------------------------------


def test_the_first_seat_begins_with_a_discard() -> None:
    game = rigged("Ana", "Bogdan", hands=[OPENING, ""], exchange=False)
    said = words(table("Ana", game))
    assert "Your first turn: discard one tile" in said and "Lay not in your first turn" in said
    assert "Your rack" in body(table("Ana", game)) and 'value="S"' not in body(table("Ana", game))


def test_atu_stock_and_who_has_opened_are_told() -> None:
    game = opened()
    page = table("Bogdan", game)
    said = words(page)
    assert "Atu" in said and f"{at(game).deal.stock_left} left" in said
    assert 'aria-label="black 7, atu, the last tile of the stock"' in body(page)
    assert "Ana opened" in said and "You · total 0 not opened" in said
    assert "45 laid" in said


def test_the_first_discard_lies_dead_and_cannot_be_picked() -> None:
    game = ready_to_open()
    page = body(table("Ana", game))
    first, second = re.findall(r'<li(?: class="dead")?>.*?</li>', page.split('id="row"')[1].split("</ol>")[0], re.S)
    assert "dead: cannot be taken" in first and "<input" not in first
    assert "<input" in second
    free = ready_to_open(first_discard_dead=False)
    assert "dead" not in body(table("Ana", free)).split('id="row"')[1].split("</ol>")[0]


def test_the_opening_is_told_in_words_and_measured() -> None:
    game = ready_to_open()
    assert "Open with 45 points, or discard" in words(table("Ana", game))
    answer = picked("Ana", game, "12R", "12B", "12K")
    assert 'value="M:12R,12B,12K"' in body(answer) and '<span class="worth">30 of 45</span>' in body(answer)
    assert "30 of 45 to open, a run is still missing" in words(answer)
    assert 'aria-label="30 of 45"' in body(answer)
    post("Ana", game, move="M:12R,12B,12K")
    page = table("Ana", game)
    assert "30 of 45 to open, a run is still missing" in words(page) and "Discard after the opening" in words(page)
    assert "45 of 45: discard, and you have opened" in words(picked("Ana", game, "4B", "5B", "6B"))
    post("Ana", game, move="M:4B,5B,6B")
    assert "45 of 45: discard, and you have opened" in words(table("Ana", game))


def test_an_opening_that_falls_short_says_what_is_missing() -> None:
    game = ready_to_open()
    play(game, "M:12R,12B,12K")
    answer = post("Ana", game, move="D", card="9K", htmx=False)
    assert answer.status_code == 422
    assert "Your opening is not complete: 30 of 45, a run is still missing." in words(answer)
    assert at(game).deal.to_move == 0


def test_before_the_opening_the_box_for_announcing_stands_where_laying_off_will() -> None:
    game = ready_to_open()
    page = body(table("Ana", game))
    assert re.search(r'<label class="check off"><input type="checkbox" name="announce"[^>]* disabled>', page)
    assert 'class="btn off"' not in page
    later = body(table("Ana", opened()))
    assert 'class="btn off"' in later and 'name="announce"' not in later


def test_a_tile_drawn_is_marked_and_stands_last() -> None:
    game = opened()
    page = body(table("Ana", game))
    assert re.findall(r'data-card="([^"]+)"', page)[-1] == drawn(game)
    assert f'value="{drawn(game)}" aria-label="' in page and "new this turn" in page


def test_what_fits_a_meld_makes_a_button_of_it() -> None:
    game = rigged("Ana", "Bogdan", hands=[OPENING + " 7B", ""], exchange=False)
    play(game, f"D:{next(tile for tile in held(game, 'Ana') if tile not in (OPENING + ' 7B').split())} S")
    play(game, f"D:{drawn(game)} S")
    play(game, f"M:12R,12B,12K M:4B,5B,6B D:{drawn(game)} S")
    play(game, f"D:{drawn(game)} S")
    answer = picked("Ana", game, "7B")
    assert 'class="meld fits" name="move" value="L:2:7B"' in body(answer) and "<i>+5</i>" in body(answer)


def test_the_plain_buttons_lay_and_discard_the_ticked_tiles() -> None:
    game = ready_to_open()
    post("Ana", game, htmx=False, move="M", card=["12K", "12R", "12B"])
    post("Ana", game, htmx=False, move="M", card=["5B", "4B", "6B"])
    post("Ana", game, htmx=False, move="D", card="9K")
    assert [entry.text for entry in Entry.objects.filter(game=game, seat=0, kind="move")][-3:] == [
        "M:12R,12B,12K",
        "M:4B,5B,6B",
        "D:9K",
    ]


# -- announcing ----------------------------------------------------------------------------------


def down_to_four() -> Game:
    """Ana has opened in a deal of hers and holds four tiles, the draw among them."""
    hand = "12R 12B 12K 4B 5B 6B 8R 8Y 8B 9Y 10Y 11Y 2K"
    game = rigged("Ana", "Bogdan", hands=[hand, ""], exchange=False)
    play(game, f"D:{next(tile for tile in held(game, 'Ana') if tile not in hand.split())} S")
    play(game, f"D:{drawn(game)} S")
    play(game, "M:12R,12B,12K M:4B,5B,6B M:8R,8Y,8B")
    return game


def test_the_box_and_the_discard_are_one_step() -> None:
    game = down_to_four()
    post("Ana", game, move="M:9Y,10Y,11Y")
    assert len(held(game, "Ana")) <= 4
    assert 'name="announce" value="1" id="announce">' in body(table("Ana", game))
    tile = held(game, "Ana")[0]
    assert "checked" in body(picked("Ana", game, tile, announce="1")).split('name="announce"')[1].split(">")[0]
    post("Ana", game, htmx=False, move=f"D:{tile}", announce="1")
    texts = [entry.text for entry in Entry.objects.filter(game=game, seat=0, kind="move")]
    assert texts[-2:] == ["A", f"D:{tile}"]
    assert not at(game).deal.extra.forgot


def test_nobody_is_told_of_a_missing_announcement_before_the_discard() -> None:
    game = down_to_four()
    play(game, "M:9Y,10Y,11Y")
    tile = held(game, "Ana")[0]
    assert "500" not in words(picked("Ana", game, tile))
    post("Ana", game, move=f"D:{tile}")
    assert at(game).deal.extra.forgot == frozenset([0])
    assert "had not announced: −500" in words(table("Ana", game))


def test_where_the_server_announces_there_is_no_box() -> None:
    assert 'name="announce"' not in body(table("Ana", ready_to_open(announce="auto")))


def test_an_announcement_is_not_played_with_other_moves() -> None:
    game = opened()
    post("Ana", game, move="U", announce="1")
    assert not Entry.objects.filter(game=game, text="A").exists()


# -- the board game ------------------------------------------------------------------------------


def test_the_board_game_is_offered_in_the_first_three_turns_and_explained() -> None:
    game = rigged("Ana", "Bogdan", hands=[SIMPLU, ""], exchange=False)
    for turn in range(3):
        page = table("Ana", game)
        assert "Announce the board game" in words(page), turn
        assert "Simplu 500 Bețe 700 Mozaic 1000 Bicolor 1200 Duble 1300 Monocolor 1500" in words(page)
        play(game, f"D:{held(game, 'Ana')[0] if turn == 0 else drawn(game)} S")
        play(game, f"D:{drawn(game)} S")
    assert "Announce the board game" not in words(table("Ana", game))
    assert "Announce the board game" not in words(table("Bogdan", game))


def test_enter_in_the_form_never_announces_the_board_game() -> None:
    game = rigged("Ana", "Bogdan", hands=[SIMPLU, ""], exchange=False)
    assert '<button class="btn" form="board" name="move" value="B">' in body(table("Ana", game))


def test_whoever_plays_on_the_board_is_told_what_they_may_do() -> None:
    game = rigged("Ana", "Bogdan", hands=[SIMPLU, ""], exchange=False)
    post("Ana", game, move="B", htmx=False)
    said = words(table("Ana", game))
    assert "Close the board game, or discard" in said
    assert "You · total 0 on the board" in said and "Take back the announcement" in said
    play(game, f"D:{held(game, 'Ana')[0]} S")
    play(game, f"D:{drawn(game)} S")
    assert "Lay off not on the board" in words(table("Ana", game))
    assert "on the board" in words(table("Bogdan", game)) and "not opened" in words(table("Bogdan", game))
    assert "You play on the board." in words(post("Ana", game, move="M:7R,7Y,7B"))


def test_the_tile_that_closes_offers_the_game_and_its_points() -> None:
    game = rigged("Ana", "Bogdan", hands=[SIMPLU, ""], exchange=False)
    play(game, "B")
    answer = picked("Ana", game, "9Y")
    assert 'value="C:9Y"' in body(answer) and "Close with Simplu 500" in words(answer)
    assert "the other 14 make no board game" in words(picked("Ana", game, "1R"))
    assert "The other 14 tiles make no board game." in words(post("Ana", game, move="C", card="1R"))
    post("Ana", game, htmx=False, move="C", card="9Y")
    assert at(game).deal.reason == "board"
    settle(game)
    page = words(table("Ana", game, "deals/0/"))
    assert "You closed on the board: Simplu." in page and "Board game: Simplu" in page and "+500" in page
    assert "Not opened" in page and f"{MINUS}100" in page

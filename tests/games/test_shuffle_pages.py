"""The pages of the shuffle: adding a line, and the check of a deal that is over."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Game
from games.services import turns
from tests.games.pages import said, visitor, words
from tests.games.playing import NOON, OUT_OF_TWO, at, fresh, open_table, play, player, quick_turn, running, seat, settle

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """The second deal of a match; Ana had added a line to the first."""
    game = open_table("Ana")
    post("Ana", game, line="three blue ducks")
    visitor("Bogdan").post(f"/t/{game.code}/join/", {"line": "and a goose"})
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    return fresh(game)


def post(name: str, game: Game, **sent: str) -> Any:
    return visitor(name).post(f"/t/{game.code}/contribute/", sent)


def second_deal() -> Game:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    return fresh(game)


def check(name: str, game: Game, number: int = 0) -> str:
    return words(visitor(name).get(f"/t/{game.code}/deals/{number}/check/"))


# -- adding -------------------------------------------------------------------------------------


def test_a_line_is_kept_while_the_table_waits_and_during_a_deal() -> None:
    game = open_table("Ana")
    client = visitor("Ana")
    assert "Added to the next shuffle." in said(client, client.post(f"/t/{game.code}/contribute/", {"line": " ducks "}))
    assert seat(game, "Ana").contribution == "ducks"
    running_game = second_deal()
    answer = client.post(f"/t/{running_game.code}/contribute/", {"line": "geese"})
    assert answer["Location"] == f"/t/{running_game.code}/shuffle/"
    page = client.get(answer["Location"])
    assert 'value="geese"' in page.content.decode()
    assert "Nothing is added now." in said(client, client.post(f"/t/{running_game.code}/contribute/", {}))
    assert seat(running_game, "Ana").contribution == ""


def test_who_joins_may_bring_a_line_along(game: Game) -> None:
    assert at(game).row.contributions == ["three blue ducks", "and a goose"]


def test_a_line_that_is_none_is_refused_in_words() -> None:
    game, client = open_table("Ana"), visitor("Ana")
    assert "That cannot be added." in said(client, client.post(f"/t/{game.code}/contribute/", {"line": "x" * 65}))
    refused = visitor("Bogdan")
    assert "That cannot be added." in said(refused, refused.post(f"/t/{game.code}/join/", {"line": "two\nlines"}))
    assert [one.user.username for one in game.seats.all() if one.user] == ["Ana"]


def test_others_do_not_see_what_somebody_adds() -> None:
    game = second_deal()
    post("Ana", game, line="three blue ducks")
    for name in ("Bogdan", "Chloé"):
        for path in ("", "shuffle/", "log/", "deals/0/check/", "record.json", "record.txt"):
            assert "three blue ducks" not in visitor(name).get(f"/t/{game.code}/{path}").content.decode(), path
    open_one = open_table("Ana")
    post("Ana", open_one, line="three blue ducks")
    assert "three blue ducks" not in visitor("Bogdan").get(f"/t/{open_one.code}/").content.decode()


def test_a_spectator_is_offered_no_field_and_adds_nothing() -> None:
    game = second_deal()
    assert 'name="line"' not in visitor("Chloé").get(f"/t/{game.code}/shuffle/").content.decode()
    assert post("Chloé", game, line="mine").status_code == 404
    assert visitor().post(f"/t/{game.code}/contribute/", {"line": "mine"}).status_code == 302
    assert visitor("Ana").get(f"/t/{game.code}/contribute/").status_code == 405


# -- the shuffle of a table ---------------------------------------------------------------------


def test_the_page_of_the_shuffle_shows_what_is_sealed_and_what_can_be_checked() -> None:
    game = second_deal()
    seals = {entry.facts["number"]: entry.facts["seal"] for entry in game.entries.filter(text="sealed")}
    page = visitor("Ana").get(f"/t/{game.code}/shuffle/")
    body, said_ = page.content.decode(), words(page)
    for number in (1, 2):
        assert f"Deal {number + 1}, sealed" in said_ and seals[number][:4] in body
    assert "Deal 1, sealed" not in said_ and f"/t/{game.code}/deals/0/check/" in body
    assert f"/deals/1/check/" not in body  # noqa: F541
    for seed in (game.deals.get(number=1).seed, game.seal.seed):
        assert bytes(seed).hex()[:16] not in body.replace(" ", "")


def test_it_is_linked_from_the_table_the_waiting_room_and_the_end() -> None:
    game = second_deal()
    waiting = open_table("Ana")
    visitor("Ana").post(f"/t/{game.code}/deals/0/go-on/")
    assert f'href="/t/{game.code}/shuffle/"' in visitor("Ana").get(f"/t/{game.code}/").content.decode()
    assert f'href="/t/{waiting.code}/shuffle/"' in visitor("Ana").get(f"/t/{waiting.code}/").content.decode()
    assert f'href="/t/{game.code}/deals/0/check/"' in visitor("Ana").get(f"/t/{game.code}/deals/0/").content.decode()
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    settle(game)
    end = visitor("Ana").get(f"/t/{game.code}/").content.decode()
    assert f'href="/t/{game.code}/shuffle/"' in end and f'href="/t/{game.code}/record.json"' in end


# -- the check ----------------------------------------------------------------------------------


def test_the_check_shows_seal_seed_lines_and_cards(game: Game) -> None:
    settle(game)
    row = game.deals.get(number=0)
    page = visitor("Ana").get(f"/t/{game.code}/deals/0/check/").content.decode()
    body = page.replace(" ", "")
    assert bytes(row.seed).hex() in body
    assert game.entries.get(text="sealed", facts__number=0).facts["seal"] in body
    said_ = check("Ana", game)
    assert "You three blue ducks Bogdan and a goose" in said_
    assert "and 44 more" in said_ and "Nobody added anything" not in said_
    assert f"python -m games.engine verify remi-{game.code}.json" in said_


def test_it_says_what_is_not_proved_where_nobody_added_anything() -> None:
    game = second_deal()
    said_ = check("Ana", game)
    assert "Nobody added anything to this shuffle." in said_
    assert "the server could have drawn many and sealed one that it liked" in said_


def test_a_deal_of_before_the_seals_is_checked_by_its_seed_alone() -> None:
    game = second_deal()
    game.deals.filter(number=0).update(algorithm="remi-shuffle/1")
    game.entries.all()
    assert "remi-shuffle/1" in visitor("Ana").get(f"/t/{game.code}/deals/0/check/").content.decode()


def test_a_line_of_html_is_shown_as_it_was_typed() -> None:
    game = open_table("Ana")
    post("Ana", game, line="<b>&amp;")
    visitor("Bogdan").post(f"/t/{game.code}/join/")
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    settle(fresh(game))
    assert "&lt;b&gt;&amp;amp;" in visitor("Ana").get(f"/t/{game.code}/deals/0/check/").content.decode()


@pytest.mark.parametrize("number", [1, 2, 99])
def test_a_deal_that_is_not_over_is_not_checked(number: int) -> None:
    game = second_deal()
    assert visitor("Ana").get(f"/t/{game.code}/deals/{number}/check/").status_code == 404


def test_a_stranger_sees_no_shuffle_of_a_private_table() -> None:
    game = second_deal()
    Game.objects.filter(pk=game.pk).update(visibility="link")
    for path in ("shuffle/", "deals/0/check/", "record.json", "record.txt"):
        assert visitor("Chloé").get(f"/t/{game.code}/{path}").status_code == 404
        assert visitor("Ana").get(f"/t/{game.code}/{path}").status_code == 200


def test_the_pages_ask_as_many_queries_of_a_long_match_as_of_a_short_one() -> None:
    game, client = second_deal(), visitor("Ana")
    paths = [f"/t/{game.code}/{path}" for path in ("shuffle/", "deals/0/check/", "record.json", "record.txt")]

    def asked() -> list[int]:
        counts = []
        for path in paths:
            with CaptureQueriesContext(connection) as queries:
                client.get(path)
            counts.append(len(queries))
        return counts

    short = asked()
    quick_turn(game)
    quick_turn(game)
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    settle(game)
    assert [after - before for before, after in zip(short, asked(), strict=True)] == [-1, 0, 0, 0]  # no seals to show
    assert max(short) <= 14, dict(zip(paths, short, strict=True))


def test_no_script_stands_in_the_pages(game: Game) -> None:
    settle(game)
    for path in ("shuffle/", "deals/0/check/"):
        body = visitor("Ana").get(f"/t/{game.code}/{path}").content.decode()
        assert not re.search(r"<script(?![^>]*\bsrc=)|style=|\son\w+=", body)

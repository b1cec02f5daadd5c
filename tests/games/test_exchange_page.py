"""The exchange of doubles as a page: the question, the answer given, and waiting, which tells nothing."""

from __future__ import annotations

import re

import pytest
import time_machine

from games.models import Game
from tests.games.pages import HTMX, visitor, words
from tests.games.playing import NOON, rows, settle
from tests.games.tile_pages import (
    body,
    post,
    table,
)
from tests.games.tiles import rigged

pytestmark = pytest.mark.django_db


# -- the exchange of doubles ---------------------------------------------------------------------


@pytest.fixture
def asked() -> Game:
    """Ana holds three doubles, one of each class, Bogdan one, Chloé none."""
    return rigged("Ana", "Bogdan", "Chloé", hands=["5R 5R 11B 11B 1K 1K", "3Y 3Y", ""])


def test_the_question_has_a_plate_for_each_double_for_passing_and_for_spoiling(asked: Game) -> None:
    page = table("Ana", asked)
    assert re.findall(r'name="answer" value="([^"]+)"', body(page)) == ["X:5R", "X:11B", "X:1K", "X:pass", "X:spoil"]
    said = words(page)
    assert "Do you offer a tile of a double?" in said and "You hold 3 doubles" in said
    assert "Offer 5 small double" in said and "Offer 11 big double" in said and "Offer 1 key double" in said
    assert f'action="/t/{asked.code}/answer/"' in body(page)
    assert body(page).count('class="btn go') == 1


def test_with_fewer_doubles_nothing_is_spoiled(asked: Game) -> None:
    page = body(table("Bogdan", asked))
    assert re.findall(r'name="answer" value="([^"]+)"', page) == ["X:3Y", "X:pass"]


def test_who_is_not_asked_and_who_only_watches_wait(asked: Game) -> None:
    for name, said in (("Chloé", "You are not asked"), ("Dan", "You are watching")):
        page = table(name, asked)
        assert 'name="answer"' not in body(page)
        assert said in words(page) and "Doubles are being exchanged" in words(page)


def test_an_answer_is_given_without_script_and_then_waited_for(asked: Game) -> None:
    answer = post("Ana", asked, "answer/", htmx=False, answer="X:5R", deal="0")
    assert (answer.status_code, answer["Location"]) == (302, f"/t/{asked.code}/")
    page = table("Ana", asked)
    assert "Your answer is given: You offer the 5" in words(page)
    assert (
        'name="answer"' not in body(page) and "Bogdan" not in words(page).split("Your answer is given")[1].split("Match sheet")[0]
    )


def test_nothing_that_another_sees_changes_with_an_answer(asked: Game) -> None:
    def seen() -> list[tuple[int, dict[str, str], str]]:
        answers = [table("Bogdan", asked), table("Chloé", asked, f"poll/{asked.version}/", **HTMX), table("Chloé", asked)]
        return [
            (answer.status_code, dict(answer.items()), re.sub(r'csrf[^>]*"[\w]{20,}"|[\w]{64}', "", body(answer)))
            for answer in answers
        ]

    with time_machine.travel(NOON, tick=False):  # headers and pages tell the time
        before = seen()
        assert before[1][0] == 204
        post("Ana", asked, "answer/", answer="X:spoil", deal="0")
        assert seen() == before


def test_once_all_have_answered_play_begins_and_each_knows_their_own_swap() -> None:
    game = rigged("Ana", "Bogdan", "Chloé", hands=["5R 5R", "3Y 3Y", ""])
    for name, said in (("Ana", "X:5R"), ("Bogdan", "X:3Y")):
        post(name, game, "answer/", answer=said, deal="0")
    assert "You gave Bogdan the 5 and got the 3 ." in words(table("Ana", game))
    assert "You gave Ana the 3 and got the 5 ." in words(table("Bogdan", game))
    assert "You gave" not in words(table("Chloé", game))
    assert "The exchange of doubles is over" in words(table("Chloé", game))
    assert "X:" not in body(table("Chloé", game))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "No answer is chosen."),
        ({"answer": "X:9Y"}, "is no double of yours."),
        ({"answer": "X:*"}, "You do not hold"),
        ({"answer": "X:spoil"}, "You cannot spoil this deal."),
        ({"answer": "S"}, "That move could not be read."),
        ({"answer": "X:<b>"}, "That move could not be read."),
        ({"answer": "X:3Y", "deal": "1"}, "The table has moved on."),
        ({"answer": "X:3Y", "deal": "x"}, "The table has moved on."),
    ],
)
def test_an_answer_that_cannot_be_is_said_in_a_sentence(data: dict[str, str], said: str) -> None:
    game = rigged("Ana", "Bogdan", hands=["3Y 3Y 9Y", "6K 6K"])
    before = rows()
    answer = post("Ana", game, "answer/", htmx=False, **{"deal": "0", **data})
    assert answer.status_code in (409, 422)
    assert said in words(answer) and 'name="answer"' in body(answer)
    assert {name: rows()[name] for name in ("Game", "Answer", "Entry")} == {
        name: before[name] for name in ("Game", "Answer", "Entry")
    }


def test_a_second_answer_is_refused_and_the_first_shown(asked: Game) -> None:
    post("Ana", asked, "answer/", answer="X:5R", deal="0")
    again = post("Ana", asked, "answer/", htmx=False, answer="X:1K", deal="0")
    assert "You have answered already." in words(again) and "You offer the 5" in words(again)


def test_strangers_and_the_unasked_give_no_answer(asked: Game) -> None:
    assert post("Dan", asked, "answer/", answer="X:5R", deal="0").status_code == 404
    assert "It is not your turn." in words(post("Chloé", asked, "answer/", answer="X:pass", deal="0"))
    assert visitor("Ana").get(f"/t/{asked.code}/answer/").status_code == 405


def test_where_doubles_are_not_exchanged_only_spoiling_is_asked() -> None:
    game = rigged("Ana", "Bogdan", hands=["5R 5R 11B 11B 1K 1K", "6K 6K"], exchange=False)
    page = table("Ana", game)
    assert re.findall(r'name="answer" value="([^"]+)"', body(page)) == ["X:pass", "X:spoil"]
    assert "Do you spoil the deal?" in words(page)
    assert "Somebody may still spoil the deal" in words(table("Bogdan", game))


def test_a_spoiled_deal_has_its_result(asked: Game) -> None:
    for name, said in (("Ana", "X:spoil"), ("Bogdan", "X:pass")):
        post(name, asked, "answer/", answer=said, deal="0")
    settle(asked)
    page = words(table("Bogdan", asked, "deals/0/"))
    assert "Ana spoiled the deal: no one scores." in page and "Not counted" in page
    assert "You spoiled the deal" in words(table("Ana", asked, "deals/0/"))
    assert "Ana offered" not in page and "Spoiled by Ana" in words(table("Bogdan", asked, "log/"))

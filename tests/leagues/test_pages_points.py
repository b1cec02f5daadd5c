"""Points adjusted by the organiser: of the season under way and of one that is over, and what is refused."""

from __future__ import annotations

import pytest

from accounts.models import LedgerRow, Message
from tests.games.pages import visitor, words
from tests.leagues.playing import end_deal, league, match, points
from tests.leagues.test_pages import home, said

pytestmark = pytest.mark.django_db


def test_the_organiser_may_adjust_the_own_score_and_all_members_are_told() -> None:
    season, boss = league("Ana", "Bogdan", "Céline"), visitor("Ana")
    for _twice in range(2):
        told = said(boss, home(season) + "adjust/", name="ana", points="+25", reason="A gift to myself", request="one form")
        assert "Adjusted. All members are told." in told
    assert points(season) == {"Ana": 25}
    news = Message.objects.filter(kind="league", facts__what="adjusted")
    assert {message.user.username for message in news.select_related("user")} == {"Ana", "Bogdan", "Céline"}
    assert all(message.facts["own"] and message.facts["reason"] == "A gift to myself" for message in news)
    assert "adjusted A gift to myself — Ana +25" in words(visitor("Céline").get(home(season) + "seasons/1/players/Ana/"))


@pytest.mark.parametrize(
    ("wrong", "status", "told"),
    [
        ({"name": "Nobody"}, 302, "That player has no part in this season."),
        ({"points": "0"}, 302, "So many points cannot be added."),
        ({"reason": "  "}, 422, "This field is required."),
        ({"points": "many"}, 422, "whole number"),
        ({"points": "99999999999"}, 422, "less than or equal to 10000"),
        ({"name": "x" * 99}, 422, "at most 24 characters"),
    ],
)
def test_an_adjustment_that_says_nothing_is_refused(wrong: dict[str, str], status: int, told: str) -> None:
    season, boss = league("Ana", "Bogdan"), visitor("Ana")
    asked = {"name": "Bogdan", "points": "−5", "reason": "Late", "request": "r", **wrong}
    answer = boss.post(home(season) + "adjust/", asked)
    assert answer.status_code == status
    assert told in words(boss.get(answer["Location"]) if status == 302 else answer)
    assert not LedgerRow.objects.exists()


def test_points_of_a_season_that_is_over_can_be_put_right_on_the_same_page() -> None:
    season, boss = league("Ana", "Bogdan"), visitor("Ana")
    end_deal(match(season, "Ana", "Bogdan"))
    said(boss, home(season) + "season/end/")
    page = boss.get(home(season) + "manage/").content.decode()
    assert "Adjust points" in page and 'name="number" value="1"' in page
    form = {"name": "Bogdan", "points": "100", "reason": "Counted wrongly", "request": "a", "number": "1"}
    assert "Adjusted. All members are told." in said(boss, home(season) + "adjust/", **form)
    assert points(season) == {"Bogdan": 57, "Ana": 55}
    assert "Champion: Bogdan" in words(visitor().get(home(season)))
    assert "There is no such season under way." in said(boss, home(season) + "adjust/", **form | {"number": "2", "request": "b"})
    assert "There is no such season under way." in said(boss, home(season) + "adjust/", **form | {"number": "", "request": "c"})


def test_a_form_that_was_open_while_a_season_ended_means_the_season_that_it_showed() -> None:
    season, boss = league("Ana", "Bogdan"), visitor("Ana")
    end_deal(match(season, "Ana", "Bogdan"))
    form = {"name": "Bogdan", "points": "5", "reason": "So", "request": "a", "number": "1"}
    said(boss, home(season) + "season/end/")
    said(boss, home(season) + "season/", until="points", first_to="100")
    said(boss, home(season) + "adjust/", **form)
    assert points(season) == {"Ana": 55, "Bogdan": -38}
    assert LedgerRow.objects.filter(season__number=2).count() == 0


@pytest.mark.parametrize("wrong", [{"request": ""}, {"number": "x"}, {"number": "0"}, {"number": "9" * 30}])
def test_a_form_that_does_not_know_what_it_means_is_refused_in_words(wrong: dict[str, str]) -> None:
    season = league("Ana", "Bogdan")
    form = {"name": "Bogdan", "points": "5", "reason": "So", "request": "a", "number": "1", **wrong}
    answer = visitor("Ana").post(home(season) + "adjust/", form)
    assert answer.status_code == 422 and "Open this page anew and fill the form in again." in words(answer)
    assert not LedgerRow.objects.exists()


def test_points_are_taken_away_with_either_minus() -> None:
    season, boss = league("Ana", "Bogdan"), visitor("Ana")
    said(boss, home(season) + "adjust/", name="Bogdan", points="−5", reason="Late", request="a")
    said(boss, home(season) + "adjust/", name="Bogdan", points="-6", reason="Late", request="b")
    assert points(season) == {"Bogdan": -11}

"""The form of a new table, and the quick table against the computer."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from accounts.models import RateLimit, User
from games.forms import USUAL_TABLE
from games.models import Game
from tests.games.pages import HTMX, visitor, words
from tests.games.playing import NOON, OUT_OF_TWO, fresh, open_table, play, running, settle

pytestmark = pytest.mark.django_db

URL = "/tables/new/"
FRIDAY_EVENING = datetime(2026, 3, 6, 18, 30, tzinfo=UTC)


def answers(**changed: Any) -> dict[str, Any]:
    return {**USUAL_TABLE, "variant": "remi500", "title": "Ours", **changed}


def checked(page: str) -> set[tuple[str, str]]:
    """What the form has chosen: name and value of each."""
    radios = re.findall(r'<input type="radio" name="(\w+)" value="(\w+)"[^>]* checked', page)
    selects = [
        (name, value)
        for name, options in re.findall(r'<select name="(\w+)"[^>]*>(.*?)</select>', page, re.S)
        for value in re.findall(r'<option value="(\w+)" selected', options)
    ]
    boxes = [(name, "on") for name in re.findall(r'<input type="checkbox" name="(\w+)"[^>]* checked', page)]
    return {*radios, *selects, *boxes}


# -- the form -----------------------------------------------------------------------------------


def test_a_visitor_logs_in_first_and_comes_back() -> None:
    assert visitor().get(URL)["Location"] == "/account/login/?next=/tables/new/"


def test_the_form_is_one_page_that_needs_no_script() -> None:
    page = visitor("Ana").get(URL).content.decode()
    assert checked(page) == set({**USUAL_TABLE, "variant": "remi500"}.items())
    assert page.count('class="btn go"') == 1


def test_every_field_has_its_label() -> None:
    page = visitor("Ana").get(URL).content.decode()
    for field in re.findall(r"<(?:input|select)[^>]*>", page):
        if 'type="hidden"' not in field:
            name = re.search(r'\sid="([^"]+)"', field)
            assert name, field
            assert f'for="{name[1]}"' in page or re.search(rf'<label[^>]*><input[^>]*id="{name[1]}"', page), field


def test_a_french_reader_begins_with_the_french_game() -> None:
    assert ("variant", "rami500") in checked(visitor("Ana", accept_language="fr").get(URL).content.decode())


def test_a_table_is_made_as_it_was_asked_for() -> None:
    wanted = answers(
        variant="rami500",
        seats="4",
        computers="1",
        pace="8h",
        visibility="link",
        target="one",
        top_card="used",
        excuses="0",
        absent_after="5",
        absence_limit="14",
        min_reliability="90",
    )
    answer = visitor("Ana").post(URL, wanted)

    game = Game.objects.get()
    assert answer["Location"] == f"/t/{game.code}/"
    assert (game.variant, game.seat_count, game.turn_time, game.visibility) == ("rami500", 4, timedelta(hours=8), "link")
    assert (game.options, game.title) == ({"target": None, "top_card_free": False}, "Ours")
    assert (game.excuses, game.absent_after, game.absence_limit, game.min_reliability) == (0, 5, timedelta(days=14), 90)
    assert [seat.bot or str(seat.user) for seat in game.seats.all()] == ["Ana", "greedy"]


def test_what_is_left_as_usual_follows_the_game() -> None:
    for variant, free in (("remi500", False), ("rami500", True)):
        visitor("Ana").post(URL, answers(variant=variant))
        assert Game.objects.get(variant=variant).options == {"target": 500, "top_card_free": free}


def test_a_table_with_every_other_seat_the_computer_s_starts_at_once() -> None:
    visitor("Ana").post(URL, answers(seats="3", computers="2"))
    assert Game.objects.get().status == Game.Status.RUNNING


@pytest.mark.parametrize(("language", "name"), [("en", "Friday evening"), ("ro", "Vineri seara"), ("fr", "Vendredi soir")])
def test_a_table_without_a_name_is_named_for_the_day(language: str, name: str) -> None:
    with time_machine.travel(FRIDAY_EVENING, tick=False):
        visitor("Ana", accept_language=language).post(URL, answers(title="  "))
    assert Game.objects.get().title == name


def test_a_name_is_kept_with_single_spaces() -> None:
    visitor("Ana").post(URL, answers(title="  Joi   la  bunica "))
    assert Game.objects.get().title == "Joi la bunica"


# -- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"variant": "rami500", "seats": "5"}, "Rami 500 has 2 to 4 seats."),
        ({"seats": "9"}, "There is no such choice."),
        ({"seats": ""}, "Something is missing here"),
        ({"seats": "1e3"}, "There is no such choice."),
        ({"computers": "2"}, "One seat is yours: choose fewer computer players"),
        ({"computers": "-1"}, "There is no such choice."),
        ({"variant": "chess"}, "There is no such choice."),
        ({"pace": "1s"}, "There is no such choice."),
        ({"target": "7"}, "There is no such choice."),
        ({"excuses": "-1"}, "There is no such choice."),
        ({"absent_after": "0"}, "There is no such choice."),
        ({"absence_limit": "8"}, "There is no such choice."),
        ({"absence_limit": ""}, "Something is missing here"),
        ({"vacations": "30"}, "There is no such choice."),
        ({"min_reliability": "101"}, "There is no such choice."),
        ({"visibility": "secret"}, "There is no such choice."),
        ({"title": "A\u202eB"}, "The name holds signs that cannot be seen."),
        ({"title": "A\u200bB"}, "The name holds signs that cannot be seen."),
        ({"title": "x" * 41}, "at most 40 characters"),
        ({"title": "A\0B"}, "Null characters are not allowed"),
    ],
)
def test_what_there_is_not_is_refused_in_a_sentence(changed: dict[str, str], sentence: str) -> None:
    answer = visitor("Ana").post(URL, answers(**changed))
    assert answer.status_code == 422
    assert sentence in words(answer)
    assert not Game.objects.exists()


def test_what_was_entered_is_still_there_after_a_refusal() -> None:
    page = visitor("Ana").post(URL, answers(variant="rami500", seats="6", title="Ours")).content.decode()
    assert {("variant", "rami500"), ("seats", "6")} <= checked(page)
    assert 'value="Ours"' in page


def test_an_empty_form_is_refused() -> None:
    assert visitor("Ana").post(URL, {}).status_code == 422


def test_ten_tables_an_hour_are_enough() -> None:
    client = visitor("Ana")
    with time_machine.travel(NOON, tick=False):
        for number in range(10):
            assert client.post(URL, answers(title=f"Table {number}")).status_code == 302
        assert client.post(URL, answers(seats="99")).status_code == 422  # a mistake costs nothing
        answer = client.post(URL, answers())
    assert answer.status_code == 429
    assert answer["Retry-After"]
    assert Game.objects.count() == 10


# -- the terms, as they are chosen --------------------------------------------------------------


def test_the_terms_follow_what_is_chosen() -> None:
    answer = visitor("Ana").get(URL, answers(variant="rami500", seats="3", target="one"), headers=HTMX)
    assert "<form" not in answer.content.decode()
    assert "Game Rami 500, one deal Seats 3 Cards 7 each, 1 pack Top card may be taken freely Jokers may be swapped" in words(
        answer
    )
    assert not Game.objects.exists()


def test_the_terms_say_at_once_what_cannot_be() -> None:
    answer = visitor("Ana").get(URL, answers(variant="rami500", seats="8"), headers=HTMX)
    assert answer.status_code == 200
    assert "Rami 500 has 2 to 4 seats." in words(answer)


def test_the_page_and_its_part_are_told_apart_by_caches() -> None:
    assert "HX-Request" in visitor("Ana").get(URL)["Vary"]


# -- like another -------------------------------------------------------------------------------


def test_a_new_table_can_be_like_one_that_was_played() -> None:
    seed, moves, _scores = OUT_OF_TWO
    options = {"target": 250, "top_card_free": False}
    game = running(
        "Ana",
        "Bogdan",
        seed=seed,
        options=options,
        title="Again",
        absent_after=5,
        min_reliability=80,
        vacation_days=14,
        turn_time=timedelta(hours=1),
    )
    play(game, moves)
    settle(game)

    page = visitor("Ana").get(f"{URL}?like={game.code}").content.decode()

    expected = {"variant": "rami500", "seats": "2", "pace": "1h", "target": "250", "top_card": "used"}
    expected |= {"excuses": "0", "absent_after": "5", "absence_limit": "7", "min_reliability": "80", "vacations": "14"}
    assert set(expected.items()) <= checked(page)
    assert 'value="Again"' in page


def test_terms_that_the_form_does_not_offer_become_the_usual_ones() -> None:
    game = open_table("Ana", options={"target": 333}, absent_after=7, min_reliability=33, turn_time=timedelta(hours=5))
    page = visitor("Ana").get(f"{URL}?like={game.code}").content.decode()
    assert {("target", "500"), ("absent_after", "2"), ("min_reliability", "0"), ("pace", "1d")} <= checked(page)


def test_nothing_is_told_of_a_table_that_is_not_for_them() -> None:
    game = running("Bogdan", "Céline", visibility=Game.Visibility.LINK, title="Secret")
    for code in (game.code, "nothing"):
        assert visitor("Ana").get(f"{URL}?like={code}").status_code == 404


# -- play now -----------------------------------------------------------------------------------


def test_one_tap_makes_a_guest_and_a_table_against_the_computer() -> None:
    client = visitor()
    answer = client.post("/play/")

    game = Game.objects.get()
    guest = User.objects.get()
    assert answer["Location"] == f"/t/{game.code}/"
    assert guest.is_guest
    assert game.status == Game.Status.RUNNING
    assert [seat.bot or seat.user for seat in game.seats.all()] == [guest, "greedy"]
    assert client.get(answer["Location"]).status_code == 200


def test_a_french_visitor_plays_the_french_game() -> None:
    visitor(accept_language="fr").post("/play/")
    assert Game.objects.get().variant == "rami500"


def test_a_game_that_there_is_not_becomes_the_usual_one() -> None:
    visitor().post("/play/", {"variant": "chess"})
    assert Game.objects.get().variant == "remi500"


def test_a_double_tap_makes_one_table() -> None:
    client = visitor("Ana")
    with time_machine.travel(NOON, tick=False):
        first, second = client.post("/play/"), client.post("/play/")
    assert first["Location"] == second["Location"]
    with time_machine.travel(NOON + timedelta(minutes=1), tick=False):
        assert client.post("/play/")["Location"] != first["Location"]


def test_looking_at_the_address_plays_nothing() -> None:
    assert visitor().get("/play/").status_code == 405
    assert not User.objects.exists()


def test_too_many_guests_from_one_address_are_asked_to_wait() -> None:
    with time_machine.travel(NOON, tick=False):
        visitor().post("/play/")
        RateLimit.objects.update(count=1_000)
        answer = visitor().post("/play/")
    assert answer.status_code == 429
    assert User.objects.count() == 1


def test_the_quick_tables_count_among_the_ten_of_an_hour() -> None:
    client = visitor("Ana")
    for number in range(11):
        with time_machine.travel(NOON + timedelta(seconds=11 * number), tick=False):
            answer = client.post("/play/")
    assert answer.status_code == 429
    assert Game.objects.count() == 10
    assert fresh(Game.objects.all()[0]).visibility == Game.Visibility.LINK

"""A table that has not begun: its page, joining, leaving, starting, cancelling."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from accounts.models import User
from games.models import Game
from games.presenters.waiting import qr_code
from games.services import tables
from tests.games.pages import HTMX, said, visitor, words
from tests.games.playing import NOON, fresh, open_table, player, rows, running, seat

pytestmark = pytest.mark.django_db


def people(game: Game) -> list[str]:
    return [seat.bot or str(seat.user) for seat in game.seats.order_by("index")]


def at(game: Game, step: str = "") -> str:
    return f"/t/{game.code}/{step}"


# -- the page -----------------------------------------------------------------------------------


def test_the_page_shows_the_terms_the_seats_and_the_link() -> None:
    game = open_table("Ana", "Bogdan", seats=4, computers=1, title="Joi")
    page = words(visitor("Ana").get(at(game)))
    assert "Joi Waiting for 1 player You new Bogdan new free Computer" in page
    assert "Game Rami 500, first to 500" in page
    assert f'value="http://testserver/t/{game.code}/"' in visitor("Ana").get(at(game)).content.decode()


def test_a_stranger_with_the_link_may_join_and_do_nothing_else() -> None:
    game = open_table("Ana", visibility=Game.Visibility.LINK)
    page = visitor("Bogdan").get(at(game)).content.decode()
    assert at(game, "join/") in page
    for step in ("leave/", "start/", "cancel/"):
        assert at(game, step) not in page


def test_the_maker_may_start_and_cancel_the_others_leave() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    offered = {
        name: set(re.findall(r'formaction="/t/\w+/(\w+)/"', visitor(name).get(at(game)).content.decode()))
        for name in ("Ana", "Bogdan")
    }
    assert offered == {"Ana": {"start", "leave", "cancel"}, "Bogdan": {"leave"}}


def test_the_page_has_nothing_inline_and_is_not_kept() -> None:
    answer = visitor("Ana").get(at(open_table("Ana")))
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", answer.content.decode())
    assert "no-store" in answer["Cache-Control"]


def test_a_cancelled_table_leads_on() -> None:
    game = open_table("Ana")
    tables.cancel(code=game.code, user=player("Ana"), now=NOON)
    page = visitor("Ana").get(at(game))
    assert "This table was cancelled." in words(page)
    assert f"/tables/new/?like={game.code}" in page.content.decode()


def test_the_queries_do_not_grow_with_the_seats(django_assert_max_num_queries: Any) -> None:
    game = open_table("Ana", "Bogdan", "Céline", "Dan", seats=8, variant="remi500")
    client = visitor("Ana")
    with django_assert_max_num_queries(7):
        client.get(at(game))


def test_the_code_of_a_link_is_framed_by_its_three_corners() -> None:
    code = qr_code("http://testserver/t/abcdefghjkmnpq/")
    assert code.size == 37  # version 5, of the sturdiest kind
    assert code.path.startswith("M0 0h7v1h-7z")
    assert f"M{code.size - 7} 0h7v1h-7z" in code.path
    assert f"M0 {code.size - 1}h7v1h-7z" in code.path
    assert (code.corner * 2 + code.sign, code.sign**2 / code.size**2 < 0.05) == (code.size, True)


# -- staying fresh ------------------------------------------------------------------------------


def test_the_page_hears_nothing_while_nobody_comes() -> None:
    game = open_table("Ana", seats=3)
    client = visitor("Ana")
    asks = re.search(r'hx-get="(/t/[^"]+)"', client.get(at(game)).content.decode())
    assert asks
    assert client.get(asks[1], headers=HTMX).status_code == 204

    tables.join(code=game.code, user=player("Bogdan"), now=NOON)
    answer = client.get(asks[1], headers=HTMX)
    assert "Bogdan" in words(answer)
    assert "<html" not in answer.content.decode()


def test_the_page_goes_to_the_table_once_it_starts() -> None:
    game = open_table("Ana", "Bogdan")
    answer = visitor("Ana").get(at(game, "waiting/?version=1"), headers=HTMX)
    assert (answer.status_code, answer["HX-Redirect"]) == (200, at(game))


def test_the_address_it_asks_leads_a_reader_to_the_table() -> None:
    game = open_table("Ana")
    assert visitor("Ana").get(at(game, "waiting/"))["Location"] == at(game)


# -- joining ------------------------------------------------------------------------------------


def test_joining_takes_a_seat_and_the_last_one_starts_the_match() -> None:
    game = open_table("Ana")
    assert visitor("Bogdan").post(at(game, "join/"))["Location"] == at(game)
    assert people(game) == ["Ana", "Bogdan"]
    assert fresh(game).status == Game.Status.RUNNING


def test_joining_twice_is_joining_once() -> None:
    game = open_table("Ana", seats=3)
    client = visitor("Bogdan")
    assert [client.post(at(game, "join/"))["Location"] for _tap in range(2)] == [at(game)] * 2
    assert people(game) == ["Ana", "Bogdan"]


def test_who_comes_too_late_is_told_where_else_to_sit() -> None:
    game = open_table("Ana", "Bogdan")
    client = visitor("Céline")
    answer = client.post(at(game, "join/"))
    assert answer["Location"] == "/lobby/"
    assert "This match has begun. Its seats are taken" in said(client, answer)


def test_a_visitor_with_the_link_sits_down_as_a_guest() -> None:
    game = open_table("Ana", visibility=Game.Visibility.LINK, seats=3)
    client = visitor()
    assert "Join as a guest" in words(client.get(at(game)))

    assert client.post(at(game, "join/"))["Location"] == at(game)

    guest = User.objects.get(is_guest=True)
    assert people(game) == ["Ana", guest.username]
    assert "You" in words(client.get(at(game)))


def test_a_visitor_who_comes_too_late_becomes_no_guest() -> None:
    game = open_table("Ana", "Bogdan")
    client = visitor()
    assert "This match has begun." in said(client, client.post(at(game, "join/")))
    assert not User.objects.filter(is_guest=True).exists()


def test_a_table_that_has_begun_is_for_who_is_logged_in() -> None:
    game = running("Ana", "Bogdan", visibility=Game.Visibility.LINK)
    assert visitor().get(at(game))["Location"] == f"/account/login/?next={at(game)}"


def test_sitting_down_and_getting_up_without_end_is_stopped() -> None:
    game = open_table("Ana", seats=3)
    client = visitor("Bogdan")
    with time_machine.travel(NOON, tick=False):
        answers = [client.post(at(game, "join/")).status_code for _tap in range(61)]
    assert answers == [302] * 60 + [429]


# -- leaving, starting, cancelling --------------------------------------------------------------


def test_leaving_gives_the_seat_up() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    client = visitor("Bogdan")
    assert [client.post(at(game, "leave/"))["Location"] for _tap in range(2)] == ["/tables/"] * 2
    assert people(game) == ["Ana"]


def test_the_last_to_leave_takes_a_table_by_link_along_even_at_a_double_tap() -> None:
    game = open_table("Ana", visibility=Game.Visibility.LINK)
    client = visitor("Ana")
    assert [client.post(at(game, "leave/"))["Location"] for _tap in range(2)] == ["/tables/"] * 2
    assert fresh(game).status == Game.Status.CANCELLED


def test_nobody_leaves_a_match_that_has_begun_that_way() -> None:
    game = running("Ana", "Bogdan", title="On")
    client = visitor("Ana")
    answer = client.post(at(game, "leave/"))
    assert answer["Location"] == at(game)
    assert "You can only resign from it now." in said(client, answer)
    assert not seat(game, "Ana").resigned


def test_the_maker_starts_with_computer_players_in_the_free_seats() -> None:
    game = open_table("Ana", "Bogdan", seats=4)
    client = visitor("Ana")
    assert [client.post(at(game, "start/"))["Location"] for _tap in range(2)] == [at(game)] * 2
    assert people(game) == ["Ana", "Bogdan", "greedy", "greedy"]
    assert fresh(game).status == Game.Status.RUNNING


@pytest.mark.parametrize("step", ["start/", "cancel/"])
def test_nobody_but_the_maker_starts_or_cancels(step: str) -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    client = visitor("Bogdan")
    answer = client.post(at(game, step))
    assert answer["Location"] == at(game)
    assert "Only who made the table can do that." in said(client, answer)
    assert fresh(game).status == Game.Status.OPEN


def test_cancelling_twice_is_cancelling_once() -> None:
    game = open_table("Ana", visibility=Game.Visibility.LINK)
    client = visitor("Ana")
    assert [client.post(at(game, "cancel/"))["Location"] for _tap in range(2)] == ["/tables/"] * 2
    assert fresh(game).status == Game.Status.CANCELLED


@pytest.mark.parametrize("step", ["join/", "leave/", "start/", "cancel/"])
def test_looking_at_an_address_changes_nothing(step: str) -> None:
    game = open_table("Ana", seats=3)
    client = visitor("Ana")
    before = rows()
    assert client.get(at(game, step)).status_code == 405
    assert rows() == before


@pytest.mark.parametrize("step", ["leave/", "start/", "cancel/"])
def test_a_visitor_is_sent_to_log_in(step: str) -> None:
    game = open_table("Ana")
    answer = visitor().post(at(game, step), headers={"Referer": f"http://testserver{at(game)}"})
    assert answer["Location"] == f"/account/login/?next={at(game)}"


@pytest.mark.parametrize(
    "step", ["", "waiting/", "join/", "leave/", "start/", "cancel/", "resign/", "deals/0/", "deals/0/go-on/"]
)
def test_a_foreign_table_and_one_that_is_not_there_are_answered_alike(step: str) -> None:
    foreign = running("Ana", "Bogdan", visibility=Game.Visibility.LINK)
    client = visitor("Céline")
    method = client.get if step in ("", "waiting/", "resign/", "deals/0/") else client.post
    assert [method(f"/t/{code}/{step}").status_code for code in (foreign.code, "nothing")] == [404, 404]


# -- guests -------------------------------------------------------------------------------------


def test_a_guest_at_a_table_that_is_not_over_is_not_let_go() -> None:
    from accounts.people import services

    names = {}
    for kind in ("idle", "sitting", "playing"):
        names[kind] = services.make_guest(language="en", now=NOON).username
    open_table(names["sitting"])
    running(names["playing"], "Ana")

    services.purge_idle_guests(now=NOON + timedelta(days=31))

    left = set(User.objects.filter(is_guest=True).values_list("username", flat=True))
    assert left == {names["sitting"], names["playing"]}

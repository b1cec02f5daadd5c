"""A pause, and who is away, as the table's page shows them; and the terms that say so before."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import translation

from accounts.models import User
from accounts.people import absence
from games import selectors
from games.forms.table import USUAL_TABLE
from games.models import Game
from games.presenters.terms import terms
from games.services import outages
from tests.games.pages import HTMX, visitor, words
from tests.games.playing import DAY, NOON, fresh, player, quick_turn, running, sweep
from tests.games.tiles import BOTH_SMALL, tile_table

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _at_noon() -> Any:
    with time_machine.travel(NOON, tick=False), translation.override("en"):
        yield


def post(client: Client, game: Game, act: str, *, version: int | None = None) -> Any:
    sent = {"act": act, "version": fresh(game).version if version is None else version}
    return client.post(f"/t/{game.code}/pause/", sent)


def look(client: Client, game: Game) -> str:
    return words(client.get(f"/t/{game.code}/"))


def test_two_players_pause_and_one_of_them_goes_on() -> None:
    game, ana, bogdan = running("Ana", "Bogdan"), visitor("Ana"), visitor("Bogdan")
    assert "Ask for a pause" in look(ana, game)
    assert post(ana, game, "agree").status_code == 302
    assert "You are for a pause. Still to agree: Bogdan." in look(ana, game)
    assert "Ana: a pause?" in look(bogdan, game)
    post(bogdan, game, "agree")
    page = look(ana, game)
    assert "Paused, until 31 Mar at the latest" in page and "Go on playing" in page
    assert "<title>Paused · " in ana.get(f"/t/{game.code}/").content.decode()  # she is on turn, and nobody is to move
    assert "Draw from the stock" not in page and "Your turn" not in page
    post(bogdan, game, "resume")
    assert "Draw from the stock" in look(ana, game)
    assert fresh(game).deadline == NOON + DAY


def test_with_htmx_the_answer_is_the_table() -> None:
    game = running("Ana", "Bogdan")
    answer = post(visitor("Ana", **HTMX), game, "agree")
    assert answer.status_code == 200
    assert "<html" not in answer.content.decode() and "Still to agree: Bogdan." in words(answer)


def test_a_pause_is_refused() -> None:
    game = running("Ana", "Bogdan")
    post(visitor("Ana"), game, "agree")
    post(visitor("Bogdan"), game, "refuse")
    page = look(visitor("Ana"), game)
    assert "Still to agree" not in page and "Bogdan would rather play on" in page


def test_a_move_meanwhile_is_refused_with_a_sentence() -> None:
    game = running("Ana", computers=1)
    post(visitor("Ana"), game, "agree")
    answer = visitor("Ana").post(f"/t/{game.code}/play/", {"move": "S", "version": fresh(game).version})
    assert answer.status_code == 422
    assert "The table is paused. Any of you can end the pause" in words(answer)


def test_an_answer_in_the_exchange_meanwhile_is_refused_with_a_sentence() -> None:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    for name in ("Ana", "Bogdan"):
        post(visitor(name), game, "agree")
    page = look(visitor("Ana"), game)
    assert "Paused" in page and "Do you offer a tile" not in page
    sent = {"answer": "X:pass", "deal": 0, "version": fresh(game).version}
    answer = visitor("Ana").post(f"/t/{game.code}/answer/", sent)
    assert "The table is paused." in words(answer)


@pytest.mark.parametrize(("act", "code"), [("", 422), ("pause", 422), ("resume", 422), ("refuse", 422)])
def test_what_cannot_be_done_is_refused_with_a_sentence(act: str, code: int) -> None:
    game = running("Ana", "Bogdan")
    before = fresh(game).version
    assert post(visitor("Ana"), game, act).status_code == code
    assert fresh(game).version == before


@pytest.mark.parametrize("version", ["0", "", "x", "99999999999", "-1"])
def test_a_page_that_is_old_shows_the_fresh_table(version: Any) -> None:
    game = running("Ana", "Bogdan")
    answer = post(visitor("Ana"), game, "agree", version=version)
    assert (answer.status_code, "The table has moved on." in words(answer)) == (409, True)


def test_a_paused_table_waits_for_nobody() -> None:
    game, ana = running("Ana", computers=1), visitor("Ana")
    assert selectors.my_games(user=player("Ana")) == [(game, True)]
    post(ana, game, "agree")
    assert selectors.my_games(user=player("Ana")) == [(game, False)]
    page = words(ana.get("/tables/"))
    assert "Paused by all." in page and "the clock stands" in page


def test_spectators_see_it_and_have_no_button() -> None:
    game, dan = running("Ana", "Bogdan"), visitor("Dan")
    post(visitor("Ana"), game, "agree")
    page = dan.get(f"/t/{game.code}/").content.decode()
    assert "Ana: a pause?" in page and 'value="agree"' not in page
    assert post(dan, game, "agree").status_code == 404
    post(visitor("Bogdan"), game, "agree")
    page = dan.get(f"/t/{game.code}/").content.decode()
    assert "Paused, until" in page and 'value="resume"' not in page


def test_that_somebody_is_away_is_seen_at_the_table() -> None:
    game = running("Ana", "Bogdan")
    absence.plan(user=player("Bogdan"), first=NOON.date(), last=NOON.date() + 11 * DAY, now=NOON)
    assert "away until 12 Mar" in look(visitor("Ana"), game)
    quick_turn(game)
    page = look(visitor("Ana"), game)
    assert "Bogdan stopped the clock: on vacation" in page and "the clock stands" in page


def test_work_on_the_site_is_seen_at_the_table() -> None:
    game, ana = running("Ana", "Bogdan"), visitor("Ana")
    outages.begin_maintenance(reason="A new <disk>", now=NOON)
    page = ana.get(f"/t/{game.code}/")
    assert "no turn runs out meanwhile. A new <disk>" in words(page) and "<disk>" not in page.content.decode()
    assert "24 h left, the clock stands" in words(page) and "until" not in words(page)
    with time_machine.travel(NOON + timedelta(minutes=30), tick=False):
        assert "24 h left, the clock stands" in words(ana.get(f"/t/{game.code}/"))
    outages.end_maintenance(now=NOON + timedelta(hours=1))
    sweep(NOON + timedelta(hours=1))
    page_after = look(ana, game)
    assert "no turn runs out" not in page_after
    assert "The clock was set forward by 1 h for work on the site: A new <disk>" in page_after


def test_a_turn_that_begins_during_the_work_has_its_whole_time() -> None:
    game = running("Ana", "Bogdan")
    outages.begin_maintenance(reason="", now=NOON)
    quick_turn(game, now=NOON + timedelta(hours=2))
    with time_machine.travel(NOON + timedelta(hours=3), tick=False):
        page = look(visitor("Ana"), game)
        assert "Bogdan to move, the clock stands" in page and "24 h" in page


def test_a_clock_that_stands_has_another_sign_than_one_that_runs() -> None:
    game = running("Ana", "Bogdan")
    quick_turn(game)
    seat = re.compile(r'<li class="seat" data-turn>.*?#(i-clock|i-pause)"', re.S)
    assert seat.findall(visitor("Ana").get(f"/t/{game.code}/").content.decode()) == ["i-clock"]
    outages.begin_maintenance(reason="", now=NOON)
    assert seat.findall(visitor("Ana").get(f"/t/{game.code}/").content.decode()) == ["i-pause"]


def test_where_vacations_stop_no_clock_the_seat_says_that_it_runs_on() -> None:
    game = running("Ana", "Bogdan", vacation=False)
    absence.plan(user=player("Bogdan"), first=NOON.date(), last=NOON.date() + 11 * DAY, now=NOON)
    assert "away until 12 Mar; the clock runs on" in look(visitor("Ana"), game)


def test_the_log_tells_of_an_outage() -> None:
    game = running("Ana", "Bogdan")
    sweep(NOON)
    sweep(NOON + timedelta(hours=2, minutes=10), slept=True)
    assert "The clock was set forward by 2 h 10 min: the site was away" in look(visitor("Ana"), game)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("ro", ["Ana: cerere de pauză", "Bogdan: de acord cu pauza", "Toți sunt de acord: masa e în pauză", "pauză încheiată"]),
        ("fr", ["Ana : demande de pause", "Bogdan : d’accord pour la pause", "la table est en pause", "fin de la pause"]),
    ],
)
def test_the_log_tells_it_in_the_readers_language(language: str, told: list[str]) -> None:
    game = running("Ana", "Bogdan")
    for name, act in (("Ana", "agree"), ("Bogdan", "agree"), ("Ana", "resume")):
        post(visitor(name), game, act)
    reader = visitor("Dan")
    User.objects.filter(username="Dan").update(language=language)
    page = words(reader.get(f"/t/{game.code}/log/"))
    assert [sentence for sentence in told if sentence not in page] == []


# -- before one joins ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({}, "the clock stands while the player to move is on vacation"),
        ({"vacation_days": 1}, "the clock stands while the player to move is on vacation, 1 day a player and match at most"),
        ({"vacation_days": 10}, "the clock stands while the player to move is on vacation, 10 days a player and match at most"),
        ({"vacation": False}, "no clock stands for them"),
    ],
)
def test_what_vacations_do_stands_in_the_terms(chosen: dict[str, Any], sentence: str) -> None:
    game = running("Ana", "Bogdan", **chosen)
    assert ("Vacations", sentence) in [(term.label, term.value) for term in terms(game, now=NOON)]


@pytest.mark.parametrize(
    ("vacations", "kept"), [("all", (True, None)), ("14", (True, 14)), ("7", (True, 7)), ("none", (False, None))]
)
def test_they_are_chosen_when_a_table_is_made(vacations: str, kept: tuple[bool, int | None]) -> None:
    visitor("Ana").post("/tables/new/", {**USUAL_TABLE, "variant": "rami500", "pace": "1d", "vacations": vacations})
    game = Game.objects.get()
    assert (game.vacation, game.vacation_days) == kept

"""Vacations as a player meets them: on the settings page, and on a page of their own where something was wrong."""

from __future__ import annotations

import re
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts.models import User, Vacation
from accounts.people import absence
from tests.accounts.conftest import NOON

pytestmark = pytest.mark.django_db
URL, END, SETTINGS = "/settings/vacation/", "/settings/vacation/end/", "/settings/"


@pytest.fixture(autouse=True)
def _at_noon() -> Any:
    with time_machine.travel(NOON, tick=False):
        yield


def plan(client: Client, first: str, last: str) -> Any:
    return client.post(URL, {"first": first, "last": last})


def test_it_is_begun_from_the_settings_and_ended_there(ana: User, ana_client: Client) -> None:
    assert "30 of 30 days are left in 2026" in ana_client.get(SETTINGS).content.decode()
    assert plan(ana_client, "2026-03-01", "2026-03-11").headers["Location"] == SETTINGS
    page = ana_client.get(SETTINGS).content.decode()
    assert "until 11 March" in page and "11 days" in page and "19 of 30 days are left" in page
    assert 'name="first"' not in page
    assert ana_client.post(END).headers["Location"] == SETTINGS
    page = ana_client.get(SETTINGS).content.decode()
    assert "Your clocks go on with what was left" in page and "29 of 30 days are left" in page
    assert absence.current(user=ana, now=NOON) is None


def test_the_first_day_that_is_offered_last_is_one_that_is_taken(ana: User, ana_client: Client) -> None:
    field = re.search(r'<input[^>]*name="first"[^>]*>', ana_client.get(SETTINGS).content.decode())
    assert field is not None
    farthest = re.search(r'max="([\d-]+)"', field[0])
    assert farthest is not None
    assert plan(ana_client, farthest[1], farthest[1]).headers["Location"] == SETTINGS


def test_it_is_planned_and_given_up(ana: User, ana_client: Client) -> None:
    plan(ana_client, "2026-03-30", "2026-04-02")
    assert "30 March to 2 April" in ana_client.get(SETTINGS).content.decode()
    ana_client.post(END)
    assert not Vacation.objects.exists()
    assert ana_client.post(END).status_code == 302  # a second tap


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        ("2026-02-28", "2026-03-02", "That day is over"),
        ("2026-03-05", "2026-03-04", "The last day comes after the first"),
        ("2028-03-05", "2028-03-06", "no more than a year ahead"),
        ("2026-03-01", "2026-03-31", "That is too long: 30 days are left of 2026."),
        ("", "", "This field is required"),
        ("2026-02-30", "2026-03-01", "Enter a valid date"),
        ("01.03.2026", "2026-03-02", "Enter a valid date"),
        ("9999-12-31", "9999-12-31", "no more than a year ahead"),
        ("0001-01-01", "9999-12-31", "That day is over"),
        ("2026-03-01\x00", "2026-03-02", "Enter a valid date"),
        ("<b>", "٢٠٢٦-٠٣-٠١", "Enter a valid date"),
    ],
)
def test_it_says_what_is_wrong_and_keeps_what_was_entered(ana_client: Client, first: str, last: str, sentence: str) -> None:
    answer = plan(ana_client, first, last)
    assert answer.status_code == 422
    assert sentence in answer.content.decode().replace("&#x27;", "'")
    assert not Vacation.objects.exists()


def test_a_second_one_is_refused(ana: User, ana_client: Client) -> None:
    absence.plan(user=ana, first=NOON.date(), last=NOON.date(), now=NOON)
    answer = plan(ana_client, "2026-03-05", "2026-03-06")
    assert (answer.status_code, Vacation.objects.count()) == (422, 1)


def test_today_is_where_the_player_lives(ana: User, ana_client: Client) -> None:
    User.objects.filter(pk=ana.pk).update(time_zone="Pacific/Kiritimati")  # fourteen hours ahead
    assert 'value="2026-03-02"' in ana_client.get(URL).content.decode()
    assert plan(ana_client, "2026-03-01", "2026-03-04").status_code == 422
    assert plan(ana_client, "2026-03-02", "2026-03-04").status_code == 302
    assert absence.away(user_ids=[ana.pk], now=NOON)


def test_whoever_tries_without_end_is_slowed_down(ana_client: Client) -> None:
    answers = [plan(ana_client, "2026-01-01", "2026-01-01").status_code for _try in range(31)]
    assert (answers[0], answers[-1]) == (422, 429)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("ro", ("Vacanță", "până pe 11 martie", "11 zile", "19 zile din 30")),
        ("fr", ("Vacances", "11 mars", "11 jours", "19 jours sur 30")),
    ],
)
def test_it_speaks_the_players_language(ana: User, ana_client: Client, language: str, words: tuple[str, ...]) -> None:
    User.objects.filter(pk=ana.pk).update(language=language)
    plan(ana_client, "2026-03-01", "2026-03-11")
    page = ana_client.get(SETTINGS).content.decode()
    assert [word for word in words if word not in page] == []

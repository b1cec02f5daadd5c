"""What seats are called, and how times are told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation

from games.models import Seat
from games.presenters.names import joined, name_for_now, seat_names
from games.presenters.times import time_left, turn_length
from tests.games.playing import open_table, running

NOW = datetime(2026, 3, 6, 14, 30, tzinfo=UTC)  # a Friday


def left(in_time: timedelta, turn_time: timedelta | None = None) -> tuple[str, str, bool]:
    told = time_left(NOW + in_time, NOW, turn_time)
    return told.left, told.until, told.soon


@pytest.mark.parametrize(
    ("in_time", "words", "until"),
    [
        (timedelta(seconds=-1), "time is up", "until 14:29 today"),
        (timedelta(0), "time is up", "until 14:30 today"),
        (timedelta(seconds=59), "less than a minute", "until 14:30 today"),
        (timedelta(minutes=12, seconds=59), "12 min", "until 14:42 today"),
        (timedelta(hours=1), "1 h", "until 15:30 today"),
        (timedelta(hours=2, minutes=10), "2 h 10 min", "until 16:40 today"),
        (timedelta(hours=8, minutes=40), "8 h", "until 23:10 today"),
        (timedelta(hours=10), "10 h", "until Sat 00:30"),
        (timedelta(hours=47, minutes=59), "47 h", "until Sun 14:29"),
        (timedelta(hours=48), "2 d", "until Sun 14:30"),
        (timedelta(days=6, hours=20), "6 d 20 h", "until Fri 13 Mar 10:30"),
    ],
)
def test_a_deadline_is_told_as_time_left_and_as_a_date(in_time: timedelta, words: str, until: str) -> None:
    with translation.override("en"):
        assert left(in_time)[:2] == (words, until)


def test_the_date_is_the_reader_s() -> None:
    with translation.override("en"), timezone.override(ZoneInfo("Europe/Bucharest")):
        assert left(timedelta(hours=8))[1] == "until Sat 00:30"


@pytest.mark.parametrize(
    ("language", "today", "another"),
    [
        ("ro", ("2 h 10 min", "până azi la 16:40"), ("3 zile", "până lun. 14:30")),
        ("fr", ("2 h 10 min", "jusqu’à 16:40 aujourd’hui"), ("3 j", "jusqu’à lun. 14:30")),
    ],
)
def test_it_is_told_in_the_reader_s_language(language: str, today: tuple[str, str], another: tuple[str, str]) -> None:
    with translation.override(language):
        assert left(timedelta(hours=2, minutes=10))[:2] == today
        assert left(timedelta(days=3))[:2] == another


@pytest.mark.parametrize(
    ("in_time", "turn_time", "soon"),
    [
        (timedelta(hours=3), None, True),
        (timedelta(hours=3, seconds=1), None, False),
        (timedelta(hours=3), timedelta(days=1), True),
        (timedelta(hours=2, seconds=1), timedelta(hours=8), False),
        (timedelta(hours=2), timedelta(hours=8), True),
        (timedelta(minutes=4), timedelta(minutes=5), False),
        (timedelta(minutes=1), timedelta(minutes=5), True),
    ],
)
def test_it_is_soon_with_three_hours_or_a_quarter_of_the_turn_left(
    in_time: timedelta, turn_time: timedelta | None, soon: bool
) -> None:
    assert left(in_time, turn_time)[2] is soon


@pytest.mark.parametrize(
    ("time", "words"),
    [
        (timedelta(minutes=5), "5 min"),
        (timedelta(hours=1), "1 h"),
        (timedelta(hours=1, minutes=30), "1 h 30 min"),
        (timedelta(days=1), "1 day"),
        (timedelta(days=7), "7 days"),
        (timedelta(hours=36), "36 h"),
    ],
)
def test_the_length_of_a_turn_is_told_shortly(time: timedelta, words: str) -> None:
    with translation.override("en"):
        assert turn_length(time) == words


@pytest.mark.parametrize(
    ("hour", "name"),
    [(4, "Friday night"), (5, "Friday morning"), (12, "Friday afternoon"), (18, "Friday evening"), (22, "Friday night")],
)
def test_a_table_without_a_name_is_called_by_day_and_hour(hour: int, name: str) -> None:
    with translation.override("en"):
        assert name_for_now(NOW.replace(hour=hour)) == name


@pytest.mark.parametrize(
    ("names", "words"),
    [([], ""), (["Ana"], "Ana"), (["Ana", "Bogdan"], "Ana and Bogdan"), (["Ana", "Bogdan", "Céline"], "Ana, Bogdan and Céline")],
)
def test_names_are_joined_as_in_a_sentence(names: list[str], words: str) -> None:
    with translation.override("en"):
        assert joined(names) == words


@pytest.mark.django_db
def test_a_computer_player_alone_has_no_number() -> None:
    game = open_table("Ana", seats=3, computers=1)
    assert seat_names(game.seats.select_related("user")) == ["Ana", "Computer"]


@pytest.mark.django_db
def test_several_computer_players_are_numbered_in_order_of_play() -> None:
    game = running("Ana", computers=3)
    assert seat_names(game.seats.select_related("user")) == ["Ana", "Computer 1", "Computer 2", "Computer 3"]


@pytest.mark.django_db
def test_who_has_gone_has_no_name() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    gone = Seat.objects.get(game=game, index=1).user
    assert gone
    gone.is_active = False
    gone.save()
    assert seat_names(game.seats.select_related("user")) == ["Ana", "deleted player"]

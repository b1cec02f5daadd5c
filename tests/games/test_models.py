"""What the database itself refuses, whatever a service does."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from games.models import CODE_ALPHABET, CODE_LENGTH, Deal, Entry, Event, Game, Hand, Move, Reliability, Seat, Tenure, new_code
from tests.games.playing import DAY, NOON, open_table, player, running

pytestmark = pytest.mark.django_db


class refusal(AbstractContextManager[None]):
    """The block breaks the constraint of that name, and no other."""

    def __init__(self, name: str) -> None:
        self._raises, self._atomic = pytest.raises(IntegrityError, match=name), transaction.atomic()

    def __enter__(self) -> None:
        self._raises.__enter__()
        self._atomic.__enter__()

    def __exit__(self, *error: Any) -> bool:
        self._atomic.__exit__(*error)
        return bool(self._raises.__exit__(*error))


def change(game: Game, **values: Any) -> None:
    Game.objects.filter(pk=game.pk).update(**values)


def test_a_code_has_at_least_64_random_bits() -> None:
    assert CODE_LENGTH * math.log2(len(set(CODE_ALPHABET))) >= 64
    codes = {new_code() for _each in range(2_000)}
    assert len(codes) == 2_000
    assert {letter for code in codes for letter in code} == set(CODE_ALPHABET)


def test_two_tables_never_share_a_code() -> None:
    first, second = open_table("Ana"), open_table("Bogdan")
    with refusal("games_game_code_key"):
        change(second, code=first.code)


def test_a_running_game_has_a_deadline_or_time_left() -> None:
    with refusal("running_games_have_a_deadline_or_time_left"):
        change(running("Ana", "Bogdan"), deadline=None)


def test_a_running_game_has_not_both() -> None:
    with refusal("running_games_have_a_deadline_or_time_left|a_clock_stands_for_a_reason"):
        change(running("Ana", "Bogdan"), left=DAY)


@pytest.mark.parametrize("clock", [{"deadline": NOON}, {"left": DAY, "away": True}])
def test_a_game_that_does_not_run_has_neither(clock: dict[str, Any]) -> None:
    with refusal("running_games_have_a_deadline_or_time_left"):
        change(open_table("Ana"), **clock)


def test_time_left_is_not_negative() -> None:
    with refusal("running_games_have_a_deadline_or_time_left"):
        change(running("Ana", "Bogdan"), deadline=None, left=-DAY, away=True)


@pytest.mark.parametrize("reason", [{"paused_at": NOON}, {"frozen_until": NOON}, {"away": True}])
def test_a_clock_does_not_run_while_something_stops_it(reason: dict[str, Any]) -> None:
    with refusal("a_clock_stands_for_a_reason"):
        change(running("Ana", "Bogdan"), **reason)


def test_a_clock_does_not_stand_for_nothing() -> None:
    with refusal("a_clock_stands_for_a_reason"):
        change(running("Ana", "Bogdan"), deadline=None, left=DAY)


@pytest.mark.parametrize("column", ["grace", "allowance"])
def test_time_given_is_not_negative(column: str) -> None:
    with refusal("time_given_is_not_negative"):
        change(running("Ana", "Bogdan"), **{column: -DAY})


@pytest.mark.parametrize(
    "bank",
    [
        {"increment": DAY},
        {"bank_cap": DAY},
        {"increment": -DAY, "bank_cap": DAY},
        {"increment": 2 * DAY, "bank_cap": DAY},
        {"increment": DAY, "bank_cap": DAY / 2},
        {"increment": DAY, "bank_cap": 31 * DAY},
    ],
)
def test_a_bank_has_an_increment_and_a_cap_that_hold_together(bank: dict[str, Any]) -> None:
    with refusal("banks_within_bounds"):
        change(open_table("Ana"), **bank)


def test_a_bank_is_not_overdrawn() -> None:
    game = open_table("Ana", increment=DAY, bank_cap=DAY)
    with refusal("a_bank_is_not_overdrawn"):
        game.seats.update(bank=-DAY)


@pytest.mark.parametrize(
    "hours",
    [
        {"deadline_hour": 24},
        {"quiet_from": 22},
        {"quiet_to": 8},
        {"quiet_from": 24, "quiet_to": 8},
        {"quiet_from": 22, "quiet_to": 24},
        {"quiet_from": 8, "quiet_to": 8},
    ],
)
def test_hours_are_those_of_a_day_and_quiet_ones_have_a_beginning_and_an_end(hours: dict[str, Any]) -> None:
    with refusal("hours_of_the_day"):
        change(open_table("Ana"), **hours)


@pytest.mark.parametrize(("hour", "quiet"), [(22, (22, 8)), (0, (22, 8)), (7, (22, 8)), (12, (12, 14)), (13, (12, 14))])
def test_turns_do_not_end_in_quiet_hours(hour: int, quiet: tuple[int, int]) -> None:
    with refusal("no_turn_ends_in_quiet_hours"):
        change(open_table("Ana"), deadline_hour=hour, quiet_from=quiet[0], quiet_to=quiet[1])


@pytest.mark.parametrize(("hour", "quiet"), [(8, (22, 8)), (21, (22, 8)), (14, (12, 14)), (11, (12, 14)), (0, (12, 14))])
def test_turns_may_end_just_outside_them(hour: int, quiet: tuple[int, int]) -> None:
    change(open_table("Ana"), deadline_hour=hour, quiet_from=quiet[0], quiet_to=quiet[1])


def test_only_a_running_game_awaits_the_server() -> None:
    with refusal("only_running_games_await_the_server"):
        change(open_table("Ana"), awaits_server=True)


def test_a_running_game_waits_for_a_seat_or_for_the_server() -> None:
    with refusal("running_games_wait_for_somebody"):
        change(running("Ana", "Bogdan"), to_move=None, awaits_server=False)


def test_at_a_table_that_does_not_run_nobody_is_on_turn() -> None:
    with refusal("running_games_wait_for_somebody"):
        change(open_table("Ana"), to_move=0)


def test_a_game_that_has_begun_says_when() -> None:
    with refusal("begun_games_have_a_start"):
        change(running("Ana", "Bogdan"), started_at=None)


def test_a_seat_on_turn_is_one_of_the_table() -> None:
    with refusal("seats_named_are_at_the_table"):
        change(running("Ana", "Bogdan"), to_move=2)


@pytest.mark.parametrize("status", ["finished", "cancelled"])
def test_a_game_that_is_over_says_when(status: str) -> None:
    game = running("Ana", "Bogdan") if status == "finished" else open_table("Ana")
    with refusal("ended_games_have_an_end"):
        change(game, status=status, deadline=None, to_move=None, winner=0 if status == "finished" else None)


def test_a_game_that_is_not_over_has_no_end() -> None:
    with refusal("ended_games_have_an_end"):
        change(open_table("Ana"), ended_at=NOON)


def test_a_finished_match_has_a_winner() -> None:
    with refusal("finished_games_have_a_winner"):
        change(running("Ana", "Bogdan"), status="finished", ended_at=NOON, deadline=None, to_move=None)


def test_a_match_that_goes_on_has_none() -> None:
    with refusal("finished_games_have_a_winner"):
        change(running("Ana", "Bogdan"), winner=0)


@pytest.mark.parametrize("turn_time", [timedelta(0), timedelta(seconds=299), timedelta(days=14, seconds=1), -DAY])
def test_a_turn_is_neither_shorter_than_five_minutes_nor_longer_than_two_weeks(turn_time: timedelta) -> None:
    with refusal("turn_time_within_bounds"):
        change(open_table("Ana"), turn_time=turn_time)


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_a_table_has_two_to_eight_seats(seats: int) -> None:
    with refusal("two_to_eight_seats"):
        change(open_table("Ana"), seat_count=seats)


def test_a_seat_is_absent_after_one_turn_or_more() -> None:
    with refusal("absent_after_one_turn_or_more"):
        change(open_table("Ana"), absent_after=0)


@pytest.mark.parametrize("days", [0, 31])
def test_the_time_to_come_back_keeps_within_bounds(days: int) -> None:
    with refusal("absence_limit_within_bounds"):
        change(open_table("Ana"), absence_limit=timedelta(days=days))


@pytest.mark.parametrize("percent", [0, 101])
def test_the_least_reliability_is_a_percentage(percent: int) -> None:
    with refusal("min_reliability_is_a_percentage"):
        change(open_table("Ana"), min_reliability=percent)


def test_a_seat_is_taken_once() -> None:
    with refusal("one_row_per_seat"):
        Seat.objects.create(game=open_table("Ana"), index=0, user=player("Bogdan"), joined_at=NOON)


def test_nobody_sits_twice_at_a_table() -> None:
    with refusal("one_seat_per_player"):
        Seat.objects.create(game=open_table("Ana"), index=1, user=player("Ana"), joined_at=NOON)


def test_several_computers_may_sit_at_one_table() -> None:
    game = open_table("Ana", seats=4, computers=2)
    assert [seat.bot for seat in game.seats.all()] == ["", "greedy", "greedy"]


@pytest.mark.parametrize(("name", "bot"), [("Bogdan", "greedy"), (None, "")])
def test_a_seat_is_a_player_s_or_a_computer_s(name: str | None, bot: str) -> None:
    user = player(name) if name else None
    with refusal("a_player_or_a_computer"):
        Seat.objects.create(game=open_table("Ana"), index=1, user=user, bot=bot, joined_at=NOON)


def test_there_is_no_ninth_seat() -> None:
    with refusal("seats_up_to_eight"):
        Seat.objects.create(game=open_table("Ana"), index=8, user=player("Bogdan"), joined_at=NOON)


def deal(game: Game, **values: Any) -> Deal:
    return Deal.objects.create(**{"game": game, "number": 1, "dealer": 0, "seed": b"", "deck": "", "state": {}} | values)


def test_a_deal_is_there_once() -> None:
    game = running("Ana", "Bogdan")
    with refusal("one_row_per_deal"):
        deal(game, number=0, reason="out", scored=True, began_at=NOON, ended_at=NOON)


def test_one_deal_is_played_at_a_time() -> None:
    game = running("Ana", "Bogdan")
    with refusal("one_deal_at_a_time"):
        deal(game, began_at=NOON)


def test_a_deal_is_counted_once_it_is_over() -> None:
    game = running("Ana", "Bogdan")
    with refusal("only_ended_deals_are_scored"):
        game.deals.update(scored=True)


@pytest.mark.parametrize("values", [{"reason": "out"}, {"ended_at": NOON}])
def test_a_deal_that_is_over_says_why_and_when(values: dict[str, Any]) -> None:
    with refusal("ended_deals_have_an_end"):
        running("Ana", "Bogdan").deals.update(**values)


def test_a_seat_has_one_hand_in_a_deal() -> None:
    with refusal("one_hand_per_seat"):
        Hand.objects.create(deal=running("Ana", "Bogdan").deals.get(), seat=0)


def test_a_number_of_the_log_is_given_once() -> None:
    game = open_table("Ana")
    with refusal("one_log_per_game"):
        Entry.objects.create(game=game, number=0, at=NOON, kind="event", actor="server", text="started", hash="0" * 64)


def test_a_move_names_its_seat_and_its_deal() -> None:
    game = open_table("Ana")
    with refusal("moves_have_seat_and_deal"):
        Entry.objects.create(game=game, number=9, at=NOON, kind="move", actor="player", seat=0, text="S", hash="0" * 64)


@pytest.mark.parametrize("hash", ["", "0" * 63, "0" * 63 + "G"])
def test_a_row_of_the_log_has_its_hash(hash: str) -> None:
    game = open_table("Ana")
    with refusal("every_row_has_its_hash"):
        Entry.objects.create(game=game, number=9, at=NOON, kind="event", actor="server", text="started", hash=hash)


def test_the_log_is_never_changed() -> None:
    game = running("Ana", "Bogdan")
    with refusal("append-only"):
        Entry.objects.filter(game=game).update(text="D:AS")
    entry = Entry.objects.filter(game=game).first()
    assert entry is not None
    entry.text = "D:AS"
    with refusal("append-only"):
        entry.save()


def test_the_log_is_never_deleted() -> None:
    game = running("Ana", "Bogdan")
    with refusal("append-only"):
        Entry.objects.filter(game=game, number=0).delete()


@pytest.mark.parametrize("table", ["games_entry", "games_game", "games_ruling", "games_step"])
def test_what_is_append_only_is_not_emptied(table: str) -> None:
    running("Ana", "Bogdan")
    with refusal("append-only"), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"TRUNCATE {table} CASCADE")


def test_moves_and_events_are_two_views_of_one_log() -> None:
    game = running("Ana", "Bogdan")
    assert not Move.objects.filter(game=game).exists()
    assert [event.text for event in Event.objects.filter(game=game)] == ["made", "sealed", "joined", "started", "dealt", "sealed"]


# -- absent seats and who held them -------------------------------------------------------------


def set_seat(game: Game, index: int, **values: Any) -> None:
    Seat.objects.filter(game=game, index=index).update(**values)


@pytest.mark.parametrize(
    "values",
    [
        {"absent_since": NOON},
        {"absent_until": NOON},
        {"absent_since": NOON, "absent_until": NOON - DAY},
        {"absent_since": NOON, "absent_until": NOON + DAY, "resigned": True},
    ],
)
def test_an_absent_seat_has_a_day_to_come_back_and_has_not_resigned(values: dict[str, Any]) -> None:
    with refusal("absent_seats_are_players_until_a_day"):
        set_seat(running("Ana", "Bogdan"), 0, **values)


def test_a_computer_player_is_not_absent() -> None:
    with refusal("absent_seats_are_players_until_a_day"):
        set_seat(running("Ana", computers=1), 1, absent_since=NOON, absent_until=NOON + DAY)


def test_a_seat_has_one_holder_at_a_time() -> None:
    game = running("Ana", "Bogdan")
    with refusal("one_holder_at_a_time"):
        Tenure.objects.create(game=game, seat=0, user=player("Dan"), from_deal=1, from_entry=0)


@pytest.mark.parametrize("holder", [{}, {"bot": "greedy", "user": "Dan"}])
def test_a_tenure_is_a_player_s_or_a_computer_s(holder: dict[str, Any]) -> None:
    game = running("Ana", "Bogdan")
    if "user" in holder:
        holder = {**holder, "user": player(holder["user"])}
    with refusal("held_by_a_player_or_a_computer"):
        Tenure.objects.create(game=game, seat=0, from_deal=1, from_entry=9, **holder)


@pytest.mark.parametrize("recent", ["", "12", "yes"])
def test_turns_are_in_time_or_not(recent: str) -> None:
    with refusal("turns_in_time_or_not"):
        Reliability.objects.create(user=player("Ana"), recent=recent)

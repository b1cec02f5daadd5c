"""A player who stays away: excused, played for, absent, then back or, when the time is over, out of the match."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from games import engine, selectors
from games.models import Game
from games.services import absence, turns
from games.services.errors import NoSuchTable, Stale
from tests.games.absent import back, expire, log, serve, silent
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_TWO,
    PATIENT,
    at,
    differences,
    fresh,
    open_table,
    play,
    player,
    quick_turn,
    refused,
    rows,
    running,
    seat,
    settle,
)
from tests.games.tiles import BOTH_SMALL, NOBODY_ASKED, tile_table

pytestmark = pytest.mark.django_db
WEEK = 7 * DAY


@pytest.fixture(autouse=True)
def audited() -> Iterator[None]:
    """Whatever a test did: log and rows tell the same afterwards."""
    yield
    assert differences() == []


@pytest.fixture
def game() -> Game:
    """Three play; the first to be silent is Ana, whose first expired turn makes her absent."""
    return running("Ana", "Bogdan", "Chloé", absent_after=1)


# -- excused ------------------------------------------------------------------------------------


def test_the_first_turn_that_runs_out_is_excused_and_has_its_full_time_anew() -> None:
    game = running("Ana", "Bogdan", excuses=1)
    play(game, "S")
    hand = at(game).hands[0].cards
    now = expire(game)
    table = at(game)
    assert log(game, 2) == [("S", "player", 0), ("excused", "clock", 0)]
    assert (table.game.to_move, table.hands[0].cards, table.game.deadline) == (0, hand, now + DAY)
    assert (seat(game, "Ana").excused, seat(game, "Ana").expired) == (1, 0)
    assert table.game.version == game.version + 2


def test_after_the_last_excuse_the_server_plays() -> None:
    game = running("Ana", "Bogdan", excuses=2)
    for left in (1, 0):
        expire(game)
        assert game.entries.latest("number").facts == {"left": left}
    expire(game)
    assert log(game, 1) == [("T", "clock", 0)]
    assert (seat(game, "Ana").excused, seat(game, "Ana").expired) == (2, 1)


def test_excuses_are_each_seat_s_own_and_last_for_the_match() -> None:
    game = running("Ana", "Bogdan", excuses=1)
    expire(game)
    quick_turn(game)
    expire(game)  # Bogdan
    quick_turn(game)
    expire(game)
    assert [entry[0] for entry in log(game, 1)] == ["T"]
    assert [place.excused for place in game.seats.all()] == [1, 1]


def test_excused_twice_at_once_is_excused_once() -> None:
    game = running("Ana", "Bogdan", excuses=5)
    now = expire(game)
    assert not turns.expire(game_id=game.pk, now=now)
    assert seat(game, "Ana").excused == 1


# -- absent -------------------------------------------------------------------------------------


def test_after_so_many_turns_in_a_row_the_seat_is_absent() -> None:
    game = running("Ana", "Bogdan", absent_after=2)
    expire(game)
    quick_turn(game)
    now = expire(game)
    assert log(game, 2) == [("T", "clock", 0), ("absent", "clock", 0)]
    ana = seat(game, "Ana")
    assert (ana.absent_since, ana.absent_until, ana.resigned) == (now, now + WEEK, False)


def test_a_computer_player_plays_the_turns_of_an_absent_seat_at_once(game: Game) -> None:
    expire(game)
    quick_turn(game)
    quick_turn(game)
    assert (fresh(game).to_move, fresh(game).awaits_server) == (0, True)
    assert serve(game) == 1
    assert fresh(game).to_move == 1
    assert {entry.actor for entry in game.entries.filter(kind="move").order_by("-number")[:2]} == {"computer"}
    assert at(game).row.turns == 4


def test_the_turn_of_an_absent_seat_does_not_run_out(game: Game) -> None:
    expire(game)
    quick_turn(game)
    quick_turn(game)
    assert selectors.expired_games(now=NOON + 100 * DAY) == []
    assert not turns.expire(game_id=game.pk, now=NOON + 100 * DAY)


def test_an_absent_player_makes_no_moves_before_they_are_back(game: Game) -> None:
    expire(game)
    quick_turn(game)
    quick_turn(game)
    assert refused(game, "S", by="Ana") == "absent"


def test_a_computer_player_of_its_own_is_never_absent() -> None:
    game = running("Ana", computers=1, absent_after=PATIENT)
    for _turn in range(30):
        serve(game)
        expire(game)
    assert not any(place.absent for place in game.seats.all())


def test_a_deal_that_ends_while_a_seat_is_absent_counts_for_it_and_the_next_is_dealt_to_it(game: Game) -> None:
    expire(game)
    while fresh(game).deals.count() == 1:
        serve(game)
        if fresh(game).deals.count() == 1:
            quick_turn(game)
    ana = seat(game, "Ana")
    assert ana.absent and not ana.resigned
    assert ana.total == selectors.sheet(game=game)[0].points[0]
    assert at(game).hands[0].cards


def test_in_the_exchange_of_doubles_the_computer_answers_for_an_absent_seat() -> None:
    game = tile_table("Ana", "Bogdan", seed=NOBODY_ASKED, then=BOTH_SMALL, absent_after=1, absence_limit=30 * DAY)
    expire(game)
    Game.objects.filter(pk=game.pk).update(absent_after=PATIENT)
    while at(game).deal.phase != engine.OVER:
        serve(game, count=False) if fresh(game).awaits_server else expire(game)
    settle(game)
    answers = {answer.seat: answer.actor for answer in at(game).row.answers.all()}
    assert (fresh(game).in_exchange, answers) == (True, {0: "computer", 1: ""})


# -- everybody absent ---------------------------------------------------------------------------


def test_a_table_whose_players_are_all_absent_waits_for_them() -> None:
    game = running("Ana", "Bogdan", computers=1, absent_after=1)
    silent(game)
    assert (fresh(game).awaits_server, fresh(game).deadline) == (False, None)
    assert serve(game, NOON + 3 * DAY) == 0
    assert selectors.expired_games(now=NOON + 100 * DAY) == []
    assert fresh(game).status == "running"


def test_computers_play_on_with_the_first_who_is_back() -> None:
    game = running("Ana", "Bogdan", computers=1, absent_after=1)
    silent(game)
    moves = game.entries.filter(kind="move").count()
    back(game, now=NOON + 3 * DAY)
    serve(game, NOON + 3 * DAY)
    assert (fresh(game).deserted, fresh(game).to_move, fresh(game).deadline) == (False, 0, NOON + 4 * DAY)
    assert game.entries.filter(kind="move").count() >= moves
    assert seat(game, "Bogdan").absent


def test_a_player_alone_with_computers_who_stays_away_keeps_the_match_until_the_limit() -> None:
    game = running("Ana", computers=1, absent_after=1)
    expire(game)
    assert (fresh(game).deserted, fresh(game).awaits_server) == (True, False)
    until = seat(game, "Ana").absent_until
    assert until is not None
    assert not absence.end(game_id=game.pk, now=until - timedelta(seconds=1))
    assert absence.end(game_id=game.pk, now=until)
    serve(game, until)
    assert (fresh(game).status, fresh(game).winner) == ("finished", 1)


def test_of_two_who_stay_away_the_longer_absent_loses() -> None:
    game = running("Ana", "Bogdan", absent_after=1)
    silent(game)
    first, second = seat(game, "Ana"), seat(game, "Bogdan")
    assert first.absent_until and second.absent_until and first.absent_until < second.absent_until
    assert selectors.absences_over(now=second.absent_until) == [game.pk]
    assert absence.end(game_id=game.pk, now=second.absent_until)
    serve(game, second.absent_until)
    assert (fresh(game).status, fresh(game).winner) == ("finished", 1)
    assert not any(place.absent for place in game.seats.all())


def test_a_player_who_leaves_the_absent_ones_alone_stops_the_match() -> None:
    game = running("Ana", "Bogdan", "Chloé", absent_after=1)
    expire(game)
    expire(game)
    turns.resign(code=game.code, user=player("Chloé"), now=NOON + 2 * DAY)
    assert (fresh(game).deserted, fresh(game).awaits_server, fresh(game).left) == (True, False, DAY)


# -- back ---------------------------------------------------------------------------------------


def test_back_with_one_tap(game: Game) -> None:
    expire(game)
    before = fresh(game).deadline
    back(game, now=NOON + DAY)
    ana = seat(game, "Ana")
    assert (ana.absent_since, ana.absent_until, ana.expired) == (None, None, 0)
    assert log(game, 1) == [("back", "player", 0)]
    assert fresh(game).deadline == before  # the turn of somebody else goes on as it was


def test_back_on_the_own_turn_before_the_computer_has_played_it_has_the_full_time(game: Game) -> None:
    expire(game)
    quick_turn(game)
    quick_turn(game)
    back(game, now=NOON + 5 * DAY)
    assert (fresh(game).awaits_server, fresh(game).to_move, fresh(game).deadline) == (False, 0, NOON + 6 * DAY)
    assert serve(game) == 0


def test_back_twice_is_back_once(game: Game) -> None:
    expire(game)
    back(game)
    before = rows()
    back(game)
    assert rows() == before


def test_back_from_nowhere_changes_nothing(game: Game) -> None:
    before = rows()
    back(game)
    assert rows() == before


def test_who_does_not_play_here_cannot_be_back(game: Game) -> None:
    expire(game)
    with pytest.raises(NoSuchTable):
        back(game, "Dan")
    with pytest.raises(NoSuchTable):
        back(open_table("Ana"), "Ana")


def test_nobody_is_back_after_the_match() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0], options={"target": None})
    play(game, OUT_OF_TWO[1])
    settle(game)
    with pytest.raises(Stale):
        back(game)


def test_who_was_back_has_to_be_silent_as_often_again(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(absent_after=2)
    expire(game)
    quick_turn(game)
    quick_turn(game)
    expire(game)
    back(game)
    quick_turn(game)
    quick_turn(game)
    expire(game)
    assert not seat(game, "Ana").absent


def test_an_absent_player_may_resign(game: Game) -> None:
    expire(game)
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    ana = seat(game, "Ana")
    assert (ana.resigned, ana.absent) == (True, False)
    assert log(game, 1) == [("R", "player", 0)]


# -- the limit ----------------------------------------------------------------------------------


def test_who_stays_away_too_long_resigns_in_the_deal_whose_cards_the_seat_holds(game: Game) -> None:
    now = expire(game)
    assert selectors.absences_over(now=now + WEEK - timedelta(microseconds=1)) == []
    assert selectors.absences_over(now=now + WEEK) == [game.pk]
    assert absence.end(game_id=game.pk, now=now + WEEK)
    assert log(game, 1) == [("R", "clock", 0)]
    ana = seat(game, "Ana")
    assert (ana.resigned, ana.absent_since, ana.absent_until) == (True, None, None)
    assert at(game).deal.seats_in == [1, 2]
    assert not absence.end(game_id=game.pk, now=now + WEEK)


def test_the_limit_waits_for_a_deal_to_be_counted() -> None:
    game = running("Ana", "Bogdan", "Chloé", absent_after=1)
    now = expire(game)
    while at(game).deal.phase != engine.OVER:
        serve(game, count=False) if fresh(game).awaits_server else quick_turn(game)
    assert not absence.end(game_id=game.pk, now=now + WEEK)
    settle(game)
    assert absence.end(game_id=game.pk, now=now + WEEK)
    assert (at(game).row.number, at(game).deal.resigned) == (1, frozenset({0}))


@pytest.mark.parametrize("stopped", [{"paused_at": NOON}, {"frozen_until": NOON + 100 * DAY}])
def test_nobody_s_time_to_come_back_is_over_while_the_table_is_paused_or_frozen(game: Game, stopped: dict[str, datetime]) -> None:
    now = expire(game)
    Game.objects.filter(pk=game.pk).update(deadline=None, left=DAY, **stopped)
    assert selectors.absences_over(now=now + WEEK) == []
    assert not absence.end(game_id=game.pk, now=now + WEEK)
    assert not seat(game, "Ana").resigned


def test_the_limit_is_the_table_s_own() -> None:
    game = running("Ana", "Bogdan", absent_after=1, absence_limit=2 * DAY)
    now = expire(game)
    assert seat(game, "Ana").absent_until == now + 2 * DAY


def test_two_whose_time_is_over_together_leave_the_third_as_winner(game: Game) -> None:
    expire(game)
    now = expire(game)
    assert absence.end(game_id=game.pk, now=now + WEEK)
    assert at(game).row.reason == "resigned"
    serve(game, now + WEEK)
    assert (fresh(game).status, fresh(game).winner) == ("finished", 2)
    assert [entry for entry in log(game, 4) if entry[0] == "R"] == [("R", "clock", 0), ("R", "clock", 1)]


def test_a_match_that_ends_with_an_absent_seat_leaves_nobody_absent() -> None:
    game = running("Ana", "Bogdan", options={"target": None}, absent_after=1, absence_limit=30 * DAY)
    expire(game)
    while fresh(game).status != "finished":
        quick_turn(game) if not fresh(game).awaits_server else serve(game)
    assert not any(place.absent for place in game.seats.all())
    assert selectors.absences_over(now=NOON + 100 * DAY) == []

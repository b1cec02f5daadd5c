"""The clock: a turn that has run out is played by the server (§1.11); a silent seat resigns."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

import pytest

from games import engine, selectors
from games.models import Game
from games.services import deals, turns
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_TWO,
    PATIENT,
    at,
    chance,
    differences,
    fresh,
    open_table,
    play,
    player,
    quick_turn,
    rows,
    running,
    seat,
    settle,
)

pytestmark = pytest.mark.django_db
DUE = NOON + DAY


@pytest.fixture
def game() -> Game:
    return running("Ana", "Bogdan", seed=OUT_OF_TWO[0])


def expire(game: Game, now: datetime = DUE) -> bool:
    return turns.expire(game_id=game.pk, now=now)


def harmless(game: Game, now: datetime) -> bool:
    """Whether the clock leaves the table as it is."""
    before = rows()
    return not expire(game, now) and rows() == before


def last_moves(game: Game, count: int) -> list[tuple[str, str, int | None]]:
    newest = game.entries.filter(kind="move").order_by("-number")[:count]
    return [(entry.text, entry.actor, entry.seat) for entry in newest][::-1]


def test_a_turn_that_ran_out_is_drawn_and_discarded_for_the_player(game: Game) -> None:
    drawn = at(game).deal.deck[at(game).deal.drawn]
    assert expire(game)
    table = at(game)
    assert last_moves(game, 1) == [("T", "clock", 0)]
    assert (table.deal.row[-1], table.deal.to_move, table.row.turns) == (drawn, 1, 1)
    assert (table.game.deadline, table.game.version) == (DUE + DAY, game.version + 1)
    assert seat(game, "Ana").expired == 1
    assert differences(game) == []


def test_what_was_laid_stays_where_the_turn_could_have_ended(game: Game) -> None:
    play(game, "S M:6H,7H,8H")
    assert expire(game)
    assert at(game).deal.laid == (21, 0)
    assert differences(game) == []


def test_the_turn_runs_out_on_the_second_not_before(game: Game) -> None:
    assert harmless(game, DUE - timedelta(microseconds=1))
    assert expire(game, DUE)


def test_late_is_as_good_as_in_time(game: Game) -> None:
    assert expire(game, DUE + 30 * DAY)
    assert fresh(game).deadline == DUE + 31 * DAY


def test_twice_is_once(game: Game) -> None:
    assert expire(game)
    assert harmless(game, DUE)


def test_a_turn_that_was_played_in_the_meantime_is_left_alone(game: Game) -> None:
    due = selectors.expired_games(now=DUE)
    quick_turn(game, now=DUE)
    assert due == [game.pk]
    assert harmless(game, DUE)


def test_a_table_that_waits_for_a_computer_does_not_run_out() -> None:
    game = running("Ana", computers=1, dealer=0)
    assert (game.to_move, game.awaits_server) == (1, True)
    assert selectors.expired_games(now=DUE) == []
    assert harmless(game, DUE)


def test_a_deal_that_waits_to_be_counted_does_not_run_out(game: Game) -> None:
    play(game, OUT_OF_TWO[1])
    assert selectors.expired_games(now=DUE) == []
    assert harmless(game, DUE)


def test_open_and_finished_tables_do_not_run_out() -> None:
    waiting = open_table("Ana")
    over = running("Ana", "Bogdan")
    turns.resign(code=over.code, user=player("Ana"), now=NOON)
    settle(over)
    assert fresh(over).status == "finished"
    assert selectors.expired_games(now=DUE) == []
    assert harmless(waiting, DUE) and harmless(over, DUE)


def test_the_sweep_finds_what_is_due_oldest_first() -> None:
    late, later, early = (running("Ana", "Bogdan", now=NOON + timedelta(hours=hours)) for hours in (1, 2, 0))
    assert selectors.expired_games(now=DUE + timedelta(hours=1)) == [early.pk, late.pk]
    assert later.pk not in selectors.expired_games(now=DUE + timedelta(hours=1))


# -- the silent seat ----------------------------------------------------------------------------


def test_the_third_turn_in_a_row_that_runs_out_resigns() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    for _round in range(2):
        assert expire(game, fresh(game).deadline or NOON)
        quick_turn(game)
        quick_turn(game)
    assert not seat(game, "Ana").resigned
    assert expire(game, fresh(game).deadline or NOON)
    assert last_moves(game, 2) == [("T", "clock", 0), ("R", "clock", 0)]
    assert seat(game, "Ana").resigned
    assert (fresh(game).status, at(game).deal.seats_in, fresh(game).to_move) == ("running", [1, 2], 1)
    assert differences(game) == []


def test_patience_is_the_table_s_own() -> None:
    game = running("Ana", "Bogdan", "Chloé", patience=1)
    assert expire(game)
    assert seat(game, "Ana").resigned


def test_a_turn_played_between_starts_the_count_again(game: Game) -> None:
    for ran_out in (True, True, False, True, True):
        if ran_out:
            assert expire(game, fresh(game).deadline or NOON)
        else:
            quick_turn(game, now=fresh(game).deadline or NOON)
        quick_turn(game, now=fresh(game).deadline or NOON)
    assert (seat(game, "Ana").expired, seat(game, "Ana").resigned) == (2, False)


def test_of_two_the_silent_one_loses(game: Game) -> None:
    for _round in range(3):
        assert expire(game, fresh(game).deadline or NOON)
        if fresh(game).to_move == 1:
            quick_turn(game)
    assert at(game).row.reason == "resigned"
    settle(game)
    assert (fresh(game).status, fresh(game).winner) == ("finished", 1)
    assert differences(game) == []


def test_two_silent_players_do_not_keep_a_table_for_ever(game: Game) -> None:
    for _turn in range(20):
        if fresh(game).status != "running":
            break
        assert turns.expire(game_id=game.pk, now=fresh(game).deadline or NOON) or settle(game)
    assert fresh(game).status == "finished"
    assert differences(game) == []


def to_the_last_turn(game: Game) -> datetime:
    """Let turns run out until the next one to run out would end the deal; that seat's patience ends with it. When it does."""
    now = NOON
    while True:
        table = at(game)
        assert table.deal.to_move is not None
        now = table.game.deadline or now
        if engine.apply(table.deal, table.deal.to_move, "T").phase == engine.OVER:
            break
        assert turns.expire(game_id=game.pk, now=now)
    game.seats.update(expired=0)
    game.seats.filter(index=table.deal.to_move).update(expired=2)
    Game.objects.filter(pk=game.pk).update(patience=3)
    return now


def test_a_seat_lost_with_the_turn_that_ends_the_deal_resigns_in_that_deal() -> None:
    game = running("Ana", "Bogdan", "Chloé", patience=PATIENT)
    now = to_the_last_turn(game)
    lost = fresh(game).to_move
    assert turns.expire(game_id=game.pk, now=now)
    assert last_moves(game, 1) == [("R", "clock", lost)]
    Game.objects.filter(pk=game.pk).update(patience=PATIENT)
    while at(game).deal.phase != engine.OVER:  # the others play on
        now = fresh(game).deadline or now
        assert turns.expire(game_id=game.pk, now=now)
    assert settle(game, now=now)
    table = at(game)
    assert (table.row.number, table.deal.resigned, table.game.status) == (1, frozenset({lost}), "running")
    assert not table.hands[lost or 0].cards and table.game.to_move != lost
    assert differences(game) == []


def test_of_two_such_a_seat_loses_the_match_at_once() -> None:
    game = running("Ana", "Bogdan", patience=PATIENT)
    now = to_the_last_turn(game)
    lost = fresh(game).to_move or 0
    assert turns.expire(game_id=game.pk, now=now)
    assert at(game).row.reason == "resigned"
    assert settle(game, now=now)
    assert (fresh(game).status, fresh(game).winner) == ("finished", 1 - lost)
    assert differences(game) == []


def test_a_computer_never_runs_out_of_patience() -> None:
    game = running("Ana", computers=1)
    game.seats.update(expired=PATIENT)
    game.seats.filter(user__isnull=False).update(expired=0)
    turns_left = 400
    while at(game).deal.phase != engine.OVER and turns_left:
        turns_left -= 1
        if fresh(game).awaits_server:
            assert turns.serve(game_id=game.pk, now=NOON, rng=random.Random(1))
        else:
            quick_turn(game)
    with chance("next", 0):
        assert deals.settle(game_id=game.pk, now=NOON)
    assert not game.seats.filter(resigned=True).exists()

"""The clock: a turn that has run out is played by the server (§1.11). What becomes of a silent seat: test_absence."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from games import selectors
from games.models import Game
from games.services import turns
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_TWO,
    at,
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
    return running("Ana", "Bogdan", seed=OUT_OF_TWO[0], absent_after=2)


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


# -- turns in a row -----------------------------------------------------------------------------


def test_a_turn_played_between_starts_the_count_again(game: Game) -> None:
    for ran_out in (True, False, True):
        if ran_out:
            assert expire(game, fresh(game).deadline or NOON)
        else:
            quick_turn(game, now=fresh(game).deadline or NOON)
        quick_turn(game, now=fresh(game).deadline or NOON)
    assert (seat(game, "Ana").expired, seat(game, "Ana").absent) == (1, False)
    assert expire(game, fresh(game).deadline or NOON)
    assert (seat(game, "Ana").expired, seat(game, "Ana").absent) == (2, True)

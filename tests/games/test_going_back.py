"""Going back to before a move: what was undone stays in the log, hands, turn, seats and clock are as they were."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Message
from games import engine, selectors
from games.models import Deal, Entry, Game
from games.services import absence, history, pauses, reliability, turns, vacations
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_TWO,
    at,
    awake,
    differences,
    fresh,
    on_turn,
    play,
    player,
    quick_turn,
    running,
    seat,
    settle,
)
from tests.games.ruling import CASE, go_back, no_ruling, rule, standing, told, void
from tests.games.tiles import BOTH_SMALL, answer, tile_table

pytestmark = pytest.mark.django_db

LUCKY, MOVES, SCORES = OUT_OF_TWO


def move(game: Game, place: int) -> int:
    """The number of the row of the move at a place of those that stand."""
    return standing(game)[place].number


def snapshot(game: Game) -> dict[str, Any]:
    """What a turn is played on."""
    row: Deal | None = game.deals.last()
    assert row is not None
    hands = [(hand.cards, hand.laid, hand.score) for hand in row.hands.all()]
    seats = list(game.seats.values_list("total", "resigned", "excused", "expired", "absent_since", "bank"))
    return {
        "deal": (row.number, row.state, row.reason, row.out, row.scored, row.ended_at, row.turns), "hands": hands,
        "seats": seats, "to_move": fresh(game).to_move, "status": fresh(game).status, "winner": fresh(game).winner,
    }  # fmt: skip


@pytest.mark.parametrize("variant", ["rami500", "remi500"])
@pytest.mark.parametrize("back", [1, 2, 3, 4, 5, 6])
def test_everything_is_as_it_was_before_the_move(variant: str, back: int) -> None:
    game, before = running("Ana", "Bogdan", variant=variant), []
    for _turn in range(3):
        before.append(snapshot(game))
        play(game, "S")
        before.append(snapshot(game))
        quick = next(move for move in engine.legal_moves(at(game).deal) if move.kind == "D")
        play(game, engine.move_text(quick, engine.CARDS))
    go_back(game, move(game, -back), now=NOON + timedelta(hours=3))
    assert snapshot(game) == before[-back]
    assert fresh(game).deadline == NOON + timedelta(hours=27)
    assert differences(game) == []


def test_the_log_keeps_what_was_undone_and_tells_who_drew_how_many_cards() -> None:
    game = running("Ana", "Bogdan")
    for _turn in range(3):
        quick_turn(game)
    length, entry = fresh(game).log_length, move(game, 1)  # after Ana had drawn
    go_back(game, entry)
    row = told(game, "rolled_back")
    assert (row.number, row.actor, row.deal) == (length, "referee", 0)
    assert row.facts == {"to": entry - 1, "case": CASE, "drawn": {"1": 1, "0": 1}}
    assert [move.text for move in standing(game)] == ["S"]
    assert game.entries.filter(kind="move").count() == 6
    assert differences(game) == []


def test_the_match_is_played_on_from_there_and_again_gone_back_into() -> None:
    game = running("Ana", "Bogdan")
    for _turn in range(4):
        quick_turn(game)
    go_back(game, move(game, 4))
    quick_turn(game)
    quick_turn(game)
    go_back(game, move(game, 3))
    go_back(game, move(game, 2))
    assert [entry.text for entry in standing(game)] == ["S", standing(game)[1].text]
    quick_turn(game)
    assert fresh(game).to_move == 0 and at(game).row.turns == 2
    assert differences(game) == []


def test_a_deal_that_was_over_and_not_counted_goes_on() -> None:
    game = running("Ana", "Bogdan", seed=LUCKY)
    play(game, MOVES)
    go_back(game, move(game, -1))
    present = fresh(game)
    assert (present.to_move, present.awaits_server, present.status) == (0, False, "running")
    assert at(game).deal.phase == engine.PLAY
    assert differences(game) == []


def test_a_counted_deal_that_ended_the_match_is_played_on_and_counted_again() -> None:
    game = running("Ana", "Bogdan", seed=LUCKY, options={"target": 50})
    play(game, MOVES)
    settle(game)
    assert fresh(game).winner == 0
    turns.go_on(code=game.code, user=player("Ana"), deal=0)
    go_back(game, move(game, -1), now=NOON + DAY)
    present = fresh(game)
    assert (present.status, present.winner, present.ended_at) == ("running", None, None)
    assert [row.total for row in game.seats.all()] == [0, 0]
    assert seat(game, "Ana").seen_deal == -1
    assert differences(game) == []
    play(game, MOVES.split()[-1], now=NOON + DAY)
    settle(game, now=NOON + DAY)
    over = fresh(game)
    assert (over.status, over.winner, over.ended_at) == ("finished", 0, NOON + DAY)
    assert [row.total for row in game.seats.all()] == list(SCORES)
    assert game.entries.filter(text="counted").count() == 2
    assert selectors.countings(game_id=game.pk) == {0: 1}
    for kind in ("deal_over", "match_over"):
        assert Message.objects.filter(kind=kind, user=player("Ana")).count() == 2
    assert differences(game) == []


def test_who_resigned_after_the_move_is_in_the_match_again() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    quick_turn(game)
    turns.resign(code=game.code, user=player("Chloé"), now=NOON)
    quick_turn(game)
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    settle(game)
    assert fresh(game).status == "finished"
    go_back(game, move(game, 2))
    assert [row.resigned for row in game.seats.all()] == [False, False, False]
    assert fresh(game).status == "running" and fresh(game).to_move == 1
    assert differences(game) == []


def test_a_player_who_was_removed_before_the_move_stays_out() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    rule(game, history.remove, 2)
    quick_turn(game)
    go_back(game, move(game, -2))
    assert at(game).deal.resigned == {2} and seat(game, "Chloé").resigned
    assert differences(game) == []


def test_points_that_were_adjusted_stay_adjusted() -> None:
    game = running("Ana", "Bogdan", seed=LUCKY, options={"target": 50})
    play(game, MOVES)
    settle(game)
    rule(game, history.adjust, {1: 5})
    go_back(game, move(game, -1))
    assert [row.total for row in game.seats.all()] == [0, 5]
    assert differences(game) == []


# -- turns that ran out, absences, substitutes ------------------------------------------------------


def test_turns_that_ran_out_and_an_absence_that_came_of_them_are_undone() -> None:
    game = running("Ana", "Bogdan", excuses=1, absent_after=1)
    awake(NOON + DAY)
    turns.expire(game_id=game.pk, now=NOON + DAY)  # excused
    awake(NOON + 2 * DAY)
    turns.expire(game_id=game.pk, now=NOON + 2 * DAY)  # played, and absent
    assert seat(game, "Ana").absent and seat(game, "Ana").excused == 1
    go_back(game, game.entries.get(text="T").number, now=NOON + 2 * DAY)
    ana = seat(game, "Ana")
    assert (ana.absent, ana.absent_until, ana.expired, ana.excused) == (False, None, 0, 1)
    assert fresh(game).to_move == 0 and not fresh(game).awaits_server
    assert differences(game) == []


def test_an_absence_that_began_before_the_move_lasts() -> None:
    game = running("Ana", "Bogdan", absent_after=1)
    awake(NOON + DAY)
    turns.expire(game_id=game.pk, now=NOON + DAY)
    quick_turn(game, now=NOON + DAY)
    go_back(game, move(game, -1), now=NOON + DAY)
    assert seat(game, "Ana").absent and seat(game, "Ana").expired == 1
    assert differences(game) == []


def test_who_came_back_after_the_move_is_not_sent_away_again() -> None:
    game = running("Ana", "Bogdan", absent_after=1)
    awake(NOON + DAY)
    turns.expire(game_id=game.pk, now=NOON + DAY)
    quick_turn(game, now=NOON + DAY)
    absence.back(code=game.code, user=player("Ana"), now=NOON + DAY)
    go_back(game, move(game, -1), now=NOON + DAY)
    assert not seat(game, "Ana").absent and seat(game, "Ana").expired == 0
    assert differences(game) == []


def test_a_substitute_keeps_the_seat() -> None:
    game = running("Ana", "Bogdan", absent_after=1)
    awake(NOON + DAY)
    turns.expire(game_id=game.pk, now=NOON + DAY)
    absence.take_over(code=game.code, user=player("Dan"), seat=0, now=NOON + DAY)
    go_back(game, game.entries.get(text="T").number, now=NOON + DAY)
    dan = seat(game, "Dan")
    assert (dan.absent, dan.expired, dan.excused) == (False, 0, 0)
    assert on_turn(game) == player("Dan")
    assert differences(game) == []


def test_a_turn_that_is_undone_was_played_in_time_or_not_all_the_same() -> None:
    game = running("Ana", "Bogdan")
    quick_turn(game)
    go_back(game, move(game, 0))
    quick_turn(game)
    assert reliability.told(user_id=player("Ana").pk) == "11"
    assert reliability.differences() == []


# -- clocks ----------------------------------------------------------------------------------------


BANK: dict[str, Any] = {"increment": timedelta(hours=5), "bank_cap": 2 * DAY}
HOUR = timedelta(hours=1)


def test_a_bank_is_as_it_was_when_the_turn_began() -> None:
    game = running("Ana", "Bogdan", **BANK)
    quick_turn(game, now=NOON + 10 * HOUR)
    quick_turn(game, now=NOON + 14 * HOUR)
    quick_turn(game, now=NOON + 17 * HOUR)
    assert [row.bank for row in game.seats.all()] == [21 * HOUR, 25 * HOUR]
    go_back(game, move(game, 1), now=NOON + 20 * HOUR)
    assert [row.bank for row in game.seats.all()] == [24 * HOUR, 24 * HOUR]
    assert fresh(game).deadline == NOON + 44 * HOUR
    quick_turn_rest = next(move for move in engine.legal_moves(at(game).deal) if move.kind == "D")
    play(game, engine.move_text(quick_turn_rest, engine.CARDS), now=NOON + 21 * HOUR)
    assert seat(game, "Ana").bank == 28 * HOUR
    assert differences(game) == []


def test_a_bank_that_an_excuse_used_up_is_full_again() -> None:
    game = running("Ana", "Bogdan", excuses=1, **BANK)
    play(game, "S")
    awake(NOON + DAY)
    turns.expire(game_id=game.pk, now=NOON + DAY)
    assert seat(game, "Ana").bank == timedelta(0)
    go_back(game, move(game, 0), now=NOON + DAY)
    assert seat(game, "Ana").bank == DAY and seat(game, "Ana").excused == 0
    assert fresh(game).deadline == NOON + 2 * DAY
    assert differences(game) == []


def test_a_turn_that_comes_again_by_the_same_hour_is_told_again() -> None:
    game = running("Ana", "Bogdan", deadline_hour=20)
    deadline = fresh(game).deadline
    quick_turn(game)
    go_back(game, move(game, 0))
    assert fresh(game).deadline == deadline
    asked = Message.objects.filter(kind="turn", user=player("Ana"), closed_at=None)
    assert asked.count() == 1
    assert not Message.objects.filter(kind="turn", user=player("Bogdan"), closed_at=None).exists()


def test_a_table_that_is_paused_stays_paused() -> None:
    game = running("Ana", "Bogdan")
    quick_turn(game)
    for name in ("Ana", "Bogdan"):
        pauses.agree(code=game.code, user=player(name), version=fresh(game).version, now=NOON)
    go_back(game, move(game, 0), now=NOON + HOUR)
    assert fresh(game).paused_at is not None and fresh(game).left == DAY
    assert differences(game) == []


def test_a_clock_that_stands_for_a_vacation_goes_on_for_who_was_on_turn_before() -> None:
    game = running("Ana", "Bogdan", vacation_days=10)
    quick_turn(game)
    days = {"first_day": NOON.date(), "last_day": (NOON + 5 * DAY).date(), "begins": NOON, "ends": NOON + 5 * DAY}
    player("Bogdan").vacations.create(**days)
    vacations.settle(game_id=game.pk, now=NOON)
    assert fresh(game).away
    go_back(game, move(game, 0), now=NOON + DAY)
    present = fresh(game)
    assert (present.away, present.to_move, present.deadline) == (False, 0, NOON + 2 * DAY)
    assert seat(game, "Bogdan").vacation_used == DAY
    assert differences(game) == []


# -- tiles -----------------------------------------------------------------------------------------


def exchanged() -> Game:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    answer(game, "X:2R")
    answer(game, "X:3Y", by="Bogdan")
    return game


def test_a_deal_of_tiles_is_gone_back_into_after_the_exchange() -> None:
    game = exchanged()
    before = snapshot(game)
    discard = next(move for move in engine.legal_moves(at(game).deal) if move.kind == "D")
    play(game, engine.move_text(discard, engine.TILES))
    go_back(game, move(game, -1))
    assert snapshot(game) == before
    assert differences(game) == []


def test_nobody_goes_back_to_before_the_end_of_the_exchange() -> None:
    game = exchanged()
    for answered in (0, 1):
        assert no_ruling(game, history.go_back, move(game, answered)) == "too_far_back"
    left = tile_table("Ana", "Bogdan", "Chloé", seed="tiles 11")
    turns.resign(code=left.code, user=player("Ana"), now=NOON)
    assert no_ruling(left, history.go_back, move(left, 0)) == "too_far_back"


def test_no_card_is_in_what_is_told_of_it() -> None:
    game = exchanged()
    go_back_to = next(move for move in engine.legal_moves(at(game).deal) if move.kind == "D")
    play(game, engine.move_text(go_back_to, engine.TILES))
    quick_turn_of_tiles = play(game, "S")
    assert quick_turn_of_tiles.deal.drew is not None
    go_back(game, move(game, -1))
    assert told(game, "rolled_back").facts["drawn"] == {"1": 1}
    assert at(game).deal.drawn == quick_turn_of_tiles.deal.drawn - 1


# -- refusals --------------------------------------------------------------------------------------


def test_nobody_goes_back_into_an_earlier_deal_or_one_that_is_void() -> None:
    game = running("Ana", "Bogdan", seed=LUCKY)
    play(game, MOVES)
    settle(game)
    assert no_ruling(game, history.go_back, move(game, 0)) == "too_far_back"
    quick_turn(game)
    entry = move(game, -1)
    void(game, 1)
    assert no_ruling(game, history.go_back, entry) == "too_far_back"


def test_nobody_goes_back_to_a_row_that_is_no_move_or_is_undone() -> None:
    game = running("Ana", "Bogdan")
    quick_turn(game)
    entry = move(game, 1)
    go_back(game, move(game, 0))
    dealt = Entry.objects.get(game=game, text="dealt").number
    for number in (entry, dealt, -1, 10**30):
        assert no_ruling(game, history.go_back, number) == "no_such_move"

"""What a ruling does to a match: deals void, points adjusted, players removed, matches taken up again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction

from accounts.models import Message
from games import selectors
from games.models import Game
from games.selectors import owndata
from games.services import history, turns, vacations
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_THREE,
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


def two(**terms: object) -> Game:
    """A match of two, its first deal about to be won by Ana."""
    return running("Ana", "Bogdan", seed=LUCKY, **terms)  # type: ignore[arg-type]


def second_deal(**terms: object) -> Game:
    """The same match in its second deal."""
    game = two(**terms)
    play(game, MOVES)
    settle(game)
    return fresh(game)


def finished() -> Game:
    """A match that Ana won by going out in its only deal."""
    game = two(options={"target": 50})
    play(game, MOVES)
    settle(game)
    assert fresh(game).status == Game.Status.FINISHED
    return fresh(game)


def totals(game: Game) -> list[int]:
    return [seat.total for seat in game.seats.order_by("index")]


# -- a deal made void ------------------------------------------------------------------------------


def test_the_running_deal_made_void_is_dealt_anew_by_the_same_dealer_under_the_next_number() -> None:
    game = second_deal()
    quick_turn(game)
    before = at(game)
    after = void(game, 1, now=NOON + timedelta(hours=1))
    assert (after.row.number, after.row.dealer) == (2, before.row.dealer)
    assert after.deal.hands != before.deal.hands and after.row.turns == 0
    assert game.deals.get(number=1).voided and not game.deals.get(number=1).scored
    assert totals(game) == list(SCORES)
    row = told(game, "voided")
    assert (row.actor, row.deal, row.facts) == ("referee", 1, {"number": 1, "case": CASE})
    assert fresh(game).deadline == NOON + timedelta(hours=1) + DAY
    assert differences(game) == []


def test_a_deal_that_is_over_and_not_counted_yet_can_be_made_void() -> None:
    game = two()
    play(game, MOVES)
    after = void(game, 0)
    assert after.row.number == 1 and totals(game) == [0, 0]
    assert not fresh(game).awaits_server
    settle(game)
    assert differences(game) == []


def test_an_earlier_deal_made_void_loses_its_points_and_the_deal_played_goes_on() -> None:
    game = second_deal()
    quick_turn(game)
    before = at(game)
    after = void(game, 0)
    assert totals(game) == [0, 0]
    assert (after.row.number, after.deal.hands) == (1, before.deal.hands)
    assert after.game.deadline == before.game.deadline
    assert after.game.version == before.game.version + 1
    assert [hand.score for hand in game.deals.get(number=0).hands.all()] == list(SCORES)  # as they were counted
    assert differences(game) == []


def test_a_match_that_is_over_goes_on_once_the_deal_that_won_it_is_void() -> None:
    game = finished()
    after = void(game, 0, now=NOON + DAY)
    assert (after.game.status, after.game.winner, after.game.ended_at) == ("running", None, None)
    assert (after.row.number, after.row.dealer) == (1, 1)
    assert totals(game) == [0, 0] and fresh(game).deadline == NOON + 2 * DAY
    assert differences(game) == []


def test_a_match_that_is_over_goes_on_in_turn_where_an_earlier_deal_is_void() -> None:
    game = running("Ana", "Bogdan", seed=LUCKY, then=LUCKY, options={"target": 90})
    play(game, MOVES)
    settle(game)
    rule(game, history.adjust, {0: 80})
    play(game, MOVES)  # Bogdan, with the same cards
    settle(game)
    assert (fresh(game).winner, totals(game)) == (0, [92, 12])
    again = void(game, 0)
    assert (again.game.status, totals(game)) == ("running", [37, 55])
    assert (again.row.number, again.row.dealer) == (2, 1)  # Ana dealt the last
    assert differences(game) == []


def test_a_match_stays_over_where_it_is_decided_without_the_void_deal() -> None:
    game = running("Ana", "Bogdan", "Chloé", options={"target": 50})
    for name in ("Bogdan", "Chloé"):
        turns.resign(code=game.code, user=player(name), now=NOON)
    settle(game)
    ended = fresh(game).ended_at
    void(game, 0, now=NOON + DAY)
    over = fresh(game)
    assert (over.status, over.winner, over.ended_at) == ("finished", 0, ended)
    assert totals(game) == [0, 0, 0]
    assert differences(game) == []


def test_a_running_match_ends_where_points_adjusted_before_decide_it_without_the_void_deal() -> None:
    game = two(options={"target": 100})
    rule(game, history.adjust, {1: 100})
    assert fresh(game).status == "running"  # its deal is played to the end
    void(game, 0)
    over = fresh(game)
    assert (over.status, over.winner, over.to_move) == ("finished", 1, None)
    assert not Message.objects.filter(kind="turn", game=game.code, closed_at=None).exists()
    assert differences(game) == []


def test_another_seat_wins_where_the_void_deal_had_the_points() -> None:
    game = finished()
    rule(game, history.adjust, {1: 100})  # 57 against 55
    over = fresh(game)
    assert (over.status, over.winner) == ("finished", 1)
    assert told(game, "finished").seat == 1
    assert Message.objects.filter(kind="match_over", game=game.code).count() == 4  # told to both, and again
    void(game, 0)
    assert (fresh(game).winner, totals(game)) == (1, [0, 100])
    assert differences(game) == []


def test_who_resigned_in_a_void_deal_stays_out() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    after = void(game, 0)
    assert after.deal.resigned == {0} and seat(game, "Ana").resigned
    assert after.row.dealer == 2
    assert differences(game) == []


def test_where_the_dealer_of_a_void_deal_has_left_the_next_seat_deals() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    turns.resign(code=game.code, user=player("Chloé"), now=NOON)
    assert void(game, 0).row.dealer == 0
    assert differences(game) == []


def test_a_deal_of_tiles_is_made_void_in_its_exchange_and_nobody_is_asked_any_more() -> None:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    answer(game, "X:2R")
    after = void(game, 0, then="tiles 7")
    assert after.row.number == 1
    asking = Message.objects.filter(kind="turn", game=game.code, closed_at=None, key__contains=":0.x:")
    assert not asking.exists()
    assert not game.entries.filter(text__startswith="X:", deal=0).exists()
    assert differences(game) == []


def test_a_void_deal_leaves_a_clock_that_stands_for_a_vacation() -> None:
    game = running("Ana", "Bogdan", "Chloé", seed=OUT_OF_THREE[0])
    ana = player("Ana")
    ana.vacations.create(first_day=NOON.date(), last_day=NOON.date() + 3 * DAY, begins=NOON, ends=NOON + 3 * DAY)
    awake(NOON)
    assert vacations.settle(game_id=game.pk, now=NOON)
    assert fresh(game).away
    after = void(game, 0, now=NOON + DAY)
    assert after.game.away and after.game.deadline is None  # Ana plays first again, and is away still
    assert differences(game) == []


@pytest.mark.parametrize("number", [7, -1, 10**30])
def test_a_deal_that_is_not_there_cannot_be_made_void(number: int) -> None:
    assert no_ruling(second_deal(), history.void, number) == "no_such_deal"


def test_a_deal_is_made_void_once() -> None:
    game = second_deal()
    void(game, 0)
    assert no_ruling(game, history.void, 0) == "already_void"


# -- points ----------------------------------------------------------------------------------------


def test_points_are_added_and_taken() -> None:
    game = second_deal()
    rule(game, history.adjust, {0: -30, 1: 12})
    assert totals(game) == [SCORES[0] - 30, SCORES[1] + 12]
    assert told(game, "adjusted").facts == {"points": {"0": -30, "1": 12}, "case": CASE}
    assert differences(game) == []


def test_a_match_that_adjusted_points_leave_undecided_goes_on() -> None:
    game = finished()
    rule(game, history.adjust, {0: -30})
    again = fresh(game)
    assert (again.status, game.deals.count(), totals(game)) == ("running", 2, [25, -43])
    assert differences(game) == []


def test_a_running_match_is_decided_when_its_deal_is_counted() -> None:
    game = two(options={"target": 200})
    rule(game, history.adjust, {0: 150})
    play(game, MOVES)
    settle(game)
    over = fresh(game)
    assert (over.status, over.winner, totals(game)) == ("finished", 0, [205, -43])
    assert differences(game) == []


@pytest.mark.parametrize("points", [{}, {0: 0}, {0: 10_001}, {0: -10_001}, {0: 10**30}, {0: True}, {0: 1.5}, {0: "5"}])
def test_points_are_whole_numbers_within_bounds(points: dict[int, int]) -> None:
    assert no_ruling(second_deal(), history.adjust, points) == "bad_points"


@pytest.mark.parametrize("seat", [2, -1, 10**30])
def test_points_are_for_seats_of_the_table(seat: int) -> None:
    assert no_ruling(second_deal(), history.adjust, {seat: 5}) == "no_such_seat"


# -- a player removed ------------------------------------------------------------------------------


def test_a_player_removed_has_resigned() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    rule(game, history.remove, 0)
    table = at(game)
    assert seat(game, "Ana").resigned and table.deal.resigned == {0} and table.game.to_move == 1
    row = game.entries.get(text="R")
    assert (row.actor, row.seat, row.kind) == ("referee", 0, "move")
    assert differences(game) == []


def test_the_last_but_one_removed_loses_the_match() -> None:
    game = two()
    rule(game, history.remove, 1)
    settle(game)
    assert (fresh(game).status, fresh(game).winner) == ("finished", 0)
    assert differences(game) == []


def test_a_deal_that_is_over_is_counted_before_a_player_is_removed() -> None:
    game = two()
    play(game, MOVES)
    rule(game, history.remove, 1)
    assert game.deals.get(number=0).scored and totals(game) == list(SCORES)
    assert game.deals.get(number=1).reason == "resigned"
    assert differences(game) == []


def test_a_player_is_removed_in_the_exchange_of_doubles() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed="tiles 11")
    answer(game, "X:pass")
    rule(game, history.remove, 1)
    assert at(game).deal.phase != "exchange"
    assert differences(game) == []


def test_a_player_is_removed_once_and_from_a_running_match_alone() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    rule(game, history.remove, 0)
    assert no_ruling(game, history.remove, 0) == "already_resigned"
    assert no_ruling(finished(), history.remove, 1) == "match_over"


def test_a_computer_player_is_not_removed() -> None:
    game = running("Ana", computers=1)
    assert no_ruling(game, history.remove, 1) == "no_such_seat"
    assert no_ruling(game, history.remove, 5) == "no_such_seat"


# -- a match taken up again ------------------------------------------------------------------------


def test_a_match_that_ended_by_a_resignation_goes_on_with_who_resigned_last() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    turns.resign(code=game.code, user=player("Chloé"), now=NOON)
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    settle(game)
    assert fresh(game).winner == 1
    after = rule(game, history.reopen, now=NOON + DAY)
    assert (after.game.status, after.row.number, set(after.deal.resigned)) == ("running", 1, {2})
    assert not seat(game, "Ana").resigned and seat(game, "Chloé").resigned
    assert told(game, "reopened").facts == {"seats": [0], "case": CASE}
    assert after.row.dealer == 0  # after Chloé the next seat that is in
    assert differences(game) == []


def test_a_player_who_was_removed_comes_back_when_the_match_is_taken_up_again() -> None:
    game = two()
    rule(game, history.remove, 1)
    settle(game)
    rule(game, history.reopen)
    assert not seat(game, "Bogdan").resigned
    quick_turn(game)
    assert differences(game) == []


def test_a_match_won_by_points_is_not_taken_up_again() -> None:
    assert no_ruling(finished(), history.reopen) == "decided"


def test_a_match_that_its_points_decide_all_the_same_is_not_taken_up_again() -> None:
    game = two(options={"target": 200})
    rule(game, history.adjust, {0: 400})
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    settle(game)
    assert no_ruling(game, history.reopen) == "decided"


def test_a_running_match_is_not_taken_up_again() -> None:
    assert no_ruling(two(), history.reopen) == "not_over"


def test_an_absence_does_not_outlast_the_end_of_the_match() -> None:
    game = running("Ana", "Bogdan", "Chloé", absent_after=1)
    awake(NOON + DAY)
    assert turns.expire(game_id=game.pk, now=NOON + DAY)
    assert seat(game, "Ana").absent
    for name in ("Bogdan", "Chloé"):
        turns.resign(code=game.code, user=player(name), now=NOON + DAY)
    settle(game, now=NOON + DAY)
    rule(game, history.reopen, now=NOON + DAY)
    assert not seat(game, "Ana").absent and on_turn(game).username in ("Ana", "Chloé")
    assert differences(game) == []


# -- what is kept beside the log -------------------------------------------------------------------


def test_what_was_tampered_with_after_a_ruling_is_found() -> None:
    game = second_deal()
    void(game, 0)
    quick_turn(game)
    go_back(game, standing(game, 1)[0].number)
    rule(game, history.adjust, {0: 5})
    assert differences(game) == []
    for tamper, sentence in (
        (lambda: game.deals.filter(number=0).update(voided=False), "other deals are void than the log tells"),
        (lambda: game.seats.filter(index=0).update(total=60), "the totals are not the sums of the scores"),
        (lambda: game.deals.filter(number=1).update(turns=1), "deal 1: turns are counted wrongly"),
        (lambda: game.seats.filter(index=1).update(resigned=True), "other seats have resigned by the log"),
    ):
        with transaction.atomic():
            tamper()
            assert any(sentence in line for line in differences(game)), sentence
            transaction.set_rollback(True)


def test_a_deal_dealt_by_the_wrong_seat_after_a_void_one_is_found() -> None:
    game = second_deal()
    void(game, 1)
    game.deals.filter(number=2).update(dealer=1)
    assert any("deal 2: it was another seat's turn to deal" in line for line in differences(game))


def test_a_winner_that_the_points_do_not_make_is_found() -> None:
    game = finished()
    rule(game, history.adjust, {1: 100})
    Game.objects.filter(pk=game.pk).update(winner=0)
    assert any("the winner is another by the scores" in line for line in differences(game))


def test_lists_and_one_s_data_count_a_void_deal_as_over() -> None:
    game = second_deal()
    quick_turn(game)
    void(game, 1)
    held = selectors.hand_sizes(games=[game])
    assert held == {(game.pk, 0): 7, (game.pk, 1): 7}  # those of the deal that is played
    [table] = [table for table in owndata.own_data(user=player("Bogdan"))["tables"] if table["code"] == game.code]
    assert {hand["deal__number"] for hand in table["seats"][0]["hands"]} == {1}  # where he has moved

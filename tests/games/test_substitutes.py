"""Somebody sits down in the place of a player who stays away."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Message
from games import selectors, signals
from games.models import Game, Tenure
from games.services.errors import NoSuchTable, ServiceError
from tests.games.absent import back, expire, log, refusal, serve, take_over
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
    rows,
    running,
    seat,
    settle,
)

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


# -- substitutes --------------------------------------------------------------------------------


def test_a_substitute_takes_over_hand_and_points(game: Game) -> None:
    game.seats.filter(index=0).update(expired=3, excused=2, total=0)
    expire(game)
    hand = at(game).hands[0].cards
    take_over(game)
    dan = seat(game, "Dan")
    assert (dan.index, dan.expired, dan.excused, dan.absent, dan.held_from) == (0, 0, 0, False, fresh(game).log_length - 1)
    assert at(game).hands[0].cards == hand
    assert log(game, 1) == [("taken_over", "player", 0)]
    assert game.entries.latest("number").facts == {}
    assert not game.seats.filter(user=player("Ana")).exists()


def test_a_substitute_plays_on_at_once(game: Game) -> None:
    expire(game)
    quick_turn(game)
    quick_turn(game)
    take_over(game, now=NOON + 3 * DAY)
    assert (fresh(game).awaits_server, fresh(game).deadline) == (False, NOON + 4 * DAY)
    play(game, "S")
    assert game.entries.latest("number").actor == "player"


def test_a_deal_counts_for_whoever_held_the_seat_when_it_was_dealt() -> None:
    game = running("Ana", "Bogdan", absent_after=1, options={"target": 1000})
    expire(game)
    take_over(game)
    while fresh(game).deals.count() < 3:
        quick_turn(game) if not fresh(game).awaits_server else serve(game)
    ana, bogdan, dan = (player(name).pk for name in ("Ana", "Bogdan", "Dan"))
    assert selectors.holders(game=game) == {0: [ana, bogdan], 1: [dan, bogdan], 2: [dan, bogdan]}


def test_two_substitutes_in_one_deal_leave_the_next_to_the_second(game: Game) -> None:
    expire(game)
    take_over(game)
    quick_turn(game)
    quick_turn(game)
    expire(game)
    assert seat(game, "Dan").absent
    take_over(game, "Eva")
    held = [(tenure.user.username, tenure.from_deal) for tenure in game.tenures.filter(seat=0) if tenure.user]
    assert held == [("Ana", 0), ("Dan", 1), ("Eva", 1)]
    assert selectors.holders(game=game)[0][0] == player("Ana").pk
    Game.objects.filter(pk=game.pk).update(absent_after=PATIENT)
    while fresh(game).deals.count() == 1:
        quick_turn(game) if not fresh(game).awaits_server else serve(game)
    assert selectors.holders(game=game)[1][0] == player("Eva").pk


def test_the_record_names_who_played_which_moves(game: Game) -> None:
    play(game, "S")
    expire(game)  # moves 0 and 1
    quick_turn(game)  # 2, 3
    quick_turn(game)  # 4, 5
    serve(game)
    computer = game.entries.filter(actor="computer").count()
    take_over(game)
    quick_turn(game)
    quick_turn(game)
    quick_turn(game)
    played = selectors.played_by(game=game)
    last = 5 + computer
    assert [row for row in played if row.seat == 0] == [
        (0, 0, "Ana", "player", 0, 0),
        (0, 0, "Ana", "clock", 1, 1),
        (0, 0, "Ana", "computer", 6, last),
        (0, 0, "Dan", "player", last + 5, last + 6),
    ]
    assert [row for row in played if row.seat == 1] == [(0, 1, "Bogdan", "player", 2, last + 2)]


def test_every_seat_has_a_tenure_from_the_start() -> None:
    game = running("Ana", computers=1)
    held = [(tenure.seat, str(tenure.user), tenure.bot, tenure.from_deal) for tenure in game.tenures.order_by("seat")]
    assert held == [(0, "Ana", "", 0), (1, "None", "greedy", 0)]
    assert not Tenure.objects.filter(game=open_table("Ana")).exists()


def test_taking_over_twice_is_taking_over_once(game: Game) -> None:
    expire(game)
    take_over(game)
    before = rows()
    take_over(game)
    assert rows() == before


def test_a_substitute_has_to_pass_by_no_result_of_what_was_before() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0], absent_after=1)
    play(game, OUT_OF_TWO[1])
    settle(game)
    if fresh(game).to_move == 1:
        quick_turn(game)
    expire(game)
    take_over(game)
    assert seat(game, "Dan").seen_deal == 0


def test_who_sits_here_takes_over_no_further_seat(game: Game) -> None:
    expire(game)
    assert refusal(take_over, game, "Bogdan") == "already_seated"
    assert refusal(take_over, game, "Ana") == "already_seated"


@pytest.mark.parametrize("index", [1, 7, -1, 10**6])
def test_only_an_absent_seat_is_taken_over(game: Game, index: int) -> None:
    expire(game)
    assert refusal(take_over, game, "Dan", index) == "seat_not_free"


def test_a_seat_whose_player_is_back_is_free_no_more(game: Game) -> None:
    expire(game)
    back(game)
    assert refusal(take_over, game) == "seat_not_free"


def test_who_has_held_another_seat_of_the_match_does_not_sit_down_again() -> None:
    game = running("Ana", "Bogdan", "Chloé", absent_after=1)
    expire(game)
    take_over(game)
    expire(game)
    assert seat(game, "Bogdan").absent
    assert refusal(take_over, game, "Ana", 1) == "held_another_seat"


def test_who_had_the_seat_before_may_take_it_over_from_an_absent_substitute(game: Game) -> None:
    expire(game)
    take_over(game)
    quick_turn(game)
    quick_turn(game)
    expire(game)
    take_over(game, "Ana")
    assert seat(game, "Ana").index == 0


def test_once_a_substitute_sits_the_former_player_is_told_so(game: Game) -> None:
    expire(game)
    take_over(game)
    assert refusal(back, game, "Ana") == "seat_taken_over"


def test_who_was_absent_is_told_that_the_seat_is_taken_over(game: Game) -> None:
    expire(game)
    take_over(game)
    told = Message.objects.filter(user=player("Ana"), kind="missed").latest("pk")
    assert (told.facts["news"], told.facts["who"]) == ("taken_over", "Dan")
    assert not Message.objects.filter(user=player("Dan"), kind__in=("missed", "away")).exists()


def test_a_receiver_may_refuse_a_substitute(game: Game) -> None:
    def members_only(sender: Any, user: Any, **kwargs: Any) -> None:
        raise ServiceError("not_a_member")

    expire(game)
    signals.joining.connect(members_only)
    try:
        assert refusal(take_over, game) == "not_a_member"
    finally:
        signals.joining.disconnect(members_only)


def test_nobody_takes_over_a_seat_of_a_table_that_has_not_begun_or_is_over() -> None:
    with pytest.raises(NoSuchTable):
        take_over(open_table("Ana"))
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0], options={"target": None})
    play(game, OUT_OF_TWO[1])
    settle(game)
    assert refusal(take_over, game) == "seat_not_free"


# -- banks --------------------------------------------------------------------------------------


def test_with_banks_an_excused_turn_has_the_least_a_turn_has_and_a_substitute_begins_with_a_full_bank() -> None:
    terms: dict[str, Any] = {"turn_time": DAY, "increment": timedelta(hours=1), "bank_cap": 2 * DAY}
    game = running("Ana", "Bogdan", "Chloé", absent_after=1, excuses=1, **terms)
    now = expire(game)
    assert (seat(game, "Ana").bank, fresh(game).deadline) == (timedelta(0), now + timedelta(hours=1))
    now = expire(game)
    assert seat(game, "Ana").absent
    quick_turn(game, now=now)
    quick_turn(game, now=now)
    serve(game, now)
    assert seat(game, "Ana").bank == timedelta(0)  # the computer earns nothing
    take_over(game, now=now)
    assert seat(game, "Dan").bank == DAY

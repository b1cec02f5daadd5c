"""Disputes while two are at it, over two connections: one goes through, the other is told so."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Dispute, Game
from games.services import disputes, freezing, rulings
from tests.games.cases import HOUR, again, claimed, dispute, referee, ruled, steps
from tests.games.playing import DAY, NOON, OUT_OF_TWO, awake, fresh, play, player, running, settle
from tests.games.test_races import Call, both_orders, click, expiry, race

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    return running("Ana", "Bogdan")


def act(verb: Any, made: Dispute, by: str, **about: Any) -> Call:
    """What somebody does about a dispute."""
    user = player(by)
    return lambda: (verb(case=made.pk, user=user, **{"now": NOON, **about}), verb.__name__)[1]


@both_orders
def test_of_two_referees_who_take_a_case_up_at_once_one_has_it(game: Game, swapped: bool) -> None:
    made = dispute(game)
    referee("Corina"), referee("Dora")
    answers = race(game, act(rulings.claim, made, "Corina"), act(rulings.claim, made, "Dora"), swapped=swapped)
    assert sorted(answers) == ["claim", "claimed_already"]
    assert again(made).referee == player("Dora" if swapped else "Corina")
    assert [kind for kind, _who in steps(made)] == ["opened", "claimed"]


@both_orders
def test_an_answer_and_the_withdrawal(game: Game, swapped: bool) -> None:
    made = dispute(game)
    answers = race(game, act(disputes.answer, made, "Bogdan", words="No."), act(disputes.withdraw, made, "Ana"), swapped=swapped)
    assert answers == (["settled", "withdraw"] if swapped else ["answer", "withdraw"])
    assert again(made).state == "withdrawn"


@both_orders
def test_a_ruling_and_the_withdrawal(game: Game, swapped: bool) -> None:
    made = claimed(game)
    ruling = act(rulings.rule, made, "Corina", kind="dismiss", reason="So be it.")
    answers = race(game, ruling, act(disputes.withdraw, made, "Ana"), swapped=swapped)
    assert answers == (["not_your_case", "withdraw"] if swapped else ["rule", "settled"])
    assert made.rulings.count() == (0 if swapped else 1)


@both_orders
def test_going_back_and_a_move(game: Game, swapped: bool) -> None:
    play(game, "S")
    drawn = game.entries.latest("number").number
    discard = next(text for text in _hand(game))
    made = claimed(game)
    back = act(rulings.rule, made, "Corina", kind="back", reason="Not so.", entry=drawn)
    answers = race(game, back, click(game, f"D:{discard}"), swapped=swapped)
    assert answers == (["rule", "played"] if swapped else ["rule", "stale"])
    assert (fresh(game).to_move, game.entries.filter(text="rolled_back").count()) == (0, 1)


def _hand(game: Game) -> list[str]:
    return list(game.deals.get().hands.get(seat=0).cards)


@both_orders
def test_freezing_and_a_move(game: Game, swapped: bool) -> None:
    made = claimed(game)
    answers = race(game, act(rulings.freeze, made, "Corina", span=HOUR), click(game, "S"), swapped=swapped)
    assert answers == (["freeze", "played"] if swapped else ["freeze", "stale"])


@both_orders
def test_freezing_and_a_turn_that_runs_out(game: Game, swapped: bool) -> None:
    made = claimed(game)
    awake(NOON + DAY)
    answers = race(game, act(rulings.freeze, made, "Corina", span=HOUR, now=NOON + DAY), expiry(game), swapped=swapped)
    assert answers == (["freeze", True] if swapped else ["freeze", False])


def test_at_the_limit_two_workers_let_a_clock_go_on_once(game: Game) -> None:
    made = claimed(game)
    rulings.freeze(case=made.pk, user=referee(), span=HOUR, now=NOON)
    lapse = lambda: freezing.lapse(game_id=game.pk, now=NOON + HOUR)  # noqa: E731
    assert race(game, lapse, lapse) == [True, False]
    assert [kind for kind, _who in steps(made)].count("thawed") == 1


@both_orders
def test_of_two_appeals_at_once_there_is_one(game: Game, swapped: bool) -> None:
    made = ruled(game)
    answers = race(
        game,
        act(disputes.appeal, made, "Ana", words="Wrong."),
        act(disputes.appeal, made, "Bogdan", words="Wrong."),
        swapped=swapped,
    )
    assert sorted(answers) == ["appeal", "nothing_to_appeal"]


def test_opened_twice_at_once_it_is_open_once(game: Game) -> None:
    ana = player("Ana")
    make = lambda: disputes.open_dispute(code=game.code, user=ana, kind="rule", words="Not right.", now=NOON).kind  # noqa: E731
    assert race(game, make, make) == ["rule", "dispute_open"]
    assert Dispute.objects.count() == 1


def test_two_rulings_at_once_on_two_cases_of_one_table_are_both_carried_out() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    first, second = claimed(game), claimed(game, "Bogdan", to="Dora")
    answers = race(
        game,
        act(rulings.rule, first, "Corina", kind="points", reason="So be it.", points={0: -10}),
        act(rulings.rule, second, "Dora", kind="void", reason="So be it.", deal=0),
    )
    assert answers == ["rule", "rule"]
    assert list(game.seats.order_by("index").values_list("total", flat=True)) == [-10, 0]

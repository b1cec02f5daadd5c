"""Disputes as players have them: opened, answered, withdrawn, appealed; who may, until when, and who is told."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from accounts.people.owndata import services as owndata
from accounts.people.owndata.collecting import collected
from games import signals
from games.models import Dispute, Entry, Game, Step
from games.services import disputes, rulings
from games.services.absence import take_over
from tests.games.absent import expire
from tests.games.cases import HOUR, again, claimed, dispute, last_move, referee, rule, ruled, steps, told, why_not
from tests.games.playing import DAY, NOON, OUT_OF_TWO, differences, fresh, open_table, play, player, quick_turn, running, settle
from tests.games.tiles import BOTH_SMALL, answer, tile_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = running("Ana", "Bogdan", "Chloé")
    quick_turn(game)
    return game


@pytest.fixture
def over() -> Game:
    """A match that ended at noon."""
    game = running("Ana", "Bogdan", options={"target": None}, seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    return fresh(game)


def open_refused(game: Game, by: str = "Ana", **about: Any) -> str:
    about = {"kind": "rule", "words": "That was not right.", **about}
    return why_not(disputes.open_dispute, code=game.code, user=player(by), **about)


# -- opened -----------------------------------------------------------------------------------------


def test_a_dispute_waits_for_a_referee_and_the_others_are_told(game: Game) -> None:
    made = dispute(game, kind="collusion", words=" They help \n\n\n\n each  other.\u200b\x00 ")
    assert (made.state, made.kind, made.words, made.deal, made.move) == (
        "open",
        "collusion",
        "They help\n\neach other.",
        None,
        None,
    )
    assert steps(made) == [("opened", "Ana")]
    assert told("opened") == [("Bogdan", "opened"), ("Chloé", "opened")]
    assert fresh(game).disputed and differences(game) == []


def test_it_may_be_about_a_deal_or_about_a_move(game: Game) -> None:
    move = last_move(game)
    assert dispute(game, deal=0).deal == 0
    made = dispute(game, "Bogdan", move=move.number)
    assert (made.deal, made.move) == (0, move.number)


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"kind": "weather"}, "bad_kind"),
        ({"words": " \n\u200b "}, "words_missing"),
        ({"words": "x" * 2001}, "words_long"),
        ({"deal": 1}, "no_such_deal"),
        ({"deal": -1}, "no_such_deal"),
        ({"deal": 10**30}, "no_such_deal"),
        ({"move": 10**30}, "no_such_move"),
        ({"move": -1}, "no_such_move"),
        ({"move": 0}, "no_such_move"),
    ],
)
def test_what_makes_no_sense_is_refused(game: Game, about: dict[str, Any], code: str) -> None:
    assert open_refused(game, **about) == code


def test_a_move_of_another_deal_than_the_one_named_is_refused(over: Game) -> None:
    assert open_refused(over, deal=0, move=last_move(over).number + 1) == "no_such_move"


def test_sealed_answers_to_the_exchange_are_no_moves_that_could_be_named() -> None:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    answer(game, "X:pass", by="Ana")
    answer(game, "X:pass", by="Bogdan")
    sealed = game.entries.filter(kind=Entry.Kind.MOVE, text__startswith="X").first()
    assert sealed is not None
    assert open_refused(game, move=sealed.number) == "no_such_move"


def test_one_unsettled_dispute_a_player_is_enough(game: Game) -> None:
    made = dispute(game)
    assert open_refused(game) == "dispute_open"
    dispute(game, "Bogdan")
    disputes.withdraw(case=made.pk, user=player("Ana"), now=NOON)
    assert dispute(game).pk != made.pk


def test_the_database_keeps_a_player_from_two_at_once(game: Game) -> None:
    made = dispute(game)
    with pytest.raises(IntegrityError, match="one_unsettled_dispute_a_player"), transaction.atomic():
        Dispute.objects.create(game=game, opener=player("Ana"), kind="rule", words="Again", opened_at=NOON, state="open")
    with pytest.raises(IntegrityError, match="claimed_disputes_have_a_referee"), transaction.atomic():
        Dispute.objects.filter(pk=made.pk).update(state="claimed")


def test_a_match_may_be_disputed_for_two_weeks_after_its_end(over: Game) -> None:
    assert open_refused(over, now=NOON + 14 * DAY + HOUR) == "too_late"
    assert dispute(over, now=NOON + 14 * DAY).unsettled


@pytest.mark.parametrize("name", ["Céline", "Corina"])
def test_there_is_nothing_to_dispute_for_who_has_never_played_there(game: Game, name: str) -> None:
    referee()
    assert open_refused(game, by=name) == "no_such_table"


def test_nor_before_the_match_has_begun_nor_with_a_closed_account(game: Game) -> None:
    assert open_refused(open_table("Ana")) == "no_such_table"
    assert why_not(disputes.open_dispute, code="none", user=player("Ana"), kind="rule", words="x") == "no_such_table"
    closed = player("Ana")
    closed.is_active = False
    assert why_not(disputes.open_dispute, code=game.code, user=closed, kind="rule", words="x") == "no_such_table"


def test_who_has_lost_the_seat_to_a_substitute_may_dispute_and_is_told(game: Game) -> None:
    lone = running("Ana", "Bogdan", absent_after=1)
    now = expire(lone)
    take_over(code=lone.code, user=player("Dan"), seat=0, now=now)
    dispute(lone, "Ana", now=now)
    assert told("opened") == [("Bogdan", "opened"), ("Dan", "opened")]


def test_leagues_hear_when_one_is_open_and_when_the_last_is_settled(game: Game) -> None:
    heard: list[bool] = []

    def hear(sender: Any, is_open: bool, **kwargs: Any) -> None:
        heard.append(is_open)

    signals.disputed.connect(hear)
    try:
        first, second = dispute(game), dispute(game, "Bogdan")
        disputes.withdraw(case=first.pk, user=player("Ana"), now=NOON)
        disputes.withdraw(case=second.pk, user=player("Bogdan"), now=NOON)
    finally:
        signals.disputed.disconnect(hear)
    assert heard == [True, True, True, False]
    assert not fresh(game).disputed


# -- answered and withdrawn -------------------------------------------------------------------------


def test_any_player_answers_and_so_does_who_opened_it(game: Game) -> None:
    made = claimed(game)
    disputes.answer(case=made.pk, user=player("Bogdan"), words="It was.", now=NOON)
    disputes.answer(case=made.pk, user=player("Ana"), words="It was not.", now=NOON)
    assert steps(made)[2:] == [("answered", "Bogdan"), ("answered", "Ana")]
    assert told("answered")[:3] == [("Ana", "answered"), ("Chloé", "answered"), ("Corina", "answered")]


def test_strangers_answer_nothing_nor_does_anybody_after_the_ruling(game: Game) -> None:
    made = claimed(game)
    assert why_not(disputes.answer, case=made.pk, user=player("Céline"), words="Hello") == "no_such_table"
    assert why_not(disputes.answer, case=made.pk, user=player("Ana"), words="\n") == "words_missing"
    assert why_not(disputes.answer, case=made.pk + 1, user=player("Ana"), words="x") == "no_such_table"
    rule(made)
    assert why_not(disputes.answer, case=made.pk, user=player("Ana"), words="But!") == "settled"


def test_who_opened_it_withdraws_it_though_a_referee_looks_into_it(game: Game) -> None:
    made = claimed(game)
    disputes.withdraw(case=made.pk, user=player("Ana"), now=NOON)
    assert (again(made).state, again(made).referee, fresh(game).disputed) == ("withdrawn", None, False)
    assert told("withdrawn") == [("Bogdan", "withdrawn"), ("Chloé", "withdrawn"), ("Corina", "withdrawn")]


def test_nobody_else_withdraws_it_nor_anybody_twice(game: Game) -> None:
    made = dispute(game)
    assert why_not(disputes.withdraw, case=made.pk, user=player("Bogdan")) == "not_yours"
    assert why_not(disputes.withdraw, case=made.pk, user=player("Céline")) == "no_such_table"
    disputes.withdraw(case=made.pk, user=player("Ana"), now=NOON)
    assert why_not(disputes.withdraw, case=made.pk, user=player("Ana")) == "settled"
    assert why_not(disputes.appeal, case=made.pk, user=player("Ana"), words="Still") == "nothing_to_appeal"


# -- appealed ---------------------------------------------------------------------------------------


def test_any_player_appeals_and_another_referee_decides_for_good(game: Game) -> None:
    made = ruled(game)
    assert made.state == "ruled" and not fresh(game).disputed
    disputes.appeal(case=made.pk, user=player("Bogdan"), words="That is wrong.", now=NOON + DAY)
    assert again(made).state == "appealed" and fresh(game).disputed
    assert why_not(rulings.claim, case=made.pk, user=referee("Corina")) == "ruled_before"
    rulings.claim(case=made.pk, user=referee("Dora"), now=NOON + DAY)
    made = rule(made, by="Dora")
    assert (made.state, [each.appeal for each in made.rulings.order_by("pk")]) == ("closed", [False, True])
    assert why_not(disputes.appeal, case=made.pk, user=player("Ana"), words="Once more") == "nothing_to_appeal"


def test_a_ruling_may_be_appealed_for_a_week(game: Game) -> None:
    made = ruled(game)
    late = {"now": NOON + 7 * DAY + HOUR}
    assert why_not(disputes.appeal, case=made.pk, user=player("Ana"), words="Wrong", **late) == "appeal_late"
    assert why_not(disputes.appeal, case=made.pk, user=player("Céline"), words="Wrong") == "no_such_table"
    assert why_not(disputes.appeal, case=made.pk, user=player("Ana"), words="") == "words_missing"
    disputes.appeal(case=made.pk, user=player("Ana"), words="Wrong", now=NOON + 7 * DAY)
    assert why_not(disputes.appeal, case=made.pk, user=player("Bogdan"), words="Wrong") == "nothing_to_appeal"


def test_who_appealed_withdraws_the_appeal_and_the_ruling_stands(game: Game) -> None:
    made = ruled(game)
    disputes.appeal(case=made.pk, user=player("Bogdan"), words="Wrong", now=NOON)
    assert why_not(disputes.withdraw, case=made.pk, user=player("Ana")) == "not_yours"
    disputes.withdraw(case=made.pk, user=player("Bogdan"), now=NOON)
    assert again(made).state == "closed"


def test_an_appeal_keeps_nobody_from_a_new_dispute_nor_the_other_way_round(game: Game) -> None:
    first, second = ruled(game), ruled(game)
    third = dispute(game)
    disputes.appeal(case=first.pk, user=player("Bogdan"), words="Wrong", now=NOON)
    disputes.withdraw(case=third.pk, user=player("Ana"), now=NOON)
    disputes.appeal(case=second.pk, user=player("Ana"), words="Wrong", now=NOON)
    assert dispute(game).unsettled and again(first).unsettled and again(second).unsettled


# -- rows and people --------------------------------------------------------------------------------


def test_steps_and_rulings_are_never_changed_but_for_words_that_go(game: Game) -> None:
    made = ruled(game)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        made.steps.update(kind="withdrawn")
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        made.steps.update(words="Something else")
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        made.rulings.update(reason="Something else")


def test_a_closed_account_withdraws_what_is_open_and_takes_its_words_along(game: Game) -> None:
    made, other = dispute(game), claimed(game, "Bogdan")
    disputes.answer(case=other.pk, user=player("Ana"), words="Mine", now=NOON)
    ana = player("Ana").pk
    owndata.delete(user_id=ana, now=NOON)
    assert (again(made).state, again(made).words, again(other).state) == ("withdrawn", "", "claimed")
    assert [step.words for step in Step.objects.filter(user=ana)] == ["", "", ""]
    assert {message.facts["who"] for message in player("Bogdan").messages.filter(kind="ruling", facts__what="withdrawn")} == {"?"}


def test_a_closed_account_withdraws_its_appeal_and_leaves_those_of_others(game: Game) -> None:
    made = ruled(game)
    disputes.appeal(case=made.pk, user=player("Bogdan"), words="Wrong", now=NOON)
    owndata.delete(user_id=player("Ana").pk, now=NOON)
    assert again(made).state == "appealed"
    owndata.delete(user_id=player("Bogdan").pk, now=NOON)
    assert again(made).state == "closed"


def test_the_cases_of_a_referee_who_goes_return_to_the_queue(game: Game) -> None:
    made = claimed(game)
    owndata.delete(user_id=player("Corina").pk, now=NOON)
    assert (again(made).state, again(made).referee) == ("open", None)
    assert steps(made)[-1][0] == "released"


def test_one_s_data_has_what_one_disputed_said_and_ruled(game: Game) -> None:
    made = claimed(game, words="They help each other.")
    disputes.answer(case=made.pk, user=player("Bogdan"), words="We do not.", now=NOON)
    rule(made)
    ana, bogdan, corina = (collected(user=player(name))["disputes"] for name in ("Ana", "Bogdan", "Corina"))
    assert [(row["words"], row["state"]) for row in ana["opened"]] == [("They help each other.", "ruled")]
    assert [row["words"] for row in bogdan["steps"]] == ["We do not."] and "They help" not in str(bogdan)
    assert [row["reason"] for row in corina["rulings"]] == ["I have looked at it."]

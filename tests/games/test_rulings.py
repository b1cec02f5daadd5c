"""What referees do about a dispute: taking it up, asking, looking at hands, freezing the clock, ruling; who may not."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from games import signals
from games.models import Game, Ruling
from games.services import disputes, rulings, turns
from games.services.absence import take_over
from tests.games.absent import expire
from tests.games.cases import HOUR, again, claimed, dispute, freeze, referee, rule, steps, told, why_not
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_TWO,
    differences,
    fresh,
    play,
    player,
    quick_turn,
    running,
    seat,
    settle,
    sweep,
)

pytestmark = pytest.mark.django_db
VERBS: dict[str, tuple[Any, dict[str, Any]]] = {
    "release": (rulings.release, {}),
    "ask": (rulings.ask, {"words": "Why?"}),
    "look": (rulings.look, {"deal": 0}),
    "freeze": (rulings.freeze, {"span": HOUR}),
    "thaw": (rulings.thaw, {}),
    "rule": (rulings.rule, {"kind": "dismiss", "reason": "So be it."}),
}


@pytest.fixture
def game() -> Game:
    game = running("Ana", "Bogdan")
    quick_turn(game)
    return game


# -- who may ----------------------------------------------------------------------------------------


def test_a_referee_takes_a_case_up_and_gives_it_back(game: Game) -> None:
    made = dispute(game)
    assert rulings.claim(case=made.pk, user=referee(), now=NOON) is not None
    assert (again(made).state, again(made).referee) == ("claimed", referee())
    assert rulings.claim(case=made.pk, user=referee(), now=NOON) is None
    rulings.release(case=made.pk, user=referee(), now=NOON)
    assert (again(made).state, again(made).referee) == ("open", None)
    assert steps(made) == [("opened", "Ana"), ("claimed", "Corina"), ("released", "Corina")]


def test_one_taken_up_by_another_is_not_taken_up_again(game: Game) -> None:
    made = claimed(game)
    assert why_not(rulings.claim, case=made.pk, user=referee("Dora")) == "claimed_already"


def test_what_is_settled_is_not_taken_up(game: Game) -> None:
    made = rule(claimed(game))
    assert why_not(rulings.claim, case=made.pk, user=referee("Dora")) == "settled"
    assert why_not(rulings.claim, case=made.pk + 99, user=referee()) == "no_such_table"


@pytest.mark.parametrize("verb", VERBS)
def test_who_has_not_taken_the_case_up_does_nothing_in_it(verb: str, game: Game) -> None:
    made = claimed(game)
    call, about = VERBS[verb]
    assert why_not(call, case=made.pk, user=referee("Dora"), **about) == "not_your_case"
    assert why_not(call, case=made.pk, user=player("Céline"), **about) == "not_a_referee"
    assert why_not(call, case=made.pk, user=User.objects.create_superuser("boss"), **about) == "not_your_case"


def test_who_plays_or_has_played_there_judges_nothing_superusers_neither(game: Game) -> None:
    made = dispute(game)
    assert why_not(rulings.claim, case=made.pk, user=referee("Bogdan")) == "partial"
    User.objects.filter(username="Bogdan").update(is_superuser=True)
    assert why_not(rulings.claim, case=made.pk, user=player("Bogdan")) == "partial"
    other = running("Ana", "Dan", absent_after=1)
    now = expire(other)
    take_over(code=other.code, user=player("Dora"), seat=0, now=now)
    assert not rulings.may_judge(other, referee("Ana")) and not rulings.may_judge(other, referee("Dora"))
    assert rulings.may_judge(other, referee("Corina"))


def test_nor_does_who_has_a_stake_that_leagues_know_of(game: Game) -> None:
    made = claimed(game)

    def partial(sender: Any, user: User, **kwargs: Any) -> bool:
        return user.username == "Corina"

    signals.judging.connect(partial)
    try:
        assert why_not(rulings.claim, case=made.pk, user=referee()) == "partial_league"
        assert why_not(rulings.look, case=made.pk, user=referee(), deal=0) == "partial_league"
    finally:
        signals.judging.disconnect(partial)


def test_a_permission_that_is_taken_away_ends_what_one_may_do(game: Game) -> None:
    made = claimed(game)
    player("Corina").user_permissions.clear()
    assert why_not(rulings.rule, case=made.pk, user=player("Corina"), kind="dismiss", reason="x") == "not_a_referee"


def test_a_case_whose_referee_may_not_judge_it_any_more_is_taken_up_by_another(game: Game) -> None:
    made = claimed(game)
    player("Corina").user_permissions.clear()
    assert rulings.claim(case=made.pk, user=referee("Dora"), now=NOON + HOUR) is not None
    assert (again(made).state, again(made).referee) == ("claimed", referee("Dora"))
    assert steps(made)[2:] == [("released", ""), ("claimed", "Dora")]
    assert why_not(rulings.release, case=made.pk, user=player("Corina")) == "not_a_referee"
    assert differences() == []


def test_who_may_not_judge_a_case_any_more_gives_it_back_still(game: Game) -> None:
    made = claimed(game)
    player("Corina").user_permissions.clear()
    rulings.release(case=made.pk, user=player("Corina"), now=NOON)
    assert (again(made).state, again(made).referee) == ("open", None)


def test_a_case_in_which_nothing_is_done_for_a_week_is_taken_up_by_another_who_has_not_ruled(game: Game) -> None:
    made = rule(claimed(game, to="Dora"), by="Dora")
    disputes.appeal(case=made.pk, user=player("Bogdan"), words="Not so.", now=NOON)
    rulings.claim(case=made.pk, user=referee(), now=NOON)
    rulings.ask(case=made.pk, user=referee(), words="Why?", now=NOON + DAY)
    late = NOON + 8 * DAY
    assert why_not(rulings.claim, case=made.pk, user=referee("Emil"), now=late) == "claimed_already"
    assert why_not(rulings.claim, case=made.pk, user=referee("Dora"), now=late + HOUR) == "ruled_before"
    assert rulings.claim(case=made.pk, user=referee("Emil"), now=late + HOUR) is not None
    assert (again(made).state, again(made).referee) == ("reclaimed", referee("Emil"))
    assert differences() == []


def test_who_has_looked_into_a_case_does_not_sit_down_at_its_table() -> None:
    game = running("Ana", "Bogdan", absent_after=1)
    now = expire(game)
    made = claimed(game, "Bogdan", now=now)
    rulings.look(case=made.pk, user=referee(), deal=0, now=now)
    rulings.release(case=made.pk, user=referee(), now=now)
    assert why_not(take_over, code=game.code, user=player("Corina"), seat=0, now=now) == "judged_here"


# -- asking and looking -----------------------------------------------------------------------------


def test_the_players_are_asked(game: Game) -> None:
    made = claimed(game)
    rulings.ask(case=made.pk, user=referee(), words="Did you see it?", now=NOON)
    assert told("asked") == [("Ana", "asked"), ("Bogdan", "asked")]
    assert why_not(rulings.ask, case=made.pk, user=referee(), words=" ") == "words_missing"


def test_a_look_is_kept_up_to_the_row_and_told_when_the_deal_is_over() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    made = claimed(game)
    look = rulings.look(case=made.pk, user=referee(), deal=0, now=NOON)
    assert look.facts == {"deal": 0, "upto": fresh(game).log_length - 1}
    assert told("looked") == []
    play(game, OUT_OF_TWO[1])
    assert told("looked") == []
    settle(game)
    assert told("looked") == [("Ana", "looked"), ("Bogdan", "looked")]
    rulings.look(case=made.pk, user=referee(), deal=0, now=NOON)
    assert len(told("looked")) == 4


@pytest.mark.parametrize("deal", [1, -1, 10**12])
def test_there_is_nothing_to_see_of_a_deal_that_is_not_there(game: Game, deal: int) -> None:
    assert why_not(rulings.look, case=claimed(game).pk, user=referee(), deal=deal) == "no_such_deal"


# -- ruling -----------------------------------------------------------------------------------------


def test_a_ruling_settles_the_case_and_stands_in_the_log_without_words(game: Game) -> None:
    heard: list[tuple[Any, ...]] = []

    def hear(sender: Any, **told: Any) -> None:
        heard.append((told["ruling"].kind, told["referee"].username, told["reason"], list(told["voided"]), dict(told["points"])))

    signals.ruled.connect(hear)
    try:
        made = rule(claimed(game))
    finally:
        signals.ruled.disconnect(hear)
    assert (made.state, made.referee, fresh(game).disputed) == ("ruled", None, False)
    row = game.entries.latest("number")
    assert (row.text, row.actor, row.facts) == ("ruled", "referee", {"ruling": "dismiss", "case": made.pk})
    ruling = Ruling.objects.get()
    assert (ruling.entry, ruling.reason, ruling.appeal) == (row.number, "I have looked at it.", False)
    assert heard == [("dismiss", "Corina", "I have looked at it.", [], {})]
    assert told("ruled") == [("Ana", "ruled"), ("Bogdan", "ruled")]
    assert differences(game) == []


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"kind": "hang"}, "bad_ruling"),
        ({"kind": "void"}, "bad_ruling"),
        ({"kind": "void", "deal": 5}, "no_such_deal"),
        ({"kind": "back"}, "bad_ruling"),
        ({"kind": "back", "entry": 0}, "no_such_move"),
        ({"kind": "back", "entry": 10**30}, "no_such_move"),
        ({"kind": "points"}, "bad_ruling"),
        ({"kind": "points", "points": {}}, "bad_points"),
        ({"kind": "points", "points": {0: 0}}, "bad_points"),
        ({"kind": "points", "points": {7: 5}}, "bad_points"),
        ({"kind": "points", "points": 10_001, "seat": 0}, "bad_points"),
        ({"kind": "points", "points": 5}, "bad_points"),
        ({"kind": "remove"}, "bad_ruling"),
        ({"kind": "dismiss", "reason": "  "}, "words_missing"),
        ({"kind": "dismiss", "reason": "x" * 2001}, "words_long"),
    ],
)
def test_a_ruling_that_is_not_whole_is_refused(game: Game, about: dict[str, Any], code: str) -> None:
    made = claimed(game)
    assert why_not(rulings.rule, case=made.pk, user=referee(), **{"reason": "So be it.", **about}) == code


def test_nobody_rules_twice(game: Game) -> None:
    made = rule(claimed(game))
    assert why_not(rulings.rule, case=made.pk, user=referee(), kind="dismiss", reason="Again") == "not_your_case"


def test_the_database_keeps_one_referee_from_ruling_on_the_appeal(game: Game) -> None:
    made = rule(claimed(game))
    first = made.rulings.get()
    with pytest.raises(IntegrityError, match="another_referee_rules_on_appeal"), transaction.atomic():
        Ruling.objects.create(dispute=made, appeal=True, kind="void", referee=referee(), at=NOON, reason="x", entry=first.entry)


def test_of_two_disputes_the_first_ruling_leaves_the_table_disputed(game: Game) -> None:
    made = claimed(game)
    dispute(game, "Bogdan")
    rule(made)
    assert fresh(game).disputed


# -- and carrying it out ----------------------------------------------------------------------------


def hearing(rulings_heard: list[dict[str, Any]]) -> Any:
    """A receiver that keeps what leagues are told."""

    def hear(sender: Any, **told: Any) -> None:
        rulings_heard.append({"voided": list(told["voided"]), "points": dict(told["points"])})

    return hear


@pytest.fixture
def counted() -> Game:
    """A match whose first deal is counted and whose second is under way."""
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    return fresh(game)


@pytest.mark.parametrize(
    ("kind", "about", "voided"),
    [
        ("void", {"deal": 0}, [0]),
        ("void", {"deal": 1}, []),
        ("points", {"points": {1: -30}}, []),
        ("points", {"points": 25, "seat": 0}, []),
        ("remove", {"seat": 1}, []),
    ],
)
def test_leagues_are_told_which_points_go_and_which_are_added(
    counted: Game, kind: str, about: dict[str, Any], voided: list[int]
) -> None:
    heard: list[dict[str, Any]] = []
    hear = hearing(heard)
    signals.ruled.connect(hear)
    try:
        made = rule(claimed(counted), kind, **about)
    finally:
        signals.ruled.disconnect(hear)
    added = {player("Bogdan").pk: -30} if about.get("points") == {1: -30} else {player("Ana").pk: 25} if "seat" in about else {}
    assert heard == [{"voided": voided, "points": added if kind == "points" else {}}]
    assert made.state == "ruled"
    assert differences(counted) == []


def test_gone_back_into_a_counted_deal_its_points_go_and_it_is_told_who_saw_what() -> None:
    game = running("Ana", "Bogdan", options={"target": None}, seed=OUT_OF_TWO[0])
    first = last_number(play(game, "S"), game)
    play(game, OUT_OF_TWO[1].removeprefix("S "))
    settle(game)
    heard: list[dict[str, Any]] = []
    hear = hearing(heard)
    signals.ruled.connect(hear)
    try:
        made = rule(claimed(game), "back", entry=first, now=NOON + HOUR)
    finally:
        signals.ruled.disconnect(hear)
    assert heard == [{"voided": [0], "points": {}}]
    assert Ruling.objects.get().facts == {"entry": first, "deal": 0, "to": first - 1, "drawn": {"0": 1}, "open": True}
    assert (fresh(game).status, fresh(game).to_move, fresh(game).deadline) == ("running", 0, NOON + HOUR + DAY)
    assert made.state == "ruled" and differences(game) == []


def last_number(table: Any, game: Game) -> int:
    """The number of the newest row of a table's log."""
    assert table.game == game
    return game.entries.latest("number").number


def test_gone_back_in_a_frozen_table_the_clock_goes_on_with_its_full_time(game: Game) -> None:
    first = game.entries.filter(kind="move").earliest("number").number
    made = freeze(game, now=NOON + HOUR)
    rule(made, "back", entry=first, now=NOON + 3 * HOUR)
    assert (fresh(game).frozen_until, fresh(game).deadline, fresh(game).to_move) == (None, NOON + 3 * HOUR + DAY, 0)
    assert differences(game) == []


def test_a_match_that_is_over_is_taken_up_again(game: Game) -> None:
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    sweep(NOON)
    assert fresh(game).status == "finished"
    rule(claimed(game), "reopen")
    assert fresh(game).status == "running" and not seat(game, "Bogdan").resigned
    assert differences(game) == []


def test_a_looked_at_deal_that_is_declared_void_is_told(game: Game) -> None:
    made = claimed(game)
    rulings.look(case=made.pk, user=referee(), deal=0, now=NOON)
    rule(made, "void", deal=0)
    assert told("looked") == [("Ana", "looked"), ("Bogdan", "looked")]


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"kind": "reopen"}, "not_over"),
        ({"kind": "remove", "seat": 9}, "no_such_seat"),
        ({"kind": "remove", "seat": -1}, "no_such_seat"),
    ],
)
def test_what_the_match_does_not_allow_is_refused_and_changes_nothing(game: Game, about: dict[str, Any], code: str) -> None:
    made = claimed(game)
    assert why_not(rulings.rule, case=made.pk, user=referee(), reason="So be it.", **about) == code


def test_a_deal_is_void_once_and_a_seat_removed_once(counted: Game) -> None:
    rule(claimed(counted), "void", deal=0)
    assert why_not(rulings.rule, case=claimed(counted).pk, user=referee(), reason="x", kind="void", deal=0) == "already_void"
    game = running("Ana", "Bogdan", "Chloé")
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    assert why_not(rulings.rule, case=claimed(game).pk, user=referee(), reason="x", kind="remove", seat=0) == "out_already"

"""Who is told what of a table: those it concerns, never the one who did it, and never a card."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils.translation import override

from accounts.models import Message
from accounts.people.messages.wording import worded
from games import engine
from games.models import Game
from games.services import absence, deals, invitations, pauses, tables, turns
from games.services.errors import NoSuchTable, ServiceError
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_THREE,
    OUT_OF_TWO,
    at,
    fresh,
    on_turn,
    open_table,
    play,
    player,
    quick_turn,
    running,
    settle,
)
from tests.games.tiles import TWO_OF_THREE, answer, tile_table

pytestmark = pytest.mark.django_db

Told = list[tuple[str, str]]


def told(game: Game, *kinds: str) -> Told:
    """Whom a table told of what, in order; of these kinds where any are named."""
    rows = Message.objects.filter(game=game.code).order_by("pk")
    found = rows.filter(kind__in=kinds) if kinds else rows
    return list(found.values_list("kind", "user__username"))


def asked(game: Game) -> list[str]:
    """Who is asked for a move at a table."""
    rows = Message.objects.filter(game=game.code, kind="turn", closed="")
    return sorted(rows.values_list("user__username", flat=True))


def since(before: Told, game: Game) -> Told:
    return told(game)[len(before) :]


# -- whose turn it is ------------------------------------------------------------------------------


def test_the_next_player_is_told_when_a_turn_is_over_and_not_before() -> None:
    game = running("Ana", "Bogdan")
    before = told(game)
    play(game, "S")
    assert since(before, game) == []
    play(game, "D:" + at(game).hands[0].cards[0])
    assert (since(before, game), asked(game)) == ([("turn", "Bogdan")], ["Bogdan"])


def test_it_says_which_turn_it_is_and_until_when() -> None:
    game = running("Ana", "Bogdan", title="Vineri")
    quick_turn(game)
    message = Message.objects.get(kind="turn", user__username="Bogdan")
    assert message.until == fresh(game).deadline
    assert message.facts == {
        "title": "Vineri", "game": "Rami 500", "deal": 0, "turn": 1, "span": 86400.0, "with": ["Ana"],
    }  # fmt: skip


def test_each_turn_is_told_once_however_often_it_is_saved() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    for _turn in range(6):
        quick_turn(game)
    assert told(game, "turn") == [("turn", name) for name in ("Ana", "Bogdan", "Chloé", "Ana", "Bogdan", "Chloé", "Ana")]


def test_computers_are_told_nothing_and_a_player_after_them_is() -> None:
    game = running("Ana", computers=1)
    quick_turn(game)
    assert asked(game) == []
    turns.serve(game_id=game.pk, now=NOON, rng=random.Random(1))
    assert asked(game) == ["Ana"]


def test_a_turn_that_ran_out_is_closed_as_such_and_its_player_told() -> None:
    game = running("Ana", "Bogdan", excuses=0)
    turns.expire(game_id=game.pk, now=NOON + DAY)
    assert Message.objects.get(kind="turn", user__username="Ana").closed == "expired"
    assert told(game, "missed", "turn") == [("turn", "Ana"), ("missed", "Ana"), ("turn", "Bogdan")]


def test_an_excused_turn_is_told_to_its_player_anew_and_to_the_others() -> None:
    game = running("Ana", "Bogdan", "Chloé", excuses=1)
    before = told(game)
    turns.expire(game_id=game.pk, now=NOON + DAY)
    assert sorted(since(before, game)) == [("away", "Bogdan"), ("away", "Chloé"), ("turn", "Ana")]
    message = Message.objects.get(kind="turn", closed="")
    assert (message.facts["excused"], message.until) == (True, fresh(game).deadline)
    with override("en"):
        assert worded(message, now=NOON).text.startswith("Your time ran out, and you are excused this time.")


def test_an_absent_player_and_the_others_are_told() -> None:
    game = running("Ana", "Bogdan", "Chloé", excuses=0, absent_after=1)
    before = told(game)
    turns.expire(game_id=game.pk, now=NOON + DAY)
    assert ("missed", "Ana") in since(before, game)
    absent = Message.objects.filter(kind="away").values_list("user__username", "facts__news", "facts__who")
    assert sorted(absent) == [("Bogdan", "absent", "Ana"), ("Chloé", "absent", "Ana")]


def test_who_is_back_on_turn_is_asked_anew_and_the_others_are_told() -> None:
    game = running("Ana", "Bogdan", "Chloé", excuses=0, absent_after=1)
    turns.expire(game_id=game.pk, now=NOON + DAY)
    for _turn in range(2):
        quick_turn(game, now=NOON + DAY)
    assert asked(game) == []  # it is the turn of the computer player in Ana's place
    before = told(game)
    absence.back(code=game.code, user=player("Ana"), now=NOON + DAY)
    assert sorted(since(before, game)) == [("away", "Bogdan"), ("away", "Chloé"), ("turn", "Ana")]


def test_who_resigns_is_told_nothing_and_the_others_are() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    before = told(game)
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    assert since(before, game) == [("away", "Bogdan"), ("away", "Chloé"), ("turn", "Bogdan")]
    play(game, "S")
    assert ("turn", "Ana") not in since(before, game)


def pausing(game: Game, verb: Callable[..., object], by: str) -> Told:
    """Of what it tells whom when a player does something about a pause."""
    before = Message.objects.count()
    verb(code=game.code, user=player(by), version=fresh(game).version, now=NOON)
    return sorted(Message.objects.order_by("pk").values_list("facts__news", "user__username")[before:])


def test_a_pause_is_told_to_the_others_when_it_is_asked_for_begins_and_ends() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    assert pausing(game, pauses.agree, "Ana") == [("pause_asked", "Bogdan"), ("pause_asked", "Chloé")]
    assert pausing(game, pauses.agree, "Bogdan") == []
    assert pausing(game, pauses.refuse, "Chloé") == [("pause_refused", "Ana"), ("pause_refused", "Bogdan")]
    assert pausing(game, pauses.agree, "Ana") == [("pause_asked", "Bogdan"), ("pause_asked", "Chloé")]
    assert pausing(game, pauses.refuse, "Ana") == [("pause_withdrawn", "Bogdan"), ("pause_withdrawn", "Chloé")]
    for name in ("Ana", "Bogdan"):
        pausing(game, pauses.agree, name)
    assert pausing(game, pauses.agree, "Chloé") == [("paused", "Ana"), ("paused", "Bogdan")]
    assert pausing(game, pauses.resume, "Bogdan") == [("resumed", "Ana"), ("resumed", "Chloé")]


def test_a_pause_that_ends_by_itself_is_told_to_all() -> None:
    game = running("Ana", "Bogdan")
    for name in ("Ana", "Bogdan"):
        pausing(game, pauses.agree, name)
    before = Message.objects.count()
    assert pauses.lapse(game_id=game.pk, now=NOON + pauses.LONGEST_PAUSE)
    assert sorted(told(game)[before:]) == [("away", "Ana"), ("away", "Bogdan")]


# -- deals and matches -----------------------------------------------------------------------------


def test_how_a_deal_ended_is_told_to_each_with_the_own_points() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    rows = Message.objects.filter(kind="deal_over").select_related("user").order_by("user__username")
    with override("en"):
        assert [(str(row.user), worded(row, now=NOON).text) for row in rows] == [
            ("Ana", "+55 for you; you have 55 points."),
            ("Bogdan", "−43 for you; you have −43 points."),
        ]
    assert asked(game) == [on_turn(game).username]


def test_who_has_won_is_told_to_all_and_replaces_the_end_of_the_deal() -> None:
    game = running("Ana", "Bogdan", "Chloé", seed=OUT_OF_THREE[0], options={"target": 40})
    play(game, OUT_OF_THREE[1])
    settle(game)
    assert fresh(game).status == "finished"
    assert sorted(told(game, "match_over")) == [("match_over", name) for name in ("Ana", "Bogdan", "Chloé")]
    with override("ro"):
        said = {str(row.user): worded(row, now=NOON) for row in Message.objects.filter(kind="match_over")}
    assert said["Ana"].title.startswith("Ai câștigat la masa")
    assert said["Bogdan"].text == "A câștigat Ana. Ai −52 puncte."


def test_the_end_is_told_to_those_who_have_resigned_too() -> None:
    game = running("Ana", "Bogdan")
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    deals.settle(game_id=game.pk, now=NOON)
    assert sorted(told(game, "match_over")) == [("match_over", "Ana"), ("match_over", "Bogdan")]
    assert told(game, "deal_over") == [("deal_over", "Bogdan")]


# -- the exchange of doubles -----------------------------------------------------------------------


def test_only_those_who_are_asked_learn_of_it() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=TWO_OF_THREE)  # Chloé holds no double
    assert asked(game) == ["Ana", "Bogdan"]
    assert all(row.facts["exchange"] for row in Message.objects.filter(kind="turn"))


def test_who_has_answered_is_asked_no_more_and_the_last_answer_calls_the_first_to_play() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=TWO_OF_THREE)
    answer(game, "X:pass", by="Ana")
    assert asked(game) == ["Bogdan"]
    answer(game, "X:pass", by="Bogdan")
    assert asked(game) == [on_turn(game).username]


# -- before the first deal -------------------------------------------------------------------------


def test_those_who_wait_are_told_who_sits_down_and_the_newcomer_is_not() -> None:
    game = open_table("Ana", "Bogdan", "Chloé", seats=4)
    assert told(game) == [("joined", "Ana"), ("joined", "Ana"), ("joined", "Bogdan")]
    facts = Message.objects.filter(kind="joined", user__username="Ana").latest("pk").facts
    assert (facts["who"], facts["free"]) == ("Chloé", 1)


def test_who_takes_the_last_seat_begins_the_match_for_the_others() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    assert told(game) == [("joined", "Ana"), ("started", "Ana"), ("started", "Bogdan"), ("turn", "Ana")]


def test_the_maker_who_starts_early_is_not_told_so() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    tables.start(code=game.code, user=player("Ana"), now=NOON)
    assert told(game, "started") == [("started", "Bogdan")]


def test_a_match_against_the_computer_tells_its_maker_of_the_turn_alone() -> None:
    game = running("Ana", computers=2)
    assert told(game) == [("turn", "Ana")]


def test_joining_twice_and_leaving_tells_nobody_more() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    before = told(game)
    tables.join(code=game.code, user=player("Bogdan"), now=NOON)
    tables.leave(code=game.code, user=player("Bogdan"), now=NOON)
    assert since(before, game) == []


# -- invitations -----------------------------------------------------------------------------------


def invite(game: Game, name: str, *, by: str = "Ana") -> str:
    """Who has been invited, or the code of the refusal."""
    try:
        return invitations.invite(code=game.code, user=player(by), name=name, now=NOON).username
    except ServiceError as refusal:
        return refusal.code


@pytest.mark.parametrize("name", ["Chloé", "chloé", "  CHLOÉ "])
def test_a_player_is_invited_by_name(name: str) -> None:
    game = open_table("Ana", "Bogdan", seats=3, title="Vineri")
    player("Chloé")
    assert invite(game, name, by="Bogdan") == "Chloé"
    message = Message.objects.get(kind="invitation")
    with override("fr"):
        assert worded(message, now=NOON).title == "Bogdan vous invite à la table « Vineri »"
    assert message.user == player("Chloé")


def test_invited_twice_or_by_two_it_is_told_once() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    player("Chloé")
    for by in ("Ana", "Ana", "Bogdan"):
        assert invite(game, "Chloé", by=by) == "Chloé"
    assert told(game, "invitation") == [("invitation", "Chloé")]


@pytest.mark.parametrize(
    ("name", "by", "code"),
    [
        ("Nobody", "Ana", "no_such_player"),
        ("", "Ana", "no_such_player"),
        ("Bogdan", "Ana", "sits_here"),
        ("Ana", "Ana", "sits_here"),
        ("Gone", "Ana", "no_such_player"),
        ("Chloé", "Chloé", "no_such_table"),
    ],
)
def test_an_invitation_that_cannot_be_is_refused(name: str, by: str, code: str) -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    player("Chloé")
    gone = player("Gone")
    gone.is_active = False
    gone.save()
    assert invite(game, name, by=by) == code
    assert told(game, "invitation") == []


def test_nobody_is_invited_to_a_table_that_has_begun_or_is_gone() -> None:
    game = running("Ana", "Bogdan")
    player("Chloé")
    assert invite(game, "Chloé") == "already_started"
    other = open_table("Ana")
    tables.cancel(code=other.code, user=player("Ana"), now=NOON)
    assert invite(other, "Chloé") == "table_gone"


def test_a_declined_invitation_is_closed_and_another_s_is_not() -> None:
    game = open_table("Ana", seats=4)
    for name in ("Chloé", "Dan"):
        player(name)
        invite(game, name)
    invitations.decline(code=game.code, user=player("Chloé"), now=NOON)
    assert dict(Message.objects.filter(kind="invitation").values_list("user__username", "closed")) == {
        "Chloé": "declined",
        "Dan": "",
    }


# -- whatever is told ------------------------------------------------------------------------------


def test_no_message_ever_names_a_card() -> None:
    game = running("Ana", "Bogdan", "Chloé", seed=OUT_OF_THREE[0], excuses=0)
    turns.expire(game_id=game.pk, now=NOON + DAY)
    for _turn in range(4):
        quick_turn(game, now=NOON + DAY + timedelta(hours=1))
    tiles = tile_table("Ana", "Bogdan", "Chloé", seed=TWO_OF_THREE)
    answer(tiles, "X:pass", by="Ana")
    known = {"title", "game", "deal", "turn", "span", "with", "who", "free", "exchange", "news", "scores", "totals", "seat"}
    for message in Message.objects.all():
        assert message.facts.keys() <= known
        alphabet = (tiles if message.game == tiles.code else game).rules.alphabet
        assert not {text for text in alphabet.texts if text and json.dumps(text) in json.dumps(message.facts)}


def test_a_move_that_is_refused_tells_nobody() -> None:
    game = running("Ana", "Bogdan")
    before = told(game)
    with pytest.raises(engine.RuleError):
        turns.play(code=game.code, user=player("Ana"), move="D:AS", version=fresh(game).version, now=NOON)
    with pytest.raises(NoSuchTable):
        turns.play(code=game.code, user=player("Zoe"), move="S", version=fresh(game).version, now=NOON)
    assert since(before, game) == []

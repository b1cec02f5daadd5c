"""The audit finds every way in which log and snapshot can differ, and shows no card."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Deal, Entry, Game, Hand
from games.services import turns
from games.services.audit import audit
from games.services.errors import NoSuchTable
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_TWO,
    differences,
    fresh,
    open_table,
    play,
    player,
    quick_turn,
    rows,
    running,
    settle,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """The second deal of a match, in the middle of a turn."""
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    quick_turn(game)
    play(game, "S")
    return game


def test_a_table_that_was_only_played_at_has_no_differences(game: Game) -> None:
    assert differences(game, open_table("Ana"), running("Ana", "Bogdan")) == []


def test_looking_changes_nothing(game: Game) -> None:
    before = rows()
    audit(game_id=game.pk)
    assert rows() == before


def forge(game: Game, **entry: object) -> None:
    """Put a row into the log past the services."""
    values = {"number": game.log_length, "at": NOON, "kind": "event", "actor": "server", "text": "made", "hash": "0" * 64} | entry
    Entry.objects.create(game=game, **values)


def of(game: Game) -> Deal:
    return game.deals.get(scored=False)


def set_hand(game: Game, **values: object) -> None:
    hand = of(game).hands.get(seat=1)
    Hand.objects.filter(pk=hand.pk).update(**values)


def set_game(game: Game, **values: object) -> None:
    Game.objects.filter(pk=game.pk).update(**values)


def swap_two_cards(game: Game) -> None:
    row = of(game)
    deck = row.deck.split()
    row.deck = " ".join([*deck[:-2], deck[-1], deck[-2]])
    row.save()


def leave_a_gap(game: Game) -> None:
    forge(game, number=99)
    set_game(game, log_length=game.log_length + 1)


ABSENT = {"absent_since": NOON, "absent_until": NOON + DAY}

TAMPERING: list[tuple[Callable[[Game], object], str]] = [
    (lambda game: forge(game), "log_length is not the length of the log"),
    (leave_a_gap, "the log has gaps"),
    (lambda game: forge(game, kind="move", seat=0, deal=7, text="S"), "moves of a deal that is not there"),
    (lambda game: forge(game, kind="move", seat=0, deal=1, text="S"), r"deal 1: entry \d+ of the log is refused"),
    (lambda game: set_game(game, log_length=3), "log_length is not the length of the log"),
    (lambda game: set_hand(game, cards=["AS"]), "deal 1, seat 1: the hand differs"),
    (lambda game: set_hand(game, laid=10), "deal 1, seat 1: the points laid differ"),
    (lambda game: set_hand(game, score=10), "deal 1, seat 1: the score differs"),
    (lambda game: of(game).hands.get(seat=1).delete(), "deal 1: hands are missing"),
    (lambda game: game.deals.filter(number=1).update(state={}), "deal 1: the state differs"),
    (lambda game: game.deals.filter(number=1).update(turns=40), "deal 1: turns are counted wrongly"),
    (lambda game: game.deals.filter(number=0).update(reason="stock"), "deal 0: its end differs"),
    (lambda game: game.deals.filter(number=0).update(out=1), "deal 0: its end differs"),
    (lambda game: game.deals.filter(number=1).update(dealer=1), "deal 1: it was another seat's turn to deal"),
    (lambda game: game.deals.filter(number=1).update(number=2), "the deals are not numbered"),
    (lambda game: game.deals.filter(number=1).update(reason="out", ended_at=NOON, scored=True), "counted, but not over"),
    (swap_two_cards, "deal 1: the deck is not that of its seed"),
    (lambda game: game.seats.filter(index=0).update(total=500), "the totals are not the sums of the scores"),
    (lambda game: game.seats.filter(index=0).update(resigned=True), "other seats have resigned"),
    (lambda game: game.seats.filter(index=0).update(**ABSENT), "seat 0: by the log it is absent, or is not"),
    (lambda game: game.seats.filter(index=0).update(excused=1), "seat 0: by the log it has another number of excused turns"),
    (lambda game: game.seats.filter(index=0).update(expired=1), "seat 0: by the log it has another number of expired turns"),
    (lambda game: game.seats.filter(index=0).update(held_from=3), "seat 0: by the log it is held from another row on"),
    (lambda game: game.seats.filter(index=0).update(user=player("Dan")), "seat 0: its last tenure is somebody else's"),
    (lambda game: game.tenures.filter(seat=0).delete(), "the tenures are not those of the log"),
    (lambda game: game.tenures.filter(seat=0).update(from_deal=1), "the tenures are not those of the log"),
    (lambda game: set_game(game, deserted=True, deadline=None, left=DAY), "all its players are absent, or not all of them"),
    (
        lambda game: forge(game, kind="move", seat=0, deal=1, text="U", actor="computer"),
        r"entry \d+: computer moved for a seat that was not theirs to move",
    ),
    (lambda game: set_game(game, to_move=1), "another seat is on turn"),
    (lambda game: set_game(game, awaits_server=True), "it waits for another step"),
    (
        lambda game: set_game(game, status="finished", winner=0, ended_at=NOON, deadline=None, to_move=None),
        "the winner is another by the scores",
    ),
]


@pytest.mark.parametrize(("tamper", "sentence"), TAMPERING, ids=[sentence for _tamper, sentence in TAMPERING])
def test_what_was_tampered_with_is_found_and_no_card_is_shown(
    game: Game, tamper: Callable[[Game], object], sentence: str
) -> None:
    game = fresh(game)
    tamper(game)
    found = audit(game_id=game.pk)
    assert any(re.search(sentence, line) for line in found), found
    assert not re.search(r"\b[A2-9TJQK][SHDC]\b", " ".join(found))


def test_a_seat_that_was_vacated_is_found(game: Game) -> None:
    game.seats.get(index=1).delete()
    assert "not every seat is taken" in audit(game_id=game.pk)


def test_a_game_that_is_not_there_is_not_audited() -> None:
    with pytest.raises(NoSuchTable):
        audit(game_id=0)


# -- the command --------------------------------------------------------------------------------


def told(*arguments: str) -> str:
    out = StringIO()
    call_command("audit", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_looks_at_every_table(game: Game) -> None:
    open_table("Chloé")
    assert "Tables looked at: 2. All are as their logs say." in told()


def test_the_command_lists_what_differs_and_fails(game: Game) -> None:
    open_table("Chloé")
    game.seats.filter(index=0).update(total=500)
    out = StringIO()
    with pytest.raises(CommandError, match="differ from their logs: 1 of 2") as raised:
        call_command("audit", stdout=out)
    assert raised.value.returncode == 1
    assert out.getvalue() == f"{game.code}: the totals are not the sums of the scores\n"


def test_the_command_looks_at_one_table_alone(game: Game) -> None:
    other = running("Chloé", "Dan")
    other.seats.filter(index=0).update(total=500)
    assert "Tables looked at: 1." in told("--game", game.code)
    with pytest.raises(CommandError, match="1 of 1"):
        told("--game", other.code)


def test_the_command_says_so_where_there_is_no_such_table() -> None:
    with pytest.raises(CommandError, match="no table nowhere"):
        told("--game", "nowhere")


def test_it_asks_as_many_queries_of_a_long_match_as_of_a_short_one(game: Game) -> None:
    with CaptureQueriesContext(connection) as short:
        audit(game_id=game.pk)
    for _turn in range(4):
        turns.expire(game_id=game.pk, now=fresh(game).deadline or NOON)
    with CaptureQueriesContext(connection) as long:
        audit(game_id=game.pk)
    assert len(short) == len(long)

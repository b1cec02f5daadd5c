"""What the database and the audit hold of the exchange of doubles (§4.3)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from games.models import Answer, Entry, Game
from games.services.store import Table
from tests.games.playing import NOON, at, differences, play, running
from tests.games.tiles import BOTH_SMALL, answer, tile_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """Ana, who plays first, holds two 2R and Bogdan two 3Y."""
    return tile_table("Ana", "Bogdan", seed=BOTH_SMALL)


# -- the database ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        {"text": "X:pass"},
        {"text": "X:pass", "actor": "player"},
        {"text": "X:pass", "at": NOON},
        {"text": "X:pass", "actor": "server", "at": NOON},
        {"text": "D:2R", "actor": "player", "at": NOON},
        {"actor": "player", "at": NOON},
    ],
)
def test_an_answer_is_whole_or_missing(game: Game, values: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError, match="answers_are_whole_or_missing"), transaction.atomic():
        Answer.objects.filter(seat=0).update(**values)


def test_a_seat_is_asked_once(game: Game) -> None:
    with pytest.raises(IntegrityError, match="one_answer_per_seat"), transaction.atomic():
        Answer.objects.create(deal=at(game).row, seat=0)


def test_a_card_game_always_waits_for_somebody() -> None:
    game = running("Ana", "Bogdan")
    with pytest.raises(DatabaseError, match="running_games_wait_for_somebody"), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(to_move=None)


# -- the audit ------------------------------------------------------------------------------------


def answers(game: Game) -> Any:
    return Answer.objects.filter(deal__game=game)


def played(game: Game) -> Table:
    answer(game, "X:2R")
    answer(game, "X:3Y", by="Bogdan")
    return play(game, "D:1R")


def test_an_answer_that_is_not_the_one_in_the_log_is_found(game: Game) -> None:
    played(game)
    assert differences(game) == []
    answers(game).filter(seat=0).update(text="X:pass")
    assert differences(game) == [f"{game.pk}: deal 0: the answers before play are not those of the log"]


def test_an_answer_by_another_hand_is_found(game: Game) -> None:
    played(game)
    answers(game).filter(seat=0).update(actor=Entry.Actor.CLOCK)
    assert differences(game) == [f"{game.pk}: deal 0: the answers before play are not those of the log"]


def test_an_answer_that_is_missing_is_found(game: Game) -> None:
    answers(game).filter(seat=1).delete()
    assert differences(game) == [f"{game.pk}: deal 0: other seats were asked before play"]


def test_answers_that_were_not_played_are_found(game: Game) -> None:
    answers(game).update(text="X:pass", actor="player", at=NOON)
    assert differences(game) == [f"{game.pk}: deal 0: all have answered, but the exchange goes on"]


def test_a_sealed_answer_that_the_rules_refuse_is_found_and_not_shown(game: Game) -> None:
    answers(game).filter(seat=1).update(text="X:2R", actor="player", at=NOON)
    assert differences(game) == [f"{game.pk}: deal 0, seat 1: its answer is refused"]

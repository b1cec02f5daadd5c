"""The log is the truth: numbered without gaps, and enough to make every table anew."""

from __future__ import annotations

import random

import pytest
from django.utils.translation import override

from games import engine, selectors, tasks
from games.models import Game
from games.presenters import log
from games.services import tables, turns
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_TWO,
    at,
    differences,
    fresh,
    on_turn,
    open_table,
    play,
    player,
    quick_turn,
    refused,
    running,
    settle,
)

pytestmark = pytest.mark.django_db


def test_every_row_has_the_next_number() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    tables.leave(code=game.code, user=player("Bogdan"), now=NOON)
    tables.start(code=game.code, user=player("Ana"), now=NOON)
    for _turn in range(4):
        tasks.serve(game.pk)
        quick_turn(game)
    assert refused(game, "D:ZZ", by="Ana")
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    numbers = [entry.number for entry in game.entries.all()]
    assert numbers == list(range(len(numbers)))
    assert fresh(game).log_length == len(numbers)


def record(game: Game) -> dict[str, object]:
    """A match as a record, from its log and its decks alone."""
    dealt = [
        {
            "dealer": deal.dealer,
            "deck": deal.deck,
            "moves": [f"{entry.seat} {entry.text}" for entry in game.entries.filter(kind="move", deal=deal.number)],
        }
        for deal in game.deals.all()
    ]
    seats = [str(seat.user) for seat in game.seats.all()]
    return {"format": "remi-record/1", "variant": game.variant, "options": game.options, "seats": seats, "deals": dealt}


def test_the_log_of_a_match_is_a_record_of_it() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    quick_turn(game)
    played = engine.replay(record(game))
    assert [deal.scores for deal in played.deals] == [(55, -43), None]
    assert played.match.totals == tuple(seat.total for seat in game.seats.all())
    assert engine.dump(played.deals[-1])[1] == [hand.cards for hand in at(game).hands]


@pytest.mark.parametrize(("variant", "names"), [("rami500", "Ana Bogdan"), ("remi500", "Ana Bogdan Chloé Dan Eva")])
def test_replaying_it_at_any_moment_gives_the_table_as_stored(variant: str, names: str) -> None:
    game = running(*names.split(), variant=variant, absent_after=100)
    rng = random.Random(variant)
    for step in range(90):
        table = at(game)
        if table.deal.phase == engine.OVER:
            settle(game, then=f"{variant} {step}")
        elif rng.random() < 0.1:
            turns.expire(game_id=game.pk, now=fresh(game).deadline or NOON)
        else:
            moves = [engine.move_text(move, engine.CARDS) for move in engine.legal_moves(table.deal)] or ["U"]
            undo = table.deal.prev is not None and rng.random() < 0.2
            move = "U" if undo else rng.choice(moves)
            turns.play(code=game.code, user=on_turn(game), move=move, version=table.game.version, now=NOON)
        if step % 10 == 0:
            assert differences(game) == []
    assert differences(game) == []


def test_the_log_tells_nothing_that_the_others_did_not_see() -> None:
    """A drawn card is nobody else's business, and a discard everybody's."""
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, "S D:8S", now=NOON + DAY)
    drawn, discarded = game.entries.filter(kind="move")
    assert (drawn.text, drawn.facts) == ("S", {})
    assert (discarded.text, discarded.facts) == ("D:8S", {"cards": ["8S"]})


def test_a_turn_whose_words_are_known_is_told_to_each_reader_in_their_own() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    entries = list(selectors.log(game=fresh(game))[0])

    def told(names: list[str], me: int | None, language: str) -> list[str]:
        with override(language):
            return [f"{line.name} {line.words}" for line in log.lines(entries, names, me=me, now=NOON)]

    readers = [(names, me, language) for language in ("en", "ro") for names, me in ((["You", "Bogdan"], 0), (["Ana", "You"], 1))]
    log._known.clear()
    first = [told(*reader) for reader in readers]
    assert len({tuple(words) for words in first}) == 4 and log._known
    assert [told(*reader) for reader in readers] == first
    log._known.clear()
    assert [told(*reader) for reader in reversed(readers)] == first[::-1]


def test_no_more_turns_are_known_than_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    game = running("Ana", "Bogdan")
    for _turn in range(5):
        quick_turn(game)
    monkeypatch.setattr(log, "KNOWN", 3)
    log._known.clear()
    assert len(log.lines(list(selectors.log(game=fresh(game))[0]), ["Ana", "Bogdan"], me=None, now=NOON)) > 5
    assert len(log._known) <= 3

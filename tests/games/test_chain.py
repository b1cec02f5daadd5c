"""The log is a chain: whatever is changed in it afterwards is found, and its head tells nothing that is secret."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable

import pytest
from django.db import connection

from games.models import Entry, Game
from games.services import evidence, tables, turns
from games.services.audit import audit
from games.services.deals import settle
from tests.games.pages import visitor, words
from tests.games.playing import (
    NOON,
    OUT_OF_TWO,
    differences,
    fresh,
    on_turn,
    open_table,
    play,
    player,
    quick_turn,
    running,
)
from tests.games.tiles import TWO_OF_THREE, answer, tile_table

pytestmark = pytest.mark.django_db


def a_stranger_s_head(game: Game) -> str:
    """The head of a log from its rows alone, as docs/evidence.md tells it; fails at the first row that does not follow."""
    before = hashlib.sha256(f"remi-log/1\n{game.code}".encode()).hexdigest()
    for row in Entry.objects.filter(game=game).order_by("number"):
        at = row.at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{row.at.microsecond // 1000:03}Z"
        told = [row.number, at, row.kind, row.actor, row.seat, row.deal, row.text, row.facts]
        content = json.dumps(told, sort_keys=True, separators=(",", ":"))
        before = hashlib.sha256(f"{before}\n{row.salt}\n{content}".encode()).hexdigest()
        assert before == row.hash, row
    return before


def test_every_log_is_a_chain_that_ends_with_its_head() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0], now=NOON.replace(microsecond=123_456))
    play(game, OUT_OF_TWO[1], now=NOON.replace(microsecond=999_999))
    assert settle(game_id=game.pk, now=NOON.replace(microsecond=1))
    quick_turn(game)
    turns.resign(code=game.code, user=on_turn(game), now=NOON)
    settle(game_id=game.pk, now=NOON)
    waiting, given_up = open_table("Ana"), open_table("Bogdan")
    tables.cancel(code=given_up.code, user=player("Bogdan"), now=NOON)
    for one in (game, waiting, given_up):
        assert fresh(one).log_head == a_stranger_s_head(one)
    assert differences() == []


def test_a_match_of_computer_players_leaves_a_chain_too() -> None:
    game = running("Ana", computers=2)
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    chance = random.Random(1)
    for _step in range(12):
        turns.serve(game_id=game.pk, now=NOON, rng=chance)
    assert fresh(game).log_head == a_stranger_s_head(game)


def test_two_tables_never_share_a_hash() -> None:
    first, second = open_table("Ana"), open_table("Ana", variant="remi500", seats=4)
    assert set(first.entries.values_list("hash", flat=True)).isdisjoint(second.entries.values_list("hash", flat=True))


# -- tampering ----------------------------------------------------------------------------------


def forced(sql: str, *values: str | int) -> None:
    """Change the log as somebody could who owns the database."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_entry DISABLE TRIGGER games_entry_append_only")
        cursor.execute(sql, values)
        cursor.execute("ALTER TABLE games_entry ENABLE TRIGGER games_entry_append_only")


def swap(game: Game, one: int, other: int) -> None:
    for number, to in ((one, 9_999), (other, one), (9_999, other)):
        forced("UPDATE games_entry SET number = %s WHERE game_id = %s AND number = %s", to, game.pk, number)


def drop_the_last(game: Game) -> None:
    last = fresh(game).log_length - 1
    forced("DELETE FROM games_entry WHERE game_id = %s AND number = %s", game.pk, last)
    Game.objects.filter(pk=game.pk).update(log_length=last)


def set_row(number: int, **values: str) -> Callable[[Game], None]:
    names = ", ".join(f"{name} = %s" for name in values)
    return lambda game: forced(
        f"UPDATE games_entry SET {names} WHERE game_id = %s AND number = %s", *values.values(), game.pk, number
    )


CHANGED = r"entry 6 of the log is not what was written"
TAMPERING: list[tuple[Callable[[Game], object], str]] = [
    (set_row(6, text="P1"), CHANGED),
    (set_row(6, at="2026-03-01 11:00Z"), CHANGED),
    (set_row(6, actor="clock"), CHANGED),
    (set_row(6, seat="1"), CHANGED),
    (set_row(6, deal="1"), CHANGED),
    (set_row(6, facts='{"cards": ["AS"]}'), CHANGED),
    (set_row(6, hash="0" * 64), CHANGED),
    (set_row(6, salt="00"), CHANGED),
    (set_row(6, kind="event"), CHANGED),
    (lambda game: swap(game, 6, 7), CHANGED),
    (drop_the_last, "does not end with the row that was its last"),
    (lambda game: Game.objects.filter(pk=game.pk).update(log_head="0" * 64), "does not end with the row that was its last"),
    (lambda game: Game.objects.filter(pk=game.pk).update(code="x" * 14), r"entry 0 of the log is not what was written"),
]


@pytest.mark.parametrize(("tamper", "sentence"), TAMPERING)
def test_what_was_changed_in_the_log_is_found(tamper: Callable[[Game], object], sentence: str) -> None:
    game = running("Ana", "Bogdan")
    for _turn in range(3):
        quick_turn(game)
    assert audit(game_id=game.pk) == []
    tamper(fresh(game))
    found = audit(game_id=game.pk)
    assert any(re.search(sentence, line) for line in found), found


def test_a_chain_made_anew_ends_with_another_head() -> None:
    game = running("Ana", "Bogdan")
    quick_turn(game)
    head = fresh(game).log_head
    entries = list(game.entries.order_by("number"))
    entries[1].at = NOON.replace(hour=11)  # to have joined an hour earlier, and all hashes after it worked out again
    again = Game(code=game.code)
    for entry in entries:
        evidence.chain(entry, again)
    assert evidence.faults(game.code, entries) == (None, again.log_head)
    assert again.log_head != head


# -- what is secret -----------------------------------------------------------------------------


def test_only_sealed_answers_are_salted_each_anew() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=TWO_OF_THREE)
    answer(game, "X:11K")
    answer(game, "X:pass", by="Bogdan")
    salts = {entry.number: entry.salt for entry in game.entries.all() if entry.text.startswith("X")}
    assert len(set(salts.values())) == 2 and all(len(salt) == 32 for salt in salts.values())
    assert not game.entries.exclude(number__in=salts).exclude(salt="").exists()
    assert fresh(game).log_head == a_stranger_s_head(game)


def test_what_stands_after_a_rollback_are_the_moves_up_to_the_row_it_names() -> None:
    def row(number: int, text: str, kind: str = "move", **facts: int) -> Entry:
        return Entry(number=number, kind=kind, text=text, facts=facts)

    entries = [
        row(0, "dealt", "event"), row(1, "S"), row(2, "D:AS"), row(3, "S"), row(4, "D:KS"),
        row(5, "rolled_back", "event", to=2), row(6, "P1"), row(7, "D:2H"),
        row(8, "rolled_back", "event", to=6), row(9, "D:3H"),
        row(10, "rolled_back", "event", to=1), row(11, "D:4H"),
    ]  # fmt: skip
    stands = [[move.number for move in evidence.valid_moves(entries[:upto])] for upto in (5, 6, 8, 9, 10, 12)]
    assert stands == [[1, 2, 3, 4], [1, 2], [1, 2, 6, 7], [1, 2, 6], [1, 2, 6, 9], [1, 11]]


# -- where it is shown --------------------------------------------------------------------------


def test_the_head_is_shown_at_the_table_and_each_row_s_hash_in_the_log() -> None:
    game = running("Ana", "Bogdan")
    quick_turn(game)
    head = fresh(game).log_head
    fours = [head[place : place + 4] for place in range(0, 64, 4)]
    client = visitor("Ana")
    assert " ".join(["Fingerprint of the log", *fours[:4]]) in words(client.get(f"/t/{game.code}/"))
    log = words(client.get(f"/t/{game.code}/log/"))
    assert " ".join(fours) in log
    for entry in game.entries.exclude(text="S"):  # a turn is one line
        assert f"{entry.hash[:4]} {entry.hash[4:8]}" in log

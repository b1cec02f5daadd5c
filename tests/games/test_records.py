"""The record of a match: enough to check it far from the server, and nothing of a deal that goes on."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from games import engine
from games.engine.verify import verify
from games.models import Entry, Game
from games.services import evidence, records, shuffles, turns
from tests.games.pages import visitor
from tests.games.playing import (
    NOON,
    OUT_OF_TWO,
    PATIENT,
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

NAMES = ["Ana", "Bogdan", "Chloé"]


@pytest.fixture
def game() -> Game:
    """The second deal of a match, in the middle of a turn; Bogdan has added a line to it."""
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    shuffles.contribute(code=game.code, user=player("Bogdan"), text="ț", now=NOON)
    play(game, OUT_OF_TWO[1])
    settle(game)
    quick_turn(game)
    play(game, "S")
    return fresh(game)


def exported(game: Game) -> dict[str, Any]:
    """The record as it arrives."""
    found: dict[str, Any] = json.loads(json.dumps(records.export(game=game, names=NAMES[: game.seat_count])))
    return found


def over(game: Game) -> Game:
    turns.resign(code=game.code, user=on_turn(game), now=NOON)
    settle(game)
    return fresh(game)


# -- what is in it ------------------------------------------------------------------------------


def test_a_record_holds_what_is_finished_and_proves_it(game: Game) -> None:
    record = exported(game)
    first = game.deals.get(number=0)
    assert (record["format"], record["variant"], record["seats"]) == ("remi-record/1", "rami500", ["Ana", "Bogdan"])
    [deal] = record["deals"]
    assert deal["deck"] == first.deck
    assert deal["moves"] == [f"0 {move}" for move in OUT_OF_TWO[1].split()]
    assert deal["shuffle"]["seed"] == bytes(first.seed).hex()
    assert deal["played_by"] == [{"deal": 0, "seat": 0, "name": "Ana", "by": "player", "first": 0, "last": 4}]
    assert record["log"]["rows"][-1][6] == "counted"
    assert record["log"]["head"] == game.entries.get(text="counted").hash
    assert verify(record)["ok"]


def test_nothing_of_a_running_deal_is_in_it(game: Game) -> None:
    told, row = json.dumps(exported(game), ensure_ascii=False), at(game).row
    assert row.deck[:30] not in told and bytes(row.seed).hex() not in told and "ț" not in told
    assert bytes(game.seal.seed).hex() not in told
    assert all(line[5] in (None, 0) for line in exported(game)["log"]["rows"])


def test_a_match_that_is_over_is_in_it_to_the_last_row(game: Game) -> None:
    record = exported(over(game))
    assert len(record["deals"]) == 2
    assert record["deals"][1]["shuffle"]["contributions"] == [None, "ț"]
    assert record["log"]["head"] == fresh(game).log_head
    found = verify(record)
    assert found["ok"] and found["totals"] == [seat.total for seat in game.seats.all()]
    assert found["winner"] == fresh(game).winner


def test_a_match_in_its_first_deal_has_an_empty_record() -> None:
    record = exported(running("Ana", "Bogdan"))
    assert record["deals"] == [] and [row[6] for row in record["log"]["rows"]] == ["made", "sealed", "joined", "started"]
    assert engine.replay(record).match.totals == (0, 0)


def test_a_deal_that_is_over_but_not_counted_is_left_out() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    assert exported(game)["deals"] == []


def test_the_answers_before_play_are_in_it_once_the_deal_is_over() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=TWO_OF_THREE, absent_after=PATIENT)
    answer(game, "X:11K")
    answer(game, "X:10K", by="Bogdan")
    assert "X:" not in json.dumps(exported(game))
    for name in ("Ana", "Bogdan"):
        turns.resign(code=game.code, user=player(name), now=NOON)
    settle(game)
    record = exported(game)
    assert record["deals"][0]["moves"][:2] == ["0 X:11K", "1 X:10K"]
    assert [len(row) for row in record["log"]["rows"] if row[6].startswith("X:")] == [9, 9]
    assert verify(record)["ok"]


@pytest.mark.parametrize(
    ("variant", "names"), [("rami500", "Ana Bogdan"), ("remi500", "Ana Bogdan Chloé"), ("etalat", "Ana Bogdan")]
)
def test_whatever_happens_at_a_table_its_record_holds(variant: str, names: str) -> None:
    game = running(*names.split(), variant=variant, absent_after=PATIENT, options={"target": 1})
    rng = random.Random(variant)
    for _step in range(150):
        table = at(game)
        if table.game.status != Game.Status.RUNNING:
            break
        if table.deal.phase == engine.OVER:
            settle(game, then=str(_step))
        elif table.deal.phase == engine.EXCHANGE or rng.random() < 0.3:
            turns.expire(game_id=game.pk, now=table.game.deadline or NOON)
        else:
            moves = [engine.move_text(move, table.deal.rules.alphabet) for move in engine.legal_moves(table.deal)] or ["U"]
            move = "U" if table.deal.prev is not None and rng.random() < 0.2 else rng.choice(moves)
            turns.play(code=game.code, user=on_turn(game), move=move, version=table.game.version, now=NOON)
    else:
        over(game)
    record = exported(fresh(game))
    assert record["deals"] and verify(record)["ok"]
    assert verify(record)["totals"] == [seat.total for seat in game.seats.all()]


# -- a cheat who owns the database ---------------------------------------------------------------


def forced(sql: str, *values: str | int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_entry DISABLE TRIGGER games_entry_append_only")
        cursor.execute(sql, values)
        cursor.execute("ALTER TABLE games_entry ENABLE TRIGGER games_entry_append_only")


def rewrite(game: Game, change: Callable[[list[Entry]], None]) -> None:
    """Change rows of the log and hang all of it together anew, so that it looks whole."""
    entries, again = list(game.entries.order_by("number")), Game(code=game.code)
    change(entries)
    for entry in entries:
        evidence.chain(entry, again)
        forced(
            "UPDATE games_entry SET facts = %s::jsonb, text = %s, hash = %s WHERE id = %s",
            json.dumps(entry.facts), entry.text, entry.hash, entry.pk,
        )  # fmt: skip
    Game.objects.filter(pk=game.pk).update(log_head=again.log_head)


def other_seal(entries: list[Entry]) -> None:
    """A seed chosen afterwards, sealed beforehand."""
    seed = engine.seed_of("better for the house")
    for entry in entries:
        if entry.text == "sealed" and entry.facts["number"] == 0:
            entry.facts["seal"] = engine.seal(seed, engine.deal_id(entry.game.code, 0))
        elif entry.text == "dealt" and entry.facts["number"] == 0:
            entry.facts["key"] = engine.key_print(seed)


def test_the_head_in_a_record_convicts_a_chain_that_was_made_anew(game: Game) -> None:
    before = exported(game)
    rewrite(game, other_seal)
    after = exported(fresh(game))
    assert verify(after)["log"]["chain"]  # it hangs together
    assert after["log"]["head"] != before["log"]["head"]  # but whoever kept the record from before can show that it is another
    assert verify(before)["ok"]
    pairs = zip(before["log"]["rows"], after["log"]["rows"], strict=True)
    assert [old[6] for old, new in pairs if old != new] == ["sealed", "dealt"]


# -- download -----------------------------------------------------------------------------------


def test_the_record_is_downloaded_as_data(game: Game) -> None:
    answer_ = visitor("Ana").get(f"/t/{game.code}/record.json")
    assert (answer_.status_code, answer_["Content-Type"]) == (200, "application/json")
    assert answer_["Content-Disposition"] == f'attachment; filename="remi-{game.code}.json"'
    record = json.loads(answer_.content)
    assert record["seats"] == ["Ana", "Bogdan"] and verify(record)["ok"]


def test_the_record_is_downloaded_as_text(game: Game) -> None:
    answer_ = visitor("Ana").get(f"/t/{game.code}/record.txt")
    assert answer_["Content-Type"] == "text/plain; charset=utf-8"
    text = answer_.content.decode()
    for words in (
        "Deal 1, dealt by Bogdan", f"Ana     {OUT_OF_TWO[1]}", "Scores: Ana 55, Bogdan −43", "Totals: Ana 55, Bogdan −43",
        "D:    discarded", "Fingerprint of the log: " + exported(game)["log"]["head"],
    ):  # fmt: skip
        assert words in text, text
    assert "Deal 2" not in text and not re.search(r"<|&\w+;", text)


@pytest.mark.parametrize(("language", "words"), [("ro", "Manșa 1, împarte Bogdan"), ("fr", "Manche 1, donneur : Bogdan")])
def test_the_text_is_in_the_reader_s_language(game: Game, language: str, words: str) -> None:
    ana = player("Ana")
    ana.language = language
    ana.save()
    assert words in visitor("Ana").get(f"/t/{game.code}/record.txt").content.decode()


def test_the_text_has_the_date_as_all_pages_write_it(game: Game) -> None:
    ana = player("Ana")
    ana.language = "ro"
    ana.save()
    text = visitor("Ana").get(f"/t/{game.code}/record.txt").content.decode()
    assert re.search(r"^\d+ [a-z]+ \d{4}$", text, re.M)  # "30 noiembrie 2026", small as Romanian has it


def test_a_table_that_has_not_begun_has_no_record() -> None:
    game = open_table("Ana")
    for kind in ("json", "txt"):
        assert visitor("Ana").get(f"/t/{game.code}/record.{kind}").status_code == 404


def test_a_computer_player_and_who_is_gone_are_named_in_it() -> None:
    game = running("Ana", "Bogdan", computers=1, absent_after=PATIENT)
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    settle(game)
    gone = player("Bogdan")
    gone.is_active = False
    gone.save()
    record = json.loads(visitor("Ana").get(f"/t/{game.code}/record.json").content)
    assert record["seats"] == ["Ana", "deleted player", "Computer"]
    assert "Bogdan" not in json.dumps(record)

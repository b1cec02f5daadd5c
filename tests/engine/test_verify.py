"""`verify` passes what a server kept as it was, and finds whatever was changed (docs/shuffle.md, docs/evidence.md)."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import RecordError, seed_of
from games.engine.chain import link, root
from games.engine.verify import CHECKS, verify

from .evident import evident

Record = dict[str, Any]


@cache
def _kept(variant: str, seats: int, lines: tuple[str, ...]) -> str:
    return json.dumps(evident(variant, seats, lines=lines))


def kept(variant: str = "rami500", seats: int = 2, lines: tuple[str, ...] = ("three blue ducks", "", "ț")) -> Record:
    """A record as a server kept it, the same each time."""
    record: Record = json.loads(_kept(variant, seats, lines[:seats]))
    return record


@pytest.mark.parametrize(("variant", "seats"), [("rami500", 2), ("rami500", 4), ("remi500", 3), ("remi500", 8), ("etalat", 3)])
@pytest.mark.parametrize("lines", [(), ("mine", "", "ț"), ("", "yours")])
def test_what_was_kept_as_it_was_holds(variant: str, seats: int, lines: tuple[str, ...]) -> None:
    record = kept(variant, seats, lines)
    found = verify(record)
    assert found["ok"] and len(found["deals"]) == len(record["deals"])
    assert found["deals"][0] == {"algorithm": "remi-shuffle/2", **dict.fromkeys(CHECKS, True)}
    assert found["log"] == {"rows": len(record["log"]["rows"]), "head": record["log"]["head"], "chain": True}


def rehash(record: Record) -> None:
    """Hang the rows of its log together anew, as a cheat would."""
    before = root(record["log"]["code"])
    for number, row in enumerate(record["log"]["rows"]):
        row[0] = number
        before = link(before, row[8] if len(row) > 8 else "", row[:8])
    record["log"]["head"] = before


def reshuffle(record: Record) -> None:
    """Another seed, and the deck that it makes; the moves are those that it allows."""
    other = evident("rami500", 2, seed="another", lines=("three blue ducks", ""))
    record["deals"] = other["deals"]


def rows(record: Record, text: str) -> list[list[Any]]:
    return [row for row in record["log"]["rows"] if row[6] == text]


def retell(record: Record, text: str, **facts: Any) -> None:
    """Change what an event tells, and hang the log together anew."""
    rows(record, text)[0][7].update(facts)
    rehash(record)


def swap_rows(record: Record) -> None:
    found = record["log"]["rows"]
    found[6], found[7] = found[7], found[6]


def drop(record: Record, place: int) -> None:
    del record["log"]["rows"][place]
    rehash(record)


def seal_late(record: Record) -> None:
    """Tell the seal only after the cards."""
    found = record["log"]["rows"]
    place = found.index(rows(record, "sealed")[0])
    found.insert(place + 1, found.pop(place))
    rehash(record)


def seal_twice(record: Record) -> None:
    found = record["log"]["rows"]
    found.insert(1, copy.deepcopy(rows(record, "sealed")[0]))
    rehash(record)


def shuffle_of(record: Record) -> dict[str, Any]:
    found: dict[str, Any] = record["deals"][0]["shuffle"]
    return found


CHEATS: list[tuple[Callable[[Record], object], list[str]]] = [
    (lambda record: record["log"].update(head="0" * 64), ["chain"]),
    (lambda record: record["log"].update(code="another"), ["chain", "seal"]),
    (lambda record: record["log"]["rows"][3].__setitem__(1, "2026-03-01T12:00:00.000Z"), ["chain"]),
    (lambda record: record["log"]["rows"].pop(), ["chain"]),
    (swap_rows, ["chain"]),
    (rehash, []),
    (lambda record: rows(record, "counted")[0][7].update(scores=[500, 0]), ["chain", "scores"]),
    (lambda record: retell(record, "counted", scores=[500, 0]), ["scores"]),
    (lambda record: drop(record, -1), ["scores"]),
    (lambda record: drop(record, 4), ["moves"]),
    (lambda record: shuffle_of(record).update(seed=seed_of("another").hex()), ["deck", "key", "seal"]),
    (lambda record: shuffle_of(record).update(contributions=["three green ducks", ""]), ["deck", "key"]),
    (lambda record: shuffle_of(record).update(contributions=[]), ["deck", "key"]),
    (lambda record: shuffle_of(record).update(algorithm="remi-shuffle/1"), ["deck", "key"]),
    (lambda record: shuffle_of(record).update(algorithm="remi-shuffle/3"), ["deck", "key"]),
    (lambda record: retell(record, "sealed", seal="0" * 64), ["seal"]),
    (lambda record: retell(record, "dealt", key="0" * 64), ["key"]),
    (lambda record: retell(record, "dealt", added=[]), ["key"]),
    (seal_late, ["seal"]),
    (seal_twice, ["seal"]),
    (reshuffle, ["key", "moves", "scores", "seal"]),
]


@pytest.mark.parametrize(("cheat", "fails"), CHEATS)
def test_a_cheat_fails_the_checks_it_has_to(cheat: Callable[[Record], object], fails: list[str]) -> None:
    record = kept()
    cheat(record)
    found = verify(record)
    failed = {check for deal in found["deals"] for check in CHECKS if not deal[check]}
    failed |= set() if found["log"]["chain"] else {"chain"}
    assert set(fails) <= failed
    assert found["ok"] is (not fails)


def test_a_record_without_evidence_does_not_hold() -> None:
    bare = kept()
    del bare["log"]
    assert verify(bare)["ok"] is False and verify(bare)["log"]["chain"] is None
    blind = kept()
    for deal in blind["deals"]:
        del deal["shuffle"]
    found = verify(blind)
    assert found["ok"] is False and found["deals"][0]["deck"] is None
    empty = kept() | {"deals": []}
    assert verify(empty)["ok"] is False


def test_a_deal_of_before_the_seals_needs_none() -> None:
    record = kept(lines=())
    for deal in record["deals"]:
        deal["shuffle"]["algorithm"] = "remi-shuffle/1"
    record["log"]["rows"] = [row for row in record["log"]["rows"] if row[6] != "sealed"]
    rehash(record)
    found = verify(record)
    assert found["ok"] and (found["deals"][0]["deck"], found["deals"][0]["seal"]) == (True, None)


def test_moves_that_a_referee_undid_are_not_missed() -> None:
    record = kept()
    place = record["log"]["rows"].index(rows(record, "counted")[0])
    undone: list[list[Any]] = [[0, "2026-03-01T12:30:00.000Z", "move", "player", 0, 0, text, {}] for text in ("S", "D:AS")]
    back: list[Any] = [0, "2026-03-01T12:31:00.000Z", "event", "server", None, 0, "rolled_back", {"to": place - 1}]
    record["log"]["rows"][place:place] = [*undone, back]
    rehash(record)
    assert verify(record)["ok"]
    back[7]["to"] = place
    rehash(record)
    assert not verify(record)["deals"][0]["moves"]


def test_a_record_that_breaks_a_rule_is_refused() -> None:
    record = kept()
    record["deals"][1]["moves"][3] = "0 D:ZZ"
    with pytest.raises(RecordError) as fault:
        verify(record)
    assert (fault.value.deal, fault.value.move) == (1, 3)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.sampled_from(["number", "to", "seal", "seed"]), inner),
    max_leaves=8,
)


@given(st.data())
def test_whatever_stands_in_the_evidence_never_fails_in_another_way(data: st.DataObject) -> None:
    record = kept()
    junk = data.draw(JUNK)
    row = record["log"]["rows"][data.draw(st.integers(0, 8))]
    places: list[tuple[Any, Any]] = [
        (record, "log"), *((record["log"], name) for name in record["log"]), *((row, place) for place in range(8)),
        (row[7], "number"), (row[7], "to"), (record["deals"][0], "shuffle"), (record["deals"][0], "number"),
        *((shuffle_of(record), name) for name in shuffle_of(record)), (shuffle_of(record)["contributions"], 0),
    ]  # fmt: skip
    where, name = data.draw(st.sampled_from(places))
    where[name] = junk
    json.dumps(verify(record))

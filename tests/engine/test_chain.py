"""The chain of a log, by the words of docs/evidence.md."""

from __future__ import annotations

import hashlib
import json
import time
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import chain, rulings

ROW = [0, "2026-03-01T12:00:00.000Z", "move", "player", 1, 0, "D:QS", {"points": -3, "cards": ["QS"]}]


def test_the_first_hash_is_what_it_always_was() -> None:
    root = chain.root("abcdefghjkmnpq")
    assert root == hashlib.sha256(b"remi-log/1\nabcdefghjkmnpq").hexdigest()
    told = b'[0,"2026-03-01T12:00:00.000Z","move","player",1,0,"D:QS",{"cards":["QS"],"points":-3}]'
    assert chain.link(root, "", ROW) == hashlib.sha256(root.encode() + b"\n\n" + told).hexdigest()
    assert chain.link(root, "", ROW) == "94170d89d5567804ebe72d814d9b315ad2e79143ec93cfd496aadbd84bf3d40d"


def test_a_time_is_told_in_utc_to_the_millisecond() -> None:
    paris = timezone(timedelta(hours=1))
    assert chain.moment(datetime(2026, 3, 1, 13, 0, 0, 123_999, paris)) == "2026-03-01T12:00:00.123Z"
    assert chain.moment(datetime(2026, 3, 1, 12, tzinfo=UTC)) == "2026-03-01T12:00:00.000Z"


def test_signs_beyond_ascii_are_escaped() -> None:
    assert chain.canonical({"b": "ș😀", "a": [None, True]}) == '{"a":[null,true],"b":"\\u0219\\ud83d\\ude00"}'


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        chain.canonical([float("nan")])


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(PLAIN)
def test_what_is_read_back_has_the_same_canonical_form(value: Any) -> None:
    assert chain.canonical(json.loads(json.dumps(value))) == chain.canonical(value)


Chained = list[tuple[str, str, list[Any]]]


def chained(contents: list[list[Any]]) -> tuple[Chained, str]:
    """A chain of rows, each with a salt, and its head."""
    before, rows = chain.root("code"), []
    for place, content in enumerate(contents):
        before = chain.link(before, str(place), content)
        rows.append((before, str(place), content))
    return rows, before


@given(st.lists(st.lists(PLAIN, max_size=3), max_size=6))
def test_a_chain_that_nobody_touched_has_no_fault_and_ends_with_its_head(contents: list[list[Any]]) -> None:
    rows, head = chained(contents)
    assert chain.first_fault(chain.root("code"), rows) == (None, head)


@given(st.lists(st.lists(PLAIN, max_size=3), min_size=2, max_size=6), st.data())
def test_a_row_changed_moved_or_taken_out_is_found_where_it_stood(contents: list[list[Any]], data: st.DataObject) -> None:
    rows, _head = chained([[place, *content] for place, content in enumerate(contents)])
    place = data.draw(st.integers(0, len(rows) - 2))
    digest, salt, content = rows[place]
    changed = [*rows[:place], (digest, salt, [*content, "more"]), *rows[place + 1 :]]
    resalted = [*rows[:place], (digest, salt + "0", content), *rows[place + 1 :]]
    swapped = [*rows[:place], rows[place + 1], rows[place], *rows[place + 2 :]]
    for tampered in (changed, resalted, swapped, rows[:place] + rows[place + 1 :]):
        assert chain.first_fault(chain.root("code"), tampered)[0] == place
    assert chain.first_fault(chain.root("other"), rows)[0] == 0


def test_a_long_log_that_goes_back_again_and_again_is_read_at_once() -> None:
    """Whoever brings a record along may have written anything into its log."""
    at, half = "2026-03-01T12:00:00.000Z", 15_000
    moved = [chain.Row(number, at, "move", "player", 0, 0, "S", {}) for number in range(half)]
    counted = [chain.Row(number, at, "event", "server", 0, 0, "counted", {"number": number}) for number in range(half)]
    back = [chain.Row(number, at, "event", "referee", None, 0, "rolled_back", {"to": half}) for number in range(half, 2 * half)]
    begun = time.perf_counter()
    assert len(chain.valid_moves([*moved, *back])) == half
    assert len(rulings.told([*counted, *back], 2).counted) == half
    assert time.perf_counter() - begun < 2

"""Records of matches, `remi-record/1`: what is read, and where a fault is found (docs/notation.md)."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from games.engine import RecordError, deck_text, replay, rules_for, seed_of, shuffled


def a_record(variant: str = "rami500", seats: int = 2, deals: int = 1, **options: Any) -> dict[str, Any]:
    """A record of deals, all of one deck, in which nobody has moved yet."""
    deck = deck_text(rules_for(variant, seats), shuffled(rules_for(variant, seats), seed_of("a deck")))
    fresh = {"dealer": seats - 1, "deck": deck, "moves": []}
    return {
        "format": "remi-record/1",
        "variant": variant,
        "options": options,
        "seats": [f"P{seat}" for seat in range(seats)],
        "deals": [copy.deepcopy(fresh) for _ in range(deals)],
    }


def fault(record: Any) -> tuple[str, int | None, int | None]:
    """The code of a record that is refused, with the deal and the move where it broke."""
    with pytest.raises(RecordError) as refusal:
        replay(record)
    return refusal.value.code, refusal.value.deal, refusal.value.move


def test_a_record_is_played_through() -> None:
    record = a_record()
    record["deals"][0]["moves"] = ["0 S"]
    played = replay(record)
    assert (len(played.deals), played.deals[0].phase, played.match.totals) == (1, "play", (0, 0))


def test_a_record_without_deals_has_no_state_yet() -> None:
    assert replay(a_record() | {"deals": []}).deals == ()


def test_options_may_be_left_out_or_partial() -> None:
    record = a_record()
    del record["options"]
    assert replay(record).match.rules.options == {"target": 500, "top_card_free": True}
    assert replay(a_record(target=None)).match.rules.options == {"target": None, "top_card_free": True}


def test_other_keys_are_kept_and_ignored() -> None:
    record = a_record() | {"note": "by the fire", "played": {"at": "home"}}
    record["deals"][0]["clock"] = [1, 2, 3]
    before = copy.deepcopy(record)
    replay(record)
    assert record == before


def test_the_dealer_is_taken_as_given() -> None:
    record = a_record(seats=3)
    record["deals"][0]["dealer"] = 1
    assert replay(record).deals[0].to_move == 2


BAD: list[Any] = [
    None, [], "record", 7, {}, {"format": "remi-record/2"}, {"variant": "gin"}, {"variant": None}, {"variant": ["rami500"]},
    {"seats": ["P0"]}, {"seats": ["P0"] * 5}, {"seats": []}, {"seats": "P0"}, {"seats": 2}, {"seats": [1, 2]},
    {"options": {"joker": 2}}, {"options": {"target": "500"}}, {"options": {"target": 0}}, {"options": {"target": True}},
    {"options": {"top_card_free": 1}}, {"options": {"top_card_free": "yes"}}, {"options": []}, {"options": "target"},
    {"options": {"target": [500]}}, {"deals": None}, {"deals": {}}, {"deals": "0 S"},
]  # fmt: skip


@pytest.mark.parametrize("change", BAD, ids=repr)
def test_what_is_no_record_is_refused_as_a_whole(change: Any) -> None:
    record = a_record() | change if isinstance(change, dict) and change else change
    assert fault(record) == ("bad_record", None, None)


DECK = a_record()["deals"][0]["deck"]

BAD_DEALS: list[Any] = [
    None, [], "0 S", {"dealer": 2}, {"dealer": -1}, {"dealer": None}, {"dealer": "0"}, {"dealer": True}, {"moves": None},
    {"moves": "0 S"}, {"deck": None}, {"deck": ""}, {"deck": "7H 8H"}, {"deck": DECK + " 7H"}, {"deck": DECK.replace("7H", "7S")},
    {"deck": DECK.replace("7H", "*7H")}, {"deck": DECK.replace("7H", "seven")}, {"deck": DECK.split()}, {"deck": "7H " * 10_000},
]  # fmt: skip


@pytest.mark.parametrize("change", BAD_DEALS, ids=lambda change: repr(change)[:60])
def test_a_deal_that_is_wrong_is_named(change: Any) -> None:
    record = a_record(deals=1)
    deal = record["deals"][0]
    record["deals"] = [deal | change if isinstance(change, dict) else change]
    assert fault(record) == ("bad_record", 0, None)


@pytest.mark.parametrize(
    "line", [None, 7, "", "S", "S 0", "0", "0  S", " 0 S", "0 S ", "9 S", "2 S", "-1 S", "00 S", "0 Q:7H", ["0 S"]]
)
def test_a_line_that_is_no_move_is_named(line: Any) -> None:
    record = a_record()
    record["deals"][0]["moves"] = ["0 S", line]
    assert fault(record) == ("bad_notation", 0, 1)


def test_a_move_that_breaks_a_rule_is_named() -> None:
    record = a_record()
    record["deals"][0]["moves"] = ["0 S", "0 S"]
    assert fault(record) == ("already_drawn", 0, 1)


def test_a_move_after_the_end_of_its_deal_is_named() -> None:
    record = a_record()
    record["deals"][0]["moves"] = ["0 R", "1 S"]
    assert fault(record) == ("deal_over", 0, 1)


def test_no_deal_follows_one_that_is_not_over() -> None:
    record = a_record(deals=2)
    record["deals"][0]["moves"] = ["0 S"]
    assert fault(record) == ("deal_not_over", 1, None)


def test_no_deal_follows_the_end_of_the_match() -> None:
    record = a_record(deals=2)
    record["deals"][0]["moves"] = ["0 R"]
    assert fault(record) == ("match_over", 1, None)


def test_a_seat_that_resigned_is_out_in_the_next_deal_too() -> None:
    record = a_record(seats=3, deals=2)
    deck = record["deals"][0]["deck"].split()
    # everybody discards what it drew until the stock is empty; seat 1 is gone from the start
    stock = deck[22:]
    moves = ["1 R"] + [line for at, card in enumerate(stock) for line in (f"{at % 2 * 2} S", f"{at % 2 * 2} D:{card}")]
    record["deals"][0]["moves"] = moves
    played = replay(record)
    assert (played.deals[0].reason, played.deals[1].to_move) == ("stock", 0)
    assert [hand.size for hand in played.deals[1].hands] == [7, 0, 7]
    record["deals"][1]["moves"] = ["0 S", "1 R"]
    assert fault(record) == ("not_your_turn", 1, 1)

"""Records that somebody brings along: read with distrust, shown, kept only where that is asked for."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from games import engine, tasks
from games.models import KeptRecord
from games.services import brought, records
from games.services.brought import RecordFault, read
from games.services.errors import NoSuchTable, ServiceError
from tests.engine.evident import evident
from tests.games.pages import HTMX, visitor, words
from tests.games.playing import NOON, OUT_OF_TWO, play, player, rows, running, settle

pytestmark = pytest.mark.django_db

Record = dict[str, Any]


def data(record: Any) -> bytes:
    return json.dumps(record).encode()


def fault(bad: bytes, **limits: float) -> tuple[str, int | None, int | None]:
    """The code with which a record is refused, and where."""
    with pytest.raises(RecordFault) as raised:
        read(bad, **limits)
    return raised.value.code, raised.value.deal, raised.value.move


def bare(variant: str = "rami500", seats: int = 2, deals: int = 2) -> Record:
    """A record of moves alone."""
    record = evident(variant, seats, deals=deals)
    kept = ("dealer", "deck", "moves")
    record["deals"] = [{name: deal[name] for name in kept} for deal in record["deals"]]
    del record["log"]
    return record


# -- reading ------------------------------------------------------------------------------------


def test_an_exported_record_can_be_looked_at() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    found = read(data(records.export(game=game, names=["Ana", "Bogdan"])))
    assert (found["variant"], found["seats"], found["totals"], found["winner"]) == ("rami500", ["Ana", "Bogdan"], [55, -43], None)
    [deal] = found["deals"]
    assert (deal["totals"], deal["out"], deal["scores"], deal["reason"]) == ([0, 0], [], [55, -43], "out")
    assert found["proof"]["ok"]
    assert read(json.dumps(found).encode())["deals"] == found["deals"]


@pytest.mark.parametrize(("variant", "seats"), [("rami500", 3), ("remi500", 5), ("etalat", 4)])
def test_of_each_deal_it_tells_what_went_before(variant: str, seats: int) -> None:
    record = evident(variant, seats, seed="m", deals=3, mishaps=True)
    found, match = read(data(record)), engine.replay(record).match
    assert found["totals"] == list(match.totals)
    for before, after in zip(found["deals"], found["deals"][1:], strict=False):
        assert after["totals"] == [total + score for total, score in zip(before["totals"], before["scores"], strict=True)]


def test_a_record_without_evidence_has_no_proof_and_one_that_was_tampered_with_fails_it() -> None:
    assert read(data(bare()))["proof"] is None
    record = evident()
    record["log"]["rows"].pop()
    assert read(data(record))["proof"]["ok"] is False


def test_a_deal_that_is_not_over_can_be_looked_at() -> None:
    record = bare(deals=1)
    record["deals"][0]["moves"] = record["deals"][0]["moves"][:3]
    assert (read(data(record))["deals"][0]["scores"], read(data(record))["totals"]) == (None, [0, 0])
    assert read(data(record | {"deals": []}))["deals"] == []


def test_names_are_cut_and_what_cannot_be_shown_is_replaced() -> None:
    record = bare() | {"seats": ["A\x00\u202e\ud800na", "x" * 99]}
    assert read(data(record))["seats"] == ["A���na", "x" * 24]


def test_a_byte_order_mark_is_no_fault() -> None:
    assert read(b"\xef\xbb\xbf" + data(bare()))["proof"] is None


# -- what is refused ----------------------------------------------------------------------------


def change(**values: Any) -> bytes:
    return data(bare() | values)


def of_deal(**values: Any) -> bytes:
    record = bare()
    record["deals"][1] |= values
    return data(record)


DEEP = b'{"format": "remi-record/1", "a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
REFUSED: list[tuple[bytes, tuple[str, int | None, int | None]]] = [
    (b"", ("record_not_json", None, None)),
    (b"remi", ("record_not_json", None, None)),
    (data(bare())[:-1], ("record_not_json", None, None)),
    (b"\xff\xfe{}", ("record_not_text", None, None)),
    (b"\xc3\x28", ("record_not_text", None, None)),
    (b" " * 1_000_001, ("record_too_long", None, None)),
    (DEEP, ("record_not_json", None, None)),
    (b"[" * 900_000, ("record_not_json", None, None)),
    (b'{"a": ' + b"9" * 5_000 + b"}", ("record_not_json", None, None)),
    (b'{"a": NaN}', ("record_not_whole", None, None)),
    (b'{"a": -Infinity}', ("record_not_whole", None, None)),
    (b'{"a": 1e999}', ("record_not_whole", None, None)),
    (b'{"a": 0.5}', ("record_not_whole", None, None)),
    (b'{"format": "remi-record/1", "format": "remi-record/1"}', ("record_key_twice", None, None)),
    (data(bare()).replace(b'"dealer"', b'"dealer": 0, "dealer"', 1), ("record_key_twice", None, None)),
    (b"[]", ("bad_record", None, None)),
    (b"null", ("bad_record", None, None)),
    (change(format="remi-record/2"), ("bad_record", None, None)),
    (change(variant="gin"), ("bad_record", None, None)),
    (change(variant=["rami500"]), ("bad_record", None, None)),
    (change(seats=["Ana"]), ("bad_record", None, None)),
    (change(seats=["Ana", 7]), ("bad_record", None, None)),
    (change(options={"target": 10**30}), ("bad_record", None, None)),
    (change(options={"x": 1}), ("bad_record", None, None)),
    (change(deals={}), ("bad_record", None, None)),
    (change(deals=[7]), ("bad_record", 0, None)),
    (change(deals=[{}] * 201), ("record_too_many_deals", None, None)),
    (change(deals=[{"moves": ["0 S"] * 10_001}] * 2), ("record_too_many_moves", None, None)),
    (of_deal(deck="AS"), ("bad_record", 1, None)),
    (of_deal(deck=7), ("bad_record", 1, None)),
    (of_deal(dealer=-1), ("bad_record", 1, None)),
    (of_deal(dealer=10**100), ("bad_record", 1, None)),
    (of_deal(moves="0 S"), ("bad_record", 1, None)),
    (of_deal(moves=["0 S", 7]), ("not_your_turn", 1, 0)),
    (of_deal(moves=["1 S", 7]), ("bad_notation", 1, 1)),
    (of_deal(moves=["1 S", "1 D:ZZ"]), ("bad_notation", 1, 1)),
    (of_deal(moves=["1 S", "1 S"]), ("already_drawn", 1, 1)),
    (of_deal(moves=["1 S", "9 S"]), ("bad_notation", 1, 1)),
]


@pytest.mark.parametrize(("bad", "where"), REFUSED, ids=[str(place) for place in range(len(REFUSED))])
def test_what_is_no_record_is_refused_at_the_place_where_it_fails(bad: bytes, where: tuple[str, int | None, int | None]) -> None:
    before = rows()
    assert fault(bad) == where
    assert rows() == before


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
PLACES: list[Callable[[Record], tuple[Any, Any]]] = [
    *(lambda record, name=name: (record, name) for name in ("format", "variant", "options", "seats", "deals", "log")),
    *(lambda record, name=name: (record["deals"][0], name) for name in ("dealer", "deck", "moves", "shuffle", "number")),
    lambda record: (record["seats"], 0),
    lambda record: (record["deals"], 1),
    lambda record: (record["deals"][1]["moves"], 4),
    lambda record: (record["options"], "target"),
]


@given(st.sampled_from(PLACES), JUNK)
def test_whatever_stands_anywhere_is_taken_or_refused_with_a_code_that_has_its_words(
    place: Callable[[Record], tuple[Any, Any]], junk: Any
) -> None:
    record = evident()
    where, name = place(record)
    where[name] = junk
    try:
        found = read(data(record))
    except RecordFault as refused:
        from games.presenters.brought import fault_of

        told = fault_of(refused)
        assert told.words.what and told.words.instead
        json.dumps([told.where, told.line]).encode()
    else:
        json.dumps(found).encode("utf-8")


def test_twenty_thousand_moves_are_read_in_less_than_five_seconds() -> None:
    rules = engine.rules_for("remi500", 8)
    deck = engine.shuffled(rules, engine.seed_of("long"))
    deal, lines = engine.start(rules, 7, deck), []
    while deal.stock_left > 1:
        for kind in "SD":
            text = next(engine.move_text(move, rules.alphabet) for move in engine.legal_moves(deal) if move.kind == kind)
            lines.append(f"{deal.to_move} {text}")
            deal = engine.apply(deal, deal.to_move or 0, text)
    take = next(engine.move_text(move, rules.alphabet) for move in engine.legal_moves(deal) if move.kind == "P")
    while len(lines) < brought.MOST_MOVES - 1:
        lines += [f"{deal.to_move} {take}", f"{deal.to_move} U"]
    deals = [{"dealer": 7, "deck": engine.deck_text(rules, deck), "moves": lines}]
    record = {"format": "remi-record/1", "variant": "remi500", "seats": list("ABCDEFGH"), "deals": deals}
    began = time.process_time()
    assert len(read(data(record), seconds=60)["deals"][0]["moves"]) > 19_990
    assert time.process_time() - began < 5
    assert fault(data(record), seconds=0.01)[0] == "record_too_slow"


# -- the pages ----------------------------------------------------------------------------------


def bring(client: Client, content: bytes, name: str = "record.json") -> HttpResponse:
    return client.post("/records/", {"record": SimpleUploadedFile(name, content)})  # type: ignore[return-value]


def stored() -> dict[str, list[dict[str, Any]]]:
    """All that is kept, but for when somebody was here and how often."""
    return {name: found for name, found in rows().items() if name not in ("User", "RateLimit")}


def sent(answer: Any) -> str:
    """The record that a page sends along."""
    found = re.search(r'name="record" value="([^"]+)"', answer.content.decode())
    assert found
    return found[1]


def test_a_record_is_shown_and_nothing_is_stored() -> None:
    client = visitor("Ana")
    before = stored()
    answer = bring(client, data(evident()))
    said = words(answer)
    assert answer.status_code == 200 and "P0, P1" in said
    assert "Every move keeps the rules. Shuffles, moves and scores are those of its log" in said
    assert stored() == before


def test_what_it_says_of_itself_and_does_not_hold_is_listed() -> None:
    record = evident()
    record["deals"][0]["shuffle"]["seed"] = "00" * 32
    said = words(bring(visitor("Ana"), data(record)))
    assert (
        "Not all that it says of itself holds. Every move keeps the rules, but:" in said
        and "Deal 1: the pack does not follow from the number" in said
    )
    assert "It holds nothing to check its shuffles by." in words(bring(visitor("Ana"), data(bare())))


def test_a_fault_is_told_with_deal_move_line_and_sentence() -> None:
    record = bare()
    record["deals"][1]["moves"][1] = "1 D:<b>"
    answer = bring(visitor("Ana"), data(record))
    assert answer.status_code == 422
    assert "Deal 2, move 2 1 D:<b> That is no move. A line is a seat, a space and a move in notation." in words(answer)
    assert b"D:&lt;b&gt;" in answer.content
    rules, deck = engine.rules_for("rami500", 2), record["deals"][1]["deck"].split()
    record["deals"][1]["moves"][1] = f"1 D:{deck[-1]}"
    held = engine.CARDS.codes[deck[-1]] in engine.start(rules, 0, [engine.CARDS.codes[card] for card in deck]).hands[1].cards()
    assert not held and "Deal 2, move 2" in words(bring(visitor("Ana"), data(record)))
    assert "No file is chosen." in words(visitor("Ana").post("/records/", {"record": "not a file"}))


def test_a_file_that_is_too_long_is_refused_in_words() -> None:
    answer = bring(visitor("Ana"), b" " * 2_500_000)
    assert answer.status_code == 422 and "A record has at most one million bytes." in words(answer)


@pytest.mark.parametrize(("variant", "seats"), [("rami500", 2), ("remi500", 5), ("etalat", 3)])
def test_its_deals_are_stepped_through_with_all_hands_open_and_nothing_is_stored(variant: str, seats: int) -> None:
    client, record = visitor("Ana"), evident(variant, seats)
    came = sent(bring(client, data(record)))
    before = stored()
    first = client.post("/records/look/", {"record": came, "deal": "0"})
    assert first.status_code == 200 and "As dealt" in words(first)
    along = re.search(r'<textarea hidden name="record"[^>]*>([^<]+)<', first.content.decode())
    assert along
    last = client.post("/records/look/", {"record": along[1], "deal": "1", "to": "9"}, headers=HTMX)
    assert last.status_code == 200 and "Move 9 of" in words(last)
    another = client.post("/records/look/", {"record": came, "deal": ["0", "1"]})  # as the button of another deal sends it
    assert "deal 2, over" in words(another)
    assert stored() == before


@pytest.mark.parametrize("forged", ["", "x", "e30:1abc:xyz", "\x00"])
def test_a_record_that_was_not_read_here_is_not_shown(forged: str) -> None:
    for path in ("/records/look/", "/records/keep/"):
        assert visitor("Ana").post(path, {"record": forged}).status_code == 404
    came = sent(bring(visitor("Ana"), data(bare())))
    assert visitor("Ana").post("/records/look/", {"record": came, "deal": "9"}).status_code == 404
    assert visitor("Ana").post("/records/look/", {"record": came[:-1], "deal": "0"}).status_code == 404


def test_who_is_logged_out_is_sent_to_log_in() -> None:
    for path in ("/records/", "/records/abc/", "/records/abc/deals/0/"):
        assert visitor().get(path)["Location"].startswith("/account/login/")
    for path in ("/records/", "/records/look/", "/records/keep/", "/records/abc/forget/"):
        assert visitor().post(path)["Location"].startswith("/account/login/")


# -- keeping ------------------------------------------------------------------------------------


def kept_by(name: str) -> KeptRecord:
    client = visitor(name)
    client.post("/records/keep/", {"record": sent(bring(client, data(evident())))})
    return KeptRecord.objects.get(owner=player(name))


def test_a_record_is_kept_where_that_is_asked_for_once_and_for_its_owner_alone() -> None:
    kept, client = kept_by("Ana"), visitor("Ana")
    assert kept_by("Ana") == kept
    page = words(client.get(f"/records/{kept.code}/"))
    assert "P0, P1" in page and "Nobody else can see it." in page
    assert f"/records/{kept.code}/" in client.get("/records/").content.decode()
    for path in (f"/records/{kept.code}/", f"/records/{kept.code}/deals/0/", f"/records/{kept.code}/deals/0/3/"):
        assert client.get(path, follow=True).status_code == 200
        assert visitor("Bogdan").get(path).status_code == 404
    assert f"/records/{kept.code}/" not in visitor("Bogdan").get("/records/").content.decode()
    visitor("Bogdan").post(f"/records/{kept.code}/forget/")
    assert KeptRecord.objects.filter(pk=kept.pk).exists()


def test_each_step_of_a_kept_record_has_its_address() -> None:
    kept, client = kept_by("Ana"), visitor("Ana")
    answer = client.get(f"/records/{kept.code}/deals/1/7/?seat=0")
    assert "Move 7 of" in words(answer) and f"/records/{kept.code}/deals/1/7/?seat=0" in answer.content.decode()
    assert client.get(f"/records/{kept.code}/deals/0/?deal=1")["Location"] == f"/records/{kept.code}/deals/1/"
    assert client.get(f"/records/{kept.code}/deals/9/").status_code == 404


def test_a_kept_record_is_forgotten_when_asked_and_when_its_time_is_over() -> None:
    kept, client = kept_by("Ana"), visitor("Ana")
    for _twice in range(2):
        assert client.post(f"/records/{kept.code}/forget/")["Location"] == "/records/"
    assert not KeptRecord.objects.exists()
    kept = kept_by("Ana")
    later = kept.forget_at
    assert brought.forget_old(now=later - timedelta(seconds=1)) == 0
    with pytest.raises(NoSuchTable):
        brought.kept(code=kept.code, user=player("Ana"), now=later)
    KeptRecord.objects.update(forget_at=timezone.now() - timedelta(seconds=1))
    tasks.forget_records()
    assert not KeptRecord.objects.exists()


def test_twenty_records_are_kept_and_no_more() -> None:
    ana = player("Ana")
    for number in range(brought.MOST_KEPT):
        brought.keep(user=ana, record={"number": number}, now=NOON)
    with pytest.raises(ServiceError, match="record_none_more"):
        brought.keep(user=ana, record={"number": -1}, now=NOON)
    brought.keep(user=player("Bogdan"), record={"number": -1}, now=NOON)
    brought.keep(user=ana, record={"number": -1}, now=NOON + brought.KEPT_FOR)

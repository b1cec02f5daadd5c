"""Records of matches in which a referee ruled: what counts and what does not can be worked out from them alone."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from games import engine
from games.engine.verify import verify
from games.models import Game
from games.services import brought, history, records, turns
from games.services.brought import RecordFault
from tests.games.pages import visitor, words
from tests.games.playing import NOON, OUT_OF_TWO, fresh, on_turn, play, player, quick_turn, running, settle
from tests.games.ruling import go_back, rule, standing, void
from tests.games.test_brought import bring

pytestmark = pytest.mark.django_db

LUCKY, MOVES, SCORES = OUT_OF_TWO
Record = dict[str, Any]


def ruled() -> Game:
    """A match of three that is over. Deal 0 is void though it was counted, Chloé resigned in deal 1, which was void before
    it was over; in deal 2 a turn is undone, points are adjusted, Ana resigns, and comes back for deal 3.
    """
    game = running("Ana", "Bogdan", "Chloé", seed="lucky 36")
    play(game, "S M:*JD,QD,KD M:QS,QH,QC L:1:AD D:AC")
    settle(game, then="one")
    quick_turn(game)
    turns.resign(code=game.code, user=player("Chloé"), now=NOON)
    void(game, 1, then="two")
    quick_turn(game)
    quick_turn(game)
    go_back(game, standing(game)[-2].number)
    rule(game, history.adjust, {0: 20, 2: -5})
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    settle(game)
    rule(game, history.reopen, then="three")
    void(game, 0)
    quick_turn(game)
    turns.resign(code=game.code, user=on_turn(game), now=NOON)
    settle(game)
    assert fresh(game).status == "finished"
    return fresh(game)


def exported(game: Game) -> Record:
    found: Record = json.loads(json.dumps(records.export(game=game, names=["Ana", "Bogdan", "Chloé"][: game.seat_count])))
    return found


def test_what_counts_and_what_does_not_is_in_the_record() -> None:
    game = ruled()
    record = exported(game)
    assert [deal["number"] for deal in record["deals"]] == [2, 3]
    assert [deal["number"] for deal in record["voided"]] == [0, 1]
    assert record["rulings"] == [
        {"ruling": "adjusted", "before": 3, "points": [20, 0, -5]},
        {"ruling": "reopened", "before": 3, "seats": [0]},
    ]
    assert record["log"]["head"] == game.log_head


def test_it_verifies_and_comes_to_the_totals_and_the_winner_of_the_match() -> None:
    game = ruled()
    found = verify(exported(game))
    assert found["ok"], found
    assert found["totals"] == [seat.total for seat in game.seats.all()]
    assert found["winner"] == game.winner
    assert [deal["scores"] for deal in found["voided"]] == [True, None]


def test_a_deal_made_void_while_another_is_played_counts_in_the_record_until_that_is_over() -> None:
    game = running("Ana", "Bogdan", seed=LUCKY)
    play(game, MOVES)
    settle(game)
    void(game, 0)
    rule(game, history.adjust, {0: 5})
    record = exported(game)
    assert "voided" not in record and [deal["number"] for deal in record["deals"]] == [0]
    assert verify(record)["ok"] and verify(record)["totals"] == list(SCORES)
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    settle(game)
    record = exported(game)
    assert [deal["number"] for deal in record["voided"]] == [0]
    assert verify(record)["ok"] and verify(record)["totals"] == [seat.total for seat in game.seats.all()]


def test_a_match_whose_only_closed_deal_is_void_is_in_it() -> None:
    game = running("Ana", "Bogdan")
    quick_turn(game)
    void(game, 0)
    record = exported(game)
    assert (record["deals"], len(record["voided"])) == ([], 1)
    assert verify(record)["ok"] and verify(record)["totals"] == [0, 0]


CHEATS: list[tuple[str, Callable[[Record], object]]] = [
    ("points forgotten", lambda record: record["rulings"].pop(0)),
    ("more points", lambda record: record["rulings"][0]["points"].__setitem__(0, 200)),
    ("a deal that counts called void", lambda record: record["voided"].append(record["deals"].pop())),
    ("a deal left out", lambda record: record["deals"].pop()),
    ("a void deal left out", lambda record: record["voided"].pop(0)),
    ("a void deal that counts", lambda record: record["deals"].insert(0, record["voided"].pop(0))),
]


@pytest.mark.parametrize(("what", "cheat"), CHEATS, ids=[what for what, _cheat in CHEATS])
def test_rulings_that_are_not_those_of_the_log_are_found(what: str, cheat: Callable[[Record], object]) -> None:
    record = exported(ruled())
    cheat(record)
    try:
        found = verify(record)
    except engine.RecordError:
        return  # it does not even play through
    assert not found["ok"] and found["rulings"] is False


BROKEN: list[tuple[str, Any]] = [
    ("voided", 5), ("voided", [5]), ("voided", [{}]), ("rulings", "all"), ("rulings", [5]),
    ("rulings", [{"ruling": "adjusted", "before": 1}]),
    ("rulings", [{"ruling": "adjusted", "before": 1, "points": [1, 2]}]),
    ("rulings", [{"ruling": "adjusted", "before": 1, "points": [1, 2, 10**30]}]),
    ("rulings", [{"ruling": "adjusted", "before": "1", "points": [1, 2, 3]}]),
    ("rulings", [{"ruling": "reopened", "before": 1, "seats": [7]}]),
    ("rulings", [{"ruling": "pardoned", "before": 1, "seats": [1]}]),
    ("deals", [{"dealer": 0, "deck": "", "moves": []}]),
]  # fmt: skip


@pytest.mark.parametrize(("field", "value"), BROKEN)
def test_rulings_that_are_not_whole_are_refused(field: str, value: Any) -> None:
    record = exported(ruled())
    with pytest.raises(engine.RecordError) as fault:
        engine.replay(record | {field: value})
    assert fault.value.code in ("bad_record", "deal_not_over")


def test_nobody_plays_alone_however_often_all_others_have_left() -> None:
    record = exported(ruled())
    record["rulings"].pop()  # so Ana does not come back, and Bogdan would be dealt to alone
    with pytest.raises(engine.RecordError) as fault:
        engine.replay(record)
    assert (fault.value.code, fault.value.deal) == ("match_over", 1)


def test_a_record_with_rulings_can_be_brought_along() -> None:
    game = ruled()
    found = brought.read(json.dumps(exported(game)).encode())
    assert [deal["void"] for deal in found["deals"]] == [True, True, False, False]
    assert [deal["totals"] for deal in found["deals"]][:3] == [[0, 0, 0]] * 3
    assert [deal["out"] for deal in found["deals"]] == [[], [], [2], [2]]
    assert found["totals"] == [seat.total for seat in game.seats.all()] and found["adjusted"] == [[20, 0, -5]]
    assert found["proof"]["ok"]
    page = words(bring(visitor("Dan"), json.dumps(exported(game)).encode()))
    assert "Deal 1 void" in page and "Deal 2 void" in page and "Adjusted +20 0 −5" in page
    assert "Every move keeps the rules." in page


def test_a_fault_in_a_void_deal_is_found_at_its_move() -> None:
    record = exported(ruled())
    record["voided"][1]["moves"][0] = "1 nonsense"
    with pytest.raises(RecordFault) as fault:
        brought.read(json.dumps(record).encode())
    assert (fault.value.code, fault.value.deal, fault.value.move, fault.value.line) == ("bad_notation", 3, 0, "1 nonsense")


def test_void_deals_count_for_the_limits_of_what_is_read() -> None:
    record = exported(ruled())
    with pytest.raises(RecordFault) as fault:
        brought.read(json.dumps(record | {"voided": record["voided"] * 100}).encode())
    assert fault.value.code == "record_too_many_deals"


def test_the_text_tells_what_is_void_and_what_was_adjusted() -> None:
    game = ruled()
    text = visitor("Ana").get(f"/t/{game.code}/record.txt").content.decode()
    assert text.count("Void: it does not count.") == 2
    assert "Adjusted by a referee: Ana +20" in text or "Adjusted by a referee: Ana 20" in text, text
    last = [line for line in text.splitlines() if line.startswith("Totals")][-1]
    names = ("Ana", "Bogdan", "Chloé")
    assert all(f"{name} {str(seat.total).replace('-', '−')}" in last for name, seat in zip(names, game.seats.all(), strict=True))


def test_an_old_record_needs_no_word_of_rulings() -> None:
    game = running("Ana", "Bogdan", seed=LUCKY)
    play(game, MOVES)
    settle(game)
    record = exported(game)
    assert "voided" not in record and "rulings" not in record
    assert verify(record)["ok"] and verify(copy.deepcopy(record) | {"voided": [], "rulings": []})["ok"]

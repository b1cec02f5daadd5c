"""The exchange of doubles at a table (§4.3, §4.4): sealed answers in any order, resolved at once, passed for the silent."""

from __future__ import annotations

import random
import re
from datetime import timedelta

import pytest

from games import engine, selectors
from games.engine.bots import BOTS
from games.models import Answer, Game
from games.services import exchange, turns
from games.services.errors import NoSuchTable
from tests.games.playing import DAY, NOON, at, differences, fresh, player, refused, rows, running, seat, settle
from tests.games.tiles import (
    ALL_BIG,
    BOTH_SMALL,
    NOBODY_ASKED,
    SECOND_ASKED,
    THREE_DOUBLES,
    TWO_OF_THREE,
    answer,
    answer_refused,
    held,
    tile_table,
)

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(hours=3)
DUE = NOON + DAY


@pytest.fixture
def game() -> Game:
    """Ana, who plays first, holds two 2R and Bogdan two 3Y."""
    return tile_table("Ana", "Bogdan", seed=BOTH_SMALL)


def log(game: Game) -> list[str]:
    return [entry.text for entry in game.entries.filter(deal__isnull=False)]


def shown(game: Game) -> list[str]:
    """What the log shows of the present match, oldest first."""
    return [entry.text for entry in selectors.whole_log(game=fresh(game))][::-1]


# -- asking ---------------------------------------------------------------------------------------


def test_a_deal_in_which_seats_hold_doubles_waits_for_their_answers(game: Game) -> None:
    table = at(game)
    assert (table.deal.phase, table.game.to_move, table.game.deadline) == ("exchange", None, NOON + DAY)
    assert table.game.in_exchange and not table.game.awaits_server
    assert log(game) == ["dealt"]
    assert differences(game) == []


def test_a_deal_without_doubles_begins_with_the_first_turn() -> None:
    game = tile_table("Ana", "Bogdan", seed=NOBODY_ASKED)
    assert (at(game).deal.phase, fresh(game).to_move, fresh(game).deadline) == ("play", 0, NOON + DAY)
    assert not Answer.objects.exists()
    assert differences(game) == []


def test_without_the_exchange_only_who_may_spoil_is_asked() -> None:
    game = tile_table("Ana", "Bogdan", seed=THREE_DOUBLES, options={"exchange": False})
    assert [row.seat for row in Answer.objects.all()] == [0]
    assert answer_refused(game, "X:8Y") == "no_exchange"
    answer(game, "X:pass")
    assert fresh(game).to_move == 0
    assert differences(game) == []


# -- answering ------------------------------------------------------------------------------------


def test_once_all_have_answered_the_offers_change_hands_and_the_first_turn_begins(game: Game) -> None:
    answer(game, "X:3Y", by="Bogdan")
    table = answer(game, "X:2R", now=LATER)
    assert (held(table, 0).count("3Y"), held(table, 0).count("2R")) == (1, 1)
    assert (held(table, 1).count("2R"), held(table, 1).count("3Y")) == (1, 1)
    assert (table.deal.phase, table.game.to_move, table.game.deadline) == ("play", 0, LATER + DAY)
    assert table.game.version == game.version + 1
    assert table.row.turns == 0
    assert differences(game) == []


def test_the_answers_enter_the_log_seat_by_seat_when_the_last_is_given(game: Game) -> None:
    answer(game, "X:3Y", by="Bogdan")
    answer(game, "X:2R", now=LATER)
    assert log(game) == ["dealt", "X:2R", "X:3Y", "exchanged"]
    entries = game.entries.filter(text__startswith="X:")
    assert [(entry.seat, entry.actor, entry.at) for entry in entries] == [(0, "player", LATER), (1, "player", LATER)]


def test_the_same_answers_in_another_order_make_the_same_deal() -> None:
    first, other = (tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG) for _table in range(2))
    for by, text in (("Ana", "X:10R"), ("Bogdan", "X:13Y"), ("Chloé", "X:12B")):
        answer(first, text, by=by)
    for by, text in (("Chloé", "X:12B"), ("Bogdan", "X:13Y"), ("Ana", "X:10R")):
        answer(other, text, by=by)
    assert at(first).deal == at(other).deal
    assert log(first) == log(other)


def test_a_player_is_told_their_own_answer_and_no_other_s(game: Game) -> None:
    answer(game, "X:3Y", by="Bogdan")
    row = at(game).row
    assert selectors.my_answer(row, 1) == "X:3Y"
    assert selectors.my_answer(row, 0) is None


def test_a_spoiled_deal_counts_for_nobody_and_the_same_dealer_deals_again() -> None:
    game = tile_table("Ana", "Bogdan", seed=THREE_DOUBLES, then=NOBODY_ASKED)
    answer(game, "X:2Y", by="Bogdan")
    table = answer(game, "X:spoil", now=LATER)
    assert (table.row.reason, table.game.awaits_server, table.game.deadline) == ("spoiled", True, LATER)
    assert shown(game)[-1] == "spoiled"
    assert settle(game)
    table = at(game)
    assert (table.row.number, table.row.dealer, table.game.to_move) == (1, 1, 0)
    assert [hand.score for hand in game.deals.get(number=0).hands.all()] == [0, 0]
    assert [one.total for one in table.seats] == [0, 0]
    assert differences(game) == []


def test_a_single_deal_that_was_spoiled_is_dealt_again() -> None:
    game = tile_table("Ana", "Bogdan", seed=THREE_DOUBLES, options={"target": None})
    answer(game, "X:pass", by="Bogdan")
    answer(game, "X:spoil")
    assert settle(game)
    assert (fresh(game).status, game.deals.count()) == ("running", 2)


# -- refusals -------------------------------------------------------------------------------------


def test_a_second_answer_is_refused_whatever_it_says(game: Game) -> None:
    answer(game, "X:2R")
    for again in ("X:2R", "X:pass", "X:3Y", "nonsense"):
        assert answer_refused(game, again) == "already_answered"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("X:spoil", "cannot_spoil"),
        ("X:1R", "not_a_double"),
        ("X:13B", "not_in_hand"),
        ("X:*", "not_in_hand"),
        ("X:*2R", "bad_notation"),
        ("X:14R", "bad_notation"),
        ("X:", "bad_notation"),
        ("X", "bad_notation"),
        ("X:2R,2R", "bad_notation"),
        ("X:" + "2R" * 300, "bad_notation"),
        ("", "bad_notation"),
        ("R", "bad_notation"),
        ("T", "bad_notation"),
        ("D:2R", "bad_notation"),
        ("\0", "bad_notation"),
    ],
)
def test_an_answer_that_cannot_be_is_refused_and_can_be_given_anew(game: Game, text: str, code: str) -> None:
    assert answer_refused(game, text) == code
    answer(game, "X:2R")
    assert differences(game) == []


def test_who_is_not_asked_cannot_answer() -> None:
    game = tile_table("Ana", "Bogdan", seed=SECOND_ASKED)
    assert answer_refused(game, "X:pass") == "not_your_turn"
    assert fresh(game).in_exchange


def test_strangers_and_those_at_other_tables_cannot_answer(game: Game) -> None:
    tile_table("Chloé", "Dan", seed=BOTH_SMALL)
    for name in ("Chloé", "nobody"):
        with pytest.raises(NoSuchTable):
            answer(game, "X:pass", by=name)


def test_a_table_that_has_not_begun_or_is_not_there_asks_nobody(game: Game) -> None:
    with pytest.raises(NoSuchTable):
        exchange.answer(code="nowhere", user=player("Ana"), answer="X:pass", deal=0, now=NOON)
    waiting = tile_table("Ana", computers=0, seats=3)
    with pytest.raises(NoSuchTable):
        answer(waiting, "X:pass")


@pytest.mark.parametrize("deal", [-1, 1, 10**9])
def test_an_answer_to_another_deal_is_stale(game: Game, deal: int) -> None:
    assert answer_refused(game, "X:2R", deal=deal) == "stale"


def test_an_answer_after_the_exchange_is_stale(game: Game) -> None:
    answer(game, "X:2R")
    answer(game, "X:3Y", by="Bogdan")
    assert answer_refused(game, "X:2R") == "stale"
    assert answer_refused(game, "X:3Y", by="Bogdan") == "stale"


def test_an_answer_to_a_deal_that_is_over_is_stale() -> None:
    game = tile_table("Ana", "Bogdan", seed=THREE_DOUBLES, then=BOTH_SMALL)
    answer(game, "X:pass", by="Bogdan")
    answer(game, "X:spoil")
    assert answer_refused(game, "X:pass") == "stale"
    settle(game)
    assert answer_refused(game, "X:pass", deal=0) == "stale"
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    settle(game)
    assert fresh(game).status == "finished"
    assert answer_refused(game, "X:pass", deal=1) == "stale"


def test_a_card_game_has_no_exchange() -> None:
    assert answer_refused(running("Ana", "Bogdan"), "X:pass") == "stale"


@pytest.mark.parametrize("move", ["X:pass", "X:2R", "X:spoil", "X"])
def test_an_answer_is_no_move(game: Game, move: str) -> None:
    assert refused(game, move, by="Ana") == "bad_notation"
    assert refused(game, move, by="Bogdan") == "bad_notation"


@pytest.mark.parametrize("move", ["S", "P1", "D:2R", "M:1R,2R,3R", "A", "B", "U", "E", "C:2R"])
def test_before_the_exchange_is_over_nobody_plays(game: Game, move: str) -> None:
    assert refused(game, move, by="Ana") == "wrong_phase"


# -- resigning ------------------------------------------------------------------------------------


def test_the_last_who_is_asked_resigns_and_the_others_answers_count() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG)
    answer(game, "X:10R")
    answer(game, "X:12B", by="Chloé")
    turns.resign(code=game.code, user=player("Bogdan"), now=LATER)
    table = at(game)
    assert log(game) == ["dealt", "R", "X:10R", "X:12B", "exchanged"]
    assert (held(table, 0).count("12B"), held(table, 2).count("10R")) == (1, 1)
    assert (table.game.to_move, table.game.deadline) == (0, LATER + DAY)
    assert differences(game) == []


def test_the_answer_of_who_resigns_comes_to_nothing() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG)
    answer(game, "X:10R")
    turns.resign(code=game.code, user=player("Ana"), now=LATER)
    assert (fresh(game).in_exchange, fresh(game).deadline) == (True, NOON + DAY)
    assert differences(game) == []
    answer(game, "X:13Y", by="Bogdan")
    answer(game, "X:12B", by="Chloé")
    assert log(game) == ["dealt", "R", "X:13Y", "X:12B", "exchanged"]
    assert held(at(game), 1).count("12B") == 1
    assert differences(game) == []


def test_who_has_resigned_is_asked_no_more() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG)
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    assert answer_refused(game, "X:10R") == "not_your_turn"


def test_where_only_the_one_asked_resigns_play_begins() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=TWO_OF_THREE)
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    assert fresh(game).in_exchange
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    assert fresh(game).awaits_server  # Chloé has won
    assert differences(game) == []


def test_of_two_the_one_who_stays_wins_and_no_answer_is_played(game: Game) -> None:
    answer(game, "X:2R")
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    assert log(game) == ["dealt", "R"]
    assert differences(game) == []
    settle(game)
    assert (fresh(game).status, fresh(game).winner) == ("finished", 0)
    assert differences(game) == []


# -- the clock ------------------------------------------------------------------------------------


def test_the_time_of_the_exchange_runs_out_for_all_who_are_silent() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG)
    answer(game, "X:13Y", by="Bogdan")
    assert selectors.expired_games(now=DUE) == [game.pk]
    assert turns.expire(game_id=game.pk, now=DUE)
    entries = game.entries.filter(text__startswith="X:")
    assert [(entry.text, entry.actor) for entry in entries] == [("X:pass", "clock"), ("X:13Y", "player"), ("X:pass", "clock")]
    assert (fresh(game).to_move, fresh(game).deadline) == (0, DUE + DAY)
    assert differences(game) == []


def test_silence_in_the_exchange_is_no_missed_turn() -> None:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL, absent_after=1)
    game.seats.filter(index=1).update(expired=7)
    assert turns.expire(game_id=game.pk, now=DUE)
    assert (seat(game, "Ana").expired, seat(game, "Bogdan").expired) == (0, 7)
    assert not seat(game, "Ana").absent and not seat(game, "Bogdan").absent


def test_it_does_not_run_out_early_nor_twice(game: Game) -> None:
    before = rows()
    assert selectors.expired_games(now=DUE - timedelta(seconds=1)) == []
    assert not turns.expire(game_id=game.pk, now=DUE - timedelta(seconds=1))
    assert rows() == before
    assert turns.expire(game_id=game.pk, now=DUE)
    before = rows()
    assert not turns.expire(game_id=game.pk, now=DUE)
    assert rows() == before


def test_an_answer_does_not_move_the_deadline(game: Game) -> None:
    answer(game, "X:2R", now=DUE - timedelta(hours=1))
    assert fresh(game).deadline == DUE


def test_who_has_left_the_match_is_dealt_to_no_more_and_not_asked() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=THREE_DOUBLES, then=BOTH_SMALL)
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    answer(game, "X:pass", by="Chloé")
    answer(game, "X:spoil")
    settle(game)
    asked = Answer.objects.filter(deal__game=game, deal__number=1)
    assert [row.seat for row in asked] == [0, 2]
    assert answer_refused(game, "X:pass", by="Bogdan") == "not_your_turn"
    answer(game, "X:2R")
    answer(game, "X:3Y", by="Chloé")
    assert held(at(game), 0).count("3Y") == 1
    assert differences(game) == []


# -- computers ------------------------------------------------------------------------------------


def says(monkeypatch: pytest.MonkeyPatch, text: str) -> list[engine.View]:
    """Let the computers answer this; the views that they were shown."""
    seen: list[engine.View] = []
    choose = BOTS["greedy"]

    def answers(view: engine.View, rng: random.Random) -> engine.Move:
        seen.append(view)
        return engine.parse_move(text, engine.TILES, tiles=True) if view.phase == "exchange" else choose(view, rng)

    monkeypatch.setitem(BOTS, "greedy", answers)
    return seen


def test_a_computer_answers_while_the_deal_is_dealt_and_nobody_can_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = says(monkeypatch, "X:3Y")
    game = tile_table("Ana", computers=1, seed=BOTH_SMALL)
    assert (fresh(game).in_exchange, fresh(game).version, log(game)) == (True, 2, ["dealt"])
    assert Answer.objects.get(seat=1).actor == "computer"
    assert [(type(view), view.seat) for view in seen] == [(engine.View, 1)]
    table = answer(game, "X:2R")
    assert held(table, 0).count("3Y") == 1
    assert differences(game) == []


def test_where_computers_alone_are_asked_play_begins_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, "X:pass")
    game = tile_table("Ana", computers=1, seed=SECOND_ASKED)
    assert (fresh(game).to_move, fresh(game).deadline, fresh(game).version) == (0, NOON + DAY, 2)
    assert differences(game) == []


@pytest.mark.parametrize("text", ["X:2R", "X:1R", "X:spoil", "S", "R", "U"])
def test_a_computer_that_answers_what_it_may_not_passes_and_no_log_names_a_tile(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    says(monkeypatch, text)
    game = tile_table("Ana", computers=1, seed=BOTH_SMALL)
    assert Answer.objects.get(seat=1).text == "X:pass"
    assert not seat(game, "Ana").resigned and differences(game) == []
    if text != "R":  # which a seat may do, but not a computer
        assert "computer player greedy failed" in caplog.text
    assert not re.search(r"\b(1[0-3]|[1-9])[RYBK]\b", caplog.text)

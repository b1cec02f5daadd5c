"""A player's move: played once, on the table the player saw, or not at all."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games import engine, selectors
from games.models import Game
from games.services import tables, turns
from games.services.errors import NoSuchTable, Stale
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_TWO,
    PATIENT,
    at,
    chance,
    differences,
    fresh,
    open_table,
    play,
    player,
    quick_turn,
    refused,
    rows,
    running,
    seat,
    settle,
)

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(hours=5)


@pytest.fixture
def game() -> Game:
    """Ana, on turn, can go out at once; Bogdan waits."""
    return running("Ana", "Bogdan", seed=OUT_OF_TWO[0])


def raises(game: Game, fault: type[Exception], move: str, *, by: str = "Ana", version: int | None = None) -> None:
    """A move ends in that error and changes nothing."""
    user, before = player(by), rows()
    with pytest.raises(fault):
        turns.play(code=game.code, user=user, move=move, version=fresh(game).version if version is None else version, now=NOON)
    assert rows() == before | {"User": rows()["User"]}


# -- what a move does ---------------------------------------------------------------------------


def test_a_move_is_noted_and_makes_a_new_version(game: Game) -> None:
    table = turns.play(code=game.code, user=player("Ana"), move="S", version=game.version, now=LATER)
    assert (table.game.version, fresh(game).version) == (game.version + 1, game.version + 1)
    entry = game.entries.last()
    assert entry is not None
    assert (entry.text, entry.kind, entry.actor, entry.seat, entry.deal, entry.at) == ("S", "move", "player", 0, 0, LATER)
    assert at(game).deal.hands[0].size == 8
    assert differences(game) == []


def test_the_moves_of_a_turn_stay_when_the_browser_is_closed(game: Game) -> None:
    play(game, "S M:6H,7H,8H")
    table = at(game)
    assert (table.deal.laid, table.hands[0].laid) == ((21, 0), 21)
    assert len(table.hands[0].cards) == 5


def test_a_move_of_the_turn_can_be_taken_back_after_it_was_stored(game: Game) -> None:
    play(game, "S M:6H,7H,8H M:7D,8D,9D")
    held = at(game).hands[0].cards
    play(game, "L:2:TD U")
    assert at(game).hands[0].cards == held
    play(game, "U U")
    assert at(game).deal.laid == (0, 0)
    assert [entry.text for entry in game.entries.order_by("-number")[:3]] == ["U", "U", "U"]
    assert differences(game) == []


def test_a_stock_draw_is_not_taken_back(game: Game) -> None:
    play(game, "S")
    assert refused(game, "U") == "nothing_to_undo"


def test_the_deadline_moves_only_when_the_turn_passes(game: Game) -> None:
    for move in ("S", "M:6H,7H,8H", "U"):
        play(game, move, now=LATER)
        assert fresh(game).deadline == game.deadline == NOON + DAY
    play(game, "D:8S", now=LATER)
    assert fresh(game).deadline == LATER + DAY
    assert fresh(game).to_move == 1


def test_the_discard_passes_the_turn_and_counts_it(game: Game) -> None:
    quick_turn(game)
    assert (fresh(game).to_move, at(game).row.turns) == (1, 1)
    quick_turn(game)
    assert (fresh(game).to_move, at(game).row.turns) == (0, 2)


def test_a_computer_that_follows_is_waited_for() -> None:
    game = running("Ana", computers=1)
    assert not game.awaits_server
    quick_turn(game)
    assert fresh(game).awaits_server


def test_a_turn_played_in_time_forgives_those_that_ran_out(game: Game) -> None:
    turns.expire(game_id=game.pk, now=NOON + DAY)
    quick_turn(game)
    assert seat(game, "Ana").expired == 1
    play(game, "S")
    assert seat(game, "Ana").expired == 1
    quick = at(game).deal
    discard = next(engine.move_text(move, engine.CARDS) for move in engine.legal_moves(quick) if move.kind == "D")
    play(game, discard)
    assert seat(game, "Ana").expired == 0


def test_going_out_ends_the_deal_and_calls_the_server(game: Game) -> None:
    play(game, OUT_OF_TWO[1], now=LATER)
    after, row = fresh(game), at(game).row
    assert (after.awaits_server, after.to_move, after.deadline, after.status) == (True, None, LATER, "running")
    assert (row.reason, row.out, row.ended_at, row.scored, row.turns) == ("out", 0, LATER, False, 1)
    assert differences(game) == []


# -- what is refused, and then nothing has changed ----------------------------------------------


def test_an_old_version_is_refused(game: Game) -> None:
    play(game, "S")
    raises(game, Stale, "D:8S", version=game.version)


@pytest.mark.parametrize("version", [-1, 0, 10**9, 10**30])
def test_a_version_that_never_was_is_refused(game: Game, version: int) -> None:
    raises(game, Stale, "S", version=version)


def test_the_same_token_twice_plays_once(game: Game) -> None:
    turns.play(code=game.code, user=player("Ana"), move="S", version=game.version, now=NOON)
    raises(game, Stale, "S", version=game.version)
    assert [entry.text for entry in game.entries.filter(kind="move")] == ["S"]


@pytest.mark.parametrize("move", ["R", "T"])
def test_resigning_and_running_out_are_no_moves_to_type(game: Game, move: str) -> None:
    assert refused(game, move) == "bad_notation"


@pytest.mark.parametrize(
    "move", ["", " ", "S ", "s", "D", "D:", "D:ZZ", "P0", "P-1", "M:", "U\n", "S\x00", "Ă", "X" * 10_000, "0 S"]
)
def test_nonsense_is_refused(game: Game, move: str) -> None:
    assert refused(game, move) == "bad_notation"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("D:6H", "must_draw_first"),
        ("M:6H,7H,8H", "must_draw_first"),
        ("P9", "row_too_short"),
        ("U", "nothing_to_undo"),
        ("E", "stock_not_empty"),
    ],
)
def test_a_move_against_the_rules_is_refused(game: Game, move: str, code: str) -> None:
    assert refused(game, move) == code


def test_a_card_that_is_not_held_is_refused_in_the_middle_of_a_turn(game: Game) -> None:
    play(game, "S M:6H,7H,8H")
    assert refused(game, "D:6H") == "not_in_hand"
    assert differences(game) == []


def test_who_is_not_on_turn_is_refused(game: Game) -> None:
    assert refused(game, "S", by="Bogdan") == "not_your_turn"


def test_a_stranger_has_no_such_table(game: Game) -> None:
    raises(game, NoSuchTable, "S", by="Chloé")


def test_a_player_of_another_table_has_no_such_table(game: Game) -> None:
    running("Chloé", "Dan")
    raises(game, NoSuchTable, "S", by="Chloé")


def test_an_open_table_is_not_played_at() -> None:
    game = open_table("Ana")
    raises(game, NoSuchTable, "S")


def test_a_table_that_was_given_up_is_not_played_at() -> None:
    game = open_table("Ana")
    tables.cancel(code=game.code, user=player("Ana"), now=NOON)
    raises(game, NoSuchTable, "S")


def test_between_two_deals_nobody_moves(game: Game) -> None:
    play(game, OUT_OF_TWO[1])
    assert refused(game, "S", by="Ana") == "deal_over"
    assert refused(game, "S", by="Bogdan") == "deal_over"


def test_a_finished_match_is_not_played_on() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0], options={"target": 50})
    play(game, OUT_OF_TWO[1])
    assert settle(game)
    raises(game, Stale, "S")


# -- resigning ----------------------------------------------------------------------------------


def resign(game: Game, name: str) -> None:
    turns.resign(code=game.code, user=player(name), now=LATER)


def test_one_of_two_resigns_and_the_other_has_won(game: Game) -> None:
    resign(game, "Bogdan")
    assert (at(game).row.reason, fresh(game).awaits_server) == ("resigned", True)
    settle(game)
    after = fresh(game)
    assert (after.status, after.winner, seat(game, "Bogdan").resigned) == ("finished", 0, True)
    assert differences(game) == []


def test_one_of_three_resigns_on_turn_and_the_next_plays_on() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    play(game, "S")
    resign(game, "Ana")
    after = fresh(game)
    assert (after.to_move, after.deadline, after.status) == (1, LATER + DAY, "running")
    assert differences(game) == []


def test_one_of_three_resigns_off_turn_and_the_clock_of_the_other_runs_on() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    play(game, "S")
    resign(game, "Chloé")
    after = fresh(game)
    assert (after.to_move, after.deadline) == (0, NOON + DAY)
    assert refused(game, "S", by="Chloé") == "not_your_turn"
    assert differences(game) == []


def test_resigning_makes_the_pages_of_the_others_old() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    resign(game, "Chloé")
    raises(game, Stale, "S", version=game.version)


def test_nobody_resigns_twice() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    resign(game, "Chloé")
    before = rows()
    with pytest.raises(turns.ServiceError, match="already_resigned"):
        resign(game, "Chloé")
    assert rows() == before


def test_a_stranger_cannot_resign_for_a_player(game: Game) -> None:
    player("Chloé")
    before = rows()
    with pytest.raises(NoSuchTable):
        resign(game, "Chloé")
    assert rows() == before


def test_who_resigns_between_two_deals_leaves_in_the_next() -> None:
    game = running("Ana", "Bogdan", "Chloé", absent_after=PATIENT)
    quick_end(game)
    with chance("next", 0):
        resign(game, "Chloé")
    table = at(game)
    assert (table.row.number, table.deal.resigned, table.game.status) == (1, frozenset({2}), "running")
    assert differences(game) == []


def quick_end(game: Game) -> None:
    while at(game).deal.phase != engine.OVER:
        turns.expire(game_id=game.pk, now=fresh(game).deadline or NOON)


def test_nobody_resigns_once_the_match_is_over(game: Game) -> None:
    resign(game, "Bogdan")
    for _ending in range(2):  # before it is counted, and after
        before = rows()
        with pytest.raises(Stale):
            resign(game, "Ana")
        assert rows() == before
        settle(game)


# -- going on from a result ---------------------------------------------------------------------


@pytest.fixture
def counted(game: Game) -> Game:
    play(game, OUT_OF_TWO[1])
    settle(game)
    return game


def test_a_player_goes_on_from_a_result_that_was_seen(counted: Game) -> None:
    turns.go_on(code=counted.code, user=player("Ana"), deal=0)
    assert (seat(counted, "Ana").seen_deal, seat(counted, "Bogdan").seen_deal) == (0, -1)


@pytest.mark.parametrize("deal", [1, 2, -1, 40_000, 10**30])
def test_a_deal_that_is_not_counted_cannot_be_gone_on_from(counted: Game, deal: int) -> None:
    turns.go_on(code=counted.code, user=player("Ana"), deal=deal)
    assert seat(counted, "Ana").seen_deal == -1


def test_going_on_twice_or_by_a_stranger_changes_nothing(counted: Game) -> None:
    player("Chloé")
    turns.go_on(code=counted.code, user=player("Ana"), deal=0)
    before = rows()
    turns.go_on(code=counted.code, user=player("Ana"), deal=0)
    turns.go_on(code=counted.code, user=player("Chloé"), deal=0)
    assert rows() == before


# -- what is asked of the database --------------------------------------------------------------


@pytest.mark.parametrize(("move", "queries"), [("S", 3), ("D:8S", 4)])
def test_a_move_locks_reads_and_writes_in_three_queries_and_the_last_tells_who_is_on_turn(
    game: Game, move: str, queries: int, django_assert_num_queries: Any
) -> None:
    if move != "S":
        play(game, "S")
    user, version = player("Ana"), fresh(game).version
    savepoints = 2
    with django_assert_num_queries(queries + savepoints):
        turns.play(code=game.code, user=user, move=move, version=version, now=NOON)


def test_the_version_is_one_query(game: Game, django_assert_num_queries: Any) -> None:
    ana = player("Ana")
    with django_assert_num_queries(1):
        assert selectors.game_version(code=game.code, user=ana) == (game.version, "running", 0)


@pytest.fixture
def browser() -> Client:
    """Ana's, which has been here before: what it asks for the first time does not count."""
    client = Client(headers={"HX-Request": "true"})
    client.force_login(player("Ana"), backend="django.contrib.auth.backends.ModelBackend")
    client.post("/language/", {"language": "en"})
    return client


@pytest.mark.parametrize(("move", "queries"), [("S", 9), ("D:8S", 11)])
def test_a_whole_request_is_a_dozen_queries_at_most(
    game: Game, browser: Client, move: str, queries: int, django_assert_max_num_queries: Any
) -> None:
    """Session, player, limit; lock, read, write and their brackets; the log; and when the turn is over, who is told of the next,
    and the next table. For all that may come together see tests/leagues/test_move_queries.py."""
    if move != "S":
        play(game, "S")
    sent = {"version": fresh(game).version, "move": move}
    with django_assert_max_num_queries(queries):
        answer = browser.post(f"/t/{game.code}/play/", sent)
    assert (answer.status_code, game.entries.last().text) == (200, move)  # type: ignore[union-attr]


def test_asking_for_news_is_three_queries(game: Game, browser: Client, django_assert_num_queries: Any) -> None:
    """Session, player, version."""
    with django_assert_num_queries(3):
        assert browser.get(f"/t/{game.code}/poll/{game.version}/").status_code == 204

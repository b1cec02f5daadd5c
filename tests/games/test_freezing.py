"""A clock that a referee has frozen: nobody moves, and no time is added or lost; until when, and how it ends."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from games import selectors, tasks
from games.models import Game
from games.services import disputes, exchange, freezing, pauses, rulings, turns
from games.services.errors import ServiceError
from tests.games.absent import expire
from tests.games.cases import HOUR, again, claimed, dispute, freeze, referee, rule, steps, told, why_not
from tests.games.playing import (
    DAY,
    NOON,
    awake,
    differences,
    fresh,
    on_turn,
    player,
    quick_turn,
    refused,
    running,
    seat,
    sweep,
)
from tests.games.tiles import BOTH_SMALL, answer_refused, tile_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = running("Ana", "Bogdan")
    quick_turn(game)
    return game


def test_a_frozen_table_stands_still_and_goes_on_with_what_was_left(game: Game) -> None:
    made = freeze(game, now=NOON + 5 * HOUR)
    assert (fresh(game).frozen_until, fresh(game).left) == (NOON + 5 * HOUR + DAY, DAY - 5 * HOUR)
    assert refused(game, "S") == "frozen"
    assert told("frozen") == [("Ana", "frozen"), ("Bogdan", "frozen")]
    rulings.thaw(case=made.pk, user=referee(), now=NOON + 9 * HOUR)
    game = fresh(game)
    assert (game.frozen_until, game.deadline) == (None, NOON + 9 * HOUR + DAY - 5 * HOUR)
    assert [row.text for row in game.entries.filter(text__in=["frozen", "thawed"])] == ["frozen", "thawed"]
    assert again(made).frozen_for == 4 * HOUR
    quick_turn(game, now=NOON + 10 * HOUR)
    assert differences(game) == []


def test_at_the_limit_the_sweep_lets_it_go_on_once(game: Game) -> None:
    made = freeze(game, now=NOON)
    sweep(NOON + DAY - HOUR)
    assert fresh(game).frozen_until is not None
    sweep(NOON + DAY)
    assert (fresh(game).frozen_until, fresh(game).deadline) == (None, NOON + 2 * DAY)
    assert steps(made)[-1] == ("thawed", "") and again(made).frozen_for == DAY
    assert not freezing.lapse(game_id=game.pk, now=NOON + 3 * DAY)
    assert told("thawed") == [("Ana", "thawed"), ("Bogdan", "thawed"), ("Corina", "thawed")]


def test_the_sweep_hands_frozen_tables_out_at_their_limit(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[Any, ...]] = []
    monkeypatch.setattr(tasks, "send", lambda *task, **_how: sent.append(task))
    freeze(game, HOUR)
    with time_machine.travel(NOON + HOUR - timedelta(seconds=1), tick=False):
        tasks.sweep()
    assert ("games.tasks.thaw", game.pk) not in sent
    with time_machine.travel(NOON + HOUR, tick=False):
        tasks.sweep()
        assert ("games.tasks.thaw", game.pk) in sent
        tasks.thaw(game.pk, 10**9)
    assert fresh(game).frozen_until is None


def test_the_audit_sees_a_mark_that_is_wrong(game: Game) -> None:
    made = dispute(game)
    assert differences(game) == []
    Game.objects.filter(pk=game.pk).update(disputed=False)
    assert any("marked as disputed" in line for line in differences(game))
    Game.objects.filter(pk=game.pk).update(disputed=True)
    rulings.claim(case=made.pk, user=referee(), now=NOON)
    rule(made)
    assert differences(game) == []


@pytest.mark.parametrize("span", [timedelta(0), -HOUR, 72 * HOUR + timedelta(seconds=1)])
def test_a_clock_is_frozen_for_something_and_for_three_days_at_once_at_most(game: Game, span: timedelta) -> None:
    assert why_not(rulings.freeze, case=claimed(game).pk, user=referee(), span=span) == "bad_freeze"


def test_and_for_a_week_in_all(game: Game) -> None:
    made, now = claimed(game), NOON
    for hours in (72, 72, 24):
        rulings.freeze(case=made.pk, user=referee(), span=hours * HOUR, now=now)
        assert why_not(rulings.freeze, case=made.pk, user=referee(), span=HOUR, now=now) == "frozen"
        now += hours * HOUR
        sweep(now)
    assert why_not(rulings.freeze, case=made.pk, user=referee(), span=HOUR, now=now) == "frozen_enough"


def test_what_was_not_used_may_be_used_again(game: Game) -> None:
    made = freeze(game, 72 * HOUR)
    rulings.thaw(case=made.pk, user=referee(), now=NOON + HOUR)
    assert why_not(rulings.thaw, case=made.pk, user=referee()) == "not_frozen"
    assert again(made).frozen_for == HOUR


def test_the_database_keeps_the_limit(game: Game) -> None:
    made = dispute(game)
    made.frozen_for = timedelta(days=7, seconds=1)
    with pytest.raises(IntegrityError, match="frozen_within_bounds"), transaction.atomic():
        made.save()


def test_the_clock_of_another_case_is_not_this_one_s_to_let_go(game: Game) -> None:
    freeze(game)
    other = claimed(game, "Bogdan", to="Dora")
    assert why_not(rulings.thaw, case=other.pk, user=referee("Dora")) == "not_frozen"
    rule(other, by="Dora")
    assert fresh(game).frozen_until is not None


def test_a_ruling_and_a_withdrawal_let_the_clock_go_on(game: Game) -> None:
    rule(freeze(game), now=NOON + HOUR)
    assert fresh(game).frozen_until is None
    made = freeze(game, now=NOON + HOUR)
    disputes.withdraw(case=made.pk, user=player("Ana"), now=NOON + 2 * HOUR)
    assert fresh(game).frozen_until is None


def test_one_may_resign_meanwhile_and_a_match_that_ends_is_frozen_no_more(game: Game) -> None:
    made = freeze(game)
    turns.resign(code=game.code, user=player("Ana"), now=NOON + HOUR)
    sweep(NOON + HOUR)
    assert (fresh(game).status, fresh(game).frozen_until, again(made).frozen_for) == ("finished", None, HOUR)
    assert why_not(rulings.freeze, case=made.pk, user=referee(), span=HOUR) == "not_running"
    assert differences(game) == []


def test_no_computer_plays_and_nobody_answers_in_a_frozen_table() -> None:
    game = running("Ana", computers=1, dealer=0)
    freeze(game)
    sweep(NOON + HOUR)
    assert (fresh(game).to_move, selectors.games_awaiting_the_server()) == (1, [])
    tiles = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    freeze(tiles)
    assert answer_refused(tiles, "X:pass") == "frozen"
    sweep(NOON + DAY)
    exchange.answer(code=tiles.code, user=player("Ana"), answer="X:pass", deal=0, now=NOON + DAY)


def test_a_frozen_table_waits_for_nobody(game: Game) -> None:
    user = on_turn(game)
    freeze(game)
    assert [waits for _game, waits in selectors.my_games(user=user)] == [False]


def test_no_pause_is_asked_for_or_ended_in_a_frozen_table(game: Game) -> None:
    for name in ("Ana", "Bogdan"):
        pauses.agree(code=game.code, user=player(name), version=fresh(game).version, now=NOON)
    freeze(game)
    version = fresh(game).version
    assert why_not(pauses.resume, code=game.code, user=player("Ana"), version=version) == "frozen"
    assert why_not(pauses.agree, code=game.code, user=player("Ana"), version=version) == "frozen"


ACTS = st.lists(st.tuples(st.sampled_from(["freeze", "thaw", "pause", "resume"]), st.integers(1, 120)), max_size=10)


@settings(max_examples=25, deadline=None)
@given(ACTS)
def test_freezing_and_pausing_in_any_order_neither_add_time_nor_take_any(acts: list[tuple[str, int]]) -> None:
    with transaction.atomic():
        game = running("Ana", "Bogdan", "Chloé", absent_after=1)
        now = expire(game)
        deadline, back = fresh(game).deadline, seat(game, "Ana").absent_until
        assert deadline is not None and back is not None
        stood = _let_happen(game, [*acts, ("thaw", 7), ("resume", 5)], now)
        assert not fresh(game).stopped
        assert fresh(game).deadline == deadline + stood
        assert seat(game, "Ana").absent_until == back + stood
        transaction.set_rollback(True)


def _let_happen(game: Game, acts: list[tuple[str, int]], now: datetime) -> timedelta:
    """Do what may be done of these, each so many minutes after the one before; for how long the table stood still."""
    made, stood = claimed(game, "Bogdan", now=now), timedelta(0)
    for act, minutes in acts:
        standing = fresh(game).stopped
        now += timedelta(minutes=minutes)
        stood += timedelta(minutes=minutes) if standing else timedelta(0)
        awake(now)
        with suppress(ServiceError):
            if act == "freeze":
                rulings.freeze(case=made.pk, user=referee(), span=DAY, now=now)
            elif act == "thaw":
                rulings.thaw(case=made.pk, user=referee(), now=now)
            else:
                for name in ("Bogdan", "Chloé") if act == "pause" else ("Bogdan",):
                    verb = pauses.agree if act == "pause" else pauses.resume
                    verb(code=game.code, user=player(name), version=fresh(game).version, now=now)
    return stood


def test_a_pause_that_lapses_in_a_frozen_table_gives_its_time_once() -> None:
    game = running("Ana", "Bogdan", "Chloé", absent_after=1)
    now = expire(game)
    back = seat(game, "Ana").absent_until
    assert back is not None
    for name in ("Bogdan", "Chloé"):
        pauses.agree(code=game.code, user=player(name), version=fresh(game).version, now=now)
    end = now + pauses.LONGEST_PAUSE
    freeze(game, 2 * DAY, now=end - DAY)
    sweep(end)
    assert (fresh(game).paused_at, fresh(game).deadline) == (None, None)
    sweep(end + DAY)
    assert (fresh(game).deadline, seat(game, "Ana").absent_until) == (end + DAY + DAY, back + pauses.LONGEST_PAUSE + DAY)

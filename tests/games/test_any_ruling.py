"""Moves, rulings and sweeps in any order: the log, the rows, the totals and the record keep telling the same."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from games import engine
from games.engine.verify import verify
from games.models import Game, Hand
from games.services import history, pauses, records
from games.services.errors import ServiceError
from games.services.store import load, lock
from tests.games.playing import DAY, NOON, at, chance, differences, fresh, running, sweep
from tests.games.ruling import CASE, standing
from tests.games.test_any_order import act

pytestmark = pytest.mark.django_db
NAMES = ("Ana", "Bogdan", "Chloé", "Dan")
BANK: dict[str, Any] = {"increment": timedelta(hours=5), "bank_cap": 1.5 * DAY}

MOVES = ["turn", "turn", "turn", "move", "answer", "run out", "serve", "settle", "resign", "back", "take over", "end absences"]
RULINGS = ["void", "void last", "go back", "go back", "go back far", "adjust", "remove", "reopen"]
STEPS = [*MOVES, *MOVES, *RULINGS, "resign", "resign", "sweep", "sweep", "pause", "resume"]
steps = st.tuples(st.sampled_from(STEPS), st.sampled_from(NAMES), st.integers(0, 10_000), st.integers(0, 30))


def rule(game: Game, what: str, number: int, now: datetime) -> None:
    """One ruling, possible or not."""
    table = load(lock(pk=game.pk))
    asked: dict[str, Any] = {"case": CASE, "now": now}
    match what:
        case "void":
            history.void(table, number % (table.row.number + 1), **asked)
        case "void last":
            history.void(table, table.row.number, **asked)
        case "go back":
            moves = standing(game, table.row.number) or standing(game)
            history.go_back(table, moves[-1 - number % min(len(moves), 5)].number if moves else 0, **asked)
        case "go back far":
            history.go_back(table, number % game.log_length, **asked)
        case "adjust":
            history.adjust(table, {number % game.seat_count: number % 301 - 150}, **asked)
        case "remove":
            history.remove(table, number % game.seat_count, **asked)
        case "reopen":
            history.reopen(table, **asked)


def stand(game: Game, what: str, now: datetime) -> None:
    """All pause the table, or one ends the pause."""
    for seat in [seat for seat in at(game).seats if pauses.has_a_say(seat)][: None if what == "pause" else 1]:
        verb = pauses.agree if what == "pause" else pauses.resume
        assert seat.user is not None
        verb(code=game.code, user=seat.user, version=fresh(game).version, now=now)


def totals(game: Game) -> list[int]:
    """The points of the seats by the scores that count, and by what was adjusted."""
    hands = Hand.objects.filter(deal__game=game, deal__scored=True, deal__voided=False)
    added = [entry.facts["points"] for entry in game.entries.filter(text="adjusted")]
    return [
        sum(hand.score or 0 for hand in hands if hand.seat == seat) + sum(points.get(str(seat), 0) for points in added)
        for seat in range(game.seat_count)
    ]


def promises(game: Game, before: Game) -> None:
    """What holds after every step."""
    after = fresh(game)
    assert after.version >= before.version and after.log_length >= before.log_length
    assert [seat.total for seat in after.seats.order_by("index")] == totals(game)
    deals = list(game.deals.order_by("number"))
    assert [deal.number for deal in deals] == list(range(len(deals)))
    assert [deal.closed for deal in deals] == [True] * (len(deals) - 1) + [after.status == "finished"]
    assert (after.deadline is not None or after.left is not None) == (after.status == "running")


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    variant=st.sampled_from(["rami500", "remi500", "etalat"]),
    players=st.integers(2, 3),
    computers=st.integers(0, 1),
    absent_after=st.integers(1, 3),
    excuses=st.integers(0, 1),
    target=st.sampled_from([None, 1, 60]),
    pace=st.sampled_from([{}, BANK]),
    seed=st.text("abc", max_size=3),
    done=st.lists(steps, min_size=10, max_size=40),
)
def test_any_moves_and_rulings_in_any_order(
    variant: str, players: int, computers: int, absent_after: int, excuses: int, target: int | None, pace: dict[str, Any],
    seed: str, done: list[tuple[str, str, int, int]],
) -> None:  # fmt: skip
    terms: dict[str, Any] = {"absent_after": absent_after, "excuses": excuses, "absence_limit": timedelta(hours=90), **pace}
    with transaction.atomic(), chance(seed, 0):
        now = NOON
        game = running(
            *NAMES[:players], computers=computers, variant=variant, seed=seed, options={"target": target}, dealer=0, **terms
        )
        ruled = 0
        for what, name, number, passed in done:
            now += timedelta(hours=passed)
            before = fresh(game)
            try:
                with transaction.atomic():
                    if what in RULINGS:
                        rule(before, what, number, now)
                        ruled += 1
                    elif what == "sweep":
                        sweep(now)
                    elif what in ("pause", "resume"):
                        stand(game, what, now)
                    else:
                        act(game, what, name, number, now)
            except (ServiceError, engine.RuleError):
                assert fresh(game).version == before.version
            promises(game, before)
        event(f"{variant} {fresh(game).status}, {min(ruled, 5)} rulings")
        assert differences(game) == []
        record = json.loads(json.dumps(records.export(game=fresh(game), names=["?"] * game.seat_count)))
        if record["deals"] or record.get("voided"):
            found = verify(record)
            assert found["ok"], found
            if fresh(game).status == "finished":
                assert found["totals"] == totals(game) and found["winner"] == fresh(game).winner
        transaction.set_rollback(True)

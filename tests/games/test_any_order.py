"""Whatever is asked in whatever order: the services keep what tables promise."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from games import engine, tasks
from games.models import Game
from games.services import absence, deals, exchange, tables, turns
from games.services.errors import ServiceError
from tests.games.playing import DAY, NOON, at, chance, differences, fresh, player

pytestmark = pytest.mark.django_db
NAMES = ("Ana", "Bogdan", "Chloé", "Dan")
BANK: dict[str, Any] = {"increment": timedelta(hours=5), "bank_cap": 1.5 * DAY}
HOURS: dict[str, Any] = {"deadline_hour": 20, "quiet_from": 22, "quiet_to": 8, "weekend_pause": True, "zone": "Europe/Bucharest"}

people = st.sampled_from(NAMES)
numbers = st.integers(0, 10_000)
hours = st.integers(0, 60)
before_the_match = st.tuples(st.sampled_from(["join", "leave", "start", "cancel", "lapse"]), people, numbers, hours)
in_the_match = st.tuples(
    st.sampled_from(
        [
            "turn",
            "turn",
            "turn",
            "move",
            "move",
            "answer",
            "stale",
            "run out",
            "run out",
            "serve",
            "settle",
            "resign",
            "join",
            "back",
            "take over",
            "end absences",
        ]
    ),
    people,
    numbers,
    hours,
)


def a_legal_move(game: Game, name: str, number: int) -> str:
    """One of the moves that whoever is on turn has; a take-back where there is none, and now and then."""
    deal = at(game).deal
    legal = engine.legal_moves(deal)
    return engine.move_text(legal[number % len(legal)], deal.rules.alphabet) if legal and number % 7 else "U"


def an_answer(game: Game, name: str, number: int) -> str:
    """One of the answers that a player has in the exchange of doubles, and now and then one that they have not."""
    table = at(game)
    seat = table.seat_of(player(name))
    question = engine.view(table.deal, seat.index).extra.question if seat and table.game.in_exchange else None
    if question is None or number % 7 == 0:
        return "X:spoil"
    return engine.move_text(question.answers[number % len(question.answers)], engine.TILES)


def act(game: Game, what: str, name: str, number: int, now: datetime) -> None:
    """One step, allowed or not."""
    person: dict[str, Any] = {"code": game.code, "user": player(name), "now": now}
    match what:
        case "join" | "leave" | "start" | "cancel":
            verb: Callable[..., Any] = getattr(tables, what)
            verb(**person)
        case "lapse":
            tables.lapse(now=now)
        case "move" | "stale":
            version = fresh(game).version - (what == "stale")
            move = a_legal_move(game, name, number) if fresh(game).started_at else "S"
            turns.play(**person, move=move, version=version, announce=number % 5 == 0)
        case "answer":
            text = an_answer(game, name, number) if fresh(game).started_at else "X:pass"
            exchange.answer(**person, answer=text, deal=game.deals.count() - 1)
        case "turn" if fresh(game).in_exchange:
            exchange.answer(**person, answer=an_answer(game, name, number), deal=game.deals.count() - 1)
        case "turn":
            whole_turn(game, number, now)
        case "run out":
            turns.expire(game_id=game.pk, now=max(now, fresh(game).deadline or now))
        case "serve":
            tasks.serve(game.pk)
        case "settle":
            deals.settle(game_id=game.pk, now=now)
        case "resign":
            turns.resign(**person)
        case "back":
            absence.back(**person)
        case "take over":
            absence.take_over(**person, seat=number % 5)
        case "end absences":
            absence.end(game_id=game.pk, now=now)


def whole_turn(game: Game, number: int, now: datetime) -> None:
    """A few moves of whoever is on turn, until the turn has passed."""
    for step in range(12):
        present = fresh(game)
        if present.status != "running" or present.awaits_server or present.to_move is None:
            return
        user = at(game).seats[present.to_move].user
        assert user is not None
        move = a_legal_move(game, user.username, number + step)
        turns.play(code=game.code, user=user, move=move, version=present.version, now=now)
        if fresh(game).to_move != present.to_move:
            return


def resigned(game: Game) -> set[int]:
    return set(game.seats.filter(resigned=True).values_list("index", flat=True))


def promises(game: Game, before: Game, out: set[int]) -> None:
    """What holds after every step."""
    after = fresh(game)
    assert after.version >= before.version and after.log_length >= before.log_length
    assert (after.version == before.version) == (after.log_length == before.log_length)
    assert (after.deadline is not None) == (after.status == "running")
    if after.deadline is not None and not after.awaits_server and after.deadline_hour is not None:
        there = after.deadline.astimezone(ZoneInfo(after.zone))
        assert there.weekday() < 5 and (there.hour, there.minute) == (20, 0)
    if after.bank_cap is not None:
        assert all(timedelta(0) <= seat.bank <= after.bank_cap for seat in after.seats.all() if seat.bank is not None)
    assert after.in_exchange == (after.status == "running" and at(game).deal.phase == engine.EXCHANGE)
    order = ["open", "running", "finished"]
    if "cancelled" in (before.status, after.status):
        assert before.status in ("open", "cancelled") and after.status == "cancelled"
    else:
        assert order.index(before.status) <= order.index(after.status)
    people_there = [seat.user_id for seat in after.seats.all() if seat.user_id]
    assert len(people_there) == len(set(people_there)) <= after.seat_count
    if after.status in ("running", "finished"):
        assert after.seats.count() == after.seat_count
        assert resigned(game) >= out


@settings(max_examples=35, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    variant=st.sampled_from(["rami500", "remi500", "etalat"]),
    seats=st.integers(2, 4),
    computers=st.integers(0, 2),
    absent_after=st.integers(1, 3),
    excuses=st.integers(0, 2),
    target=st.sampled_from([None, 1, 100]),
    pace=st.sampled_from([{}, BANK, HOURS, BANK | HOURS]),
    seed=st.text("abc", max_size=3),
    steps=st.tuples(st.lists(before_the_match, max_size=6), st.lists(in_the_match, min_size=8, max_size=40)),
)
def test_any_steps_in_any_order(
    variant: str,
    seats: int,
    computers: int,
    absent_after: int,
    excuses: int,
    target: int | None,
    pace: dict[str, Any],
    seed: str,
    steps: tuple[Any, Any],
) -> None:
    terms: dict[str, Any] = {
        "absent_after": absent_after,
        "excuses": excuses,
        "absence_limit": timedelta(hours=90),
        "computers": computers,
        "options": {"target": target},
        **pace,
    }
    with transaction.atomic(), chance(seed, len(seed) % seats):
        now = NOON
        game = tables.create(maker=player("Ana"), variant=variant, seats=seats, turn_time=DAY, now=now, **terms)
        for what, name, number, passed in [*steps[0], ("join", "Bogdan", 0, 0), ("start", "Ana", 0, 0), *steps[1]]:
            now += timedelta(hours=passed)
            before, out = fresh(game), resigned(game)
            try:
                with transaction.atomic():
                    act(game, what, name, number, now)
            except (ServiceError, engine.RuleError):
                assert fresh(game).version == before.version
            promises(game, before, out)
        event(f"{variant} {fresh(game).status}, {game.deals.count()} deals")
        assert differences(game) == []
        transaction.set_rollback(True)

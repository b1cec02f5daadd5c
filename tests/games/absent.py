"""Players who stay away, for the tests: letting turns run out, the server's steps, coming back, taking over."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

from games import engine
from games.models import Game
from games.services import absence, turns
from games.services.errors import ServiceError
from tests.games.playing import (
    NOON,
    at,
    chance,
    fresh,
    player,
    rows,
)


def expire(game: Game) -> datetime:
    """Let the turn run out; when that is."""
    now = fresh(game).deadline
    assert now is not None
    assert turns.expire(game_id=game.pk, now=now)
    return now


def serve(game: Game, now: datetime = NOON, *, count: bool = True) -> int:
    """Let the server take its steps, but not `count` a deal where that is not wanted; how many."""
    rng, steps = random.Random(1), 0
    with chance("next", 0):
        while (count or at(game).deal.phase != engine.OVER) and turns.serve(game_id=game.pk, now=now, rng=rng):
            steps += 1
            assert steps < 400, "it does not stop"
    return steps


def log(game: Game, count: int) -> list[tuple[str, str, int | None]]:
    return [(entry.text, entry.actor, entry.seat) for entry in game.entries.order_by("-number")[:count]][::-1]


def back(game: Game, name: str = "Ana", now: datetime = NOON) -> None:
    absence.back(code=game.code, user=player(name), now=now)


def take_over(game: Game, name: str = "Dan", index: int = 0, now: datetime = NOON) -> None:
    absence.take_over(code=game.code, user=player(name), seat=index, now=now)


def refusal(call: Any, *args: Any, **kwargs: Any) -> str:
    """The code with which a service refuses; nothing has changed."""
    player("Dan")
    before = rows()
    try:
        call(*args, **kwargs)
    except ServiceError as fault:
        assert rows() == before
        return fault.code
    raise AssertionError("it was not refused")


def silent(game: Game) -> None:
    """Let turns run out until nobody plays any more."""
    for _turn in range(20):
        if fresh(game).deserted:
            return
        serve(game)
        if fresh(game).deadline and not fresh(game).awaits_server:
            expire(game)
    raise AssertionError("somebody is still there")

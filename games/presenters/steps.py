"""The steps of a deal that is shown again: its moves as the engine plays them, each with the deal after it.

Plain data of the engine, so that a table, a record that somebody brought along and a referee's case are stepped through
alike. The answers to the exchange of doubles, which are played at once, are one step: so a step has the same number
while the answers are sealed and after.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from games import engine
from games.engine.moves import EXCHANGE, STOCK

PLAYER = "player"


class Made(NamedTuple):
    """A move as it was made: who, what, and where that is known when and by whom it was really done."""

    seat: int
    text: str
    at: datetime | None = None
    actor: str = PLAYER
    name: str = ""
    """Whoever held the seat then, where it was another later in the deal."""
    facts: dict[str, Any] = {}  # noqa: RUF012
    """What everybody may know of it; `steps_of` fills it in."""


class Step(NamedTuple):
    """The moves that lead to it, and the deal after them. The first step is the deal as it was dealt, without any."""

    deal: engine.Deal
    moves: tuple[Made, ...]
    turn: int
    """Which turn of the deal its moves belong to, counted from 1; 0 before the first."""

    @property
    def kind(self) -> str:
        """The letter of its moves in notation; empty of the first step."""
        return self.moves[0].text[:1] if self.moves else ""


def steps_of(start: engine.Deal, moves: Iterable[Made]) -> list[Step]:
    """Play the moves one after the other. Raises RuleError where one is refused."""
    steps = [Step(start, (), 0)]
    ended = 0
    for made in moves:
        before = steps[-1].deal
        after = engine.apply(before, made.seat, made.text)
        move = engine.parse_move(made.text, before.rules.alphabet, tiles=before.rules.tight)
        told = made._replace(facts=engine.told(before, after, move))
        turn = 0 if before.to_move is None else ended + 1
        if made.text[:1] == EXCHANGE and steps[-1].kind == EXCHANGE:
            steps[-1] = Step(after, (*steps[-1].moves, told), turn)
        else:
            steps.append(Step(after, (told,), turn))
        ended += before.to_move is not None and after.to_move != before.to_move
    return steps


def steps_in(texts: Iterable[str]) -> int:
    """How many steps moves make, given in notation."""
    kinds = [text[:1] for text in texts]
    return sum(kind != EXCHANGE or before != EXCHANGE for before, kind in zip(["", *kinds], kinds, strict=False))


def turn_ends(steps: Sequence[Step]) -> list[int]:
    """The steps after which another turn begins: the first, the last, and all that end a turn."""
    last = len(steps) - 1
    return [at for at, step in enumerate(steps) if at in (0, last) or steps[at + 1].turn != step.turn]


def drawn(step: Step, seat: int) -> int | None:
    """What a seat drew from the stock in a step, as its own view has it."""
    if step.kind != STOCK or step.moves[0].seat != seat:
        return None
    return engine.view(step.deal, seat).drew

"""Steps of a replay late in a deal of 300 moves, over real HTTP: the fragment that a step is, with its queries."""

from __future__ import annotations

import random
import time
from statistics import median, quantiles

from games import engine

from .measure import Budget, Line, line
from .server import Client
from .site import Person, Played, begun, people, site

MOVES = 300
SEATS = 8
LATE = 50
"""Steps before the end among which those that are asked for lie."""
LONGEST_STEP = 100.0
"""Milliseconds that a step may take."""
LEAST_STEPS = 20


def run(budget: Budget) -> list[Line]:
    """Every line of the part."""
    with site() as port:
        players = people(SEATS)
        game = _long(begun("remi500", players), players)
        client = Client(port)
        try:
            return [_line(client, game, budget, seat, name) for seat, name in (("0", "one hand"), ("all", "all hands open"))]
        finally:
            client.close()


def _line(client: Client, game: Played, budget: Budget, seat: str, name: str) -> Line:
    chance = random.Random(1)
    _steps(client, game, seat, chance, budget.seconds / 2)
    rounds = [_steps(client, game, seat, chance, budget.seconds) for _round in range(budget.rounds)]
    taken = [each for times in rounds for each in times]
    note = f"p99 {quantiles(taken, n=100)[98]:.1f} ms, {game.version} moves"
    values = [median(times) for times in rounds]
    return line(f"a step, {name}", "ms (p50)", values, asked=LONGEST_STEP, least=False, note=note)


def _steps(client: Client, game: Played, seat: str, chance: random.Random, seconds: float) -> list[float]:
    """How many milliseconds each of some steps took, one after the other."""
    taken: list[float] = []
    began = time.perf_counter()
    while len(taken) < LEAST_STEPS or time.perf_counter() < began + seconds:
        at = game.version - chance.randrange(LATE)
        asked = time.perf_counter()
        had = f"{game.version}.{seat}."
        client.ask("GET", f"/t/{game.code}/deals/0/replay/?to={at}&seat={seat}&had={had}", game.sessions[0], 200)
        taken.append((time.perf_counter() - asked) * 1000)
    return taken


def _long(game: Played, players: list[Person]) -> Played:
    """The game with its first deal played to the end, `version` counting its moves: takes that are taken back make it long."""
    from django.utils import timezone

    from games.models import Game
    from games.services import turns

    chance, made = random.Random(1), 0
    version = Game.objects.get(code=game.code).version
    while (seat := game.deal.to_move) is not None:
        for text in _moves(game.deal, chance, more=made < MOVES):
            turns.play(code=game.code, user=players[seat].user, move=text, version=version + made, now=timezone.now())
            game.deal, made = engine.apply(game.deal, seat, text), made + 1
    if made < MOVES:
        raise RuntimeError(f"the deal is only {made} moves long")
    game.version = made
    return game


def _moves(deal: engine.Deal, chance: random.Random, *, more: bool) -> list[str]:
    """A few moves of the seat on turn: it takes and puts back, draws and discards."""
    legal = engine.legal_moves(deal)
    if deal.phase == engine.PLAY:
        return [engine.move_text(chance.choice([move for move in legal if move.kind == "D"]), engine.CARDS)]
    takes = [engine.move_text(move, engine.CARDS) for move in legal if move.kind == "P"]
    return [*([takes[0], "U"] * 4 if takes and more else []), "S" if deal.stock_left else "E"]

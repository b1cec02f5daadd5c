"""The engine: random playouts beside python-chess, OpenSpiel and RLCard, and what a move of them is made of."""

from __future__ import annotations

import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from games.engine import Deal, Rules, View, apply, deck_text, legal_moves, move_text, rules_for, start, view

from .measure import Budget, Line, Run, interleaved, line, timed
from .peer import Peer

ROOT = Path(__file__).resolve().parents[2]
GAMES = {"Remi 500, 4 seats": ("remi500", 4), "Rami 500, 2 seats": ("rami500", 2)}
CHESS, SPIEL, RLCARD = "python-chess", "OpenSpiel gin_rummy (C++)", "RLCard gin-rummy"
COMMAND_LINE = 250.0
"""Milliseconds in which the command line answers for a record of one deal."""


def run(budget: Budget) -> list[Line]:
    """Every line of the part."""
    peers = {CHESS: Peer("python_chess.py"), SPIEL: Peer("open_spiel_gin.py"), RLCARD: Peer("rlcard_gin.py")}
    there = {name: peer for name, peer in peers.items() if peer.there}
    try:
        return [*_playouts(budget, there), *_pieces(budget, there), _command_line(budget)]
    finally:
        for peer in peers.values():
            peer.close()


# -- playouts ----------------------------------------------------------------------------------------------------


def play_out(rules: Rules, chance: random.Random, seen: list[tuple[Deal, str]] | None = None) -> int:
    """One deal of random legal moves, all of them listed at every step; returns how many were played.

    Where a take has led nowhere everything is taken back and a card is drawn. `seen` gets the states and moves.
    """
    deck = rules.pack()
    chance.shuffle(deck)
    deal, played = start(rules, 0, deck), 0
    while (seat := deal.to_move) is not None:
        moves = legal_moves(deal)
        if moves:
            move = chance.choice(moves)
        else:
            while deal.prev is not None:
                deal = apply(deal, seat, "U")
                played += 1
            move = legal_moves(deal)[0]
        if seen is not None:
            seen.append((deal, move_text(move, rules.alphabet)))
        deal = apply(deal, seat, move)
        played += 1
    return played


def _playouts(budget: Budget, peers: dict[str, Peer]) -> list[Line]:
    runs: dict[str, Run] = {}
    for name, (variant, seats) in GAMES.items():
        rules, chance = rules_for(variant, seats), random.Random(1)
        runs[name] = timed(partial(play_out, rules, chance))
    for name, peer in peers.items():
        runs[name] = peer.run("playout")
    rates = interleaved(runs, budget)
    lines = []
    for name in GAMES:
        for beside in list(peers) or [""]:
            asked = 2.5 if beside == CHESS else None
            theirs = rates.get(beside)
            lines.append(line(f"playouts, {name}", "moves/s", rates[name], beside=beside, theirs=theirs, asked=asked))
    return lines + [line(f"playouts, {peer}", "moves/s", rates[peer]) for peer in peers]


# -- copies, legality, views -------------------------------------------------------------------------------------


def _pieces(budget: Budget, peers: dict[str, Peer]) -> list[Line]:
    deals = {name: _positions(variant, seats) for name, (variant, seats) in GAMES.items()}
    budget = Budget(budget.rounds, budget.seconds / 3)
    runs: dict[str, Run] = {}
    for name, states in deals.items():
        runs[f"copies, {name}"] = timed(partial(_each, Deal.copy, states))
        runs[f"legality, {name}"] = timed(partial(_each, legal_moves, states))
        runs[f"view of a seat, {name}"] = timed(partial(_each, _own_view, states))
    for peer in (CHESS, SPIEL):
        if peer in peers:
            runs[f"copies, {peer}"], runs[f"legality, {peer}"] = peers[peer].run("copy"), peers[peer].run("legal")
    rates = interleaved(runs, budget)
    lines = []
    for what in ("copies", "legality", "view of a seat"):
        for name in GAMES:
            beside = [peer for peer in peers if f"{what}, {peer}" in rates]
            for peer in beside or [""]:
                own = rates[f"{what}, {name}"]
                lines.append(line(f"{what}, {name}", "/s", own, beside=peer, theirs=rates.get(f"{what}, {peer}")))
    return lines


def _positions(variant: str, seats: int) -> list[Deal]:
    seen: list[tuple[Deal, str]] = []
    rules, chance = rules_for(variant, seats), random.Random(2)
    while len(seen) < 800:
        play_out(rules, chance, seen)
    return [deal for deal, _ in seen]


def _each(what: Callable[[Deal], object], states: list[Deal]) -> int:
    for state in states:
        what(state)
    return len(states)


def _own_view(deal: Deal) -> View:
    return view(deal, deal.to_move)


# -- the command line --------------------------------------------------------------------------------------------


def _command_line(budget: Budget) -> Line:
    """`replay` of a record of one deal, start-up included: the processor time that it takes."""
    rules = rules_for("remi500", 4)
    seen: list[tuple[Deal, str]] = []
    play_out(rules, random.Random(3), seen)
    moves = [f"{deal.to_move} {move}" for deal, move in seen]
    first = {"dealer": 0, "deck": deck_text(rules, list(seen[0][0].deck)), "moves": moves}
    record = {"format": "remi-record/1", "variant": "remi500", "seats": ["N", "E", "S", "W"], "deals": [first]}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(record, file)
        file.flush()
        ours = [_milliseconds(["-m", "games.engine", "replay", file.name]) for _ in range(budget.rounds + 1)][1:]
    bare = [_milliseconds(["-c", "pass"]) for _ in range(budget.rounds)]
    note = f"a bare Python takes {statistics.median(bare):.0f} ms"
    return line("command line, replay", "ms", ours, asked=COMMAND_LINE, least=False, note=note)


def _milliseconds(arguments: list[str]) -> float:
    began = _children()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return (_children() - began) * 1_000


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime

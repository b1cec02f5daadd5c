"""Matches of computer players against each other, counted: `python -m games.engine match`."""

from __future__ import annotations

import random
import time
from typing import Any

from .bots import BOTS, Bot
from .deal import EXCHANGE, OVER, Deal, start
from .errors import RuleError
from .exchange import pending
from .match import Match, add_deal, new_match
from .play import apply
from .rules import Rules
from .shuffle import seed_of, shuffled
from .variants import rules_for
from .view import view

MOST_DEALS = 200
"""Deals after which a match is over whatever the totals are: players of random moves would never end one."""


def play_deal(deal: Deal, bots: list[Bot], rng: random.Random) -> tuple[Deal, int]:
    """A deal played to its end by a bot at each seat, and how many moves it took."""
    moves = 0
    while deal.phase != OVER:
        seat = pending(deal)[0] if deal.phase == EXCHANGE else deal.to_move
        assert seat is not None
        deal = apply(deal, seat, bots[seat](view(deal, seat), rng))
        moves += 1
    return deal, moves


def play_match(rules: Rules, bots: list[Bot], seed: str, dealer: int) -> tuple[Match, int]:
    """A match by a bot at each seat, and its moves. The decks and the bots' chance come from the seed."""
    match, moves, dealt = new_match(rules, dealer), 0, 0
    rng = random.Random(f"{seed}/bots")
    while match.winner is None and match.deals < MOST_DEALS:
        deck = shuffled(rules, seed_of(f"{seed}/{dealt}"))
        dealt += 1  # a spoiled deal, which the match does not count, is dealt from another deck (§4.4)
        deal, more = play_deal(start(rules, match.dealer, deck, match.resigned), bots, rng)
        match, moves = add_deal(match, deal), moves + more
    return match, moves


def play_matches(variant: str, names: list[str], matches: int, seed: str) -> dict[str, Any]:
    """Many matches, summed up by bot: points a deal, totals a match. Every series of decks is played once with each seat
    as the first dealer. Raises `bad_record` for a game, a bot or a number of seats that there is not."""
    rules = rules_for(variant, len(names))
    if matches < 1:
        raise RuleError("bad_record", matches=matches)
    for name in names:
        if name not in BOTS:
            raise RuleError("bad_record", bot=name[:40])
    bots = [BOTS[name] for name in names]
    seats = len(names)
    wins, totals = [0] * seats, [0] * seats
    unfinished = moves = deals = 0
    began = time.perf_counter()
    for number in range(matches):
        match, more = play_match(rules, bots, f"{seed}/{number // seats}", number % seats)
        moves += more
        deals += match.deals
        totals = [total + points for total, points in zip(totals, match.totals, strict=True)]
        if match.winner is None:
            unfinished += 1
        else:
            wins[match.winner] += 1
    return {
        "variant": variant,
        "bots": names,
        "matches": matches,
        "wins": wins,
        "mean_points": [round(total / max(deals, 1), 1) for total in totals],
        "mean_totals": [round(total / max(matches, 1), 1) for total in totals],
        "unfinished": unfinished,
        "moves": moves,
        "deals": deals,
        "seconds": round(time.perf_counter() - began, 3),
    }

"""The audit of finished matches: chain, shuffle, replay, scores. All figures are of one process on one core."""

from __future__ import annotations

import random
import time

from .matches import finished
from .measure import Budget, Line, line
from .site import stores

DEALS, MATCHES = 8, 252
"""Deals of a match that are played out, and matches: more than 2,000 deals."""
GAMES = (("rami500", 2), ("remi500", 4), ("etalat", 3))
TEN_THOUSAND = 120.0
"""Seconds in which 10,000 finished deals are audited."""


def run(budget: Budget) -> list[Line]:
    """Every line of the part."""
    stores()
    from games.models import Deal, Entry
    from games.services.audit import audit

    chance = random.Random(1)
    written = [finished(*GAMES[place % len(GAMES)], DEALS, chance) for place in range(MATCHES)]
    shares = [written[place :: budget.rounds] for place in range(budget.rounds)]
    rates, wall = [], 0.0
    for share in shares:
        deals = Deal.objects.filter(game__in=share).count()
        began, used = time.perf_counter(), time.process_time()
        for pk in share:
            if found := audit(game_id=pk):
                raise RuntimeError(f"a match differs from its log: {found[:3]}")
        rates.append(deals / (time.process_time() - used))
        wall += time.perf_counter() - began
    deals, rows = Deal.objects.filter(game__in=written).count(), Entry.objects.filter(game__in=written).count()
    note = f"{deals:,} deals of {rows / deals:.0f} rows each really audited, in {wall:.0f} s by the clock"
    return [
        line("finished deals audited", "deals/s", rates, note=note),
        line("10,000 finished deals", "s", [10_000 / rate for rate in rates], asked=TEN_THOUSAND, least=False),
    ]

"""From results to ratings: no database, no clock. The same results in the same order give the same ratings.

The scale is the one that chess players know: 1,500 to begin with, and who stands 400 higher beats the other ten times out of
eleven. `MODEL` is openskill's Plackett-Luce: a match is the order of those who played it, and moves all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import NamedTuple

from openskill.models import PlackettLuce

START, START_SIGMA = 1500.0, 250.0
LUCK = 125.0
"""How much a match varies around a player's strength: √2·125 is Elo's 400 ÷ ln 10, within two percent."""
DRIFT = 2.5
"""What each match adds to the uncertainty: players change."""
PROVISIONAL_UNDER = 10
"""Matches: before so many a rating says little."""
NINE_OF_TEN = 1.645
"""How many sigmas to both sides hold the true strength nine times out of ten."""

MODEL = PlackettLuce(mu=START, sigma=START_SIGMA, beta=LUCK, kappa=0.0001, tau=DRIFT)


class Holder(NamedTuple):
    """Who is rated: a player by key, or a kind of computer player."""

    user: int | None
    bot: str = ""


class Placed(NamedTuple):
    """A seat of a finished match: whom its result counts for, and the place; those who are level have the same."""

    holder: Holder
    place: int


class Standing(NamedTuple):
    """What is known of somebody's strength in a game."""

    mu: float = START
    sigma: float = START_SIGMA
    matches: int = 0


def counts(result: Sequence[Placed]) -> bool:
    """Whether a match says anything about strength: two different ones have played it."""
    return len({seat.holder for seat in result}) > 1


def after(result: Sequence[Placed], before: Callable[[Holder], Standing]) -> dict[Holder, tuple[Standing, int]]:
    """By holder, the standing after a match that counts, and the best place in it.

    A kind of computer player may hold several seats: each counts against the others as it stood, and the mean of what they
    come to is what it has.
    """
    known = {holder: before(holder) for holder in dict.fromkeys(seat.holder for seat in result)}
    teams = [[MODEL.rating(mu=known[seat.holder].mu, sigma=known[seat.holder].sigma)] for seat in result]
    rated = MODEL.rate(teams, ranks=[float(seat.place) for seat in result])
    found = {}
    for holder, standing in known.items():
        own = [index for index, seat in enumerate(result) if seat.holder == holder]
        mu, sigma = (fmean(getattr(rated[index][0], name) for index in own) for name in ("mu", "sigma"))
        found[holder] = Standing(mu, sigma, standing.matches + 1), min(result[index].place for index in own)
    return found

"""A match: deals up to a target, their totals, who deals next and who has won (rules §1.13, §1.15)."""

from __future__ import annotations

from typing import NamedTuple

from .deal import OVER, Deal
from .errors import RuleError
from .rules import Rules


class Match(NamedTuple):
    """The state of a match between two deals; a value."""

    rules: Rules
    totals: tuple[int, ...]
    dealer: int
    """Who deals next."""
    resigned: frozenset[int] = frozenset()
    winner: int | None = None
    deals: int = 0
    """Deals finished."""


def new_match(rules: Rules, dealer: int) -> Match:
    """A match before its first deal, whose dealer was drawn at random (§1.1)."""
    return Match(rules, (0,) * rules.count, dealer)


def add_deal(match: Match, deal: Deal) -> Match:
    """The match after a finished deal. Raises `match_over`, or `deal_not_over`."""
    if match.winner is not None:
        raise RuleError("match_over")
    scores = deal.scores
    if deal.phase != OVER or scores is None:
        raise RuleError("deal_not_over")
    totals = tuple(total + score for total, score in zip(match.totals, scores, strict=True))
    seats_in = deal.seats_in
    return Match(
        match.rules,
        totals,
        deal.dealer if deal.reason == "spoiled" else _next_seat(match.rules.count, deal.dealer, seats_in),
        deal.resigned,
        _winner(match.rules.target, totals, seats_in),
        match.deals + (deal.reason != "spoiled"),
    )


def _next_seat(count: int, seat: int, seats_in: list[int]) -> int:
    """The next seat still in, to which the deal passes (§1.15)."""
    return next((seat + step) % count for step in range(1, count + 1) if (seat + step) % count in seats_in)


def _winner(target: int | None, totals: tuple[int, ...], seats_in: list[int]) -> int | None:
    """Who has won by now: §1.12 for the last seat left, else §1.13."""
    if len(seats_in) == 1:
        return seats_in[0]
    best = max(totals[seat] for seat in seats_in)
    leaders = [seat for seat in seats_in if totals[seat] == best]
    if len(leaders) > 1 or (target is not None and best < target):
        return None
    return leaders[0]

"""A match: deals up to a target, their totals, who deals next and who has won (rules §1.13, §1.15)."""

from __future__ import annotations

from collections.abc import Sequence, Set
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
    return Match(
        match.rules,
        totals,
        next_dealer(deal, deal.resigned),
        deal.resigned,
        winner(match.rules, totals, deal.resigned),
        match.deals + (deal.reason != "spoiled"),
    )


def next_dealer(deal: Deal, resigned: Set[int], *, void: bool = False) -> int:
    """Who deals after a deal, these seats being out of the match: the next seat still in (§1.15), but the same seat where the
    deal was spoiled (§4.4) or is void.
    """
    if deal.reason == "spoiled" or (void and deal.dealer not in resigned):
        return deal.dealer
    count = deal.rules.count
    seats = ((deal.dealer + step) % count for step in range(1, count + 1))
    return next(seat for seat in seats if seat not in resigned)


def winner(rules: Rules, totals: Sequence[int], resigned: Set[int]) -> int | None:
    """Who has won with these totals, these seats being out of the match: §1.12 for the last seat left, else §1.13."""
    seats_in = [seat for seat in range(rules.count) if seat not in resigned]
    if len(seats_in) == 1:
        return seats_in[0]
    best = max(totals[seat] for seat in seats_in)
    leaders = [seat for seat in seats_in if totals[seat] == best]
    if len(leaders) > 1 or (rules.target is not None and best < rules.target):
        return None
    return leaders[0]

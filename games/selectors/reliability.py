"""How reliable players are: the share of their last turns that they played in time."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, Value
from django.db.models.functions import Length, Replace
from django.db.models.lookups import GreaterThanOrEqual, LessThan

from games.models import Reliability

NEW_UNDER = 10
"""Turns: before so many a share says nothing, and the player counts as new."""


def reliability(user_ids: Iterable[int]) -> dict[int, int | None]:
    """By player, the percentage of the last turns played in time, rounded down; None for who is new.

    Excused turns do not count by themselves: what counts is how the turn ended in its new time.
    """
    wanted = set(user_ids)
    found = dict.fromkeys(wanted, None) | {
        row.user_id: percent(row.recent) for row in Reliability.objects.filter(user__in=wanted)
    }  # fmt: skip
    return found


def percent(recent: str) -> int | None:
    """The share of the turns in time, as `Reliability.recent` keeps them; None while they are few."""
    return None if len(recent) < NEW_UNDER else recent.count("1") * 100 // len(recent)


def less_reliable(least: int) -> Q:
    """Of seats: that their player is less reliable than that, and not new."""
    recent = "user__reliability__recent"
    turns, late = Length(recent), Length(Replace(recent, Value("1"), Value("")))
    return Q(LessThan(100 * (turns - late), least * turns)) & Q(GreaterThanOrEqual(turns, NEW_UNDER))

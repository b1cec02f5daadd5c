"""Who is ahead: the seats of a match in order, and the words for it."""

from __future__ import annotations

from typing import NamedTuple

from games.models import Seat


class Lead(NamedTuple):
    """Who is ahead after a deal; None where the lead is shared."""

    seat: int | None
    won: bool
    """Whether that ended the match."""
    stays: bool
    """Whether that seat was ahead before."""


def ranked(seats: list[Seat], winner: int | None) -> list[Seat]:
    """The seats, best first. The winner leads, who has resigned comes last (§1.12, §1.13)."""
    return sorted(seats, key=lambda seat: (seat.index != winner, seat.resigned, -seat.total, seat.index))

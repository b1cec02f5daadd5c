"""Seats that are offered to a substitute: what whoever takes one over gets with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.people.times import moment
from games import engine, selectors
from games.gamenames import with_tiles
from games.models import Game, Seat
from games.presenters.names import seat_names, table_name
from games.presenters.terms import game_in_words, terms
from games.presenters.times import TimeLeft, time_left
from games.services.store import Table


@dataclass(frozen=True)
class Offer:
    """A seat whose player has stayed away."""

    seat: int
    name: str
    since: str
    """When the computer began to hold it."""
    until: TimeLeft
    """When it resigns."""
    what: str
    """What comes with it: "9 cards and 180 points"."""
    laid: int
    """Points in the deal being played."""
    total: int
    place: int | None
    """By the totals, among those still in the match; None where all have as many points."""


def offers(game: Game, seats: Sequence[Seat], counts: Sequence[int], laid: Sequence[int], now: datetime) -> list[Offer]:
    """The absent seats of a table; `counts` are the cards or tiles that each seat holds."""
    totals = [seat.total for seat in seats if not seat.resigned]
    names = seat_names(seats)
    return [
        Offer(
            seat=seat.index,
            name=names[seat.index],
            since=moment(seat.absent_since),
            until=time_left(seat.absent_until, now),
            what=what_comes(game, counts[seat.index], seat.total),
            laid=laid[seat.index],
            total=seat.total,
            place=_place(seat.total, totals),
        )
        for seat in seats
        if seat.absent_since is not None and seat.absent_until is not None
    ]


def _place(total: int, totals: Sequence[int]) -> int | None:
    """Which of the totals it is; with as many points one has the same place."""
    return None if len(set(totals)) < 2 else 1 + sum(other > total for other in totals)


def what_comes(game: Game, count: int, total: int) -> str:
    """What whoever takes a seat over gets: "9 cards and 180 points"."""
    if with_tiles(game.variant):
        held = ngettext("%(count)d tile", "%(count)d tiles", count) % {"count": count}
    else:
        held = ngettext("%(count)d card", "%(count)d cards", count) % {"count": count}
    points = ngettext("%(count)s point", "%(count)s points", abs(total)) % {"count": f"−{-total}" if total < 0 else total}
    return _("%(held)s and %(points)s") % {"held": held, "points": points}


def offers_context(*, found: Table, user: User | AnonymousUser, now: datetime) -> dict[str, Any]:
    """What the page of a table that looks for a substitute shows: public facts alone."""
    game, seats = found.game, found.seats
    view = engine.view(found.deal, None)
    names = seat_names(seats)
    listed = offers(game, seats, view.counts, view.laid, now)
    return {
        "game": game,
        "name": table_name(game),
        "words": game_in_words(game),
        "offers": listed,
        "headline": _headline(listed),
        "deal_number": found.row.number + 1,
        "players": [
            {"name": names[seat.index], "computer": bool(seat.bot), "absent": seat.absent, "total": seat.total}
            for seat in seats
            if not seat.resigned
        ],
        "sheet": selectors.sheet(game=game),
        "names": names,
        "totals": [seat.total for seat in seats],
        "seated": found.seat_of(user) is not None,
        "terms": terms(game, now=now),
    }


def _headline(listed: list[Offer]) -> str:
    if not listed:
        return _("No seat is free any more")
    if len(listed) == 1:
        return _("The seat of %(name)s is free") % {"name": listed[0].name}
    return ngettext("%(count)d seat is free", "%(count)d seats are free", len(listed)) % {"count": len(listed)}

"""Who held the seats of a match: when a deal was dealt, and when a turn was played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Func, IntegerField, Q

from games.engine import chain
from games.models import Entry, Game, Hand, Seat, Tenure


class Played(NamedTuple):
    """That the moves of a seat in a deal, from one to another, were played for its holder in one way."""

    deal: int
    seat: int
    name: str
    """The holder's; empty for a computer player's seat and for a player who is gone."""
    by: str
    """`player`, `clock`, or `computer`: of a computer player's seat, or in place of an absent player."""
    first: int
    last: int
    """Places in the deal's list of moves, from 0. The other seats' moves between them are theirs."""


def holders(*, game: Game) -> dict[int, list[int | None]]:
    """By number of the deal, who held each seat when it was dealt: for them it counts. None is a computer player."""
    tenures = list(game.tenures.order_by("from_entry"))
    held: dict[int, list[int | None]] = {}
    for number in game.deals.order_by("number").values_list("number", flat=True):
        held[number] = [None] * game.seat_count
        for tenure in tenures:
            if tenure.from_deal <= number:
                held[number][tenure.seat] = tenure.user_id
    return held


def tenures(*, game: Game) -> list[Tenure]:
    """Who held the seats of a match and from when on, with the people, oldest first."""
    return list(game.tenures.select_related("user").order_by("from_entry", "seat"))


def substitutions(*, game: Game, seats: Iterable[Seat]) -> list[Tenure]:
    """`tenures` of a match in which somebody has taken a seat over; of others nothing, and nothing is asked."""
    return tenures(game=game) if any(seat.held_from for seat in seats) else []


def hand_sizes(*, games: Iterable[Game]) -> dict[tuple[int, int], int]:
    """By game and seat, how many cards are held in the deal being played. The cards themselves are not read."""
    held = Hand.objects.filter(deal__game__in=[game.pk for game in games], deal__scored=False, deal__voided=False)
    sizes = held.annotate(size=Func("cards", function="jsonb_array_length", output_field=IntegerField()))
    return {(game, seat): size for game, seat, size in sizes.values_list("deal__game", "seat", "size")}


def played_by(*, game: Game) -> list[Played]:
    """Who played which moves of a match, deal by deal: the player, the clock, or a computer player."""
    held = tenures(game=game)
    found: list[Played] = []
    open_rows: dict[int, int] = {}
    deal, place = -1, -1
    for number, in_deal, seat, actor in _moves(game):
        if in_deal != deal:
            deal, place, open_rows = in_deal, -1, {}
        place += 1
        row = Played(deal, seat, _name(held, seat, number), actor, place, place)
        last = found[open_rows[seat]] if seat in open_rows else None
        if last is not None and (last.name, last.by) == (row.name, row.by):
            found[open_rows[seat]] = last._replace(last=place)
        else:
            open_rows[seat] = len(found)
            found.append(row)
    return found


def _moves(game: Game) -> list[tuple[int, int, int, str]]:
    rows = game.entries.filter(Q(kind=Entry.Kind.MOVE) | Q(text=chain.ROLLED_BACK)).order_by("number")
    return [(row.number, row.deal, row.seat, row.actor) for row in chain.valid_moves(rows)]  # type: ignore[misc]


def _name(held: list[Tenure], seat: int, number: int) -> str:
    """What the holder of a seat at a row of the log is called."""
    holder = next(tenure for tenure in reversed(held) if tenure.seat == seat and tenure.from_entry <= number)
    return holder.user.username if holder.user is not None and holder.user.is_active else ""

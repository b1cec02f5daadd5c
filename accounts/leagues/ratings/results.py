"""What finished matches say: who came where. Points decide, who is level shares the place, who resigned is last.

Of a seat that was taken over, the result is that of who held it for most of the deals, without those that are void; of the
later one where they are level.
Guests are not rated: their seats are left out, and the others are placed among themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from accounts.leagues.ratings.fold import Holder, Placed
from accounts.models import User
from games import selectors
from games.models import Deal, Game, Seat


def results(game_ids: Collection[int]) -> dict[int, list[Placed]]:
    """By match, its seats in order. Two queries for all of them, and four for each in which a seat was taken over."""
    seats: dict[int, list[Seat]] = {game_id: [] for game_id in game_ids}
    fields = ("game_id", "index", "user_id", "bot", "total", "resigned", "held_from")
    for seat in Seat.objects.filter(game__in=seats).order_by("game", "index").only(*fields):
        seats[seat.game_id].append(seat)
    held = {game_id: _holders(game_id, found) for game_id, found in seats.items()}
    users = {holder.user for found in held.values() for holder in found if holder.user is not None}
    guests = set(User.objects.filter(pk__in=users, is_guest=True).values_list("pk", flat=True))
    return {game_id: _placed(found, held[game_id], guests) for game_id, found in seats.items()}


def _holders(game_id: int, seats: list[Seat]) -> list[Holder]:
    """Whom the result of each seat counts for."""
    if not any(seat.held_from for seat in seats):
        return [Holder(seat.user_id, seat.bot) for seat in seats]
    void = set(Deal.objects.filter(game=game_id, voided=True).values_list("number", flat=True))
    by_deal = [held for number, held in selectors.holders(game=Game.objects.get(pk=game_id)).items() if number not in void]
    return [Holder(_longest([held[seat.index] for held in by_deal], seat.user_id), seat.bot) for seat in seats]


def _longest(held: list[int | None], last: int | None) -> int | None:
    """Who held a seat for most of the deals, by who held it in each; `last` where there is none."""
    times = Counter(held)
    return max(reversed(held), key=times.__getitem__, default=last)


def _placed(seats: list[Seat], holders: list[Holder], guests: set[int]) -> list[Placed]:
    rated = [(seat, holder) for seat, holder in zip(seats, holders, strict=True) if holder.user not in guests]
    worth = [(not seat.resigned, 0 if seat.resigned else seat.total) for seat, _holder in rated]
    return [
        Placed(holder, 1 + sum(other > mine for other in worth)) for (_seat, holder), mine in zip(rated, worth, strict=True)
    ]  # fmt: skip

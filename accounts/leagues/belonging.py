"""Whose match it is: the one answer that the limits, the end and the table of a season share.

A match counts for whoever held a seat in the deal that ended it for the seat, when that was dealt: the deal in which the seat
resigned, else the last one. There the ledger has the place (`services.scoring`), and from there the table has it. As long as
that is open, a match is held against those who may yet have it: who holds the seat, and who held it when the last deal was
dealt.
"""

from __future__ import annotations

from collections import Counter

from django.db.models import Max, Q

from accounts.leagues.projection import ledger, places_by
from accounts.models import LeagueMatch, Season, Standing
from games.models import Deal, Game, Seat, Tenure

ALIVE = (Game.Status.OPEN, Game.Status.RUNNING)


def matches_of(season: Season) -> Counter[int]:
    """By player, how many matches of a season are theirs, or may yet be. Once all are over, what the table says."""
    lines = Standing.objects.filter(season=season, matches__gt=0).values_list("player_id", "matches")
    return Counter(dict(lines)) + claims(season)


def claims(season: Season) -> Counter[int]:
    """By player, the matches that count, or may once they have begun, and do not yet say whose they are. Five queries at most."""
    unsettled = season.matches.exclude(counts=False).filter(Q(game__status__in=ALIVE) | Q(waiting=True))
    matches = list(unsettled.select_related("game").order_by("pk"))
    if not matches:
        return Counter()
    holders = _holders(matches)
    rows = ledger(season, matches=[match.pk for match in matches])
    placed = set(places_by(season, rows))
    found: Counter[int] = Counter()
    for match in matches:
        mine: set[int] = set()
        for seat in holders[match.game_id].values():
            if not any((match.pk, user_id) in placed for user_id in seat.ever):
                mine |= seat.may_have
        found.update(mine)
    return found


class _Holders:
    """Of a seat: everybody who has ever held it, and those who may yet have its place."""

    def __init__(self) -> None:
        self.ever: set[int] = set()
        self.may_have: set[int] = set()


def _holders(matches: list[LeagueMatch]) -> dict[int, dict[int, _Holders]]:
    """By game, and seat in it."""
    over = {match.game_id for match in matches if match.game.status not in ALIVE}
    found: dict[int, dict[int, _Holders]] = {match.game_id: {} for match in matches}
    for game_id, index, user_id in Seat.objects.filter(game__in=found, user__isnull=False).values_list("game", "index", "user"):
        holder = found[game_id].setdefault(index, _Holders())
        holder.ever.add(user_id)
        if game_id not in over:
            holder.may_have.add(user_id)
    last = dict(Deal.objects.filter(game__in=found, voided=False).order_by().values_list("game").annotate(Max("number")))
    when_dealt: dict[tuple[int, int], int] = {}
    tenures = Tenure.objects.filter(game__in=found, user__isnull=False).order_by("from_entry")
    for game_id, index, user_id, from_deal in tenures.values_list("game", "seat", "user", "from_deal"):
        found[game_id].setdefault(index, _Holders()).ever.add(user_id)
        if from_deal <= last.get(game_id, 0):
            when_dealt[game_id, index] = user_id
    for (game_id, index), user_id in when_dealt.items():
        found[game_id][index].may_have.add(user_id)
    return found

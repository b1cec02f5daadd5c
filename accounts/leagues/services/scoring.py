"""From counted deals to rows of the ledger. Done twice, by two at once, late or after a crash, each deal is written once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.db import transaction

from accounts.leagues import projection
from accounts.leagues.services.ending import end_if_over, finalise
from accounts.leagues.services.store import lock_matches, lock_season
from accounts.models import LeagueMatch, LedgerRow, Season
from games import selectors
from games.models import Game, Seat
from games.selectors import Tally

Kind = LedgerRow.Kind


@transaction.atomic
def score(*, season_id: int, now: datetime) -> int:
    """Write what the waiting matches of a season have counted and the ledger lacks; how many rows. Then the table is made
    anew, and the season ends if that is its end.
    """
    matches = lock_matches(season=season_id, waiting=True)
    if not matches:
        return 0
    season = lock_season(pk=season_id)
    rows = write(season, matches, now)
    end_if_over(season, projection.rebuild(season, changed=touched(matches, rows)), now)
    finalise(season)
    return len(rows)


def write(season: Season, matches: Sequence[LeagueMatch], now: datetime) -> list[LedgerRow]:
    """Write the rows that the ledger lacks of matches, all locked, which then wait no more."""
    rows = [row for match in matches for row in _missing(season, match, now)]
    LedgerRow.objects.bulk_create(rows, batch_size=1_000)
    LeagueMatch.objects.filter(pk__in=[match.pk for match in matches]).update(waiting=False)
    return rows


def touched(matches: Sequence[LeagueMatch], rows: Sequence[LedgerRow]) -> list[LeagueMatch]:
    """Those of the matches that have waited until now, or got some of the rows: their changes of rank are others now."""
    grown = {row.match_id for row in rows}
    return [match for match in matches if match.waiting or match.pk in grown]


def _missing(season: Season, match: LeagueMatch, now: datetime) -> list[LedgerRow]:
    if not match.counts:
        return []
    standing, known = deals_of(match)
    return rows_of(season, match, standing, [number for number in standing if number not in known], now)


def deals_of(match: LeagueMatch) -> tuple[dict[int, int], set[int]]:
    """The deals of a match that count in the game and that no ruling has made void, by number, with their counting; and
    those of them that the ledger has.
    """
    listed = match.rows.filter(deal__isnull=False).values_list("deal__number", "counting", "kind").distinct()
    void = {(number, counting) for number, counting, kind in listed if kind == Kind.VOID}
    known = {(number, counting) for number, counting, kind in listed if kind != Kind.VOID}
    times = selectors.counted(game_id=match.game_id)
    standing = {number: counting for number, counting in times.items() if (number, counting) not in void}
    return standing, {number for number, counting in standing.items() if (number, counting) in known}


def places_of(season: Season, match: LeagueMatch) -> dict[int, int]:
    """By player, the place in the match, by the deals that the ledger has and that are not void."""
    standing, known = deals_of(match)
    rows = rows_of(season, match, standing, sorted(known), match.made_at)
    return places_outside_deals(season, match) | {row.player_id: row.place for row in rows if row.place is not None}


def places_outside_deals(season: Season, match: LeagueMatch) -> dict[int, int]:
    """The places of those who resigned in a deal that is void now: they are out of the match all the same."""
    end, left = projection.last_moment(season), selectors.left_in_void(game=match.game) if match.counts else []
    if not left:
        return {}
    held = selectors.holders(game=match.game)
    found = {held[one.number][one.seat]: one.still + 1 for one in left if end is None or one.at <= end}
    return {user_id: place for user_id, place in found.items() if user_id is not None}


def rows_of(
    season: Season, match: LeagueMatch, standing: Mapping[int, int], wanted: Collection[int], now: datetime
) -> list[LedgerRow]:  # fmt: skip
    """What the `wanted` ones of the deals that stand say in the ledger: a row for each person who held a seat dealt to.

    None of a deal that was over after the end of the season. How many people are still in does not matter: a match counts for
    what it was when it began (`matches.begun`), and who stays to its end has all of it.
    """
    if not wanted:
        return []
    game, end, last = match.game, projection.last_moment(season), max(standing)
    seats, held = list(game.seats.order_by("index")), selectors.holders(game=game)
    left = {seat: number for seat, (number, _at) in selectors.left_for_good(game=game).items()}
    rows: list[LedgerRow] = []
    for tally in selectors.tallies(game=game, times={number: standing[number] for number in wanted}):
        people = {seat: held[tally.number][seat] for seat in sorted(tally.dealt_in)}
        if end and tally.first_at > end:
            continue
        places = _places(game, seats, tally, left, is_last=tally.number == last)
        for seat, user_id in people.items():
            if user_id is not None and not (tally.spoiled and seat not in tally.resigned):
                rows.append(_row(season, match, tally, seat, user_id, places.get(seat), end, now))
    return rows


def _row(
    season: Season, match: LeagueMatch, tally: Tally, seat: int, user_id: int, place: int | None, end: datetime | None,
    now: datetime,
) -> LedgerRow:  # fmt: skip
    """A forfeit is a deal in which the seat resigned, or whose last turn a computer took for it: it counts what the rules
    give, but at most what the league says. A deal that a ruling had played on after the season counts as at its end.
    """
    score = tally.scores[seat]
    forfeit = seat in tally.resigned or seat in tally.left_to_computer
    return LedgerRow(
        season=season, match=match, deal_id=tally.pk, counting=tally.counting, player_id=user_id,
        kind=Kind.FORFEIT if forfeit else Kind.PLAYED, points=min(score, match.forfeit) if forfeit else score,
        at=tally.ended_at if end is None else min(tally.ended_at, end), server_turns=tally.served[seat], out=tally.out == seat,
        won=not tally.spoiled and not forfeit and score == max(tally.scores[other] for other in tally.dealt_in),
        place=place, made_at=now,
    )  # fmt: skip


def _places(
    game: Game, seats: Sequence[Seat], tally: Tally, left: Mapping[int, int], *, is_last: bool
) -> dict[int, int]:  # fmt: skip
    """The places in the match that this deal settles, by seat: of those who resigned in it, and of all once it is over.

    `left` tells in which deal a seat has resigned for good: not when it was let in again by a ruling.
    """
    still = len(seats) - len(tally.resigned)
    found = {seat: still + 1 for seat in tally.resigned & tally.dealt_in if left.get(seat) == tally.number}
    if game.status == Game.Status.FINISHED and is_last:
        totals = {seat.index: seat.total for seat in seats if not seat.resigned}
        found |= {seat: 1 + sum(other > total for other in totals.values()) for seat, total in totals.items()}
    return found

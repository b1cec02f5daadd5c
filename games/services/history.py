"""What a ruling does to a match. A referee's case calls these in its transaction, with the game locked and `store.load`ed.

Nothing is taken out of the log: each ruling adds a row to it, by which everything after is reckoned anew. Points are the
scores of the deals that count, with what was adjusted; whoever has won by them has won. A match that is over and is won by
nobody then goes on with a next deal; one that runs is decided when its deal is counted. Each function writes all that it
changes, asks for the server's next step, and answers with the table as it is afterwards. `case` is the key of the dispute.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from games import engine
from games.models import Entry, Game, Seat
from games.services import away, deals, evidence, exchange, news, undoing
from games.services.errors import ServiceError
from games.services.store import LOGGED, Table, advance, call_server, entry_for, save

MOST_POINTS = 10_000
"""Added to or taken from a seat at once."""


def void(table: Table, number: int, *, case: int, now: datetime) -> Table:
    """Deal `number` counts no more. The last one is dealt anew, under the next number and by the same dealer, unless the match
    is decided without it; of an earlier one the points go, and the deals after it stand.

    Raises ServiceError `no_such_deal`, `already_void`.
    """
    row = table.row if number == table.row.number else table.game.deals.filter(number=number).first()
    if row is None:
        raise ServiceError("no_such_deal")
    if row.voided:
        raise ServiceError("already_void")
    _note(table.game, "voided", {"number": number, "case": case}, now=now, deal=number)
    row.voided = True
    row.save(update_fields=["voided"])
    if row.scored:
        _add(table, {hand.seat: -(hand.score or 0) for hand in row.hands.all()})
    if row is table.row:  # its result is no step of the match any more that a player has to go on from
        table.game.seats.filter(seen_deal__lt=number).update(seen_deal=number)
    return _decide(table, now=now)


def go_back(table: Table, entry: int, *, case: int, now: datetime) -> Table:
    """To before the move in row `entry` of the log: the moves since are undone, hands and turn are as they were before it, and
    the clock begins the turn anew. In the last deal alone, counted or not.

    Raises ServiceError `no_such_move`: no move, or one that is undone already; `too_far_back`: in an earlier deal, in one that
    is void, or before the end of the exchange of doubles.
    """
    return undoing.go_back(table, entry, case=case, now=now)


def adjust(table: Table, points: Mapping[int, int], *, case: int, now: datetime) -> Table:
    """Add points to seats, or take some from them. Raises ServiceError `no_such_seat`, `bad_points`."""
    if not points.keys() <= {seat.index for seat in table.seats}:
        raise ServiceError("no_such_seat")
    if not points or not all(type(added) is int and 0 < abs(added) <= MOST_POINTS for added in points.values()):
        raise ServiceError("bad_points")
    told = {str(index): added for index, added in sorted(points.items())}
    _note(table.game, "adjusted", {"points": told, "case": case}, now=now)
    _add(table, points)
    return _decide(table, now=now)


def remove(table: Table, seat: int, *, case: int, now: datetime) -> Table:
    """Have a player leave the match as if they had resigned (§1.12). That it was for a `case` is told by the ruling.

    Raises ServiceError `match_over`, `no_such_seat` (a computer player's neither), `already_resigned`.
    """
    if table.game.status == Game.Status.RUNNING and table.deal.phase == engine.OVER:
        table = deals.settle_locked(table=table, now=now)
    if table.game.status != Game.Status.RUNNING:
        raise ServiceError("match_over")
    found = next((one for one in table.seats if one.index == seat and one.user_id is not None), None)
    if found is None:
        raise ServiceError("no_such_seat")
    if found.resigned:
        raise ServiceError("already_resigned")
    advance(table, seat, "R", actor=Entry.Actor.REFEREE, now=now)
    exchange.resolve(table, now=now)
    save(table, now=now)
    call_server(table.game)
    return table


def reopen(table: Table, *, case: int, now: datetime) -> Table:
    """A match that ended because all others had resigned goes on with a next deal: who resigned last is in it again.

    Raises ServiceError `not_over`; `decided` where somebody has won by points all the same.
    """
    if table.game.status != Game.Status.FINISHED:
        raise ServiceError("not_over")
    back = _who_ended_it(table)
    if _winner(table, back) is not None:
        raise ServiceError("decided")
    _note(table.game, "reopened", {"seats": [seat.index for seat in back], "case": case}, now=now)
    for seat in back:
        seat.resigned = False
        seat.save(update_fields=["resigned"])
    return _deal(table, now=now)


def _who_ended_it(table: Table) -> list[Seat]:
    """The seat whose resignation left but one in the match."""
    out = {seat.index: seat for seat in table.seats if seat.resigned}
    if len(out) < len(table.seats) - 1:
        return []
    moves = evidence.valid_moves(evidence.rows(table.game))
    last = next(move.seat for move in reversed(moves) if move.text == "R" and move.seat in out)
    assert last is not None
    return [out[last]]


# -- reckoning anew --------------------------------------------------------------------------------


def _note(game: Game, event: str, facts: dict[str, Any], *, now: datetime, deal: int | None = None) -> None:
    entry_for(game, text=event, actor=Entry.Actor.REFEREE, deal=deal, facts=facts, now=now).save(force_insert=True)


def _add(table: Table, points: Mapping[int, int]) -> None:
    for seat in table.seats:
        seat.total += points.get(seat.index, 0)
    Seat.objects.bulk_update(table.seats, ["total"])


def _winner(table: Table, back: list[Seat] | None = None) -> int | None:
    """Who has won by the points of the seats, those in `back` not having resigned."""
    resigned = {seat.index for seat in table.seats if seat.resigned and seat not in (back or [])}
    return engine.winner(table.game.rules, [seat.total for seat in table.seats], resigned)


def _decide(table: Table, *, now: datetime) -> Table:
    """What becomes of the match by its points, as they are now."""
    game, winner = table.game, _winner(table)
    running = game.status == Game.Status.RUNNING
    if running and not table.row.voided:
        winner = game.winner  # its deal is played on, and then counted
    elif winner is None:
        return _deal(table, now=now)
    if running and winner is not None:
        _stop(table, now)
        deals.finish(game=game, seats=table.seats, winner=winner, now=now)
    elif winner is not None and winner != game.winner:
        deals.crown(game=game, seats=table.seats, winner=winner, now=now)
    else:
        game.version += 1
        game.save(update_fields=LOGGED)
    return table


def _deal(table: Table, *, now: datetime) -> Table:
    """Deal the next deal of a match that nobody has won: after a void one by its dealer, else in turn."""
    game, row = table.game, table.row
    if game.status == Game.Status.FINISHED:
        deals.take_up(game, now=now)
    else:
        _stop(table, now)
    resigned = {seat.index for seat in table.seats if seat.resigned}
    dealer = engine.next_dealer(table.deal, resigned, void=row.voided)
    table = deals.begin(game=game, seats=table.seats, number=row.number + 1, dealer=dealer, now=now)
    call_server(game)
    return table


def _stop(table: Table, now: datetime) -> None:
    """Nobody is waited for any more in the deal that was played."""
    game = table.game
    for seat in away.end(game, table.seats, now=now) if game.away else ():
        seat.save(update_fields=["vacation_used"])
    news.asks_no_more(game, table.seats, now=now)

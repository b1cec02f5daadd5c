"""Going back to before a move of the last deal, for a referee: what was undone stays in the log."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from games import engine
from games.models import Entry, Game, Hand, Seat
from games.services import audit_seats, away, deals, evidence
from games.services.errors import ServiceError
from games.services.evidence import LogRow
from games.services.store import Table, call_server, note, save


class _Before(NamedTuple):
    """A deal as it was before a move."""

    deal: engine.Deal
    turns: int
    """That had ended by then."""
    drawn: dict[str, int]
    """By seat, how many cards were drawn from the stock since: who has seen what goes back."""


def go_back(table: Table, entry: int, *, case: int, now: datetime) -> Table:
    """`history.go_back`."""
    game = table.game
    rows = evidence.rows(game)
    before = _before(table, entry, evidence.valid_moves(rows))
    if game.away:
        table.counted += away.end(game, table.seats, now=now)
    _uncount(table)
    facts = {"to": entry - 1, "case": case, "drawn": before.drawn}
    note(table, text="rolled_back", kind=Entry.Kind.EVENT, actor=Entry.Actor.REFEREE, facts=facts, now=now)
    _restore_seats(table, entry - 1, rows, before.deal)
    if game.status == Game.Status.FINISHED:
        deals.take_up(game, now=now)
    table.deal, table.row.turns = before.deal, before.turns
    table.row.reason, table.row.out, table.row.ended_at = "", None, None
    game.to_move = None  # so that the turn begins anew, whosever it is, and nobody is charged for what is undone
    save(table, now=now)
    call_server(game)
    return table


def _before(table: Table, entry: int, moves: list[LogRow]) -> _Before:
    """The last deal as it was before a row. Raises ServiceError as `go_back` does."""
    found = next((move for move in moves if move.number == entry), None)
    if found is None:
        raise ServiceError("no_such_move")
    row = table.row
    if row.voided or found.deal != row.number:
        raise ServiceError("too_far_back")
    mine = [move for move in moves if move.deal == row.number]
    deal, turns, drawn = evidence.as_dealt(table.game, row, mine), 0, dict[str, int]()
    before, turns_before = deal, 0
    for move in mine:
        assert move.seat is not None
        if move is found:
            before, turns_before = deal, turns
        after = engine.apply(deal, move.seat, move.text)
        if move.number >= entry and after.drawn > deal.drawn:
            seat = str(move.seat)
            drawn[seat] = drawn.get(seat, 0) + after.drawn - deal.drawn
        turns += deal.to_move is not None and after.to_move != deal.to_move
        deal = after
    if before.phase == engine.EXCHANGE:
        raise ServiceError("too_far_back")
    return _Before(before, turns_before, drawn)


def _uncount(table: Table) -> None:
    """Take back the counting of the last deal, where it was counted: its result will be another, to be seen anew."""
    row = table.row
    if not row.scored:
        return
    row.scored = False
    row.save(update_fields=["scored"])
    for seat, hand in zip(table.seats, table.hands, strict=True):
        seat.total -= hand.score or 0
        hand.score = None
    Hand.objects.bulk_update(table.hands, ["score"])
    Seat.objects.bulk_update(table.seats, ["total"])
    table.game.seats.filter(seen_deal__gte=row.number).update(seen_deal=row.number - 1)


def _restore_seats(table: Table, to: int, rows: list[LogRow], deal: engine.Deal) -> None:
    """Who is in the match, how many turns have run out, and what is in the banks: as it was after row `to`."""
    undone = table.entries[-1]
    at = LogRow._make(getattr(undone, name) for name in LogRow._fields)
    told = audit_seats.told(table.seats, [*rows, at])
    banks = _banks(table, to)
    for seat in table.seats:
        then = told[seat.index]
        seat.resigned, seat.excused, seat.expired = seat.index in deal.resigned, then.excused, then.expired
        if not then.absent:
            seat.absent_since = seat.absent_until = None
        seat.bank = banks.get(seat.index, seat.bank)
    changed = ["resigned", "excused", "expired", "absent_since", "absent_until", "bank"]
    Seat.objects.bulk_update(table.seats, changed)


def _banks(table: Table, to: int) -> dict[int, timedelta]:
    """By seat, what was in the bank before the first row after `to` that took time from it. A later holder has another."""
    found: dict[int, timedelta] = {}
    held_from = {seat.index: seat.held_from for seat in table.seats}
    taken = Entry.objects.filter(game=table.game, number__gt=to, bank__isnull=False).order_by("number")
    for number, banks in taken.values_list("number", "bank"):
        for index, seconds in (banks or {}).items():
            if number >= held_from[int(index)]:
                found.setdefault(int(index), timedelta(seconds=seconds))
    return found

"""Who is told what of a table: from its services to the outbox of messages, in the transaction of what is told of.

Of a table that is played at, the rows about to be written to its log say what has happened. Facts hold what everybody at
the table may know, and nobody's cards.

A message is told once by its key, which has the length of the log in it: after a ruling a turn, a deal's end or a match's may
come a second time.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.utils.translation import override

from accounts.models import User
from accounts.people import messages
from games.gamenames import game_name
from games.models import Entry, Game, Seat

if TYPE_CHECKING:
    from games.services.store import Table

ABOUT_OTHERS = ("excused", "absent", "back", "taken_over")
ABOUT_ITS_OWN = ("absent",)
TIME_ANEW = ("excused", "back", "taken_over")
"""What gives the seat on turn its full time again: its turn is told anew, so that it is reminded of it too."""


def about(game: Game) -> dict[str, Any]:
    """The facts about a table that every message about it has: its name, and its game as the catalogue has it."""
    with override("en"):
        return {"title": game.title, "game": game_name(game.variant)}


def name_of(seat: Seat) -> str:
    """A player's name; none for a computer player, and a sign for who is gone, whom each language calls otherwise."""
    if seat.user is None:
        return ""
    return seat.user.username if seat.user.is_active else messages.GONE


def _beside(seats: Sequence[Seat], index: int) -> list[str]:
    return [name_of(seat) for seat in seats if seat.index != index]


def _people(seats: Sequence[Seat], *, but: int | None = None) -> list[int]:
    """Who plays at a table and has not resigned, but for one seat."""
    return [seat.user_id for seat in seats if seat.user_id is not None and not seat.resigned and seat.index != but]


# -- at a table that is played at ------------------------------------------------------------------


def moved(table: Table, entries: Sequence[Entry], before: int | None, *, now: datetime) -> None:
    """What happened in these rows, and whose turn it is, where it was the turn of seat `before`."""
    for entry in entries:
        if entry.text == "R":
            _resigned(table, entry, now)
        elif entry.text in ABOUT_OTHERS and entry.seat is not None:
            _away(table, entry, now)
        elif entry.text == "vacation" and entry.seat is not None:
            on_vacation(table.game, table.seats, table.seats[entry.seat], now=now)
        elif entry.text == "T" and entry.actor == Entry.Actor.CLOCK:
            _missed(table, entry, "played", now)
    anew = [entry.text for entry in entries if entry.text in TIME_ANEW and entry.seat == table.game.to_move]
    if anew or table.deal.to_move != before:
        _turn(table, entries, before, now, excused="excused" in anew)


def _turn(table: Table, entries: Sequence[Entry], before: int | None, now: datetime, *, excused: bool) -> None:
    """Tell who is on turn, and have what asked for the turn before ask no more. Among computers there is nobody to tell."""
    game, row = table.game, table.row
    seat = None if game.to_move is None or game.awaits_server else table.seats[game.to_move]
    asked = [] if seat is None or seat.user_id is None else [seat.user_id]
    if not asked and before is not None and table.seats[before].user_id is None:
        return
    facts = about(game) | {"deal": row.number, "turn": row.turns, "span": game.allowance / timedelta(seconds=1)}
    if seat is not None:
        facts |= {"with": _beside(table.seats, seat.index)} | ({"excused": True} if excused else {})
    by_clock = any(entry.actor == Entry.Actor.CLOCK for entry in entries)
    key = f"{game.code}:{row.number}.{row.turns}:{game.log_length}"
    messages.post(
        kind="turn", user_ids=asked, key=key, game=game.code, facts=facts, until=game.deadline, now=now,
        why="expired" if by_clock else "played",
    )  # fmt: skip


def _resigned(table: Table, entry: Entry, now: datetime) -> None:
    if entry.actor == Entry.Actor.CLOCK:
        _missed(table, entry, "resigned", now)
    if entry.actor != Entry.Actor.REFEREE:  # a ruling is told of by itself
        _to_others(table, entry, "resigned", now)


def _away(table: Table, entry: Entry, now: datetime) -> None:
    if entry.text in ABOUT_ITS_OWN:
        _missed(table, entry, entry.text, now)
    _to_others(table, entry, entry.text, now)


def _missed(table: Table, entry: Entry, what: str, now: datetime) -> None:
    """Tell a player what has become of the own turn, or seat."""
    assert entry.seat is not None
    user_id = table.seats[entry.seat].user_id
    if user_id is not None:
        key, facts = f"{table.game.code}:{entry.number}", about(table.game) | {"news": what}
        messages.post(kind="missed", user_ids=[user_id], key=key, game=table.game.code, facts=facts, now=now)


def _to_others(table: Table, entry: Entry, what: str, now: datetime) -> None:
    assert entry.seat is not None
    game, seat = table.game, table.seats[entry.seat]
    facts = about(game) | {"news": what, "who": name_of(seat)}
    others = _people(table.seats, but=seat.index)
    messages.post(kind="away", user_ids=others, key=f"{game.code}:{entry.number}", game=game.code, facts=facts, now=now)


def on_vacation(game: Game, seats: Sequence[Seat], seat: Seat, *, now: datetime) -> None:
    """Tell the others, once, that the clock stands because a player is on vacation, and until when."""
    day = "" if seat.vacation is None else seat.vacation.last_day.isoformat()
    facts = about(game) | {"news": "vacation", "who": name_of(seat), "day": day}
    others, key = _people(seats, but=seat.index), f"{game.code}:vacation:{game.away_for}"
    messages.post(kind="away", user_ids=others, key=key, game=game.code, facts=facts, now=now)


def paused(game: Game, event: str, by: int | None, *, now: datetime) -> None:
    """What becomes of a pause, told to all at the table but the one whose doing it is. The row of its event is written."""
    seats = list(game.seats.select_related("user"))
    facts = about(game) | {"news": event, "who": "" if by is None else name_of(seats[by])}
    key = f"{game.code}:{game.log_length}"
    messages.post(kind="away", user_ids=_people(seats, but=by), key=key, game=game.code, facts=facts, now=now)


def goes_on(game: Game, *, now: datetime) -> None:
    """Have a player whose clock has stood, and runs again, be reminded in time: a short rest may be over before long."""
    if game.deadline is not None:
        messages.goes_on(game=game.code, now=now)


def replaced(table: Table, user_id: int, by: User, *, now: datetime) -> None:
    """Tell who was absent that somebody has taken the seat over."""
    game = table.game
    facts = about(game) | {"news": "taken_over", "who": by.username}
    messages.post(kind="missed", user_ids=[user_id], key=f"{game.code}:{game.log_length}", game=game.code, facts=facts, now=now)


def exchange(table: Table, asked: Collection[int], *, now: datetime) -> None:
    """Ask the players of these seats for their answer to the exchange of doubles. Nobody else learns of it."""
    game, row = table.game, table.row
    own = {
        seat.user_id: {"with": _beside(table.seats, seat.index)}
        for seat in table.seats
        if seat.index in asked and seat.user_id is not None
    }
    facts = about(game) | {"deal": row.number, "exchange": True, "span": game.allowance / timedelta(seconds=1)}
    key = f"{game.code}:{row.number}.x:{game.log_length}"
    messages.post(kind="turn", user_ids=own.keys(), key=key, game=game.code, facts=facts, own=own, until=game.deadline, now=now)


def asks_no_more(game: Game, seats: Sequence[Seat], *, now: datetime) -> None:
    """What asked for a move at a table need not be told any more: its deal is not played on."""
    players = [seat.user_id for seat in seats if seat.user_id is not None]
    messages.close(game=game.code, user_ids=players, why="over", now=now)


def answered(game: Game, user: User, *, now: datetime) -> None:
    """An answer to the exchange has been given: its player is asked no more."""
    messages.close(game=game.code, user_ids=[user.pk], why="played", now=now)


def deal_over(game: Game, seats: Sequence[Seat], *, deal: int, scores: Sequence[int], now: datetime) -> None:
    """Tell how a deal ended: each player the own points."""
    facts = about(game) | {"deal": deal, "scores": list(scores), "totals": [seat.total for seat in seats]}
    own = {seat.user_id: {"seat": seat.index} for seat in seats if seat.user_id is not None and not seat.resigned}
    _to_each(game, "deal_over", f"{game.code}:{deal}:{game.log_length}", facts, own, now)


def match_over(game: Game, seats: Sequence[Seat], *, winner: int, now: datetime) -> None:
    """Tell who has won, those who have resigned too. Whose absence ended it learns so here: this takes the place of the word
    that the seat has resigned.
    """
    facts = about(game) | {"winner": winner, "who": name_of(seats[winner]), "totals": [seat.total for seat in seats]}
    why = {index: {"news": "resigned"} for index in _lost_by_absence(game, seats)}
    own = {seat.user_id: {"seat": seat.index, **why.get(seat.index, {})} for seat in seats if seat.user_id is not None}
    _to_each(game, "match_over", f"{game.code}:{game.log_length}", facts, own, now)


def _lost_by_absence(game: Game, seats: Sequence[Seat]) -> list[int]:
    """The seats of players that the clock has resigned, and neither they themselves nor a referee."""
    resigned = [seat.index for seat in seats if seat.resigned and seat.user_id is not None]
    if not resigned:
        return []
    last = game.entries.filter(text="R", seat__in=resigned).order_by("seat", "-number").distinct("seat")
    return [entry.seat for entry in last if entry.seat is not None and entry.actor == Entry.Actor.CLOCK]


def _to_each(
    game: Game, kind: str, key: str, facts: Mapping[str, Any], own: Mapping[int, Mapping[str, Any]], now: datetime
) -> None:
    messages.post(kind=kind, user_ids=own.keys(), key=key, game=game.code, facts=facts, own=own, now=now)


# -- before the first deal -------------------------------------------------------------------------


def joined(game: Game, seats: Sequence[Seat], newcomer: Seat, *, now: datetime) -> None:
    """Tell those who wait that somebody sits down."""
    facts = about(game) | {"who": name_of(newcomer), "free": game.seat_count - len(seats)}
    key = f"{game.code}:{game.log_length}"
    others = _people(seats, but=newcomer.index)
    messages.post(kind="joined", user_ids=others, key=key, game=game.code, facts=facts, now=now)


def started(game: Game, seats: Sequence[Seat], by: User, *, now: datetime) -> None:
    """Tell all but the one by whom it began that the match has begun."""
    own = {seat.user_id: {"with": _beside(seats, seat.index)} for seat in seats if seat.user_id and seat.user_id != by.pk}
    messages.post(kind="started", user_ids=own.keys(), key=game.code, game=game.code, facts=about(game), own=own, now=now)


def invited(game: Game, seats: Sequence[Seat], user: User, by: User, *, now: datetime) -> None:
    """Tell a player of the invitation to a table."""
    facts = about(game) | {"who": by.username, "with": [name_of(seat) for seat in seats]}
    messages.post(kind="invitation", user_ids=[user.pk], key=game.code, game=game.code, facts=facts, now=now)


def mentioned(game: Game, user_ids: Collection[int], by: User, number: int, path: str, *, now: datetime) -> None:
    """Tell people that somebody called them by name in the chat; `path` leads there."""
    facts = about(game) | {"who": by.username, "path": path}
    messages.post(kind="mention", user_ids=user_ids, key=f"{game.code}:{number}", game=game.code, facts=facts, now=now)

"""A table in memory while its row is locked: loading it, moving it on, writing it back.

`Table` is what every service works on. `advance` plays one move and writes its row of the log; `save` writes the
snapshot once, after the last move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from games import engine
from games.engine.chain import Told
from games.models import Deal, Entry, Game, Hand, Outage, Seat, Tenure, Watch
from games.services import away, clocks, evidence, news, owed, rows
from games.services.errors import NoSuchTable
from remi_site.celery import send

SERVE = "games.tasks.serve"
LOGGED = ("version", "log_length", "log_head")
"""What changes of a game with every row of its log, for whoever does not `save` a table."""


@dataclass
class Table:
    """A running game with its seats, its present deal as rows, and the same deal as the engine has it."""

    game: Game
    seats: list[Seat]
    row: Deal
    hands: list[Hand]
    deal: engine.Deal
    outages: list[Outage] = field(default_factory=list)
    """Those for which some clock, perhaps this one, has still to get its time back."""
    watch: Watch | None = None
    entries: list[Entry] = field(default_factory=list)
    """Rows of the log made by this service, not yet written."""
    ended: dict[int, str] = field(default_factory=dict)
    """By player, the turns that ended in this service, as `Reliability` writes them; not yet written."""
    counted: list[Seat] = field(default_factory=list)
    """Seats whose bank, expired turns or time of vacations have changed; not yet written."""
    tenures: list[Tenure] = field(default_factory=list)
    """Who has held the seats, where somebody has taken one over, oldest first."""

    def owed(self, now: datetime) -> timedelta:
        """What outages owe to a clock that stops now."""
        return owed.span(self.game, owed.owing(self.game, self.outages)) + owed.so_far(self.game, self.watch, self.outages, now)

    def seat_of(self, user: Any) -> Seat | None:
        """The seat of a player, or None."""
        return next((seat for seat in self.seats if seat.user_id is not None and seat.user_id == user.pk), None)


def lock(**which: Any) -> Game:
    """The game's row, locked until the transaction ends. Raises NoSuchTable."""
    try:
        return Game.objects.select_for_update().get(**which)
    except Game.DoesNotExist:
        raise NoSuchTable from None


def load(game: Game) -> Table:
    """The seats and the present deal of a game that has begun, in one query."""
    row, hands, seats, outages, watch, tenures = rows.read(game)
    deal = engine.load(game.rules, row.deck, row.state, [hand.cards for hand in hands])
    return Table(game, seats, row, hands, deal, outages, watch, tenures=tenures)


def seated(*, code: str, user: Any) -> tuple[Table, Seat]:
    """The locked table and the player's seat; NoSuchTable where the game has none or has not begun."""
    game = lock(code=code)
    if game.status not in (Game.Status.RUNNING, Game.Status.FINISHED):
        raise NoSuchTable
    table = load(game)
    seat = table.seat_of(user)
    if seat is None:
        raise NoSuchTable
    return table, seat


def advance(table: Table, seat: int, move: str, *, actor: Entry.Actor, now: datetime) -> None:
    """Play a move and note it in the log. Raises RuleError, with nothing changed."""
    before = table.deal
    after = engine.apply(before, seat, move)
    table.deal = after
    facts = engine.told(before, after, engine.parse_move(move, before.rules.alphabet, tiles=before.rules.tight))
    note(table, text=move, kind=Entry.Kind.MOVE, actor=actor, seat=seat, facts=facts, now=now)
    if before.to_move is not None and after.to_move != before.to_move:
        table.row.turns += 1
        _mark(table, seat, move, actor)
    # the answers stay sealed while the deal lasts: these rows are what the log shows of them
    if "exchanged" in facts:
        note(table, text="exchanged", kind=Entry.Kind.EVENT, actor=Entry.Actor.SERVER, now=now)
    if "by" in facts:
        note(table, text="spoiled", kind=Entry.Kind.EVENT, actor=Entry.Actor.SERVER, facts={"by": facts["by"]}, now=now)


def _mark(table: Table, seat: int, move: str, actor: Entry.Actor) -> None:
    """Count a turn that has ended for or against its player's reliability. Resigning is no turn, and a vacation no time.

    Of an account that is closed no figure is kept, while the computer plays on for its seat.
    """
    player = table.seats[seat].user
    if player is not None and player.is_active and move != "R" and not table.game.away:
        table.ended[player.pk] = table.ended.get(player.pk, "") + ("1" if actor == Entry.Actor.PLAYER else "0")


def ends_a_turn(entry: Told) -> bool:
    """Whether a move of the log ended its seat's turn: a discard, or what ended the deal. Resigning is no turn."""
    return entry.text[:1] in ("D", "T", "E", "C") or ("over" in entry.facts and entry.text[:1] not in ("R", "X"))


def note(
    table: Table, *, text: str, kind: Entry.Kind, actor: Entry.Actor, now: datetime, seat: int | None = None, facts: Any = None
) -> None:
    """Add a row to the log of a table that has a deal."""
    deal = table.row.number
    table.entries.append(entry_for(table.game, text=text, kind=kind, actor=actor, seat=seat, deal=deal, facts=facts, now=now))


def entry_for(
    game: Game, *, text: str, actor: Entry.Actor, now: datetime, kind: Entry.Kind = Entry.Kind.EVENT, seat: int | None = None,
    deal: int | None = None, facts: Any = None,
) -> Entry:  # fmt: skip
    """The next row of a game's log, unsaved; the game counts it and its head is that row's hash. Not to be changed after.

    Whoever writes the row writes `log_length` and `log_head` of the game too.
    """
    entry = Entry(
        game=game, number=game.log_length, at=evidence.kept(now), kind=kind, actor=actor, seat=seat, deal=deal, text=text,
        facts=facts or {},
    )  # fmt: skip
    evidence.chain(entry, game)
    game.log_length += 1
    return entry


def save(table: Table, *, now: datetime) -> None:
    """Write the log, the snapshot, whose turn it is and until when. What has not changed is not written."""
    deal, row = table.deal, table.row
    row.state, cards = engine.dump(deal)
    if deal.phase == engine.OVER and not row.reason:
        row.reason, row.out, row.ended_at = deal.reason or "", deal.out, now
    laid, changed = deal.rules.laid_points(deal), []
    for hand in table.hands:
        if hand.cards != cards[hand.seat] or hand.laid != laid[hand.seat]:
            hand.cards, hand.laid = cards[hand.seat], laid[hand.seat]
            changed.append(hand)
    for seat in table.seats:
        if seat.index in deal.resigned and not seat.resigned:
            seat.resigned, seat.absent_since, seat.absent_until = True, None, None
            seat.save(update_fields=["resigned", "absent_since", "absent_until"])
    entries, before = table.entries, table.game.to_move
    _pass_turn(table, now)
    rows.write(game=table.game, deal=row, hands=changed, seats=_once(table.counted), entries=entries, ended=table.ended)
    news.moved(table, entries, before, now=now)
    table.entries, table.ended, table.counted = [], {}, []


def _once(seats: Sequence[Seat]) -> list[Seat]:
    return list({seat.index: seat for seat in seats}.values())


def _pass_turn(table: Table, now: datetime) -> None:
    """A new version of the game. The clock starts anew only with the turn; a deal to count is due at once.

    A clock that neither runs nor stands is that of a deal just dealt: its first turn, or its exchange of doubles, starts it.
    """
    game, deal = table.game, table.deal
    over = deal.phase == engine.OVER
    passed = deal.to_move != game.to_move
    if passed and game.to_move is not None:
        seat = table.seats[game.to_move]
        clocks.push(game, table.owed(now))  # a bank does not pay for it
        _charge(table, seat, now)
    if game.away and (passed or over):
        table.counted += away.end(game, table.seats, now=now)
    game.deserted = is_deserted(table.seats)
    if over:
        clocks.due(game, now=now)
    elif passed or (game.deadline is None and game.left is None):
        seat_on_turn = None if deal.to_move is None else table.seats[deal.to_move]
        _stand_for_the_away(table, deal.to_move, now)
        clocks.start(game, clocks.time_for(game, seat_on_turn), now=now)
    else:
        if game.away and deal.to_move is None:
            _look_who_is_away(table, now)
        clocks.set_running(game, now=now)
    game.to_move = deal.to_move
    by_computer = deal.to_move is not None and table.seats[deal.to_move].by_computer
    game.awaits_server = over or (by_computer and not game.deserted)
    game.version += 1


def _stand_for_the_away(table: Table, to_move: int | None, now: datetime) -> bool:
    """Whether the clock stands because somebody is away: that is noted."""
    seat = away.begin(table.game, away.concerned(table.seats, to_move), now=now)
    if seat is not None:
        note(table, text="vacation", kind=Entry.Kind.EVENT, actor=Entry.Actor.SERVER, seat=seat.index, now=now)
    return seat is not None


def _look_who_is_away(table: Table, now: datetime) -> None:
    """In the exchange of doubles: for whom the clock stood may have left the match, with nobody else away."""
    if not away.is_over(table.game, table.seats, now=now):
        return
    former = away.holder(table.game, table.seats)
    table.counted += away.end(table.game, table.seats, now=now)
    if not _stand_for_the_away(table, None, now) and former is not None:
        facts = {"left": True}
        note(
            table, text="vacation_over", kind=Entry.Kind.EVENT, actor=Entry.Actor.SERVER, seat=former.index, facts=facts, now=now
        )


def _charge(table: Table, seat: Seat, now: datetime) -> None:
    """Take from its bank what the turn of a seat has used."""
    before = seat.bank
    if clocks.charge(table.game, seat, table.entries, now=now):
        mark_bank(table, seat, before)
        table.counted.append(seat)


def mark_bank(table: Table, seat: Seat, before: timedelta | None) -> None:
    """Have the last row of the log remember what was in a bank before: whoever undoes the row gives it back."""
    if before is not None:
        table.entries[-1].bank = {str(seat.index): before.total_seconds()}


def is_deserted(seats: Sequence[Seat]) -> bool:
    """Whether every player still in the match is absent: then no computer plays on, and the table waits for them."""
    players = [seat for seat in seats if seat.user_id is not None and not seat.resigned]
    return bool(players) and all(seat.absent for seat in players)


def call_server(game: Game) -> None:
    """Once committed, ask a worker for the server's next step, if that is what the game waits for.

    Whatever fails there, the sweep finds the game, and what was committed stands.
    """
    if game.awaits_server:
        pk = game.pk
        transaction.on_commit(lambda: send(SERVE, pk), robust=True)

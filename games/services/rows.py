"""The rows of a table, in one round trip each way; and queries that are compiled once.

Every move reads and writes the same rows. To compile that anew each time took longer than to play the move, and every
round trip more keeps the game locked longer: so these two statements are written out. All else goes through the ORM.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.db import DEFAULT_DB_ALIAS, connection, models

from accounts.models import User, Vacation
from games.models import Deal, Entry, Game, Hand, Outage, Reliability, Seat, Tenure, Watch

# The newest deal of a game, and with it the hands of that deal and the seats with the names of their people.
_READ = """
SELECT deal.*,
    (SELECT jsonb_agg(to_jsonb(hand) ORDER BY hand.seat) FROM games_hand hand WHERE hand.deal_id = deal.id) AS hand_rows,
    (SELECT jsonb_agg(to_jsonb(seat) - 'joined_at' || jsonb_build_object(
            'bank', extract(epoch FROM seat.bank), 'vacation_used', extract(epoch FROM seat.vacation_used),
            'vacation', (SELECT to_jsonb(kept) FROM accounts_vacation kept
                         WHERE kept.user_id = seat.user_id AND kept.ended_at IS NULL),
            'player', jsonb_build_object('id', player.id, 'username', player.username, 'is_active', player.is_active,
                'is_guest', player.is_guest))
        ORDER BY seat.index)
     FROM games_seat seat LEFT JOIN accounts_user player ON player.id = seat.user_id
     WHERE seat.game_id = deal.game_id) AS seat_rows,
    (SELECT jsonb_agg(to_jsonb(outage) - 'span' || jsonb_build_object('span', extract(epoch FROM outage.span)))
     FROM games_outage outage WHERE outage.applied_at IS NULL) AS outage_rows,
    (SELECT to_jsonb(watch) FROM games_watch watch) AS watch_row,
    (SELECT jsonb_agg(to_jsonb(held) || jsonb_build_object(
            'player', jsonb_build_object('id', player.id, 'username', player.username, 'is_active', player.is_active))
        ORDER BY held.from_entry, held.seat)
     FROM games_tenure held LEFT JOIN accounts_user player ON player.id = held.user_id
     WHERE held.game_id = deal.game_id
        AND EXISTS (SELECT FROM games_seat taken WHERE taken.game_id = deal.game_id AND taken.held_from > 0)) AS tenure_rows
FROM games_deal deal WHERE deal.game_id = %s ORDER BY deal.number DESC LIMIT 1
"""

_WRITE = """
WITH written AS (
    INSERT INTO games_entry (game_id, number, at, kind, actor, seat, deal, text, facts, hash, salt, bank)
    SELECT %(game)s, number, at, kind, actor, seat, deal, text, facts, hash, salt, bank
    FROM jsonb_to_recordset(%(entries)s::jsonb) AS entry
        (number int, at timestamptz, kind text, actor text, seat smallint, deal smallint, text text, facts jsonb,
         hash text, salt text, bank jsonb)
), played AS (
    UPDATE games_deal SET state = %(state)s::jsonb, turns = %(turns)s, reason = %(reason)s, out = %(out)s, ended_at = %(over_at)s
    WHERE id = %(deal)s
), held AS (
    UPDATE games_hand SET cards = changed.cards, laid = changed.laid
    FROM jsonb_to_recordset(%(hands)s::jsonb) AS changed (id bigint, cards jsonb, laid int)
    WHERE games_hand.id = changed.id
), charged AS (
    UPDATE games_seat SET bank = make_interval(secs => changed.bank), expired = changed.expired,
        vacation_used = make_interval(secs => changed.vacation_used)
    FROM jsonb_to_recordset(%(seats)s::jsonb) AS changed (id bigint, bank float8, expired smallint, vacation_used float8)
    WHERE games_seat.id = changed.id
), reliable AS (
    INSERT INTO games_reliability (user_id, recent) SELECT key::int, value FROM jsonb_each_text(%(ended)s::jsonb)
    ON CONFLICT (user_id) DO UPDATE SET recent = right(games_reliability.recent || excluded.recent, %(kept)s)
)
UPDATE games_game SET status = %(status)s, started_at = %(started_at)s, version = %(version)s, log_length = %(log_length)s,
    log_head = %(log_head)s, deadline = %(deadline)s, "left" = %(left)s, grace = %(grace)s, allowance = %(allowance)s,
    ticking_since = %(ticking_since)s, stopped_at = %(stopped_at)s,
    away = %(away)s, away_for = %(away_for)s, away_since = %(away_since)s,
    away_until = %(away_until)s, deserted = %(deserted)s, to_move = %(to_move)s, awaits_server = %(awaits_server)s
WHERE id = %(game)s
"""

# Clocks that are set forward, and the rows of the logs that say so.
_WRITE_PUSHED = """
WITH written AS (
    INSERT INTO games_entry (game_id, number, at, kind, actor, seat, deal, text, facts, hash, salt)
    SELECT game_id, number, at, kind, actor, seat, deal, text, facts, hash, salt
    FROM jsonb_to_recordset(%(entries)s::jsonb) AS entry
        (game_id bigint, number int, at timestamptz, kind text, actor text, seat smallint, deal smallint, text text, facts jsonb,
         hash text, salt text)
)
UPDATE games_game SET deadline = pushed.deadline, grace = make_interval(secs => pushed.grace), pushed_by = pushed.pushed_by,
    version = pushed.version, log_length = pushed.log_length, log_head = pushed.log_head
FROM jsonb_to_recordset(%(games)s::jsonb) AS pushed
    (id bigint, deadline timestamptz, grace float8, pushed_by bigint, version int, log_length int, log_head text)
WHERE games_game.id = pushed.id
"""

_TOLD = ("number", "at", "kind", "actor", "seat", "deal", "text", "facts", "hash", "salt")
Row = TypeVar("Row", bound=models.Model)


def read(game: Game) -> tuple[Deal, list[Hand], list[Seat], list[Outage], Watch | None, list[Tenure]]:
    """The newest deal of a game that has begun, its hands and the game's seats, each in order of the seats; what may owe
    time to the clock: the outages that are still to be applied, and the watch; and the tenures, where somebody has taken a
    seat over.
    """
    found: Any
    [found] = Deal.objects.raw(_READ, [game.pk])
    deal: Deal = found
    deal.game = game
    hands = [_made(Hand, row) for row in json.loads(found.hand_rows)]
    for hand in hands:
        hand.deal = deal
    seats = []
    for row in json.loads(found.seat_rows):
        row["bank"] = None if row["bank"] is None else timedelta(seconds=row["bank"])
        row["vacation_used"] = timedelta(seconds=row["vacation_used"])
        seat = _made(Seat, row)
        seat.absent_since, seat.absent_until = _time(row["absent_since"]), _time(row["absent_until"])
        seat.game, seat.user = game, _player(row)
        seat.vacation = _vacation(row["vacation"])
        seats.append(seat)
    outages = [_outage(row) for row in json.loads(found.outage_rows or "[]")]
    watch = json.loads(found.watch_row or "null")
    watching = watch and _made(Watch, watch | _times(watch, "beat", "maintenance_since"))
    tenures = []
    for row in json.loads(found.tenure_rows or "[]"):
        tenure = _made(Tenure, row)
        tenure.user = _player(row)
        tenures.append(tenure)
    return deal, hands, seats, outages, watching, tenures


def _player(row: dict[str, Any]) -> User | None:
    """Whose a seat or a tenure is; nobody's where it is a computer player's."""
    return _made(User, row["player"]) if row["player"]["id"] else None


def _time(text: str | None) -> datetime | None:
    """A time as JSON writes it."""
    return None if text is None else datetime.fromisoformat(text)


def _times(values: dict[str, Any], *names: str) -> dict[str, datetime | None]:
    return {name: _time(values[name]) for name in names}


def _made(model: type[Row], values: dict[str, Any]) -> Row:
    """A row of a model; columns that were not read are read when they are asked for."""
    names = [field.attname for field in model._meta.concrete_fields if field.attname in values]
    return model.from_db(DEFAULT_DB_ALIAS, names, [values[name] for name in names])


def _outage(values: dict[str, Any]) -> Outage:
    span = None if values["span"] is None else timedelta(seconds=values["span"])
    return _made(Outage, values | _times(values, "began", "ended") | {"span": span})


def _vacation(values: dict[str, Any] | None) -> Vacation | None:
    if values is None:
        return None
    days = {name: date.fromisoformat(values[name]) for name in ("first_day", "last_day")}
    return _made(Vacation, values | days | _times(values, "begins", "ends"))


def write(
    *,
    game: Game,
    deal: Deal,
    hands: Sequence[Hand],
    seats: Sequence[Seat],
    entries: Sequence[Entry],
    ended: Mapping[int, str],
) -> None:
    """The log's new rows, a deal's state and end, these hands, of these seats what a turn counts (bank, expired turns, time of
    vacations), how turns of players ended, and what a move changes of the game.
    """
    held = [{"id": hand.pk, "cards": hand.cards, "laid": hand.laid} for hand in hands]
    values: dict[str, Any] = {
        "entries": _json([{name: getattr(entry, name) for name in (*_TOLD, "bank")} for entry in entries]),
        "deal": deal.pk,
        "state": _json(deal.state),
        "turns": deal.turns,
        "reason": deal.reason,
        "out": deal.out,
        "over_at": deal.ended_at,
        "hands": _json(held),
        "seats": _json([_counts(seat) for seat in seats]),
        "ended": _json(ended),
        "kept": Reliability.KEPT,
        "game": game.pk,
        "status": game.status,
        "started_at": game.started_at,
        "version": game.version,
        "log_length": game.log_length,
        "log_head": game.log_head,
        "deadline": game.deadline,
        "left": game.left,
        "grace": game.grace,
        "allowance": game.allowance,
        "ticking_since": game.ticking_since,
        "stopped_at": game.stopped_at,
        "away": game.away,
        "away_for": game.away_for,
        "away_since": game.away_since,
        "away_until": game.away_until,
        "deserted": game.deserted,
        "to_move": game.to_move,
        "awaits_server": game.awaits_server,
    }
    with connection.cursor() as cursor:
        cursor.execute(_WRITE, values)


def _counts(seat: Seat) -> dict[str, Any]:
    bank = None if seat.bank is None else seat.bank.total_seconds()
    return {"id": seat.pk, "bank": bank, "expired": seat.expired, "vacation_used": seat.vacation_used.total_seconds()}


def write_pushed(*, games: Sequence[Game], entries: Sequence[Entry]) -> None:
    """The clocks of these games, their marks, and the log's new rows."""
    kept = ("id", "pushed_by", "version", "log_length", "log_head")
    pushed = [
        {name: getattr(game, name) for name in kept}
        | {"deadline": game.deadline and game.deadline.isoformat(), "grace": game.grace.total_seconds()}
        for game in games
    ]
    told = [{name: getattr(entry, name) for name in ("game_id", *_TOLD)} for entry in entries]
    with connection.cursor() as cursor:
        cursor.execute(_WRITE_PUSHED, {"games": _json(pushed), "entries": _json(told)})


def _json(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder)


class Compiled(Generic[Row]):
    """A query of one model that goes with every move, compiled by the ORM once a process.

    `make` builds the queryset from so many whole numbers. Neither its shape may depend on them, nor anything in it on time.
    """

    def __init__(self, make: Callable[..., models.QuerySet[Row]], numbers: int) -> None:
        self._make = make
        self._stand_ins = [2_000_000_000 + place for place in range(numbers)]

    @cached_property
    def _statement(self) -> tuple[type[Row], str, list[Any]]:
        queryset = self._make(*self._stand_ins)
        sql, values = queryset.query.sql_with_params()
        return queryset.model, sql, list(values)

    def __call__(self, *numbers: int) -> list[Row]:
        """The rows for these numbers."""
        model, sql, values = self._statement
        given = dict(zip(self._stand_ins, numbers, strict=True))
        return list(model._base_manager.raw(sql, [given.get(value, value) for value in values]))

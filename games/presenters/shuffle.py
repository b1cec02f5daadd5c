"""The shuffle of a table as its pages show it: seals, what was added, and the check of a deal that is over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from games import selectors
from games.engine.verify import verify
from games.gamenames import with_tiles
from games.models import Entry, Game, Seat
from games.presenters.log import when
from games.presenters.names import formers, names_at, seat_names, table_name
from games.presenters.terms import game_in_words
from games.services import records
from games.services.errors import NoSuchTable

FIRST_CARDS = 10


@dataclass(frozen=True)
class Sealed:
    """A seal, and when it was told."""

    deal: int
    """Counted from 1."""
    seal: str
    at: datetime
    when: str


def shuffle_context(*, game: Game, user: User | AnonymousUser, now: datetime) -> dict[str, Any]:
    """What `games/shuffle.html` shows of a table, begun or not."""
    seats = list(game.seats.select_related("user"))
    me = _seat_of(seats, user)
    goes_on = game.status in (Game.Status.OPEN, Game.Status.RUNNING)
    closed = Q(scored=True) | Q(voided=True)
    checked = list(game.deals.filter(closed).order_by("number").values_list("number", flat=True))
    sealed = [] if not goes_on else [one for one in _seals(game, now).values() if one.deal > len(checked)]
    return {
        "game": game,
        "name": table_name(game),
        "words": game_in_words(game),
        "me": me,
        "may_add": me is not None and goes_on and not me.resigned,
        "sealed": sealed,
        "finished": [(number, number + 1) for number in checked],
    }


def check_context(*, game: Game, number: int, user: User | AnonymousUser, now: datetime) -> dict[str, Any]:
    """What `games/check.html` shows of deal `number`, counted from 0. Raises NoSuchTable where it is not over."""
    row = game.deals.filter(number=number).first()
    if row is None or not row.closed:
        raise NoSuchTable
    seats = list(game.seats.select_related("user"))
    record = records.export(game=game, names=seat_names(seats))
    found = verify(record)
    listed = [*zip(record["deals"], found["deals"], strict=True), *zip(record.get("voided", ()), found["voided"], strict=True)]
    listed.sort(key=lambda each: each[0]["number"])
    place, (deal, checked) = next((place, each) for place, each in enumerate(listed) if each[0]["number"] == number)
    cards = deal["deck"].split()
    return {
        "game": game,
        "name": table_name(game),
        "words": game_in_words(game),
        "tiles": with_tiles(game.variant),
        "number": number,
        "deal_number": number + 1,
        "place": place,
        "sealed": _seals(game, now).get(number),
        "added": _added(game, seats, _seat_of(seats, user), number, deal["shuffle"]["contributions"]),
        "seed": deal["shuffle"]["seed"],
        "algorithm": deal["shuffle"]["algorithm"],
        "first": cards[:FIRST_CARDS],
        "more": len(cards) - FIRST_CARDS,
        "cards": len(cards),
        "moves": len(deal["moves"]),
        "played": checked,
        "counted": row.scored,
        "head": record["log"]["head"],
        "rows": len(record["log"]["rows"]),
    }


def _seat_of(seats: list[Seat], user: User | AnonymousUser) -> Seat | None:
    return next((seat for seat in seats if user.pk is not None and seat.user_id == user.pk), None)


def _seals(game: Game, now: datetime) -> dict[int, Sealed]:
    rows = game.entries.filter(kind=Entry.Kind.EVENT, text="sealed").order_by("number")
    return {row.facts["number"]: Sealed(row.facts["number"] + 1, row.facts["seal"], row.at, when(row.at, now)) for row in rows}


def _added(game: Game, seats: list[Seat], me: Seat | None, number: int, lines: list[str | None]) -> list[tuple[str, str]]:
    """What was added to a shuffle, by whoever held the seat then."""
    dealt = game.entries.filter(kind=Entry.Kind.EVENT, text="dealt", facts__number=number).first()
    names = [_("You") if seat is me else name for seat, name in zip(seats, seat_names(seats), strict=True)]
    if dealt is not None:
        names = names_at(dealt.number, names, formers(selectors.substitutions(game=game, seats=seats)))
    return [(names[seat], line) for seat, line in enumerate(lines) if line]

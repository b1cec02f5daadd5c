"""Records that somebody brings along to look at: read with distrust, kept only where it is asked for."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NoReturn

from django.db import transaction

from accounts.models import User
from games import engine
from games.engine import rulings
from games.engine.record import FORMAT
from games.engine.verify import verify
from games.models import KeptRecord
from games.services.errors import NoSuchTable, ServiceError

MOST_BYTES = 1_000_000
MOST_DEALS, MOST_MOVES = 200, 20_000
MOST_SECONDS = 5.0
LONGEST_NAME = 24
KEPT_FOR = timedelta(days=90)
MOST_KEPT = 20


class RecordFault(ServiceError):
    """Why a record is not taken: a code and facts, and where: deal and move, counted from 0, or None. Deals that are void count
    on after the others.
    """

    def __init__(self, code: str, deal: int | None = None, move: int | None = None, **facts: Any) -> None:
        super().__init__(code)
        self.deal, self.move, self.facts = deal, move, facts
        self.line = ""
        """What is written there."""
        self.variant: str | None = None
        self.seats: list[str] = []


def read(data: bytes, *, seconds: float = MOST_SECONDS) -> dict[str, Any]:
    """A record as bytes from anywhere, played through: what is needed to show it. Raises RecordFault.

    Of each deal also what the seats had before it (`totals`, `out`), its end (`scores`, `reason`, None while it lasts), and
    whether it is `void`; of the whole the points `adjusted`, the `winner`, and `proof`, what `verify` says of it.
    """
    record = _parsed(data)
    _measure(record)
    try:
        played = engine.replay(record, _clock(seconds))
    except engine.RecordError as fault:
        raise _placed(fault, record) from None
    proof = verify(record, played)
    proof.pop("totals")
    shown = _shown(record, played)
    return shown | {"winner": played.match.winner, "proof": proof if "log" in record or _told(record) else None}


def _parsed(data: bytes) -> Any:
    if len(data) > MOST_BYTES:
        raise RecordFault("record_too_long")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RecordFault("record_not_text") from None
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number, parse_float=_no_number)
    except RecordFault:
        raise
    except (ValueError, RecursionError):
        raise RecordFault("record_not_json") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise RecordFault("record_key_twice")
    return found


def _no_number(text: str) -> NoReturn:
    raise RecordFault("record_not_whole")


def _measure(record: Any) -> None:
    """Refuse what would take too long before any of it is played."""
    deals = record.get("deals") if isinstance(record, dict) else None
    if not isinstance(deals, list):
        return
    void = record.get("voided")
    deals = [*deals, *(void if isinstance(void, list) else ())]
    if len(deals) > MOST_DEALS:
        raise RecordFault("record_too_many_deals")
    moves = (deal.get("moves") for deal in deals if isinstance(deal, dict))
    if sum(len(listed) for listed in moves if isinstance(listed, list)) > MOST_MOVES:
        raise RecordFault("record_too_many_moves")


def _clock(seconds: float) -> Callable[[], None]:
    end = time.monotonic() + seconds

    def tick() -> None:
        if time.monotonic() > end:
            raise RecordFault("record_too_slow")

    return tick


def _placed(fault: engine.RecordError, record: Any) -> RecordFault:
    found = RecordFault(fault.code, fault.deal, fault.move, **fault.facts)
    if isinstance(record, dict):
        variant, seats = record.get("variant"), record.get("seats")
        found.variant = variant if isinstance(variant, str) and variant in engine.VARIANTS else None
        found.seats = [_name(name) for name in seats[:8]] if isinstance(seats, list) else []
    if fault.deal is not None and fault.move is not None:
        listed = [*record["deals"], *(record.get("voided") or ())]
        found.line = _line(listed[fault.deal]["moves"][fault.move])
    return found


def _name(text: Any) -> str:
    """A name as it can be shown."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in str(text)[:LONGEST_NAME])


def _line(text: Any) -> str:
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in str(text)[:80])


def _shown(record: dict[str, Any], played: engine.Replay) -> dict[str, Any]:
    rules = played.match.rules
    ruled = rulings.read(record, rules.count)
    listed, ends = [*record["deals"], *ruled.voided], [*played.deals, *played.voided]
    order = rulings.in_order(listed) if rulings.are_in(record) else [(at, at, data) for at, data in enumerate(listed)]
    counting = [(number, ends[at].scores) for number, at, _data in order if at < len(played.deals)]
    deals = []
    for place, (number, at, data) in enumerate(order):
        deal = ends[at]
        left = {int(line[0]) for line in data["moves"] if line.endswith(" R")}
        deals.append({
            "number": place, "dealer": data["dealer"], "deck": data["deck"], "moves": data["moves"],
            "totals": list(ruled.totals_before(number, counting)), "out": sorted(deal.resigned - left),
            "scores": None if deal.scores is None else list(deal.scores), "reason": deal.reason,
            "void": at >= len(played.deals),
        })  # fmt: skip
    return {
        "format": FORMAT, "variant": rules.name, "options": rules.options, "seats": [_name(name) for name in record["seats"]],
        "deals": deals, "adjusted": [one["points"] for one in ruled.listed if "points" in one],
        "totals": list(played.match.totals),
    }  # fmt: skip


def _told(record: dict[str, Any]) -> bool:
    return any("shuffle" in deal for deal in record["deals"])


@transaction.atomic
def keep(*, user: User, record: dict[str, Any], now: datetime) -> KeptRecord:
    """Keep a record that was read, for this player alone, for some time. Raises ServiceError `record_none_more`."""
    User.objects.select_for_update().get(pk=user.pk)
    if KeptRecord.objects.filter(owner=user, forget_at__gt=now).count() >= MOST_KEPT:
        raise ServiceError("record_none_more")
    same = KeptRecord.objects.filter(owner=user, record=record, forget_at__gt=now).first()
    return same or KeptRecord.objects.create(owner=user, record=record, kept_at=now, forget_at=now + KEPT_FOR)


def kept_by(*, user: User, now: datetime) -> list[KeptRecord]:
    """The records that a player keeps, newest first."""
    return list(KeptRecord.objects.filter(owner=user, forget_at__gt=now).order_by("-kept_at", "-pk"))


def kept(*, code: str, user: User, now: datetime) -> KeptRecord:
    """A record that this player keeps. Raises NoSuchTable."""
    found = KeptRecord.objects.filter(code=code, owner=user, forget_at__gt=now).first() if code.isalnum() else None
    if found is None:
        raise NoSuchTable
    return found


def forget(*, code: str, user: User) -> None:
    """Keep a record no longer. Twice is once."""
    KeptRecord.objects.filter(code=code, owner=user).delete()


def forget_old(*, now: datetime) -> int:
    """Forget the records whose time is over; how many."""
    return KeptRecord.objects.filter(forget_at__lte=now).delete()[0]

"""Before a deal: sealing its seed, and what players add to its shuffle (docs/shuffle.md)."""

from __future__ import annotations

import secrets
import unicodedata
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import engine
from games.models import CONTRIBUTION_LENGTH, Entry, Game, Seal, Seat
from games.services.errors import NoSuchTable, ServiceError
from games.services.store import entry_for, lock


def seal(game: Game, number: int, *, now: datetime) -> Entry:
    """Draw the seed of a deal to come, tell its seal; the unsaved row of the log. In the caller's transaction.

    The seed comes from the system's source for secrets and never leaves the server before its deal is over.
    """
    seed = secrets.token_bytes(engine.SEED_BYTES)
    Seal(game=game, number=number, seed=seed).save()
    facts = {"number": number, "seal": engine.seal(seed, engine.deal_id(game.code, number))}
    return entry_for(game, text="sealed", actor=Entry.Actor.SERVER, facts=facts, now=now)


def open_seal(game: Game, number: int) -> bytes:
    """The sealed seed of a deal that begins."""
    return bytes(Seal.objects.get(game=game, number=number).seed)


def collect(game: Game, seats: list[Seat]) -> list[str | None]:
    """What the seats add to the deal that begins, used up with it; empty where none does. In the caller's transaction."""
    added = [seat.contribution or None for seat in seats]
    if not any(added):
        return []
    Seat.objects.filter(game=game).update(contribution="")
    for seat in seats:
        seat.contribution = ""
    return added


@transaction.atomic
def contribute(*, code: str, user: User, text: str, now: datetime) -> Seat:
    """Keep what a player adds to the next shuffle of a table, in place of what they had; an empty text takes it back.

    Nobody else learns of it before the deal: no row of the log, no new version. Raises NoSuchTable, or ServiceError
    `bad_contribution`, `table_gone`, `match_over`, `already_resigned`.
    """
    game = lock(code=code)
    seat = game.seats.filter(user=user).first()
    if seat is None:
        raise NoSuchTable
    if game.status not in (Game.Status.OPEN, Game.Status.RUNNING):
        raise ServiceError("match_over" if game.started_at else "table_gone")
    if seat.resigned:
        raise ServiceError("already_resigned")
    seat.contribution = cleaned(text)
    seat.save(update_fields=["contribution"])
    return seat


def cleaned(text: str) -> str:
    """A line as it is kept. Raises ServiceError `bad_contribution`."""
    text = unicodedata.normalize("NFC", text).strip()
    if len(text) > CONTRIBUTION_LENGTH or not text.isprintable():
        raise ServiceError("bad_contribution")
    return text

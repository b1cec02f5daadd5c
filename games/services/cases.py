"""A dispute while its table is locked: finding it, its steps, its words, and the mark at the table that one is unsettled.

What players do is in `disputes`, what referees do in `rulings`. The row of the game is locked first, then the dispute's.
"""

from __future__ import annotations

import unicodedata
from datetime import datetime
from typing import Any

from accounts.models import User
from accounts.names import one_line
from games import signals
from games.models import CLAIM_LENGTH, Dispute, Game, Step, Tenure
from games.services import clocks
from games.services.errors import NoSuchTable, ServiceError
from games.services.store import LOGGED, lock

WRITTEN = (*LOGGED, *clocks.COLUMNS, "disputed")
"""What services of disputes change of a game."""
MOST_EMPTY_LINES = 1


def locked(case: int) -> tuple[Game, Dispute]:
    """A dispute by its key, and its table, both locked until the transaction ends. Raises NoSuchTable."""
    game_id = Dispute.objects.filter(pk=case).values_list("game", flat=True).first()
    if game_id is None:
        raise NoSuchTable
    game = lock(pk=game_id)
    dispute = Dispute.objects.select_for_update().get(pk=case)
    dispute.game = game
    return game, dispute


def plays(game: Game, user: User) -> bool:
    """Whether somebody holds, or has held, a seat of a match that has begun; nobody whose account is closed does."""
    if game.started_at is None or not user.is_active:
        return False
    return Tenure.objects.filter(game=game, user=user).exists()


def must_play(game: Game, user: User) -> None:
    """Raise NoSuchTable where a match is not this person's."""
    if not plays(game, user):
        raise NoSuchTable


def players(game: Game) -> set[int]:
    """Whom a dispute about a match concerns: who holds or has held a seat of it, and has an account still."""
    held = Tenure.objects.filter(game=game, user__is_active=True).values_list("user", flat=True)
    return {pk for pk in held if pk is not None}


def cleaned(text: str, longest: int = CLAIM_LENGTH) -> str:
    """Words as they are kept: plain text in lines, without signs that cannot be seen.

    Raises ServiceError `words_missing`, `words_long`.
    """
    lines: list[str] = []
    for line in unicodedata.normalize("NFC", text).splitlines():
        shown = one_line(line)
        if shown or any(lines[-MOST_EMPTY_LINES:]):
            lines.append(shown)
    words = "\n".join(lines).strip()
    if not words:
        raise ServiceError("words_missing")
    if len(words) > longest:
        raise ServiceError("words_long")
    return words


def step(
    dispute: Dispute, kind: Step.Kind, *, now: datetime, user: User | None = None, words: str = "", facts: Any = None
) -> Step:
    """Write what happened in a dispute."""
    return Step.objects.create(dispute=dispute, at=now, kind=kind, user=user, words=words, facts=facts or {})


def move_to(dispute: Dispute, state: Dispute.State, referee: User | None = None) -> None:
    """Write where a dispute stands now, and who looks into it."""
    dispute.state, dispute.referee = state, referee
    dispute.save(update_fields=["state", "referee"])


def mark(game: Game, *, now: datetime) -> None:
    """Note at the table, and tell leagues, whether a dispute about it waits for a ruling. The caller saves it (`WRITTEN`)."""
    game.disputed = Dispute.objects.filter(game=game, state__in=Dispute.UNSETTLED).exists()
    game.version += 1
    signals.disputed.send(Game, game=game, is_open=game.disputed, now=now)

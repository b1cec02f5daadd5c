"""The clock of a table that a referee has frozen, with a limit: nobody moves, and it goes on with what was left.

Which dispute it is frozen for, and since when, say the steps of the disputes. At the limit the sweep lets it go on.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games.models import FROZEN_IN_ALL, Dispute, Entry, Game, Step
from games.services import case_news, clocks, news, outages, stops
from games.services.cases import WRITTEN, step
from games.services.errors import ServiceError
from games.services.store import call_server, entry_for, lock

LONGEST = timedelta(hours=72)
"""Of one freeze. For how long in all: FROZEN_IN_ALL."""


def begin(game: Game, dispute: Dispute, span: timedelta, by: User, *, now: datetime) -> Step:
    """Stop the clock for so long at most; both rows locked, the game for the caller to save (`cases.WRITTEN`).

    Raises ServiceError `not_running`, `frozen`, `bad_freeze`, `frozen_enough`.
    """
    if game.status != Game.Status.RUNNING:
        raise ServiceError("not_running")
    if game.frozen_until is not None:
        raise ServiceError("frozen")
    if not timedelta(0) < span <= LONGEST:
        raise ServiceError("bad_freeze")
    in_all = (dispute.frozen_for or timedelta(0)) + span
    if in_all > FROZEN_IN_ALL:
        raise ServiceError("frozen_enough")
    outages.settle_up(game, now=now)
    game.frozen_until = now + span
    clocks.set_running(game, now=now)
    _tell(game, "frozen", dispute, now, by=by, until=game.frozen_until.isoformat(timespec="seconds"))
    dispute.frozen_for = in_all
    dispute.save(update_fields=["frozen_for"])
    return step(dispute, Step.Kind.FROZEN, user=by, now=now, facts={"until": game.frozen_until.isoformat(timespec="seconds")})


def frozen_for(game: Game) -> tuple[int, datetime] | None:
    """The key of the dispute for which a table is frozen, and since when; None where it is not."""
    if game.frozen_until is None:
        return None
    steps = Step.objects.filter(dispute__game=game, kind=Step.Kind.FROZEN).order_by("-pk")
    return steps.values_list("dispute", "at").first()


def end(game: Game, *, now: datetime, by: User | None = None) -> Step | None:
    """Let the clock of a locked game go on, which the caller saves (`cases.WRITTEN`); None where it is not frozen.

    Nothing of the time counts, for absent seats neither. `by` is None where the server does it.
    """
    held = frozen_for(game)
    made, until = None, game.frozen_until
    if until is None:
        return None
    game.frozen_until = None
    if held is not None:
        case, since = held
        stops.give_back(game, since, now, beside=game.paused_at)
        dispute = Dispute.objects.select_for_update().get(pk=case)
        dispute.frozen_for = (dispute.frozen_for or timedelta(0)) - max(until - now, timedelta(0))
        dispute.save(update_fields=["frozen_for"])
        made = step(dispute, Step.Kind.THAWED, user=by, now=now)
        _tell(game, "thawed", dispute, now, by=by)
    outages.make_good(game, now=now)
    news.goes_on(game, now=now)
    return made


def over(*, now: datetime) -> list[int]:
    """The games that have been frozen up to their limit."""
    return list(Game.objects.filter(frozen_until__lte=now).order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def lapse(*, game_id: int, now: datetime) -> bool:
    """Let a clock go on at its limit. False where that has not come. Twice or late does no harm. Raises NoSuchTable."""
    game = lock(pk=game_id)
    if game.frozen_until is None or game.frozen_until > now:
        return False
    made = end(game, now=now)
    game.save(update_fields=WRITTEN)
    if made is not None:
        case_news.thawed(game, made, now=now)
    call_server(game)
    return True


def _tell(game: Game, event: str, dispute: Dispute, now: datetime, *, by: User | None, **facts: str) -> None:
    actor = Entry.Actor.SERVER if by is None else Entry.Actor.REFEREE
    row = entry_for(game, text=event, actor=actor, facts={"case": dispute.pk, **facts}, now=now)
    row.save(force_insert=True)
    game.version += 1

"""Who is told what of a dispute: the players of its table, and the referee who looks into it, in the same transaction.

Facts name people, never words or cards: those stand on the page of the case.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.urls import reverse

from accounts.models import User
from accounts.people import messages
from games.models import Dispute, Entry, Game, Ruling, Step
from games.services import news
from games.services.cases import players

DESK = "admin:games_dispute_change"
"""Where the referee of a case works on it."""


def tell(game: Game, made: Step, *, now: datetime, **facts: Any) -> None:
    """Tell of a step all players but the one who made it, and, where a player did, the referee of the case."""
    dispute = made.dispute
    people = players(game) - {made.user_id}
    own = {}
    if dispute.referee_id is not None and dispute.referee_id != made.user_id:
        own[dispute.referee_id] = {"path": reverse(DESK, args=[dispute.pk])}
    _post(game, dispute, people | own.keys(), f"step:{made.pk}", now, own=own, what=made.kind, who=_name(made.user), **facts)


def waits(game: Game, dispute: Dispute, referees: list[int], *, now: datetime) -> None:
    """Tell referees that a dispute, or an appeal, waits for one of them. It leads to the desk."""
    path, on_appeal = reverse(DESK, args=[dispute.pk]), dispute.state == Dispute.State.APPEALED
    key = f"waits:{dispute.pk}:{dispute.state}"
    _post(game, dispute, referees, key, now, path=path, what="waits", appeal=on_appeal)


def thawed(game: Game, made: Step, *, now: datetime) -> None:
    """Tell that the clock goes on."""
    tell(game, made, now=now)


def ruled(game: Game, made: Step, ruling: Ruling, *, now: datetime) -> None:
    """Tell what was ruled: who asked for it too, and the computer's seats nobody."""
    tell(game, made, now=now, ruling=ruling.kind, appeal=ruling.appeal, **_about(game, ruling))


def _about(game: Game, ruling: Ruling) -> dict[str, Any]:
    """What a ruling is about, as everybody at the table knows it: the deal, whose move and when, whose points, who is removed."""
    facts = ruling.facts
    names = {seat.index: news.name_of(seat) for seat in game.seats.select_related("user")}
    match ruling.kind:
        case Ruling.Kind.VOID:
            return {"deal": facts["deal"]}
        case Ruling.Kind.BACK:
            move = game.entries.get(number=facts["entry"])
            return {"deal": facts["deal"], "whose": _holder(game, move, names), "played": move.at.isoformat()}
        case Ruling.Kind.POINTS:
            return {"points": [[names[int(seat)], more] for seat, more in facts["points"].items()]}
        case Ruling.Kind.REMOVE:
            return {"whose": names[facts["seat"]]}
    return {}


def _holder(game: Game, move: Entry, names: dict[int, str]) -> str:
    """Who held the seat of a move when it was made."""
    assert move.seat is not None
    held = game.tenures.select_related("user").filter(seat=move.seat, from_entry__lte=move.number).order_by("-from_entry").first()
    return names[move.seat] if held is None or held.user is None else _name(held.user)


def looked(game: Game, number: int, *, now: datetime) -> None:
    """A deal is over: tell which referees have seen all hands of it meanwhile."""
    looks = Step.objects.filter(dispute__game=game, kind=Step.Kind.LOOKED, facts__deal=number)
    for made in looks.select_related("dispute", "user"):
        tell_of_look(game, made, now=now)


def tell_of_look(game: Game, made: Step, *, now: datetime) -> None:
    """Tell the players that a referee has looked at all hands of a deal that is over."""
    number = made.facts["deal"]
    _post(game, made.dispute, players(game), f"step:{made.pk}", now, what=made.kind, who=_name(made.user), deal=number)


def _name(user: User | None) -> str:
    return messages.GONE if user is None or not user.is_active else user.username


def _post(game: Game, dispute: Dispute, people: Iterable[int], key: str, now: datetime, own: Any = None, **facts: Any) -> None:
    told = news.about(game) | {"case": dispute.pk, "path": reverse("games:dispute", args=[game.code, dispute.pk])} | facts
    messages.post(
        kind="ruling", user_ids=sorted(people), key=f"{game.code}:{key}", game=game.code, facts=told, own=own, now=now
    )  # fmt: skip

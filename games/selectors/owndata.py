"""What the games hold about a person, for that person alone; and where accounts that are no more still hold a seat."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from accounts.models import User
from games.models import Deal, Dispute, Entry, Game, Hand, KeptRecord, Mute, Ruling, Saying, Seat, Step, Tenure


def seats_of_the_gone(*, user_id: int | None = None) -> list[int]:
    """Tables that are not over at which an account that is no more holds a seat."""
    alive = [Game.Status.OPEN, Game.Status.RUNNING]
    seats = Seat.objects.filter(user__is_active=False, resigned=False, absent_since=None, game__status__in=alive)
    if user_id is not None:
        seats = seats.filter(user=user_id)
    return sorted(set(seats.values_list("game", flat=True)[:1_000]))


def own_data(*, user: User) -> dict[str, Any]:
    """Tables with the person's own moves and own hands of closed deals, words in chats, and whom they have muted."""
    sat = Q(seats__user=user) | Q(pk__in=Tenure.objects.filter(user=user).values("game"))
    games = Game.objects.filter(sat).distinct().order_by("pk").prefetch_related("seats__user", "tenures")
    words = Saying.objects.filter(user=user).order_by("pk").values("game__code", "text", "said_at", "removed_at")
    muted = Mute.objects.filter(user=user).order_by("pk").values_list("muted__username", flat=True)
    kept = KeptRecord.objects.filter(owner=user).order_by("pk").values("code", "kept_at", "record")
    return {
        "tables": [_table(game, user) for game in games],
        "chat": {"said": list(words), "muted": list(muted)},
        "records": list(kept),
        "disputes": _disputes(user),
    }


def _disputes(user: User) -> dict[str, Any]:
    """What the person has disputed, done and said in disputes, and ruled."""
    opened = Dispute.objects.filter(opener=user).order_by("pk")
    steps = Step.objects.filter(user=user).order_by("pk")
    rulings = Ruling.objects.filter(referee=user).order_by("pk")
    return {
        "opened": list(opened.values("pk", "game__code", "kind", "deal", "move", "words", "opened_at", "state")),
        "steps": list(steps.values("dispute", "at", "kind", "words", "facts")),
        "rulings": list(rulings.values("dispute", "appeal", "kind", "at", "reason", "facts")),
    }


def _table(game: Game, user: User) -> dict[str, Any]:
    found = {
        name: getattr(game, name)
        for name in ("code", "title", "variant", "options", "status", "made_at", "started_at", "ended_at")
    }
    players = [seat.user.username if seat.user is not None and seat.user.is_active else None for seat in game.seats.all()]
    return {**found, "players": players, "seats": [_held(game, *span) for span in _spans(game, user)]}


def _spans(game: Game, user: User) -> list[tuple[int, int, int | None]]:
    """Which seats the person has held, from which row of the log on, and up to which; None is to this day."""
    held = sorted(game.tenures.all(), key=lambda tenure: tenure.from_entry)
    if not held:
        return [(seat.index, 0, None) for seat in game.seats.all() if seat.user_id == user.pk]
    spans = []
    for tenure in held:
        later = [other.from_entry for other in held if other.seat == tenure.seat and other.from_entry > tenure.from_entry]
        if tenure.user_id == user.pk:
            spans.append((tenure.seat, tenure.from_entry, min(later, default=None)))
    return spans


def _held(game: Game, seat: int, first: int, end: int | None) -> dict[str, Any]:
    moves = Entry.objects.filter(game=game, kind=Entry.Kind.MOVE, seat=seat, number__gte=first).order_by("number")
    if end is not None:
        moves = moves.filter(number__lt=end)
    deals = {deal for deal in moves.values_list("deal", flat=True) if deal is not None}
    closed = Deal.objects.filter(Q(scored=True) | Q(voided=True), game=game, number__in=deals)
    hands = Hand.objects.filter(deal__in=closed, seat=seat)
    return {
        "seat": seat,
        "moves": list(moves.values("at", "deal", "actor", "text")),
        "hands": list(hands.order_by("deal__number").values("deal__number", "cards", "laid", "score")),
    }

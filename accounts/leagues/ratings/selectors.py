"""Every read about ratings."""

from __future__ import annotations

from accounts.models import RatedMatch, Rating, User


def games_to_rate() -> list[str]:
    """The games with a match that ratings may not know yet."""
    return list(RatedMatch.objects.filter(waiting=True).order_by("variant").values_list("variant", flat=True).distinct())


def history(*, user: User) -> dict[str, list[Rating]]:
    """By game, a player's ratings, oldest first; the last one is the present one. One query."""
    found: dict[str, list[Rating]] = {}
    for rating in Rating.objects.filter(user=user, bot="").order_by("at", "match"):
        found.setdefault(rating.variant, []).append(rating)
    return found

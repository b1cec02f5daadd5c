"""Every read about ratings."""

from __future__ import annotations

from accounts.models import RatedMatch


def games_to_rate() -> list[str]:
    """The games with a match that ratings may not know yet."""
    return list(RatedMatch.objects.filter(waiting=True).order_by("variant").values_list("variant", flat=True).distinct())

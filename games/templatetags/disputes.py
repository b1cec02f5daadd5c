"""What pages of a table say of its disputes: ``{% table_disputes game %}``, for its players alone.

A page that knows whether the reader is one of them has it in its context, as `plays`.
"""

from __future__ import annotations

from typing import Any

from django import template
from django.utils import timezone

from games.models import Game
from games.presenters.disputes import list_context
from games.selectors.disputes import may_dispute

register = template.Library()


@register.inclusion_tag("games/_disputes.html", takes_context=True)
def table_disputes(context: template.Context, game: Game, number: int | None = None) -> dict[str, Any]:
    """The disputes of a table, and the way to open one, about deal `number` if any. Nothing for who has never played there."""
    user = context["user"]
    known = context.get("plays")
    if not (may_dispute(game=game, user=user) if known is None else known):
        return {}
    return {**list_context(game=game, user=user, now=timezone.now()), "number": number}

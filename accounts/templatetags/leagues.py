"""What leagues show on pages of tables, and how they write points: ``{% load leagues %}``.

``{% league_of game as league %}`` and ``{% is_member league as member %}`` on the pages of a table,
``{% league_outcome game %}`` where a match is over; ``{% for table, league in tables|with_leagues:user %}`` in lists.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from django import template
from django.utils import timezone

from accounts.leagues import selectors
from accounts.leagues.numbers import change_text, points_text
from accounts.leagues.presenters import outcome_lines, player_name
from games.models import Game

register = template.Library()
register.filter("points", points_text)
register.filter("points_change", change_text)
register.filter("called", player_name)

FRESH_SECONDS = 300


class Named(NamedTuple):
    """A league as a page of one of its tables names it."""

    code: str
    name: str
    number: int
    """Of the season."""
    bots: bool
    """Whether computer players may sit at the table."""


@register.simple_tag
def league_of(game: Game) -> Named | None:
    """The league that a table belongs to, if any. A table is drawn at every move, so this is asked once in five minutes."""
    return _league_of(game.code, int(timezone.now().timestamp()) // FRESH_SECONDS)


@lru_cache(maxsize=4096)
def _league_of(code: str, _window: int) -> Named | None:
    found = selectors.league_of_table(code=code)
    return None if found is None else Named(*found)


@register.simple_tag(takes_context=True)
def is_member(context: template.Context, league: Named) -> bool:
    """Whether the reader is in the league."""
    return selectors.is_member(code=league.code, user=context["user"])


@register.filter
def with_leagues(tables: Any, user: Any) -> list[tuple[Any, selectors.TableOfLeague | None]]:
    """Each of these tables (whatever has a `code`) with the league that it belongs to, if any."""
    tables = list(tables)
    found = selectors.leagues_of(codes=[table.code for table in tables], user=user) if tables else {}
    return [(table, found.get(table.code)) for table in tables]


@register.inclusion_tag("leagues/_outcome.html", takes_context=True)
def league_outcome(context: template.Context, game: Game) -> dict[str, Any]:
    """What a match that is over means for its league: points and change of rank. Nothing where it belongs to none."""
    over = game.status == Game.Status.FINISHED
    return {"outcome": outcome_lines(game, context["user"]) if over and league_of(game) else None}

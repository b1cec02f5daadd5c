"""Small helps for the pages of the games: ``{% load games %}``."""

from __future__ import annotations

from typing import Any

from django import template

from games import gamenames
from games.cardnames import card_name
from games.presenters.table import LaidMeld

register = template.Library()


@register.filter
def game_name(variant: str) -> str:
    """The name of a game."""
    return gamenames.game_name(variant)


@register.filter
def fingerprint(digest: str, signs: int = 64) -> str:
    """The first signs of a hash, in groups of four."""
    return " ".join(digest[place : place + 4] for place in range(0, min(signs, len(digest)), 4))


@register.filter
def at(values: dict[Any, Any], key: object) -> Any:
    """What a dictionary holds at a key, or None."""
    return values.get(key)


@register.filter
def spoken(meld: LaidMeld) -> str:
    """A meld as a screen reader says it."""
    return ", ".join(card_name(card.text) for card in meld.cards)

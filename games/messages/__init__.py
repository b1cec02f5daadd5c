"""Refusals in words: a code and its facts become a sentence, and what to do instead, in the reader's language."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.messages import cards, disputes, tiles
from games.templatetags.cards import write_card


class Refusal(NamedTuple):
    """What is not possible, and what is."""

    what: SafeString
    instead: SafeString


def refusal(code: str, facts: dict[str, Any], *, with_tiles: bool = False) -> Refusal:
    """The two sentences for a code of the engine or of a service; both are HTML, with cards drawn as signs.

    `with_tiles` at a table of tiles, whose facts are those of the error and of `tiles.situation`.
    """
    what, instead = disputes.sentences(code) or (tiles if with_tiles else cards).sentences(code, facts)
    card, listed = facts.get("card"), facts.get("cards")
    named = {"card": _cards([card], with_tiles), "cards": _cards(listed, with_tiles)}
    return Refusal(format_html(what, **named), format_html(instead, **named))


def _cards(texts: object, with_tiles: bool) -> SafeString:
    listed = texts if isinstance(texts, list) else []
    return mark_safe(" ".join(write_card(text, tiles=with_tiles) for text in listed if isinstance(text, str)))

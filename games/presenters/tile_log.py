"""The moves of a log of tiles in words, where they are not as those with cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine.moves import PASS, SPOIL
from games.gamenames import BOARD_GAMES
from games.models import Entry
from games.templatetags.cards import write_card

if TYPE_CHECKING:
    from games.presenters.log import Told


def move(entry: Told) -> SafeString | None:
    """What a move is in words; None where it is said as at a table of cards."""
    facts = entry.facts
    tiles = mark_safe(" ".join(write_card(text, tiles=True) for text in facts.get("cards", [])))
    match entry.text[:1]:
        case "P":
            return _take(facts.get("cards", []), tiles)
        case "W":
            words = pgettext("log", "put {tiles} in place of the joly for {points}")
            return format_html(words, tiles=tiles, points=facts.get("points", 0))
        case "D":
            return _discard(facts, tiles)
        case "A":
            return mark_safe(pgettext("log", "announced the last tiles"))
        case "B":
            return mark_safe(pgettext("log", "announced the board game"))
        case "C":
            board = BOARD_GAMES.get(facts.get("board", ""), "")
            words = pgettext("log", "closed on the board with {tiles}: {board}, {points}")
            return format_html(words, tiles=tiles, board=board, points=facts.get("points", 0))
        case "X":
            return _answer(entry.text[2:])
        case "T" if facts.get("cards"):
            return _expired(entry, tiles)
    return None


def _take(texts: list[str], tiles: SafeString) -> SafeString:
    if len(texts) == 1:
        return format_html(pgettext("log", "took {tile} from the row"), tile=tiles)
    words = ngettext(
        "took %(count)d tile from the row, {tile} first", "took %(count)d tiles from the row, {tile} first", len(texts)
    ) % {"count": len(texts)}
    return format_html(words, tile=write_card(texts[0], tiles=True))


def _discard(facts: dict[str, Any], tiles: SafeString) -> SafeString:
    closed = facts.get("over") == "out"
    words = pgettext("log", "closed the deal with {tiles}") if closed else pgettext("log", "discarded {tiles}")
    said = [format_html(words, tiles=tiles)]
    if "opened" in facts:
        said.insert(0, format_html(pgettext("log", "opened with {points}"), points=facts["opened"]))
    if facts.get("unannounced"):
        said.append(mark_safe(pgettext("log", "had not announced: −500")))
    return mark_safe(", ".join(said))


def _expired(entry: Told, tiles: SafeString) -> SafeString:
    if entry.actor == Entry.Actor.COMPUTER:
        return _discard(entry.facts, tiles)
    return format_html(pgettext("log", "ran out of time: the server discarded {tiles}"), tiles=tiles)


def _answer(said: str) -> SafeString:
    """An answer to the exchange of doubles, of a deal that is over."""
    if said == PASS:
        return mark_safe(pgettext("log", "passed in the exchange"))
    if said == SPOIL:
        return mark_safe(pgettext("log", "spoiled the deal"))
    return format_html(_("offered {tile} in the exchange"), tile=write_card(said))

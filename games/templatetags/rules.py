"""The tags that draw the examples of the rules pages: ``{% load cards rules %}``.

``{% meld "TH *JH QH" %}`` ``{% cards "KS 4D 7H" taken=2 %}`` ``{% picks "KS 4D 7H" picked=2 %}`` of cards or tiles, and of tiles
``{% rack "12R 12B | 4B 5B * / 9K" %}``: groups with a bar between them, the two shelves with a slash.
"""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import ngettext, pgettext

from games.cardnames import card_name, parse_face
from games.templatetags.cards import piece, tile

register = template.Library()


@register.simple_tag
def meld(texts: str) -> SafeString:
    """A set or run as it lies on the table."""
    return format_html('<div class="meld">{}</div>', _each("<span>{}</span>", texts))


@register.simple_tag
def cards(texts: str, *, taken: int = 0, dead: int = 0) -> SafeString:
    """Cards as the items of a list; the last ``taken`` stand out as a take from the row, the first ``dead`` as never taken."""
    codes = texts.split()
    start = len(codes) - taken
    return format_html_join(
        "", "<li{}>{}{}</li>", (_item(code, at >= start, at == start, at < dead) for at, code in enumerate(codes))
    )


def _item(code: str, taken: bool, first: bool, dead: bool) -> tuple[SafeString, SafeString, SafeString]:
    marked = ' class="taken"' if taken else ' class="dead"' if dead else ""
    said = format_html("<small>{}</small>", pgettext("tile", "dead")) if dead else SafeString("")
    return SafeString(marked), piece(code, must=first), said


@register.simple_tag
def rack(texts: str) -> SafeString:
    """Tiles on the two shelves of a rack."""
    shelves = format_html_join("", '<ul class="shelf">{}</ul>', ((_groups(shelf),) for shelf in texts.split("/")))
    return format_html('<div class="rack">{}</div>', shelves)


def _groups(shelf: str) -> SafeString:
    return format_html_join("", "<li><ul>{}</ul></li>", ((_tiles(group),) for group in shelf.split("|")))


def _tiles(group: str) -> SafeString:
    return format_html_join("", "<li>{}</li>", ((tile(text),) for text in group.split()))


@register.simple_tag
def picks(texts: str, *, picked: int) -> SafeString:
    """The row as radio buttons that show what each take brings; that of ``picked`` cards is chosen."""
    codes = texts.split()
    return format_html_join("", "<li>{}</li>", ((_pick(code, len(codes) - at, picked),) for at, code in enumerate(codes)))


def _pick(code: str, brings: int, picked: int) -> SafeString:
    if parse_face(code).is_tile:
        brought = ngettext("brings %(counter)s tile", "brings %(counter)s tiles", brings) % {"counter": brings}
    else:
        brought = ngettext("brings %(counter)s card", "brings %(counter)s cards", brings) % {"counter": brings}
    return format_html(
        '<label class="pick"><input type="radio" name="take" value="P{}" aria-label="{}, {}"{}>{}</label>',
        brings,
        card_name(code),
        brought,
        SafeString(" checked") if brings == picked else "",
        piece(code, hidden=True),
    )


def _each(markup: str, texts: str) -> SafeString:
    return format_html_join("", markup, ((piece(code),) for code in texts.split()))

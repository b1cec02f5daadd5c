"""The tags that draw the examples of the rules pages: ``{% load cards rules %}``.

``{% meld "TH *JH QH" %}`` ``{% cards "KS 4D 7H" taken=2 %}`` ``{% picks "KS 4D 7H" picked=2 %}``
"""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from games.cardnames import card_name
from games.templatetags.cards import card

register = template.Library()


@register.simple_tag
def meld(texts: str) -> SafeString:
    """A set or run as it lies on the table."""
    return format_html('<div class="meld">{}</div>', _each("<span>{}</span>", texts))


@register.simple_tag
def cards(texts: str, *, taken: int = 0) -> SafeString:
    """Cards as the items of a list; the last ``taken`` of them stand out as a take from the row."""
    codes = texts.split()
    start = len(codes) - taken
    return format_html_join(
        "",
        "<li{}>{}</li>",
        ((SafeString(' class="taken"') if at >= start else "", card(code, must=at == start)) for at, code in enumerate(codes)),
    )


@register.simple_tag
def picks(texts: str, *, picked: int) -> SafeString:
    """The row as radio buttons that show what each take brings; that of ``picked`` cards is chosen."""
    codes = texts.split()
    return format_html_join("", "<li>{}</li>", ((_pick(code, len(codes) - at, picked),) for at, code in enumerate(codes)))


def _pick(code: str, brings: int, picked: int) -> SafeString:
    brought = ngettext("brings %(counter)s card", "brings %(counter)s cards", brings) % {"counter": brings}
    return format_html(
        '<label class="pick"><input type="radio" name="take" value="P{}" aria-label="{}, {}"{}>{}</label>',
        brings,
        card_name(code),
        brought,
        SafeString(" checked") if brings == picked else "",
        card(code, hidden=True),
    )


def _each(markup: str, texts: str) -> SafeString:
    return format_html_join("", markup, ((card(code),) for code in texts.split()))

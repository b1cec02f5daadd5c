"""The tags that draw cards, tiles, icons and numbers: ``{% load cards %}``.

``{% card "7H" %}`` ``{% tile "12K" %}`` ``{% piece "7H" %}`` for either, ``{% w "7H" %}`` ``{% icon "i-back" %}``
``{% trace "7H" %}`` ``{% meter 260 500 %}`` ``{{ points|signed }}``. A page at a table draws sixty cards: each drawing is
built once and kept.
"""

from __future__ import annotations

from functools import cache, lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from games import cardnames

register = template.Library()

COURT = ("J", "Q", "K")
MINUS = "\N{MINUS SIGN}"


def _use(sprite: str, symbol: str) -> SafeString:
    return format_html('<svg aria-hidden="true"><use href="{}#{}"/></svg>', sprite, symbol)


def _spoken(label: str, hidden: bool) -> SafeString:
    return mark_safe(' aria-hidden="true"') if hidden else format_html(' role="img" aria-label="{}"', label)


def _marks(**marks: bool) -> SafeString:
    return mark_safe("".join(f" data-{name}" for name, on in marks.items() if on))


def _by(name: str) -> SafeString:
    return format_html('<small class="by">{}</small>', name) if name else mark_safe("")


@lru_cache(maxsize=8192)
def _draw_card(
    text: str, new: bool, must: bool, can: bool, by: str, hidden: bool, sprite: str, language: str | None
) -> SafeString:
    """The picture of a card. ``language`` is here for the cache: words and letters depend on it."""
    face = cardnames.parse_face(text)
    if face.is_tile:
        raise ValueError(f"a tile is drawn with the tile tag: {text!r}")
    label = cardnames.card_label(text, new=new, must=must, can=can, by=by)
    if not face.rank:
        suit, inside = "J", _use(sprite, "star") + _use(sprite, "joker")
    else:
        figure = "joker" if face.joker else face.rank if face.rank in COURT else face.suit
        corner = format_html("<b>{}</b>", cardnames.index_letter(face.rank))
        suit, inside = face.suit, corner + _use(sprite, face.suit) + _use(sprite, figure)
    laid_joker = face.joker and bool(face.rank)
    court = not face.joker and face.rank in COURT
    return format_html(
        '<span class="card" data-s="{}"{}{}>{}{}</span>',
        suit,
        _marks(f=court, j=laid_joker, new=new, must=must, can=can),
        _spoken(label, hidden),
        inside,
        _by(by),
    )


@lru_cache(maxsize=8192)
def _draw_tile(
    text: str, new: bool, must: bool, can: bool, by: str, hidden: bool, sprite: str, language: str | None
) -> SafeString:
    """The picture of a tile; see ``_draw_card``."""
    face = cardnames.parse_face(text)
    if face.rank and not face.is_tile:
        raise ValueError(f"a card is drawn with the card tag: {text!r}")
    label = cardnames.card_label(text, new=new, must=must, can=can, by=by, tiles=True)
    if not face.rank:
        colour, inside = "J", _use(sprite, "joly")
    else:
        mark = format_html("<b>{}</b>", face.rank) + _use(sprite, f"m{face.suit}")
        colour, inside = face.suit, mark + _use(sprite, "joly") if face.joker else mark
    return format_html(
        '<span class="tile" data-c="{}"{}{}>{}{}</span>',
        colour,
        _marks(j=face.joker and bool(face.rank), new=new, must=must, can=can),
        _spoken(label, hidden),
        inside,
        _by(by),
    )


@register.simple_tag
def card(
    text: str, *, new: bool = False, must: bool = False, can: bool = False, by: str = "", hidden: bool = False
) -> SafeString:
    """Draw a card. ``hidden`` inside a pick, whose input carries the label (``{% card_label %}``)."""
    return _draw_card(str(text), bool(new), bool(must), bool(can), by or "", bool(hidden), _sprite(), get_language())


@register.simple_tag
def tile(
    text: str, *, new: bool = False, must: bool = False, can: bool = False, by: str = "", hidden: bool = False
) -> SafeString:
    """Draw a tile: ``12K``, the joly ``*``, a joly laid ``*12K``."""
    return _draw_tile(str(text), bool(new), bool(must), bool(can), by or "", bool(hidden), _sprite(), get_language())


@register.simple_tag
def piece(
    text: str, *, tiles: bool = False, new: bool = False, must: bool = False, can: bool = False, by: str = "",
    hidden: bool = False,
) -> SafeString:  # fmt: skip
    """Draw a card or a tile, whichever it is; of a joker in hand only `tiles` tells, which is true in a game of tiles."""
    text = str(text)
    draw = _draw_tile if tiles or cardnames.parse_face(text).is_tile else _draw_card
    return draw(text, bool(new), bool(must), bool(can), by or "", bool(hidden), _sprite(), get_language())


@register.simple_tag
def card_label(text: str, *, new: bool = False, must: bool = False, can: bool = False, by: str = "", tiles: bool = False) -> str:
    """The words for a card or tile, as the ``aria-label`` of the input that picks it."""
    return cardnames.card_label(str(text), new=bool(new), must=bool(must), can=bool(can), by=by or "", tiles=bool(tiles))


@lru_cache(maxsize=8192)
def _draw_trace(
    text: str, new: bool, must: bool, by: str, dead: bool, now: bool, hit: bool, tiles: bool, sprite: str, language: str | None
) -> SafeString:
    """The button of `trace`; see ``_draw_card``."""
    draw = _draw_tile if tiles else _draw_card
    label = cardnames.card_label(text, new=new, must=must, by=by, tiles=tiles)
    said = format_html("<small>{}</small>", pgettext("tile", "dead")) if dead else mark_safe("")
    return format_html(
        '<button class="trace" name="card" value="{}" tabindex="-1" aria-label="{}"{}>{}{}</button>',
        _face(text),
        f"{label}, {_('dead: cannot be taken')}" if dead else label,
        _marks(now=now, hit=hit),
        draw(text, new, must, False, by, True, sprite, language),
        said,
    )


def _face(text: str) -> str:
    """A card as it is in a hand: one that lies as a joker is a joker."""
    return cardnames.JOKER if text.startswith(cardnames.JOKER) else text


@register.simple_tag
def trace(
    text: str, *, tiles: bool = False, picked: str = "", new: bool = False, must: bool = False, by: str = "", dead: bool = False,
    now: bool = False,
) -> SafeString:  # fmt: skip
    """A card of a replay, a button that asks for its way through the deal; lifted where it is the one `picked`.

    For the pointer alone: the list of all cards does the same for whoever has none.
    """
    hit = _face(text) == picked
    return _draw_trace(text, bool(new), bool(must), by, bool(dead), bool(now), hit, bool(tiles), _sprite(), get_language())


@lru_cache(maxsize=512)
def _write_card(text: str, tiles: bool, sprite: str, language: str | None) -> SafeString:
    face = cardnames.parse_face(text)
    if not face.rank:
        return format_html('<span class="w">{}</span>', cardnames.card_name(text, tiles=tiles))
    mark, attribute = (f"m{face.suit}", "c") if face.is_tile else (face.suit, "s")
    written = format_html(
        '<span class="w">{}<svg class="s" data-{}="{}" role="img" aria-label="{}"><use href="{}#{}"/></svg></span>',
        cardnames.index_letter(face.rank) if not face.is_tile else face.rank,
        attribute,
        face.suit,
        cardnames.suit_name(face.suit),
        sprite,
        mark,
    )
    if not face.joker:
        return written
    as_it = pgettext("tile", "joly as %(tile)s") % {"tile": "{}"} if face.is_tile else _("joker as %(card)s") % {"card": "{}"}
    return format_html(as_it, written)


@register.simple_tag(name="w")
def write_card(text: str, *, tiles: bool = False) -> SafeString:
    """A card or tile in running text: its index and the sign of its suit. With `tiles` a joker in hand is the joly."""
    return _write_card(str(text), bool(tiles), _sprite(), get_language())


@register.simple_tag
def icon(name: str, css_class: str = "i") -> SafeString:
    """A drawing of the sprite for the eye alone: words stand beside it or in the button's label.

    The class gives the size: ``i`` a line icon, ``back`` a card's back, ``""`` that of the surroundings.
    """
    named = format_html(' class="{}"', css_class) if css_class else mark_safe("")
    return format_html('<svg{} aria-hidden="true"><use href="{}#{}"/></svg>', named, _sprite(), name)


@register.simple_tag
def meter(value: int, target: int, *, laid: int = 0, label: str = "") -> SafeString:
    """A bar from 0 to ``target`` points; ``laid`` of them (or fewer than none) came with this deal and are set off."""
    before, after = value - laid, value
    strong, faint = (before, after) if laid >= 0 else (after, before)
    spoken = label or _("%(points)s of %(target)s") % {"points": signed(value), "target": target}
    faint_bar = (
        format_html('<rect class="{}" width="{}%"/>', "plus" if laid > 0 else "minus", _share(faint, target))
        if laid
        else mark_safe("")
    )
    return format_html(
        '<svg class="meter" role="img" aria-label="{}">{}<rect width="{}%"/></svg>',
        spoken,
        faint_bar,
        _share(strong, target),
    )


def _share(value: int, target: int) -> str:
    return f"{min(max(value / target, 0), 1) * 100:.1f}" if target > 0 else "0"


@register.filter
def signed(value: int) -> str:
    """Points with a true minus sign in place of the hyphen."""
    return f"{MINUS}{-value}" if value < 0 else str(value)


@register.filter
def change(value: int) -> str:
    """A gain or loss with its sign, which is a true minus sign too; nothing before 0."""
    return f"+{value}" if value > 0 else signed(value)


@cache
def _sprite() -> str:
    """The file of all drawings. Its name stays while the server runs, and a page asks for it sixty times."""
    return static("img/cards.svg")

"""What a take from the row would bring, before it is made: which cards come along, and what must become of the first."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import engine
from games.engine import Offer, View
from games.presenters.buttons import NOTHING_MORE, Button, safe, whose, with_tiles, write, written
from games.templatetags.cards import write_card

MOST_PLACES = 3
"""Of the places where a card could go, this many are named."""


def _valid(view: View, take: int | None) -> bool:
    return take is not None and 1 <= take <= len(view.row)


def use(view: View, take: int | None) -> SafeString:
    """What the button says below "Take 4 from the row"."""
    if take is None or not _valid(view, take):
        return NOTHING_MORE
    if view.rules.take_fault(view, take):
        return safe(_("not possible"))
    if not view.rules.obliges(view, take):
        return safe(_("free to keep"))
    return format_html(_("and use the {card}"), card=write(view, view.row[-take]))


def button(view: View, take: int | None, *, script: bool) -> Button:
    """The button that takes; dashed where the card that is picked cannot be taken and script will tell of another pick."""
    refused = script and take is not None and _valid(view, take) and view.rules.take_fault(view, take) is not None
    return Button("lay takes", "" if refused else "P", NOTHING_MORE, use(view, take), gold=True)


def tell(view: View, names: list[str], take: int | None) -> SafeString | None:
    """What a take brings, whether it may be made, and where the card taken could go."""
    if take is None or not _valid(view, take):
        return None
    taken = view.row[-take:]
    brings = format_html(_("Brings {cards}."), cards=written(view, taken))
    card = write(view, taken[0])
    fault = view.rules.take_fault(view, take)
    if fault:
        return format_html("{} <b>{}</b>", brings, format_html(_fault_words(view, fault), card=card))
    where = _where(view, names, take)
    if not view.rules.obliges(view, take):
        back = format_html(_("The {card} may stay in your hand, but not go straight back."), card=card)
        return format_html("{} {}{}", brings, back, where)
    return format_html("{} <b>{}</b>{}", brings, format_html(_must_words(view), card=card), where)


def _where(view: View, names: list[str], take: int) -> SafeString:
    """Where the card taken could go: not told of an opening, which may need it elsewhere."""
    if with_tiles(view) and not view.extra.opened[view.seat]:
        return NOTHING_MORE
    offers = sorted(engine.uses(view, take), key=lambda offer: sum(card >= engine.STANDS for card in offer.move.cards))
    places = list(dict.fromkeys(_place(view, names, offer, view.row[-take]) for offer in offers))[:MOST_PLACES]
    return format_html(_(" It would go {places}."), places=_either(places)) if places else NOTHING_MORE


def _must_words(view: View) -> str:
    if with_tiles(view) and not view.extra.opened[view.seat]:
        return pgettext("tile", "Open with the {card} this turn.")
    return _("Use the {card} this turn.")


def _fault_words(view: View, fault: str) -> str:
    """Why a take is not possible, in short: the sentence of a refusal says more."""
    opened = with_tiles(view) and view.extra.opened[view.seat]
    match fault:
        case "pickup_unusable" if with_tiles(view) and not opened:
            return pgettext("tile", "It cannot be taken: you cannot open with the {card}.")
        case "pickup_unusable":
            return _("It cannot be taken: the {card} fits nothing you could lay this turn.")
        case "first_round":
            return _("In your first turn nothing is taken.")
        case "dead_discard":
            return pgettext("tile", "The {card} is dead: it is never taken.")
        case "board_player":
            return _("On the board you take the last discard alone.")
        case "must_draw_stock":
            return _("With one or two tiles left nothing is taken.")
        case "cannot_break_row" if opened:
            return _("With three tiles left you take the last discard alone.")
        case "cannot_break_row":
            return _("Before you have opened you take the last discard alone.")
    return _("It cannot be taken now.")


def _place(view: View, names: list[str], offer: Offer, card: int) -> SafeString:
    """Where a card could be laid: with others of the hand, or on a meld."""
    texts = view.rules.alphabet.texts
    if offer.meld:
        return format_html(_("on {meld}"), meld=whose(view, offer.meld, names))
    others = [texts[laid] if laid < engine.STANDS else "*" for laid in offer.move.cards if laid != card]
    listed = mark_safe(" ".join(write_card(text, tiles=with_tiles(view)) for text in others))
    return format_html(_("with {cards}"), cards=listed)


def _either(places: list[SafeString]) -> SafeString:
    return mark_safe((" " + _("or") + " ").join(places))

"""The buttons under a hand of cards: what a selection would do and is worth, or why it cannot be done yet."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import engine
from games.engine import Offer, Offers, View
from games.presenters import buttons, takes, tile_acts
from games.presenters.buttons import NOTHING_MORE, Acts, Button, Chosen, safe, whose, with_tiles, write, written


def acts(view: View, names: list[str], chosen: Chosen, *, script: bool = True) -> Acts:
    """What the viewer may do; without any button where they are not on turn.

    Without script the buttons stay general, for nothing tells the server of another selection.
    """
    if not view.on_turn:
        return Acts(NOTHING_MORE, [])
    if with_tiles(view):
        return tile_acts.acts(view, names, chosen, script=script)
    if view.phase == engine.DRAW:
        return _drawing(view, names, chosen, script=script)
    codes = [view.rules.alphabet.codes.get(text, -1) for text in chosen.cards]
    if not codes or not all(0 <= code <= engine.JOKER for code in codes):
        return Acts(_need(view), buttons.idle(_general(view)) if script else _general(view))
    found = _precise(view, names, chosen, engine.offers(view, codes))
    return found if script else found._replace(buttons=_general(view))


# -- drawing -------------------------------------------------------------------------------------


def _drawing(view: View, names: list[str], chosen: Chosen, *, script: bool) -> Acts:
    if view.stock_left:
        left = ngettext("%(count)d card left", "%(count)d cards left", view.stock_left) % {"count": view.stock_left}
        draw = Button("from", "S", safe(_("Draw from the stock")), safe(left), gold=True)
        need = _("Draw one, or take from the row")
    else:
        draw = Button("from", "E", safe(_("End the deal")), safe(_("the stock is empty")), gold=True)
        need = _("The stock is empty: take from the row, or end the deal")
    take = takes.button(view, chosen.take, script=script)
    drop = Button("drop", "", safe(_("Discard")), safe(_("after drawing")))
    return Acts(safe(need), [take, draw, drop], tell=takes.tell(view, names, chosen.take))


# -- playing -------------------------------------------------------------------------------------


def _need(view: View) -> SafeString:
    if view.must_use is not None:
        card = format_html("<mark>{}</mark>", write(view, view.must_use))
        return format_html(_("Use the {card} before you discard"), card=card)
    return safe(_("Lay down what you like, then discard"))


def _general(view: View) -> list[Button]:
    """Before anything is picked, and without script: the cards that are ticked decide."""
    swaps = view.rules.swaps and any(meld.jokers for meld in view.melds)
    or_swap = safe(_("or swap one for a joker")) if swaps else NOTHING_MORE
    return [
        Button("lay", "M", safe(_("Lay the picked cards")), or_swap),
        Button("off", "L", safe(_("Lay off")), safe(_("the picked cards"))),
        buttons.undo_button(view),
        _blocked_drop(view) or Button("drop", "D", safe(_("Discard")), safe(_("the picked card"))),
    ]


def _blocked_drop(view: View) -> Button | None:
    if view.must_use is None:
        return None
    after = format_html(_("after the {card}"), card=write(view, view.must_use))
    return Button("drop", "", safe(_("Discard")), after)


def _precise(view: View, names: list[str], chosen: Chosen, found: Offers) -> Acts:
    """The buttons for a selection: one gold, the dearest thing it can do."""
    ways, legend = [], ""
    if len(found.lay) > 1:
        ways, legend = found.lay, _legend(found.lay)
    elif not found.lay and len(found.off) > 1:
        ways, legend = found.off, _("Where they go")
    plates = buttons.plates_of(view, ways, [buttons.points(offer.worth) for offer in ways])
    lay = _lay(view, found, names)
    off = _off(view, found, names, by_choice=bool(plates) and not found.lay)
    drop = _drop(view, found, gold=not lay.value and not off.value)
    need = safe(_("What does the joker stand for?")) if plates and "*" in chosen.cards else _need(view)
    return Acts(need, [lay, off, buttons.undo_button(view), drop], legend, plates, buttons.fits_of(view, found.off))


def _lay(view: View, found: Offers, names: list[str]) -> Button:
    if found.swap:
        offer = found.swap[0]
        small = format_html(_("in {meld}"), meld=whose(view, offer.meld, names))
        return Button("lay", buttons.text(view, offer), safe(_("Swap it for the joker")), small, offer.worth, gold=True)
    if found.lay:
        return buttons.lay_value(found.lay, view, [offer.worth for offer in found.lay])
    return Button("lay", "", safe(_("Lay")), safe(_lay_fault(found.lay_fault)))


def _lay_fault(fault: str | None) -> str:
    if fault == "too_few":
        return _("pick three or more")
    return _("no meld") if fault == "not_a_meld" else _("not possible now")


def _off(view: View, found: Offers, names: list[str], *, by_choice: bool) -> Button:
    if not found.off:
        return Button("off", "", safe(_("Lay off")), safe(_("fits no meld")))
    return buttons.off_button(view, found.off, names, by_choice=by_choice, gold=not found.lay and not found.swap)


def _drop(view: View, found: Offers, *, gold: bool) -> Button:
    if found.discard is not None:
        cards = written(view, found.discard.cards)
        return Button("drop", buttons.text(view, found.discard), safe(_("Discard")), cards, gold=gold)
    blocked = _blocked_drop(view)
    if blocked:
        return blocked
    reasons = {"one_card": _("pick one card"), "cannot_discard_pickup": _("not back at once")}
    return Button("drop", "", safe(_("Discard")), safe(reasons.get(found.discard_fault or "", _("not possible now"))))


def _legend(offers: list[Offer]) -> str:
    first = offers[0].move.cards
    numbers = {card % engine.STANDS % 13 for card in first}
    if len(numbers) == 1:
        return _("One of the suits the set lacks; it stays that card for good")
    return _("It stays that card for good")

"""The buttons under a hand: what a selection would do and is worth, or why it cannot be done yet.

Every button keeps its place. `value` is the move that it posts: whole in notation, or only its letter where
the cards that are ticked decide, which is how all of them are before anything is chosen, and without script.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import engine
from games.engine import RUN, Offer, Offers, View
from games.templatetags.cards import write_card

ALTERNATIVES = 5
"""How many choices the words of a button can follow by style alone."""


class Chosen(NamedTuple):
    """What is picked: cards of the hand, as texts, and how many of the row."""

    cards: tuple[str, ...] = ()
    take: int | None = None


NOTHING = Chosen()


class Button(NamedTuple):
    """A button of the dock; disabled where `value` is empty, and then `small` says why."""

    place: str
    value: str
    label: SafeString
    small: SafeString = mark_safe("")
    worth: int | None = None
    gold: bool = False
    alternatives: tuple[tuple[SafeString, int], ...] = ()
    """Words and worth by the choice that is made above the button."""


class Plate(NamedTuple):
    """One of several ways."""

    value: str
    cards: tuple[str, ...]
    label: SafeString
    small: SafeString
    checked: bool


class Acts(NamedTuple):
    """The dock below the hand, and what the selection fits on the table."""

    need: SafeString
    buttons: list[Button]
    legend: str = ""
    plates: tuple[Plate, ...] = ()
    fits: Mapping[int, tuple[str, int]] = MappingProxyType({})
    """By meld: the move and its worth."""
    tell: SafeString | None = None
    """About the take that is picked."""


def acts(view: View, names: list[str], chosen: Chosen, *, script: bool = True) -> Acts:
    """What the viewer may do; without any button where they are not on turn.

    Without script the buttons stay general, for nothing tells the server of another selection.
    """
    if not view.on_turn:
        return Acts(mark_safe(""), [])
    if view.phase == engine.DRAW:
        return _drawing(view, names, chosen)
    codes = [view.rules.alphabet.codes.get(text, -1) for text in chosen.cards]
    if not codes or not all(0 <= code <= engine.JOKER for code in codes):
        return Acts(_need(view), _general(view))
    found = _precise(view, names, chosen, engine.offers(view, codes))
    return found if script else found._replace(buttons=_general(view))


# -- drawing -------------------------------------------------------------------------------------


def _drawing(view: View, names: list[str], chosen: Chosen) -> Acts:
    if view.stock_left:
        left = ngettext("%(count)d card left", "%(count)d cards left", view.stock_left) % {"count": view.stock_left}
        draw = Button("from", "S", _safe(_("Draw from the stock")), _safe(left), gold=True)
        need = _("Draw one, or take from the row")
    else:
        draw = Button("from", "E", _safe(_("End the deal")), _safe(_("the stock is empty")), gold=True)
        need = _("The stock is empty: take from the row, or end the deal")
    use = _use(view, chosen.take) if chosen.take else mark_safe("")
    take = Button("lay takes", "P", mark_safe(""), use, gold=True)
    drop = Button("drop", "", _safe(_("Discard")), _safe(_("after drawing")))
    tell = _tell(view, names, chosen.take) if chosen.take else None
    return Acts(_safe(need), [take, draw, drop], tell=tell)


def _valid(view: View, take: int | None) -> bool:
    return take is not None and 1 <= take <= len(view.row)


def _use(view: View, take: int | None) -> SafeString:
    """What the button says below "Take 4 from the row"."""
    if take is None or not _valid(view, take):
        return mark_safe("")
    if view.rules.take_fault(view, take):
        return _safe(_("not possible"))
    if not view.rules.obliges(view, take):
        return _safe(_("free to keep"))
    return format_html(_("and use the {card}"), card=_card(view, view.row[-take]))


def _tell(view: View, names: list[str], take: int | None) -> SafeString | None:
    """What a take brings, whether it may be made, and where the card taken could go."""
    if take is None or not _valid(view, take):
        return None
    taken = view.row[-take:]
    brings = format_html(_("Brings {cards}."), cards=_cards(view, taken))
    card = _card(view, taken[0])
    fault = view.rules.take_fault(view, take)
    if fault:
        return format_html("{} <b>{}</b>", brings, format_html(_fault_words(fault), card=card))
    places = [_place(view, names, offer, taken[0]) for offer in engine.uses(view, take)[:3]]
    where = format_html(_(" It would go {places}."), places=_either(places)) if places else mark_safe("")
    if not view.rules.obliges(view, take):
        back = format_html(_("The {card} may stay in your hand, but not go straight back."), card=card)
        return format_html("{} {}{}", brings, back, where)
    must = format_html(_("Use the {card} this turn."), card=card)
    return format_html("{} <b>{}</b>{}", brings, must, where)


def _fault_words(fault: str) -> str:
    if fault == "pickup_unusable":
        return _("It cannot be taken: the {card} fits nothing you could lay this turn.")
    return _("It cannot be taken now.")


def _place(view: View, names: list[str], offer: Offer, card: int) -> SafeString:
    """Where a card could be laid: with others of the hand, or on a meld."""
    texts = view.rules.alphabet.texts
    if offer.meld:
        return format_html(_("on {meld}"), meld=_whose(view, offer.meld, names))
    others = [texts[laid] if laid < engine.STANDS else "*" for laid in offer.move.cards if laid != card]
    return format_html(_("with {cards}"), cards=mark_safe(" ".join(write_card(text) for text in others)))


def _either(places: list[SafeString]) -> SafeString:
    return mark_safe((" " + _("or") + " ").join(places))


# -- playing -------------------------------------------------------------------------------------


def _need(view: View) -> SafeString:
    if view.must_use is not None:
        card = format_html("<mark>{}</mark>", _card(view, view.must_use))
        return format_html(_("Use the {card} before you discard"), card=card)
    return _safe(_("Lay down what you like, then discard"))


def _general(view: View) -> list[Button]:
    """Before anything is picked, and without script: the cards that are ticked decide."""
    swaps = view.rules.swaps and any(meld.jokers for meld in view.melds)
    or_swap = _safe(_("or swap one for a joker")) if swaps else mark_safe("")
    return [
        Button("lay", "M", _safe(_("Lay the picked cards")), or_swap),
        Button("off", "L", _safe(_("Lay off")), _safe(_("the picked cards"))),
        _undo(view),
        _blocked_drop(view) or Button("drop", "D", _safe(_("Discard")), _safe(_("the picked card"))),
    ]


def _blocked_drop(view: View) -> Button | None:
    if view.must_use is None:
        return None
    after = format_html(_("after the {card}"), card=_card(view, view.must_use))
    return Button("drop", "", _safe(_("Discard")), after)


def _undo(view: View) -> Button:
    if not view.turn_moves:
        return Button("undo", "", _safe(_("Take back")), _safe(_("nothing yet")))
    last = view.turn_moves[-1]
    if last.kind == "P":
        small = ngettext("the %(count)d card", "the %(count)d cards", last.number) % {"count": last.number}
        return Button("undo", "U", _safe(_("Take back")), _safe(small))
    cards = [engine.JOKER if card >= engine.STANDS else card for card in last.cards]
    return Button("undo", "U", _safe(_("Take back")), _cards(view, cards[:3], more=len(cards) > 3))


def _precise(view: View, names: list[str], chosen: Chosen, found: Offers) -> Acts:
    """The buttons for a selection: one gold, the dearest thing it can do."""
    plates: tuple[Plate, ...] = ()
    legend = ""
    if len(found.lay) > 1:
        plates, legend = _plates(view, found.lay), _legend(found.lay)
    elif not found.lay and len(found.off) > 1:
        plates, legend = _plates(view, found.off), _("Where they go")
    lay = _lay(view, found, names)
    off = _off(view, found, names, chosen, by_choice=bool(plates) and not found.lay)
    drop = _drop(view, found, gold=not lay.value and not off.value)
    need = _safe(_("What does the joker stand for?")) if plates and "*" in chosen.cards else _need(view)
    fits = {}
    for offer in reversed(found.off):  # the dearest of each meld stays
        fits[offer.meld] = (_text(view, offer), offer.worth)
    return Acts(need, [lay, off, _undo(view), drop], legend, plates, fits)


def _lay(view: View, found: Offers, names: list[str]) -> Button:
    if found.swap:
        offer = found.swap[0]
        small = format_html(_("in {meld}"), meld=_whose(view, offer.meld, names))
        return Button("lay", _text(view, offer), _safe(_("Swap it for the joker")), small, offer.worth, gold=True)
    if len(found.lay) == 1:
        offer = found.lay[0]
        return Button("lay", _text(view, offer), _lay_words(view, offer), worth=offer.worth, gold=True)
    if found.lay:
        if len(found.lay) > ALTERNATIVES:
            return Button("lay", "M", _safe(_("Lay as chosen above")), gold=True)
        ways = tuple((_lay_words(view, offer), offer.worth) for offer in found.lay)
        return Button("lay", "M", mark_safe(""), gold=True, alternatives=ways)
    return Button("lay", "", _safe(_("Lay")), _safe(_lay_fault(found.lay_fault)))


def _lay_words(view: View, offer: Offer) -> SafeString:
    return format_html(_("Lay {cards}"), cards=_cards(view, offer.move.cards))


def _lay_fault(fault: str | None) -> str:
    if fault == "too_few":
        return _("pick three or more")
    return _("no meld") if fault == "not_a_meld" else _("not possible now")


def _off(view: View, found: Offers, names: list[str], chosen: Chosen, *, by_choice: bool) -> Button:
    if not found.off:
        return Button("off", "", _safe(_("Lay off")), _safe(_("fits no meld")))
    best = found.off[0]
    gold = not found.lay and not found.swap
    label = format_html(_("Lay off · {points}"), points=best.worth)
    if by_choice:
        return Button("off", "L", _safe(_("Lay off")), _safe(_("as chosen above")), gold=gold)
    small = format_html(_("on {meld}"), meld=_whose(view, best.meld, names))
    return Button("off", _text(view, best), label, small, gold=gold)


def _drop(view: View, found: Offers, *, gold: bool) -> Button:
    if found.discard is not None:
        return Button("drop", _text(view, found.discard), _safe(_("Discard")), _cards(view, found.discard.cards), gold=gold)
    blocked = _blocked_drop(view)
    if blocked:
        return blocked
    reasons = {"one_card": _("pick one card"), "cannot_discard_pickup": _("not back at once")}
    return Button("drop", "", _safe(_("Discard")), _safe(reasons.get(found.discard_fault or "", _("not possible now"))))


def _legend(offers: list[Offer]) -> str:
    first = offers[0].move.cards
    numbers = {card % engine.STANDS % 13 for card in first}
    if len(numbers) == 1:
        return _("One of the suits the set lacks; it stays that card for good")
    return _("It stays that card for good")


def _plates(view: View, offers: list[Offer]) -> tuple[Plate, ...]:
    texts = view.rules.alphabet.texts
    found = []
    for index, offer in enumerate(offers):
        cards = tuple(texts[card] for card in offer.move.cards)
        stands = [text[1:] for text in cards if text.startswith("*")]
        label = mark_safe(" ".join(write_card(text) for text in stands or cards))
        small = format_html(_("{points} points"), points=offer.worth)
        found.append(Plate(_text(view, offer), cards, label, small, index == 0))
    return tuple(found)


# -- words ---------------------------------------------------------------------------------------


def _whose(view: View, number: int, names: list[str]) -> str:
    meld = view.melds[number - 1]
    if meld.owner == view.seat:
        return _("your run") if meld.kind == RUN else _("your set")
    if meld.kind == RUN:
        return _("the run of %(name)s") % {"name": names[meld.owner]}
    return _("the set of %(name)s") % {"name": names[meld.owner]}


def _text(view: View, move: Offer | engine.Move) -> str:
    return engine.move_text(move.move if isinstance(move, Offer) else move, view.rules.alphabet)


def _card(view: View, card: int) -> SafeString:
    return write_card(view.rules.alphabet.texts[card])


def _cards(view: View, cards: tuple[int, ...] | list[int], *, more: bool = False) -> SafeString:
    written = [_card(view, card) for card in cards]
    return mark_safe(" ".join(written) + (" …" if more else ""))


def _safe(text: str) -> SafeString:
    """A sentence of the catalogue, as text."""
    return format_html("{}", text)

"""What the dock of a table is made of: buttons that keep their places, plates to choose from, and the words in them.

`value` is the move that a button posts: whole in notation, or only its letter where the cards that are ticked decide,
which is how all of them are before anything is chosen, and without script.
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
from games.engine import RUN, Offer, View
from games.engine.moves import ANNOUNCE, BOARD, TAKE
from games.templatetags.cards import write_card

ALTERNATIVES = 5
"""How many choices the words of a button can follow by style alone."""
NOTHING_MORE = mark_safe("")


class Chosen(NamedTuple):
    """What is picked: cards of the hand, as texts, how many of the row, and whether to announce with the discard."""

    cards: tuple[str, ...] = ()
    take: int | None = None
    announce: bool = False


NOTHING = Chosen()


class Button(NamedTuple):
    """A button of the dock; disabled where `value` is empty, and then `small` says why."""

    place: str
    value: str
    label: SafeString
    small: SafeString = NOTHING_MORE
    worth: int | str | None = None
    gold: bool = False
    alternatives: tuple[tuple[SafeString, int | str], ...] = ()
    """Words and worth by the choice that is made above the button."""


class Plate(NamedTuple):
    """One of several ways."""

    value: str
    cards: tuple[str, ...]
    label: SafeString
    small: SafeString
    checked: bool


class Announcement(NamedTuple):
    """The box to tick for announcing the last tiles with the discard (§4.13); disabled where `small` says why."""

    place: str
    small: str
    checked: bool

    @property
    def disabled(self) -> bool:
        return bool(self.small)


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
    announcement: Announcement | None = None
    meter: tuple[int, int] | None = None
    """Points of an opening, and how many it needs."""


def with_tiles(view: View) -> bool:
    """Whether the game is played with tiles."""
    return view.rules.alphabet is engine.TILES


def lay_value(offers: list[Offer], view: View, worths: list[str | int]) -> Button:
    """The button that lays: the one way there is, or as is chosen above it."""
    if len(offers) == 1:
        return Button("lay", text(view, offers[0]), _lay_words(view, offers[0]), worth=worths[0], gold=True)
    if len(offers) > ALTERNATIVES:
        return Button("lay", "M", safe(_("Lay as chosen above")), gold=True)
    ways = tuple((_lay_words(view, offer), worth) for offer, worth in zip(offers, worths, strict=True))
    return Button("lay", "M", NOTHING_MORE, gold=True, alternatives=ways)


def _lay_words(view: View, offer: Offer) -> SafeString:
    return format_html(_("Lay {cards}"), cards=written(view, offer.move.cards))


def off_button(view: View, offers: list[Offer], names: list[str], *, by_choice: bool, gold: bool) -> Button:
    """The button that lays off, where there is a way."""
    best = offers[0]
    if by_choice:
        return Button("off", "L", safe(_("Lay off")), safe(_("as chosen above")), gold=gold)
    small = format_html(_("on {meld}"), meld=whose(view, best.meld, names))
    label = format_html(_("Lay off · {points}"), points=best.worth)
    return Button("off", text(view, best), label, small, gold=gold)


def undo_button(view: View) -> Button:
    """The button that takes back the last move of the turn."""
    take_back = safe(_("Take back"))
    if not view.turn_moves:
        return Button("undo", "", take_back, safe(_("nothing yet")))
    last = view.turn_moves[-1]
    if last.kind == TAKE:
        return Button("undo", "U", take_back, safe(_taken(last.number, with_tiles(view))))
    if last.kind in (ANNOUNCE, BOARD):
        return Button("undo", "U", take_back, safe(_("the announcement")))
    cards = [engine.JOKER if card >= engine.STANDS else card for card in last.cards]
    return Button("undo", "U", take_back, written(view, cards[:3], more=len(cards) > 3))


def _taken(count: int, tiles: bool) -> str:
    if tiles:
        return ngettext("the tile taken", "the %(count)d tiles", count) % {"count": count}
    return ngettext("the %(count)d card", "the %(count)d cards", count) % {"count": count}


def fits_of(view: View, offers: list[Offer]) -> dict[int, tuple[str, int]]:
    """By meld, the dearest way to lay off on it."""
    found = {}
    for offer in reversed(offers):  # the dearest of each meld stays
        found[offer.meld] = (text(view, offer), offer.worth)
    return found


def plates_of(view: View, offers: list[Offer], worths: list[SafeString]) -> tuple[Plate, ...]:
    """The ways as plates, the first of them chosen."""
    texts = view.rules.alphabet.texts
    found = []
    for index, (offer, small) in enumerate(zip(offers, worths, strict=True)):
        cards = tuple(texts[card] for card in offer.move.cards)
        stands = [shown[1:] for shown in cards if shown.startswith("*")]
        label = mark_safe(" ".join(write_card(shown) for shown in stands or cards))
        found.append(Plate(text(view, offer), cards, label, small, index == 0))
    return tuple(found)


def points(count: int) -> SafeString:
    """What a way is worth."""
    return format_html(_("{points} points"), points=count)


# -- words ---------------------------------------------------------------------------------------


def whose(view: View, number: int, names: list[str]) -> str:
    """A meld, as it stands after "on" or "in"."""
    meld = view.melds[number - 1]
    if meld.owner == view.seat:
        return _("your run") if meld.kind == RUN else _("your set")
    if meld.kind == RUN:
        return _("the run of %(name)s") % {"name": names[meld.owner]}
    return _("the set of %(name)s") % {"name": names[meld.owner]}


def text(view: View, move: Offer | engine.Move) -> str:
    """A move in notation."""
    return engine.move_text(move.move if isinstance(move, Offer) else move, view.rules.alphabet)


def write(view: View, card: int) -> SafeString:
    """A card in running text."""
    return write_card(view.rules.alphabet.texts[card], tiles=with_tiles(view))


def written(view: View, cards: tuple[int, ...] | list[int], *, more: bool = False) -> SafeString:
    """Cards in running text."""
    return mark_safe(" ".join(write(view, card) for card in cards) + (" …" if more else ""))


def safe(words: str) -> SafeString:
    """A sentence of the catalogue, as text."""
    return format_html("{}", words)


def idle(general: list[Button]) -> list[Button]:
    """General buttons while nothing is picked, where script tells what is: dashed, each with what to pick."""
    return [_waiting(button) for button in general]


def _waiting(button: Button) -> Button:
    match button.value:
        case "M":
            return Button(button.place, "", safe(_("Lay")), safe(_("pick three or more")))
        case "L":
            return Button(button.place, "", safe(_("Lay off")), safe(_("pick what fits")))
        case "D" | "C":
            return Button(button.place, "", button.label, safe(_("pick one")))
    return button

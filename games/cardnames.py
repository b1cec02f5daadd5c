"""What a card or tile is called, in the reader's language.

Knows the text form of cards (``7H``, ``*``, ``*9H``, ``12K``, ``*12K``) and the words of the games; knows nothing of
hands, rules or pages. Words follow the active translation.
"""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

JOKER = "*"
CARD_SUITS = "SHDC"
TILE_COLOURS = "RYBK"
CARD_RANKS = "A23456789TJQK"
TILE_NUMBERS = tuple(str(number) for number in range(1, 14))


class Face(NamedTuple):
    """A card or tile taken apart: ``rank`` and ``suit`` are empty for a joker in hand."""

    rank: str
    suit: str
    joker: bool

    @property
    def is_tile(self) -> bool:
        return self.suit in tuple(TILE_COLOURS)


def parse_face(text: str) -> Face:
    """Take the text form of a card or tile apart; ``ValueError`` where it is neither."""
    joker = text.startswith(JOKER)
    rest = text[1:] if joker else text
    if joker and not rest:
        return Face("", "", True)
    rank, suit = rest[:-1], rest[-1:]
    known = (suit in tuple(CARD_SUITS) and rank in tuple(CARD_RANKS)) or (suit in tuple(TILE_COLOURS) and rank in TILE_NUMBERS)
    if not known:
        raise ValueError(f"not a card: {text!r}")
    return Face(rank, suit, joker)


def index_letter(rank: str) -> str:
    """The index printed on a card of this rank: ``T`` is 10, and the court cards have the letters of the language."""
    match rank:
        case "T":
            return "10"
        case "A":
            return pgettext("letter on the ace", "A")
        case "J":
            return pgettext("letter on the jack", "J")
        case "Q":
            return pgettext("letter on the queen", "Q")
        case "K":
            return pgettext("letter on the king", "K")
    return rank


def suit_name(suit: str) -> str:
    """The name of a suit, or of a tile's colour: "hearts", "yellow"."""
    match suit:
        case "S":
            return _("spades")
        case "H":
            return _("hearts")
        case "D":
            return _("diamonds")
        case "C":
            return _("clubs")
        case "R":
            return pgettext("colour of a tile", "red")
        case "Y":
            return pgettext("colour of a tile", "yellow")
        case "B":
            return pgettext("colour of a tile", "blue")
        case "K":
            return pgettext("colour of a tile", "black")
    raise ValueError(f"not a suit: {suit!r}")


def _rank_name(rank: str) -> str:
    match rank:
        case "A":
            return _("ace")
        case "J":
            return _("jack")
        case "Q":
            return _("queen")
        case "K":
            return _("king")
    return "10" if rank == "T" else rank


def card_name(text: str, *, tiles: bool = False) -> str:
    """The name of a card: "7 of hearts", "joker", and laid "joker as jack of hearts". With `tiles` the joker is the joly."""
    face = parse_face(text)
    if not face.rank:
        return pgettext("tile", "joly") if tiles else _("joker")
    if face.is_tile:
        name = pgettext("tile", "%(colour)s %(number)s") % {"colour": suit_name(face.suit), "number": face.rank}
        return pgettext("tile", "joly as %(tile)s") % {"tile": name} if face.joker else name
    name = _("%(rank)s of %(suit)s") % {"rank": _rank_name(face.rank), "suit": suit_name(face.suit)}
    return _("joker as %(card)s") % {"card": name} if face.joker else name


def card_label(text: str, *, new: bool = False, must: bool = False, can: bool = False, by: str = "", tiles: bool = False) -> str:
    """The name of a card with what its picture shows beside it, for those who hear the page.

    ``new`` came in this turn, ``must`` has to be used this turn, ``can`` may be taken, ``by`` is the player who laid it.
    """
    label = card_name(text, tiles=tiles)
    if by:
        label = _("%(card)s, laid by %(name)s") % {"card": label, "name": by}
    if new:
        label = _("%(card)s, new this turn") % {"card": label}
    if must:
        label = _("%(card)s, must be used this turn") % {"card": label}
    if can:
        label = _("%(card)s, may be taken") % {"card": label}
    return label

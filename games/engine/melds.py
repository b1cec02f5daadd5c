"""Melds (formații, combinaisons): reading, listing and extending them (rules §1.5–1.7, §4.7).

Pure functions of cards; nothing here knows of turns, hands of others or points. Positions in a run
are 1…14, the ace (or tile 1) at 1 and at 14. `tight` games (the tiles) want two naturals for each
joker of a meld and no two jokers side by side in a run (§4.7).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from .cards import STANDS, SUIT
from .moves import MELD, Move

SET, RUN = "set", "run"
LOW_ACE, HIGH_ACE = 1, 14
COLUMN = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The four faces of number 0; shifted up by a number, those of that number."""
FIRSTS = COLUMN * (SUIT >> 2)
"""The faces that can begin a run, but for that of queen, king and ace."""


class Shape(NamedTuple):
    """What the cards of a meld come to, whoever laid them: worked out once for the same cards."""

    suit: int
    """The suit of a run; that of the first card of a set."""
    fits: int
    joker_fits: int
    standing: int


class Meld:
    """A meld on the table; a value, never changed.

    `cards` stand in print order with `by`, the seat that laid each. `low` and `high` are the ends
    of a run as positions (both 0 for a set). `fits` and `joker_fits` are the faces, as bits, that
    one natural card or one joker could be laid off as; `standing` those that its jokers stand for.
    """

    __slots__ = ("by", "cards", "fits", "high", "id", "joker_fits", "kind", "low", "owner", "standing", "suit")

    def __init__(
        self, id: int, kind: str, owner: int, cards: tuple[int, ...], by: tuple[int, ...], low: int, tight: bool
    ) -> None:
        self.id = id
        self.kind = kind
        self.owner = owner
        self.cards = cards
        self.by = by
        self.low = low
        self.high = low + len(cards) - 1 if kind == RUN else 0
        self.suit, self.fits, self.joker_fits, self.standing = _shape(kind, cards, low, tight)

    @property
    def jokers(self) -> int:
        """How many jokers lie in it."""
        return self.standing.bit_count()

    def positions(self) -> range | tuple[int, ...]:
        """Where each card stands: its place in the run, or its number in a set."""
        if self.kind == RUN:
            return range(self.low, self.high + 1)
        return ((self.cards[0] & (STANDS - 1)) % 13 + 1,) * len(self.cards)

    def _key(self) -> tuple[object, ...]:
        return (self.id, self.kind, self.owner, self.cards, self.by, self.low)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Meld) and self._key() == other._key())

    def __hash__(self) -> int:
        return hash(self._key())


def face_of(card: int) -> int:
    """What a laid card counts as: its face, or the face that a joker stands for."""
    return card & (STANDS - 1)


def face_at(suit: int, position: int) -> int:
    """The face of a suit at a position of a run."""
    return suit * 13 + (position - 1) % 13


@lru_cache(maxsize=20_000)
def _shape(kind: str, cards: tuple[int, ...], low: int, tight: bool) -> Shape:
    faces = [face_of(card) for card in cards]
    standing = sum(1 << face for face, card in zip(faces, cards, strict=True) if card >= STANDS)
    suit, number = divmod(faces[0], 13)
    if kind == SET:
        beyond = {place * 13 + number for place in range(4)}.difference(faces)
    else:
        places = (low - 1, low + len(cards))
        beyond = {face_at(suit, place) for place in places if LOW_ACE <= place <= HIGH_ACE}
    fits = sum(1 << face for face in beyond)
    return Shape(suit, fits, _joker_fits(kind, cards, low, fits) if tight else fits, standing)


def _joker_fits(kind: str, cards: tuple[int, ...], low: int, fits: int) -> int:
    """Where a further joker keeps within §4.7."""
    jokers = sum(card >= STANDS for card in cards)
    if len(cards) - jokers < 2 * (jokers + 1):
        return 0
    if kind == SET:
        return fits
    suit, found = face_of(cards[0]) // 13, 0
    if low > LOW_ACE and cards[0] < STANDS:
        found = 1 << face_at(suit, low - 1)
    if low + len(cards) <= HIGH_ACE and cards[-1] < STANDS:
        found |= 1 << face_at(suit, low + len(cards))
    return found


@lru_cache(maxsize=20_000)
def read(cards: tuple[int, ...], tight: bool) -> tuple[str, tuple[int, ...], int] | None:
    """What these cards, listed in any order, are as a meld: (kind, cards in print order, low end).

    None where they are none. Jokers must be declared already.
    """
    if not 3 <= len(cards) <= 14:
        return None
    jokers = sum(card >= STANDS for card in cards)
    naturals = len(cards) - jokers
    if naturals < (2 * jokers if tight else 1):
        return None
    faces = [card & (STANDS - 1) for card in cards]
    number = faces[0] % 13
    if all(face % 13 == number for face in faces):
        if len(cards) > 4 or len(set(faces)) < len(faces):
            return None
        return SET, tuple(sorted(cards, key=face_of)), 0
    placed = _place(cards, faces)
    if placed is None:
        return None
    low, ordered = placed
    if tight and any(a >= STANDS and b >= STANDS for a, b in pairwise(ordered)):
        return None
    return RUN, ordered, low


def _place(cards: tuple[int, ...], faces: list[int]) -> tuple[int, tuple[int, ...]] | None:
    """The low end and the order of a run, aces as §1.5 and §1.7 say; None where it is no run."""
    suit = faces[0] // 13
    first_ace = -1
    aces = 0
    places: dict[int, int] = {}
    for index, face in enumerate(faces):
        if face // 13 != suit:
            return None
        position = face % 13 + 1
        if position == LOW_ACE:
            if not aces:
                first_ace = index
            aces += 1
            position = LOW_ACE if aces == 1 else HIGH_ACE
        if position in places or aces > 2:
            return None
        places[position] = cards[index]
    if aces == 1:
        _place_ace(places, first_ace)
    low, high = min(places), max(places)
    if high - low + 1 != len(cards):
        return None
    return low, tuple([places[position] for position in range(low, high + 1)])


def _place_ace(places: dict[int, int], listed: int) -> None:
    """Move the one ace, put low so far, to the high end where it belongs there (§1.7)."""
    if 13 in places and (2 not in places or (len(places) == 13 and listed > 0)):
        places[HIGH_ACE] = places.pop(LOW_ACE)


def laid(id: int, seat: int, cards: tuple[int, ...], tight: bool) -> Meld | None:
    """The meld that a seat makes by laying these cards, or None."""
    found = read(cards, tight)
    if found is None:
        return None
    kind, ordered, low = found
    return Meld(id, kind, seat, ordered, (seat,) * len(ordered), low, tight)


def extended(meld: Meld, card: int, seat: int, tight: bool) -> Meld | None:
    """The meld with one card laid off on it, or None. An ace on 2…K goes to the high end (§1.7)."""
    joker = card >= STANDS
    face = face_of(card)
    if not (meld.joker_fits if joker else meld.fits) >> face & 1:
        return None
    cards, by, low = meld.cards, meld.by, meld.low
    if meld.kind == SET:
        index = sum([face_of(other) < face for other in cards])
    elif meld.high < HIGH_ACE and face == face_at(meld.suit, meld.high + 1) and not (joker and tight and cards[-1] >= STANDS):
        index = len(cards)
    else:
        index = 0
        low -= 1
    cards = (*cards[:index], card, *cards[index:])
    by = (*by[:index], seat, *by[index:])
    return Meld(meld.id, meld.kind, meld.owner, cards, by, low, tight)


def swapped(meld: Meld, face: int, seat: int, tight: bool) -> Meld | None:
    """The meld with a natural card in place of the joker that stands for it, or None."""
    standing = face + STANDS
    if standing not in meld.cards:
        return None
    index = meld.cards.index(standing)
    cards = (*meld.cards[:index], face, *meld.cards[index + 1 :])
    by = (*meld.by[:index], seat, *meld.by[index + 1 :])
    return Meld(meld.id, meld.kind, meld.owner, cards, by, meld.low, tight)


@lru_cache(maxsize=16_000)
def runs(suit: int, held: int, two_aces: int, jokers: int, tight: bool) -> tuple[Move, ...]:
    """Every run that can be laid of one suit: `held` are its 13 bits, `jokers` those at hand."""
    found: list[Move] = []
    for low in range(LOW_ACE, HIGH_ACE - 1):
        # partial runs from `low` on: (cards, jokers in it, ace spent)
        partial: list[tuple[tuple[int, ...], int, bool]] = [((), 0, False)]
        for position in range(low, HIGH_ACE + 1):
            partial = _longer(partial, suit, position, held, two_aces, jokers, tight)
            if not partial:
                break
            if position >= low + 2:
                found += [_lay(cards) for cards, used, _ in partial if len(cards) - used >= (2 * used if tight else 1)]
    return tuple(found)


@lru_cache(maxsize=32_000)
def _lay(cards: tuple[int, ...]) -> Move:
    """The laying of a meld: one object however many hands can lay it."""
    return Move(MELD, 0, cards)


def _longer(
    partial: list[tuple[tuple[int, ...], int, bool]],
    suit: int,
    position: int,
    held: int,
    two_aces: int,
    jokers: int,
    tight: bool,
) -> list[tuple[tuple[int, ...], int, bool]]:
    """Each partial run with the card of one more position, as itself and as a joker."""
    face = face_at(suit, position)
    ace = position in (LOW_ACE, HIGH_ACE)
    natural = held >> ((position - 1) % 13) & 1
    longer = []
    for cards, used, ace_spent in partial:
        if natural and (not ace or not ace_spent or two_aces):
            longer.append(((*cards, face), used, ace_spent or ace))
        if used < jokers and not (tight and cards and cards[-1] >= STANDS):
            longer.append(((*cards, face + STANDS), used + 1, ace_spent))
    return longer


@lru_cache(maxsize=4_000)
def sets(number: int, column: int, jokers: int, tight: bool) -> tuple[Move, ...]:
    """Every set of one number (0…12) that can be laid: `column` are the faces of the number held, shifted down by it."""
    partial: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for suit in range(4):
        face = suit * 13 + number
        longer = list(partial)
        for cards, used in partial:
            if column >> 13 * suit & 1:
                longer.append(((*cards, face), used))
            if used < jokers:
                longer.append(((*cards, face + STANDS), used + 1))
        partial = longer
    return tuple(_lay(cards) for cards, used in partial if len(cards) >= 3 and len(cards) - used >= (2 * used if tight else 1))


def listed(once: int, twice: int, jokers: int, tight: bool) -> list[Move]:
    """Every distinct meld that a hand can lay, jokers with every declaration, in print order."""
    found: list[Move] = []
    a, b, c, d = once & SUIT, once >> 13 & SUIT, once >> 26 & SUIT, once >> 39
    if jokers or once & once >> 1 & once >> 2 & FIRSTS or once >> 11 & once >> 12 & once & COLUMN:
        for suit, held in enumerate((a, b, c, d)):
            if held:
                found += runs(suit, held, twice >> suit * 13 & 1, jokers, tight)
    if jokers >= 2:
        numbers = a | b | c | d
    elif jokers:
        numbers = a & b | c & d | (a | b) & (c | d)
    else:
        numbers = a & b & (c | d) | c & d & (a | b)
    while numbers:
        number = (numbers & -numbers).bit_length() - 1
        numbers &= numbers - 1
        found += sets(number, once >> number & COLUMN, jokers, tight)
    return found

"""Whether a tile taken from the row can be laid by a seat that has opened (rules §1.8, with the limits of §4.7 and §4.12).

Exact, as `takes` is for the cards, where a joker serves always; here it does not. What keeps it short: there are but two
joly, so at most four choices of swaps; a new meld with the tile needs no more than three tiles; and tiles laid off
elsewhere than on the tile's own run help nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .cards import JOKER, STANDS, SUIT, Hand, add, bits, remove
from .melds import HIGH_ACE, LOW_ACE, RUN, Meld, extended, swapped
from .takes import in_new_melds


def usable(hand: Hand, melds: tuple[Meld, ...], card: int) -> bool:
    """Whether `card`, which is in `hand`, can be laid by some sequence of table moves that each leave a tile in hand."""
    if card != JOKER and _standing(melds) >> card & 1:
        return True
    return any(_usable(held, table, card) for held, table in _swaps(hand, melds, card))


def usable_takes(hand: Hand, row: tuple[int, ...], melds: tuple[Meld, ...]) -> list[int]:
    """Every n ≥ 1 for which the take of n tiles brings a tile that can be laid."""
    found = []
    maybe, joker_too = _perhaps(add(hand, row), melds)
    for n, card in enumerate(reversed(row), start=1):
        hand = add(hand, (card,))
        if (joker_too if card == JOKER else maybe >> card & 1) and usable(hand, melds, card):
            found.append(n)
    return found


def _standing(melds: tuple[Meld, ...]) -> int:
    """The faces, as bits, that joly on the table stand for."""
    found = 0
    for meld in melds:
        found |= meld.standing
    return found


def _perhaps(hand: Hand, melds: tuple[Meld, ...]) -> tuple[int, bool]:
    """The faces that could be laid with all of the hand, and whether a joly could: a cheap net, never too narrow."""
    standing = _standing(melds)
    found = standing | in_new_melds(hand.once, 1 if hand.jokers or standing & hand.once else 0)
    for meld in melds:
        found |= SUIT << 13 * meld.suit if meld.kind == RUN else meld.fits
    return found, hand.jokers > 0


def _swaps(hand: Hand, melds: tuple[Meld, ...], card: int) -> Iterator[tuple[Hand, tuple[Meld, ...]]]:
    """The hand and the table after each choice of swaps that spends not the tile itself."""
    yield hand, melds
    for at, meld in enumerate(melds):
        for laid in meld.cards:
            less = remove(hand, (laid - STANDS,)) if laid >= STANDS else None
            changed = swapped(meld, laid - STANDS, 0, True) if less is not None else None
            if less is not None and changed is not None and (card == JOKER or less.copies(card)):
                # the swaps of a pair come in either order, which costs little and hides nothing
                yield from _swaps(add(less, (JOKER,)), (*melds[:at], changed, *melds[at + 1 :]), card)


def _usable(hand: Hand, melds: tuple[Meld, ...], card: int) -> bool:
    if hand.size > 3:
        once = hand.once
        if in_new_melds(once, 1) & once if card == JOKER else in_new_melds(once, min(hand.jokers, 1)) >> card & 1:
            return True
    return any(lay_offs(meld, hand, card) is not None for meld in melds)


def lay_offs(meld: Meld, hand: Hand, card: int) -> tuple[int, ...] | None:
    """Tiles that can be laid off on a meld one after the other, the last of them `card`, which is in `hand`.

    Those before it close the gap to it, or make room for a joly. None where there are no such tiles, or where none would
    be left in hand.
    """
    if card == JOKER:
        without = hand._replace(jokers=0)  # another joly would make no room
    elif meld.fits >> card & 1:
        return (card,) if hand.size > 1 else None
    elif _out_of_reach(meld, hand, card):
        return None
    else:
        less = remove(hand, (card,))
        assert less is not None
        without = less
    for longer, laid in _longer(meld, without, hand.size - 2):
        fits = longer.joker_fits if card == JOKER else longer.fits & 1 << card
        if fits:
            return (*laid, STANDS + bits(fits)[0] if card == JOKER else card)
    return None


def _out_of_reach(meld: Meld, hand: Hand, card: int) -> bool:
    """Whether tiles held and joly are too few for the gap between a run and a tile: a quick look that misses none."""
    if meld.kind != RUN or meld.suit != card // 13:
        return True
    held = hand.once >> 13 * meld.suit & SUIT
    places = (LOW_ACE, HIGH_ACE) if card % 13 == 0 else (card % 13 + 1,)
    return not any(_near(meld, held | (held & 1) << 13, place, hand.jokers) for place in places)


def _near(meld: Meld, held: int, place: int, jokers: int) -> bool:
    """Whether tiles held and joly are as many as the gap between a run and a place beyond it asks for."""
    if place > meld.high:
        gap = (1 << place - 1) - (1 << meld.high)
    elif place < meld.low:
        gap = (1 << meld.low - 1) - (1 << place)
    else:
        return False
    return (gap & ~held).bit_count() <= jokers


def _longer(meld: Meld, hand: Hand, most: int) -> Iterator[tuple[Meld, tuple[int, ...]]]:
    """A meld as it is, and as up to `most` tiles of the hand make it that are laid off one after the other, with those tiles."""
    seen = {meld.cards}
    waiting: list[tuple[Meld, Hand, tuple[int, ...]]] = [(meld, hand, ())] if most >= 0 else []
    while waiting:
        meld, hand, laid = waiting.pop()
        yield meld, laid
        if len(laid) == most:
            continue
        fitting = bits(meld.fits & hand.once)
        if hand.jokers:
            fitting += [face + STANDS for face in bits(meld.joker_fits)]
        for card in fitting:
            longer = extended(meld, card, 0, True)
            rest = remove(hand, (JOKER if card >= STANDS else card,))
            if longer is not None and rest is not None and longer.cards not in seen:
                seen.add(longer.cards)
                waiting.append((longer, rest, (*laid, card)))

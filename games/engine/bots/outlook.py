"""What a hand that is kept is worth to its seat, and what a discard is worth to the others: estimates, in points.

A card that is never laid counts against its seat; one that is laid counts for it. So a card is worth
chance × (laid + in hand) − in hand, where the chance is that of seeing a card that it can be laid with before
the deal ends.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, sqrt
from typing import NamedTuple

from ..cards import JOKER, Hand, bits
from ..melds import RUN, SET, Meld, face_at
from ..rules import Rules
from ..takes import NEAR, SAME
from ..view import View

ON_THE_ROW = 2.5
"""How many unseen cards one in the row counts as: it is there for the taking, but with all that lies on it."""
ELSEWHERE = 0.3
"""The same for one that is known to be in the hand of another."""
TURNS_A_CARD = 1.2
"""Turns that are left for each card of the seat that holds fewest."""
CARDS_A_TURN = 2.0
"""Cards that a seat sees from one of its turns to the next: one drawn, and some discards of others."""
NEIGHBOURS = 6.0
"""Cards that go with one that stands alone, about; two of them are needed."""
PAIR = 0.5
"""How often two cards that go with it go with each other as well."""
SHARED = 1.4
"""A card that completes a meld is worth something itself: a part of it counts for each of the others."""
JOKER_OUTS = 12.0
"""How many of the cards to come let a joker be laid."""
JOKER_WORTH = 42.0
"""What a joker brings when it is laid, those included that it helps to lay, and that it is no longer in hand."""
JOKER_DRAWN = 30.0
"""What a joker from the stock brings."""
JOKER_GIVEN = 30.0
"""What a joker brings the one that finds it in the row."""
LATER = 0.5
"""How much less the gain of each further seat is feared: one before it may take the card."""
CHOICE = 1.5
"""What one card more to choose the discard from is worth."""


class Values(NamedTuple):
    """What each face counts when laid, about, and in hand."""

    laid: tuple[float, ...]
    held: tuple[int, ...]
    joker: int
    """A joker in hand."""
    copies: int
    """How many cards of each face the game has."""


@lru_cache(maxsize=100)
def values(rules: Rules) -> Values:
    """The values of a game's faces; of an ace, between what it counts in a set and above the king."""
    sets = [rules.laid_value(face, SET, face % 13 + 1) for face in range(52)]
    high = rules.laid_value(0, RUN, 14)
    laid = tuple((worth + high) / 2 if face % 13 == 0 else float(worth) for face, worth in enumerate(sets))
    held = tuple(rules.hand_value(face) for face in range(52))
    return Values(laid, held, rules.hand_value(JOKER), rules.pack().count(0))


def _windows(face: int) -> tuple[tuple[int, int], ...]:
    """The pairs of faces that make a run of three with a face."""
    suit, number = divmod(face, 13)
    found = set()
    for place in (0, 13) if number == 0 else (number,):
        for low in range(max(0, place - 2), min(11, place) + 1):
            others = [suit * 13 + at % 13 for at in range(low, low + 3) if at != place]
            found.add((others[0], others[1]))
    return tuple(sorted(found))


WINDOWS = tuple(_windows(face) for face in range(52))
OTHERS = tuple(tuple(bits(SAME[face])) for face in range(52))
"""By face, the three others of its number."""


class Outlook(NamedTuple):
    """What a view tells of the cards to come."""

    values: Values
    live: tuple[float, ...]
    """By face, how many cards of it may come into reach, as unseen cards count."""
    unseen: tuple[int, ...]
    """By face, how many cards of it lie in the stock or in hands, nobody knows which."""
    hidden: int
    """How many such cards there are, jokers too."""
    rate: float
    """How often the seat will see each single hidden card before the deal ends: a small number."""


def outlook(view: View) -> Outlook:
    """What the seat may expect."""
    worths = values(view.rules)
    unseen = [worths.copies] * 52
    live = [0.0] * 52
    for seat, known in enumerate(view.known):
        if seat != view.seat:
            for card in known.cards():
                if card != JOKER:
                    unseen[card] -= 1
                    live[card] += ELSEWHERE
    shown = [*view.hand.cards(), *view.row, *(card for meld in view.melds for card in meld.cards)]
    for card in shown:
        if card < JOKER:
            unseen[card] -= 1
    for card in view.row:
        if card != JOKER:
            live[card] += ON_THE_ROW
    hidden = view.stock_left + sum(_unknown(view, seat) for seat in view.seats_in if seat != view.seat)
    live = [some + more for some, more in zip(live, unseen, strict=True)]
    rate = turns_left(view) * CARDS_A_TURN / max(hidden, 1)
    return Outlook(worths, tuple(live), tuple(unseen), hidden, rate)


def turns_left(view: View) -> float:
    """How many turns the seat will have after this one, about."""
    others = [view.counts[seat] for seat in view.seats_in if seat != view.seat]
    return min(TURNS_A_CARD * min(others), view.stock_left / len(view.seats_in))


def _unknown(view: View, seat: int) -> int:
    return view.counts[seat] - view.known[seat].size


def prospects(out: Outlook, hand: Hand, on_table: tuple[Meld, ...]) -> float:
    """What a hand is worth to whoever keeps it, the melds being those that lie on the table."""
    return kept(out, hand, beyond(out, on_table))


def kept(out: Outlook, hand: Hand, reach: dict[int, float]) -> float:
    """`prospects`, where what `beyond` says of the table is at hand."""
    once, live, rate = hand.once, out.live, out.rate
    laid, held, joker, _ = out.values
    if rate == 0:
        return -float(sum(held[face] for face in bits(once) + bits(hand.twice)) + joker * hand.jokers)
    alone = PAIR * (1 - exp(-NEIGHBOURS * rate)) ** 2
    total = 0.0
    for face in bits(once):
        outs = reach.get(face, 0.0) + _outs(face, once, live)
        chance = max(alone, 1 - exp(-outs * rate)) if outs else alone
        total += chance * (laid[face] * SHARED + held[face]) - held[face]
    for face in bits(hand.twice):
        total += alone * (laid[face] + held[face]) - held[face]
    if hand.jokers:
        total += hand.jokers * ((1 - exp(-JOKER_OUTS * rate)) * JOKER_WORTH - joker)
    return total


def _outs(face: int, once: int, live: tuple[float, ...]) -> float:
    """How many cards may come that make a meld with a face and one other that is held."""
    outs = 0.0
    if once & SAME[face]:
        for other in OTHERS[face]:
            if not once >> other & 1:
                outs += live[other]
    if once & NEAR[face]:
        for one, other in WINDOWS[face]:
            if once >> one & 1:
                if not once >> other & 1:
                    outs += live[other]
            elif once >> other & 1:
                outs += live[one]
    return outs


def beyond(out: Outlook, on_table: tuple[Meld, ...]) -> dict[int, float]:
    """By face, how many cards may come that bring a run on the table to where the face can be laid off."""
    found: dict[int, float] = {}
    for meld in on_table:
        if meld.kind == RUN:
            for end, step in ((meld.low, -1), (meld.high, 1)):
                if 1 <= end + 2 * step <= 14:
                    face = face_at(meld.suit, end + 2 * step)
                    found[face] = found.get(face, 0.0) + out.live[face_at(meld.suit, end + step)]
    return found


def draw_worth(out: Outlook, hand: Hand, on_table: tuple[Meld, ...]) -> float:
    """What a card from the stock is worth, beyond what the hand is worth already."""
    if not out.hidden:
        return 0.0
    once, unseen = hand.once, out.unseen
    laid, held = out.values.laid, out.values.held
    fits = 0
    for meld in on_table:
        fits |= meld.fits | meld.standing
    total = 0.0
    jokers = out.hidden - sum(unseen)
    for face in range(52):
        if unseen[face]:
            if completes(face, once):
                total += unseen[face] * (1.5 * laid[face] + 0.5 * held[face])
            elif fits >> face & 1:
                total += unseen[face] * laid[face]
    return (total + jokers * JOKER_DRAWN) / out.hidden + CHOICE


def completes(face: int, once: int) -> bool:
    """Whether a face makes a meld with two cards held, without a joker."""
    if (once & SAME[face]).bit_count() >= 2:
        return True
    if (once & NEAR[face]).bit_count() >= 2:
        for one, other in WINDOWS[face]:
            if once >> one & 1 and once >> other & 1:
                return True
    return False


def danger(out: Outlook, view: View, card: int) -> float:
    """What the others would gain by a discard, as far as that is the seat's loss."""
    if card == JOKER:
        return JOKER_GIVEN
    assert view.seat is not None
    gain = 3 * out.values.laid[card] + 2 * out.values.held[card]
    total, weight = 0.0, 1 / sqrt(len(view.seats_in) - 1)
    for step in range(1, view.rules.count):
        seat = (view.seat + step) % view.rules.count
        if seat not in view.resigned:
            total += weight * min(1.0, _usable(out, view, seat, card)) * gain
            weight *= LATER
    return total


def _usable(out: Outlook, view: View, seat: int, card: int) -> float:
    """In how many ways a seat could meld a card, the row helping, each as likely as it is: below 1, about a chance."""
    known, share = view.known[seat].once, _unknown(view, seat) / max(out.hidden, 1)
    has = {
        face: 1.0 if known >> face & 1 or face in view.row else min(1.0, out.unseen[face] * share)
        for face in (*OTHERS[card], *bits(NEAR[card]))
    }
    a, b, c = (has[face] for face in OTHERS[card])
    ways = a * b + a * c + b * c
    for one, other in WINDOWS[card]:
        ways += has[one] * has[other]
    return ways

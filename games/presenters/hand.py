"""The viewer's own hand: its order, and what is marked in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from games import engine
from games.engine import View


class HandCard(NamedTuple):
    text: str
    new: bool
    must: bool
    checked: bool


def hand(view: View, sort: str, arrangement: Sequence[str], picked: Sequence[str]) -> list[HandCard]:
    """The viewer's cards in the order that they want, those that came in this turn marked; none for a spectator."""
    return marked(arranged(view.hand.cards(), sort, arrangement, view.rules.alphabet.texts), view, picked, came(view))


def came(view: View) -> Counter[int]:
    """What came into the viewer's hand in this turn."""
    return Counter([view.drew] if view.drew is not None else view.took) if view.on_turn else Counter()


def marked(
    cards: list[int], view: View, picked: Sequence[str], fresh: Counter[int], *, newest_last: bool = False
) -> list[HandCard]:
    """Cards in their order with their marks; of two alike the later is the new one where `newest_last`, else the earlier."""
    texts = view.rules.alphabet.texts
    must = view.must_use if view.on_turn else None
    new, ticked = Counter(fresh), Counter(picked)
    found = []
    for card in reversed(cards) if newest_last else cards:
        found.append(HandCard(texts[card], new[card] > 0, card == must, ticked[texts[card]] > 0))
        new[card] -= 1
        ticked[texts[card]] -= 1
    return found[::-1] if newest_last else found


def arranged(cards: list[int], sort: str, arrangement: Sequence[str], texts: tuple[str, ...]) -> list[int]:
    """A hand by suit, by number, or in the order that its player has given it; what is new to that comes last."""
    if sort == "number":
        return sorted(cards, key=lambda card: (card == engine.JOKER, card % 13, card // 13))
    by_suit = sorted(cards)
    if sort != "hand":
        return by_suit
    places: dict[str, list[int]] = {}
    for place, text in enumerate(arrangement):
        places.setdefault(text, []).append(place)
    last = len(arrangement)
    keyed = []
    for card in by_suit:
        waiting = places.get(texts[card], [])
        keyed.append((waiting.pop(0) if waiting else last, card))
    return [card for _place, card in sorted(keyed)]

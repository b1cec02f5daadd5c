"""The way of a card through a deal: the steps in which it was dealt, drawn, taken, laid, discarded.

Cards of one face cannot be told apart: where there are two packs it is the way of both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from django.utils.translation import pgettext

from games import engine
from games.engine.cards import EMPTY, add, remove
from games.engine.moves import EXCHANGE
from games.presenters.steps import Made, Step, drawn

JOKERS = "*"


class Trace(NamedTuple):
    """A step in which something became of the card."""

    at: int
    what: str
    seat: int | None


Seen = Iterator[tuple[str, Trace]]
"""A card by its text, with what became of it."""


def traces(steps: Sequence[Step], seats: Collection[int], viewer: int | None) -> dict[str, list[Trace]]:
    """The ways of all cards that were seen, by text; `seats` are those whose own cards may be known."""
    found: dict[str, dict[Trace, None]] = {}
    for text, trace in chain(_dealt(steps[0].deal, seats), *(_of_step(steps, at, seats, viewer) for at in range(1, len(steps)))):
        found.setdefault(text, {})[trace] = None  # one step, though both cards of a face were in it
    return {text: list(way) for text, way in found.items()}


def _dealt(deal: engine.Deal, seats: Collection[int]) -> Seen:
    texts, public = deal.rules.alphabet.texts, engine.view(deal, None)
    for seat in sorted(seats):
        yield from ((texts[card], Trace(0, "dealt", seat)) for card in engine.view(deal, seat).hand.cards())
    turned_up = public.row if deal.rules.alphabet is engine.CARDS else (public.extra.atu,)
    yield from ((texts[card], Trace(0, "turned up", None)) for card in turned_up)


def _of_step(steps: Sequence[Step], at: int, seats: Collection[int], viewer: int | None) -> Seen:
    step, texts = steps[at], steps[0].deal.rules.alphabet.texts
    if step.kind == EXCHANGE:
        given = engine.view(steps[-1].deal, viewer).extra.given
        yield from ((texts[one.tile], Trace(at, "swapped", one.taker)) for one in given)
        return
    move = step.moves[0]
    if move.seat in seats:
        yield from ((texts[card], Trace(at, "drawn", move.seat)) for card in _from_stock(steps, at, move))
    for what, cards in _public(move):
        yield from ((text, Trace(at, what, move.seat)) for text in cards)


def _public(move: Made) -> Iterator[tuple[str, list[str]]]:
    """What everybody saw become of cards in a move; a joker laid is a joker."""
    texts = [text if text[:1] != JOKERS else JOKERS for text in move.facts.get("cards", [])]
    match move.text[:1]:
        case "P":
            yield "taken", texts
        case "M" | "L":
            yield "laid", texts
        case "W":
            yield from (("laid", texts), ("taken", [JOKERS]))
        case "D" | "C" | "T":
            yield "discarded", texts
        case "U":
            yield "taken back", texts


def _from_stock(steps: Sequence[Step], at: int, move: Made) -> list[int]:
    """What the seat of a move got from the stock by it, as its own views tell: nothing of a turn that did not draw."""
    step = steps[at]
    card = drawn(step, move.seat)
    if card is not None:
        return [card]
    if not move.facts.get("drew"):
        return []
    # the server played the turn: what it drew is what the seat holds more than when the turn began, the discard included
    began = max(before for before in range(at) if before == 0 or steps[before].turn < step.turn)
    codes = step.deal.rules.alphabet.codes
    discarded = [codes[text] for text in move.facts.get("cards", [])]
    held = add(engine.view(step.deal, move.seat).hand, discarded)
    return (remove(held, engine.view(steps[began].deal, move.seat).hand.cards()) or EMPTY).cards()


def what_words(what: str, *, tiles: bool) -> str:
    """What became of a card, as a participle that agrees with it."""
    if tiles:
        return _of_tiles(what)
    match what:
        case "dealt":
            return pgettext("a card was", "dealt")
        case "turned up":
            return pgettext("a card was", "turned up")
        case "drawn":
            return pgettext("a card was", "drawn")
        case "taken":
            return pgettext("a card was", "taken")
        case "laid":
            return pgettext("a card was", "laid")
        case "discarded":
            return pgettext("a card was", "discarded")
    return pgettext("a card was", "taken back")


def _of_tiles(what: str) -> str:
    match what:
        case "dealt":
            return pgettext("a tile was", "dealt")
        case "turned up":
            return pgettext("a tile was", "the atu")
        case "swapped":
            return pgettext("a tile was", "swapped")
        case "drawn":
            return pgettext("a tile was", "drawn")
        case "taken":
            return pgettext("a tile was", "taken")
        case "laid":
            return pgettext("a tile was", "laid")
        case "discarded":
            return pgettext("a tile was", "discarded")
    return pgettext("a tile was", "taken back")

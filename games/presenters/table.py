"""The page of a table as its templates read it, made of one seat's view: what is not in the view is not here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _

from games import engine
from games.engine import View
from games.messages import Refusal
from games.models import Entry, Game, Seat
from games.presenters import acts, log
from games.presenters.acts import Acts, Chosen
from games.presenters.names import seat_names, table_name
from games.presenters.terms import Term, terms
from games.presenters.times import TimeLeft, time_left


class Other(NamedTuple):
    """A seat of somebody else, in the line above the table."""

    name: str
    cards: int
    laid: int
    total: int
    turn: bool
    resigned: bool
    computer: bool
    dealer: bool
    left: TimeLeft | None


class LaidCard(NamedTuple):
    text: str
    by: str
    """Who laid it, where that is not the owner of the meld."""


class LaidMeld(NamedTuple):
    number: int
    cards: list[LaidCard]


class Owner(NamedTuple):
    """The melds of one seat."""

    name: str
    mine: bool
    laid: int
    total: int
    melds: list[LaidMeld]


class RowCard(NamedTuple):
    text: str
    n: int
    """How many cards a take of it brings."""
    can: bool
    checked: bool


class HandCard(NamedTuple):
    text: str
    new: bool
    must: bool
    checked: bool


@dataclass
class Page:
    """A table that has begun."""

    game: Game
    title: str
    number: int
    """Of the deal, counted from 1."""
    target: int | None
    me: Seat | None
    my_turn: bool
    drawing: bool
    over: bool
    others: list[Other]
    owners: list[Owner]
    row: list[RowCard]
    top_free: bool
    """Whether the last card of the row may be taken without having to use it."""
    stock: int
    hand: list[HandCard]
    left: TimeLeft | None
    mover: str
    acts: Acts
    sheet: list[list[int | None]]
    laid: list[int]
    totals: list[int]
    names: list[str]
    lines: list[log.Line]
    terms: list[Term]
    resigned: bool
    refusal: Refusal | None = None


def page(
    *,
    game: Game,
    seats: list[Seat],
    view: View,
    number: int,
    entries: Sequence[Entry],
    sheet: list[list[int | None]],
    now: datetime,
    chosen: Chosen = acts.NOTHING,
    refusal: Refusal | None = None,
    script: bool = True,
) -> Page:
    """Everything a table's page shows to the seat of the view, or to a spectator."""
    names = seat_names(seats)
    me = None if view.seat is None else seats[view.seat]
    spoken = [_("You") if seat is me else name for seat, name in zip(seats, names, strict=True)]
    left = time_left(game.deadline, now, game.turn_time) if game.deadline and view.phase != engine.OVER else None
    mine = view.on_turn
    return Page(
        game=game,
        title=table_name(game),
        number=number + 1,
        target=view.rules.target,
        me=me,
        my_turn=mine,
        drawing=mine and view.phase == engine.DRAW,
        over=view.phase == engine.OVER,
        others=_others(seats, names, view, left),
        owners=_owners(seats, spoken, view),
        row=_row(view, chosen),
        top_free=not view.rules.obliges(view, 1),
        stock=view.stock_left,
        hand=_hand(me, view, chosen),
        left=left,
        mover="" if view.to_move is None else names[view.to_move],
        acts=acts.acts(view, spoken, chosen, script=script),
        sheet=sheet,
        laid=list(view.laid),
        totals=[seat.total for seat in seats],
        names=spoken,
        lines=log.lines(entries, spoken, me=view.seat, now=now),
        terms=terms(game),
        resigned=me is not None and me.resigned,
        refusal=refusal,
    )


def _order(view: View) -> list[int]:
    """The seats in order of play, the viewer's own first."""
    first = view.seat or 0
    return [(first + step) % view.rules.count for step in range(view.rules.count)]


def _others(seats: list[Seat], names: list[str], view: View, left: TimeLeft | None) -> list[Other]:
    return [
        Other(
            name=names[index],
            cards=view.counts[index],
            laid=view.laid[index],
            total=seats[index].total,
            turn=index == view.to_move,
            resigned=index in view.resigned,
            computer=bool(seats[index].bot),
            dealer=index == view.dealer,
            left=left if index == view.to_move else None,
        )
        for index in _order(view)
        if index != view.seat
    ]


def _owners(seats: list[Seat], spoken: list[str], view: View) -> list[Owner]:
    found = []
    for index in _order(view):
        owned = [meld for meld in view.melds if meld.owner == index]
        if owned or index == view.seat:
            laid = [_meld(meld, spoken, view) for meld in owned]
            found.append(Owner(spoken[index], index == view.seat, view.laid[index], seats[index].total, laid))
    return found


def _meld(meld: engine.Meld, spoken: list[str], view: View) -> LaidMeld:
    texts = view.rules.alphabet.texts
    cards = [LaidCard(texts[card], "" if by == meld.owner else spoken[by]) for card, by in zip(meld.cards, meld.by, strict=True)]
    return LaidMeld(meld.id, cards)


def _row(view: View, chosen: Chosen) -> list[RowCard]:
    texts, size = view.rules.alphabet.texts, len(view.row)
    legal = set(view.rules.legal_takes(view)) if view.on_turn and view.phase == engine.DRAW else set()
    return [RowCard(texts[card], size - at, size - at in legal, size - at == chosen.take) for at, card in enumerate(view.row)]


def _hand(me: Seat | None, view: View, chosen: Chosen) -> list[HandCard]:
    """The viewer's cards in the order that they want, those that came in this turn marked."""
    if me is None:
        return []
    texts = view.rules.alphabet.texts
    came = Counter([view.drew] if view.drew is not None else view.took) if view.on_turn else Counter()
    picked = Counter(chosen.cards)
    must = view.must_use if view.on_turn else None
    found = []
    for card in arranged(view.hand.cards(), me, texts):
        text = texts[card]
        found.append(HandCard(text, came[card] > 0, card == must, picked[text] > 0))
        came[card] -= 1
        picked[text] -= 1
    return found


def arranged(cards: list[int], seat: Seat, texts: tuple[str, ...]) -> list[int]:
    """A hand by suit, by number, or in the order that its player has given it; what is new to that comes last."""
    if seat.sort == "number":
        return sorted(cards, key=lambda card: (card == engine.JOKER, card % 13, card // 13))
    by_suit = sorted(cards)
    if seat.sort != "hand":
        return by_suit
    places: dict[str, list[int]] = {}
    for place, text in enumerate(seat.arrangement):
        places.setdefault(text, []).append(place)
    last = len(seat.arrangement)
    keyed = []
    for card in by_suit:
        waiting = places.get(texts[card], [])
        keyed.append((waiting.pop(0) if waiting else last, card))
    return [card for _place, card in sorted(keyed)]

"""The page of a table as its templates read it, made of one seat's view: what is not in the view is not here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import NamedTuple, Protocol

from django.utils.translation import gettext as _

from accounts.people.times import moment
from games import engine, selectors
from games.engine import View
from games.messages import Refusal
from games.models import Entry, Game, Seat, Watch
from games.presenters import acts, log
from games.presenters.buttons import NOTHING, Acts, Chosen, with_tiles
from games.presenters.hand import HandCard, hand
from games.presenters.names import Former, seat_names, table_name
from games.presenters.pace_terms import bank_terms, banks
from games.presenters.pauses import Pause, away, pause
from games.presenters.rack import rack
from games.presenters.terms import Term, terms
from games.presenters.tiles import Exchange, TilesPage, tiles_page
from games.presenters.times import TimeLeft, time_left, time_of


class Other(NamedTuple):
    """A seat of somebody else, in the line above the table."""

    name: str
    cards: int
    laid: int
    total: int
    turn: bool
    resigned: bool
    absent: bool
    """Whether the computer plays for somebody."""
    dealer: bool
    left: TimeLeft | None
    badge: str
    """Of a seat of tiles that has not opened: what is said in place of the points laid."""
    away: str = ""
    """Of a player on vacation: until when."""
    bank: str = ""
    """What is in the seat's bank while its clock does not run; empty where there is none."""


class LaidCard(NamedTuple):
    text: str
    by: str
    """Who laid it, where that is not the owner of the meld."""


class LaidMeld(NamedTuple):
    number: int
    cards: list[LaidCard]
    now: bool = False
    """Whether it is what the move that a replay shows was about."""


class Owner(NamedTuple):
    """The melds of one seat."""

    name: str
    mine: bool
    laid: int
    total: int
    badge: str
    melds: list[LaidMeld]


class RowCard(NamedTuple):
    text: str
    n: int
    """How many cards a take of it brings."""
    can: bool
    checked: bool
    dead: bool
    """Whether it can never be taken (§4.6)."""
    now: bool = False
    """Whether the move that a replay shows put it there."""


class Sitter(Protocol):
    """What of a seat is shown beside its cards: a row of the database, or as a record has it."""

    @property
    def total(self) -> int: ...
    @property
    def bot(self) -> str: ...


@dataclass
class Board:
    """A deal through the eyes of one viewer: what a table and a replay show alike."""

    target: int | None
    over: bool
    others: list[Other]
    owners: list[Owner]
    row: list[RowCard]
    top_free: bool
    """Whether the last card of the row may be taken without having to use it."""
    stock: int
    hand: list[HandCard]
    mover: str
    tiles: TilesPage | None
    """What only tiles have; None at a table of cards."""

    @property
    def exchange(self) -> Exchange | None:
        """The exchange of doubles, while it goes on."""
        return self.tiles.exchange if self.tiles else None


@dataclass(kw_only=True)
class Page(Board):
    """A table that has begun."""

    game: Game
    title: str
    number: int
    """Of the deal, counted from 1."""
    me: Seat | None
    my_turn: bool
    drawing: bool
    can_take: bool
    """Whether the viewer, about to draw, may take anything from the row."""
    left: TimeLeft | None
    acts: Acts
    sheet: list[selectors.SheetRow]
    laid: list[int]
    totals: list[int]
    names: list[str]
    lines: list[log.Line]
    terms: list[Term]
    resigned: bool
    bank: str
    """What is in the viewer's bank, as it was when the own turn began; empty where there is none."""
    back_until: TimeLeft | None
    """Of a viewer who is absent: until when they can be back."""
    free_seats: list[str]
    """Of a spectator: whose seats they may take over."""
    pause: Pause
    frozen: str
    """Until when a referee has frozen the clock; empty where none has."""
    work: str | None
    """Why the site is being worked on, which may be nothing said; None where nobody does."""
    refusal: Refusal | None = None

    @property
    def asked(self) -> bool:
        """Whether the viewer has still to answer the exchange."""
        return self.exchange is not None and bool(self.exchange.answers) and not self.stands

    @property
    def stands(self) -> bool:
        """Whether nobody may move, whoever is on turn."""
        return self.pause.lasts or bool(self.frozen)


def page(
    *,
    game: Game,
    seats: list[Seat],
    view: View,
    number: int,
    entries: Sequence[Entry],
    sheet: list[selectors.SheetRow],
    now: datetime,
    former: Sequence[Former] = (),
    chosen: Chosen = NOTHING,
    refusal: Refusal | None = None,
    script: bool = True,
    answer: str | None = None,
    watch: Watch | None = None,
) -> Page:
    """Everything a table's page shows to the seat of the view, or to a spectator.

    `answer` is what the viewer has answered in the exchange of doubles that goes on.
    """
    names = seat_names(seats)
    me = None if view.seat is None else seats[view.seat]
    spoken = [_("You") if seat is me else name for seat, name in zip(seats, names, strict=True)]
    since = None if watch is None else watch.maintenance_since
    left = time_of(game, now, since) if view.phase != engine.OVER else None
    computers = [seat.index for seat in seats if seat.bot]
    absent, gone = [seat.index for seat in seats if seat.absent], away(game, seats, now)
    held = banks(seats)
    if view.on_turn and (view.seat in absent or game.paused_at is not None or game.frozen_until is not None):
        view = view._replace(to_move=None)  # there is nothing that they may do
    mine = view.on_turn
    sort, arrangement = (me.sort, me.arrangement) if me else ("", [])
    shown = board(
        view, seats, names, spoken, sort=sort, arrangement=arrangement, chosen=chosen, left=left, answer=answer,
        absent=absent, away=gone, banks=held,
    )  # fmt: skip
    return Page(
        **{field.name: getattr(shown, field.name) for field in fields(shown)},
        game=game,
        title=table_name(game),
        number=number + 1,
        me=me,
        my_turn=mine,
        drawing=mine and view.phase == engine.DRAW,
        can_take=any(card.can for card in shown.row),
        left=left,
        acts=acts.acts(view, spoken, chosen, script=script),
        sheet=sheet,
        laid=list(view.laid),
        totals=[seat.total for seat in seats],
        names=spoken,
        lines=log.lines(
            entries,
            spoken,
            me=view.seat,
            now=now,
            tiles=shown.tiles is not None,
            former=former,
            computers=computers,
            undone=log.undone_by(entries),
        ),
        terms=[*terms(game, now=now), *bank_terms(seats, spoken)],
        resigned=me is not None and me.resigned,
        bank="" if me is None else held[me.index],
        back_until=time_left(me.absent_until, now) if me and me.absent_until else None,
        free_seats=[] if me else [names[index] for index in absent],
        pause=pause(game, seats, names, me),
        frozen="" if game.frozen_until is None else moment(game.frozen_until),
        work=None if watch is None or since is None else watch.maintenance_reason,
        refusal=refusal,
    )


def board(
    view: View,
    seats: Sequence[Sitter],
    names: list[str],
    spoken: list[str],
    *,
    sort: str,
    arrangement: Sequence[str] = (),
    chosen: Chosen = NOTHING,
    left: TimeLeft | None = None,
    answer: str | None = None,
    absent: Collection[int] = (),
    away: Sequence[str] = (),
    banks: Sequence[str] = (),
) -> Board:
    """What lies on the table and in the viewer's hand, sorted as they want; `spoken` are the names with the reader's as "You".

    The computer plays for the `absent` seats.
    """
    tiles = tiles_page(view, spoken, rack(view, sort, arrangement, chosen.cards), answer) if with_tiles(view) else None
    badges = tiles.badges if tiles else [""] * len(seats)
    return Board(
        target=view.rules.target,
        over=view.phase == engine.OVER,
        others=_others(seats, names, view, left, badges, absent, away, banks),
        owners=_owners(seats, spoken, view, badges),
        row=_row(view, chosen),
        top_free=not view.rules.obliges(view, 1),
        stock=view.stock_left,
        hand=[] if tiles else hand(view, sort, arrangement, chosen.cards),
        mover="" if view.to_move is None else names[view.to_move],
        tiles=tiles,
    )


def _order(view: View) -> list[int]:
    """The seats in order of play, the viewer's own first."""
    first = view.seat or 0
    return [(first + step) % view.rules.count for step in range(view.rules.count)]


def _others(
    seats: Sequence[Sitter],
    names: list[str],
    view: View,
    left: TimeLeft | None,
    badges: list[str],
    absent: Collection[int],
    away: Sequence[str],
    banks: Sequence[str],
) -> list[Other]:
    return [
        Other(
            name=names[index],
            cards=view.counts[index],
            laid=view.laid[index],
            total=seats[index].total,
            turn=index == view.to_move,
            resigned=index in view.resigned,
            absent=index in absent,
            dealer=index == view.dealer,
            left=left if index == view.to_move else None,
            badge=badges[index],
            away=away[index] if away else "",
            bank=banks[index] if banks and not (left and index == view.to_move) else "",
        )
        for index in _order(view)
        if index != view.seat
    ]


def _owners(seats: Sequence[Sitter], spoken: list[str], view: View, badges: list[str]) -> list[Owner]:
    found = []
    for index in _order(view):
        owned = [meld for meld in view.melds if meld.owner == index]
        if owned or index == view.seat:
            laid = [_meld(meld, spoken, view) for meld in owned]
            mine = index == view.seat
            found.append(Owner(spoken[index], mine, view.laid[index], seats[index].total, badges[index], laid))
    return found


def _meld(meld: engine.Meld, spoken: list[str], view: View) -> LaidMeld:
    texts = view.rules.alphabet.texts
    cards = [LaidCard(texts[card], "" if by == meld.owner else spoken[by]) for card, by in zip(meld.cards, meld.by, strict=True)]
    return LaidMeld(meld.id, cards)


def _row(view: View, chosen: Chosen) -> list[RowCard]:
    texts, size = view.rules.alphabet.texts, len(view.row)
    legal = set(view.rules.legal_takes(view)) if view.on_turn and view.phase == engine.DRAW else set()
    dead = with_tiles(view) and view.extra.dead
    return [
        RowCard(texts[card], size - at, size - at in legal, size - at == chosen.take, dead and at == 0)
        for at, card in enumerate(view.row)
    ]

"""A deal shown again, one move at a time, as the templates read it.

Each position is the deal after so many moves, seen through `engine.view`, and drawn as the table was. Hands of others open
with `engine.reveal` alone: once the deal is over, or of a `case`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import engine
from games.presenters.hand import HandCard, hand
from games.presenters.steps import Made, Step, steps_of, turn_ends
from games.presenters.table import Board, Other, board
from games.presenters.telling import Row, Telling
from games.presenters.traces import Trace, traces, what_words

ALL = "all"
"""In place of a seat: all hands open."""
STOCK_IN_SIGHT = 7
"""Of what is left to draw, so many cards are shown where it is open."""


class Link(NamedTuple):
    """A way on from a replay."""

    url: str
    icon: str
    label: str
    download: bool = False


class Asked(NamedTuple):
    """What of a deal is asked for: a step, through whose eyes, and the way of which card."""

    at: int | None = None
    seat: int | str | None = None
    card: str = ""
    playing: bool = False
    had: str = ""
    """The list of moves that the browser has already: `ReplayPage.list_id`."""


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What stands around a deal that is shown again, and where its form goes.

    The form sends `to` (a step), `at` (where the slider stands), `seat`, `card`, `play` and `deal` to `action`, and `hidden`
    along with them: a record, say, that is kept nowhere.
    """

    title: str
    words: str
    """What is played, below the title."""
    number: int = 0
    """Which deal it is, counted from 0."""
    deals: int = 1
    action: str
    method: str = "get"
    hidden: Mapping[str, str] = field(default_factory=dict)
    back: Link
    links: Sequence[Link] = ()
    address: Callable[[Asked], str] | None = None
    """Where a step can be found again, if it can."""
    contest: Callable[[int], str] | None = None
    """Where its reader can dispute the move of a step, if they can."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """A deal to be shown again, wherever it comes from: a table, a record that somebody brought along, a referee's case.

    Made of plain data of the engine. Whoever makes one has seen to it that the reader may see the table.
    """

    frame: Frame
    start: engine.Deal
    """The deal as it was dealt."""
    moves: Sequence[Made]
    names: Sequence[str]
    """Of those who held the seats at the end of the deal."""
    totals: Sequence[int]
    """Points before the deal."""
    computers: frozenset[int] = frozenset()
    viewer: int | None = None
    """The seat of whoever looks, where they have one: a running deal is seen from there alone."""
    case: bool = False
    """Whether all hands are open though the deal may not be over: to a referee who has claimed the case, or to whoever
    brought the record."""
    void: bool = False
    """Whether the deal is void: nobody plays in it any more, and nothing of it is secret, over or not."""
    sort: str = "suit"


class Sitting(NamedTuple):
    """A seat as `games.presenters.table` wants it."""

    total: int
    bot: str


class Chip(NamedTuple):
    """One of the seats that the deal may be seen from."""

    value: int | str
    name: str
    checked: bool


class OpenHand(NamedTuple):
    """A seat with its cards on the table."""

    seat: Other
    cards: list[HandCard]
    points: int
    """What they count against it."""


class TraceLine(NamedTuple):
    """A step of the card whose way is asked for."""

    at: int
    what: str
    name: str
    current: bool


@dataclass(kw_only=True)
class ReplayPage(Board):
    """A step of a deal that is shown again."""

    frame: Frame
    at: int
    last: int
    turn: int
    when: str
    said: SafeString
    ended: bool
    """Whether the deal is over or void, whatever the step."""
    void: bool
    seen: int | str | None
    chips: list[Chip]
    holder: str
    """Whose hand is shown, where it is one seat's."""
    mine: bool
    """Whether that is the reader's own."""
    hands: list[OpenHand]
    stock_cards: list[str]
    faces: list[str]
    """The cards that have been seen, which have a way to tell."""
    card: str
    """The one whose way is asked for."""
    traces: list[TraceLine]
    rows: list[Row] | None
    """All moves, newest first; None where the browser has them."""
    list_id: str
    ends: list[int]
    playing: bool
    replayed: bool = True

    @property
    def step_back(self) -> int:
        return max(self.at - 1, 0)

    @property
    def step_on(self) -> int:
        return min(self.at + 1, self.last)

    @property
    def turn_back(self) -> int:
        return max((end for end in self.ends if end < self.at), default=0)

    @property
    def turn_on(self) -> int:
        return min((end for end in self.ends if end > self.at), default=self.last)

    @property
    def here(self) -> str:
        """Where this step can be found again."""
        return self._address(Asked(self.at, self.seen, self.card))

    @property
    def moving(self) -> str:
        """The same, going on from there by itself where that is wanted."""
        return self._address(Asked(self.at, self.seen, self.card, self.playing))

    @property
    def contest(self) -> str:
        """Where the move of this step can be disputed."""
        return self.frame.contest(self.at) if self.frame.contest and self.at else ""

    @property
    def goes_on(self) -> str:
        """Where a replay that plays by itself goes next; it stops at the end."""
        return self._address(Asked(self.step_on, self.seen, self.card, self.step_on < self.last)) if self.playing else ""

    def _address(self, asked: Asked) -> str:
        return self.frame.address(asked) if self.frame.address else ""


def replay_page(source: Source, asked: Asked, *, now: datetime) -> ReplayPage:
    """The step that is asked for, or the one to begin with: the deal as dealt, of a running one how it stands."""
    look = _look(source, asked)
    steps, step, end, seen = look.steps, look.steps[look.at], look.steps[-1], look.seen
    card = asked.card if asked.card in source.start.rules.alphabet.texts[: engine.STANDS] else ""
    list_id = f"{look.last}.{seen}.{card}"
    listed = asked.had != list_id
    ways = traces(steps, look.known, source.viewer) if listed or card else {}
    way = ways.get(card, [])
    tell = Telling(look.spoken, source.viewer, look.eyes, look.opened, source.frame.number)
    shown = _board(source, step, seen, look.spoken)
    return ReplayPage(
        **{each.name: getattr(shown, each.name) for each in fields(shown)},
        frame=source.frame,
        at=look.at,
        last=look.last,
        turn=step.turn,
        when=tell.when(step, now),
        said=tell.step(step),
        ended=look.closed,
        void=source.void,
        seen=seen,
        chips=_chips(look.spoken, seen) if look.opened else [],
        holder=look.spoken[seen] if isinstance(seen, int) else "",
        mine=seen is not None and seen == source.viewer,
        hands=_open_hands(source, end, step, shown.others) if seen == ALL else [],
        stock_cards=_stock(source, end, step) if seen == ALL and look.closed else [],
        faces=[text for text in source.start.rules.alphabet.texts if text in ways],
        card=card,
        traces=[_trace_line(trace, look, tiles=shown.tiles is not None) for trace in way],
        rows=tell.rows(steps, look.at, {trace.at for trace in way}) if listed else None,
        list_id=list_id,
        ends=turn_ends(steps),
        playing=asked.playing and look.at < look.last,
    )


class _Look(NamedTuple):
    """What is looked at: which step of which, and through whose eyes."""

    steps: list[Step]
    at: int
    seen: int | str | None
    opened: bool
    """Whether every hand may be seen."""
    closed: bool
    """Whether nobody plays in the deal any more."""
    spoken: list[str]

    @property
    def last(self) -> int:
        return len(self.steps) - 1

    @property
    def eyes(self) -> list[int]:
        """The seats through whose eyes the deal is seen."""
        return [seat for seat in range(len(self.spoken)) if self.seen in (seat, ALL)]

    @property
    def known(self) -> list[int]:
        """The seats whose cards may be known, whoever looks."""
        return list(range(len(self.spoken))) if self.opened else self.eyes


def _look(source: Source, asked: Asked) -> _Look:
    steps = steps_of(source.start, source.moves)
    opened, last = _opens(source, steps), len(steps) - 1
    spoken = [_("You") if seat == source.viewer else name for seat, name in enumerate(source.names)]
    closed = source.void or steps[-1].deal.phase == engine.OVER
    begin = 0 if closed else last
    at = min(max(begin if asked.at is None else asked.at, 0), last)
    if asked.playing and at == last:  # played on from the end, it begins anew
        at = 0
    return _Look(steps, at, _seen(source, asked.seat, opened), opened, closed, spoken)


def _opens(source: Source, steps: Sequence[Step]) -> bool:
    """Whether every hand may be seen: the engine says of which deals."""
    try:
        engine.reveal(steps[-1].deal, case=source.case, void=source.void)
    except engine.RuleError:
        return False
    return True


def _seen(source: Source, asked: int | str | None, opened: bool) -> int | str | None:
    """Through whose eyes the deal is seen: of a running one the viewer's own alone, whoever is asked for."""
    if not opened:
        return source.viewer
    if asked == ALL or (isinstance(asked, int) and 0 <= asked < len(source.names)):
        return asked
    return ALL if source.viewer is None else source.viewer


def _board(source: Source, step: Step, seen: int | str | None, spoken: list[str]) -> Board:
    """The table at a step, what its move was about marked."""
    view = engine.view(step.deal, seen if isinstance(seen, int) else None)
    sitters = [Sitting(total, "bot" if seat in source.computers else "") for seat, total in enumerate(source.totals)]
    shown = board(view, sitters, spoken, spoken, sort=source.sort)
    if shown.tiles and view.seat != source.viewer:
        shown.tiles.swapped = None  # said to "you"
    facts = step.moves[-1].facts if step.moves else {}
    if step.kind in ("D", "C", "T") and facts.get("cards") and shown.row:
        shown.row[-1] = shown.row[-1]._replace(now=True)
    if step.kind in ("M", "L", "W"):
        for owner in shown.owners:
            owner.melds[:] = [meld._replace(now=meld.number == facts["meld"]) for meld in owner.melds]
    return shown


def _open_hands(source: Source, end: Step, step: Step, seats: list[Other]) -> list[OpenHand]:
    """All hands at a step, as far as the engine reveals them."""
    found = []
    for seat, held in enumerate(engine.reveal(end.deal, step.deal, case=source.case, void=source.void)):
        view = engine.view(step.deal, seat)._replace(hand=held)
        found.append(OpenHand(seats[seat], hand(view, source.sort, (), ()), view.rules.in_hand(held)))
    return found


def _stock(source: Source, end: Step, step: Step) -> list[str]:
    """The next cards of the stock at a step of a deal that is over or void."""
    texts = step.deal.rules.alphabet.texts
    return [texts[card] for card in engine.reveal_stock(end.deal, step.deal, void=source.void)[:STOCK_IN_SIGHT]]


def _chips(spoken: list[str], seen: int | str | None) -> list[Chip]:
    chips = [Chip(seat, name, seat == seen) for seat, name in enumerate(spoken)]
    return [*chips, Chip(ALL, pgettext("hands", "All"), seen == ALL)]


def _trace_line(trace: Trace, look: _Look, *, tiles: bool) -> TraceLine:
    name = "" if trace.seat is None else look.spoken[trace.seat]
    return TraceLine(trace.at, what_words(trace.what, tiles=tiles), name, trace.at == look.at)

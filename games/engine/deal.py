"""The state of one deal (manșă, manche), a value; `play` makes the next one of it.

Chance comes in as the deck; time does not come in at all. What is taken back is the state that went
before (`prev`), which is kept until the turn ends or a stock draw shows something hidden (rules §1.9).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from . import moves
from .cards import EMPTY, JOKER, Hand, add, forget, plain
from .errors import RuleError
from .melds import Meld
from .moves import Move
from .rules import Rules

EXCHANGE, DRAW, PLAY, OVER = "exchange", "draw", "play", "over"

_new = object.__new__


@dataclass(slots=True, repr=False)
class Deal:
    """The whole state of a deal, hidden cards included. Leaves the server through `view` only.

    A value: a move makes a new one out of a `copy`, which is set up before anyone else sees it and never
    changed after. It prints without its cards, lest a log tell them.
    """

    on_turn: ClassVar[bool] = True
    """A deal is looked at as by the seat on turn; see Position."""

    rules: Rules
    dealer: int
    phase: str
    to_move: int | None
    hands: tuple[Hand, ...]
    known: tuple[Hand, ...]
    """By seat, the cards of its hand that everybody knows to be there."""
    row: tuple[int, ...]
    deck: tuple[int, ...]
    """The pack as it is dealt and drawn; the stock is its part from `drawn` on."""
    drawn: int
    melds: tuple[Meld, ...] = ()
    laid: tuple[int, ...] = ()
    """By seat, the points of the cards it has laid."""
    resigned: frozenset[int] = frozenset()
    must_use: int | None = None
    """The card taken that must still be laid this turn (§1.8)."""
    no_discard: int | None = None
    """The top card taken freely, which may not go straight back (§2.3, §3.2)."""
    drew: int | None = None
    """The card drawn from the stock this turn."""
    stirred: bool = False
    """Whether this turn has seen a stock draw or a table move (§1.16)."""
    idle: int = 0
    """Turns in a row that ended without one."""
    reason: str | None = None
    out: int | None = None
    extra: Any = None
    """The variant's own state: a frozen value, or None."""
    prev: Deal | None = None
    last: Move | None = None
    """The move that led here from `prev`."""

    def copy(self) -> Deal:
        """A new state, equal to this one, for its maker to change."""
        new = _new(Deal)
        new.rules = self.rules
        new.dealer = self.dealer
        new.phase = self.phase
        new.to_move = self.to_move
        new.hands = self.hands
        new.known = self.known
        new.row = self.row
        new.deck = self.deck
        new.drawn = self.drawn
        new.melds = self.melds
        new.laid = self.laid
        new.resigned = self.resigned
        new.must_use = self.must_use
        new.no_discard = self.no_discard
        new.drew = self.drew
        new.stirred = self.stirred
        new.idle = self.idle
        new.reason = self.reason
        new.out = self.out
        new.extra = self.extra
        new.prev = self.prev
        new.last = self.last
        return new

    def _replace(self, **changes: Any) -> Deal:
        """The state with these fields otherwise, as of a NamedTuple. Raises AttributeError for one that there is not."""
        new = self.copy()
        for name, value in changes.items():
            setattr(new, name, value)
        return new

    def __repr__(self) -> str:
        return f"<Deal {self.rules.name}, {self.phase}, to move {self.to_move}>"

    @property
    def stock_left(self) -> int:
        """Cards left in the stock."""
        return len(self.deck) - self.drawn

    @property
    def hand(self) -> Hand:
        """The hand of the seat on turn; empty where no seat is."""
        return EMPTY if self.to_move is None else self.hands[self.to_move]

    @property
    def seats_in(self) -> list[int]:
        """The seats that have not resigned, in order of play."""
        return [seat for seat in range(self.rules.count) if seat not in self.resigned]

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Points by seat once the deal is over."""
        return self.rules.scores(self) if self.phase == OVER else None

    def over(self, reason: str, out: int | None = None) -> Deal:
        """The deal ended (§1.10)."""
        new = self.copy()
        new.phase, new.reason, new.out = OVER, reason, out
        new.to_move = new.must_use = new.no_discard = new.prev = new.last = None
        return new

    def turn_moves(self) -> list[Move]:
        """The moves of this turn that can be taken back, oldest first."""
        found: list[Move] = []
        state: Deal | None = self
        while state is not None and state.last is not None:
            found.append(state.last)
            state = state.prev
        return found[::-1]

    def took(self) -> tuple[int, ...]:
        """The cards taken from the row this turn, the card taken first; none where it drew or took nothing."""
        state: Deal | None = self
        while state is not None and state.prev is not None and state.last is not None:
            if state.last.kind == moves.TAKE:
                return state.prev.row[-state.last.number :]
            state = state.prev
        return ()

    def taken_back(self) -> Deal:
        """The state before the last move of the turn (§1.9). What was seen meanwhile stays known. Raises `nothing_to_undo`."""
        before, move, seat = self.prev, self.last, self.to_move
        if before is None or move is None or seat is None:
            raise RuleError("nothing_to_undo")
        seen = self.known[seat]
        match move.kind:
            case moves.TAKE:
                seen = forget(seen, before.row[-move.number :])
            case moves.MELD | moves.LAY_OFF:
                seen = add(seen, [plain(card) for card in move.cards])
            case moves.SWAP:
                seen = add(forget(seen, (JOKER,)), move.cards)
        back = before.copy()
        back.known = with_item(self.known, seat, seen)
        return back

    def floor(self) -> Deal:
        """The state with all of the turn taken back that can be."""
        state = self
        while state.prev is not None:
            state = state.taken_back()
        return state


def start(rules: Rules, dealer: int, deck: list[int] | tuple[int, ...], resigned: frozenset[int] = frozenset()) -> Deal:
    """A fresh deal from a shuffled deck, in dealing order (§1.1, §2.2, §4.2).

    `resigned` are the seats out of the match, which are not dealt to. Raises `bad_record` where
    the deck is not exactly the pack or the dealer no seat.
    """
    if sorted(deck) != rules.pack():
        raise RuleError("bad_record", field="deck")
    if type(dealer) is not int or not 0 <= dealer < rules.count:
        raise RuleError("bad_record", field="dealer")
    order = [seat for seat in _after(rules.count, dealer) if seat not in resigned]
    arranged = rules.arranged(tuple(deck))
    hands, row, drawn, extra = rules.deal_out(arranged, order)
    deal = Deal(
        rules, dealer, DRAW, order[0], tuple(hands), (EMPTY,) * rules.count, row, arranged, drawn,
        laid=(0,) * rules.count, resigned=resigned, extra=extra,
    )  # fmt: skip
    return rules.begin(deal)


def _after(count: int, seat: int) -> list[int]:
    """All seats in order of play, from the one after a seat round to that seat itself."""
    return [(seat + step) % count for step in range(1, count + 1)]


def with_item(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """The tuple with one item replaced."""
    changed = list(values)
    changed[index] = value
    return tuple(changed)

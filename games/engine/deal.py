"""One deal (manșă, manche): a frozen state, and `apply`, a function from state to state.

A refused move raises and leaves the state as it was, for nothing is ever changed in place. Chance comes
in as the deck; time does not come in at all. What is taken back is the state that went before (`prev`),
which is kept until the turn ends or a stock draw shows something hidden (rules §1.9).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from . import melds, moves
from .cards import EMPTY, JOKER, Hand, add, forget, plain, remove
from .errors import RuleError
from .melds import Meld
from .moves import Move
from .rules import Rules

EXCHANGE, DRAW, PLAY, OVER = "exchange", "draw", "play", "over"


class Deal(NamedTuple):
    """The whole state of a deal, hidden cards included. Leaves the server through `view` only."""

    rules: Rules
    dealer: int
    phase: str
    to_move: int | None
    hands: tuple[Hand, ...]
    known: tuple[Hand, ...]
    """By seat, the cards of its hand that everybody knows to be there."""
    row: tuple[int, ...]
    deck: tuple[int, ...]
    """The stock is its part from `drawn` on."""
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
        return self._replace(
            phase=OVER, to_move=None, reason=reason, out=out, must_use=None, no_discard=None, prev=None, last=None
        )

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

    def floor(self) -> Deal:
        """The state with all of the turn taken back that can be."""
        state, seat = self, self.to_move
        while state.prev is not None and seat is not None:
            state = _undo(state, seat)
        return state


def start(rules: Rules, dealer: int, deck: list[int] | tuple[int, ...], resigned: frozenset[int] = frozenset()) -> Deal:
    """A fresh deal from a shuffled deck, in dealing order (§1.1, §2.2, §4.2).

    `resigned` are the seats out of the match, which are not dealt to. Raises `bad_record` where
    the deck is not exactly the pack or the dealer no seat.
    """
    if sorted(deck) != sorted(rules.pack()):
        raise RuleError("bad_record", field="deck")
    if type(dealer) is not int or not 0 <= dealer < rules.count:
        raise RuleError("bad_record", field="dealer")
    order = [seat for seat in _after(rules.count, dealer) if seat not in resigned]
    hands, row, drawn, extra = rules.deal_out(tuple(deck), order)
    deal = Deal(
        rules, dealer, DRAW, order[0], tuple(hands), (EMPTY,) * rules.count, row, tuple(deck), drawn,
        laid=(0,) * rules.count, resigned=resigned, extra=extra,
    )  # fmt: skip
    return rules.begin(deal)


def _after(count: int, seat: int) -> list[int]:
    """All seats in order of play, from the one after a seat round to that seat itself."""
    return [(seat + step) % count for step in range(1, count + 1)]


# -- applying a move -----------------------------------------------------------------------------


def apply(deal: Deal, seat: int, move: Move | str) -> Deal:
    """The deal after a seat's move, given as a value or as text.

    Always checks; raises RuleError with the first fault in the order of docs/notation.md.
    """
    if deal.phase == OVER:
        raise RuleError("deal_over")
    _check_turn(deal, seat, move if isinstance(move, str) else move.kind)
    if isinstance(move, str):
        move = moves.parse(move, deal.rules.alphabet, tiles=deal.rules.tight)
    handler = _HANDLERS.get(move.kind)
    return handler(deal, seat, move) if handler else deal.rules.other_move(deal, seat, move)


def _check_turn(deal: Deal, seat: int, token: str) -> None:
    """Refuse whoever may not act at all now, before the move is even read."""
    if deal.phase == EXCHANGE:
        if token not in (moves.RESIGN, moves.EXPIRE) and token[:1] != moves.EXCHANGE:
            raise RuleError("wrong_phase")
    elif token != moves.RESIGN and seat != deal.to_move:
        raise RuleError("not_your_turn", to_move=deal.to_move)
    if seat in deal.resigned:
        raise RuleError("not_your_turn", to_move=deal.to_move)


def _undo(deal: Deal, seat: int, move: Move | None = None) -> Deal:
    """Take back the last move of the turn (§1.9). What was seen meanwhile stays known."""
    if deal.prev is None or deal.last is None:
        raise RuleError("nothing_to_undo")
    known = list(deal.known)
    match deal.last.kind:
        case moves.TAKE:
            known[seat] = forget(known[seat], deal.prev.row[-deal.last.number :])
        case moves.MELD | moves.LAY_OFF:
            known[seat] = add(known[seat], [plain(card) for card in deal.last.cards])
        case moves.SWAP:
            known[seat] = add(forget(known[seat], (JOKER,)), deal.last.cards)
    return deal.prev._replace(known=tuple(known))


def _draw(deal: Deal, seat: int, move: Move | None = None) -> Deal:
    """Draw from the stock (§1.2)."""
    if deal.phase != DRAW:
        raise RuleError("already_drawn")
    if not deal.stock_left:
        raise RuleError("stock_empty")
    card = deal.deck[deal.drawn]
    return deal._replace(
        phase=PLAY, hands=_with(deal.hands, seat, add(deal.hand, (card,))), drawn=deal.drawn + 1, drew=card,
        stirred=True, prev=None, last=None,
    )  # fmt: skip


def _take(deal: Deal, seat: int, move: Move) -> Deal:
    """Take the last n cards of the row (§1.3)."""
    if deal.phase != DRAW:
        raise RuleError("already_drawn")
    n = move.number
    if n > len(deal.row):
        raise RuleError("row_too_short", row=len(deal.row), asked=n)
    fault = deal.rules.take_fault(deal, n)
    if fault:
        raise RuleError(fault, card=_text(deal, deal.row[-n]), n=n)
    taken = deal.row[-n:]
    obliges = deal.rules.obliges(deal, n)
    return deal._replace(
        phase=PLAY, hands=_with(deal.hands, seat, add(deal.hand, taken)),
        known=_with(deal.known, seat, add(deal.known[seat], taken)), row=deal.row[:-n],
        must_use=taken[0] if obliges else None, no_discard=None if obliges else taken[0], prev=deal, last=move,
    )  # fmt: skip


def _lay(deal: Deal, seat: int, move: Move) -> Deal:
    """Lay a new meld (§1.4)."""
    hand = _hand_less(deal, seat, move)
    _declared(move)
    meld = melds.laid(len(deal.melds) + 1, seat, move.cards, deal.rules.tight)
    if meld is None:
        raise RuleError("not_a_meld", cards=_texts(deal, move.cards))
    return _laid(deal, seat, move, hand, (*deal.melds, meld), deal.rules.worth(meld))


def _lay_off(deal: Deal, seat: int, move: Move) -> Deal:
    """Lay cards off on a meld, one after the other, all or nothing (§1.4)."""
    hand = _hand_less(deal, seat, move)
    _declared(move)
    rules = deal.rules
    meld = _meld(deal, move.number)
    points = 0
    for card in move.cards:
        longer = melds.extended(meld, card, seat, rules.tight)
        if longer is None:
            raise RuleError("cannot_lay_off", card=_text(deal, card), meld=meld.id)
        place = longer.high if longer.low == meld.low and longer.kind == melds.RUN else longer.low
        points += rules.laid_value(card, meld.kind, place or melds.face_of(card) % 13 + 1)
        meld = longer
    return _laid(deal, seat, move, hand, _with(deal.melds, meld.id - 1, meld), points)


def _swap(deal: Deal, seat: int, move: Move) -> Deal:
    """Put a card in the place of the joker that stands for it (§3.3, §4.11)."""
    hand = _hand_less(deal, seat, move)
    meld = _meld(deal, move.number)
    face = move.cards[0]
    changed = melds.swapped(meld, face, seat, deal.rules.tight)
    if changed is None:
        raise RuleError("no_such_joker", card=_text(deal, face), meld=meld.id)
    index = next(i for i, (a, b) in enumerate(zip(meld.cards, changed.cards, strict=True)) if a != b)
    points = deal.rules.laid_value(face, meld.kind, changed.positions()[index])
    after = deal._replace(known=_with(deal.known, seat, add(deal.known[seat], (JOKER,))))
    return _laid(after, seat, move, add(hand, (JOKER,)), _with(deal.melds, meld.id - 1, changed), points, before=deal)


def _laid(
    deal: Deal, seat: int, move: Move, hand: Hand, on_table: tuple[Meld, ...], points: int, before: Deal | None = None
) -> Deal:
    """What every table move does: the hand shrinks, points count, obligations may be met."""
    before = before or deal
    used = [plain(card) for card in move.cards]
    after = deal._replace(
        hands=_with(deal.hands, seat, hand),
        known=_with(deal.known, seat, forget(deal.known[seat], used)),
        melds=on_table,
        laid=_with(deal.laid, seat, deal.laid[seat] + points),
        must_use=None if deal.must_use in used else deal.must_use,
        no_discard=None if deal.no_discard in used else deal.no_discard,
        stirred=True,
        prev=before,
        last=move,
    )
    return deal.rules.after_table_move(after, move, before)


def _hand_less(deal: Deal, seat: int, move: Move) -> Hand:
    """The hand without the cards of a table move, where such a move may be made at all."""
    if deal.phase == DRAW:
        raise RuleError("must_draw_first")
    fault = deal.rules.table_fault(deal, move.kind)
    if fault:
        raise RuleError(fault)
    hand = _without(deal, seat, move.cards)
    if hand.size < deal.rules.keeps:
        raise RuleError("must_keep_discard")
    return hand


def _discard(deal: Deal, seat: int, move: Move) -> Deal:
    """Discard, which ends the turn (§1.2)."""
    if deal.phase == DRAW:
        raise RuleError("must_draw_first")
    card = move.cards[0]
    hand = _without(deal, seat, move.cards)
    fault = deal.rules.discard_fault(deal, card)
    if fault:
        blocking = deal.must_use if fault == "must_use_pickup" else card
        raise RuleError(fault, card=None if blocking is None else _text(deal, blocking))
    after = deal._replace(
        hands=_with(deal.hands, seat, hand),
        known=_with(deal.known, seat, forget(deal.known[seat], move.cards)),
        row=(*deal.row, card),
        prev=None,
        last=None,
    )
    after = deal.rules.after_discard(after, card)
    return after if after.phase == OVER else end_turn(after, seat)


def _decline(deal: Deal, seat: int, move: Move) -> Deal:
    """Decline to play on with an empty stock, which ends the deal (§2.6)."""
    if deal.phase != DRAW:
        raise RuleError("already_drawn")
    if deal.stock_left:
        raise RuleError("stock_not_empty", stock=deal.stock_left)
    return deal.over("stock")


def _resign(deal: Deal, seat: int, move: Move) -> Deal:
    """Leave the match (§1.12): the turn is taken back as far as it can be, then passed on."""
    if deal.phase == EXCHANGE:
        return deal.rules.other_move(deal, seat, move)
    on_turn = seat == deal.to_move
    after = deal.floor() if on_turn else deal
    after = after._replace(resigned=deal.resigned | {seat})
    if not on_turn:
        # the turn of another goes on; what it may take back must not bring the seat back
        after = _with_resigned(after, after.resigned)
    if len(after.seats_in) == 1:
        return after.over("resigned")
    return end_turn(after, seat) if on_turn else after


def _with_resigned(deal: Deal, resigned: frozenset[int]) -> Deal:
    prev = deal.prev and _with_resigned(deal.prev, resigned)
    return deal._replace(resigned=resigned, prev=prev)


def _expire(deal: Deal, seat: int, move: Move) -> Deal:
    """The turn ran out: the server plays it (§1.11)."""
    rules = deal.rules
    if deal.phase == EXCHANGE:
        return rules.other_move(deal, seat, move)
    if rules.unfinished(deal):
        deal = deal.floor()
    while True:
        if deal.phase == DRAW:
            if not deal.stock_left:
                return deal.over("stock")
            deal = _draw(deal, seat)
        card = _expired_discard(deal)
        if card is not None:
            return _discard(rules.before_expired_discard(deal), seat, moves.DISCARDS[card])
        deal = deal.floor()


def _expired_discard(deal: Deal) -> int | None:
    """The card that the server discards: §1.11 (c), or None where none may be."""
    rules, hand, drew = deal.rules, deal.hand, deal.drew
    if drew is not None and drew != JOKER and hand.copies(drew) and not rules.discard_fault(deal, drew):
        return drew
    allowed = [card for card in hand.cards() if not rules.discard_fault(deal, card)]
    naturals = [card for card in allowed if card != JOKER]
    if naturals:
        return min(naturals, key=lambda card: (-rules.hand_value(card), card % 13, card // 13))
    return allowed[0] if allowed else None


# -- turns ---------------------------------------------------------------------------------------


def end_turn(deal: Deal, seat: int) -> Deal:
    """Pass the turn on from a seat, or end the deal where it ends with the turn (§1.10, §1.16)."""
    deal = deal.rules.after_turn(deal)
    if deal.phase == OVER:
        return deal
    idle = 0 if deal.stirred else deal.idle + 1
    if idle >= 4 * len(deal.seats_in):
        return deal._replace(idle=idle).over("stalled")
    following = next(other for other in _after(deal.rules.count, seat) if other not in deal.resigned)
    opened = deal._replace(
        phase=DRAW, to_move=following, must_use=None, no_discard=None, drew=None, stirred=False, idle=idle,
        prev=None, last=None,
    )  # fmt: skip
    return deal.rules.open_turn(opened)


# -- small helpers -------------------------------------------------------------------------------


def _without(deal: Deal, seat: int, used: tuple[int, ...]) -> Hand:
    hand = remove(deal.hands[seat], [plain(card) for card in used])
    if hand is None:
        raise RuleError("not_in_hand", cards=_texts(deal, _missing(deal.hands[seat], used)))
    return hand


def _missing(hand: Hand, used: tuple[int, ...]) -> list[int]:
    """The cards of a move that the hand lacks."""
    lacking = []
    for card in used:
        less = remove(hand, (plain(card),))
        if less is None:
            lacking.append(plain(card))
        else:
            hand = less
    return lacking


def _declared(move: Move) -> None:
    if JOKER in move.cards:
        raise RuleError("joker_undeclared")


def _meld(deal: Deal, number: int) -> Meld:
    if not 1 <= number <= len(deal.melds):
        raise RuleError("no_such_meld", meld=number)
    return deal.melds[number - 1]


def _with(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """The tuple with one item replaced."""
    return (*values[:index], value, *values[index + 1 :])


def _text(deal: Deal, card: int) -> str:
    return deal.rules.alphabet.texts[card]


def _texts(deal: Deal, listed: list[int] | tuple[int, ...]) -> list[str]:
    return [_text(deal, card) for card in listed]


_HANDLERS: dict[str, Callable[[Deal, int, Move], Deal]] = {
    moves.STOCK: _draw,
    moves.TAKE: _take,
    moves.MELD: _lay,
    moves.LAY_OFF: _lay_off,
    moves.SWAP: _swap,
    moves.DISCARD: _discard,
    moves.DECLINE: _decline,
    moves.UNDO: _undo,
    moves.RESIGN: _resign,
    moves.EXPIRE: _expire,
}

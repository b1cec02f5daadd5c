"""Playing a move: `apply`, a function from state to state.

A refused move raises and leaves the state as it was, for nothing is ever changed in place: each move sets
up a copy of the deal, which is handed to the hooks of the rules and only then shown.
"""

from __future__ import annotations

from collections.abc import Callable

from . import melds, moves
from .cards import JOKER, STANDS, Hand, add, drop, forget, plain, remove, tally
from .deal import DRAW, EXCHANGE, OVER, PLAY, Deal, with_item
from .errors import RuleError
from .melds import Meld
from .moves import Move


def apply(deal: Deal, seat: int, move: Move | str) -> Deal:
    """The deal after a seat's move, given as a value or as text.

    Always checks; raises RuleError with the first fault in the order of docs/notation.md.
    """
    if deal.phase == OVER:
        raise RuleError("deal_over")
    if seat != deal.to_move:
        _check_off_turn(deal, seat, move if isinstance(move, str) else move.kind)
    if isinstance(move, str):
        move = moves.parse(move, deal.rules.alphabet, tiles=deal.rules.tight)
    handler = _HANDLERS.get(move.kind)
    return handler(deal, seat, move) if handler else deal.rules.other_move(deal, seat, move)


def _check_off_turn(deal: Deal, seat: int, token: str) -> None:
    """Refuse whoever is not on turn, before the move is even read, all but what a seat may do at any time."""
    if deal.phase == EXCHANGE:
        if token not in (moves.RESIGN, moves.EXPIRE) and token[:1] != moves.EXCHANGE:
            raise RuleError("wrong_phase")
    elif token[:1] == moves.EXCHANGE and deal.rules.tight:
        raise RuleError("wrong_phase")
    elif token != moves.RESIGN:
        raise RuleError("not_your_turn", to_move=deal.to_move)
    if seat in deal.resigned or not 0 <= seat < deal.rules.count:
        raise RuleError("not_your_turn", to_move=deal.to_move)


def _undo(deal: Deal, seat: int, move: Move) -> Deal:
    """Take back the last move of the turn (§1.9)."""
    return deal.taken_back()


def _draw(deal: Deal, seat: int, move: Move) -> Deal:
    """Draw from the stock (§1.2)."""
    if deal.phase != DRAW:
        raise RuleError("already_drawn")
    if not deal.stock_left:
        raise RuleError("stock_empty")
    card = deal.deck[deal.drawn]
    after = deal.copy()
    after.phase = PLAY
    after.hands = with_item(deal.hands, seat, add(deal.hands[seat], (card,)))
    after.drawn = deal.drawn + 1
    after.drew = card
    after.stirred = True
    after.prev = after.last = None
    return after


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
    after = deal.copy()
    after.phase = PLAY
    after.hands = with_item(deal.hands, seat, add(deal.hands[seat], taken))
    after.known = with_item(deal.known, seat, add(deal.known[seat], taken))
    after.row = deal.row[:-n]
    if deal.rules.obliges(deal, n):
        after.must_use = taken[0]
    else:
        after.no_discard = taken[0]
    after.prev = deal
    after.last = move
    return after


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
    return _laid(deal, seat, move, hand, with_item(deal.melds, meld.id - 1, meld), points)


def _swap(deal: Deal, seat: int, move: Move) -> Deal:
    """Put a card in the place of the joker that stands for it (§3.3, §4.11)."""
    hand = _hand_less(deal, seat, move)
    meld = _meld(deal, move.number)
    face = move.cards[0]
    changed = melds.swapped(meld, face, seat, deal.rules.tight)
    if changed is None:
        raise RuleError("no_such_joker", card=_text(deal, face), meld=meld.id)
    place = changed.positions()[meld.cards.index(face + STANDS)]
    points = deal.rules.laid_value(face, meld.kind, place)
    return _laid(deal, seat, move, hand, with_item(deal.melds, meld.id - 1, changed), points)


def _laid(deal: Deal, seat: int, move: Move, hand: Hand, on_table: tuple[Meld, ...], points: int) -> Deal:
    """What every table move does: the hand shrinks, points count, obligations may be met."""
    known = deal.known[seat]
    least = forget(known, move.cards)
    if move.kind == moves.SWAP:
        hand, least = add(hand, (JOKER,)), add(least, (JOKER,))
    after = deal.copy()
    after.hands = with_item(deal.hands, seat, hand)
    if least != known:
        after.known = with_item(deal.known, seat, least)
    after.melds = on_table
    after.laid = with_item(deal.laid, seat, deal.laid[seat] + points)
    if deal.must_use is not None and tally(move.cards).copies(deal.must_use):
        after.must_use = None
    if deal.no_discard is not None and tally(move.cards).copies(deal.no_discard):
        after.no_discard = None
    after.stirred = True
    after.prev = deal
    after.last = move
    return deal.rules.after_table_move(after, move, deal)


def _hand_less(deal: Deal, seat: int, move: Move) -> Hand:
    """The hand without the cards of a table move, where such a move may be made at all."""
    if deal.phase == DRAW:
        raise RuleError("must_draw_first")
    fault = deal.rules.table_fault(deal, move.kind)
    if fault:
        raise RuleError(fault)
    hand = _without(deal, seat, move.cards)
    if deal.rules.keeps and hand.size < deal.rules.keeps and move.kind != moves.SWAP:  # a swap brings a joker
        raise RuleError("must_keep_discard")
    return hand


def _discard(deal: Deal, seat: int, move: Move) -> Deal:
    """Discard, which ends the turn (§1.2)."""
    if deal.phase == DRAW:
        raise RuleError("must_draw_first")
    card = move.cards[0]
    hand = drop(deal.hands[seat], card)
    if hand is None:
        raise RuleError("not_in_hand", cards=_texts(deal, move.cards))
    fault = deal.rules.discard_fault(deal, card)
    if fault:
        blocking = deal.must_use if fault == "must_use_pickup" else card
        raise RuleError(fault, card=None if blocking is None else _text(deal, blocking))
    after = deal.rules.after_discard(discarded(deal, seat, hand, card), card)
    return after if after.phase == OVER else end_turn(after, seat)


def discarded(deal: Deal, seat: int, hand: Hand, card: int) -> Deal:
    """The deal with a card put on the row that leaves a seat this hand; the turn has still to be ended."""
    after = deal.copy()
    after.hands = with_item(deal.hands, seat, hand)
    known = drop(deal.known[seat], card)
    if known is not None:
        after.known = with_item(deal.known, seat, known)
    after.row = (*deal.row, card)
    after.prev = after.last = None
    return after


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
    after = _with_resigned(deal.floor() if on_turn else deal, deal.resigned | {seat})
    if len(after.seats_in) == 1:
        return after.over("resigned")
    return end_turn(after, seat) if on_turn else after


def _with_resigned(deal: Deal, resigned: frozenset[int]) -> Deal:
    """The deal without a seat: what another's turn may take back must not bring it back."""
    after = deal.copy()
    after.resigned = resigned
    if deal.prev is not None:
        after.prev = _with_resigned(deal.prev, resigned)
    return after


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
            deal = _draw(deal, seat, move)
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


def end_turn(after: Deal, seat: int) -> Deal:
    """Pass the turn on from a seat, or end the deal where it ends with the turn (§1.10, §1.16).

    `after` is a state that no one else has seen yet: it is changed.
    """
    after = after.rules.after_turn(after)
    if after.phase == OVER:
        return after
    count, resigned = after.rules.count, after.resigned
    after.idle = 0 if after.stirred else after.idle + 1
    if after.idle >= 4 * (count - len(resigned)):
        return after.over("stalled")
    following = (seat + 1) % count
    while following in resigned:
        following = (following + 1) % count
    after.phase = DRAW
    after.to_move = following
    after.must_use = after.no_discard = after.drew = after.prev = after.last = None
    after.stirred = False
    return after.rules.open_turn(after)


# -- small helpers -------------------------------------------------------------------------------


def _without(deal: Deal, seat: int, used: tuple[int, ...]) -> Hand:
    hand = remove(deal.hands[seat], used)
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

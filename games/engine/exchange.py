"""The exchange of doubles before a deal of tiles (rules §4.3, §4.4).

The answers are sealed. All asked seats may answer in any order, and until the last of them has, nothing that others
see tells an answer from none: not the phase, not a count, not who is asked. A tile that changed hands stays between the
two seats until the deal is over.
"""

from __future__ import annotations

from . import moves
from .cards import JOKER, Hand, add, bits, remove
from .deal import DRAW, EXCHANGE, PLAY, Deal
from .errors import RuleError
from .moves import PASS, SPOIL, Move
from .tiles import Given, Question, Tiles

SMALL, BIG, KEY = "small", "big", "key"
SPOILS_FROM = 3
"""Doubles that a seat needs to spoil the deal."""


def class_of(tile: int) -> str:
    """The class of a double: small 2–9, big 10–13, key 1."""
    number = tile % 13 + 1
    return KEY if number == 1 else BIG if number >= 10 else SMALL


def question(hand: Hand, may_offer: bool) -> Question | None:
    """What a seat with this hand is asked; None where it is not (joly make no double)."""
    doubles = tuple([(tile, class_of(tile)) for tile in bits(hand.twice)])
    may_spoil = len(doubles) >= SPOILS_FROM
    return Question(doubles, may_offer, may_spoil) if may_spoil or (may_offer and doubles) else None


def pending(deal: Deal) -> list[int]:
    """The seats still to answer, in order; none outside the exchange. Not for the eyes of any seat."""
    if deal.phase != EXCHANGE:
        return []
    tiles: Tiles = deal.extra
    answered = {seat for seat, _ in tiles.answers}
    return [seat for seat in sorted(tiles.asked) if seat not in answered]


def begin(deal: Deal, may_offer: bool) -> Deal:
    """The deal with its question put, or with the first seat on turn where nobody is asked."""
    asked = frozenset(seat for seat, hand in enumerate(deal.hands) if question(hand, may_offer) is not None)
    deal = deal._replace(phase=EXCHANGE, to_move=None, extra=deal.extra._replace(asked=asked))
    return _resolved(deal)


def answer(deal: Deal, seat: int, move: Move, may_offer: bool) -> Deal:
    """The deal with a seat's answer, an expired one being a pass. Raises RuleError."""
    if seat not in pending(deal):
        raise RuleError("not_your_turn", to_move=None)
    if move.kind == moves.EXPIRE:
        move = Move(moves.EXCHANGE, answer=PASS)
    _check(deal, seat, move, may_offer)
    tiles: Tiles = deal.extra
    answers = tuple(sorted([*tiles.answers, (seat, move)]))
    return _resolved(deal._replace(extra=tiles._replace(answers=answers)))


def _check(deal: Deal, seat: int, move: Move, may_offer: bool) -> None:
    hand = deal.hands[seat]
    if move.answer == SPOIL and len(bits(hand.twice)) < SPOILS_FROM:
        raise RuleError("cannot_spoil", doubles=len(bits(hand.twice)), needed=SPOILS_FROM)
    if not move.cards:
        return
    tile, text = move.cards[0], deal.rules.alphabet.texts[move.cards[0]]
    if not may_offer:
        raise RuleError("no_exchange", card=text)
    if not hand.copies(tile):
        raise RuleError("not_in_hand", cards=[text])
    if tile == JOKER or hand.copies(tile) < 2:
        raise RuleError("not_a_double", card=text)


def resigned(deal: Deal, seat: int) -> Deal:
    """The deal once a seat has resigned before play: it is asked no more, and its answer lapses (§4.3)."""
    tiles: Tiles = deal.extra
    answers = tuple([(other, move) for other, move in tiles.answers if other != seat])
    after = deal._replace(resigned=deal.resigned | {seat}, extra=tiles._replace(asked=tiles.asked - {seat}, answers=answers))
    return after.over("resigned") if len(after.seats_in) == 1 else _resolved(after)


def _resolved(deal: Deal) -> Deal:
    """The deal as all answers make it, or just as it is while one is missing."""
    if pending(deal):
        return deal
    tiles: Tiles = deal.extra
    if any(move.answer == SPOIL for _, move in tiles.answers):
        return deal.over("spoiled")
    given = _pairs(deal)
    hands = list(deal.hands)
    for giver, taker, tile in given:
        less = remove(hands[giver], (tile,))
        assert less is not None
        hands[giver], hands[taker] = less, add(hands[taker], (tile,))
    first = _in_order(deal)[0]
    drawn = hands[first].size > deal.rules.hand_size  # the first seat has its tile already (§4.5)
    return deal._replace(
        phase=PLAY if drawn else DRAW,
        to_move=first,
        hands=tuple(hands),
        extra=tiles._replace(given=given, answers=(), asked=frozenset()),
    )


def _in_order(deal: Deal) -> list[int]:
    count = deal.rules.count
    order = [(deal.dealer + step) % count for step in range(1, count + 1)]
    return [seat for seat in order if seat not in deal.resigned]


def _pairs(deal: Deal) -> tuple[Given, ...]:
    """The offers of each class two by two, in order of play."""
    offers = {seat: move.cards[0] for seat, move in deal.extra.answers if move.cards}
    found: list[Given] = []
    for kind in (SMALL, BIG, KEY):
        seats = [seat for seat in _in_order(deal) if seat in offers and class_of(offers[seat]) == kind]
        for one, other in zip(seats[::2], seats[1::2], strict=False):
            found += [Given(one, other, offers[one]), Given(other, one, offers[other])]
    return tuple(found)

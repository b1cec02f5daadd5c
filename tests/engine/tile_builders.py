"""Deals of tiles for the tests, with hands drawn as text.

    deal = at_table(hands=["1R 2R 3R 9K", "13K 3B"], row="5R 9Y")     # in the middle of play, all seats have opened
    deal = tiles_dealt(["5R 5R", "6K 6K"])                            # a fresh deal, in which these are dealt

Tiles that are not named lie in the stock, in the order of the pack, or fill up the hands of a fresh deal.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from games.engine import EMPTY, TILES, Deal, Hand, Meld, Rules, View, apply, legal_moves, move_text, rules_for, start, view
from games.engine.cards import add, plain
from games.engine.exchange import pending
from games.engine.melds import laid
from games.engine.tiles import Tiles

from .builders import Step

FILLER = [suit * 13 + (5 * place + 3 * suit) % 12 + 1 for place in range(12) for suit in range(4)]
"""Tiles from 2 to 13 in an order in which few neighbours make a meld."""


def codes(text: str) -> list[int]:
    """Tiles by text, separated by spaces."""
    return [TILES.codes[tile] for tile in text.split()]


def words(tiles: Any) -> str:
    """Tiles as text, in the order given."""
    return " ".join(TILES.texts[tile] for tile in tiles)


def hand(text: str) -> Hand:
    """A hand by text."""
    return add(EMPTY, codes(text))


def held(deal: Deal, seat: int) -> str:
    """A seat's hand as text, by colour and number, joly last."""
    return words(deal.hands[seat].cards())


def row(deal: Deal) -> str:
    """The row as text, oldest first."""
    return words(deal.row)


def table(deal: Deal) -> list[str]:
    """The melds on the table as text."""
    return [words(meld.cards) for meld in deal.melds]


def tiles_rules(seats: int, **options: Any) -> Rules:
    """The rules of a match of tiles."""
    return rules_for("etalat", seats, options)


def at_table(
    *,
    hands: list[str],
    row: str = "",
    melds: list[tuple[int, str]] | tuple[()] = (),
    stock: str | None = None,
    to_move: int = 0,
    opened: str = "all",
    turns: int = 4,
    atu: str = "7K",
    twin: int | None = None,
    **options: Any,
) -> Deal:
    """A deal in the middle of play: `to_move` is about to draw, and every seat has ended `turns` turns.

    `melds` are (owner, tiles) and count for their owner. `opened` are the seats that have opened, as digits, or "all".
    The row is what is given after a first, dead discard of its own. `stock`, from the top, is all of the stock where it is given.
    """
    rules = tiles_rules(len(hands), **options)
    lain = [laid(number, owner, tuple(codes(tiles)), True) for number, (owner, tiles) in enumerate(melds, start=1)]
    on_table: list[Meld] = [meld for meld in lain if meld is not None]
    assert len(on_table) == len(lain), "not a meld"
    named = Counter([*codes(row), *(plain(tile) for meld in on_table for tile in meld.cards), *codes(stock or "")])
    named += Counter(tile for text in hands for tile in codes(text))
    left = sorted((Counter(rules.pack()) - named).elements())
    assert named <= Counter(rules.pack()), "more than there are"
    dead = next(tile for tile in left if tile % 13 and tile < 52)
    left.remove(dead)
    points = [sum(rules.worth(meld) for meld in on_table if meld.owner == seat) for seat in range(len(hands))]
    who = tuple(opened == "all" or str(seat) in opened for seat in range(len(hands)))
    return Deal(
        rules, (to_move - 1) % len(hands), "draw", to_move, tuple(hand(text) for text in hands), (EMPTY,) * len(hands),
        (dead, *codes(row)), tuple(codes(stock) if stock is not None else left), 0, tuple(on_table), tuple(points),
        extra=Tiles(TILES.codes[atu], twin, (turns,) * len(hands), who),
    )  # fmt: skip


def tiles_dealt(
    hands: list[str], *, atu: str = "7K", dealer: int = -1, resigned: frozenset[int] = frozenset(), **options: Any
) -> Deal:
    """A fresh deal in which each seat holds these tiles and others that make no double with them; seat 0 plays first."""
    rules = tiles_rules(len(hands), **options)
    dealer %= len(hands)
    deck = tiles_deck(rules, hands, atu, dealer, resigned)
    return start(rules, dealer, deck, resigned)


def tiles_deck(rules: Rules, hands: list[str], atu: str, dealer: int, resigned: frozenset[int] = frozenset()) -> list[int]:
    """A pack, shuffled just so that each seat is dealt these tiles."""
    left = Counter(rules.pack()) - Counter(codes(atu))
    left -= Counter(tile for text in hands for tile in codes(text))
    fill = [tile for tile in FILLER * 2 if tile != TILES.codes[atu]]
    order = [seat for step in range(1, rules.count + 1) if (seat := (dealer + step) % rules.count) not in resigned]
    wanted: list[int] = []
    for place, seat in enumerate(order):
        dealt = codes(hands[seat])
        while len(dealt) < (15 if place == 0 else 14):
            tile = next(tile for tile in fill if tile not in dealt and left[tile])
            fill.remove(tile)
            left[tile] -= 1
            dealt.append(tile)
        wanted += dealt
    wanted += sorted((+left).elements())
    # the tile that is dealt or drawn in each place stands where the pile has it (§4.2)
    places = rules.arranged((*range(105), TILES.codes[atu]))[:-1]
    deck = dict(zip(places, wanted, strict=True))
    return [*(deck[place] for place in range(105)), TILES.codes[atu]]


def spread_out(deal: Deal) -> list[Any]:
    """Every tile of a deal, wherever it is."""
    places = [*deal.row, *deal.deck[deal.drawn :]]
    places += [plain(tile) for meld in deal.melds for tile in meld.cards]
    return places + [tile for seat in deal.hands for tile in seat.cards()]


def answers(at: View) -> list[str]:
    """What a seat may answer before play, as text; nothing where it is not asked."""
    question = at.extra.question
    return [] if question is None else [move_text(move, TILES) for move in question.answers]


def play_tiles(rules: Rules, seed: int, steps: int = 5_000, *, others: float = 0.0, deck: list[int] | None = None) -> list[Step]:
    """A deal played at random, exchange and all, to its end or for a number of steps.

    Each move is drawn from the legal ones, melds first as often as not, or hardly a seat would ever open. Where the turn is
    stuck all of it is taken back. `others` is the share of U, T and (seldom) R.
    """
    chance = random.Random(seed)
    if deck is None:
        deck = rules.pack()
        chance.shuffle(deck)
    deal = start(rules, chance.randrange(rules.count), deck)
    played: list[Step] = []
    while deal.phase != "over" and len(played) < steps:
        for seat, move in _random_moves(deal, chance, others):
            after = apply(deal, seat, move)
            played.append(Step(deal, seat, move, after))
            deal = after
    return played[:steps]


def _random_moves(deal: Deal, chance: random.Random, others: float) -> list[tuple[int, str]]:
    if deal.phase == "exchange":
        return [_random_answer(deal, chance, others)]
    assert deal.to_move is not None
    if chance.random() < others:
        kind = chance.choice("UUUUUUTTTTTTTTR")
        if kind != "U" or deal.prev is not None:
            return [(chance.choice(deal.seats_in) if kind == "R" else deal.to_move, kind)]
    moves = [move_text(move, TILES) for move in legal_moves(deal)]
    laying = [move for move in moves if move[0] in "MLWP"]
    if laying and chance.random() < 0.6:
        return [(deal.to_move, chance.choice(laying))]
    if moves:
        return [(deal.to_move, chance.choice([move for move in moves if move != "B"] if chance.random() < 0.9 else moves))]
    back = deal.floor()
    way_out = ["U"] * len(deal.turn_moves())
    if back.phase == "draw":
        way_out.append("S")
    else:  # a stock draw stays: the tile drawn goes
        way_out.append(move_text(chance.choice([move for move in legal_moves(back) if move.kind == "D"]), TILES))
    return [(deal.to_move, move) for move in way_out]


def _random_answer(deal: Deal, chance: random.Random, others: float) -> tuple[int, str]:
    if chance.random() < others:
        kind = chance.choice("TTTTTTR")
        return chance.choice(pending(deal) if kind == "T" else deal.seats_in), kind
    seat = chance.choice(pending(deal))
    found = answers(view(deal, seat))
    return seat, chance.choice([answer for answer in found if answer != "X:spoil"] if chance.random() < 0.8 else found)

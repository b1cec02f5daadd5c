"""The computer player of the tile game: it opens as soon as it can, lays what it can, and weighs what stays on its rack.

It answers before play, takes what it can use in that turn, wins joly by swaps, announces, and plays on its board
where very little is missing.
"""

from __future__ import annotations

import random

from .. import boards, moves
from ..boards import less
from ..cards import JOKER, STANDS, Hand
from ..moves import DISCARDS, PASS, SPOIL, Move
from ..packing import opening
from ..view import View
from .outlook import danger, outlook
from .rack import aims, keep, loose, melded, without
from .tileturns import Way, after, opening_way, searched, ways

MOST_TAKES = 6
"""Takes that are thought through."""
MOST_HELD = 28
"""Tiles up to which a take is thought of: what goes beyond is hardly ever laid down to 14 in one turn."""
NOT_TAKEN = 0.02
"""How often it draws though a take looked better: so that a take whose plan was not found again, and was taken back, is not
made for ever."""
DRAWN = 6.0
"""What a tile from the stock brings on the average."""
CLOSE = 60.0
"""What closing is worth beyond its 50 points: what others hold, or that they have not opened."""
BOARD_FROM = {500: 12, 700: 12, 1000: 13, 1200: 12, 1300: 12, 1500: 12}
"""By the points of a type, the tiles of 14 that must be there for it before the board game is announced."""
DOUBLES_KEPT = 5
"""Doubles from which on a seat keeps them, for seven are a board game."""
POOR = 6
"""Tiles in whole melds below which a rack with three doubles is not worth playing."""


def tile_player(view: View, rng: random.Random) -> Move:
    """One move of a seat that plays for points. `rng` helps out of a dead end and decides nothing else."""
    if view.phase == "exchange":
        return _answer(view)
    if view.to_move in view.extra.board:
        return _on_board(view)
    if not view.rules.other_fault(view, Move(moves.BOARD)) and _near(view):
        return Move(moves.BOARD)
    if view.phase == "draw":
        return _draw(view, rng)
    return _play(view)


# -- before play -----------------------------------------------------------------------------------


def _answer(view: View) -> Move:
    """Offer the double that is missed least; spoil a poor deal; keep many doubles."""
    question = view.extra.question
    doubles = [tile for tile, _ in question.doubles]
    if len(doubles) >= DOUBLES_KEPT:
        return Move(moves.EXCHANGE, answer=PASS)
    if question.may_spoil and sum(len(move.cards) for move in melded(view.rules, view.hand)) < POOR:
        return Move(moves.EXCHANGE, answer=SPOIL)
    if not question.may_offer:
        return Move(moves.EXCHANGE, answer=PASS)
    out = outlook(view)
    offered = max(doubles, key=lambda tile: keep(view.rules, out, less(view.hand, tile), ()))
    return Move(moves.EXCHANGE, 0, (offered,))


# -- drawing ---------------------------------------------------------------------------------------


def _draw(view: View, rng: random.Random) -> Move:
    takes = [n for n in view.rules.legal_takes(view) if view.hand.size + n <= MOST_HELD]
    if not takes or rng.random() < NOT_TAKEN:
        return Move(moves.STOCK)
    if not _opened(view):
        return moves.take(1)  # it opens
    thoughts = Thoughts(view)
    best, move = thoughts.best(ways(view._replace(phase="play")))[0] + DRAWN, Move(moves.STOCK)
    for n in takes if len(takes) <= MOST_TAKES else [*takes[: MOST_TAKES - 1], takes[-1]]:
        worth, way = thoughts.best(ways(after(view, moves.take(n))))
        if way is not None and worth > best:
            best, move = worth, moves.take(n)
    return move


# -- laying and discarding -------------------------------------------------------------------------


def _play(view: View) -> Move:
    thoughts = Thoughts(view)
    way = (thoughts.best(ways(view))[1] or searched(view)) if _opened(view) else _opening(view)
    if way is None:
        return Move(moves.UNDO)
    if way.moves:
        return way.moves[0]
    if view.hand.size > 1 and not view.rules.other_fault(view, Move(moves.ANNOUNCE)):
        return Move(moves.ANNOUNCE)
    return DISCARDS[thoughts.discard(view)[1]]


def _opening(view: View) -> Way | None:
    """The opening, begun or to begin, or no moves where there is none yet. None where only a take-back is left."""
    if not view.rules.table_fault(view, moves.MELD):
        way = opening_way(view, view.extra.opening)
        if way is not None:
            return way
    return Way(view) if view.rules.discards(view) else None


def _opened(view: View) -> bool:
    opened: bool = view.extra.opened[view.to_move]
    return opened


class Thoughts:
    """What is thought of the ways through one turn, all of them begun from one view."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.outlook = outlook(view)
        self.dangers: dict[int, float] = {}

    def best(self, found: list[Way]) -> tuple[float, Way | None]:
        """The way that is worth most, and what it is worth."""
        different = {(way.at.hand, way.at.melds): way for way in reversed(found)}
        return max(((self.worth(way), way) for way in different.values()), key=lambda valued: valued[0], default=(-1e9, None))

    def worth(self, way: Way) -> float:
        """What a way brings: points on the table, joly won from others, and what the rack is worth after the discard."""
        points = self._points(way)
        if way.at.hand.size == 1:
            return points + CLOSE + (50 + points if way.at.hand.jokers else 0)
        return points + self.discard(way.at)[0]

    def _points(self, way: Way) -> float:
        points, value, seat = 0.0, self.view.rules.hand_value, self.view.seat
        for meld in way.at.melds:
            points += sum([value(tile) for tile, by in zip(meld.cards, meld.by, strict=True) if by == seat])
        for meld in self.view.melds:
            if meld.standing != (now := way.at.melds[meld.id - 1].standing):
                lost = zip(meld.cards, meld.by, strict=True)
                points += sum([50 for tile, by in lost if tile >= STANDS and by != seat and not now >> tile - STANDS & 1])
        return points

    def discard(self, at: View) -> tuple[float, int]:
        """The best tile to discard, and what the rest is worth less what the tile is to others."""
        rules = at.rules
        on_table = at.melds if _opened(at) else ()
        allowed = [move.cards[0] for move in rules.discards(at)]
        if at.hand.size == 1:
            return 0.0, allowed[0]
        spare = without(at.hand, melded(rules, at.hand))
        loose_tiles = [tile for tile in allowed if spare.copies(tile)]
        if not loose_tiles:
            return max((keep(rules, self.outlook, less(at.hand, tile), on_table) - self.danger(tile), tile) for tile in allowed)
        certain = keep(rules, self.outlook, at.hand, on_table) - loose(self.outlook, spare, on_table)
        return max((certain + loose(self.outlook, less(spare, tile), on_table) - self.danger(tile), tile) for tile in loose_tiles)

    def danger(self, tile: int) -> float:
        """What a discard would be worth to the others."""
        if tile not in self.dangers:
            self.dangers[tile] = danger(self.outlook, self.view, tile)
        return self.dangers[tile]


# -- the board game --------------------------------------------------------------------------------


def _near(view: View) -> bool:
    """Whether so little is missing from a board game that it is the better game. A rack that opens now opens instead."""
    if view.phase == "play" and boards.closing(view.hand):
        return True
    aim = max(aims(view.rules, view.hand), key=lambda aim: (aim.held - BOARD_FROM[aim.points], aim.points))
    if aim.held < BOARD_FROM[aim.points]:
        return False
    return aim.points > 500 or view.extra.turns[view.to_move] == 0 or opening(view.hand, view.rules.terms) is None  # type: ignore[attr-defined]


def _on_board(view: View) -> Move:
    if view.phase == "draw":
        helps = (
            view.rules.legal_takes(view)
            and _aimed(view, after(view, moves.take(1)).hand, view.row[-1]) > _progress(view, view.hand)[:2]
        )
        return moves.take(1) if helps else Move(moves.STOCK)
    closing = [move for move in view.rules.other_legal(view) if move.kind == moves.CLOSE_BOARD]
    if closing:
        return max(closing, key=lambda move: (view.rules.other_worth(view, move), move.cards[0] == JOKER))
    out = outlook(view)
    allowed = [move.cards[0] for move in view.rules.discards(view)]
    return DISCARDS[max(allowed, key=lambda tile: (*_progress(view, less(view.hand, tile)), -danger(out, view, tile)))]


def _aimed(view: View, hand: Hand, barred: int) -> tuple[int, int]:
    """How near the board game is after the best discard but of one tile."""
    return max(_progress(view, less(hand, tile))[:2] for tile in dict.fromkeys(hand.cards()) if tile != barred)


def _progress(view: View, hand: Hand) -> tuple[int, int, float]:
    """How near a rack is to its board game: tiles held of 14, its points, and what other tiles might do."""
    aim = max(aims(view.rules, hand), key=lambda aim: (aim.held, aim.points))
    return aim.held, aim.points, keep(view.rules, outlook(view), hand, ())

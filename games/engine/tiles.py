"""What a deal of tiles has beside what every deal has (rules §4), whole and as a seat may know it. Values, no rules."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import moves
from .boards import Board
from .cards import TILES
from .moves import PASS, SPOIL, Move


class Given(NamedTuple):
    """A tile that changed hands."""

    giver: int
    taker: int
    tile: int


class Question(NamedTuple):
    """What a seat is asked, and has not answered yet."""

    doubles: tuple[tuple[int, str], ...]
    """Its doubles, each with its class."""
    may_offer: bool
    may_spoil: bool

    @property
    def answers(self) -> list[Move]:
        """Every answer there is: to pass, to offer one of the doubles, to spoil the deal."""
        found = [Move(moves.EXCHANGE, answer=PASS)]
        if self.may_offer:
            found += [Move(moves.EXCHANGE, 0, (tile,)) for tile, _ in self.doubles]
        if self.may_spoil:
            found.append(Move(moves.EXCHANGE, answer=SPOIL))
        return found


class Tiles(NamedTuple):
    """What a deal of tiles has beside what every deal has. Seats know it as `TilesView`."""

    atu: int
    """A face, or JOKER."""
    twin: int | None
    """The seat that was dealt the atu's twin (§4.16)."""
    turns: tuple[int, ...]
    """By seat, the turns it has ended."""
    opened: tuple[bool, ...]
    board: frozenset[int] = frozenset()
    """The seats that play the board game."""
    low: frozenset[int] = frozenset()
    """The seats that have nothing more to announce (§4.13)."""
    forgot: frozenset[int] = frozenset()
    """Those of them that had not announced."""
    announced: bool = False
    """Whether the seat on turn has announced its last tiles in this turn."""
    owed: int = 0
    """Joly swapped for in this turn that must be laid again (§4.11)."""
    asked: frozenset[int] = frozenset()
    """The seats asked before play (§4.3)."""
    answers: tuple[tuple[int, Move], ...] = ()
    """Their answers so far, by seat."""
    given: tuple[Given, ...] = ()
    """The tiles that changed hands before play."""


class Opening(NamedTuple):
    """How far the seat on turn is with its opening (§4.8)."""

    points: int
    needed: int
    has_set: bool
    has_run: bool
    needs_set: bool
    complete: bool


class TilesView(NamedTuple):
    """`Tiles` as one seat, or a spectator, knows it; names that both have mean the same."""

    atu: int
    turns: tuple[int, ...]
    opened: tuple[bool, ...]
    board: frozenset[int]
    low: frozenset[int]
    forgot: frozenset[int]
    announced: bool
    owed: int
    dead: bool
    """Whether the oldest tile of the row can never be taken (§4.6)."""
    twin: int | None
    """The seat that was dealt the atu's twin, to that seat alone, and to all once the deal is over."""
    opening: Opening | None
    """Of the seat on turn, after its draw, where it has not opened."""
    question: Question | None
    """What the viewer is asked before play and has not answered."""
    answer: Move | None
    """What the viewer has answered, while the others are still waited for."""
    given: tuple[Given, ...]
    """The tiles that the viewer gave or received before play; once the deal is over, all."""
    board_game: Board | None
    """The board game that closed the deal."""


class Score(NamedTuple):
    """How the points of one seat in a deal come about (§4.16)."""

    laid: int
    in_hand: int
    """Points of the tiles in hand, to be taken off. Both are 0 where the seat never opened."""
    not_opened: int
    closed: int
    board: int
    twin: int
    factor: int
    forgotten: int

    @property
    def total(self) -> int:
        """The points of the deal."""
        plain = self.laid - self.in_hand + self.not_opened + self.closed + self.board + self.twin
        return plain * self.factor + self.forgotten


def dump(tiles: Tiles) -> dict[str, Any]:
    """The state as JSON data, as secret as a hand. What belongs to one turn is left out: the moves of the turn make it anew."""
    texts = TILES.texts
    return {
        "atu": texts[tiles.atu],
        "twin": tiles.twin,
        "turns": list(tiles.turns),
        "opened": list(tiles.opened),
        "board": sorted(tiles.board),
        "low": sorted(tiles.low),
        "forgot": sorted(tiles.forgot),
        "asked": sorted(tiles.asked),
        "answers": [[seat, moves.text(answer, TILES)] for seat, answer in tiles.answers],
        "given": [[given.giver, given.taker, texts[given.tile]] for given in tiles.given],
    }


def load(data: dict[str, Any]) -> Tiles:
    """The way back from `dump`."""
    codes = TILES.codes
    return Tiles(
        atu=codes[data["atu"]],
        twin=data["twin"],
        turns=tuple(data["turns"]),
        opened=tuple(data["opened"]),
        board=frozenset(data["board"]),
        low=frozenset(data["low"]),
        forgot=frozenset(data["forgot"]),
        asked=frozenset(data["asked"]),
        answers=tuple([(seat, moves.parse(text, TILES, tiles=True)) for seat, text in data["answers"]]),
        given=tuple([Given(giver, taker, codes[tile]) for giver, taker, tile in data["given"]]),
    )

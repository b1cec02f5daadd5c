"""Moves and their text, both ways (docs/notation.md, "Moves"). Knows nothing of whether one is legal."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from .cards import JOKER, Alphabet, bits
from .errors import RuleError

STOCK, TAKE, MELD, LAY_OFF, SWAP, DISCARD = "S", "P", "M", "L", "W", "D"
DECLINE, UNDO, RESIGN, EXPIRE = "E", "U", "R", "T"
ANNOUNCE, BOARD, CLOSE_BOARD, EXCHANGE = "A", "B", "C", "X"

PASS, SPOIL = "pass", "spoil"
"""Answers to the exchange of doubles that name no tile."""


class Move(NamedTuple):
    """One move of one seat.

    `number` is n of a take or the number of a meld; `cards` are faces, jokers (a laid one with what
    it stands for) or nothing; `answer` is what the exchange of doubles was answered with where no
    tile is offered.
    """

    kind: str
    number: int = 0
    cards: tuple[int, ...] = ()
    answer: str = ""


_PLAIN = {kind: Move(kind) for kind in (STOCK, DECLINE, UNDO, RESIGN, EXPIRE)}
_TILE_PLAIN = {kind: Move(kind) for kind in (ANNOUNCE, BOARD)}
_NUMBER = re.compile(r"[1-9][0-9]{0,3}")
LINE = re.compile(r"([0-7]) (\S+)")
"""A move with the seat in front."""


def parse(text: str, alphabet: Alphabet, *, tiles: bool = False) -> Move:
    """The move that a token means. Raises `bad_notation`. A bare joker in a meld is read as such;
    whoever plays the move refuses it."""
    move = _parse(text, alphabet, tiles) if len(text) <= 200 else None
    if move is None:
        raise RuleError("bad_notation", text=text[:80])
    return move


def _parse(text: str, alphabet: Alphabet, tiles: bool) -> Move | None:
    if text in _PLAIN:
        return _PLAIN[text]
    if tiles and text in _TILE_PLAIN:
        return _TILE_PLAIN[text]
    kind, _, rest = text.partition(":")
    if not rest:
        return _take(text)
    match kind:
        case "M":
            return _with_cards(MELD, 0, rest, alphabet)
        case "L" | "W":
            number, _, rest = rest.partition(":")
            if not _NUMBER.fullmatch(number):
                return None
            move = _with_cards(kind, int(number), rest, alphabet)
            return move if move and (kind == LAY_OFF or _one_face(move)) else None
        case "D":
            return _one_card(DISCARD, rest, alphabet)
        case "C" if tiles:
            return _one_card(CLOSE_BOARD, rest, alphabet)
        case "X" if tiles:
            if rest in (PASS, SPOIL):
                return Move(EXCHANGE, answer=rest)
            return _one_card(EXCHANGE, rest, alphabet)
    return None


def _take(text: str) -> Move | None:
    if text[:1] == TAKE and _NUMBER.fullmatch(text[1:]):
        return take(int(text[1:]))
    return None


def _with_cards(kind: str, number: int, rest: str, alphabet: Alphabet) -> Move | None:
    cards = tuple(alphabet.codes.get(text, -1) for text in rest.split(","))
    return None if -1 in cards else Move(kind, number, cards)


def _one_card(kind: str, rest: str, alphabet: Alphabet) -> Move | None:
    code = alphabet.codes.get(rest, -1)
    return Move(kind, 0, (code,)) if 0 <= code <= JOKER else None


def _one_face(move: Move) -> bool:
    return len(move.cards) == 1 and move.cards[0] < JOKER


def text(move: Move, alphabet: Alphabet) -> str:
    """The token of a move; `parse` reads it back."""
    kind, number, cards, answer = move
    if kind == TAKE:
        return f"P{number}"
    if not cards:
        return f"{kind}:{answer}" if answer else kind
    listed = ",".join([alphabet.texts[card] for card in cards])
    return f"{kind}:{number}:{listed}" if kind in (LAY_OFF, SWAP) else f"{kind}:{listed}"


@lru_cache(maxsize=1_000)
def take(count: int) -> Move:
    """The take of the last `count` cards of the row."""
    return Move(TAKE, count)


ANNOUNCEMENTS = tuple(_TILE_PLAIN.values())
"""The announcement of the last tiles and that of the board game."""

DISCARDS = tuple(Move(DISCARD, 0, (card,)) for card in range(JOKER + 1))
"""The discard of each card, by its number."""


@lru_cache(maxsize=20_000)
def discards(faces: int) -> tuple[Move, ...]:
    """The discards of faces, as bits, ascending. Asked for suit by suit, most hands have been met before."""
    return tuple([DISCARDS[face] for face in bits(faces)])


@lru_cache(maxsize=20_000)
def lay_offs(meld: int, faces: int, joker: int = 0) -> tuple[Move, ...]:
    """The laying off of each of these faces, as bits, on a meld; of jokers as these faces where `joker` is STANDS."""
    return tuple([Move(LAY_OFF, meld, (face + joker,)) for face in bits(faces)])


@lru_cache(maxsize=10_000)
def swaps(meld: int, faces: int) -> tuple[Move, ...]:
    """The swap of each of these faces, as bits, for the joker that stands for it in a meld."""
    return tuple([swap(meld, face) for face in bits(faces)])


def swap(meld: int, card: int) -> Move:
    """The swap of a card for the joker that stands for it in a meld."""
    return Move(SWAP, meld, (card,))

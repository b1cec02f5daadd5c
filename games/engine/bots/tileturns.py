"""Whole turns of a seat that lays tiles: what to lay so that the turn can be ended (rules §4.8–4.12).

A turn is tried on views: `after` is what the seat will see once it has made a move that shows nothing hidden.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import melds, moves
from ..cards import JOKER, STANDS, Hand, add, bits, plain, remove
from ..legal import legal_moves
from ..melds import Meld
from ..moves import Move
from ..packing import Terms, opening
from ..reach import lay_offs
from ..tiles import Opening
from ..view import View
from .rack import melded

MOST_WAYS = 5
"""Ways of laying the tile taken that are followed up."""
MOST_TRIED = 400
"""Positions looked at where a way to end the turn must be searched for."""


def after(at: View, move: Move) -> View:
    """The view of the seat on turn after a take or a table move of its own."""
    if move.kind == moves.TAKE:
        taken, obliges = at.row[-move.number :], at.rules.obliges(at, move.number)
        return at._replace(
            phase="play", hand=add(at.hand, taken), row=at.row[: -move.number],
            must_use=taken[0] if obliges else None, no_discard=None if obliges else taken[0],
        )  # fmt: skip
    used = [plain(tile) for tile in move.cards]
    hand = remove(at.hand, used)
    assert hand is not None
    owed = at.extra.owed
    if move.kind == moves.SWAP:
        hand, owed = add(hand, (JOKER,)), owed + 1
    else:
        owed = max(0, owed - used.count(JOKER))
    return at._replace(
        hand=hand, melds=_on_table(at, move), must_use=None if at.must_use in used else at.must_use,
        extra=at.extra._replace(owed=owed),
    )  # fmt: skip


def _on_table(at: View, move: Move) -> tuple[Meld, ...]:
    seat = at.to_move
    assert seat is not None
    if move.kind == moves.MELD:
        meld = melds.laid(len(at.melds) + 1, seat, move.cards, True)
        assert meld is not None
        return (*at.melds, meld)
    meld = at.melds[move.number - 1]
    if move.kind == moves.SWAP:
        changed = melds.swapped(meld, move.cards[0], seat, True)
    else:
        changed = meld
        for tile in move.cards:
            changed = changed and melds.extended(changed, tile, seat, True)
    assert changed is not None
    return (*at.melds[: meld.id - 1], changed, *at.melds[meld.id :])


class Way:
    """A way through the table moves of a turn: the moves, and the view after them."""

    __slots__ = ("at", "moves")

    def __init__(self, at: View, moves: tuple[Move, ...] = ()) -> None:
        self.at = at
        self.moves = moves

    def then(self, move: Move) -> Way:
        """The way with one move more."""
        return Way(after(self.at, move), (*self.moves, move))

    @property
    def ends(self) -> bool:
        """Whether the turn can be ended here."""
        return bool(self.at.rules.discards(self.at))


# -- a seat that has opened ------------------------------------------------------------------------


def ways(at: View) -> list[Way]:
    """Sensible ways to play the table moves of a turn from here, each of which can be ended by a discard."""
    found: list[Way] = []
    for start in _swapped(Way(at)):
        for way in _used(start):
            found += _laid(way)
    return [way for way in found if way.ends]


def _swapped(way: Way) -> list[Way]:
    """The way with each choice of joly swapped for."""
    found = [way]
    for meld in way.at.melds:
        for face in bits(meld.standing & way.at.hand.once):
            found += [other.then(Move(moves.SWAP, meld.id, (face,))) for other in found if other.at.hand.copies(face)]
    return found


def _used(way: Way) -> list[Way]:
    """The way with the tile laid that must be, by one move, in the most promising manners."""
    card, hand = way.at.must_use, way.at.hand
    if card is None:
        return [way]
    found = [move for move in melded(way.at.rules, hand) if card in [plain(tile) for tile in move.cards]]
    for meld in way.at.melds:
        tiles = lay_offs(meld, hand, card)
        if tiles:
            found.append(Move(moves.LAY_OFF, meld.id, tiles))
    with_card = [move for move in _melds_of_three(hand) if card in [plain(tile) for tile in move.cards]]
    with_card.sort(key=lambda move: sum(tile >= STANDS for tile in move.cards))
    found += [move for move in with_card[:MOST_WAYS] if hand.size > 3]
    return [way.then(move) for move in dict.fromkeys(found) if len(move.cards) < hand.size]


def _melds_of_three(hand: Hand) -> list[Move]:
    return [move for move in melds.listed(hand.once, hand.twice, min(hand.jokers, 1), True) if len(move.cards) == 3]


def _laid(way: Way) -> Iterator[Way]:
    """The way with all laid that can be: the melds first, or what can be laid off first; joly laid off, or kept."""
    melded_first = _laid_off(_melded(way))
    yield melded_first
    off_first = _laid_off(_melded(_laid_off(way)))
    yield off_first
    for found in (melded_first, off_first):
        if found.at.hand.jokers:
            yield _joly_laid_off(found)
    if way.at.hand.jokers:
        yield _laid_off(_melded(way, keeps=1))
    yield way


def _melded(way: Way, keeps: int = 0) -> Way:
    """The way with the best melds laid; that many joly are kept."""
    for move in melded(way.at.rules, way.at.hand, keeps):
        way = way.then(move)
    return way


def _laid_off(way: Way) -> Way:
    """The way with every tile laid off that fits, but the last."""
    going = True
    while going:
        going = False
        for meld in way.at.melds:
            fitting = bits(meld.fits & way.at.hand.once)
            if fitting and way.at.hand.size > 1:
                way, going = way.then(Move(moves.LAY_OFF, meld.id, (fitting[0],))), True
                break
    return way


def _joly_laid_off(way: Way) -> Way:
    """The way with its joly laid off wherever they may lie, and what then fits too."""
    for meld in way.at.melds:
        if way.at.hand.jokers and way.at.hand.size > 1 and meld.joker_fits:
            way = _laid_off(way.then(Move(moves.LAY_OFF, meld.id, (bits(meld.joker_fits)[-1] + STANDS,))))
            return _joly_laid_off(way)
    return way


def searched(at: View) -> Way | None:
    """Any way to end the turn, looked for among all legal table moves; None where none is found."""
    waiting, seen, tried = [Way(at)], {(at.hand, at.melds)}, 0
    while waiting and tried < MOST_TRIED:
        way = waiting.pop()
        tried += 1
        if way.ends:
            return way
        for move in legal_moves(way.at):
            if move.kind in (moves.MELD, moves.LAY_OFF, moves.SWAP):
                longer = way.then(move)
                if (key := (longer.at.hand, longer.at.melds)) not in seen:
                    seen.add(key)
                    waiting.append(longer)
    return None


# -- a seat that opens -----------------------------------------------------------------------------


def opening_way(at: View, so_far: Opening) -> Way | None:
    """The melds that open, or complete an opening begun, and those that can be laid besides; None where there are none.

    Where the best melds of the rack open, it is these.
    """
    best = _melded(Way(at))
    if best.moves and best.ends and _opens(best):
        return best
    terms = Terms(
        0 if so_far.complete else max(0, so_far.needed - so_far.points),
        so_far.needs_set and not so_far.has_set and not so_far.complete,
        not so_far.has_run and not so_far.complete,
        at.rules.options["ones_open"],
    )
    found = opening(at.hand, terms, at.must_use)
    if found is None:
        return searched(at) if at.melds and so_far.points else None
    way = Way(at)
    for move in found:
        way = way.then(move)
    return _melded(way)


def _opens(way: Way) -> bool:
    """Whether the seat has laid anything, and enough: its turn can be ended by then."""
    return any(meld.owner == way.at.to_move for meld in way.at.melds)

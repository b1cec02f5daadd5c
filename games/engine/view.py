"""What may leave the server: a deal as one seat, or a spectator, knows it.

`view` is the only door for anything that is shown, logged or answered. It holds no other hand, no order
of the stock, no deck; two deals with the same public history and the same own cards give equal views.
`reveal` is the second door: the hands of a deal that is over or void, and of a referee's case.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .cards import EMPTY, Hand
from .deal import EXCHANGE, OVER, Deal
from .errors import RuleError
from .melds import Meld
from .moves import Move
from .rules import Rules


class View(NamedTuple):
    """A deal through the eyes of `seat`, or of a spectator where that is None.

    `legal_moves` takes it where the seat is on turn.
    """

    rules: Rules
    seat: int | None
    dealer: int
    phase: str
    to_move: int | None
    hand: Hand
    """The seat's own cards; empty for a spectator."""
    counts: tuple[int, ...]
    """Cards in hand, by seat."""
    known: tuple[Hand, ...]
    """By seat, the cards that everybody knows to be in its hand."""
    row: tuple[int, ...]
    stock_left: int
    melds: tuple[Meld, ...]
    laid: tuple[int, ...]
    resigned: frozenset[int]
    must_use: int | None
    no_discard: int | None
    drew: int | None
    """What the seat itself drew from the stock this turn."""
    took: tuple[int, ...]
    """The cards taken from the row this turn."""
    turn_moves: tuple[Move, ...]
    """Moves of this turn that can be taken back."""
    idle: int
    reason: str | None
    out: int | None
    scores: tuple[int, ...] | None
    extra: Any

    @property
    def seats_in(self) -> list[int]:
        """The seats that have not resigned, in order of play."""
        return [seat for seat in range(self.rules.count) if seat not in self.resigned]

    @property
    def on_turn(self) -> bool:
        """Whether the viewer is to move."""
        return self.seat is not None and self.seat == self.to_move


def view(deal: Deal, seat: int | None) -> View:
    """The deal as a seat may know it; as a spectator for None."""
    moved = deal.last is not None
    return View._make((  # in the order of its fields: by name it takes twice as long
        deal.rules, seat, deal.dealer, deal.phase, deal.to_move,
        EMPTY if seat is None else deal.hands[seat],
        tuple([hand.size for hand in deal.hands]),
        deal.known, deal.row, len(deal.deck) - deal.drawn, deal.melds, deal.laid, deal.resigned,
        deal.must_use, deal.no_discard,
        deal.drew if seat is not None and seat == deal.to_move else None,
        deal.took() if moved else (),
        tuple(deal.turn_moves()) if moved else (),
        deal.idle, deal.reason, deal.out, deal.scores,
        deal.rules.public_extra(deal, seat),
    ))  # fmt: skip


def reveal(deal: Deal, at: Deal | None = None, *, case: bool = False, void: bool = False) -> tuple[Hand, ...]:
    """All hands of a deal that is over or `void`, or as they were when it stood `at` an earlier point.

    Raises `deal_not_over`, but not of a `case`: one that a referee looks into, or a record that the looker brought along.
    """
    if deal.phase != OVER and not case and not void:
        raise RuleError("deal_not_over")
    return _earlier(deal, at).hands


def reveal_stock(deal: Deal, at: Deal | None = None, *, void: bool = False) -> tuple[int, ...]:
    """What there was left to draw, the next card first, of a deal that is over or `void`; of one that is played nobody sees it.

    Raises `deal_not_over`.
    """
    if deal.phase != OVER and not void:
        raise RuleError("deal_not_over")
    then = _earlier(deal, at)
    return then.deck[then.drawn :]


def _earlier(deal: Deal, at: Deal | None) -> Deal:
    """The deal at an earlier point, or itself. Another deal's cards are not opened by the end of this one."""
    if at is None:
        return deal
    if (at.deck, at.dealer) != (deal.deck, deal.dealer):
        raise RuleError("bad_record", field="deck")
    return at


def told(before: Deal, after: Deal, move: Move) -> dict[str, Any]:
    """The public facts of a move that was just played, for whoever words the log.

    Card texts, points, meld numbers; nothing that the others did not see.
    """
    # what is done before play is sealed: only the game itself knows what of it may be told
    facts = {} if before.phase == EXCHANGE else _facts(before, after, move)
    facts |= before.rules.told(before, after, move)
    if after.reason is not None:
        facts["over"] = after.reason
    return facts


def _facts(before: Deal, after: Deal, move: Move) -> dict[str, Any]:
    texts = before.rules.alphabet.texts
    facts: dict[str, Any] = {}
    if move.cards:
        facts["cards"] = [texts[card] for card in move.cards]
    seat = before.to_move
    match move.kind:
        case "P":
            facts |= {"cards": [texts[card] for card in before.row[-move.number :]], "must": after.must_use is not None}
        case "M" | "L" | "W" if seat is not None:
            meld = after.melds[move.number - 1 if move.number else -1]
            facts |= {"points": after.laid[seat] - before.laid[seat], "meld": meld.id}
            facts |= {"kind": meld.kind, "owner": meld.owner}
        case "U" if before.last is not None and before.prev is not None:
            last = before.last
            cards = before.prev.row[-last.number :] if last.kind == "P" else last.cards
            facts |= {"move": last.kind, "cards": [texts[card] for card in cards]}
        case "T":
            undone = _undone(before, after)
            facts |= {"undone": undone, "drew": after.drawn > before.drawn}
            row = before.floor().row if undone else before.row
            if len(after.row) > len(row):
                facts["cards"] = [texts[after.row[-1]]]
    return facts


def _undone(before: Deal, after: Deal) -> bool:
    """Whether an expired turn had its moves taken back (§1.11): it was not finished, or had no card to discard."""
    if before.prev is None:
        return False
    return before.rules.unfinished(before) or after.melds != before.melds or after.drawn > before.drawn

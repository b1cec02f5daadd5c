"""What a game is: its numbers, and the hooks where games differ.

`Rules` holds what Remi 500 and Rami 500 share; a variant is one module with a subclass of it. An
instance is the rules of one match: a number of seats and a full set of options. It is a constant,
shared by every deal of such matches, and knows no cards of any of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from . import cards, moves, takes
from .cards import EMPTY, JOKER, Alphabet, Hand, add
from .errors import RuleError
from .melds import Meld
from .moves import SWAP, Move

if TYPE_CHECKING:
    from .deal import Deal
    from .view import View


class Position(Protocol):
    """What the seat on turn knows, which is all that its moves may depend on: a deal or a view."""

    @property
    def rules(self) -> Rules: ...
    @property
    def on_turn(self) -> bool: ...
    @property
    def phase(self) -> str: ...
    @property
    def to_move(self) -> int | None: ...
    @property
    def hand(self) -> Hand: ...
    @property
    def row(self) -> tuple[int, ...]: ...
    @property
    def stock_left(self) -> int: ...
    @property
    def melds(self) -> tuple[Meld, ...]: ...
    @property
    def must_use(self) -> int | None: ...
    @property
    def no_discard(self) -> int | None: ...
    @property
    def extra(self) -> Any: ...


class Rules:
    """The rules of one match. Raises `bad_record` for seats or options that the game does not have."""

    name: ClassVar[str]
    seats: ClassVar[range]
    alphabet: ClassVar[Alphabet] = cards.CARDS
    tight: ClassVar[bool] = False
    """Whether jokers are limited as in §4.7."""
    swaps: ClassVar[bool] = False
    keeps: ClassVar[int] = 0
    """Cards that must remain in hand after a table move."""
    ends_with_stock: ClassVar[bool] = False
    """Whether the deal ends with the turn in which the stock became empty (§3.5, §4.15)."""
    defaults: ClassVar[dict[str, Any]] = {}
    """Every option with its default; its type is the option's type (`target` may be null too)."""
    other_kinds: ClassVar[tuple[str, ...]] = ()
    """The kinds of move that only this game has, on a seat's turn."""
    choices: ClassVar[dict[str, tuple[str, ...]]] = {}
    """The values of options that are words."""

    def __init__(self, seats: int, options: dict[str, Any] | None = None) -> None:
        if type(seats) is not int or seats not in self.seats:
            raise RuleError("bad_record", seats=seats)
        self.count = seats
        self.options = {**self.defaults, **self._checked(options or {})}

    def _key(self) -> tuple[Any, ...]:
        return self.name, self.count, self.options

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Rules) and self._key() == other._key())

    def __hash__(self) -> int:
        return hash((self.name, self.count))

    def _checked(self, options: dict[str, Any]) -> dict[str, Any]:
        for name, value in options.items():
            if name not in self.defaults or not self._fits(name, value):
                raise RuleError("bad_record", option=str(name)[:40])
        return options

    def _fits(self, name: str, value: Any) -> bool:
        if name == "target":
            return value is None or (type(value) is int and 1 <= value <= 100_000)
        if name in self.choices:
            return isinstance(value, str) and value in self.choices[name]
        if type(self.defaults[name]) is int:
            return type(value) is int and 0 <= value <= 1_000
        return type(value) is type(self.defaults[name])

    # -- the deal -------------------------------------------------------------------------------

    @property
    def packs(self) -> int:
        """How many packs of 52 + 2 (§2.1, §3.1)."""
        return 1

    @property
    def hand_size(self) -> int:
        """Cards dealt to a seat (§2.2, §3.1)."""
        return 7

    @property
    def target(self) -> int | None:
        """The total that ends the match (§1.13)."""
        target: int | None = self.options["target"]
        return target

    def pack(self) -> list[int]:
        """Every card of the game."""
        return cards.pack(self.packs, 2 * self.packs)

    def arranged(self, deck: tuple[int, ...]) -> tuple[int, ...]:
        """The shuffled pack in the order in which it is dealt and drawn."""
        return deck

    def deal_out(self, deck: tuple[int, ...], order: list[int]) -> tuple[list[Hand], tuple[int, ...], int, Any]:
        """Hands by seat, the row, how many cards of the arranged deck are gone, and the variant's own state.

        `order` are the seats dealt to, from the one after the dealer (§2.2: one card at a time).
        """
        hands = [cards.EMPTY] * self.count
        size = self.hand_size
        for place, seat in enumerate(order):
            hands[seat] = add(cards.EMPTY, deck[place : size * len(order) : len(order)])
        dealt = size * len(order)
        return hands, (deck[dealt],), dealt + 1, None

    def begin(self, deal: Deal) -> Deal:
        """The deal once it is dealt and the first seat may act."""
        return deal

    def open_turn(self, deal: Deal) -> Deal:
        """The deal as a seat's turn begins: where a game may end by itself."""
        return deal

    # -- what is refused: an error code, or None ------------------------------------------------

    def take_fault(self, at: Position, n: int) -> str | None:
        """Why the take of the last n cards, which are there, is refused."""
        if not self.obliges(at, n):
            return None
        hand = add(at.hand, at.row[-n:])
        return None if takes.usable(hand, at.melds, at.row[-n], self.swaps) else "pickup_unusable"

    def obliges(self, at: Position, n: int) -> bool:
        """Whether the card taken must be used this turn (§2.3, §2.6, §3.2)."""
        return n > 1 or not self.options["top_card_free"] or not at.stock_left

    def legal_takes(self, at: Position) -> list[int]:
        """Every n that `take_fault` lets pass."""
        if not at.row:
            return []
        found = takes.usable_takes(at.hand, at.row, at.melds, self.swaps)
        if not self.obliges(at, 1) and found[:1] != [1]:
            return [1, *found]
        return found

    def table_fault(self, at: Position, kind: str) -> str | None:
        """Why the game or the seat's state forbids a kind of table move altogether."""
        return "joker_locked" if kind == SWAP and not self.swaps else None

    def discard_fault(self, at: Position, card: int) -> str | None:
        """Why a card that is held may not be discarded now."""
        if at.must_use is not None:
            return "must_use_pickup"
        if card == at.no_discard and at.hand.copies(card) < 2:
            return "cannot_discard_pickup"
        return None

    def discards(self, at: Position) -> list[Move]:
        """The discard of every card held that `discard_fault` lets pass, each once."""
        if at.must_use is not None:
            return []
        once, _, jokers = hand = at.hand
        barred = at.no_discard
        if barred is not None and hand.copies(barred) < 2:
            if barred == JOKER:
                jokers = 0
            else:
                once &= ~(1 << barred)
        found: list[Move] = []
        for suit in cards.SUITS:
            if once & suit:
                found += moves.discards(once & suit)
        if jokers:
            found.append(moves.DISCARDS[JOKER])
        return found

    # -- what follows ---------------------------------------------------------------------------

    def after_table_move(self, deal: Deal, move: Move, before: Deal) -> Deal:
        """The deal after a table move: going out by laying the last card (§2.5)."""
        return deal.over("out", deal.to_move) if deal.hand == EMPTY else deal

    def after_discard(self, deal: Deal, card: int) -> Deal:
        """The deal after the discard, before the next turn: going out by it."""
        return deal.over("out", deal.to_move) if deal.hand == EMPTY else deal

    def after_turn(self, deal: Deal) -> Deal:
        """The deal after a turn that did not end it otherwise: where an empty stock ends it."""
        return deal.over("stock") if self.ends_with_stock and not deal.stock_left else deal

    def other_move(self, deal: Deal, seat: int, move: Move) -> Deal:
        """The moves that only this game has."""
        raise RuleError("bad_notation")

    def other_fault(self, at: Position, move: Move) -> str | None:
        """Why a move that only this game has is refused."""
        return "bad_notation"

    def other_legal(self, at: Position) -> list[Move]:
        """The legal moves among those that only this game has."""
        return []

    def unfinished(self, deal: Deal) -> bool:
        """Whether the turn may not end as it stands and nothing but more moves helps (§1.11 a)."""
        return deal.must_use is not None

    def before_expired_discard(self, deal: Deal) -> Deal:
        """What the server does for the seat before the discard of an expired turn (§1.11 d)."""
        return deal

    # -- points ---------------------------------------------------------------------------------

    def face_value(self, face: int) -> int:
        """A natural card in hand: its number, 10 for figures, 15 for an ace."""
        number = face % 13 + 1
        return 15 if number == 1 else min(number, 10)

    def hand_value(self, card: int) -> int:
        """What a card counts in hand (§2.7, §3.6)."""
        return 15 if card == JOKER else self.face_value(card)

    def laid_value(self, card: int, kind: str, position: int) -> int:
        """What a card counts where it is laid: `position` in a run, or the number of a set."""
        raise NotImplementedError

    def worth(self, meld: Meld) -> int:
        """What all cards of a meld count together."""
        return sum(self.laid_value(card, meld.kind, place) for card, place in zip(meld.cards, meld.positions(), strict=True))

    def offer_worth(self, at: Position, meld: Meld) -> int:
        """What laying a meld would be worth to the seat on turn."""
        return self.worth(meld)

    def other_worth(self, at: Position, move: Move) -> int:
        """What a legal move that only this game has would be worth to the seat on turn."""
        return 0

    def in_hand(self, hand: Hand) -> int:
        """What a hand counts against its seat."""
        return sum(self.hand_value(card) for card in hand.cards())

    def scores(self, deal: Deal) -> tuple[int, ...]:
        """The points of a deal that is over: cards laid − cards in hand (§2.8, §3.7)."""
        return tuple(laid - self.in_hand(hand) for laid, hand in zip(deal.laid, deal.hands, strict=True))

    def laid_points(self, deal: Deal) -> tuple[int, ...]:
        """By seat, the points of the cards laid so far."""
        return deal.laid

    # -- text -----------------------------------------------------------------------------------

    def public_extra(self, deal: Deal, seat: int | None) -> Any:
        """The variant's own state as one seat, or a spectator, may know it."""
        return None

    def answers(self, at: View) -> list[Move]:
        """What the seat of a view may answer to what it is asked before play; nothing where it is not asked."""
        return []

    def told(self, before: Deal, after: Deal, move: Move) -> dict[str, Any]:
        """Further public facts of a move that was just played, as `view.told` tells them."""
        return {}

    def record_state(self, deal: Deal) -> dict[str, Any]:
        """What the variant adds to the `state` of a replayed record."""
        return {}

    def dump_extra(self, deal: Deal) -> Any:
        """The variant's own state as JSON data, None where there is none."""
        return None

    def load_extra(self, data: Any) -> Any:
        """The way back from `dump_extra`."""
        return None

"""Remi on tiles, "pe etalate" and "pe tablă" (rules §4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from . import boards, cards, exchange, moves, reach
from .cards import EMPTY, JOKER, STANDS, Hand, add, remove
from .deal import EXCHANGE, OVER, PLAY, Deal, with_item
from .errors import RuleError
from .melds import RUN, SET, Meld
from .moves import Move
from .packing import Terms, opening, opening_value
from .play import discarded
from .rules import Position, Rules
from .tiles import Opening, Score, Tiles, TilesView, dump, load

if TYPE_CHECKING:
    from .view import View

MOST_TILES = 14
"""That may be in hand after the discard (§4.12)."""
ANNOUNCED_FROM, ANNOUNCED_TO = 1, 3
"""Tiles at the end of a turn that must be announced (§4.13)."""
BOARD_TURNS = 3
"""In how many of its turns a seat may announce the board game (§4.14)."""
NOT_OPENED, FORGOTTEN, CLOSED, TWIN, JOLY = -100, -500, 50, 50, 50


class Etalat(Rules):
    """2–4 seats, 106 tiles; a seat opens with 45 points, closes by a discard, or wins at one stroke on its board."""

    name = "etalat"
    seats = range(2, 5)
    alphabet = cards.TILES
    tight = True
    swaps = True
    keeps = 1
    other_kinds = (moves.ANNOUNCE, moves.BOARD, moves.CLOSE_BOARD)
    ends_with_stock = True
    defaults: ClassVar[dict[str, Any]] = {
        "target": 1000,
        "opening": 45,
        "opening_shape": "set_and_run",
        "ones_open": False,
        "lay_off_on_opening_turn": False,
        "exchange": True,
        "first_discard_dead": True,
        "announce": "manual",
    }
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"opening_shape": ("set_and_run", "run"), "announce": ("manual", "auto")}

    @property
    def terms(self) -> Terms:
        """What an opening must be."""
        return Terms(self.options["opening"], self.options["opening_shape"] == "set_and_run", True, self.options["ones_open"])

    # -- the deal -------------------------------------------------------------------------------

    @property
    def hand_size(self) -> int:
        """14 tiles, and one more for the first seat (§4.2)."""
        return MOST_TILES

    @property
    def packs(self) -> int:
        """Each tile is there twice (§4.1)."""
        return 2

    def pack(self) -> list[int]:
        """106 tiles: 1–13 in four colours, twice, and two joly (§4.1)."""
        return cards.pack(self.packs, 2)

    def arranged(self, deck: tuple[int, ...]) -> tuple[int, ...]:
        """The tiles as they are dealt and drawn (§4.2): the piles from the one of eight on, the atu's own last, then the atu."""
        atu = deck[-1]
        k = 1 if atu == JOKER else atu % 13 + 1
        piles = [deck[7 * pile : 7 * pile + 7] for pile in range(15)]
        displaced, *rest = piles[k - 1]
        return (displaced, *(tile for pile in piles[k:] + piles[: k - 1] for tile in pile), *rest, atu)

    def deal_out(self, deck: tuple[int, ...], order: list[int]) -> tuple[list[Hand], tuple[int, ...], int, Any]:
        """15 tiles to the first seat and 14 to each other, two piles a seat; no row yet (§4.2)."""
        hands, drawn = [EMPTY] * self.count, 0
        for seat in order:
            size = MOST_TILES if drawn else MOST_TILES + 1
            hands[seat] = add(EMPTY, deck[drawn : drawn + size])
            drawn += size
        twin = next((seat for seat, hand in enumerate(hands) if hand.copies(deck[-1])), None)
        return hands, (), drawn, Tiles(deck[-1], twin, (0,) * self.count, (False,) * self.count)

    def begin(self, deal: Deal) -> Deal:
        """The exchange of doubles comes before play (§4.3)."""
        return exchange.begin(deal, self.options["exchange"])

    # -- what is refused ------------------------------------------------------------------------

    def take_fault(self, at: Position, n: int) -> str | None:
        """§4.5, §4.6, §4.10, §4.14."""
        seat, tiles, held = at.to_move, at.extra, at.hand.size
        if not tiles.turns[seat]:
            return "first_round"
        if self.options["first_discard_dead"] and n == len(at.row):
            return "dead_discard"
        if seat in tiles.board:
            return "board_player" if n > 1 else None
        if held < 3:
            return "must_draw_stock"
        if n > 1 and (held == 3 or not tiles.opened[seat]):
            return "cannot_break_row"
        hand, card = add(at.hand, at.row[-n:]), at.row[-n]
        if tiles.opened[seat]:
            return None if reach.usable(hand, at.melds, card) else "pickup_unusable"
        return None if opening(hand, self.terms, card) else "pickup_unusable"

    def obliges(self, at: Position, n: int) -> bool:
        """Every take does, but that of a board player (§4.10, §4.14)."""
        return at.to_move not in at.extra.board

    def legal_takes(self, at: Position) -> list[int]:
        """Every n that `take_fault` lets pass."""
        row = at.row[1:] if self.options["first_discard_dead"] else at.row
        seat, tiles, held = at.to_move, at.extra, at.hand.size
        if not row or not tiles.turns[seat] or held < 3:
            return []
        if held > 3 and tiles.opened[seat]:
            return reach.usable_takes(at.hand, row, at.melds)
        return [] if self.take_fault(at, 1) else [1]

    def table_fault(self, at: Position, kind: str) -> str | None:
        """§4.5, §4.8, §4.14; a seat that has not opened lays melds only, and may lay off where the option says so."""
        seat, tiles = at.to_move, at.extra
        if not tiles.turns[seat]:
            return "first_round"
        if seat in tiles.board:
            return "board_player"
        if kind == moves.MELD or tiles.opened[seat]:
            return None
        if kind == moves.LAY_OFF and self.options["lay_off_on_opening_turn"] and self.progress(at).complete:
            return None
        return "not_opened"

    def discard_fault(self, at: Position, card: int) -> str | None:
        """Besides what all games have: an unfinished opening, a joly swapped for, more than 14 tiles."""
        return super().discard_fault(at, card) or self._turn_fault(at)

    def discards(self, at: Position) -> list[Move]:
        """None while the turn is unfinished."""
        return [] if self._turn_fault(at) else super().discards(at)

    def _turn_fault(self, at: Position) -> str | None:
        """Why the turn may not end by any discard, but for a tile taken that is still to be laid."""
        if not at.extra.opened[at.to_move] and self._own(at) and not self.progress(at).complete:
            return "opening_incomplete"
        if at.extra.owed:
            return "must_use_joker"
        return "too_many_tiles" if at.hand.size > MOST_TILES + 1 else None

    def _own(self, at: Position) -> list[Meld]:
        """The melds of the seat on turn: before it has opened, those of this turn."""
        return [meld for meld in at.melds if meld.owner == at.to_move]

    def progress(self, at: Position) -> Opening:
        """How far the seat on turn, which has not opened, is with its opening (§4.8)."""
        terms, own = self.terms, self._own(at)
        points = sum(self.opening_worth(meld) for meld in own)
        kinds = {meld.kind for meld in own}
        complete = points >= terms.points and RUN in kinds and (SET in kinds or not terms.needs_set)
        if terms.ones_open:
            complete = complete or any(meld.kind == SET and meld.positions()[0] == 1 for meld in own)
        return Opening(points, terms.points, SET in kinds, RUN in kinds, terms.needs_set, complete)

    # -- moves of this game ---------------------------------------------------------------------

    def announce_fault(self, at: Position) -> str | None:
        """Why the last tiles may not be announced now (§4.13)."""
        if at.phase != PLAY:
            return "must_draw_first"
        if at.extra.announced or at.to_move in at.extra.low or self.options["announce"] == "auto":
            return "already_announced"
        return "too_many_to_announce" if at.hand.size > ANNOUNCED_TO + 1 else None

    def board_fault(self, at: Position) -> str | None:
        """Why the board game may not be announced now (§4.14)."""
        seat, tiles = at.to_move, at.extra
        if seat in tiles.board:
            return "already_announced"
        if tiles.turns[seat] >= BOARD_TURNS:
            return "too_late_for_board"
        if tiles.opened[seat] or self._own(at):
            return "already_opened"
        return None if at.must_use is None else "must_use_pickup"

    def close_fault(self, at: Position, card: int) -> str | None:
        """Why the board game may not be closed with this tile (§4.14)."""
        if at.phase != PLAY:
            return "must_draw_first"
        if at.to_move not in at.extra.board:
            return "not_board_player"
        rest = remove(at.hand, (card,))
        if rest is None:
            return "not_in_hand"
        return super().discard_fault(at, card) or (None if boards.dearest(rest) else "not_a_board_hand")

    def other_fault(self, at: Position, move: Move) -> str | None:
        """Why an announcement or a board close is refused."""
        if move.kind == moves.ANNOUNCE:
            return self.announce_fault(at)
        return self.board_fault(at) if move.kind == moves.BOARD else self.close_fault(at, move.cards[0])

    def other_legal(self, at: Position) -> list[Move]:
        """`A`, `B` and every `C:` that closes."""
        found = [move for move in moves.ANNOUNCEMENTS if not self.other_fault(at, move)]
        if at.to_move in at.extra.board and at.phase == PLAY:
            closing = [Move(moves.CLOSE_BOARD, 0, (card,)) for card in dict.fromkeys(at.hand.cards())]
            found += [move for move in closing if not self.other_fault(at, move)]
        return found

    def other_move(self, deal: Deal, seat: int, move: Move) -> Deal:
        """The exchange of doubles, the announcements, the board close."""
        if deal.phase == EXCHANGE:
            if move.kind == moves.RESIGN:
                return exchange.resigned(deal, seat)
            return exchange.answer(deal, seat, move, self.options["exchange"])
        if move.kind == moves.EXCHANGE:
            raise RuleError("wrong_phase")
        fault = self.other_fault(deal, move)
        if fault:
            texts = [self.alphabet.texts[card] for card in move.cards]
            raise RuleError(fault, cards=texts, held=deal.hand.size)
        tiles: Tiles = deal.extra
        if move.kind == moves.CLOSE_BOARD:
            card = move.cards[0]
            return discarded(deal, seat, boards.less(deal.hand, card), card).over("board", seat)
        said = tiles._replace(announced=True) if move.kind == moves.ANNOUNCE else tiles._replace(board=tiles.board | {seat})
        return deal._replace(extra=said, prev=deal, last=move)

    # -- what follows ---------------------------------------------------------------------------

    def after_table_move(self, deal: Deal, move: Move, before: Deal) -> Deal:
        """A joly swapped for is owed until one is laid; its points leave whoever had laid it (§4.11, §4.16)."""
        tiles: Tiles = deal.extra
        if move.kind == moves.SWAP:
            meld = before.melds[move.number - 1]
            layer = meld.by[meld.cards.index(move.cards[0] + STANDS)]
            laid = tuple(points - JOLY if seat == layer else points for seat, points in enumerate(deal.laid))
            return deal._replace(laid=laid, extra=tiles._replace(owed=tiles.owed + 1))
        joly = sum(card >= STANDS for card in move.cards)
        return deal._replace(extra=tiles._replace(owed=max(0, tiles.owed - joly))) if joly and tiles.owed else deal

    def after_discard(self, deal: Deal, card: int) -> Deal:
        """A close, or a turn ended: the seat may have opened, or come down to three tiles unannounced (§4.8, §4.12, §4.13)."""
        seat, tiles = deal.to_move, deal.extra
        assert seat is not None
        changes: dict[str, Any] = {"turns": with_item(tiles.turns, seat, tiles.turns[seat] + 1)}
        if not tiles.opened[seat] and self._own(deal):
            changes["opened"] = with_item(tiles.opened, seat, True)
        if seat not in tiles.low and ANNOUNCED_FROM <= deal.hand.size <= ANNOUNCED_TO:
            changes["low"] = tiles.low | {seat}
            if not tiles.announced and self.options["announce"] == "manual":
                changes["forgot"] = tiles.forgot | {seat}
        after = deal._replace(extra=tiles._replace(announced=False, **changes))
        return after if deal.hand.size else after.over("out", seat)

    def unfinished(self, deal: Deal) -> bool:
        """§1.11 (a)."""
        return deal.must_use is not None or self._turn_fault(deal) is not None

    def before_expired_discard(self, deal: Deal) -> Deal:
        """The server announces (§1.11 d)."""
        return deal._replace(extra=deal.extra._replace(announced=True))

    # -- points ---------------------------------------------------------------------------------

    def hand_value(self, card: int) -> int:
        """§4.16: 2–9 five, 10–13 ten, 1 twenty-five, joly fifty."""
        if card >= JOKER:
            return JOLY
        number = card % 13 + 1
        return 25 if number == 1 else 10 if number >= 10 else 5

    def laid_value(self, card: int, kind: str, position: int) -> int:
        """The same, laid or in hand (§4.16)."""
        return self.hand_value(card)

    def opening_worth(self, meld: Meld) -> int:
        """What a meld counts in an opening (§4.8)."""
        return sum(opening_value(meld.kind, position) for position in meld.positions())

    def offer_worth(self, at: Position, meld: Meld) -> int:
        """In an opening its points there, else the final ones."""
        return self.worth(meld) if at.extra.opened[at.to_move] else self.opening_worth(meld)

    def other_worth(self, at: Position, move: Move) -> int:
        """The points of the board game that a move closes."""
        board = boards.dearest(boards.less(at.hand, move.cards[0])) if move.kind == moves.CLOSE_BOARD else None
        return board.points if board else 0

    def breakdown(self, deal: Deal) -> tuple[Score, ...]:
        """By seat, how the points of a deal that is over come about."""
        return tuple([self._score(deal, seat) for seat in range(self.count)])

    def _score(self, deal: Deal, seat: int) -> Score:
        tiles: Tiles = deal.extra
        hand, opened, closer = deal.hands[seat], tiles.opened[seat], deal.out == seat
        not_dealt_to = not opened and not hand.size
        if deal.reason == "spoiled" or not_dealt_to:
            return Score(0, 0, 0, 0, 0, 0, 1, 0)
        board = self._board_game(deal) if closer else None
        doubled = 2 if closer and deal.row[-1] == JOKER else 1
        return Score(
            laid=deal.laid[seat] if opened else 0,
            in_hand=self.in_hand(hand) if opened else 0,
            not_opened=0 if opened or board else NOT_OPENED,
            closed=CLOSED if deal.reason == "out" and closer else 0,
            board=board.points if board else 0,
            twin=TWIN if tiles.twin == seat else 0,
            factor=doubled * (2 if tiles.atu % 13 == 0 or tiles.atu == JOKER else 1),
            forgotten=FORGOTTEN if seat in tiles.forgot else 0,
        )

    def _board_game(self, deal: Deal) -> boards.Board | None:
        """The board game that closed the deal."""
        return boards.dearest(deal.hands[deal.out]) if deal.reason == "board" and deal.out is not None else None

    def scores(self, deal: Deal) -> tuple[int, ...]:
        """§4.16."""
        return tuple([score.total for score in self.breakdown(deal)])

    # -- text -----------------------------------------------------------------------------------

    def public_extra(self, deal: Deal, seat: int | None) -> TilesView:
        """Without the answers and the exchanged tiles of others, and who has the twin."""
        tiles: Tiles = deal.extra
        over, may_offer = deal.phase == OVER, self.options["exchange"]
        asked = seat is not None and seat in exchange.pending(deal)
        unopened = deal.phase == PLAY and deal.to_move is not None and not tiles.opened[deal.to_move]
        return TilesView(
            atu=tiles.atu, turns=tiles.turns, opened=tiles.opened, board=tiles.board, low=tiles.low, forgot=tiles.forgot,
            announced=tiles.announced, owed=tiles.owed,
            dead=self.options["first_discard_dead"] and bool(deal.row),
            twin=tiles.twin if over or tiles.twin == seat else None,
            opening=self.progress(deal) if unopened else None,
            question=exchange.question(deal.hands[seat], may_offer) if seat is not None and asked else None,
            answer=dict(tiles.answers).get(seat) if seat is not None and deal.phase == EXCHANGE else None,
            given=tuple([given for given in tiles.given if over or seat in (given.giver, given.taker)]),
            board_game=self._board_game(deal),
        )  # fmt: skip

    def answers(self, at: View) -> list[Move]:
        """What the viewer may answer before play (§4.3, §4.4)."""
        question = at.extra.question
        return [] if question is None else question.answers

    def record_state(self, deal: Deal) -> dict[str, Any]:
        """The atu, who has opened, and who has still to answer the exchange."""
        tiles: Tiles = deal.extra
        return {"atu": self.alphabet.texts[tiles.atu], "opened": list(tiles.opened), "pending": exchange.pending(deal)}

    def told(self, before: Deal, after: Deal, move: Move) -> dict[str, Any]:
        """That an exchange is over, or who spoiled the deal; an opening, a missing announcement, the board game closed."""
        tiles: Tiles = after.extra
        facts: dict[str, Any] = {}
        if before.phase == EXCHANGE:
            if after.reason == "spoiled":
                facts["by"] = [seat for seat, answer in tiles.answers if answer.answer == moves.SPOIL]
            elif after.phase not in (EXCHANGE, OVER):
                facts["exchanged"] = True
            return facts
        seat = before.to_move
        if seat is not None and tiles.opened != before.extra.opened:
            own = [meld for meld in after.melds if meld.owner == seat]
            facts["opened"] = sum(self.opening_worth(meld) for meld in own)
        if tiles.forgot != before.extra.forgot:
            facts["unannounced"] = True
        board = self._board_game(after)
        if board is not None:
            facts |= {"board": board.name, "points": board.points}
        return facts

    def dump_extra(self, deal: Deal) -> Any:
        """The state of the tiles as JSON data."""
        return dump(deal.extra)

    def load_extra(self, data: Any) -> Any:
        """The way back from `dump_extra`."""
        return load(data)

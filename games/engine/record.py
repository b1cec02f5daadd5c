"""Records of matches, `remi-record/1` (docs/notation.md): reading, replaying, and telling the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from . import moves, rulings
from .deal import Deal, start
from .errors import RuleError
from .match import Match, add_deal, new_match, winner
from .play import apply
from .rules import Rules
from .variants import rules_for

FORMAT = "remi-record/1"


class Replay(NamedTuple):
    """A record played through: each deal as it stands at its end, and the match."""

    deals: tuple[Deal, ...]
    match: Match
    voided: tuple[Deal, ...] = ()
    """Those that a referee has made void, in the order of the record."""


class RecordError(RuleError):
    """A record that breaks a rule: `deal` and `move` say where, counted from 0, or are None. Void deals count on after the
    others.
    """

    def __init__(self, fault: RuleError, deal: int | None, move: int | None) -> None:
        super().__init__(fault.code, **fault.facts)
        self.deal = deal
        self.move = move


def replay(record: Any, tick: Callable[[], object] = lambda: None) -> Replay:
    """Play a record through. Raises RecordError at the first fault.

    `tick` is called before every move: whoever bounds the time raises from it.
    """
    try:
        rules, listed = _read(record)
    except RuleError as fault:
        raise RecordError(fault, None, None) from None
    if rulings.are_in(record):
        return _replay_ruled(record, rules, listed, tick)
    deals: list[Deal] = []
    match = new_match(rules, 0)
    for index, data in enumerate(listed):
        try:
            if deals:
                match = _count(match, deals[-1])
            deal = _begin(rules, match, data)
        except RuleError as fault:
            raise RecordError(fault, index, None) from None
        deals.append(_play(deal, data["moves"], index, tick))
    if deals and deals[-1].scores is not None:
        match = add_deal(match, deals[-1])
    return Replay(tuple(deals), match)


def _replay_ruled(record: Any, rules: Rules, listed: list[Any], tick: Callable[[], object]) -> Replay:
    """`replay` of a record in which a referee has ruled: what was decided when each deal began, it does not tell."""
    try:
        ruled = rulings.read(record, rules.count)
        order = rulings.in_order([*listed, *ruled.voided])
    except RuleError as fault:
        raise RecordError(fault, None, None) from None
    played: dict[int, Deal] = {}
    resigned, before = frozenset[int](), None
    for number, index, data in order:
        try:
            if before is not None and before < len(listed) and played[before].phase != "over":
                raise RuleError("deal_not_over")
            resigned -= ruled.back(number)
            if len(resigned) > rules.count - 2:
                raise RuleError("match_over")
            deal = _begin(rules, new_match(rules, 0)._replace(resigned=resigned), data)
        except RuleError as fault:
            raise RecordError(fault, index, None) from None
        played[index] = deal = _play(deal, data["moves"], index, tick)
        resigned, before = deal.resigned, index
    resigned -= ruled.back(order[-1][0] + 1 if order else 0)
    deals, voided = (tuple(played[index] for index in places) for places in ruled.places(len(listed)))
    totals = ruled.totals([deal.scores for deal in deals])
    over = all(deal.scores is not None for deal in deals)
    won = winner(rules, totals, resigned) if order and over else None
    return Replay(deals, Match(rules, totals, 0, resigned, won, len(deals)), voided)


def _count(match: Match, deal: Deal) -> Match:
    """The match with a deal that another one follows."""
    match = add_deal(match, deal)
    if match.winner is not None:
        raise RuleError("match_over")
    return match


def _read(record: Any) -> tuple[Rules, list[Any]]:
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise RuleError("bad_record", field="format")
    seats, deals = record.get("seats"), record.get("deals")
    if not isinstance(seats, list) or not all(isinstance(name, str) for name in seats):
        raise RuleError("bad_record", field="seats")
    if not isinstance(deals, list):
        raise RuleError("bad_record", field="deals")
    return rules_for(record.get("variant"), len(seats), record.get("options", {})), deals


def _begin(rules: Rules, match: Match, data: Any) -> Deal:
    if not isinstance(data, dict) or not isinstance(data.get("moves"), list):
        raise RuleError("bad_record", field="moves")
    deck = data.get("deck")
    if not isinstance(deck, str) or len(deck) > 1_000:
        raise RuleError("bad_record", field="deck")
    cards = [rules.alphabet.codes.get(text, -1) for text in deck.split(" ")]
    return start(rules, data.get("dealer"), cards, match.resigned)  # type: ignore[arg-type]


def _play(deal: Deal, lines: list[Any], index: int, tick: Callable[[], object]) -> Deal:
    for number, line in enumerate(lines):
        tick()
        try:
            deal = apply_line(deal, line)
        except RuleError as fault:
            raise RecordError(fault, index, number) from None
    return deal


def apply_line(deal: Deal, line: Any) -> Deal:
    """The deal after a move written with its seat in front: `"1 D:QS"`."""
    seat, token = _split(line)
    if seat is None or seat >= deal.rules.count:
        if deal.phase == "over":
            raise RuleError("deal_over")
        raise RuleError("bad_notation", text=str(line)[:80])
    return apply(deal, seat, token)


def _split(line: Any) -> tuple[int | None, str]:
    found = moves.LINE.fullmatch(line) if isinstance(line, str) else None
    return (int(found[1]), found[2]) if found else (None, "")


def state(deal: Deal) -> dict[str, Any]:
    """The whole state of a deal as `replay` prints it, all hands open: for records, never for players."""
    texts = deal.rules.alphabet.texts
    return {
        "phase": deal.phase,
        "to_move": deal.to_move,
        "stock": deal.stock_left,
        "row": [texts[card] for card in deal.row],
        "hands": [sorted(texts[card] for card in hand.cards()) for hand in deal.hands],
        "melds": [
            {
                "id": meld.id,
                "kind": meld.kind,
                "owner": meld.owner,
                "cards": [texts[card] for card in meld.cards],
                "by": list(meld.by),
            }
            for meld in deal.melds
        ],
        "must_use": None if deal.must_use is None else texts[deal.must_use],
        **deal.rules.record_state(deal),
    }


def summary(played: Replay) -> dict[str, Any]:
    """What `replay` prints of a record that keeps the rules."""
    return {
        "ok": True,
        "deals": [
            {
                "over": deal.phase == "over",
                "reason": deal.reason,
                "laid": list(deal.rules.laid_points(deal)),
                "scores": None if deal.scores is None else list(deal.scores),
                "out": deal.out,
            }
            for deal in played.deals
        ],
        "totals": list(played.match.totals),
        "winner": played.match.winner,
        "state": state(played.deals[-1]) if played.deals else None,
    }

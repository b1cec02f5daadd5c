"""What a record proves: its shuffles against the seals told before, its moves and scores against the chain of its log.

A check is true or false, or None where the record holds nothing to check by. See docs/shuffle.md and docs/evidence.md.
"""

from __future__ import annotations

from typing import Any

from . import chain, rulings, shuffle
from .deal import Deal
from .record import Replay, replay
from .rules import Rules

CHECKS = ("deck", "seal", "key", "moves", "scores")
"""Of a deal. deck: it follows from the seed and what was added. seal: it is that of the seed, told once, before the deal.
key: its print was told when the deal began. moves, scores: those of the log.
"""


def verify(record: Any, played: Replay | None = None) -> dict[str, Any]:
    """Play a record through, unless it was already, and check all it holds. Raises RecordError where it breaks a rule."""
    played = played or replay(record)
    log = Log(record.get("log"), played.match.rules.count)
    deals = [_deal(log, place, data, deal) for place, (data, deal) in enumerate(zip(record["deals"], played.deals, strict=True))]
    void = [_void(log, data, deal) for data, deal in zip(record.get("voided") or (), played.voided, strict=True)]
    told = {"rows": len(log.rows), "head": log.head, "chain": log.holds}
    ruled = _ruled(log, record, played)
    holds = all(_needed(deal) for deal in deals) and bool(deals or void) and log.holds is True and ruled is True
    holds = holds and all(_needed(deal, void=True) for deal in void)
    return {
        "ok": holds, "log": told, "deals": deals, "voided": void, "rulings": ruled, "totals": list(played.match.totals),
        "winner": played.match.winner,
    }  # fmt: skip


def _ruled(log: Log, record: Any, played: Replay) -> bool | None:
    """Whether the deals that count, those that are void and the other rulings are those of the log."""
    if not log.rows:
        return None
    told = log.ruled
    numbers = {_number(data, place) for place, data in enumerate(record["deals"])}
    running = {_number(data, place) for place, data in enumerate(record["deals"]) if played.deals[place].scores is None}
    voided = {_number(data, -1) for data in record.get("voided") or ()}
    same = (numbers - running, voided) == (told.counted.keys() - told.voided, told.voided)
    return same and (record.get("rulings") or []) == told.listed


def _number(data: dict[str, Any], place: int) -> int:
    number = data.get("number")
    return number if type(number) is int else place


def _needed(deal: dict[str, Any], *, void: bool = False) -> bool:
    """Whether a deal passes: before there were seals nothing was told of a seed. One that is void may never have been counted."""
    spared = {"seal", "key"} if deal["algorithm"] == shuffle.PLAIN else set()
    spared |= {"scores"} if void else set()
    return all(deal[check] is True or (deal[check] is None and check in spared) for check in CHECKS)


class Log:
    """The log that a record holds: its rows as far as they are whole, and whether they make the chain that ends with its head.

    `holds` is None where there is no log.
    """

    def __init__(self, data: Any, seats: int) -> None:
        self.rows: list[chain.Row] = []
        self.ruled = rulings.told([], seats)
        self._events: dict[tuple[str, int], list[chain.Row]] = {}
        self._moves: dict[int | None, list[str]] = {}
        self.code, self.head, self.holds = "", "", None if data is None else False
        if not isinstance(data, dict) or data.get("algorithm") != chain.ALGORITHM or not isinstance(data.get("rows"), list):
            return
        self.code, self.head = (_ascii(data.get(name)) for name in ("code", "head"))
        read = [_row(row) for row in data["rows"]]
        self.rows = [row for row, _salt in read if row is not None]
        whole = [row.number for row in self.rows] == list(range(len(read)))
        self.holds = whole and bool(read) and self._end([salt for _row, salt in read]) == self.head
        for row in self.rows:
            if row.kind != chain.MOVE and type(row.facts.get("number")) is int:
                self._events.setdefault((row.text, row.facts["number"]), []).append(row)
        self.ruled = rulings.told(self.rows, seats)
        for row in chain.valid_moves(self.rows):
            self._moves.setdefault(row.deal, []).append(f"{row.seat} {row.text}")

    def _end(self, salts: list[str]) -> str | None:
        before = chain.root(self.code)
        try:
            for row, salt in zip(self.rows, salts, strict=True):
                before = chain.link(before, salt, row)
        except (ValueError, RecursionError):  # facts that no log has
            return None
        return before

    def told(self, event: str, number: int) -> list[chain.Row]:
        """The events of that name that tell of a deal."""
        return self._events.get((event, number), [])

    def moves(self, number: int) -> list[str]:
        """The moves of a deal that stand, as lines of a record."""
        return self._moves.get(number, [])


def _ascii(text: Any) -> str:
    return text if isinstance(text, str) and text.isascii() else ""


def _row(data: Any) -> tuple[chain.Row | None, str]:
    """A row and its salt; None where it is none."""
    if not isinstance(data, list) or len(data) not in (8, 9) or not isinstance(data[7], dict):
        return None, ""
    row = chain.Row(*data[:8])
    whole = all(type(number) is int for number in (row.number, row.seat or 0, row.deal or 0))
    whole = whole and all(isinstance(text, str) for text in (row.at, row.kind, row.actor, row.text, *data[8:]))
    if row.text == chain.ROLLED_BACK and row.kind != chain.MOVE:
        whole = whole and type(row.facts.get("to")) is int
    return (row, data[8] if len(data) == 9 else "") if whole else (None, "")


def _deal(log: Log, place: int, data: dict[str, Any], deal: Deal) -> dict[str, Any]:
    """The checks of a deal, and by which algorithm it was shuffled."""
    number = _number(data, place)
    found: dict[str, Any] = {"algorithm": None, **dict.fromkeys(CHECKS)}
    if log.rows:
        found["moves"] = log.moves(number) == data["moves"]
        counted = log.ruled.counted.get(number)
        found["scores"] = counted is not None and deal.scores is not None and counted.facts.get("scores") == list(deal.scores)
    told = data.get("shuffle")
    if told is None:
        return found
    seed, lines = _opened(told, deal.rules)
    found["algorithm"] = algorithm = told.get("algorithm") if isinstance(told, dict) else None
    key = None if seed is None else shuffle.key_of(seed, lines) if algorithm == shuffle.SEALED else seed
    known = algorithm in (shuffle.PLAIN, shuffle.SEALED)
    found["deck"] = known and key is not None and _deck(deal.rules, key) == data["deck"]
    if log.rows and (algorithm != shuffle.PLAIN or log.told("sealed", number)):
        sealed = _sealed(log, number)
        found["seal"] = seed is not None and sealed == [shuffle.seal(seed, shuffle.deal_id(log.code, number))]
        dealt = [(row.facts.get("key"), row.facts.get("added")) for row in log.told("dealt", number)]
        added = [seat for seat, line in enumerate(lines) if line]
        found["key"] = key is not None and dealt == [(shuffle.key_print(key), added)]
    return found


def _void(log: Log, data: dict[str, Any], deal: Deal) -> dict[str, Any]:
    """The same of a deal that is void: its scores are not asked for where it was never counted."""
    found = _deal(log, -1, data, deal)
    if found["scores"] is False and _number(data, -1) not in log.ruled.counted:
        found["scores"] = None
    return found


def _sealed(log: Log, number: int) -> list[Any]:
    """The seals told of a deal; none where the first of them came after its cards."""
    sealed, dealt = log.told("sealed", number), log.told("dealt", number)
    late = bool(sealed) and bool(dealt) and sealed[0].number > dealt[0].number
    return [] if late else [row.facts.get("seal") for row in sealed]


def _opened(told: Any, rules: Rules) -> tuple[bytes | None, list[str | None]]:
    """The seed that a record gives, and what was added to it; None and nothing where they cannot be that."""
    if not isinstance(told, dict):
        return None, []
    lines = told.get("contributions", [])
    if not isinstance(lines, list) or len(lines) > rules.count:
        return None, []
    if not all(line is None or (isinstance(line, str) and len(line) <= 1_000 and line.isprintable()) for line in lines):
        return None, []
    try:
        seed = bytes.fromhex(told.get("seed", ""))
    except (TypeError, ValueError):
        return None, lines
    return (seed if len(seed) == shuffle.SEED_BYTES else None), lines


def _deck(rules: Rules, key: bytes) -> str:
    return shuffle.deck_text(rules, shuffle.shuffled(rules, key))

"""What referees ruled, as a record tells it (docs/notation.md): deals that are void, points adjusted, seats that came back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .chain import MOVE, Row
from .errors import RuleError

VOIDED, ADJUSTED, REOPENED = "voided", "adjusted", "reopened"
MOST_POINTS = 1_000_000
"""Of one adjustment, whoever wrote the record."""


class Ruled(NamedTuple):
    """The rulings of a record."""

    voided: list[Any]
    """The deals that count no more, each as any other deal."""
    listed: list[dict[str, Any]]
    """The others, in order: `ruling`, the number of the deal `before` which it was, `points` by seat or `seats`."""
    seats: int

    def back(self, number: int) -> frozenset[int]:
        """The seats that came into the match again just before a deal."""
        return frozenset(seat for one in self.listed if one["before"] == number for seat in one.get("seats", ()))

    def places(self, deals: int) -> tuple[range, range]:
        """Where the deals that count stand among all, and where those that are void."""
        return range(deals), range(deals, deals + len(self.voided))

    def totals(self, scores: Sequence[Sequence[int] | None]) -> tuple[int, ...]:
        """What the deals that count, and what was adjusted, come to by seat."""
        return self.totals_before(None, [(0, score) for score in scores])

    def totals_before(self, number: int | None, scores: Sequence[tuple[int, Sequence[int] | None]]) -> tuple[int, ...]:
        """The same before a deal, from the scores of the deals that count with their numbers; of all for None."""
        added = [one["points"] for one in self.listed if "points" in one and (number is None or one["before"] <= number)]
        added += [score for deal, score in scores if score is not None and (number is None or deal < number)]
        return tuple(sum(points[seat] for points in added) for seat in range(self.seats))


def are_in(record: Any) -> bool:
    """Whether a record tells of any."""
    return bool(record.get("voided") or record.get("rulings"))


def read(record: Any, seats: int) -> Ruled:
    """The rulings of a record. Raises `bad_record`."""
    voided, listed = record.get("voided") or [], record.get("rulings") or []
    if not isinstance(voided, list):
        raise RuleError("bad_record", field="voided")
    if not isinstance(listed, list) or not all(_is_whole(one, seats) for one in listed):
        raise RuleError("bad_record", field="rulings")
    return Ruled(voided, listed, seats)


def _is_whole(one: Any, seats: int) -> bool:
    if not isinstance(one, dict) or type(one.get("before")) is not int:
        return False
    match one:
        case {"ruling": "adjusted", "points": list() as points} if "seats" not in one:
            return len(points) == seats and all(type(added) is int and abs(added) <= MOST_POINTS for added in points)
        case {"ruling": "reopened", "seats": list() as back} if "points" not in one:
            return all(type(seat) is int and 0 <= seat < seats for seat in back)
    return False


def in_order(deals: Sequence[Any]) -> list[tuple[int, int, Any]]:
    """Deals by their numbers, each with its number and its place in the list. Raises `bad_record`."""
    numbers = [deal.get("number") if isinstance(deal, dict) else None for deal in deals]
    if not all(type(number) is int for number in numbers) or len(set(numbers)) != len(numbers):
        raise RuleError("bad_record", field="number")
    return sorted((deal["number"], index, deal) for index, deal in enumerate(deals))


class Told(NamedTuple):
    """What a log tells of rulings."""

    counted: dict[int, Row]
    """By number of a deal, the row in which it was counted, where that is not undone."""
    voided: set[int]
    listed: list[dict[str, Any]]
    """The other rulings, as a record has them."""


def told(rows: Sequence[Row], seats: int) -> Told:
    """What a whole log tells of rulings."""
    counted, void, listed, dealt = list[tuple[int, Row]](), set[int](), list[dict[str, Any]](), 0
    for row in rows:
        if row.kind == MOVE:
            continue
        number = row.facts.get("number")
        match row.text:
            case "dealt":
                dealt += 1
            case "counted" if type(number) is int:
                counted.append((number, row))
            case "rolled_back":
                while counted and counted[-1][1].number > row.facts["to"]:
                    counted.pop()
            case "voided" if type(number) is int:
                void.add(number)
            case "adjusted":
                listed.append({"ruling": ADJUSTED, "before": dealt, "points": _points(row.facts.get("points"), seats)})
            case "reopened":
                listed.append({"ruling": REOPENED, "before": dealt, "seats": row.facts.get("seats")})
    return Told(dict(counted), void, listed)


def _points(told: Any, seats: int) -> list[Any]:
    return [told.get(str(seat), 0) for seat in range(seats)] if isinstance(told, dict) else []

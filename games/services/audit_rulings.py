"""What a log tells of rulings, for the audit: which deals are void, which points were adjusted, who is in the match again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from games.engine.chain import ROLLED_BACK
from games.services.evidence import LogRow


def _until(events: Iterable[LogRow], deal: int | None) -> Iterator[LogRow]:
    """The events before a deal was dealt; all of them for None."""
    for entry in events:
        if deal is not None and entry.text == "dealt" and entry.facts.get("number") == deal:
            return
        yield entry


def voided(events: Iterable[LogRow], *, before: int | None = None) -> set[int]:
    """The numbers of the deals that are void: by now, or by the time when deal `before` was dealt."""
    return {entry.facts["number"] for entry in _until(events, before) if entry.text == "voided" and "number" in entry.facts}


def reopened(events: Iterable[LogRow], deal: int) -> set[int]:
    """The seats that were let into the match again just before deal `deal` was dealt, or would be."""
    found: set[int] = set()
    for entry in _until(events, deal):
        if entry.text == "dealt":
            found = set()
        elif entry.text == "reopened":
            found |= set(entry.facts.get("seats", ()))
    return found


def totals(
    seats: int, events: Sequence[LogRow], scores: Mapping[int, Sequence[int]], *, before: int | None = None
) -> list[int]:  # fmt: skip
    """The points of the seats, by these scores of the counted deals: as they are, or were when deal `before` was dealt."""
    void = voided(events, before=before)
    added = [entry.facts.get("points", {}) for entry in _until(events, before) if entry.text == "adjusted"]
    counting = [score for number, score in scores.items() if number not in void]
    return [sum(score[seat] for score in counting) + sum(points.get(str(seat), 0) for points in added) for seat in range(seats)]


def countings(events: Sequence[LogRow], deal: int) -> list[LogRow]:
    """The rows in which a deal was counted, but for those undone since by a referee who went back into it."""
    found: list[LogRow] = []
    for entry in events:
        if entry.text == "counted" and entry.facts.get("number") == deal:
            found.append(entry)
        elif entry.text == ROLLED_BACK:
            found = [counted for counted in found if counted.number <= entry.facts.get("to", -1)]
    return found

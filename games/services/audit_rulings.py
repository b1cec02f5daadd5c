"""What a log tells of rulings, for the audit: which deals are void, which points were adjusted, who is in the match again; and
whether the disputes of a table, their steps and rulings say the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from games.engine.chain import ROLLED_BACK
from games.models import Dispute, Entry, Game, Ruling, Step
from games.services.evidence import LogRow, kept


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


# -- the rows of the disputes -----------------------------------------------------------------------

Kind, State = Step.Kind, Dispute.State
EFFECT = {"void": "voided", "back": ROLLED_BACK, "points": "adjusted", "remove": "R", "reopen": "reopened"}
"""By the kind of a ruling the text of the row in which it was carried out."""
SAME = {"void": {"deal": "number"}, "back": {"to": "to", "drawn": "drawn"}, "points": {"points": "points"}}
"""What a ruling and that row both say, under the names that it has in each."""


def differences(game: Game, entries: Sequence[LogRow]) -> list[str]:
    """Where the disputes of a table, their steps and rulings differ from its whole log, or among themselves. Words are in no
    log, and looks are in none that players read: of those only that they are rows which nobody changes.
    """
    disputes = list(game.disputes.order_by("pk").prefetch_related("steps", "rulings"))
    found = [] if game.disputed == any(case.unsettled for case in disputes) else [MARKED]
    rulings = [ruling for case in disputes for ruling in case.rulings.all()]
    told = sorted((row.number, row.facts.get("case"), row.facts.get("ruling")) for row in entries if _is_event(row, "ruled"))
    if told != sorted((ruling.entry, ruling.dispute_id, str(ruling.kind)) for ruling in rulings):
        found.append("the rulings are not those of the log")
    else:
        found += [f"ruling {ruling.pk}: the log tells of another" for ruling in rulings if not _carried_out(ruling, entries)]
    for case in disputes:
        stopped = [(kept(step.at), step.kind, step.facts.get("until")) for step in case.steps.all() if step.kind in STOPS]
        if stopped != [(row.at, row.text, row.facts.get("until")) for row in entries if _stops(row, case.pk)]:
            found.append(f"case {case.pk}: its clock was not frozen as the log tells")
        made = [(ruling.pk, str(ruling.kind), ruling.referee_id) for ruling in case.rulings.all()]
        if made != [(step.facts.get("ruling"), step.facts.get("kind"), step.user_id) for step in _steps(case, Kind.RULED)]:
            found.append(f"case {case.pk}: its steps tell of other rulings")
        if (str(case.state), case.referee_id) != _stands(case):
            found.append(f"case {case.pk}: by its steps it stands elsewhere")
    return found


MARKED = "it is marked as disputed, and is not, or the other way round"
STOPS = (Kind.FROZEN, Kind.THAWED)


def _is_event(row: LogRow, text: str) -> bool:
    return row.kind == Entry.Kind.EVENT and row.text == text


def _stops(row: LogRow, case: int) -> bool:
    return row.kind == Entry.Kind.EVENT and row.text in STOPS and row.facts.get("case") == case


def _steps(case: Dispute, kind: Step.Kind) -> list[Step]:
    return [step for step in case.steps.all() if step.kind == kind]


def _carried_out(ruling: Ruling, entries: Sequence[LogRow]) -> bool:
    """Whether the log tells, before the row of a ruling, that just this was done, and at that time."""
    if kept(ruling.at) != entries[ruling.entry].at:
        return False
    text = EFFECT.get(ruling.kind)
    done = [row for row in entries[: ruling.entry] if row.text == text and row.actor == Entry.Actor.REFEREE]
    if text is None or not done:
        return text is None
    last, facts = done[-1], ruling.facts
    if ruling.kind == Ruling.Kind.REMOVE:
        return last.seat == facts.get("seat")
    same: dict[str, Any] = SAME.get(ruling.kind, {})
    return last.facts.get("case") == ruling.dispute_id and all(
        facts.get(one) == last.facts.get(other) for one, other in same.items()
    )


def _stands(case: Dispute) -> tuple[str, int | None]:
    """The state of a case by its steps, and who looks into it."""
    state, referee, appealed = State.OPEN, None, False
    for step in case.steps.all():
        match step.kind:
            case Kind.CLAIMED:
                state, referee = State.RECLAIMED if appealed else State.CLAIMED, step.user_id
            case Kind.RELEASED:
                state, referee = State.APPEALED if appealed else State.OPEN, None
            case Kind.RULED:
                state, referee = State.CLOSED if appealed else State.RULED, None
            case Kind.APPEALED:
                state, referee, appealed = State.APPEALED, None, True
            case Kind.WITHDRAWN:
                state, referee = State.CLOSED if appealed else State.WITHDRAWN, None
    return str(state), referee

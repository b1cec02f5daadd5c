"""A deal of a case, as a referee who has looked at it sees it: all hands, step by step, up to the row that the look was at."""

from __future__ import annotations

from typing import NamedTuple

from accounts.models import User
from games import selectors
from games.engine.moves import EXCHANGE
from games.models import Entry
from games.presenters.names import formers, names_at, seat_names
from games.presenters.replay import Frame, Source
from games.presenters.steps import Made
from games.selectors.cases import Case


class Seen(NamedTuple):
    """The deal, and what of it the referee has looked at."""

    found: selectors.Replayed
    moves: list[Entry]
    """Those that may be shown with all hands open: all of a deal that is over, else those before the last look."""
    looked: bool
    more: bool
    """Whether it has gone on since."""
    steps: dict[int, int]
    """By the number of the row of a move that stands, its step in the replay."""


def seen(case: Case, number: int, referee: User) -> Seen:
    """What this referee may see of a deal, in this case. Raises NoSuchTable where there is no such deal."""
    found = selectors.replayed(game=case.game, number=number)
    upto = case.looked(referee, number)
    over = bool(found.row.reason) or found.row.closed
    moves = found.moves if over else [move for move in found.moves if upto is not None and move.number <= upto]
    looked = upto is not None
    return Seen(found, moves if looked else [], looked, looked and len(moves) < len(found.moves), steps_by_row(found.moves))


def steps_by_row(moves: list[Entry]) -> dict[int, int]:
    """By the number of a move's row its step: the answers to the exchange of doubles are one."""
    found, step, before = {}, 0, ""
    for move in moves:
        kind = move.text[:1]
        step += kind != EXCHANGE or before != EXCHANGE
        found[move.number], before = step, kind
    return found


def source(case: Case, number: int, shown: Seen, frame: Frame) -> Source:
    """The deal with all hands open, for a referee who has looked at it."""
    former, names = formers(case.tenures), seat_names(case.seats)
    last = shown.moves[-1].number if shown.moves else case.game.log_length
    before = [
        scores
        for place, scores in selectors.cases.scores_by_deal(game=case.game).items()
        if place < number and (place, True, False) in case.deals
    ]
    made = [
        Made(move.seat or 0, move.text, move.at, move.actor, _other_name(move, names, names_at(move.number, names, former)))
        for move in shown.moves
    ]
    return Source(
        frame=frame,
        start=shown.found.start,
        moves=made,
        names=names_at(last, names, former),
        totals=[sum(scores[seat] for scores in before) for seat in range(case.game.seat_count)],
        computers=frozenset(seat.index for seat in case.seats if seat.bot),
        case=True,
        void=shown.found.row.voided,
    )


def _other_name(move: Entry, names: list[str], then: list[str]) -> str:
    seat = move.seat or 0
    return "" if then[seat] == names[seat] else then[seat]

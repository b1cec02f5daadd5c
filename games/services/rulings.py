"""What referees do about a dispute: take it up, ask, look at all hands, freeze the clock, and rule (docs/disputes.md).

Each wants the permission, and that the person neither sat at the table nor plays in its league, superusers too; all but
`claim` that they have taken the case up. What a ruling does to the match is in `history`, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from accounts.models import User
from games import signals
from games.models import VERDICT_LENGTH, Dispute, Entry, Game, Ruling, Step
from games.services import case_news, freezing, history
from games.services.cases import WRITTEN, cleaned, locked, mark, move_to, step
from games.services.disputes import put_back, thaw_for
from games.services.errors import ServiceError
from games.services.judging import may_judge, why_not
from games.services.store import Table, call_server, entry_for, load

LEFT_AFTER = timedelta(days=7)
"""A case in which its referee does nothing for so long may be taken up by another."""
State, Kind = Dispute.State, Ruling.Kind
WAITING = (State.OPEN, State.APPEALED)
WANTED = {
    Kind.DISMISS: set(), Kind.VOID: {"deal"}, Kind.BACK: {"entry"}, Kind.POINTS: {"points"}, Kind.REMOVE: {"seat"},
    Kind.REOPEN: set(),
}  # fmt: skip
"""What a ruling of each kind must say beside the reason."""


def is_left(dispute: Dispute, *, now: datetime) -> bool:
    """Whether the referee of a case may not judge it any more, or has done nothing in it for long: another may take it up."""
    held = dispute.referee
    if held is None:
        return False
    if not may_judge(dispute.game, held):
        return True
    last = dispute.steps.filter(user=held).order_by("-pk").values_list("at", flat=True).first()
    return last is None or now - last > LEFT_AFTER


def _must_judge(game: Game, user: User) -> None:
    if code := why_not(game, user):
        raise ServiceError(code)


def _mine(case: int, user: User) -> tuple[Game, Dispute]:
    """A case that the referee has taken up, locked."""
    game, dispute = locked(case)
    _must_judge(game, user)
    if dispute.referee_id != user.pk:
        raise ServiceError("not_your_case")
    return game, dispute


# -- taking up, asking, looking ---------------------------------------------------------------------


@transaction.atomic
def claim(*, case: int, user: User, now: datetime) -> Step | None:
    """Take a case up, from the queue or from a referee who has left it (`is_left`); None where it is the referee's already.

    Raises NoSuchTable, or ServiceError `not_a_referee`, `partial`, `partial_league`, `settled`, `claimed_already`, or
    `ruled_before`: an appeal is for another.
    """
    game, dispute = locked(case)
    _must_judge(game, user)
    if dispute.referee_id == user.pk:
        return None
    if not dispute.unsettled:
        raise ServiceError("settled")
    if dispute.state not in WAITING and not is_left(dispute, now=now):
        raise ServiceError("claimed_already")
    if dispute.rulings.filter(referee=user).exists():
        raise ServiceError("ruled_before")
    if dispute.state not in WAITING:
        put_back(dispute, None, now=now)
    move_to(dispute, State.RECLAIMED if dispute.state == State.APPEALED else State.CLAIMED, user)
    return step(dispute, Step.Kind.CLAIMED, user=user, now=now)


@transaction.atomic
def release(*, case: int, user: User, now: datetime) -> Step:
    """Give a case back to the queue. A frozen clock stays so until its limit. Who may not judge it any more does that still.

    Raises NoSuchTable, or ServiceError `not_your_case`.
    """
    _game, dispute = locked(case)
    if dispute.referee_id != user.pk:
        raise ServiceError(why_not(dispute.game, user) or "not_your_case")
    return put_back(dispute, user, now=now)


@transaction.atomic
def ask(*, case: int, user: User, words: str, now: datetime) -> Step:
    """Ask the players something. Raises as `claim`, and `not_your_case`, `words_missing`, `words_long`."""
    game, dispute = _mine(case, user)
    made = step(dispute, Step.Kind.ASKED, user=user, words=cleaned(words), now=now)
    case_news.tell(game, made, now=now)
    return made


@transaction.atomic
def look(*, case: int, user: User, deal: int, now: datetime) -> Step:
    """Note that the referee sees all hands of a deal up to the last row of the log now: `facts` {"deal", "upto"}.

    The players are told once the deal is over. Raises as `claim`, and `not_your_case`, `no_such_deal`.
    """
    game, dispute = _mine(case, user)
    row = game.deals.filter(number=deal).first() if deal >= 0 else None
    if row is None:
        raise ServiceError("no_such_deal")
    made = step(dispute, Step.Kind.LOOKED, user=user, now=now, facts={"deal": deal, "upto": game.log_length - 1})
    if row.closed:
        case_news.tell_of_look(game, made, now=now)
    return made


# -- the clock --------------------------------------------------------------------------------------


@transaction.atomic
def freeze(*, case: int, user: User, span: timedelta, now: datetime) -> Step:
    """Stop the clock of the table: at most for `freezing.LONGEST` at once, and FROZEN_IN_ALL for one case.

    Raises as `claim`, and `not_your_case`, `not_running`, `frozen`, `bad_freeze`, `frozen_enough`.
    """
    game, dispute = _mine(case, user)
    made = freezing.begin(game, dispute, span, user, now=now)
    game.save(update_fields=WRITTEN)
    case_news.tell(game, made, now=now, until=made.facts["until"])
    return made


@transaction.atomic
def thaw(*, case: int, user: User, now: datetime) -> None:
    """Let the clock that stands for this case go on. Raises as `claim`, and `not_your_case`, `not_frozen`."""
    game, dispute = _mine(case, user)
    held = freezing.frozen_for(game)
    if held is None or held[0] != dispute.pk:
        raise ServiceError("not_frozen")
    thaw_for(game, dispute, now=now, by=user)
    game.save(update_fields=WRITTEN)
    call_server(game)


# -- ruling -----------------------------------------------------------------------------------------


@transaction.atomic
def rule(
    *, case: int, user: User, kind: str, reason: str, now: datetime, deal: int | None = None, entry: int | None = None,
    seat: int | None = None, points: Mapping[int, int] | int | None = None,
) -> Ruling:  # fmt: skip
    """Rule on a case, and carry it out: `deal` is voided, the match goes back to before the move of row `entry`, `points` by
    seat (or of `seat`) are added, the player of `seat` is removed, a finished match taken up again.

    On appeal, to dismiss leaves the first ruling as it stands. Raises as `claim`, and `not_your_case`, `bad_ruling`,
    `bad_points`, `words_missing`, `words_long`, or what `history` refuses.
    """
    game, dispute = _mine(case, user)
    if kind not in Kind.values:
        raise ServiceError("bad_ruling")
    if isinstance(points, int):
        points = {} if seat is None else {seat: points}
    given = {"deal": deal, "entry": entry, "seat": seat, "points": points}
    facts = _checked(game, Kind(kind), given)
    why = cleaned(reason, VERDICT_LENGTH)
    table = load(game)
    before = _counted(game, Kind(kind), facts)
    _carry_out(table, Kind(kind), facts, case=dispute.pk, now=now)
    row = entry_for(
        game, text="ruled", actor=Entry.Actor.REFEREE, deal=facts.get("deal"), facts={"ruling": kind, "case": dispute.pk}, now=now
    )  # fmt: skip
    row.save(force_insert=True)
    ruling = Ruling.objects.create(
        dispute=dispute, appeal=dispute.state == State.RECLAIMED, kind=kind, referee=user, at=now, reason=why,
        facts=_told(game, Kind(kind), facts, before), entry=row.number,
    )  # fmt: skip
    _tell_leagues(table, ruling, facts, voided=before, now=now)  # first: what is settled then may be final
    _settle(game, dispute, ruling, now)
    call_server(game)
    return ruling


def _checked(game: Game, kind: Ruling.Kind, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a ruling of this kind is about, in figures that there are at the table."""
    facts = {name: given[name] for name in WANTED[kind]}
    if any(value is None for value in facts.values()):
        raise ServiceError("bad_ruling")
    seats = range(game.seat_count)
    if kind == Kind.VOID and not (facts["deal"] >= 0 and game.deals.filter(number=facts["deal"]).exists()):
        raise ServiceError("no_such_deal")
    if kind == Kind.BACK:
        move = game.entries.filter(number=facts["entry"], kind=Entry.Kind.MOVE).first() if facts["entry"] >= 0 else None
        if move is None:
            raise ServiceError("no_such_move")
        facts["deal"] = move.deal
    if kind == Kind.REMOVE and game.seats.filter(index=facts["seat"], resigned=True).exists():
        raise ServiceError("out_already")
    if kind == Kind.POINTS:
        facts["points"] = _adjustment(facts["points"], seats)
    return facts


def _adjustment(points: Mapping[int, int], seats: range) -> dict[int, int]:
    """Points by seat, those of none left out."""
    found = {seat: more for seat, more in sorted(points.items()) if more}
    if not found or any(seat not in seats or abs(more) > history.MOST_POINTS for seat, more in found.items()):
        raise ServiceError("bad_points")
    return found


def _counted(game: Game, kind: Ruling.Kind, facts: Mapping[str, Any]) -> list[int]:
    """The number of the deal whose points a ruling will take away."""
    if kind not in (Kind.VOID, Kind.BACK):
        return []
    return list(game.deals.filter(number=facts["deal"], scored=True, voided=False).values_list("number", flat=True))


def _carry_out(table: Table, kind: Ruling.Kind, facts: Mapping[str, Any], *, case: int, now: datetime) -> None:
    match kind:
        case Kind.VOID:
            history.void(table, facts["deal"], case=case, now=now)
        case Kind.BACK:
            history.go_back(table, facts["entry"], case=case, now=now)
        case Kind.POINTS:
            history.adjust(table, facts["points"], case=case, now=now)
        case Kind.REMOVE:
            history.remove(table, facts["seat"], case=case, now=now)
        case Kind.REOPEN:
            history.reopen(table, case=case, now=now)


def _told(game: Game, kind: Ruling.Kind, facts: Mapping[str, Any], counted: list[int]) -> dict[str, Any]:
    """What the ruling keeps in figures; of going back also up to where, how many cards were drawn that go back, and whether the
    deal had been counted, so that all of its cards were open to everybody.
    """
    found = {name: value for name, value in facts.items() if name != "points"}
    if kind == Kind.POINTS:
        found["points"] = {str(seat): more for seat, more in facts["points"].items()}
    if kind == Kind.BACK:
        undone = game.entries.filter(text="rolled_back").order_by("-number").first()
        found |= {name: undone.facts.get(name) for name in ("to", "drawn")} if undone is not None else {}
        found |= {"open": True} if counted else {}
    return found


def _settle(game: Game, dispute: Dispute, ruling: Ruling, now: datetime) -> None:
    """The case is ruled on: its step, its state, the clock that stood for it, and who is told."""
    made = step(dispute, Step.Kind.RULED, user=ruling.referee, now=now, facts={"ruling": ruling.pk, "kind": ruling.kind})
    move_to(dispute, State.CLOSED if ruling.appeal else State.RULED)
    thaw_for(game, dispute, now=now, by=ruling.referee)
    mark(game, now=now)
    game.save(update_fields=WRITTEN)
    case_news.ruled(game, made, ruling, now=now)
    if ruling.kind == Kind.VOID:
        case_news.looked(game, ruling.facts["deal"], now=now)


def _tell_leagues(table: Table, ruling: Ruling, facts: Mapping[str, Any], *, voided: list[int], now: datetime) -> None:
    holders = {seat.index: seat.user_id for seat in table.seats}
    points = {holders[seat]: more for seat, more in facts.get("points", {}).items() if holders[seat] is not None}
    signals.ruled.send(
        Game, game=table.game, ruling=ruling, referee=ruling.referee, reason=ruling.reason, voided=voided, points=points, now=now
    )

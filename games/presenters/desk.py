"""A case as a referee reads it: what is claimed and answered, and what may be done about it now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from accounts.models import User
from accounts.people.times import how_long, moment
from games.gamenames import game_name, with_tiles
from games.messages import Refusal
from games.models import Dispute, Entry, Game, Ruling, Step
from games.presenters.desk_checks import Check
from games.presenters.desk_history import History
from games.presenters.desk_log import LogLine, log_lines
from games.presenters.desk_position import Seen
from games.presenters.names import formers, player_name, seat_names, table_name
from games.presenters.replay import ReplayPage
from games.selectors import cases
from games.selectors.cases import Case
from games.services.rulings import is_left

QUESTIONS = {
    Dispute.Kind.RULE: gettext_lazy("Was a rule or a score wrong?"),
    Dispute.Kind.STALLING: gettext_lazy("Does somebody stall?"),
    Dispute.Kind.COLLUSION: gettext_lazy("Do players help each other?"),
    Dispute.Kind.ABUSE: gettext_lazy("Was somebody abused in the chat?"),
    Dispute.Kind.MISTAKE: gettext_lazy("May a mistake be taken back?"),
    Dispute.Kind.OTHER: gettext_lazy("Something else"),
}
SAID = {
    Step.Kind.OPENED: pgettext_lazy("in a case", "claims"),
    Step.Kind.ANSWERED: pgettext_lazy("in a case", "answers"),
    Step.Kind.ASKED: pgettext_lazy("in a case", "asks"),
    Step.Kind.APPEALED: pgettext_lazy("in a case", "appeals"),
    Step.Kind.RULED: pgettext_lazy("in a case", "rules"),
}

ROWS_AFTER, ROWS_BEFORE = 6, 12
"""Of the log, around the step that is looked at."""


class Voice(NamedTuple):
    """Something that was said or done in a case."""

    who: str
    does: str
    when: str
    words: str
    """Of what was said; empty of what was only done."""


@dataclass(kw_only=True)
class DeskPage:
    """The page of a case."""

    case: Case
    dispute: Dispute
    game: Game
    title: str
    where: str
    about: str
    clock: str
    age: str
    place: tuple[int, int] | None
    voices: list[Voice]
    partial: Refusal | None
    """Why the reader may not judge it, and reads nothing of it."""
    mine: bool
    may_claim: bool
    number: int
    """The deal looked at, counted from 0."""
    deals: list[int]
    at: int | None = None
    """The step looked at."""
    lines: list[LogLine] = field(default_factory=list)
    more_lines: bool = False
    """Whether the log of the deal has more."""
    seen: Seen | None = None
    position: ReplayPage | None = None
    broken: bool = False
    """Whether the deal cannot be replayed: its log was tampered with."""
    checks: list[Check] = field(default_factory=list)
    pairs: Sequence[User] = ()
    history: History | None = None
    form: Any = None

    @property
    def signed(self) -> str:
        """The names of those whom a ruling is told."""
        return ", ".join(user.username for user in self.case.concerned)

    @property
    def tiles(self) -> bool:
        """Whether it is a table of tiles."""
        return with_tiles(self.game.variant)

    @property
    def frozen_here(self) -> bool:
        """Whether the clock of the table stands by a referee's word."""
        return self.game.frozen_until is not None


def desk_page(
    case: Case, *, user: User, partial: Refusal | None, number: int, at: int | None, seen: Seen, whole: bool, now: datetime
) -> DeskPage:  # fmt: skip
    """The page without what is only for the referee of the case; the `whole` log of the deal, or what is about the step."""
    dispute, game = case.dispute, case.game
    waits = dispute.state in (Dispute.State.OPEN, Dispute.State.APPEALED)
    left = dispute.referee_id != user.pk and is_left(dispute, now=now)
    ruled = any(ruling.referee_id == user.pk for ruling in case.rulings)
    page = DeskPage(
        case=case,
        dispute=dispute,
        game=game,
        title=str(QUESTIONS[Dispute.Kind(dispute.kind)]),
        where=_where(case),
        about=_about(case, seen),
        clock=_clock(game),
        age=age_of(dispute, now),
        place=cases.place_in_queue(dispute) if dispute.unsettled else None,
        voices=[] if partial else _voices(case),
        partial=partial,
        mine=partial is None and dispute.referee_id == user.pk,
        may_claim=partial is None and (waits or left) and not ruled,
        number=number,
        deals=[place for place, _scored, _voided in case.deals],
        at=at,
        seen=seen,
    )
    if page.at is None and dispute.move is not None and dispute.deal == number:
        page.at = seen.steps.get(dispute.move)
    if partial is None:
        rows = cases.rows_of_deal(game=game, number=number)
        near = rows if whole else _about_step(rows, seen.steps, page.at)
        page.more_lines = len(near) < len(rows)
        page.lines = log_lines(
            near, steps=seen.steps, at=page.at, names=seat_names(case.seats),
            former=formers(case.tenures), computers=[seat.index for seat in case.seats if seat.bot],
            tiles=page.tiles, now=now,
        )  # fmt: skip
    return page


def _about_step(rows: list[Entry], steps: dict[int, int], at: int | None) -> list[Entry]:
    """Of the rows of a deal, newest first, some after a step and more before it; the latest where none is looked at."""
    place = next((place for place, row in enumerate(rows) if at is not None and steps.get(row.number) == at), 0)
    return rows[max(place - ROWS_AFTER, 0) : place + ROWS_BEFORE]


def _where(case: Case) -> str:
    words = [table_name(case.game), game_name(case.game.variant)]
    if case.dispute.deal is not None:
        words.append(_("deal %(number)s") % {"number": case.dispute.deal + 1})
    return " · ".join(dict.fromkeys(words))


def _about(case: Case, seen: Seen) -> str:
    dispute = case.dispute
    facts = {"name": player_name(dispute.opener), "when": moment(dispute.opened_at), "deal": (dispute.deal or 0) + 1}
    step = None if dispute.move is None or seen.found.row.number != dispute.deal else seen.steps.get(dispute.move)
    if step is not None:
        return _("Opened by %(name)s, %(when)s, about move %(move)s of deal %(deal)s.") % {**facts, "move": step}
    if dispute.deal is not None:
        return _("Opened by %(name)s, %(when)s, about deal %(deal)s.") % facts
    return _("Opened by %(name)s, %(when)s, about the match.") % facts


def _clock(game: Game) -> str:
    if game.frozen_until is not None:
        return _("The clock is frozen until %(when)s.") % {"when": moment(game.frozen_until)}
    if game.status == Game.Status.FINISHED:
        return _("The match is over.")
    return _("The match is paused.") if game.paused_at is not None else _("The match goes on.")


# -- claim and answers ------------------------------------------------------------------------------


def _voices(case: Case) -> list[Voice]:
    """What was said and done, oldest first."""
    rulings = {ruling.pk: ruling for ruling in case.rulings}
    return [_voice(step, case, rulings.get(step.facts.get("ruling"))) for step in case.steps]


def _voice(step: Step, case: Case, ruling: Ruling | None) -> Voice:
    who = _("Server") if step.user is None else player_name(step.user)
    words, does = step.words, str(SAID.get(Step.Kind(step.kind), step.get_kind_display()))
    if step.kind == Step.Kind.OPENED:
        words = case.dispute.words
    elif step.kind == Step.Kind.RULED and ruling is not None:
        words, does = ruling.reason, pgettext("in a case", "rules: %(ruling)s") % {"ruling": ruling.get_kind_display()}
    elif step.kind == Step.Kind.LOOKED:
        does = pgettext("in a case", "looked at all hands of deal %(number)s") % {"number": step.facts["deal"] + 1}
    elif step.kind == Step.Kind.FROZEN:
        until = parse_datetime(str(step.facts.get("until", "")))
        does = pgettext("in a case", "froze the clock until %(when)s") % {"when": "" if until is None else moment(until)}
    return Voice(who, does, moment(step.at), words)


def age_of(dispute: Dispute, now: datetime) -> str:
    """For how long a dispute has been open."""
    return how_long(max(now - dispute.opened_at, timedelta(seconds=1)))


def longest_freeze(dispute: Dispute, in_all: timedelta, at_once: timedelta) -> int:
    """How many hours more the clock may be frozen now."""
    left = in_all - (dispute.frozen_for or timedelta(0))
    return max(0, int(min(left, at_once).total_seconds() // 3600))

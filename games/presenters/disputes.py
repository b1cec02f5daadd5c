"""Disputes as the players of a table read them: the list, one case with all that happened in it, and the public figures."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.models import User
from accounts.people.times import moment
from games.gamenames import with_tiles
from games.models import Dispute, Entry, Game, Ruling, Step
from games.presenters import log
from games.presenters.names import formers, names_at, player_name, seat_names, table_name
from games.presenters.terms import game_in_words
from games.presenters.times import short_month
from games.selectors import disputes as cases
from games.selectors import substitutions
from games.services.disputes import APPEAL_FOR, AT_FIRST, OPEN_FOR, may_be_appealed, whose
from games.templatetags.cards import change

MID_MONTH = timedelta(days=14)
"""From the first instant of a month in UTC: in every zone the same month."""


class Case(NamedTuple):
    """A dispute in a list."""

    number: int
    kind: str
    by: str
    """Who opened it."""
    opened: str
    state: str
    unsettled: bool
    ruled: str
    """What was ruled last, in a few words."""


class Told(NamedTuple):
    """The move that a dispute is about."""

    name: str
    words: SafeString
    when: str
    url: str
    """Of the replay at this move."""


class Voice(NamedTuple):
    """What somebody said or did."""

    who: str
    did: str
    at: datetime
    when: str
    words: str
    gone: bool
    """Whether there were words, which went with the account."""


class Verdict(NamedTuple):
    """A ruling, and what it did."""

    ruling: str
    on_appeal: bool
    effects: list[str]
    move: Told | None
    """The move that the match went back to."""
    reason: str
    by: str
    when: str


@dataclass(frozen=True)
class CasePage:
    """A dispute, for a player of its table."""

    game: Game
    name: str
    words: str
    dispute: Dispute
    kind: str
    by: str
    opened: str
    about: str
    move: Told | None
    state: str
    frozen: str
    """Until when the clock stands for it; empty where it does not."""
    verdicts: list[Verdict]
    voices: list[Voice]
    may_answer: bool
    may_withdraw: bool
    on_appeal: bool
    appeal_until: str
    """Until when it may be appealed; empty where it may not."""


def case_page(*, dispute: Dispute, user: User, now: datetime) -> CasePage:
    """A dispute with all that its players may know of it."""
    game = dispute.game
    seats = list(game.seats.select_related("user"))
    ruling = may_be_appealed(dispute)
    late = ruling is None or now > ruling.at + APPEAL_FOR
    held = cases.frozen(game=game)
    return CasePage(
        game=game,
        name=table_name(game),
        words=game_in_words(game),
        dispute=dispute,
        kind=str(dispute.get_kind_display()),
        by=player_name(dispute.opener),
        opened=moment(dispute.opened_at),
        about="" if dispute.deal is None else _("deal %(number)d") % {"number": dispute.deal + 1},
        move=told_move(game=game, number=dispute.move, user=user),
        state=str(dispute.get_state_display()),
        frozen=moment(game.frozen_until) if held == dispute.pk and game.frozen_until is not None else "",
        verdicts=[_verdict(each, seat_names(seats), user) for each in cases.rulings(dispute=dispute)],
        voices=[_voice(step, dispute) for step in cases.steps(dispute=dispute)],
        may_answer=dispute.unsettled,
        may_withdraw=dispute.unsettled and whose(dispute) == user.pk,
        on_appeal=dispute.state in (Dispute.State.APPEALED, Dispute.State.RECLAIMED),
        appeal_until="" if ruling is None or late else moment(ruling.at + APPEAL_FOR),
    )


def told_move(*, game: Game, number: int | None, user: User) -> Told | None:
    """A move as the log has it, by the number of its row."""
    entry = game.entries.filter(number=number, kind=Entry.Kind.MOVE).first() if number is not None else None
    if entry is None:
        return None
    seats = list(game.seats.select_related("user"))
    me = next((seat.index for seat in seats if seat.user_id == user.pk), None)
    names = names_at(entry.number, seat_names(seats), formers(substitutions(game=game, seats=seats)))
    words = log.move_words(entry, names, me, tiles=with_tiles(game.variant))
    url = reverse("games:replay", args=[game.code, entry.deal]) + f"?entry={entry.hash[:16]}"
    return Told(log.subject(names[entry.seat]) if entry.seat is not None else "", words, moment(entry.at), url)


def _voice(step: Step, dispute: Dispute) -> Voice:
    words = dispute.words if step.kind == Step.Kind.OPENED else step.words
    spoken = step.kind in (Step.Kind.OPENED, Step.Kind.ANSWERED, Step.Kind.ASKED, Step.Kind.APPEALED)
    who = _("Server") if step.user is None else player_name(step.user)
    return Voice(who, _did(step), step.at, moment(step.at), words, spoken and not words)


def _did(step: Step) -> str:
    """What somebody did, after the name."""
    match step.kind:
        case Step.Kind.OPENED:
            return pgettext("in a dispute", "claims")
        case Step.Kind.ANSWERED:
            return pgettext("in a dispute", "answers")
        case Step.Kind.ASKED:
            return pgettext("in a dispute", "asks, as referee")
        case Step.Kind.CLAIMED:
            return pgettext("in a dispute", "looks into it, as referee")
        case Step.Kind.RELEASED:
            return pgettext("in a dispute", "leaves it to another referee")
        case Step.Kind.LOOKED:
            return pgettext("in a dispute", "looked at all hands of deal %(number)d") % {"number": step.facts["deal"] + 1}
        case Step.Kind.FROZEN:
            until = moment(datetime.fromisoformat(step.facts["until"]))
            return pgettext("in a dispute", "froze the clock, until %(until)s at the latest") % {"until": until}
        case Step.Kind.THAWED:
            return pgettext("in a dispute", "let the clock go on")
        case Step.Kind.RULED:
            return pgettext("in a dispute", "ruled")
        case Step.Kind.APPEALED:
            return pgettext("in a dispute", "appeals")
    return pgettext("in a dispute", "withdrew it")


def _verdict(ruling: Ruling, names: list[str], user: User) -> Verdict:
    back = ruling.facts.get("entry") if ruling.kind == Ruling.Kind.BACK else None
    return Verdict(
        ruling=_ruled(ruling),
        on_appeal=ruling.appeal,
        effects=_effects(ruling, names),
        move=told_move(game=ruling.dispute.game, number=back, user=user),
        reason=ruling.reason,
        by=player_name(ruling.referee),
        when=moment(ruling.at),
    )


def _ruled(ruling: Ruling) -> str:
    """What was ruled, as a sentence."""
    number = {"number": int(ruling.facts.get("deal") or 0) + 1}
    match ruling.kind:
        case Ruling.Kind.DISMISS if ruling.appeal:
            return _("The appeal is dismissed: the ruling stands.")
        case Ruling.Kind.DISMISS:
            return _("Dismissed: everything stays as it was.")
        case Ruling.Kind.VOID:
            return _("Deal %(number)d is void: its points count no more.") % number
        case Ruling.Kind.BACK:
            return _("Deal %(number)d goes back to before a move.") % number
        case Ruling.Kind.POINTS:
            return _("Points are adjusted.")
        case Ruling.Kind.REMOVE:
            return _("A player is removed from the match.")
    return _("The match is taken up again.")


def _effects(ruling: Ruling, names: list[str]) -> list[str]:
    """What it did in figures, seat by seat."""
    facts = ruling.facts
    if ruling.kind == Ruling.Kind.POINTS:
        return [f"{names[int(seat)]}: {change(points)}" for seat, points in facts.get("points", {}).items()]
    if ruling.kind == Ruling.Kind.REMOVE:
        return [names[facts["seat"]]]
    if ruling.kind == Ruling.Kind.BACK:
        seen = (
            [_("The deal was over: everybody may have seen all that was dealt, and what was left.")] if facts.get("open") else []
        )
        return seen + [_saw(names[int(seat)], count) for seat, count in (facts.get("drawn") or {}).items() if count]
    return []


def _saw(name: str, count: int) -> str:
    words = ngettext(
        "%(name)s has seen %(count)d card of the stock that is drawn again.",
        "%(name)s has seen %(count)d cards of the stock that are drawn again.",
        count,
    )
    return words % {"name": name, "count": count}


def list_context(*, game: Game, user: User, now: datetime) -> dict[str, Any]:
    """The disputes of a table, and whether this player may open one: not beside another that waits."""
    there = list(cases.of_table(game=game))
    waits = any(dispute.state in AT_FIRST and dispute.opener_id == user.pk for dispute in there)
    return {
        "game": game,
        "name": table_name(game),
        "words": game_in_words(game),
        "cases": [_case(dispute) for dispute in there],
        "may_open": may_open(game, now) and not waits,
    }


def may_open(game: Game, now: datetime) -> bool:
    """Whether there is still time to dispute a match that has begun."""
    return game.started_at is not None and (game.ended_at is None or now <= game.ended_at + OPEN_FOR)


def _case(dispute: Dispute) -> Case:
    rulings = list(dispute.rulings.all())
    return Case(
        number=dispute.pk,
        kind=str(dispute.get_kind_display()),
        by=player_name(dispute.opener),
        opened=moment(dispute.opened_at),
        state=str(dispute.get_state_display()),
        unsettled=dispute.unsettled,
        ruled=str(rulings[-1].get_kind_display()) if rulings else "",
    )


class Figures(NamedTuple):
    """A line of the public figures: so many in all, then month by month."""

    label: str
    counts: list[int]


class Section(NamedTuple):
    """Disputes, rulings or appeals: all of them, then by kind."""

    whole: Figures
    lines: list[Figures]


def figures_context(*, now: datetime) -> dict[str, Any]:
    """How many disputes, rulings and appeals there have been, by kind and month. No names."""
    months = cases.counts(now=now)
    kinds = [Figures(str(label), [each.opened.get(kind, 0) for each in months]) for kind, label in Dispute.Kind.choices]
    rulings = [Figures(str(label), [each.ruled.get(kind, 0) for each in months]) for kind, label in Ruling.Kind.choices]
    appeals = Figures(_("Appeals"), [each.appealed for each in months])
    return {
        "months": [short_month(each.first + MID_MONTH) for each in months if each.first is not None],
        "sections": [
            Section(_sum(_("Disputes opened"), kinds), kinds),
            Section(_sum(_("Rulings"), rulings), rulings),
            Section(appeals, [Figures(_("ruled otherwise"), [each.changed for each in months])]),
        ],
    }


def _sum(label: str, lines: list[Figures]) -> Figures:
    return Figures(label, [sum(column) for column in zip(*(line.counts for line in lines), strict=True)])

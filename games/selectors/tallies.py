"""What counted deals come to, seat by seat, for whoever adds them up beyond the match. Public facts alone: no card."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Min, OuterRef, Subquery
from django.db.models.functions import Coalesce

from games.models import Deal, Entry, Game, Hand
from games.services import evidence

BY_THE_SERVER = (Entry.Actor.CLOCK, Entry.Actor.COMPUTER)


@dataclass(frozen=True)
class Tally:
    """A deal that has been counted."""

    pk: int
    number: int
    counting: int
    """How often it had been counted before: more than 0 where a ruling went back into it."""
    ended_at: datetime
    first_at: datetime
    """When it was over the first time: before `ended_at` where it was gone back into."""
    spoiled: bool
    """Whether it was spoiled before play (§4.4), and is dealt again."""
    scores: tuple[int, ...]
    out: int | None
    dealt_in: frozenset[int]
    """The seats that were dealt to."""
    resigned: frozenset[int]
    """Those that were out of the match by its end."""
    served: tuple[int, ...]
    """By seat, how many turns the server played: for time that had run out, or for a seat that is a computer's."""
    left_to_computer: frozenset[int]
    """The seats whose last turn a computer player took."""


class Left(NamedTuple):
    """That a seat has resigned in a deal that counts no more: it stays out of the match."""

    number: int
    seat: int
    at: datetime
    still: int
    """How many seats were in the match at the end of that deal."""


def left_in_void(*, game: Game) -> list[Left]:
    """The seats that are out of a match since a deal that is void: in no tally does that show."""
    void = dict(game.deals.filter(voided=True).values_list("number", "state__resigned"))
    if not void:
        return []
    return [
        Left(number, seat, at, game.seat_count - len(void[number]))
        for seat, (number, at) in sorted(left_for_good(game=game).items())
        if number in void
    ]  # fmt: skip


def left_for_good(*, game: Game) -> dict[int, tuple[int, datetime]]:
    """By seat that is out of a match, in which deal and when it resigned last: a ruling may have let it in again before."""
    out = list(game.seats.filter(resigned=True).values_list("index", flat=True))
    rows = game.entries.filter(kind=Entry.Kind.MOVE, text="R", seat__in=out).order_by("number") if out else Entry.objects.none()
    found = rows.values_list("seat", "deal", "at")
    return {seat: (number, at) for seat, number, at in found if seat is not None and number is not None}


def countings(*, game_id: int) -> dict[int, int]:
    """By number of a deal that was ever counted, how often it had been counted before the last time."""
    times: dict[int, int] = {}
    numbers = Entry.objects.filter(game=game_id, kind=Entry.Kind.EVENT, text="counted").values_list("deal", flat=True)
    for number in numbers:
        if number is not None:
            times[number] = times.get(number, -1) + 1
    return times


def counted(*, game_id: int) -> dict[int, int]:
    """`countings` of the deals that count as things stand, in order: those for `tallies`. Not those that are void."""
    times = Entry.objects.filter(game=game_id, kind=Entry.Kind.EVENT, text="counted", deal=OuterRef("number")).order_by()
    before = Coalesce(Subquery(times.values("game").annotate(times=Count("pk") - 1).values("times")), 0)
    scored = Deal.objects.filter(game=game_id, scored=True, voided=False).order_by("number")
    return dict(scored.annotate(before=before).values_list("number", "before"))


def tallies(*, game: Game, times: Mapping[int, int]) -> list[Tally]:
    """The deals of a game that `counted` gives, or some of them, in order."""
    wanted = list(times)
    first = _first_ends(game, [number for number, before in times.items() if before])
    facts = (
        Deal.objects.filter(game=game, number__in=wanted)
        .order_by("number")
        .values_list("pk", "number", "ended_at", "reason", "out", "state__resigned")
    )
    scores: dict[int, list[int]] = {}
    for number, score in (
        Hand.objects.filter(deal__game=game, deal__number__in=wanted).order_by("seat").values_list("deal__number", "score")
    ):
        scores.setdefault(number, []).append(score or 0)
    moves: dict[int, list[Entry]] = {number: [] for number in wanted}
    for entry in evidence.valid_moves(_entries(game, wanted)):
        if entry.deal in moves:
            moves[entry.deal].append(entry)
    return [
        Tally(
            pk, number, times[number], ended_at, first.get(number, ended_at), reason == "spoiled", tuple(scores[number]), out,
            *_taken_part(len(scores[number]), frozenset(resigned), moves[number]),
        )
        for pk, number, ended_at, reason, out, resigned in facts
        if ended_at is not None
    ]  # fmt: skip


def _first_ends(game: Game, numbers: Collection[int]) -> dict[int | None, datetime]:
    if not numbers:
        return {}
    counted = game.entries.filter(kind=Entry.Kind.EVENT, text="counted", deal__in=numbers).order_by()
    return dict(counted.values_list("deal").annotate(first=Min("at")))


def _entries(game: Game, numbers: Collection[int]) -> Iterable[Entry]:
    """The moves of these deals, and what undid some."""
    rows = game.entries.filter(kind=Entry.Kind.MOVE, deal__in=numbers) | game.entries.filter(text="rolled_back")
    return rows.order_by("number").only("number", "kind", "actor", "seat", "deal", "text", "facts")


def _taken_part(
    seats: int, resigned: frozenset[int], moves: Iterable[Entry]
) -> tuple[frozenset[int], frozenset[int], tuple[int, ...], frozenset[int]]:
    """The last four facts of a tally. Turns are told apart by who moves: a run of moves of one seat is a turn."""
    served, last, on_turn = [0] * seats, dict[int, str](), None
    left, helped = set[int](), False
    for entry in moves:
        assert entry.seat is not None
        if entry.text[:1] in ("R", "X"):  # in others' turns too, or before the first
            left |= {entry.seat} if entry.text == "R" else set()
            continue
        if entry.seat != on_turn:
            on_turn, helped = entry.seat, False
        if entry.actor in BY_THE_SERVER and not helped:
            helped = True
            served[entry.seat] += 1
        last[entry.seat] = entry.actor
    computers = frozenset(seat for seat, actor in last.items() if actor == Entry.Actor.COMPUTER)
    return frozenset(range(seats)) - (resigned - left), resigned, tuple(served), computers

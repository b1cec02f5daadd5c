"""Reads for the referee's desk: the queue, a case, and what is known of those concerned. No hand: `replayed` has the deal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet

from accounts.models import LeagueMatch, User
from games.models import Dispute, Entry, Game, Ruling, Seat, Step, Tenure
from games.selectors import told

UPHELD = [kind for kind in Ruling.Kind.values if kind != Ruling.Kind.DISMISS]
ROWS_OF_A_DEAL = 500


@dataclass(frozen=True)
class Case:
    """A dispute with what belongs to it."""

    dispute: Dispute
    game: Game
    seats: list[Seat]
    tenures: list[Tenure]
    steps: list[Step]
    rulings: list[Ruling]
    league: str
    """The league that the match counts in; empty where there is none."""
    deals: list[tuple[int, bool, bool]]
    """Number, scored, voided."""

    @property
    def concerned(self) -> list[User]:
        """Who holds or has held a seat, by seat; nobody whose account is closed."""
        found = {seat.user_id: seat.user for seat in self.seats} | {held.user_id: held.user for held in self.tenures}
        return [user for user in found.values() if user is not None and user.is_active]

    def looked(self, referee: User, deal: int) -> int | None:
        """Up to which row of the log this referee has looked at all hands of a deal in this case; None where never."""
        looks = (step.facts for step in self.steps if step.kind == Step.Kind.LOOKED and step.user_id == referee.pk)
        return max((facts["upto"] for facts in looks if facts["deal"] == deal), default=None)


def in_league() -> Exists:
    """Of disputes: that the match is one of a league."""
    return Exists(LeagueMatch.objects.filter(game=OuterRef("game")))


def queue() -> QuerySet[Dispute]:
    """All disputes, those that wait for a ruling first, the oldest of them at the top; each with `in_league`."""
    settled = ~Q(state__in=Dispute.UNSETTLED)
    found = Dispute.objects.select_related("game", "opener", "referee").annotate(in_league=in_league(), settled=settled)
    return found.order_by("settled", "opened_at")


def case(*, pk: int) -> Case | None:
    """A case by its number."""
    dispute = Dispute.objects.select_related("game", "opener", "referee").filter(pk=pk).first()
    if dispute is None:
        return None
    game = dispute.game
    match = LeagueMatch.objects.filter(game=game).select_related("season__league").first()
    return Case(
        dispute=dispute,
        game=game,
        seats=list(game.seats.select_related("user").order_by("index")),
        tenures=list(game.tenures.select_related("user").order_by("from_entry", "seat")),
        steps=list(dispute.steps.select_related("user").order_by("pk")),
        rulings=list(dispute.rulings.select_related("referee").order_by("pk")),
        league="" if match is None else match.season.league.name,
        deals=list(game.deals.order_by("number").values_list("number", "scored", "voided")),
    )


def place_in_queue(dispute: Dispute) -> tuple[int, int]:
    """Which of those that wait for a ruling it is, by age, counted from 1, and of how many."""
    waiting = Dispute.objects.filter(state__in=Dispute.UNSETTLED)
    older = Q(opened_at__lt=dispute.opened_at) | Q(opened_at=dispute.opened_at, pk__lte=dispute.pk)
    found = waiting.aggregate(place=Count("pk", filter=older), waiting=Count("pk"))
    return found["place"], found["waiting"]


def rows_of_deal(*, game: Game, number: int) -> list[Entry]:
    """The rows of the log from a deal's first to the next deal's, newest first, that may be shown; the latest of them."""
    found = game.entries.filter(deal__in=(number, number + 1)).values("deal").order_by().annotate(begin=Min("number"))
    starts = dict(found.values_list("deal", "begin"))
    first = 0 if number == 0 else starts.get(number, game.log_length)
    rows = game.entries.filter(number__gte=first, number__lt=starts.get(number + 1, game.log_length))
    return list(told(rows.order_by("-number"))[:ROWS_OF_A_DEAL])


def scores_by_deal(*, game: Game) -> dict[int, list[int]]:
    """By number of a counted deal, the score of each seat."""
    found: dict[int, list[int]] = {}
    hands = game.deals.filter(scored=True).order_by("number", "hands__seat").values_list("number", "hands__score")
    for number, score in hands:
        found.setdefault(number, []).append(score or 0)
    return found


def matches(user_ids: Iterable[int]) -> dict[int, set[int]]:
    """By player, the matches in which they hold or have held a seat."""
    found: dict[int, set[int]] = {user: set() for user in user_ids}
    for user, game in Tenure.objects.filter(user__in=found).values_list("user", "game").distinct():
        found[user].add(game)
    return found


def disputes_of(user_ids: Iterable[int]) -> dict[int, tuple[int, int]]:
    """By player, how many disputes they have opened, and in how many of them it was ruled that something be done."""
    done = Ruling.objects.filter(dispute=OuterRef("pk"), kind__in=UPHELD)
    wanted = Dispute.objects.filter(opener__in=list(user_ids)).annotate(done=Exists(done)).order_by()
    rows = wanted.values_list("opener").annotate(opened=Count("pk"), upheld=Count("pk", filter=Q(done=True)))
    return {opener: (opened, upheld) for opener, opened, upheld in rows}

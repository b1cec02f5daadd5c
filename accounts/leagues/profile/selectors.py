"""What a profile is made of, each part in one query, however much has been played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import League, Membership, Rating, Season, Standing, User
from games.models import Game, Seat, Tenure

Viewer = User | AnonymousUser
BIN = 10
"""Points: the grain of the histogram as it is read."""
FOES, TABLES = 6, 8


def find_player(*, name: str) -> User | None:
    """A player with an account, by name in any case; not guests, nor who has gone."""
    if "\x00" in name:
        return None
    players = User.objects.filter(username__iexact=name, is_active=True, is_guest=False)
    return players.select_related("reliability").first()


def ratings(*, user: User) -> dict[str, list[Rating]]:
    """By game, the ratings of a player after each match, oldest first; most played game first."""
    found: dict[str, list[Rating]] = {}
    rows = Rating.objects.filter(user=user, bot="").order_by("at", "match")
    for row in rows.only("variant", "at", "place", "matches", "mu", "sigma"):
        found.setdefault(row.variant, []).append(row)
    return dict(sorted(found.items(), key=lambda pair: -len(pair[1])))


def computers(*, variant: str) -> list[Rating]:
    """The present ratings of the computer players of a game."""
    rows = Rating.objects.filter(variant=variant, user=None).order_by("bot", "-at", "-match")
    return list(rows.distinct("bot"))


@dataclass
class Deals:
    """A player's deals of one game."""

    count: int = 0
    points: int = 0
    best: int = 0
    bins: dict[int, int] = field(default_factory=dict)
    """How many deals, by their points: those from ten times the key on, below the next."""

    @property
    def average(self) -> float:
        return self.points / self.count


_DEALS = """
    SELECT game.variant, floor(hand.score / 10.0)::int AS bin, count(*), sum(hand.score), max(hand.score)
    FROM games_tenure AS held
    JOIN games_seat AS seat ON seat.game_id = held.game_id AND seat.index = held.seat
    JOIN games_game AS game ON game.id = held.game_id
    JOIN games_deal AS deal ON deal.game_id = held.game_id AND deal.scored AND NOT deal.voided
        AND deal.reason <> 'spoiled' AND deal.number >= held.from_deal
    JOIN games_hand AS hand ON hand.deal_id = deal.id AND hand.seat = held.seat
    WHERE held.user_id = %s
        AND NOT (seat.held_from > held.from_entry AND EXISTS (
            SELECT FROM games_tenure AS later
            WHERE later.game_id = held.game_id AND later.seat = held.seat
                AND later.from_entry > held.from_entry AND later.from_deal <= deal.number))
        AND CASE WHEN seat.resigned THEN NOT deal.state->'resigned' @> to_jsonb(held.seat::int) ELSE true END
    GROUP BY game.variant, bin
"""
"""The deals that count for somebody (`games.selectors.holders`), to their end: not those that are void, nor those in which,
or before which, the seat had resigned. Grouped by the database: thousands of deals come as a few dozen rows.
"""


def deals(*, user: User) -> dict[str, Deals]:
    """By game, a player's counted deals."""
    found: dict[str, Deals] = {}
    with connection.cursor() as cursor:
        cursor.execute(_DEALS, [user.pk])
        for variant, bin_, count, points, best in cursor.fetchall():
            known = found.setdefault(variant, Deals(best=best))
            known.count += count
            known.points += points
            known.best = max(known.best, best)
            known.bins[bin_] = count
    return found


class Foe(NamedTuple):
    """Somebody that a player has met, and how often each of the two came before the other."""

    name: str
    bot: str
    linked: bool
    """Whether there is a profile to go to."""
    together: int
    won: int
    lost: int


def foes(*, user: User) -> list[Foe]:
    """Those whom a player has met most often, in all games."""
    met = Rating.objects.filter(match__ratings__user=user, match__ratings__bot="").exclude(user=user, bot="")
    mine = F("match__ratings__place")
    known = met.values("user", "user__username", "user__is_active", "bot").annotate(
        together=Count("pk"), won=Count("pk", filter=Q(place__gt=mine)), lost=Count("pk", filter=Q(place__lt=mine))
    )
    return [
        Foe(
            row["user__username"] or "", row["bot"], bool(row["user__is_active"]), row["together"], row["won"], row["lost"]
        )
        for row in known.order_by("-together", "-won", "user__username")[:FOES]
    ]  # fmt: skip


def leagues(*, user: User, viewer: Viewer) -> list[Membership]:
    """A player's leagues, each with `rank` and `points` in its last season, whether that rank is `tied`, and `size`, how many
    are in that table.

    A league that is joined by a link alone is told to its members only.
    """
    last = Season.objects.filter(league=OuterRef("league")).order_by("-number")
    line = Standing.objects.filter(season=OuterRef("season"), player=user)
    level = Standing.objects.filter(season=OuterRef("season"), rank=OuterRef("rank")).exclude(player=user)
    lines = Standing.objects.filter(season=OuterRef("season")).order_by().values("season").annotate(lines=Count("pk"))
    found = Membership.objects.filter(user=user, until=None).annotate(season=Subquery(last.values("pk")[:1]))
    if viewer.pk != user.pk:
        inside = Membership.objects.filter(league=OuterRef("league"), user=viewer.pk, until=None)
        found = found.filter(~Q(league__joining=League.Joining.LINK) | Exists(inside))
    return list(
        found.select_related("league")
        .annotate(rank=Subquery(line.values("rank")), points=Subquery(line.values("points")))
        .annotate(tied=Exists(level), size=Coalesce(Subquery(lines.values("lines")), 0))
        .order_by(F("rank").asc(nulls_last=True), "league__name")
    )


def titles(*, user: User, viewer: Viewer) -> dict[int, list[int]]:
    """By league, the numbers of the seasons that a player has won, alone or with others."""
    won = Standing.objects.filter(player=user, rank=1, season__status=Season.Status.FINAL)
    if viewer.pk != user.pk:
        inside = Membership.objects.filter(league=OuterRef("season__league"), user=viewer.pk, until=None)
        won = won.filter(~Q(season__league__joining=League.Joining.LINK) | Exists(inside))
    found: dict[int, list[int]] = {}
    for league, number in won.order_by("season__number").values_list("season__league", "season__number"):
        found.setdefault(league, []).append(number)
    return found


def recent_tables(*, user: User, viewer: Viewer) -> QuerySet[Game]:
    """A player's last finished matches, newest first, with seats and people: public ones, and those where the viewer sat."""
    games = Game.objects.filter(seats__user=user, status=Game.Status.FINISHED)
    if viewer.pk != user.pk:
        sat = Exists(Tenure.objects.filter(game=OuterRef("pk"), user=viewer.pk))
        games = games.filter(Q(visibility=Game.Visibility.PUBLIC) | sat)
    seats = Prefetch("seats", Seat.objects.order_by("index"))
    return games.order_by("-ended_at", "-pk").prefetch_related(seats)[:TABLES]

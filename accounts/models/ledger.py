"""The ledger of a season, and the table made of it."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models.leagues import LeagueMatch, Season

LAP = 500
DEALS = ("played", "forfeit")


class LedgerRow(models.Model):
    """What one deal, or one decision, counts for one player.

    Append-only: a trigger in the database refuses changes. The database also sees that a match is of the row's season, and
    a deal of its match.
    """

    class Kind(models.TextChoices):
        PLAYED = "played", _("played")
        FORFEIT = "forfeit", _("forfeited")
        ADJUSTMENT = "adjustment", _("adjusted")
        VOID = "void", _("void")

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="rows")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ledger_rows")
    kind = models.CharField(max_length=10, choices=Kind)
    points = models.IntegerField(default=0)
    at = models.DateTimeField()
    """From when it counts: the end of the deal, or when the decision was made."""
    match = models.ForeignKey(LeagueMatch, null=True, blank=True, on_delete=models.PROTECT, related_name="rows")
    deal = models.ForeignKey("games.Deal", null=True, blank=True, on_delete=models.PROTECT, related_name="ledger_rows")
    counting = models.PositiveSmallIntegerField(default=0)
    """How often the deal had been counted before: a ruling that goes back into a deal has it counted again. A void names
    the counting that it removes."""
    server_turns = models.PositiveSmallIntegerField(default=0)
    """How many of the player's turns the server played."""
    out = models.BooleanField(default=False)
    """Whether the player went out."""
    won = models.BooleanField(default=False)
    """Whether nobody had more points in the deal."""
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    """The place in the match, with the row that ends it for the player; 0 where a ruling has taken it back."""
    reason = models.CharField(max_length=300, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="ledger_rows_written"
    )
    request = models.CharField(max_length=80, blank=True)
    """What names the decision, so that it is carried out once: a ruling, or the form that was sent."""
    made_at = models.DateTimeField()
    counts: bool
    """Of a row of `accounts.leagues.selectors.rows`: whether it is among those that the table is the sum of."""

    class Meta:
        verbose_name = _("ledger row")
        verbose_name_plural = _("ledger rows")
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["season", "deal", "player", "counting"], name="a_deal_counts_once", condition=Q(kind__in=DEALS)
            ),
            models.UniqueConstraint(fields=["request", "player"], name="a_decision_counts_once", condition=~Q(kind__in=DEALS)),
            models.CheckConstraint(
                condition=Q(kind__in=DEALS, match__isnull=False, deal__isnull=False, request="", author=None)
                | Q(kind="void", match__isnull=False, deal__isnull=False, points=0, place=None)
                | Q(kind="adjustment", deal=None),
                name="ledger_rows_are_whole",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=DEALS) | (~Q(reason="") & ~Q(request="")), name="decisions_have_a_reason"
            ),
        ]
        indexes: ClassVar = [models.Index("season", "player", "at", name="ledger_by_player")]

    def __str__(self) -> str:
        return f"{self.season_id}/{self.player_id} {self.kind} {self.points:+d}"


class Standing(models.Model):
    """A player's line in the table of a season: made of the ledger alone, and anew whenever that grows (`projection`)."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="standings")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="standings")
    rank = models.PositiveIntegerField()
    """Players who are level have the same."""
    points = models.IntegerField()
    matches = models.PositiveIntegerField()
    won = models.PositiveIntegerField()
    laps = models.PositiveIntegerField()
    deals = models.PositiveIntegerField()
    deal_points = models.IntegerField()
    """Without adjustments: what the average is of."""
    best = models.IntegerField(null=True)
    outs = models.PositiveIntegerField()
    deals_won = models.PositiveIntegerField()
    head_to_head = models.IntegerField()
    forfeits = models.PositiveIntegerField()
    server_turns = models.PositiveIntegerField()
    last = models.JSONField(default=list)
    """The places of the last five matches, the newest last."""

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        ordering: ClassVar = ["rank", "player__username"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["season", "player"], name="one_line_per_player")]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.rank}. {self.player_id}"

    @property
    def average(self) -> float | None:
        """Points per deal; None where no deal has been played."""
        return self.deal_points / self.deals if self.deals else None

    @property
    def in_lap(self) -> int:
        """How far into the next lap of 500 the player is: 0 while below the last one."""
        return min(max(self.points - self.laps * LAP, 0), LAP)

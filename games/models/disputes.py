"""Disputes: what a player claims, what became of it step by step, and what referees ruled (docs/disputes.md).

The log of the table tells of rulings in figures; words and people stand here, where they can be removed with an account.
"""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.tables import Game

CLAIM_LENGTH, VERDICT_LENGTH = 2_000, 2_000
FROZEN_IN_ALL = timedelta(days=7)
"""For how long the clock of a table may stand for one dispute."""


class Dispute(models.Model):
    """A player's claim about a table, and where it stands. Its key is the number of the case."""

    class Kind(models.TextChoices):
        RULE = "rule", _("wrong rule or score")
        STALLING = "stalling", _("stalling")
        COLLUSION = "collusion", _("collusion")
        ABUSE = "abuse", _("abuse in chat")
        MISTAKE = "mistake", _("mistake of my own")
        OTHER = "other", _("other")

    class State(models.TextChoices):
        OPEN = "open", _("waits for a referee")
        CLAIMED = "claimed", _("a referee looks into it")
        RULED = "ruled", _("ruled")
        APPEALED = "appealed", _("appealed, waits for another referee")
        RECLAIMED = "reclaimed", _("another referee looks into the appeal")
        CLOSED = "closed", _("ruled for good")
        WITHDRAWN = "withdrawn", _("withdrawn")

    UNSETTLED = ("open", "claimed", "appealed", "reclaimed")
    """States in which somebody waits for a ruling: results are provisional meanwhile."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="disputes", verbose_name=_("table"))
    opener = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="disputes", verbose_name=_("opened by")
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    deal = models.PositiveSmallIntegerField(_("deal"), null=True, blank=True)
    """The number of the deal that it is about, if it is about one."""
    move = models.PositiveIntegerField(_("move"), null=True, blank=True)
    """The number of the row of the log that it is about, if it is about one."""
    words = models.TextField(_("claim"), max_length=CLAIM_LENGTH)
    opened_at = models.DateTimeField(_("opened"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    referee = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="cases", verbose_name=_("referee")
    )
    """Who looks into it now."""
    frozen_for = models.DurationField(_("clock frozen for"), null=True, blank=True)
    """For how long in all the clock of the table has been, or may yet be, frozen for it."""

    class Meta:
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "opener"],
                name="one_unsettled_dispute_a_player",
                condition=Q(state__in=["open", "claimed"]),  # an appeal may be somebody else's
            ),
            models.CheckConstraint(
                condition=Q(state__in=["claimed", "reclaimed"], referee__isnull=False)
                | (~Q(state__in=["claimed", "reclaimed"]) & Q(referee=None)),
                name="claimed_disputes_have_a_referee",
            ),
            models.CheckConstraint(condition=Q(move=None) | Q(deal__isnull=False), name="disputed_moves_are_of_a_deal"),
            models.CheckConstraint(
                condition=Q(frozen_for=None) | Q(frozen_for__gte=timedelta(0), frozen_for__lte=FROZEN_IN_ALL),
                name="frozen_within_bounds",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                "opened_at", name="unsettled_by_age", condition=Q(state__in=["open", "claimed", "appealed", "reclaimed"])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"

    @property
    def unsettled(self) -> bool:
        """Whether somebody waits for a ruling."""
        return self.state in self.UNSETTLED


class Step(models.Model):
    """One action in a dispute: never changed, but for words that are emptied with the account that wrote them."""

    class Kind(models.TextChoices):
        OPENED = "opened", _("opened")
        ANSWERED = "answered", _("answered")
        ASKED = "asked", _("asked")
        CLAIMED = "claimed", _("taken up by a referee")
        RELEASED = "released", _("given back to the queue")
        LOOKED = "looked", _("looked at all hands")
        FROZEN = "frozen", _("froze the clock")
        THAWED = "thawed", _("let the clock go on")
        RULED = "ruled", _("ruled")
        APPEALED = "appealed", _("appealed")
        WITHDRAWN = "withdrawn", _("withdrew it")

    dispute = models.ForeignKey(Dispute, on_delete=models.PROTECT, related_name="steps", verbose_name=_("dispute"))
    at = models.DateTimeField(_("time"))
    kind = models.CharField(_("what"), max_length=10, choices=Kind)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+", verbose_name=_("who")
    )
    """None where the server acted."""
    words = models.TextField(_("words"), max_length=CLAIM_LENGTH, blank=True)
    facts = models.JSONField(default=dict)
    """What belongs to it in figures: until when the clock is frozen, which deal was looked at and up to which row of the log."""

    class Meta:
        verbose_name = _("step of a dispute")
        verbose_name_plural = _("steps of disputes")
        ordering: ClassVar = ["pk"]
        indexes: ClassVar = [models.Index("dispute", "user", name="looks", condition=Q(kind="looked"))]

    def __str__(self) -> str:
        return f"{self.dispute_id}: {self.kind}"


class Ruling(models.Model):
    """What a referee decided, carried out in the same transaction; never changed."""

    class Kind(models.TextChoices):
        DISMISS = "dismiss", _("dismissed")
        VOID = "void", _("deal void")
        BACK = "back", _("gone back to before a move")
        POINTS = "points", _("points adjusted")
        REMOVE = "remove", _("player removed")
        REOPEN = "reopen", _("match taken up again")

    dispute = models.ForeignKey(Dispute, on_delete=models.PROTECT, related_name="rulings", verbose_name=_("dispute"))
    appeal = models.BooleanField(_("on appeal"), default=False)
    kind = models.CharField(_("ruling"), max_length=8, choices=Kind)
    referee = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="rulings", verbose_name=_("referee")
    )
    at = models.DateTimeField(_("time"))
    reason = models.TextField(_("reason"), max_length=VERDICT_LENGTH)
    facts = models.JSONField(default=dict)
    """What was ruled, in figures: the deal, the row gone back to, seats and points."""
    entry = models.PositiveIntegerField()
    """The number of the row of the log that tells of it."""

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["dispute", "appeal"], name="one_ruling_and_one_on_appeal"),
            models.UniqueConstraint(fields=["dispute", "referee"], name="another_referee_rules_on_appeal"),
            models.CheckConstraint(condition=~Q(reason=""), name="rulings_have_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.dispute_id}: {self.kind}"

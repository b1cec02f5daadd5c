"""The chat of a table: what is said, who does not want to read whom, and what is reported to the referees.

It stands beside the log, never in it: words are personal, may be removed, and prove nothing.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models.tables import Game

SAYING_LENGTH = 300


class Saying(models.Model):
    """What somebody said at a table. Removed words are kept for the referees alone."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="sayings", verbose_name=_("table"))
    number = models.PositiveIntegerField()
    """What `Game.said` became by it."""
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, verbose_name=_("player"))
    text = models.CharField(_("words"), max_length=SAYING_LENGTH)
    said_at = models.DateTimeField(_("said"))
    removed_at = models.DateTimeField(_("removed"), null=True, blank=True)
    removed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", verbose_name=_("removed by")
    )

    class Meta:
        verbose_name = _("words in a chat")
        verbose_name_plural = _("words in chats")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "number"], name="one_saying_per_number")]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number}"

    @property
    def removed(self) -> bool:
        """Whether the table does not show it any more."""
        return self.removed_at is not None


class Mute(models.Model):
    """That one player does not want to read another, at no table."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mutes")
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="muted_by")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "muted"], name="one_mute_per_pair"),
            models.CheckConstraint(condition=~Q(user=F("muted")), name="nobody_mutes_themselves"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}/{self.muted_id}"


class ChatReport(models.Model):
    """That somebody asks the referees to look at words in a chat."""

    class Outcome(models.TextChoices):
        OPEN = "open", _("to be looked at")
        REMOVED = "removed", _("words removed")
        KEPT = "kept", _("words stay")

    saying = models.ForeignKey(Saying, on_delete=models.CASCADE, related_name="reports", verbose_name=_("words"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", verbose_name=_("reported by")
    )
    made_at = models.DateTimeField(_("reported"))
    outcome = models.CharField(_("outcome"), max_length=8, choices=Outcome, default=Outcome.OPEN)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", verbose_name=_("referee")
    )

    class Meta:
        verbose_name = _("report from a chat")
        verbose_name_plural = _("reports from chats")
        permissions: ClassVar = [("referee", "Is a referee")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["saying", "user"], name="one_report_per_reader"),
            models.CheckConstraint(
                condition=Q(outcome="open", closed_at=None) | (~Q(outcome="open") & Q(closed_at__isnull=False)),
                name="closed_reports_have_an_outcome",
            ),
        ]
        indexes: ClassVar = [models.Index("made_at", name="open_reports_by_age", condition=Q(outcome="open"))]

    def __str__(self) -> str:
        return str(self.saying)

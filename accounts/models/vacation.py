"""Vacations: when a player is away, and the clocks of whose tables may stand still meanwhile."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Vacation(models.Model):
    """Whole days, the first and the last counted, where the player lives. Its date ends it, or its player."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="vacations")
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))
    zone = models.CharField(_("time zone"), max_length=64)
    """Where the days are counted: the player's own when it was planned."""
    begins = models.DateTimeField(_("begins"))
    """The start of the first day; the moment itself where it was begun at once."""
    ends = models.DateTimeField(_("ends"))
    """The end of the last day."""
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    """When its player ended it, or `ends` once another one is planned."""

    class Meta:
        verbose_name = _("vacation")
        verbose_name_plural = _("vacations")
        ordering: ClassVar = ["begins"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user"], name="one_vacation_at_a_time", condition=Q(ended_at=None)),
            models.CheckConstraint(
                condition=Q(first_day__lte=F("last_day"), begins__lt=F("ends")), name="vacations_begin_before_they_end"
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None) | Q(ended_at__gte=F("begins"), ended_at__lte=F("ends")),
                name="vacations_end_while_they_last",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.first_day} – {self.last_day}"

    def lasts(self, now: datetime) -> bool:
        """Whether its player is away."""
        return self.ended_at is None and self.begins <= now < self.ends

    def is_over(self, now: datetime) -> bool:
        return self.ended_at is not None or self.ends <= now

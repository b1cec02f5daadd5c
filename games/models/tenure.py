"""Who held a seat from when on, and how reliable those who play have been."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.tables import Game


class Tenure(models.Model):
    """That somebody holds a seat from a row of the log on, until the next tenure of that seat.

    Each seat has one from the start of the match, and a further one for each substitute. `Seat.user` is the last of them.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="tenures")
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="tenures")
    bot = models.CharField(_("computer player"), max_length=16, blank=True)
    from_deal = models.PositiveSmallIntegerField()
    """The first deal that counts for the holder: a deal is whose the seat was when it was dealt."""
    from_entry = models.PositiveIntegerField()
    """The number of the first row of the log that is the holder's."""

    class Meta:
        verbose_name = _("tenure")
        verbose_name_plural = _("tenures")
        ordering: ClassVar = ["from_entry", "seat"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seat", "from_entry"], name="one_holder_at_a_time"),
            models.CheckConstraint(
                condition=Q(user__isnull=False, bot="") | (Q(user=None) & ~Q(bot="")), name="held_by_a_player_or_a_computer"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat} from {self.from_entry}"


class Reliability(models.Model):
    """How a player's last turns ended, at all tables: what the log tells, kept at hand."""

    KEPT = 100

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="reliability")
    recent = models.CharField(max_length=KEPT)
    """A sign a turn, oldest first: `1` played in time, `0` played by the clock or by the computer while absent."""

    class Meta:
        verbose_name = _("reliability")
        verbose_name_plural = _("reliabilities")
        constraints: ClassVar = [models.CheckConstraint(condition=Q(recent__regex="^[01]+$"), name="turns_in_time_or_not")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.recent.count('1')}/{len(self.recent)}"

"""How strong players are, game by game: what each finished match made of their ratings."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class RatedMatch(models.Model):
    """A finished match, in its place among those of its game: that is what ratings are made of, in this order."""

    game = models.OneToOneField("games.Game", on_delete=models.PROTECT, primary_key=True, related_name="rated")
    variant = models.CharField(_("game"), max_length=16)
    at = models.DateTimeField()
    """When it ended, as it was last rated."""
    waiting = models.BooleanField(default=True)
    """It has ended, or its result has changed, and ratings do not know yet: set with that, found by the sweep."""

    class Meta:
        verbose_name = _("rated match")
        verbose_name_plural = _("rated matches")
        indexes: ClassVar = [
            models.Index("variant", "at", "game", name="matches_as_they_ended"),
            models.Index("variant", name="matches_to_be_rated", condition=Q(waiting=True)),
        ]

    def __str__(self) -> str:
        return f"{self.variant}: {self.game_id}"


class Rating(models.Model):
    """The rating of a player, or of a kind of computer player, after a match. The last one is the present one."""

    match = models.ForeignKey(RatedMatch, on_delete=models.CASCADE, related_name="ratings")
    variant = models.CharField(_("game"), max_length=16)
    at = models.DateTimeField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="ratings")
    bot = models.CharField(_("computer player"), max_length=16, blank=True)
    place = models.PositiveSmallIntegerField()
    matches = models.PositiveIntegerField()
    """How many have been rated by now."""
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        ordering: ClassVar = ["at", "match"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "user"], name="a_match_rates_a_player_once", condition=Q(bot="")),
            models.UniqueConstraint(fields=["match", "bot"], name="a_match_rates_a_computer_once", condition=Q(user=None)),
            models.CheckConstraint(
                condition=Q(user__isnull=False, bot="") | (Q(user=None) & ~Q(bot="")), name="rated_is_a_player_or_a_computer"
            ),
            models.CheckConstraint(condition=Q(sigma__gt=0, matches__gte=1), name="ratings_are_uncertain"),
        ]
        indexes: ClassVar = [
            models.Index("user", "variant", "at", "match", name="ratings_of_players", condition=Q(bot="")),
            models.Index("bot", "variant", "at", "match", name="ratings_of_computers", condition=Q(user=None)),
            models.Index("variant", "at", "match", name="ratings_as_they_came"),
        ]

    def __str__(self) -> str:
        return f"{self.variant} {self.user_id or self.bot}: {self.mu:.0f} ± {self.sigma:.0f}"

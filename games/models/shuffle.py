"""The seed of the deal to come."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import engine
from games.models.tables import Game


class Seal(models.Model):
    """The seed of a game's next deal, drawn and sealed before anybody adds to its shuffle; the log tells its seal."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="seal")
    number = models.PositiveSmallIntegerField()
    """Of the deal."""
    seed = models.BinaryField(max_length=engine.SEED_BYTES)

    class Meta:
        verbose_name = _("sealed seed")
        verbose_name_plural = _("sealed seeds")

    def __str__(self) -> str:
        return engine.deal_id(str(self.game_id), self.number)

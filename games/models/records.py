"""Records that somebody brought along and asked to keep."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.tables import CODE_LENGTH, new_code


class KeptRecord(models.Model):
    """A record from elsewhere, for whoever brought it alone, until it is forgotten. It has been read and holds."""

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="records")
    record = models.JSONField()
    """As `services.brought.read` makes it."""
    kept_at = models.DateTimeField()
    forget_at = models.DateTimeField()

    class Meta:
        verbose_name = _("kept record")
        verbose_name_plural = _("kept records")
        indexes: ClassVar = [models.Index("forget_at", name="records_by_age")]

    def __str__(self) -> str:
        return self.code

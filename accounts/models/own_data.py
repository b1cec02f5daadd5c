"""What somebody has asked to be given of all that is stored about them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Export(models.Model):
    """All data about one person as a zip, made behind the pages and kept for some days; one a person."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="export")
    asked_at = models.DateTimeField()
    made_at = models.DateTimeField(null=True)
    content = models.BinaryField(null=True)

    class Meta:
        verbose_name = _("download of one’s data")
        verbose_name_plural = _("downloads of one’s data")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(made_at=None, content=None) | Q(made_at__isnull=False, content__isnull=False),
                name="exports_have_a_content_once_made",
            )
        ]

    def __str__(self) -> str:
        return str(self.user_id)

"""Which accounts come from the same address, without the address (people.marks)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class AddressKey(models.Model):
    """The key under which the addresses of one day are marked. Without it no mark of that day tells anything."""

    day = models.DateField(primary_key=True)
    """In UTC."""
    key = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("key of a day’s address marks")
        verbose_name_plural = _("keys of address marks")

    def __str__(self) -> str:
        return f"{self.day}"


class AddressMark(models.Model):
    """That an account was used from an address on a day: an HMAC of the address, which tells nothing but what equals it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="address_marks")
    day = models.DateField()
    """In UTC; whose key it was made with."""
    mark = models.CharField(max_length=32)

    class Meta:
        verbose_name = _("mark of an address")
        verbose_name_plural = _("marks of addresses")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "day", "mark"], name="one_mark_a_day_and_address"),
        ]
        indexes: ClassVar = [models.Index("day", "mark", name="marks_of_a_day")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.day}"

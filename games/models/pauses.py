"""When the site itself was away: nobody loses time by it."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import F, Func, Q
from django.utils.translation import gettext_lazy as _

REASON_LENGTH = 200


class Watch(models.Model):
    """The one row that tells when the server last looked at the clocks, and whether somebody works on the site."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    beat = models.DateTimeField(_("last sweep"))
    maintenance_since = models.DateTimeField(_("being worked on since"), null=True, blank=True)
    maintenance_reason = models.CharField(_("why"), max_length=REASON_LENGTH, blank=True)

    class Meta:
        verbose_name = _("watch over the clocks")
        verbose_name_plural = _("watch over the clocks")
        constraints: ClassVar = [models.CheckConstraint(condition=Q(id=1), name="one_watch")]

    def __str__(self) -> str:
        return str(_("watch over the clocks"))


class Outage(models.Model):
    """A time that no running clock may count, or a span that somebody gives to all of them.

    Made while the watch is locked, so that a higher id is a later one: each game is marked with the last that was applied
    to it (`Game.pushed_by`). No two outages overlap: no minute is given back twice.
    """

    class Kind(models.TextChoices):
        SILENCE = "silence", _("the site was away")
        MAINTENANCE = "work", _("work on the site")
        GIFT = "gift", _("given by hand")

    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    began = models.DateTimeField(_("began"))
    ended = models.DateTimeField(_("ended"))
    span = models.DurationField(_("time given"), null=True, blank=True)
    """Of a gift: what each clock gets that runs at `ended`, which is `began`."""
    reason = models.CharField(_("why"), max_length=REASON_LENGTH, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    applied_at = models.DateTimeField(_("applied"), null=True, blank=True)
    """When the last running game had been looked at."""

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=(~Q(kind="gift") & Q(span=None, began__lt=F("ended")))
                | Q(kind="gift", span__isnull=False, span__gt=timedelta(0), began=F("ended")),
                name="outages_last_and_gifts_give",
            ),
            ExclusionConstraint(
                name="outages_do_not_overlap",
                expressions=[
                    (Func("began", "ended", function="tstzrange", output_field=DateTimeRangeField()), RangeOperators.OVERLAPS)
                ],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.began:%Y-%m-%d %H:%M}"

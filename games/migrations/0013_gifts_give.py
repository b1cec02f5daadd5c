"""A gift of time says how much: that it said nothing, which is NULL, no comparison refuses."""

from datetime import timedelta

from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("games", "0012_frozen_tables")]

    operations = [
        migrations.RemoveConstraint(model_name="outage", name="outages_last_and_gifts_give"),
        migrations.AddConstraint(
            model_name="outage",
            constraint=models.CheckConstraint(
                condition=(~Q(kind="gift") & Q(span=None, began__lt=F("ended")))
                | Q(kind="gift", span__isnull=False, span__gt=timedelta(0), began=F("ended")),
                name="outages_last_and_gifts_give",
            ),
        ),
    ]

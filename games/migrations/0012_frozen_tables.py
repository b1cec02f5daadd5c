"""Tables that a referee freezes, and those about which a dispute waits for a ruling."""

from datetime import timedelta

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("games", "0011_bank_before_a_row")]

    operations = [
        migrations.AddField("game", "disputed", models.BooleanField(default=False, editable=False)),
        migrations.AddConstraint(
            "game",
            models.CheckConstraint(
                condition=Q(("frozen_until", None), ("status", "running"), _connector="OR"), name="only_running_games_are_frozen"
            ),
        ),
        migrations.AddConstraint(
            "game",
            models.CheckConstraint(
                condition=Q(("disputed", False), ("status__in", ["running", "finished"]), _connector="OR"),
                name="only_matches_are_disputed",
            ),
        ),
        migrations.AddIndex(
            "game", models.Index(models.F("frozen_until"), condition=Q(("frozen_until__isnull", False)), name="frozen_by_end")
        ),
        migrations.RemoveConstraint("dispute", "one_unsettled_dispute_a_player"),
        migrations.AddConstraint(
            "dispute",
            models.UniqueConstraint(
                fields=["game", "opener"], name="one_unsettled_dispute_a_player", condition=Q(("state__in", ["open", "claimed"]))
            ),
        ),
        migrations.AddConstraint(
            "dispute",
            models.CheckConstraint(
                condition=Q(
                    ("frozen_for", None),
                    Q(("frozen_for__gte", timedelta(0)), ("frozen_for__lte", timedelta(days=7))),
                    _connector="OR",
                ),
                name="frozen_within_bounds",
            ),
        ),
    ]

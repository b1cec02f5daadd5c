"""Vacations and pauses stop the clock; nobody loses time to an outage."""

import datetime

import django.contrib.postgres.constraints
import django.contrib.postgres.fields.ranges
import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0006_evidence"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Outage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("silence", "the site was away"), ("work", "work on the site"), ("gift", "given by hand")],
                        max_length=8,
                        verbose_name="kind",
                    ),
                ),
                ("began", models.DateTimeField(verbose_name="began")),
                ("ended", models.DateTimeField(verbose_name="ended")),
                ("span", models.DurationField(blank=True, null=True, verbose_name="time given")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="why")),
                ("applied_at", models.DateTimeField(blank=True, null=True, verbose_name="applied")),
            ],
            options={
                "verbose_name": "outage",
                "verbose_name_plural": "outages",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Watch",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ("beat", models.DateTimeField(verbose_name="last sweep")),
                ("maintenance_since", models.DateTimeField(blank=True, null=True, verbose_name="being worked on since")),
                ("maintenance_reason", models.CharField(blank=True, max_length=200, verbose_name="why")),
            ],
            options={
                "verbose_name": "watch over the clocks",
                "verbose_name_plural": "watch over the clocks",
            },
        ),
        migrations.AddField(
            model_name="game",
            name="away_for",
            field=models.BigIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="away_since",
            field=models.DateTimeField(blank=True, null=True, verbose_name="away since"),
        ),
        migrations.AddField(
            model_name="game",
            name="away_until",
            field=models.DateTimeField(blank=True, null=True, verbose_name="away until"),
        ),
        migrations.AddField(
            model_name="game",
            name="pushed_by",
            field=models.BigIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="game",
            name="ticking_since",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="vacation",
            field=models.BooleanField(default=True, verbose_name="vacations stop the clock"),
        ),
        migrations.AddField(
            model_name="game",
            name="vacation_days",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MinValueValidator(1)],
                verbose_name="days for which a player’s vacations stop the clock",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="vacation_used",
            field=models.DurationField(default=datetime.timedelta(0), editable=False),
        ),
        migrations.AddField(
            model_name="seat",
            name="wants_pause",
            field=models.BooleanField(default=False),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(models.F("away_until"), condition=models.Q(("away", True)), name="away_by_end"),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(models.F("paused_at"), condition=models.Q(("paused_at__isnull", False)), name="paused_by_age"),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("away", False), ("away_for", None), ("away_since", None), ("away_until", None)),
                    models.Q(
                        ("away", True), ("away_for__isnull", False), ("away_since__isnull", False), ("away_until__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="who_is_away_is_so_until_a_day",
            ),
        ),
        migrations.RunSQL("UPDATE games_game SET ticking_since = now() WHERE deadline IS NOT NULL", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=~models.Q(status="running") | models.Q(deadline=None) | models.Q(ticking_since__isnull=False),
                name="a_clock_that_runs_was_started",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(("paused_at", None), ("status", "running"), _connector="OR"),
                name="only_running_games_are_paused",
            ),
        ),
        migrations.AddField(
            model_name="outage",
            name="by",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddConstraint(
            model_name="watch",
            constraint=models.CheckConstraint(condition=models.Q(("id", 1)), name="one_watch"),
        ),
        migrations.AddConstraint(
            model_name="outage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(models.Q(("kind", "gift"), _negated=True), ("began__lt", models.F("ended")), ("span", None)),
                    models.Q(("began", models.F("ended")), ("kind", "gift"), ("span__gt", datetime.timedelta(0))),
                    _connector="OR",
                ),
                name="outages_last_and_gifts_give",
            ),
        ),
        migrations.AddConstraint(
            model_name="outage",
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(
                expressions=[
                    (
                        models.Func(
                            "began",
                            "ended",
                            function="tstzrange",
                            output_field=django.contrib.postgres.fields.ranges.DateTimeRangeField(),
                        ),
                        "&&",
                    )
                ],
                name="outages_do_not_overlap",
            ),
        ),
    ]

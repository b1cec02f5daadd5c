"""How much time a turn has and when it may end; a clock that can stand."""

import datetime

import django.core.validators
from django.db import migrations, models

import games.models.tables


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0003_exchange_of_doubles"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="game",
            name="running_games_have_a_deadline",
        ),
        migrations.RemoveConstraint(
            model_name="game",
            name="turn_time_within_bounds",
        ),
        migrations.AddField(
            model_name="game",
            name="allowance",
            field=models.DurationField(
                default=datetime.timedelta(0), editable=False, verbose_name="time that the turn began with"
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="away",
            field=models.BooleanField(default=False, verbose_name="who is on turn is on vacation"),
        ),
        migrations.AddField(
            model_name="game",
            name="bank_cap",
            field=models.DurationField(blank=True, null=True, verbose_name="most time in a bank"),
        ),
        migrations.AddField(
            model_name="game",
            name="deadline_hour",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MaxValueValidator(23)],
                verbose_name="hour at which turns end",
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="frozen_until",
            field=models.DateTimeField(blank=True, null=True, verbose_name="frozen by a referee until"),
        ),
        migrations.AddField(
            model_name="game",
            name="grace",
            field=models.DurationField(default=datetime.timedelta(0), editable=False),
        ),
        migrations.AddField(
            model_name="game",
            name="increment",
            field=models.DurationField(blank=True, null=True, verbose_name="time that a finished turn adds to the bank"),
        ),
        migrations.AddField(
            model_name="game",
            name="left",
            field=models.DurationField(blank=True, null=True, verbose_name="time left while the clock stands"),
        ),
        migrations.AddField(
            model_name="game",
            name="paused_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="paused by all"),
        ),
        migrations.AddField(
            model_name="game",
            name="quiet_from",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, validators=[django.core.validators.MaxValueValidator(23)], verbose_name="quiet hours from"
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="quiet_to",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, validators=[django.core.validators.MaxValueValidator(23)], verbose_name="quiet hours to"
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="weekend_pause",
            field=models.BooleanField(default=False, verbose_name="the clock stands at weekends"),
        ),
        migrations.AddField(
            model_name="game",
            name="zone",
            field=models.CharField(
                default="UTC",
                max_length=64,
                validators=[games.models.tables.validate_zone],
                verbose_name="time zone of the table",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="bank",
            field=models.DurationField(blank=True, null=True, verbose_name="time in the bank"),
        ),
        migrations.AlterField(
            model_name="game",
            name="turn_time",
            field=models.DurationField(
                validators=[
                    django.core.validators.MinValueValidator(datetime.timedelta(seconds=300)),
                    django.core.validators.MaxValueValidator(datetime.timedelta(days=14)),
                ],
                verbose_name="time for a turn",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("deadline__isnull", False), ("left", None), ("status", "running")),
                    models.Q(
                        ("deadline", None), ("left__gte", datetime.timedelta(0)), ("left__isnull", False), ("status", "running")
                    ),
                    models.Q(models.Q(("status", "running"), _negated=True), ("deadline", None), ("left", None)),
                    _connector="OR",
                ),
                name="running_games_have_a_deadline_or_time_left",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("deadline", None),
                        models.Q(("away", False), ("frozen_until", None), ("paused_at", None)),
                        _connector="OR",
                    ),
                    models.Q(
                        ("left", None),
                        ("paused_at__isnull", False),
                        ("frozen_until__isnull", False),
                        ("away", True),
                        _connector="OR",
                    ),
                ),
                name="a_clock_stands_for_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(("allowance__gte", datetime.timedelta(0)), ("grace__gte", datetime.timedelta(0))),
                name="time_given_is_not_negative",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("turn_time__gte", datetime.timedelta(seconds=300)), ("turn_time__lte", datetime.timedelta(days=14))
                ),
                name="turn_time_within_bounds",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("bank_cap", None), ("increment", None)),
                    models.Q(
                        ("increment__gte", datetime.timedelta(0)),
                        ("increment__isnull", False),
                        ("increment__lte", models.F("bank_cap")),
                        ("bank_cap__gte", models.F("turn_time")),
                        ("bank_cap__isnull", False),
                        ("bank_cap__lte", datetime.timedelta(days=30)),
                    ),
                    _connector="OR",
                ),
                name="banks_within_bounds",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("deadline_hour", None), ("deadline_hour__lte", 23), _connector="OR"),
                    models.Q(
                        models.Q(("quiet_from", None), ("quiet_to", None)),
                        models.Q(
                            ("quiet_from__isnull", False),
                            ("quiet_from__lte", 23),
                            ("quiet_to__isnull", False),
                            ("quiet_to__lte", 23),
                            models.Q(
                                ("quiet_from__lt", models.F("quiet_to")),
                                ("quiet_from__gt", models.F("quiet_to")),
                                _connector="OR",
                            ),
                        ),
                        _connector="OR",
                    ),
                ),
                name="hours_of_the_day",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("deadline_hour", None),
                    ("quiet_from", None),
                    models.Q(
                        ("quiet_from__lt", models.F("quiet_to")),
                        models.Q(
                            ("deadline_hour__lt", models.F("quiet_from")),
                            ("deadline_hour__gte", models.F("quiet_to")),
                            _connector="OR",
                        ),
                    ),
                    models.Q(
                        ("deadline_hour__gte", models.F("quiet_to")),
                        ("deadline_hour__lt", models.F("quiet_from")),
                        ("quiet_from__gt", models.F("quiet_to")),
                    ),
                    _connector="OR",
                ),
                name="no_turn_ends_in_quiet_hours",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(("bank", None), ("bank__gte", datetime.timedelta(0)), _connector="OR"),
                name="a_bank_is_not_overdrawn",
            ),
        ),
    ]

import datetime

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# Who holds the seats of the matches that have begun, held them from the start.
HOLDERS = """
INSERT INTO games_tenure (game_id, seat, user_id, bot, from_deal, from_entry)
SELECT seat.game_id, seat.index, seat.user_id, seat.bot, 0, 0
FROM games_seat seat JOIN games_game game ON game.id = seat.game_id WHERE game.started_at IS NOT NULL
"""


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0004_clock"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Reliability",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="reliability",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("recent", models.CharField(max_length=100)),
            ],
            options={
                "verbose_name": "reliability",
                "verbose_name_plural": "reliabilities",
            },
        ),
        migrations.CreateModel(
            name="Tenure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField()),
                ("bot", models.CharField(blank=True, max_length=16, verbose_name="computer player")),
                ("from_deal", models.PositiveSmallIntegerField()),
                ("from_entry", models.PositiveIntegerField()),
            ],
            options={
                "verbose_name": "tenure",
                "verbose_name_plural": "tenures",
                "ordering": ["from_entry", "seat"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="game",
            name="patience_of_one_turn_or_more",
        ),
        migrations.RemoveConstraint(
            model_name="game",
            name="a_clock_stands_for_a_reason",
        ),
        migrations.RemoveField(
            model_name="game",
            name="patience",
        ),
        migrations.AddField(
            model_name="game",
            name="absence_limit",
            field=models.DurationField(
                default=datetime.timedelta(days=7),
                validators=[
                    django.core.validators.MinValueValidator(datetime.timedelta(seconds=3600)),
                    django.core.validators.MaxValueValidator(datetime.timedelta(days=30)),
                ],
                verbose_name="time before an absent seat resigns",
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="absent_after",
            field=models.PositiveSmallIntegerField(
                default=2,
                validators=[django.core.validators.MinValueValidator(1)],
                verbose_name="expired turns in a row before the seat is absent",
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="deserted",
            field=models.BooleanField(default=False, verbose_name="every player still in the match is absent"),
        ),
        migrations.AddField(
            model_name="game",
            name="excuses",
            field=models.PositiveSmallIntegerField(default=1, verbose_name="excused turns of a seat"),
        ),
        migrations.AddField(
            model_name="game",
            name="min_reliability",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)],
                verbose_name="least reliability, in percent",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="absent_since",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="seat",
            name="absent_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="seat",
            name="excused",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="seat",
            name="held_from",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                models.F("absent_until"), condition=models.Q(("absent_until__isnull", False)), name="absent_by_limit"
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("deadline", None),
                        models.Q(("away", False), ("deserted", False), ("frozen_until", None), ("paused_at", None)),
                        _connector="OR",
                    ),
                    models.Q(
                        ("left", None),
                        ("paused_at__isnull", False),
                        ("frozen_until__isnull", False),
                        ("away", True),
                        ("deserted", True),
                        _connector="OR",
                    ),
                ),
                name="a_clock_stands_for_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(condition=models.Q(("absent_after__gte", 1)), name="absent_after_one_turn_or_more"),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("absence_limit__gte", datetime.timedelta(seconds=3600)), ("absence_limit__lte", datetime.timedelta(days=30))
                ),
                name="absence_limit_within_bounds",
            ),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("min_reliability", None),
                    models.Q(("min_reliability__gte", 1), ("min_reliability__lte", 100)),
                    _connector="OR",
                ),
                name="min_reliability_is_a_percentage",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("absent_since", None), ("absent_until", None)),
                    models.Q(
                        ("absent_since__isnull", False),
                        ("absent_until__isnull", False),
                        ("resigned", False),
                        ("user__isnull", False),
                        ("absent_until__gte", models.F("absent_since")),
                    ),
                    _connector="OR",
                ),
                name="absent_seats_are_players_until_a_day",
            ),
        ),
        migrations.AddConstraint(
            model_name="reliability",
            constraint=models.CheckConstraint(condition=models.Q(("recent__regex", "^[01]+$")), name="turns_in_time_or_not"),
        ),
        migrations.AddField(
            model_name="tenure",
            name="game",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="tenures", to="games.game"),
        ),
        migrations.AddField(
            model_name="tenure",
            name="user",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tenures",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="tenure",
            constraint=models.UniqueConstraint(fields=("game", "seat", "from_entry"), name="one_holder_at_a_time"),
        ),
        migrations.AddConstraint(
            model_name="tenure",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("bot", ""), ("user__isnull", False)),
                    models.Q(("user", None), models.Q(("bot", ""), _negated=True)),
                    _connector="OR",
                ),
                name="held_by_a_player_or_a_computer",
            ),
        ),
        migrations.RunSQL(HOLDERS, migrations.RunSQL.noop),
    ]

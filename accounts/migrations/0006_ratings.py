import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_leagues"),
        ("games", "0003_exchange_of_doubles"),
    ]

    operations = [
        migrations.CreateModel(
            name="RatedMatch",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="rated",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("variant", models.CharField(max_length=16, verbose_name="game")),
                ("at", models.DateTimeField()),
                ("waiting", models.BooleanField(default=True)),
            ],
            options={
                "verbose_name": "rated match",
                "verbose_name_plural": "rated matches",
                "indexes": [
                    models.Index(models.F("variant"), models.F("at"), models.F("game"), name="matches_as_they_ended"),
                    models.Index(models.F("variant"), condition=models.Q(("waiting", True)), name="matches_to_be_rated"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("variant", models.CharField(max_length=16, verbose_name="game")),
                ("at", models.DateTimeField()),
                ("bot", models.CharField(blank=True, max_length=16, verbose_name="computer player")),
                ("place", models.PositiveSmallIntegerField()),
                ("matches", models.PositiveIntegerField()),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="ratings", to="accounts.ratedmatch"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "rating",
                "verbose_name_plural": "ratings",
                "ordering": ["at", "match"],
                "indexes": [
                    models.Index(
                        models.F("user"),
                        models.F("variant"),
                        models.F("at"),
                        models.F("match"),
                        condition=models.Q(("bot", "")),
                        name="ratings_of_players",
                    ),
                    models.Index(
                        models.F("bot"),
                        models.F("variant"),
                        models.F("at"),
                        models.F("match"),
                        condition=models.Q(("user", None)),
                        name="ratings_of_computers",
                    ),
                    models.Index(models.F("variant"), models.F("at"), models.F("match"), name="ratings_as_they_came"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("bot", "")), fields=("match", "user"), name="a_match_rates_a_player_once"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("user", None)), fields=("match", "bot"), name="a_match_rates_a_computer_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("bot", ""), ("user__isnull", False)),
                            models.Q(("user", None), models.Q(("bot", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="rated_is_a_player_or_a_computer",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("matches__gte", 1), ("sigma__gt", 0)), name="ratings_are_uncertain"
                    ),
                ],
            },
        ),
    ]

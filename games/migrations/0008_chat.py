"""The chat of a table."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0007_pauses"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="said",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="seat",
            name="seen_chat",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.CreateModel(
            name="Saying",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("text", models.CharField(max_length=300, verbose_name="words")),
                ("said_at", models.DateTimeField(verbose_name="said")),
                ("removed_at", models.DateTimeField(blank=True, null=True, verbose_name="removed")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sayings", to="games.game", verbose_name="table"
                    ),
                ),
                (
                    "removed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="removed by",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "words in a chat",
                "verbose_name_plural": "words in chats",
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="ChatReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("made_at", models.DateTimeField(verbose_name="reported")),
                (
                    "outcome",
                    models.CharField(
                        choices=[("open", "to be looked at"), ("removed", "words removed"), ("kept", "words stay")],
                        default="open",
                        max_length=8,
                        verbose_name="outcome",
                    ),
                ),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed")),
                (
                    "closed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="referee",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="reported by",
                    ),
                ),
                (
                    "saying",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports",
                        to="games.saying",
                        verbose_name="words",
                    ),
                ),
            ],
            options={
                "verbose_name": "report from a chat",
                "verbose_name_plural": "reports from chats",
                "permissions": [("referee", "Is a referee")],
            },
        ),
        migrations.CreateModel(
            name="Mute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                (
                    "muted",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="muted_by", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="mutes", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "muted"), name="one_mute_per_pair"),
                    models.CheckConstraint(
                        condition=models.Q(("user", models.F("muted")), _negated=True), name="nobody_mutes_themselves"
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="saying",
            constraint=models.UniqueConstraint(fields=("game", "number"), name="one_saying_per_number"),
        ),
        migrations.AddIndex(
            model_name="chatreport",
            index=models.Index(models.F("made_at"), condition=models.Q(("outcome", "open")), name="open_reports_by_age"),
        ),
        migrations.AddConstraint(
            model_name="chatreport",
            constraint=models.UniqueConstraint(fields=("saying", "user"), name="one_report_per_reader"),
        ),
        migrations.AddConstraint(
            model_name="chatreport",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("closed_at", None), ("outcome", "open")),
                    models.Q(models.Q(("outcome", "open"), _negated=True), ("closed_at__isnull", False)),
                    _connector="OR",
                ),
                name="closed_reports_have_an_outcome",
            ),
        ),
    ]

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_unlogged_rate_limits"),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="webhook",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("url", models.URLField(max_length=1000, verbose_name="address")),
                ("made_at", models.DateTimeField()),
            ],
            options={
                "verbose_name": "webhook",
                "verbose_name_plural": "webhooks",
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=16)),
                ("key", models.CharField(max_length=120)),
                ("game", models.CharField(blank=True, max_length=16)),
                ("facts", models.JSONField(default=dict)),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("made_at", models.DateTimeField()),
                ("due_at", models.DateTimeField()),
                ("spread_at", models.DateTimeField(blank=True, null=True)),
                ("remind_at", models.DateTimeField(blank=True, null=True)),
                ("on_site", models.BooleanField(default=True)),
                ("read_at", models.DateTimeField(blank=True, null=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "closed",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("played", "the turn had been played"),
                            ("expired", "time had run out"),
                            ("replaced", "a newer message came"),
                            ("seen", "you had seen it at the table"),
                            ("declined", "you declined it"),
                            ("over", "it was over by then"),
                            ("gone", "the table was gone"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "message",
                "verbose_name_plural": "messages",
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("way", models.CharField(choices=[("mail", "mail"), ("push", "push"), ("webhook", "webhook")], max_length=8)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("sending", "being sent"),
                            ("sent", "sent"),
                            ("dropped", "not sent"),
                            ("failed", "failed"),
                            ("unknown", "unknown"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("read", "you had seen it on the site"),
                            ("off", "you turned it off"),
                            ("unverified", "your address is not confirmed"),
                            ("nowhere", "there is no address any more"),
                            ("played", "the turn had been played"),
                            ("expired", "time had run out"),
                            ("replaced", "a newer message came"),
                            ("seen", "you had seen it at the table"),
                            ("declined", "you declined it"),
                            ("over", "it was over by then"),
                            ("gone", "the table was gone"),
                        ],
                        max_length=10,
                    ),
                ),
                ("digest", models.BooleanField(default=False)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("next_at", models.DateTimeField(blank=True, null=True)),
                ("began_at", models.DateTimeField(blank=True, null=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("last_error", models.CharField(blank=True, max_length=300)),
                (
                    "message",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="accounts.message",
                    ),
                ),
            ],
            options={
                "verbose_name": "delivery",
                "verbose_name_plural": "deliveries",
            },
        ),
        migrations.CreateModel(
            name="MessageSettings",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="message_settings",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "hurry",
                    models.PositiveSmallIntegerField(
                        choices=[(50, "50 %"), (30, "30 %"), (20, "20 %"), (10, "10 %")], default=20, verbose_name="hurry at"
                    ),
                ),
                ("quiet_from", models.TimeField(blank=True, null=True, verbose_name="quiet from")),
                ("quiet_to", models.TimeField(blank=True, null=True, verbose_name="quiet to")),
                (
                    "digest_hour",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MaxValueValidator(23)],
                        verbose_name="one letter a day at",
                    ),
                ),
                ("not_while_looking", models.BooleanField(default=True, verbose_name="not while I am looking at that table")),
            ],
            options={
                "verbose_name": "message settings",
                "verbose_name_plural": "message settings",
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("hurry__in", [50, 30, 20, 10])), name="hurry_at_a_known_share"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("quiet_from", None), ("quiet_to", None)),
                            models.Q(("quiet_from__isnull", False), ("quiet_to__isnull", False)),
                            _connector="OR",
                        ),
                        name="quiet_hours_have_two_ends",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("digest_hour", None), ("digest_hour__lte", 23), _connector="OR"),
                        name="digest_at_an_hour",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Preference",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=16)),
                (
                    "way",
                    models.CharField(
                        choices=[("site", "site"), ("mail", "mail"), ("push", "push"), ("webhook", "webhook")], max_length=8
                    ),
                ),
                ("wanted", models.BooleanField()),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="preferences",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "preference",
                "verbose_name_plural": "preferences",
            },
        ),
        migrations.CreateModel(
            name="PushSubscription",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("endpoint", models.URLField(max_length=1000, unique=True)),
                ("p256dh", models.CharField(max_length=100)),
                ("auth", models.CharField(max_length=40)),
                ("device", models.CharField(blank=True, max_length=80)),
                ("made_at", models.DateTimeField()),
                ("last_sent_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="push_subscriptions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "push subscription",
                "verbose_name_plural": "push subscriptions",
            },
        ),
        migrations.CreateModel(
            name="Looking",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=16)),
                ("at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "look",
                "verbose_name_plural": "looks",
                "constraints": [models.UniqueConstraint(fields=("user", "game"), name="one_look_each")],
            },
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(models.F("due_at"), condition=models.Q(("spread_at", None)), name="messages_to_spread"),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                models.F("remind_at"), condition=models.Q(("remind_at__isnull", False)), name="messages_to_remind_of"
            ),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                models.F("game"),
                condition=models.Q(("closed_at", None), ("kind__in", ["turn", "hurry"])),
                name="messages_that_ask",
            ),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                models.F("user"),
                condition=models.Q(("closed_at", None), ("on_site", True), ("read_at", None), ("spread_at__isnull", False)),
                name="unread_messages",
            ),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                models.F("user"), models.OrderBy(models.F("made_at"), descending=True), name="messages_of_a_person"
            ),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(models.F("made_at"), name="messages_by_age"),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(fields=("user", "kind", "key"), name="told_once"),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("closed", ""), ("closed_at", None)),
                    models.Q(("closed_at__isnull", False), models.Q(("closed", ""), _negated=True)),
                    _connector="OR",
                ),
                name="closed_messages_say_why",
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=models.Q(("remind_at", None), ("closed_at", None), _connector="OR"), name="only_open_messages_remind"
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                models.F("way"), models.F("next_at"), condition=models.Q(("status", "waiting")), name="deliveries_waiting"
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(models.F("began_at"), condition=models.Q(("status", "sending")), name="deliveries_being_sent"),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.UniqueConstraint(fields=("message", "way"), name="each_way_once"),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("next_at__isnull", False), ("status", "waiting")),
                    models.Q(models.Q(("status", "waiting"), _negated=True), ("next_at", None)),
                    _connector="OR",
                ),
                name="who_waits_knows_until_when",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("sent_at__isnull", False), ("status", "sent")),
                    models.Q(models.Q(("status", "sent"), _negated=True), ("sent_at", None)),
                    _connector="OR",
                ),
                name="sent_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "dropped"), models.Q(("reason", ""), _negated=True)),
                    models.Q(models.Q(("status", "dropped"), _negated=True), ("reason", "")),
                    _connector="OR",
                ),
                name="dropped_for_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(models.Q(("status", "sending"), _negated=True), ("began_at__isnull", False), _connector="OR"),
                name="attempts_have_a_beginning",
            ),
        ),
        migrations.AddConstraint(
            model_name="preference",
            constraint=models.UniqueConstraint(fields=("user", "kind", "way"), name="one_preference_each"),
        ),
        migrations.CreateModel(
            name="SiteKey",
            fields=[
                ("name", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("private", models.CharField(max_length=64)),
                ("public", models.CharField(max_length=128)),
            ],
            options={"verbose_name": "key of the site", "verbose_name_plural": "keys of the site"},
        ),
        # What a page told a moment ago may be lost in a crash: no request waits for the disk for it.
        migrations.RunSQL("ALTER TABLE accounts_looking SET UNLOGGED", "ALTER TABLE accounts_looking SET LOGGED"),
    ]

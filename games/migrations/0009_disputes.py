"""Disputes, their steps and rulings; deals that are void."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GUARD = """
CREATE FUNCTION games_ruling_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rulings are append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE FUNCTION games_step_keeps_what_happened() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.words = '' AND (OLD.id, OLD.dispute_id, OLD.at, OLD.kind, OLD.user_id, OLD.facts)
            IS NOT DISTINCT FROM (NEW.id, NEW.dispute_id, NEW.at, NEW.kind, NEW.user_id, NEW.facts) THEN
        RETURN NEW;  -- the words of an account that is no more
    END IF;
    RAISE EXCEPTION 'the steps of a dispute are append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER games_ruling_append_only BEFORE UPDATE OR DELETE ON games_ruling
    FOR EACH ROW EXECUTE FUNCTION games_ruling_is_append_only();
CREATE TRIGGER games_step_append_only BEFORE UPDATE OR DELETE ON games_step
    FOR EACH ROW EXECUTE FUNCTION games_step_keeps_what_happened();
"""
OPEN = """
DROP TRIGGER games_step_append_only ON games_step;
DROP TRIGGER games_ruling_append_only ON games_ruling;
DROP FUNCTION games_step_keeps_what_happened();
DROP FUNCTION games_ruling_is_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0008_chat"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Dispute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("rule", "wrong rule or score"),
                            ("stalling", "stalling"),
                            ("collusion", "collusion"),
                            ("abuse", "abuse in chat"),
                            ("mistake", "mistake of my own"),
                            ("other", "other"),
                        ],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("deal", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="deal")),
                ("move", models.PositiveIntegerField(blank=True, null=True, verbose_name="move")),
                ("words", models.TextField(max_length=2000, verbose_name="claim")),
                ("opened_at", models.DateTimeField(verbose_name="opened")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "waits for a referee"),
                            ("claimed", "a referee looks into it"),
                            ("ruled", "ruled"),
                            ("appealed", "appealed, waits for another referee"),
                            ("reclaimed", "another referee looks into the appeal"),
                            ("closed", "ruled for good"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="open",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("frozen_for", models.DurationField(blank=True, null=True, verbose_name="clock frozen for")),
            ],
            options={
                "verbose_name": "dispute",
                "verbose_name_plural": "disputes",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("appeal", models.BooleanField(default=False, verbose_name="on appeal")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("dismiss", "dismissed"),
                            ("void", "deal void"),
                            ("back", "gone back to before a move"),
                            ("points", "points adjusted"),
                            ("remove", "player removed"),
                            ("reopen", "match taken up again"),
                        ],
                        max_length=8,
                        verbose_name="ruling",
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="time")),
                ("reason", models.TextField(max_length=2000, verbose_name="reason")),
                ("facts", models.JSONField(default=dict)),
                ("entry", models.PositiveIntegerField()),
            ],
            options={
                "verbose_name": "ruling",
                "verbose_name_plural": "rulings",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Step",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(verbose_name="time")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("opened", "opened"),
                            ("answered", "answered"),
                            ("asked", "asked"),
                            ("claimed", "taken up by a referee"),
                            ("released", "given back to the queue"),
                            ("looked", "looked at all hands"),
                            ("frozen", "froze the clock"),
                            ("thawed", "let the clock go on"),
                            ("ruled", "ruled"),
                            ("appealed", "appealed"),
                            ("withdrawn", "withdrew it"),
                        ],
                        max_length=10,
                        verbose_name="what",
                    ),
                ),
                ("words", models.TextField(blank=True, max_length=2000, verbose_name="words")),
                ("facts", models.JSONField(default=dict)),
            ],
            options={
                "verbose_name": "step of a dispute",
                "verbose_name_plural": "steps of disputes",
                "ordering": ["pk"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="deal",
            name="one_deal_at_a_time",
        ),
        migrations.AddField(
            model_name="deal",
            name="voided",
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name="answer",
            name="actor",
            field=models.CharField(
                blank=True,
                choices=[
                    ("player", "player"),
                    ("clock", "the clock"),
                    ("computer", "computer"),
                    ("server", "server"),
                    ("referee", "referee"),
                ],
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="actor",
            field=models.CharField(
                choices=[
                    ("player", "player"),
                    ("clock", "the clock"),
                    ("computer", "computer"),
                    ("server", "server"),
                    ("referee", "referee"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="deal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("scored", False), ("voided", False)), fields=("game",), name="one_deal_at_a_time"
            ),
        ),
        migrations.AddField(
            model_name="dispute",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="disputes", to="games.game", verbose_name="table"
            ),
        ),
        migrations.AddField(
            model_name="dispute",
            name="opener",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="disputes",
                to=settings.AUTH_USER_MODEL,
                verbose_name="opened by",
            ),
        ),
        migrations.AddField(
            model_name="dispute",
            name="referee",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="cases",
                to=settings.AUTH_USER_MODEL,
                verbose_name="referee",
            ),
        ),
        migrations.AddField(
            model_name="ruling",
            name="dispute",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="rulings", to="games.dispute", verbose_name="dispute"
            ),
        ),
        migrations.AddField(
            model_name="ruling",
            name="referee",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rulings",
                to=settings.AUTH_USER_MODEL,
                verbose_name="referee",
            ),
        ),
        migrations.AddField(
            model_name="step",
            name="dispute",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="steps", to="games.dispute", verbose_name="dispute"
            ),
        ),
        migrations.AddField(
            model_name="step",
            name="user",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="who",
            ),
        ),
        migrations.AddIndex(
            model_name="dispute",
            index=models.Index(
                models.F("opened_at"),
                condition=models.Q(("state__in", ["open", "claimed", "appealed", "reclaimed"])),
                name="unsettled_by_age",
            ),
        ),
        migrations.AddConstraint(
            model_name="dispute",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["open", "claimed", "appealed", "reclaimed"])),
                fields=("game", "opener"),
                name="one_unsettled_dispute_a_player",
            ),
        ),
        migrations.AddConstraint(
            model_name="dispute",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("referee__isnull", False), ("state__in", ["claimed", "reclaimed"])),
                    models.Q(models.Q(("state__in", ["claimed", "reclaimed"]), _negated=True), ("referee", None)),
                    _connector="OR",
                ),
                name="claimed_disputes_have_a_referee",
            ),
        ),
        migrations.AddConstraint(
            model_name="dispute",
            constraint=models.CheckConstraint(
                condition=models.Q(("move", None), ("deal__isnull", False), _connector="OR"), name="disputed_moves_are_of_a_deal"
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.UniqueConstraint(fields=("dispute", "appeal"), name="one_ruling_and_one_on_appeal"),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.UniqueConstraint(fields=("dispute", "referee"), name="another_referee_rules_on_appeal"),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(condition=models.Q(("reason", ""), _negated=True), name="rulings_have_a_reason"),
        ),
        migrations.AddIndex(
            model_name="step",
            index=models.Index(models.F("dispute"), models.F("user"), condition=models.Q(("kind", "looked")), name="looks"),
        ),
        migrations.RunSQL(GUARD, OPEN),
    ]

"""The chain of the log and the sealed shuffle. Logs that are there already get their chain, tables that go on a sealed seed."""

import secrets

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

import games.models.tables
from games import engine
from games.engine import chain


def chain_logs(apps, schema_editor):
    Game, Entry = apps.get_model("games", "Game"), apps.get_model("games", "Entry")
    for game in Game.objects.filter(log_length__gt=0).iterator():
        game.log_head = chain.root(game.code)
        entries = list(Entry.objects.filter(game=game).order_by("number"))
        for entry in entries:
            _hang(entry, game)
        Entry.objects.bulk_update(entries, ["at", "hash"], batch_size=1_000)
        game.save(update_fields=["log_head"])


def seal_next_deals(apps, schema_editor):
    Game, Entry, Seal = (apps.get_model("games", name) for name in ("Game", "Entry", "Seal"))
    for game in Game.objects.filter(status__in=["open", "running"]).iterator():
        number, seed = game.deals.count(), secrets.token_bytes(32)
        Seal.objects.create(game=game, number=number, seed=seed)
        facts = {"number": number, "seal": engine.seal(seed, engine.deal_id(game.code, number))}
        entry = Entry(
            game=game, number=game.log_length, at=timezone.now(), kind="event", actor="server", text="sealed", facts=facts
        )
        _hang(entry, game)
        entry.save(force_insert=True)
        game.log_length += 1
        game.save(update_fields=["log_length", "log_head"])


def _hang(entry, game):
    entry.at = entry.at.replace(microsecond=entry.at.microsecond // 1_000 * 1_000)
    at = chain.moment(entry.at)
    content = chain.Row(entry.number, at, entry.kind, entry.actor, entry.seat, entry.deal, entry.text, entry.facts)
    game.log_head = entry.hash = chain.link(game.log_head, "", content)


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0005_absence"),
    ]

    operations = [
        migrations.AddField("entry", "hash", models.CharField(max_length=64, default=""), preserve_default=False),
        migrations.AddField("entry", "salt", models.CharField(blank=True, max_length=64, default=""), preserve_default=False),
        migrations.AddField("game", "log_head", models.CharField(blank=True, max_length=64, default=""), preserve_default=False),
        migrations.CreateModel(
            "Seal",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="seal",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("seed", models.BinaryField(max_length=32)),
            ],
            options={"verbose_name": "sealed seed", "verbose_name_plural": "sealed seeds"},
        ),
        migrations.CreateModel(
            "KeptRecord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "code",
                    models.CharField(default=games.models.tables.new_code, editable=False, max_length=14, unique=True),
                ),
                ("record", models.JSONField()),
                ("kept_at", models.DateTimeField()),
                ("forget_at", models.DateTimeField()),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="records", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={"verbose_name": "kept record", "verbose_name_plural": "kept records"},
        ),
        migrations.AddIndex("keptrecord", models.Index(models.F("forget_at"), name="records_by_age")),
        migrations.AddField("deal", "algorithm", models.CharField(default="remi-shuffle/1", max_length=16)),
        migrations.AlterField("deal", "algorithm", models.CharField(default="remi-shuffle/2", max_length=16)),
        migrations.AddField("deal", "contributions", models.JSONField(default=list)),
        migrations.AddField(
            "seat", "contribution", models.CharField(blank=True, max_length=64, default=""), preserve_default=False
        ),
        migrations.RunSQL("ALTER TABLE games_entry DISABLE TRIGGER games_entry_append_only", migrations.RunSQL.noop),
        migrations.RunPython(chain_logs, migrations.RunPython.noop),
        migrations.RunSQL("ALTER TABLE games_entry ENABLE TRIGGER games_entry_append_only", migrations.RunSQL.noop),
        migrations.RunPython(seal_next_deals, migrations.RunPython.noop),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.AddConstraint(
            "entry",
            models.CheckConstraint(condition=models.Q(("hash__regex", "^[0-9a-f]{64}$")), name="every_row_has_its_hash"),
        ),
    ]

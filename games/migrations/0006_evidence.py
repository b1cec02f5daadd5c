"""The chain of the log; logs that are there already get theirs."""

from django.db import migrations, models

from games.engine import chain


def chain_logs(apps, schema_editor):
    Game, Entry = apps.get_model("games", "Game"), apps.get_model("games", "Entry")
    for game in Game.objects.filter(log_length__gt=0).iterator():
        head = chain.root(game.code)
        entries = list(Entry.objects.filter(game=game).order_by("number"))
        for entry in entries:
            entry.at = entry.at.replace(microsecond=entry.at.microsecond // 1_000 * 1_000)
            content = [getattr(entry, name) for name in chain.CONTENT]
            content[1] = chain.moment(entry.at)
            head = entry.hash = chain.link(head, "", content)
        Entry.objects.bulk_update(entries, ["at", "hash"], batch_size=1_000)
        Game.objects.filter(pk=game.pk).update(log_head=head)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_absence"),
    ]

    operations = [
        migrations.AddField("entry", "hash", models.CharField(max_length=64, default=""), preserve_default=False),
        migrations.AddField("entry", "salt", models.CharField(blank=True, max_length=64, default=""), preserve_default=False),
        migrations.AddField("game", "log_head", models.CharField(blank=True, max_length=64, default=""), preserve_default=False),
        migrations.RunSQL("ALTER TABLE games_entry DISABLE TRIGGER games_entry_append_only", migrations.RunSQL.noop),
        migrations.RunPython(chain_logs, migrations.RunPython.noop),
        migrations.RunSQL("ALTER TABLE games_entry ENABLE TRIGGER games_entry_append_only", migrations.RunSQL.noop),
        migrations.AddConstraint(
            "entry",
            models.CheckConstraint(condition=models.Q(("hash__regex", "^[0-9a-f]{64}$")), name="every_row_has_its_hash"),
        ),
    ]

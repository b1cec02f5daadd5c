"""What was in a bank before a row of the log took time from it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0010_logs_are_not_emptied")]
    operations = [migrations.AddField("entry", "bank", models.JSONField(blank=True, editable=False, null=True))]

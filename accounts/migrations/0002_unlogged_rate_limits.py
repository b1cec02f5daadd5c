"""Counts of limits may be lost in a crash: without a log of them no request waits for the disk just to be counted."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]
    operations = [migrations.RunSQL("ALTER TABLE accounts_ratelimit SET UNLOGGED", "ALTER TABLE accounts_ratelimit SET LOGGED")]

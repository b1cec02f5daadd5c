from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0003_exchange_of_doubles"),
    ]

    operations = []

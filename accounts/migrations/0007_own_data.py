"""What somebody has asked to be given of their data."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_ratings"),
    ]

    operations = [
        migrations.CreateModel(
            name="Export",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="export",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("asked_at", models.DateTimeField()),
                ("made_at", models.DateTimeField(null=True)),
                ("content", models.BinaryField(null=True)),
            ],
            options={
                "verbose_name": "download of one’s data",
                "verbose_name_plural": "downloads of one’s data",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("content", None), ("made_at", None)),
                            models.Q(("content__isnull", False), ("made_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="exports_have_a_content_once_made",
                    )
                ],
            },
        ),
    ]

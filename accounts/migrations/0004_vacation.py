import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_messages"),
    ]

    operations = [
        migrations.CreateModel(
            name="Vacation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("first_day", models.DateField(verbose_name="first day")),
                ("last_day", models.DateField(verbose_name="last day")),
                ("zone", models.CharField(max_length=64, verbose_name="time zone")),
                ("begins", models.DateTimeField(verbose_name="begins")),
                ("ends", models.DateTimeField(verbose_name="ends")),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="vacations", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "vacation",
                "verbose_name_plural": "vacations",
                "ordering": ["begins"],
                "constraints": [
                    models.UniqueConstraint(fields=["user"], name="one_vacation_at_a_time", condition=models.Q(ended_at=None)),
                    models.CheckConstraint(
                        condition=models.Q(first_day__lte=models.F("last_day"), begins__lt=models.F("ends")),
                        name="vacations_begin_before_they_end",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(ended_at=None)
                        | models.Q(ended_at__gte=models.F("begins"), ended_at__lte=models.F("ends")),
                        name="vacations_end_while_they_last",
                    ),
                ],
            },
        ),
    ]

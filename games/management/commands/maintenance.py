"""`manage.py maintenance`: work on the site during which no turn runs out and no clock counts."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games.models import REASON_LENGTH, Watch
from games.services import outages


class Command(BaseCommand):
    help = "Says that the site is being worked on: no turn runs out meanwhile, and every clock gets the time back afterwards."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("state", nargs="?", choices=["on", "off"], help="without it: say how it is")
        parser.add_argument("reason", nargs="?", default="", help="why; every player reads it in the log")

    def handle(self, *args: Any, state: str | None = None, reason: str = "", **options: Any) -> None:
        if len(reason) > REASON_LENGTH:
            raise CommandError(f"The reason is too long: at most {REASON_LENGTH} characters.")
        now = timezone.now()
        if state == "on" and not outages.begin_maintenance(reason=reason, now=now):
            raise CommandError("The site is being worked on already.")
        if state == "off" and not outages.end_maintenance(now=now):
            raise CommandError("Nobody works on the site.")
        watch = Watch.objects.first()
        if watch is not None and watch.maintenance_since is not None:
            self.stdout.write(f"Worked on since {watch.maintenance_since:%Y-%m-%d %H:%M} UTC. No turn runs out.")
        else:
            self.stdout.write("Nobody works on the site.")

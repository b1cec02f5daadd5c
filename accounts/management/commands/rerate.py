"""`manage.py rerate`: make all ratings anew from the results of the matches; `--check` only says where they would differ."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.leagues.ratings.services import rerate
from accounts.models import RatedMatch


class Command(BaseCommand):
    help = "Makes all ratings anew from results. With --check it only says where they differ; then the exit code is 1."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="say where the ratings differ, and change nothing")

    def handle(self, *args: Any, check: bool = False, **options: Any) -> None:
        found = rerate(keep=not check)
        for sentence in found:
            self.stdout.write(sentence)
        if found and check:
            raise CommandError("The ratings are not what the results make.")
        said = "All ratings were as the results make them." if not found else "The ratings are now as the results make them."
        self.stdout.write(f"Matches: {RatedMatch.objects.count()}. {said}")

"""`manage.py demo`: a league to look at, with a season that is over and one under way."""

from __future__ import annotations

import random
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone, translation

from accounts.leagues.demo.services import make, there


class Command(BaseCommand):
    help = "Makes a league of a dozen members to look at, from matches that the computer plays for them. Twice makes it once."

    def add_arguments(self, parser: CommandParser) -> None:
        languages = [code for code, _name in settings.LANGUAGES]
        parser.add_argument("--language", choices=languages, default=settings.LANGUAGE_CODE, help="of the league's words")

    def handle(self, *args: Any, language: str, **options: Any) -> None:
        known = there() is not None
        with translation.override(language):
            league = make(now=timezone.now(), rng=random.Random(), say=self.stdout.write)
        if known:
            self.stdout.write("The league is there already; nothing was changed.")
        else:
            self.stdout.write(f"Made the league “{league.name}” with {league.memberships.count()} members.")
        organiser = league.organiser
        assert organiser is not None
        self.stdout.write(
            f"Look at /l/{league.code}/ and /u/{organiser.username}/ as anybody, or join it with an account of your own."
        )

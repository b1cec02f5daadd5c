"""`manage.py audit_leagues`: recompute every league table from deals and decisions, and say where the stored one differs."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.leagues.audit import audit
from accounts.models import Season


class Command(BaseCommand):
    help = "Recomputes the tables of the leagues from the deals and lists where the stored ones differ; then the exit code is 1."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--league", metavar="CODE", help="this league alone")

    def handle(self, *args: Any, league: str | None = None, **options: Any) -> None:
        seasons = Season.objects.order_by("league", "number")
        if league is not None:
            seasons = seasons.filter(league__code=league)
            if not seasons.exists():
                raise CommandError(f"There is no season of a league {league}.")
        looked_at = differing = 0
        for pk, code, number in seasons.values_list("pk", "league__code", "number").iterator():
            found = audit(season_id=pk)
            looked_at += 1
            differing += bool(found)
            for sentence in found:
                self.stdout.write(f"{code}, season {number}: {sentence}")
        if differing:
            raise CommandError(f"Seasons that differ from their deals: {differing} of {looked_at}.")
        self.stdout.write(f"Seasons looked at: {looked_at}. All are as their deals and decisions say.")

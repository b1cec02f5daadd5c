"""`manage.py audit`: replay the logs and say where the snapshots differ from them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Game
from games.services import reliability
from games.services.audit import audit

SHORTEST_HEAD = 8


class Command(BaseCommand):
    help = "Replays the logs of the tables and lists where the stored tables differ from them; then the exit code is 1."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", metavar="CODE", help="this table alone")
        parser.add_argument("--head", metavar="HASH", help="a fingerprint of its log that was noted earlier, or its beginning")

    def handle(self, *args: Any, game: str | None = None, head: str | None = None, **options: Any) -> None:
        if head is not None and (game is None or len(head) < SHORTEST_HEAD):
            raise CommandError(f"--head wants a --game, and at least {SHORTEST_HEAD} signs.")
        games = Game.objects.order_by("pk")
        if game is not None:
            games = games.filter(code=game)
            if not games.exists():
                raise CommandError(f"There is no table {game}.")
        looked_at = differing = 0
        for pk, code in games.values_list("pk", "code").iterator():
            found = audit(game_id=pk, head=head)
            looked_at += 1
            differing += bool(found)
            for sentence in found:
                self.stdout.write(f"{code}: {sentence}")
        players = 0 if game is not None else self._audit_players()
        if differing or players:
            raise CommandError(f"Tables that differ from their logs: {differing} of {looked_at}. Players: {players}.")
        self.stdout.write(f"Tables looked at: {looked_at}. All are as their logs say.")

    def _audit_players(self) -> int:
        """How many figures of players differ."""
        found = reliability.differences()
        for sentence in found:
            self.stdout.write(sentence)
        return len(found)

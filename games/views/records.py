"""The record of a match, to keep: as data and as text."""

from __future__ import annotations

import json

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.people.requests import PlayerRequest
from games import selectors
from games.decorators import hides_foreign_tables, signed_in
from games.models import Game
from games.presenters.names import seat_names
from games.presenters.record_text import record_text
from games.services import records
from games.services.errors import NoSuchTable


@require_safe
@never_cache
@signed_in
@hides_foreign_tables
def as_data(request: PlayerRequest, code: str) -> HttpResponse:
    """The record as `remi-record/1`: what is finished of a match, with all that proves it."""
    game, names = _begun(request, code)
    told = json.dumps(records.export(game=game, names=names), ensure_ascii=False, separators=(",", ":"))
    return _file(told, f"remi-{code}.json", "application/json")


@require_safe
@never_cache
@signed_in
@hides_foreign_tables
def as_text(request: PlayerRequest, code: str) -> HttpResponse:
    """The same to read: deal by deal, a line for each turn."""
    game, names = _begun(request, code)
    told = record_text(game, records.export(game=game, names=names), now=timezone.now())
    return _file(told, f"remi-{code}.txt", "text/plain; charset=utf-8")


def _begun(request: PlayerRequest, code: str) -> tuple[Game, list[str]]:
    game = selectors.find_game(code=code, user=request.user)
    if game.started_at is None:
        raise NoSuchTable
    return game, seat_names(game.seats.select_related("user"))


def _file(text: str, name: str, kind: str) -> HttpResponse:
    answer = HttpResponse(text, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer

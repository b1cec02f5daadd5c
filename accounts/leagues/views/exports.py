"""Table and ledger to keep, and the table for a page elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from accounts.leagues import exports, presenters, selectors
from accounts.leagues.views.guards import of_league, season_of
from accounts.models import League, Season

EMBEDDED_LINES = 20
Rows = Callable[[Season], Iterator[dict[str, Any]]]
KINDS: dict[str, tuple[Iterable[str], Rows]] = {
    "table": (exports.TABLE, exports.table_rows),
    "ledger": (exports.LEDGER, exports.ledger_rows),
}


@require_safe
@of_league
def export(request: HttpRequest, league: League, number: int, kind: str, form: str) -> StreamingHttpResponse:
    """The table or the ledger of a season, as CSV or JSON."""
    season = season_of(league, number)
    if kind not in KINDS or form not in ("csv", "json"):
        raise Http404
    names, rows = KINDS[kind]
    if form == "csv":
        lines, mime = exports.csv_lines(names, rows(season)), "text/csv; charset=utf-8"
    else:
        lines, mime = exports.json_lines(season, kind, rows(season)), "application/json"
    answer = StreamingHttpResponse(lines, content_type=mime)
    answer["Content-Disposition"] = f'attachment; filename="{league.code}-{number}-{kind}.{form}"'
    answer["Cache-Control"] = "no-store"
    return answer


@require_safe
@cache_control(public=True, max_age=60)
@xframe_options_exempt
@of_league
def embed(request: HttpRequest, league: League) -> HttpResponse:
    """The first of the table, the same for everybody, for a frame on another site; `?lang=fr` chooses the language."""
    season = selectors.season(league=league)
    asked = request.GET.get("lang", "")
    language = asked if asked in ("en", "ro", "fr") else translation.get_language()
    with translation.override(language):
        if season is not None:
            season.league = league
        shown = presenters.standing(season, AnonymousUser(), lines=EMBEDDED_LINES) if season else None
        context = {
            "league": league,
            "season": season,
            "words": presenters.game_words(league),
            "season_words": presenters.season_words(season) if season else "",
            "shown": shown,
        }
        return HttpResponse(render_to_string("leagues/embed.html", context))

"""Table and ledger to keep, and the table for a page elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from accounts.leagues import exports, presenters, selectors
from accounts.leagues.views.guards import of_league, season_of
from accounts.models import League, Season
from accounts.people.zones import known_zones

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
    """The first of the table, the same for everybody, for a frame on another site.

    In the language of `?lang=fr`, or the first that the browser asks for; never in that of an account or a cookie, since
    what is kept for others knows neither. Days are those where the organiser lives.
    """
    season = selectors.season(league=league)
    language, zone = _language(request), league.organiser.time_zone if league.organiser else ""
    with translation.override(language), timezone.override(ZoneInfo(zone if zone in known_zones() else "UTC")):
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
        answer = HttpResponse(render_to_string("leagues/embed.html", context))
    answer["Content-Language"] = language
    patch_vary_headers(answer, ["Accept-Language"])
    return answer


def _language(request: HttpRequest) -> str:
    asked = request.GET.get("lang", "")
    if asked in dict(settings.LANGUAGES):
        return asked
    for wanted, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        with suppress(LookupError):
            return translation.get_supported_language_variant(wanted)
    return settings.LANGUAGE_CODE

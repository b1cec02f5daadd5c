"""The rules of each game, for players: one text a language, checked against the engine by the tests."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games.gamenames import NAMES, game_name


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    """Which games there are, with a way to the rules of each."""
    return render(request, "games/rules_index.html", {"here": "rules", "text": _text("index")})


@require_safe
def rules(request: HttpRequest, variant: str) -> HttpResponse:
    """The rules of one game in the reader's language; 404 for a game that there is not."""
    if variant not in NAMES:
        raise Http404
    return render(
        request,
        "games/rules.html",
        {
            "here": "rules",
            "name": game_name(variant),
            "variant": variant,
            "text": _text(variant),
            "games": [(other, game_name(other)) for other in NAMES],
        },
    )


def _text(page: str) -> str:
    """The template with a page's text in the language that is active, English where there is none."""
    language = (get_language() or settings.LANGUAGE_CODE).split("-")[0]
    known = language in dict(settings.LANGUAGES)
    return f"games/rules/{page}.{language if known else settings.LANGUAGE_CODE}.html"

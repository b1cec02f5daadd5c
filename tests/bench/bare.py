"""The least that a view can do under the site's middleware: what the server's figures are shares of."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.utils import timezone

from games.models import Entry, Game


def hello(request: HttpRequest) -> HttpResponse:
    return HttpResponse("hello")


@transaction.atomic
def write(request: HttpRequest, code: str) -> HttpResponse:
    """One SELECT FOR UPDATE, one INSERT, one UPDATE."""
    game = Game.objects.select_for_update().get(code=code)
    Entry.objects.create(
        game=game,
        number=game.log_length,
        at=timezone.now(),
        kind=Entry.Kind.EVENT,
        actor=Entry.Actor.SERVER,
        text="bare",
        hash="0" * 64,
    )
    game.log_length += 1
    game.save(update_fields=["log_length"])
    return HttpResponse("written")


urlpatterns = [
    path("bare/hello/", hello),
    path("bare/write/<slug:code>/", write),
    path("", include("remi_site.urls")),
]

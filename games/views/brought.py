"""Looking at a record that was brought along; nothing of it is stored unless that is asked for."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.people.requests import PlayerRequest
from games.decorators import hides_foreign_tables, limited, signed_in
from games.gamenames import game_name
from games.presenters.brought import fault_of, kept_rows, packed, record_context, source_of, unpacked
from games.presenters.replay import Asked, Frame, Link
from games.services import brought
from games.services.errors import NoSuchTable, ServiceError
from games.views.replay import asked_of, path_of, show, whole

UPLOADS = 120
"""Records that a player may bring along in an hour."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@signed_in
@limited("records", limit=UPLOADS, per_seconds=3600)
def records(request: PlayerRequest) -> HttpResponse:
    """Choose a record; posted, look at it."""
    if request.method != "POST":
        return _form(request)
    file = request.FILES.get("record")
    try:
        if file is None or isinstance(file, list):
            raise brought.RecordFault("record_missing")
        record = brought.read(file.read(brought.MOST_BYTES + 1))
    except brought.RecordFault as fault:
        return _form(request, fault)
    return render(request, "games/record.html", record_context(record))


def _form(request: PlayerRequest, fault: ServiceError | None = None) -> HttpResponse:
    kept = kept_rows(brought.kept_by(user=request.user, now=timezone.now()))
    context = {"kept": kept, "fault": fault_of(fault) if fault else None}
    return render(request, "games/records.html", context, status=422 if fault else 200)


@require_POST
@gzip_page
@never_cache
@vary_on_headers("HX-Request")
@signed_in
def look(request: PlayerRequest) -> HttpResponse:
    """A step of a deal of a record that comes along with the request."""
    record = _sent(request)
    number = whole(request.POST.get("deal", "")) or 0
    hidden = {"record": packed(record), "deal": str(number)}
    return _show(request, record, number, asked_of(request.POST), action=reverse("games:look"), hidden=hidden)


@require_POST
@signed_in
def keep(request: PlayerRequest) -> HttpResponse:
    """Keep a record that comes along with the request."""
    try:
        found = brought.keep(user=request.user, record=_sent(request), now=timezone.now())
    except ServiceError as fault:
        return _form(request, fault)
    messages.success(request, _("Kept. Nobody else can see it."))
    return redirect("games:kept", found.code)


@require_safe
@never_cache
@signed_in
@hides_foreign_tables
def kept(request: PlayerRequest, code: str) -> HttpResponse:
    """A record that the player keeps."""
    found = brought.kept(code=code, user=request.user, now=timezone.now())
    return render(request, "games/record.html", record_context(found.record, found))


@require_safe
@gzip_page
@never_cache
@vary_on_headers("HX-Request")
@signed_in
@hides_foreign_tables
def kept_deal(request: PlayerRequest, code: str, number: int, move: int | None = None) -> HttpResponse:
    """A step of a deal of a record that the player keeps."""
    found = brought.kept(code=code, user=request.user, now=timezone.now())
    asked = asked_of(request.GET)
    other = whole(request.GET.get("deal", ""))
    if other is not None and other != number:
        return redirect(_path(code, other, asked._replace(at=None)))
    if move is not None:
        asked = asked._replace(at=move)
    return _show(request, found.record, number, asked, action=reverse("games:kept_deal", args=[code, number]), code=code,
                 lasting=move is not None)  # fmt: skip


@require_POST
@signed_in
def forget(request: PlayerRequest, code: str) -> HttpResponse:
    """Keep a record no longer."""
    brought.forget(code=code, user=request.user)
    messages.success(request, _("Forgotten."))
    return redirect("games:records")


def _sent(request: HttpRequest) -> dict[str, Any]:
    record = unpacked(request.POST.get("record", ""))
    if record is None:
        raise Http404
    return record


def _path(code: str, number: int, asked: Asked) -> str:
    return path_of("games:kept_deal", "games:kept_step", {"code": code, "number": number}, asked)


def _show(
    request: PlayerRequest, record: dict[str, Any], number: int, asked: Asked, *, action: str, code: str = "",
    hidden: dict[str, str] | None = None, lasting: bool = True,
) -> HttpResponse:  # fmt: skip
    if not 0 <= number < len(record["deals"]):
        raise NoSuchTable if code else Http404
    kept_at, anew = reverse("games:kept", args=[code]) if code else "", reverse("games:records")
    back = Link(kept_at, "i-back", _("To the record")) if code else Link(anew, "i-back", _("Another record"))
    frame = Frame(
        title=", ".join(record["seats"]),
        words=game_name(record["variant"]),
        number=number,
        deals=len(record["deals"]),
        action=action,
        method="get" if code else "post",
        hidden=hidden or {},
        back=back,
        links=[back],
        address=(lambda asked: request.build_absolute_uri(_path(code, number, asked))) if code else None,
    )
    return show(request, source_of(record, number, frame), asked, lasting=lasting)

"""The buttons of the settings page about messages: a device that is to be told, one that is not, and a test."""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles import finders
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from accounts.people import limits
from accounts.people.messages import post, push, wishes
from accounts.people.messages.kinds import SITE, WAYS
from accounts.people.messages.panel import panel
from accounts.people.requests import PlayerRequest

ADDING, TESTS, PER_SECONDS = 20, 8, 600

# The name a browser goes by stands behind those of the browsers it claims to be.
_BROWSERS = (
    ("SamsungBrowser/", "Samsung Internet"), ("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"), ("CriOS/", "Chrome"), ("Safari/", "Safari"),
)  # fmt: skip
_SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")


def device_name(agent: str) -> str:
    """What a browser is called by its owner, as far as it tells: "Firefox · Android"."""
    browser = next((name for mark, name in _BROWSERS if mark in agent), "")
    system = next((name for name in _SYSTEMS if re.search(rf"\b{name}\b", agent)), "")
    return " · ".join(part for part in (browser, {"Macintosh": "Mac"}.get(system, system)) if part)


def _browser(posted: Any) -> push.Browser:
    return push.checked(posted.get("endpoint", ""), posted.get("p256dh", ""), posted.get("auth", ""))


@require_POST
@login_required
def add(request: PlayerRequest) -> HttpResponse:
    """Tell me on this device too."""
    now = timezone.now()
    if not limits.allow(f"device:{request.user.pk}", limit=ADDING, per_seconds=PER_SECONDS, now=now):
        return limits.too_many(request, per_seconds=PER_SECONDS, now=now)
    try:
        browser = _browser(request.POST)
        wishes.add_device(user=request.user, browser=browser, device=device_name(request.headers.get("User-Agent", "")), now=now)
    except push.BadBrowser:
        messages.error(request, _("This browser did not say how it can be reached. Try again, or another browser."))
    except wishes.TooManyDevices:
        messages.error(request, _("Ten devices are the most. Remove one that you do not use any more."))
    else:
        messages.success(request, _("Messages reach this device now."))
    return redirect("settings")


@require_POST
@login_required
def remove(request: PlayerRequest, pk: int) -> HttpResponse:
    """Tell me on that device no more."""
    wishes.remove_device(user=request.user, pk=pk)
    messages.success(request, _("Messages do not go to that device any more."))
    return redirect("settings")


@csrf_exempt
@require_POST
def renew(request: HttpRequest) -> HttpResponse:
    """From the service worker, which has no page and no token: the old address, which nobody else knows, and the new one."""
    try:
        browser = _browser(request.POST)
    except push.BadBrowser:
        return HttpResponse(status=400)
    old = request.POST.get("old", "")
    known = "\x00" not in old and wishes.renew_device(old=old, browser=browser)
    return HttpResponse(status=204 if known else 404)


@require_POST
@login_required
def test(request: PlayerRequest) -> HttpResponse:
    """Send me a test by one way."""
    way, now = request.POST.get("way", ""), timezone.now()
    if way not in WAYS:
        return redirect("settings")
    if not limits.allow(f"test-message:{request.user.pk}", limit=TESTS, per_seconds=PER_SECONDS, now=now):
        return limits.too_many(request, per_seconds=PER_SECONDS, now=now)
    with transaction.atomic():
        post(kind="test", user_ids=[request.user.pk], key=secrets.token_hex(8), facts={"way": way}, now=now)
    if way == SITE:
        messages.success(request, _("A test is on its way: the bell shows it within seconds."))
    else:
        messages.success(request, _("A test is on its way. Under “Does it arrive?” you will see how it went."))
    return redirect("settings")


@require_safe
@never_cache
@login_required
def ways(request: PlayerRequest) -> HttpResponse:
    """How a test is getting on, for the page that waits for it; and the bell."""
    found = panel(user=request.user, wishes=wishes.of(request.user), now=timezone.now())
    return render(request, "accounts/_ways_state.html", {"ways": found, "fresh": True})


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker. It may look after the pages at and below its own address, so it stands at the root."""
    found = finders.find("js/sw.js")
    assert isinstance(found, str)
    headers = {"Cache-Control": "no-cache", "Service-Worker-Allowed": "/"}
    return HttpResponse(Path(found).read_bytes(), content_type="text/javascript; charset=utf-8", headers=headers)

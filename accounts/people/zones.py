"""Time zones: which there are, what their places are called, which one a visitor's browser told of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import lru_cache
from unicodedata import combining, normalize
from zoneinfo import ZoneInfo, available_timezones

from babel.core import get_global
from babel.dates import get_timezone_location
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language

# Set by static/js/remi.js, so that a guest reads the times of the place before any settings are made.
COOKIE = "time_zone"

_unknown = ContextVar("_unknown", default=False)
"""Whether nobody has said in which zone the reader of the page is."""

_AREAS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@lru_cache(maxsize=1)
def known_zones() -> frozenset[str]:
    """UTC and the zones named for a place, each under one name: the aliases are left out."""
    places = {name for name in available_timezones() if name.split("/")[0] in _AREAS}
    return frozenset(_one_name(name) for name in places) | {"UTC"}


def browser_zone(request: HttpRequest) -> str:
    """The zone the browser told of, or "" where it told of none that is known."""
    name = _one_name(request.COOKIES.get(COOKIE, ""))
    return name if name in known_zones() else ""


@contextmanager
def reading_in(zone: str) -> Iterator[None]:
    """Times as in that zone; where it is none that is known, as in the site's, and `is_known` says so."""
    if zone in known_zones():
        with timezone.override(ZoneInfo(zone)):
            yield
        return
    token = _unknown.set(True)
    try:
        yield
    finally:
        _unknown.reset(token)


def is_known() -> bool:
    """Whether the times of the active zone are those of the reader: else they are the site's, and no "for you"."""
    return not _unknown.get()


def _one_name(name: str) -> str:
    """Browsers and systems differ in what they call a zone (Kiev, Kyiv); the Unicode tables have one for all."""
    found = str(get_global("zone_aliases").get(name, name))
    return "UTC" if found == "Etc/UTC" else found


def choices(now: datetime) -> list[tuple[str, str]]:
    """For a field: each zone with its place and the time there at ``now``, in the active language, by place."""
    return [(zone, f"{place}, {now.astimezone(ZoneInfo(zone)):%H:%M}") for zone, place in _places(get_language() or "en")]


def places() -> list[tuple[str, str]]:
    """For a field: each zone with its place, in the active language, by place."""
    return list(_places(get_language() or "en"))


def place_of(zone: str) -> str:
    """The place that a zone is named for, in the active language."""
    return dict(_places(get_language() or "en")).get(zone, zone)


@lru_cache(maxsize=8)
def _places(language: str) -> tuple[tuple[str, str], ...]:
    named = ((zone, get_timezone_location(zone, locale=language, return_city=True)) for zone in known_zones() if zone != "UTC")
    return (("UTC", "UTC"), *sorted(named, key=lambda pair: _without_accents(pair[1])))


def _without_accents(text: str) -> str:
    return "".join(letter for letter in normalize("NFD", text) if not combining(letter)).casefold()

"""What a player has set holds for each page: language and time zone. And that a player was here."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone, translation

from accounts.people import services, zones
from accounts.people.limits import visitor_address


def preferences(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Turn the page to the account's language and time zone, else the browser's. Stands after the authentication."""

    spoken = dict(settings.LANGUAGES)

    def middleware(request: HttpRequest) -> HttpResponseBase:
        user = request.user
        zone = zones.browser_zone(request)
        if user.is_authenticated:
            if user.language in spoken:
                translation.activate(user.language)
                request.LANGUAGE_CODE = translation.get_language()
            zone = user.time_zone or zone
        with zones.reading_in(zone):
            answer = get_response(request)
        if user.is_authenticated and request.method == "POST":
            # where the view counts how often it is asked, that statement has noted it already (games.decorators)
            services.touch(user=user, address=visitor_address(request), now=timezone.now())
        return answer

    return middleware

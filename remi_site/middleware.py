"""What every response carries."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBadRequest
from django.http.response import HttpResponseBase


def utf8_forms(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Refuse a form in another encoding than UTF-8 before anything reads it: no browser sends one to this site."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        charset = (request.content_params or {}).get("charset", "utf-8").lower()
        if request.method == "POST" and charset not in ("utf-8", "utf8"):
            return HttpResponseBadRequest("This form is not in UTF-8.", content_type="text/plain; charset=utf-8")
        return get_response(request)

    return middleware


def content_security_policy(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Send the one policy with every response, errors and files too. A constant, so nothing is built per request.

    A page that is made to stand in a frame elsewhere, and says so by Django's own mark, has a stricter one that allows it.
    """
    policy: str = settings.CONTENT_SECURITY_POLICY
    framed: str = settings.EMBEDDED_SECURITY_POLICY

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        exempt = getattr(response, "xframe_options_exempt", False)
        response.headers["Content-Security-Policy"] = framed if exempt else policy
        return response

    return middleware

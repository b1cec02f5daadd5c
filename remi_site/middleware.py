"""What every response carries."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase


def utf8_forms(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Refuse a form in another encoding than UTF-8 before anything reads it: no browser sends one to this site."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        charset = (request.content_params or {}).get("charset", "utf-8").lower()
        if request.method == "POST" and charset not in ("utf-8", "utf8"):
            return HttpResponseBadRequest("This form is not in UTF-8.", content_type="text/plain; charset=utf-8")
        return get_response(request)

    return middleware


def small_bodies(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Refuse a body that is larger than anything the site takes, before it is read: an upload would fill the disk."""
    most: int = settings.LARGEST_BODY

    def middleware(request: HttpRequest) -> HttpResponseBase:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not (length.isascii() and length.isdigit() and int(length) <= most):
            return HttpResponse("This is too large.", status=413, content_type="text/plain; charset=utf-8")
        return get_response(request)

    return middleware


def kept_by_the_reader_alone(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """No cache that several people share keeps an answer, unless the answer itself says that it may."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "private")
        return response

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

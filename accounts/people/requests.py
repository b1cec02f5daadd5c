"""Requests as the views take them, after the middleware."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class VisitorRequest(HttpRequest):
    """A request of anybody."""

    htmx: HtmxDetails


class PlayerRequest(VisitorRequest):
    """A request of somebody who is logged in, a guest too: what a view takes that stands behind `login_required`."""

    user: User

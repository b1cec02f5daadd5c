"""A request of somebody who is logged in, a guest too: what a view takes that stands behind ``login_required``."""

from django.http import HttpRequest

from accounts.models import User


class PlayerRequest(HttpRequest):
    user: User

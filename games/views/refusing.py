"""Saying on the next page why a service refused."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest
from django.utils.html import format_html

from games.messages import Refusal, refusal
from games.services.errors import ServiceError


def say(request: HttpRequest, fault: ServiceError) -> None:
    """Put what is not possible, and what is, on the next page."""
    put(request, refusal(fault.code, {}))


def put(request: HttpRequest, words: Refusal) -> None:
    """Put these two sentences on the next page."""
    messages.error(request, format_html("<b>{}</b> {}", words.what, words.instead))

"""Saying on the next page why a service refused."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest
from django.utils.html import format_html

from games.messages import refusal
from games.services.errors import ServiceError


def say(request: HttpRequest, fault: ServiceError) -> None:
    """Put what is not possible, and what is, on the next page."""
    words = refusal(fault.code, {})
    messages.error(request, format_html("<b>{}</b> {}", words.what, words.instead))

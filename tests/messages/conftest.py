"""People who are told things: each with a confirmed address, and a mail server that keeps their letters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import translation

from accounts.models import Message
from accounts.people.messages.standing import Standing
from accounts.people.signals import still_true
from games.receivers import what_has_become
from tests.messages.sink import Sink, listening


@pytest.fixture(autouse=True)
def _nothing_from_the_last_test() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def become() -> Iterator[dict[str, Standing]]:
    """What has become of each kind of message, in place of what the games say: as long as a test says nothing, all hold."""
    said: dict[str, Standing] = {}

    def answer(sender: Any, messages: list[Message], **kwargs: Any) -> dict[int, Standing]:
        return {message.pk: said[message.kind] for message in messages if message.kind in said}

    still_true.disconnect(what_has_become)
    still_true.connect(answer)
    yield said
    still_true.disconnect(answer)
    still_true.connect(what_has_become)


@pytest.fixture
def sink(settings: object, db: None) -> Iterator[Sink]:
    """A mail server that this process sends to."""
    cache.clear()
    with listening() as found:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"  # type: ignore[attr-defined]
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", found.port  # type: ignore[attr-defined]
        settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False  # type: ignore[attr-defined]
        settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""  # type: ignore[attr-defined]
        settings.EMAIL_TIMEOUT = 5  # type: ignore[attr-defined]
        yield found

"""The cast: Ana has an account, the guest has none yet."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import translation

from accounts.models import User
from accounts.people import services

PASSWORD = "o parolă lungă"
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _nothing_from_the_last_test(db: None) -> Iterator[None]:
    """No counted tries, and not the language of the last page that was opened."""
    cache.clear()
    with translation.override("en"):
        yield


@pytest.fixture
def ana(db: None) -> User:
    return User.objects.create_user("Ana", "ana@example.org", PASSWORD)


@pytest.fixture
def guest(db: None) -> User:
    return services.make_guest(language="en", now=NOON)


@pytest.fixture
def ana_client(ana: User) -> Client:
    client = Client()
    client.force_login(ana, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def guest_client(guest: User) -> Client:
    client = Client()
    client.force_login(guest, backend="django.contrib.auth.backends.ModelBackend")
    return client

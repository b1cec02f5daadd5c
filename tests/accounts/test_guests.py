"""Playing without an account."""

from datetime import timedelta
from unittest import mock

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.test import RequestFactory
from django.utils import translation

from accounts.models import User
from accounts.people import guests, services
from tests.accounts.conftest import NOON

pytestmark = pytest.mark.django_db


def visitor(user: User | AnonymousUser | None = None, **cookies: str) -> HttpRequest:
    request = RequestFactory().post("/", REMOTE_ADDR="192.0.2.7")
    request.session = SessionStore()
    request.user = user or AnonymousUser()
    request.COOKIES.update(cookies)
    return request


@pytest.mark.parametrize(("language", "word"), [("en", "Guest"), ("ro", "Musafir"), ("fr", "Invité")])
def test_a_guest_has_a_name_in_the_visitors_language(language: str, word: str) -> None:
    guest = services.make_guest(language=language, now=NOON)

    assert guest.username.split()[0] == word
    assert guest.is_guest
    assert guest.language == language


def test_a_guest_has_no_password() -> None:
    assert not services.make_guest(language="en", now=NOON).has_usable_password()


def test_a_name_that_is_taken_is_drawn_again() -> None:
    first = services.make_guest(language="en", now=NOON)
    number = int(first.username.split()[1])

    with mock.patch("accounts.people.services.secrets.randbelow", side_effect=[number - 1000, 0]):
        second = services.make_guest(language="en", now=NOON)

    assert second.username == "Guest 1000"


def test_a_visitor_comes_in_as_a_new_guest() -> None:
    request = visitor(time_zone="Europe/Bucharest")

    with translation.override("ro"):
        guest = guests.enter(request, now=NOON)

    assert guest is not None
    assert guest.is_guest
    assert (guest.language, guest.time_zone, guest.last_seen) == ("ro", "Europe/Bucharest", NOON)
    assert request.user == guest


def test_who_is_logged_in_stays_who_they_are(ana: User) -> None:
    assert guests.enter(visitor(ana), now=NOON) == ana
    assert User.objects.count() == 1


def test_one_address_makes_only_so_many_guests() -> None:
    with mock.patch.object(guests, "LIMIT", 1):
        assert guests.enter(visitor(), now=NOON) is not None
        assert guests.enter(visitor(), now=NOON) is None

    assert User.objects.count() == 1


def test_being_seen_is_noted_once_an_hour(guest: User, django_assert_num_queries: object) -> None:
    services.touch(user=guest, address="192.0.2.7", now=NOON + timedelta(minutes=59))
    guest.refresh_from_db()
    assert guest.last_seen == NOON

    services.touch(user=guest, address="192.0.2.7", now=NOON + timedelta(minutes=60))
    guest.refresh_from_db()
    assert guest.last_seen == NOON + timedelta(minutes=60)

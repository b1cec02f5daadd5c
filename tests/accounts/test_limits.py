"""How often something may be done."""

from datetime import timedelta

import pytest
from django.test import RequestFactory, override_settings
from django.utils import translation

from accounts.models import RateLimit
from accounts.people import limits
from tests.accounts.conftest import NOON

pytestmark = pytest.mark.django_db


def allowed(key: str, times: int) -> list[bool]:
    return [limits.allow(key, limit=2, per_seconds=3600, now=NOON) for _ in range(times)]


def test_it_allows_up_to_the_limit_and_no_more() -> None:
    assert allowed("guest:192.0.2.7", 4) == [True, True, False, False]


def test_each_key_is_counted_by_itself() -> None:
    allowed("guest:192.0.2.7", 3)

    assert allowed("guest:192.0.2.8", 1) == [True]


def test_the_next_window_begins_anew() -> None:
    allowed("guest:192.0.2.7", 3)

    assert limits.allow("guest:192.0.2.7", limit=2, per_seconds=3600, now=NOON + timedelta(hours=1))


def test_it_stores_no_address() -> None:
    allowed("guest:192.0.2.7", 1)

    assert "192" not in RateLimit.objects.get().key


def test_counts_of_old_windows_are_forgotten() -> None:
    allowed("guest:192.0.2.7", 1)

    limits.forget_old(now=NOON + timedelta(days=1))
    assert RateLimit.objects.count() == 1
    limits.forget_old(now=NOON + timedelta(days=4))
    assert RateLimit.objects.count() == 0


def test_the_answer_says_when_to_try_again() -> None:
    request = RequestFactory().post("/")

    with translation.override("ro"):
        response = limits.too_many(request, per_seconds=3600, now=NOON + timedelta(minutes=35))

    assert response.status_code == 429
    assert response.headers["Retry-After"] == str(25 * 60)
    assert "peste 25 de minute" in response.content.decode()


def test_it_knows_a_visitor_by_the_address() -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.7", headers={"x-forwarded-for": "198.51.100.1"})

    assert limits.visitor_address(request) == "192.0.2.7"


def test_all_addresses_of_one_household_are_one() -> None:
    first = RequestFactory().get("/", REMOTE_ADDR="2001:db8:1:2::1")
    second = RequestFactory().get("/", REMOTE_ADDR="2001:db8:1:2:aaaa::9")

    assert limits.visitor_address(first) == limits.visitor_address(second)


@override_settings(ALLAUTH_TRUSTED_PROXY_COUNT=1)
def test_behind_a_proxy_it_believes_the_proxy_alone() -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", headers={"x-forwarded-for": "203.0.113.9, 198.51.100.1"})

    assert limits.visitor_address(request) == "198.51.100.1"


def test_a_visitor_without_an_address_is_no_error() -> None:
    assert limits.visitor_address(RequestFactory().get("/", REMOTE_ADDR="")) == "unknown"

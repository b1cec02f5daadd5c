"""Guests who have gone for good."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
import time_machine
from django.db.models import ProtectedError
from django.test import Client

from accounts.models import User
from accounts.people import services
from accounts.people.signals import guests_going
from accounts.people.tasks import purge_guests
from tests.accounts.conftest import NOON

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(days=31)


@pytest.fixture
def _everybody_plays() -> Iterator[None]:
    def keep(sender: Any, user_ids: list[int], **_more: Any) -> list[int]:
        return user_ids

    guests_going.connect(keep)
    yield
    guests_going.disconnect(keep)


def test_a_guest_unseen_for_thirty_days_goes(guest: User) -> None:
    assert services.purge_idle_guests(now=LATER) == 1
    assert not User.objects.exists()


def test_a_guest_seen_within_thirty_days_stays(guest: User) -> None:
    assert services.purge_idle_guests(now=NOON + timedelta(days=30)) == 0
    assert User.objects.exists()


def test_a_player_with_an_account_never_goes(ana: User) -> None:
    services.purge_idle_guests(now=LATER)

    assert User.objects.exists()


@pytest.mark.usefixtures("_everybody_plays")
def test_a_guest_at_a_running_table_stays(guest: User) -> None:
    assert services.purge_idle_guests(now=LATER) == 0

    guest.refresh_from_db()
    assert guest.is_active


def test_a_guest_whose_matches_stay_keeps_the_row_but_cannot_come_in(guest: User, guest_client: Client) -> None:
    with mock.patch.object(User, "delete", side_effect=ProtectedError("kept", set())):
        assert services.purge_idle_guests(now=LATER) == 1

    guest.refresh_from_db()
    assert not guest.is_active
    assert guest_client.get("/settings/").status_code == 302


def test_a_second_run_finds_nothing_to_do(guest: User) -> None:
    with mock.patch.object(User, "delete", side_effect=ProtectedError("kept", set())):
        services.purge_idle_guests(now=LATER)
        assert services.purge_idle_guests(now=LATER) == 0


def test_the_task_goes_by_the_present_time(guest: User) -> None:
    with time_machine.travel(LATER, tick=False):
        purge_guests()

    assert not User.objects.exists()

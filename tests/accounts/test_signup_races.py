"""Two sign-ups at once, over two real connections."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.test import Client

from accounts.models import User
from accounts.people import services
from accounts.people.forms import SignupForm
from tests.accounts.conftest import NOON, PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What the calls answer that meet between the check of their form and its saving."""
    meeting, save = Barrier(len(calls), timeout=10), SignupForm.save
    answers: list[Any] = [None] * len(calls)

    def meet_and_save(form: SignupForm, request: Any) -> User:
        if not getattr(request, "met", False):
            request.met = True
            meeting.wait()
        return save(form, request)

    def run(place: int) -> None:
        try:
            answers[place] = calls[place]()
        finally:
            connection.close()

    with mock.patch.object(SignupForm, "save", meet_and_save):
        threads = [Thread(target=run, args=(place,)) for place in range(len(calls))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return answers


def sign_up(client: Client, name: str) -> Callable[[], Any]:
    return lambda: client.post("/account/signup/", {"username": name, "password1": PASSWORD})


def test_of_two_with_one_name_one_is_told_it_is_taken() -> None:
    answers = at_once(sign_up(Client(), "Maria"), sign_up(Client(), "maria"))

    assert sorted(answer.status_code for answer in answers) == [200, 302]
    assert User.objects.count() == 1
    [refused] = [answer for answer in answers if answer.status_code == 200]
    assert "Somebody has this name already" in refused.content.decode()


def test_a_double_tap_of_a_guest_makes_one_account_and_sends_both_on() -> None:
    guest = services.make_guest(language="en", now=NOON)
    first, second = Client(), Client()
    first.force_login(guest, backend="django.contrib.auth.backends.ModelBackend")
    second.cookies.update(first.cookies)

    answers = at_once(sign_up(first, "Maria"), sign_up(second, "Maria"))

    assert [answer.status_code for answer in answers] == [302, 302]
    player = User.objects.get()
    assert (player.pk, player.username, player.is_guest) == (guest.pk, "Maria", False)

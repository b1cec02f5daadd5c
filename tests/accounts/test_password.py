"""A lost password, and a new one."""

import re

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db
NEW = "altă parolă lungă"


def link_in_the_letter() -> str:
    [letter] = mail.outbox
    found = re.search(r"http://testserver(/\S+)", str(letter.body))
    assert found
    return found[1]


def test_a_letter_brings_a_link_to_choose_a_new_one(client: Client, ana: User) -> None:
    sent = client.post("/account/password/reset/", {"email": "ana@example.org"}, follow=True)
    assert "The letter is on its way" in sent.content.decode()

    page = client.get(link_in_the_letter(), follow=True)
    done = client.post(page.redirect_chain[-1][0], {"password1": NEW}, follow=True)

    ana.refresh_from_db()
    assert ana.check_password(NEW)
    assert "Log in with the new one." in done.content.decode()


def test_the_link_works_once(client: Client, ana: User) -> None:
    client.post("/account/password/reset/", {"email": "ana@example.org"})
    link = link_in_the_letter()
    page = client.get(link, follow=True)
    client.post(page.redirect_chain[-1][0], {"password1": NEW})

    again = client.get(link, follow=True)

    assert "This link does not work any more" in again.content.decode()


def test_a_stranger_learns_nothing_and_gets_no_letter(client: Client, ana: User) -> None:
    known = client.post("/account/password/reset/", {"email": "ana@example.org"}, follow=True)
    unknown = client.post("/account/password/reset/", {"email": "nobody@example.org"}, follow=True)

    def words(page: bytes) -> str:
        return re.sub(r'value="\w{64}"|"X-CSRFToken": "\w+"', "", page.decode())

    assert words(known.content) == words(unknown.content)
    assert len(mail.outbox) == 1


def test_a_link_that_is_none_is_answered_with_a_way_on(client: Client) -> None:
    page = client.get("/account/password/reset/1-nonsense/").content.decode()

    assert "This link does not work any more" in page
    assert "/account/password/reset/" in page


def test_opening_somebodys_link_does_not_end_a_guests_session(client: Client, ana: User, guest_client: Client) -> None:
    client.post("/account/password/reset/", {"email": "ana@example.org"})

    guest_client.get(link_in_the_letter(), follow=True)

    assert "_auth_user_id" in guest_client.session


def test_a_player_changes_the_password_and_stays_in(ana: User, ana_client: Client) -> None:
    response = ana_client.post("/account/password/", {"oldpassword": PASSWORD, "password1": NEW}, follow=True)

    ana.refresh_from_db()
    assert ana.check_password(NEW)
    assert "Your password is changed." in response.content.decode()


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("not mine", NEW, "This is not your present password."),
        (PASSWORD, "short", "at least 10 characters"),
    ],
)
def test_a_change_that_is_refused_changes_nothing(ana: User, ana_client: Client, old: str, new: str, sentence: str) -> None:
    page = ana_client.post("/account/password/", {"oldpassword": old, "password1": new}).content.decode()

    ana.refresh_from_db()
    assert sentence in page
    assert ana.check_password(PASSWORD)


def test_a_guest_has_no_password_to_change(guest_client: Client) -> None:
    assert guest_client.get("/account/password/").headers["Location"] == "/account/signup/"

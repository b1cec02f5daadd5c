"""The address letters go to."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def confirmed(ana: User) -> EmailAddress:
    return EmailAddress.objects.create(user=ana, email="ana@example.org", primary=True, verified=True)


def ask_to_change(client: Client) -> None:
    client.post("/account/email/", {"email": "new@example.org", "action_add": ""})
    client.post("/account/password/check/?next=/account/email/", {"password": PASSWORD})


def link_in_the_letter() -> str:
    found = re.search(r"http://testserver(/\S+)", str(mail.outbox[-1].body))
    assert found
    return found[1]


def test_the_password_is_asked_before_the_address_changes(ana_client: Client, confirmed: EmailAddress) -> None:
    response = ana_client.post("/account/email/", {"email": "new@example.org", "action_add": ""})

    assert response.headers["Location"].startswith("/account/password/check/")
    assert mail.outbox == []


def test_the_new_address_counts_once_its_letter_was_opened(ana: User, ana_client: Client, confirmed: EmailAddress) -> None:
    ask_to_change(ana_client)
    ana.refresh_from_db()
    assert ana.email == "ana@example.org"
    assert "not confirmed yet" in ana_client.get("/account/email/").content.decode()

    link = link_in_the_letter()
    assert "new@example.org" in ana_client.get(link).content.decode()
    ana.refresh_from_db()
    assert ana.email == "ana@example.org"  # looking is not confirming
    ana_client.post(link)

    ana.refresh_from_db()
    assert ana.email == "new@example.org"
    assert EmailAddress.objects.get().email == "new@example.org"


def test_a_wrong_password_sends_no_letter(ana_client: Client, confirmed: EmailAddress) -> None:
    ana_client.post("/account/email/", {"email": "new@example.org", "action_add": ""})
    page = ana_client.post("/account/password/check/?next=/account/email/", {"password": "a guess"}).content.decode()

    assert "This is not your password." in page
    assert mail.outbox == []


def test_opening_a_letter_ends_nobody_elses_session(ana_client: Client, confirmed: EmailAddress, guest_client: Client) -> None:
    ask_to_change(ana_client)

    guest_client.get(link_in_the_letter())

    assert "_auth_user_id" in guest_client.session


def test_a_link_that_is_none_is_answered_with_a_way_on(client: Client) -> None:
    assert "This link does not work any more" in client.get("/account/email/confirm/nonsense/").content.decode()


def test_a_guest_has_no_address(guest_client: Client) -> None:
    assert guest_client.get("/account/email/").headers["Location"] == "/account/signup/"

"""Logging in and out."""

import pytest
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db
URL = "/account/login/"


def is_in(client: Client, user: User) -> bool:
    return client.session.get("_auth_user_id") == str(user.pk)


@pytest.mark.parametrize("name", ["Ana", "ana", " Ana ", "ana@example.org", "ANA@example.org"])
def test_a_player_logs_in_by_name_or_by_address(client: Client, ana: User, name: str) -> None:
    client.post(URL, {"login": name, "password": PASSWORD})

    assert is_in(client, ana)


def test_a_wrong_password_is_refused_with_a_way_on(client: Client, ana: User) -> None:
    page = client.post(URL, {"login": "Ana", "password": "nothing of the kind"}).content.decode()

    assert "Name and password don’t match." in page
    assert "/account/password/reset/" in page
    assert not is_in(client, ana)


def test_an_unknown_name_is_refused_in_the_same_words(client: Client) -> None:
    page = client.post(URL, {"login": "Nobody", "password": PASSWORD}).content.decode()

    assert "Name and password don’t match." in page


def test_guessing_is_stopped_after_a_few_tries(client: Client, ana: User) -> None:
    for _ in range(6):
        client.post(URL, {"login": "Ana", "password": "a guess"})

    page = client.post(URL, {"login": "Ana", "password": PASSWORD}).content.decode()

    assert "Too many tries" in page
    assert not is_in(client, ana)


def test_who_is_sent_to_log_in_comes_back(client: Client, ana: User) -> None:
    sent = client.get("/settings/")
    assert sent.headers["Location"] == "/account/login/?next=/settings/"
    assert 'name="next" value="/settings/"' in client.get(sent.headers["Location"]).content.decode()

    response = client.post(URL, {"login": "Ana", "password": PASSWORD, "next": "/settings/"})

    assert response.headers["Location"] == "/settings/"


def test_a_session_ends_with_the_browser_unless_asked_to_stay(client: Client, ana: User) -> None:
    client.post(URL, {"login": "Ana", "password": PASSWORD})
    assert client.session.get_expire_at_browser_close()

    other = Client()
    other.post(URL, {"login": "Ana", "password": PASSWORD, "remember": "on"})
    assert not other.session.get_expire_at_browser_close()


def test_a_player_who_is_in_is_sent_on(ana_client: Client) -> None:
    assert ana_client.get(URL).status_code == 302


def test_a_guest_is_asked_before_the_tables_are_left(guest: User, guest_client: Client, ana: User) -> None:
    page = guest_client.post(URL, {"login": "Ana", "password": PASSWORD}).content.decode()

    assert "Tick the box to leave those tables, or sign up to keep them." in page
    assert is_in(guest_client, guest)


def test_a_guest_who_says_so_logs_in_and_moves_nothing(guest: User, guest_client: Client, ana: User) -> None:
    guest_client.post(URL, {"login": "Ana", "password": PASSWORD, "leave_guest": "on"})

    assert is_in(guest_client, ana)
    guest.refresh_from_db()
    assert guest.is_guest


def test_a_visitor_is_not_asked_about_guests(client: Client) -> None:
    assert "leave_guest" not in client.get(URL).content.decode()


def test_an_account_that_is_closed_lets_nobody_in(client: Client, ana: User) -> None:
    User.objects.update(is_active=False)

    response = client.post(URL, {"login": "Ana", "password": PASSWORD}, follow=True)

    assert not is_in(client, ana)
    assert response.status_code == 200


def test_logging_out_takes_a_second_step(ana: User, ana_client: Client) -> None:
    assert "Log out?" in ana_client.get("/account/logout/").content.decode()
    assert is_in(ana_client, ana)

    ana_client.post("/account/logout/")

    assert not is_in(ana_client, ana)


def test_a_guest_is_warned_that_logging_out_loses_the_tables(guest: User, guest_client: Client) -> None:
    page = guest_client.get("/account/logout/").content.decode()

    assert f"Nobody can play {guest.username} after that." in page
    assert "/account/signup/" in page


def test_an_answer_is_always_a_page(client: Client) -> None:
    response = client.get(URL, headers={"accept": "application/json", "x-requested-with": "XMLHttpRequest"})

    assert response.headers["Content-Type"].startswith("text/html")

"""Making an account, and a guest's row becoming one."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db
URL = "/account/signup/"


def answers(**other: str) -> dict[str, str]:
    return {"username": "Maria Pop", "email": "maria@example.org", "password1": PASSWORD, **other}


def test_a_visitor_signs_up_and_is_in(client: Client) -> None:
    response = client.post(URL, answers(), headers={"accept-language": "fr"})

    maria = User.objects.get(username="Maria Pop")
    assert response.status_code == 302
    assert client.session["_auth_user_id"] == str(maria.pk)
    assert maria.language == "fr"
    assert maria.check_password(PASSWORD)


def test_a_letter_asks_to_confirm_the_address(client: Client) -> None:
    client.post(URL, answers(), headers={"accept-language": "ro"})

    [letter] = mail.outbox
    assert letter.to == ["maria@example.org"]
    assert letter.subject == "Bun venit pe Remi"
    assert "Bună, Maria Pop" in letter.body
    assert "/account/email/confirm/" in letter.body


def test_an_address_is_not_needed(client: Client) -> None:
    client.post(URL, answers(email=""))

    assert User.objects.get().email == ""
    assert mail.outbox == []


def test_who_signs_up_comes_back_to_the_page_they_wanted(client: Client) -> None:
    assert client.post(URL, answers(next="/rules/")).headers["Location"] == "/rules/"


def test_nobody_is_sent_to_another_site(client: Client) -> None:
    assert client.post(URL, answers(next="https://example.org/")).headers["Location"] == "/tables/"


def test_a_guest_keeps_the_row_and_so_the_tables(guest: User, guest_client: Client) -> None:
    guest_client.post(URL, answers())

    player = User.objects.get()
    assert player.pk == guest.pk
    assert not player.is_guest
    assert player.username == "Maria Pop"
    assert EmailAddress.objects.get(user=player).email == "maria@example.org"
    assert guest_client.session["_auth_user_id"] == str(guest.pk)


def test_a_guest_who_is_refused_stays_a_guest(guest: User, guest_client: Client, ana: User) -> None:
    response = guest_client.post(URL, answers(username="ana"))

    guest.refresh_from_db()
    assert guest.is_guest
    assert "Somebody has this name already" in response.content.decode()


def test_a_player_has_an_account_already(ana_client: Client) -> None:
    assert ana_client.get(URL).status_code == 302
    ana_client.post(URL, answers())
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"username": "ANA"}, "Somebody has this name already"),
        ({"username": ""}, "This field is required"),
        ({"username": "A\u202eb"}, "Use letters and digits"),
        ({"username": "x" * 60}, "at most 24"),
        ({"username": "Ana\x00"}, "Null characters are not allowed"),
        ({"email": "nobody"}, "valid email"),
        ({"email": "ANA@example.org"}, "There is an account with this mail address already"),
        ({"password1": "short"}, "at least 10 characters"),
        ({"password1": "password123"}, "too common"),
        ({"password1": "Maria Pop 1"}, "too similar"),
    ],
)
def test_it_says_what_is_wrong_and_makes_nothing(client: Client, ana: User, wrong: dict[str, str], sentence: str) -> None:
    response = client.post(URL, answers(**wrong))

    assert sentence in response.content.decode()
    assert User.objects.get() == ana


def test_a_form_filled_in_wrong_keeps_what_was_right(client: Client) -> None:
    page = client.post(URL, answers(email="nobody")).content.decode()

    assert 'value="Maria Pop"' in page


def test_a_mail_server_that_is_away_keeps_nobody_out(client: Client, settings: object) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"  # type: ignore[attr-defined]
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9  # type: ignore[attr-defined]

    response = client.post(URL, answers(), follow=True)

    assert "could not be sent just now" in response.content.decode()
    assert client.session["_auth_user_id"] == str(User.objects.get().pk)

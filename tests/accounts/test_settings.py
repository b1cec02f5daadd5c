"""What a player may set."""

import pytest
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db
URL = "/settings/"


def choices(**other: str) -> dict[str, str]:
    plain = {"name": "Ana", "language": "ro", "time_zone": "Europe/Bucharest", "deck": "4", "felt": "slate", "theme": "dark"}
    return {**plain, **other}


def test_what_is_set_is_kept(ana: User, ana_client: Client) -> None:
    ana_client.post(URL, choices(name="Ana Pop"))

    ana.refresh_from_db()
    kept = (ana.username, ana.language, ana.time_zone, ana.deck, ana.felt, ana.theme)
    assert kept == ("Ana Pop", "ro", "Europe/Bucharest", "4", "slate", "dark")


def test_the_next_page_is_what_was_set(ana_client: Client) -> None:
    page = ana_client.post(URL, choices(), follow=True).content.decode()

    assert '<html lang="ro" data-theme="dark" data-felt="slate" data-deck="4">' in page
    assert "Salvat." in page


def test_the_language_stays_after_logging_out(ana_client: Client) -> None:
    ana_client.post(URL, choices())
    ana_client.post("/account/logout/")

    assert '<html lang="ro">' in ana_client.get("/", headers={"accept-language": "fr"}).content.decode()


def test_a_guest_may_choose_a_name_too(guest: User, guest_client: Client) -> None:
    guest_client.post(URL, choices(name="Bunica"))

    guest.refresh_from_db()
    assert (guest.username, guest.is_guest) == ("Bunica", True)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": "bogdan"}, "Somebody has this name already"),
        ({"name": ""}, "This field is required"),
        ({"name": "admin"}, "kept for the site"),
        ({"name": "Ana\x00"}, "Null characters"),
        ({"language": "xx"}, "Select a valid choice"),
        ({"time_zone": "Europe/Atlantis"}, "Select a valid choice"),
        ({"deck": "9"}, "Select a valid choice"),
        ({"felt": "grass"}, "Select a valid choice"),
        ({"theme": "neon"}, "Select a valid choice"),
    ],
)
def test_it_says_what_is_wrong_and_keeps_what_was(ana: User, ana_client: Client, wrong: dict[str, str], sentence: str) -> None:
    User.objects.create_user("Bogdan")

    response = ana_client.post(URL, choices(**wrong))

    assert response.status_code == 422
    assert sentence in response.content.decode()
    ana.refresh_from_db()
    assert (ana.username, ana.deck) == ("Ana", "2")


def test_a_name_from_before_the_rules_may_stay(ana: User, ana_client: Client) -> None:
    User.objects.filter(pk=ana.pk).update(username="admin")

    assert ana_client.post(URL, choices(name="admin")).status_code == 302


def test_a_visitor_is_sent_to_log_in(client: Client) -> None:
    assert client.get(URL).headers["Location"] == "/account/login/?next=/settings/"


def test_the_time_zones_say_what_time_it_is_there(ana_client: Client) -> None:
    page = ana_client.get(URL, headers={"accept-language": "ro"}).content.decode()

    assert "București, " in page

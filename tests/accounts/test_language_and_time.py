"""Which language and which clock a page speaks."""

from datetime import timedelta

import pytest
import time_machine
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts.models import User
from accounts.people import zones
from accounts.people.middleware import preferences
from tests.accounts.conftest import NOON

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["ro", "fr", "en"])
def test_a_visitor_reads_the_browsers_language(client: Client, language: str) -> None:
    assert f'<html lang="{language}">' in client.get("/", headers={"accept-language": language}).content.decode()


def test_a_visitor_without_a_language_of_ours_reads_english(client: Client) -> None:
    assert '<html lang="en">' in client.get("/", headers={"accept-language": "hu"}).content.decode()


def test_a_visitor_chooses_the_language_of_the_next_pages(client: Client) -> None:
    response = client.post("/language/", {"language": "fr", "next": "/account/login/"})

    assert response.headers["Location"] == "/account/login/"
    assert '<html lang="fr">' in client.get("/").content.decode()


def test_choosing_a_language_sends_nobody_to_another_site(client: Client) -> None:
    response = client.post("/language/", {"language": "fr", "next": "https://example.org/"})

    assert response.headers["Location"] == "/"


@pytest.mark.parametrize("language", ["", "xx", "de", "ro; DROP TABLE", "../fr"])
def test_a_language_that_is_none_changes_nothing(ana: User, ana_client: Client, language: str) -> None:
    assert ana_client.post("/language/", {"language": language}).status_code == 302

    ana.refresh_from_db()
    assert ana.language == ""


def test_looking_at_the_language_page_does_nothing(client: Client) -> None:
    assert client.get("/language/?language=fr").status_code == 405


def test_a_players_choice_is_kept_on_the_account(ana: User, ana_client: Client) -> None:
    ana_client.post("/language/", {"language": "ro"})

    ana.refresh_from_db()
    assert ana.language == "ro"


def test_the_account_speaks_louder_than_the_browser(ana: User, ana_client: Client) -> None:
    User.objects.update(language="ro")

    response = ana_client.get("/settings/", headers={"accept-language": "fr"})

    assert '<html lang="ro"' in response.content.decode()
    assert response.headers["Content-Language"] == "ro"


def zone_seen_by_a_page(request: HttpRequest) -> str:
    seen = []

    def page(request: HttpRequest) -> HttpResponse:
        seen.append(timezone.get_current_timezone_name())
        return HttpResponse()

    preferences(page)(request)
    return seen[0]


def request_of(user: User, cookie: str = "") -> HttpRequest:
    request = RequestFactory().get("/")
    request.user = user
    if cookie:
        request.COOKIES[zones.COOKIE] = cookie
    return request


def test_the_time_is_that_of_the_account(ana: User) -> None:
    ana.time_zone = "Europe/Bucharest"

    assert zone_seen_by_a_page(request_of(ana, "Europe/Paris")) == "Europe/Bucharest"


def test_without_one_it_is_that_of_the_browser(ana: User) -> None:
    assert zone_seen_by_a_page(request_of(ana, "Europe/Paris")) == "Europe/Paris"


@pytest.mark.parametrize("nonsense", ["", "Mars/Base", "../../etc/passwd", "x" * 9000, "Europe/Paris\x00"])
def test_a_zone_that_is_none_is_passed_over(ana: User, nonsense: str) -> None:
    assert zone_seen_by_a_page(request_of(ana, nonsense)) == "UTC"


def test_one_page_does_not_leave_its_zone_to_the_next(ana: User) -> None:
    zone_seen_by_a_page(request_of(ana, "Europe/Paris"))

    assert timezone.get_current_timezone_name() == "UTC"


def test_every_zone_has_one_name_and_a_place() -> None:
    offered = [zone for zone, _place in zones.choices(NOON)]

    assert len(offered) == len(set(offered)) == len(zones.known_zones())
    assert {"UTC", "Europe/Bucharest", "Europe/Paris", "Europe/Chisinau"} <= set(offered)
    assert ("Europe/Bucharest", "Bucharest, 14:00") in zones.choices(NOON)


def test_a_post_notes_that_a_player_is_here_and_a_look_does_not(guest: User, guest_client: Client) -> None:
    with time_machine.travel(NOON + timedelta(hours=2), tick=False):
        guest_client.get("/settings/")
        guest.refresh_from_db()
        assert guest.last_seen == NOON

        guest_client.post("/language/", {"language": "ro"})
        guest.refresh_from_db()
        assert guest.last_seen == NOON + timedelta(hours=2)

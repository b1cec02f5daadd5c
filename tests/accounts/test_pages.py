"""What all pages about people have in common."""

import re

import pytest
from django.contrib.staticfiles import finders
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import path, resolve
from django.views import defaults

from accounts.models import User
from accounts.people import urls as people_urls

pytestmark = pytest.mark.django_db

# Every page about people, and what each kind of visitor is answered when looking at it.
LOOKS = {
    "/": (200, 302, 302),
    "/language/": (405, 405, 405),
    "/settings/": (302, 200, 200),
    "/settings/vacation/": (302, 200, 200),
    "/settings/vacation/end/": (302, 405, 405),
    "/settings/data/": (302, 200, 200),
    "/settings/data/ask/": (405, 405, 405),
    "/settings/data/remi.zip": (302, 404, 404),
    "/settings/data/delete/": (302, 200, 200),
    "/settings/messages/": (302, 200, 200),
    "/settings/messages/test/": (405, 405, 405),
    "/settings/messages/devices/": (405, 405, 405),
    "/settings/messages/devices/renew/": (405, 405, 405),
    "/settings/messages/devices/1/remove/": (405, 405, 405),
    "/messages/": (302, 200, 200),
    "/messages/open/": (405, 405, 405),
    "/messages/read/": (405, 405, 405),
    "/messages/bell/": (302, 200, 200),
    "/messages/stop/x/": (404, 404, 404),
    "/sw.js": (200, 200, 200),
    "/account/login/": (200, 200, 302),
    "/account/signup/": (200, 200, 302),
    "/account/logout/": (302, 200, 200),
    "/account/inactive/": (200, 200, 200),
    "/account/email/": (302, 302, 200),
    "/account/email/sent/": (200, 200, 200),
    "/account/email/confirm/x/": (200, 200, 200),
    "/account/password/": (302, 302, 200),
    "/account/password/set/": (302, 302, 302),
    "/account/password/check/": (302, 302, 200),
    "/account/password/reset/": (200, 200, 200),
    "/account/password/reset/sent/": (200, 200, 200),
    "/account/password/reset/done/": (200, 200, 200),
    "/account/password/reset/1-x/": (200, 200, 200),
}


# What is no page by itself.
PARTS = {"/messages/bell/", "/settings/messages/", "/sw.js"}


@pytest.mark.parametrize("url", LOOKS)
def test_each_visitor_is_answered(url: str, client: Client, guest_client: Client, ana_client: Client) -> None:
    answered = tuple(visitor.get(url).status_code for visitor in (client, guest_client, ana_client))

    assert answered == LOOKS[url]


def test_every_address_has_its_row() -> None:
    assert {resolve(url).url_name for url in LOOKS} == {pattern.name for pattern in people_urls.urlpatterns}


@pytest.mark.parametrize("language", ["en", "ro", "fr"])
@pytest.mark.parametrize("url", [url for url, answers in LOOKS.items() if 200 in answers])
def test_nothing_on_a_page_is_inline(url: str, language: str, client: Client, guest_client: Client, ana_client: Client) -> None:
    User.objects.update(language="")
    for visitor in (client, guest_client, ana_client):
        response = visitor.get(url, headers={"accept-language": language})
        if response.status_code == 200:
            page = response.content.decode()
            assert url in PARTS or f'<html lang="{language}"' in page
            assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", page)


@pytest.mark.parametrize("url", [url for url, answers in LOOKS.items() if 200 in answers])
def test_every_field_has_its_label(url: str, client: Client, ana_client: Client) -> None:
    for visitor in (client, ana_client):
        response = visitor.get(url)
        page = response.content.decode() if response.status_code == 200 else ""
        for field in re.findall(r"<(?:input|select)[^>]*>", page):
            if 'type="hidden"' in field or "aria-label=" in field:
                continue
            name = re.search(r'\sid="([^"]+)"', field)
            assert name, field
            assert f'for="{name[1]}"' in page or re.search(rf'<label[^>]*><input[^>]*id="{name[1]}"', page), field


def test_a_page_has_one_gold_button_at_most(client: Client, ana_client: Client) -> None:
    for visitor, url in ((client, "/account/login/"), (client, "/account/signup/"), (ana_client, "/settings/")):
        page = visitor.get(url).content.decode()
        gold = re.findall(r'class="btn go"', page)
        assert len(gold) == 1, url


def test_the_landing_page_lets_in_without_the_database(client: Client, django_assert_num_queries: object) -> None:
    client.get("/")  # what is built once
    with django_assert_num_queries(0):  # type: ignore[operator]
        client.get("/")


def test_the_settings_take_few_queries(ana_client: Client, django_assert_max_num_queries: object) -> None:
    with django_assert_max_num_queries(14):  # type: ignore[operator]
        ana_client.get("/settings/")


@pytest.mark.parametrize("template", ["400.html", "500.html"])
def test_an_error_page_needs_neither_request_nor_database(template: str, django_assert_num_queries: object) -> None:
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert "<h1>" in render_to_string(template)


def boom(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a card must not be told: 7H")


def closed(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


urlpatterns = [path("boom/", boom), path("closed/", closed), *people_urls.urlpatterns]


@pytest.mark.urls("tests.accounts.test_pages")
def test_errors_are_told_in_the_players_language() -> None:
    client = Client(raise_request_exception=False, headers={"accept-language": "ro"})

    assert "Pagina nu există" in client.get("/nothing/").content.decode()
    assert "Aici nu ai acces" in client.get("/closed/").content.decode()
    broken = client.get("/boom/")
    assert broken.status_code == 500
    assert "Ceva s-a stricat" in broken.content.decode()
    assert "7H" not in broken.content.decode()


def test_a_request_nobody_understands_has_a_page() -> None:
    response = defaults.bad_request(RequestFactory().get("/"), ValueError("x"))

    assert response.status_code == 400
    assert "Nothing was changed" in response.content.decode()


def test_a_page_left_open_too_long_is_explained(ana: User) -> None:
    client = Client(enforce_csrf_checks=True)

    response = client.post("/account/login/", {"login": "Ana", "password": "x"})

    assert response.status_code == 403
    assert "The page was open too long" in response.content.decode()


def test_whatever_a_stylesheet_or_page_draws_is_in_the_sprite(client: Client) -> None:
    path_of_sprite = finders.find("img/cards.svg")
    assert isinstance(path_of_sprite, str)
    with open(path_of_sprite, encoding="utf-8") as file:
        symbols = set(re.findall(r'<symbol id="([^"]+)"', file.read()))

    used = set(re.findall(r'<use href="[^"#]+#([^"]+)"', client.get("/").content.decode()))

    assert used <= symbols
    assert {"logo", "back", "joker", "star", "S", "H", "D", "C"} <= used

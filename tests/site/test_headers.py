"""What every answer carries, whoever asks and however it ends."""

import re
from pathlib import Path

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path

from remi_site import urls as site
from tests.conftest import ROOT


def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("broken on purpose")


urlpatterns = [path("broken/", broken), *site.urlpatterns]


@pytest.mark.parametrize(
    ("address", "status"),
    [("/", 200), ("/no/such/page/", 404), ("/admin/", 302), ("/static/img/cards.svg", 200)],
)
def test_the_policy_goes_with_every_answer(client: Client, db: None, address: str, status: int) -> None:
    answer = client.get(address)
    answer.close()
    assert answer.status_code == status
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy and "*" not in policy and "http:" not in policy
    for part in ("script-src 'self'", "style-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"):
        assert part in policy


@override_settings(ROOT_URLCONF=__name__)
def test_the_policy_goes_with_an_error_too(client: Client, db: None) -> None:
    client.raise_request_exception = False
    answer = client.get("/broken/")
    assert answer.status_code == 500
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert b"broken on purpose" not in answer.content


def test_no_answer_is_guessed_at_or_framed(client: Client, db: None) -> None:
    answer = client.get("/")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "same-origin"


INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)", re.IGNORECASE)


# Letters are no pages: a mail program has a policy of its own, and reads no stylesheet of ours.
PAGES = sorted(set((ROOT / "templates").rglob("*.html")) - set((ROOT / "templates" / "messages").iterdir()))


@pytest.mark.parametrize("template", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_template_has_what_the_policy_would_block(template: Path) -> None:
    found = INLINE.search(template.read_text())
    assert found is None, f"{found[0]!r} in {template}"

"""When something breaks, nothing of a hand, a deck or a seed is told: not in a log, a letter or a debug page."""

import logging
import sys
from collections.abc import Iterator

import pytest
from django.core import mail
from django.db import IntegrityError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import path
from django.views import debug

from remi_site import errors
from remi_site import urls as site

HAND = "7H 8H 9H *"


def play(request: HttpRequest | None) -> HttpResponse:
    hand = HAND
    try:
        raise KeyError(f"not in {hand}")
    except KeyError as error:
        problem = ValueError(f"seed 1234, hand {hand}")
        problem.add_note(HAND)
        raise problem from error


urlpatterns = [path("play/", play), *site.urlpatterns]


@pytest.fixture
def broken() -> Iterator[BaseException]:
    try:
        play(None)
    except ValueError as error:
        yield error


def test_a_traceback_tells_the_frames_and_the_types_alone(broken: BaseException) -> None:
    told = errors.safe_traceback(broken)
    assert "KeyError" in told and "ValueError" in told and "in play" in told
    assert HAND not in told and "1234" not in told


def test_an_error_of_the_code_itself_keeps_its_text() -> None:
    assert "No module named 'nothing_here'" in errors.safe_traceback(ImportError("No module named 'nothing_here'"))


@override_settings(ROOT_URLCONF=__name__, ADMINS=[("Ana", "ana@example.org")])
def test_the_letter_to_the_admins_holds_no_card(client: Client, db: None) -> None:
    client.raise_request_exception = False
    client.cookies["sessionid"] = "a-session"
    client.post("/play/?cards=7H", {"cards": HAND})
    (letter,) = mail.outbox
    text = f"{letter.subject} {letter.body}"
    assert "ValueError" in text and "/play/" in text
    for secret in (HAND, "7H", "1234", "a-session"):
        assert secret not in text


@override_settings(DEBUG=True)
@pytest.mark.parametrize("accept", ["text/html", "text/plain"])
def test_a_debug_page_holds_no_card_and_no_password(broken: BaseException, accept: str) -> None:
    request = RequestFactory().post("/play/?cards=7H", {"cards": HAND}, headers={"accept": accept})
    page = debug.technical_500_response(request, type(broken), broken, broken.__traceback__).content.decode()
    assert "ValueError" in page and "play" in page
    # The page quotes the source, and this file's source has the hand only in the line that sets it.
    for secret in ("1234,", "not in 7H", "?cards", "only-for-the-tests"):
        assert secret not in page.replace('"seed 1234, hand', "").replace("seed 1234, hand {hand}", "")


def format_record(name: str, message: str, *arguments: object, data: dict[str, str] | None = None) -> str:
    record = logging.LogRecord(name, logging.ERROR, __file__, 1, message, arguments, sys.exc_info())
    if data:
        record.data = data
    errors.Discretion().filter(record)
    return errors.LogFormatter("%(message)s").format(record)


def test_a_log_line_holds_no_card(broken: BaseException) -> None:
    try:
        raise broken
    except ValueError as error:
        told = format_record("django.request", "Internal Server Error: %s (%s)", "/play/", error)
    assert "/play/ (ValueError)" in told and "Traceback" in told
    assert HAND not in told and "1234" not in told


def test_a_failed_task_is_logged_by_its_name_and_id(broken: BaseException) -> None:
    try:
        raise broken
    except ValueError as error:
        told = format_record(
            "celery.app.trace", f"Task failed: {error!r}", data={"name": "games.tasks.serve", "id": "abc", "exc": repr(error)}
        )
    assert told.startswith("Task games.tasks.serve[abc] failed")
    assert HAND not in told


def test_a_refused_row_is_not_quoted(db: None) -> None:
    """PostgreSQL quotes the whole row in its refusal; what we log of it does not."""
    with pytest.raises(IntegrityError) as refused, connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE hand (cards text NOT NULL, points int NOT NULL)")
        cursor.execute("INSERT INTO hand VALUES (%s, NULL)", [HAND])
    assert HAND in str(refused.value)
    assert HAND not in errors.safe_traceback(refused.value)


def test_every_handler_is_discreet(settings: object) -> None:
    logging_settings = settings.LOGGING  # type: ignore[attr-defined]
    for handler in logging_settings["handlers"].values():
        assert "discretion" in handler["filters"]
        assert logging_settings["formatters"][handler["formatter"]]["()"] == "remi_site.errors.LogFormatter"

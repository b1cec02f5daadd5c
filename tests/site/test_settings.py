"""The settings: what the environment may say, and that saying nothing is safe."""

import runpy
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.exceptions import ImproperlyConfigured

from remi_site import env
from tests.conftest import ROOT

TOLD = (
    "DEBUG",
    "SECRET_KEY",
    "ALLOWED_HOSTS",
    "HTTPS",
    "DATABASE_URL",
    "BROKER_URL",
    "EMAIL_URL",
    "ADMINS",
    "CSRF_TRUSTED_ORIGINS",
)


@pytest.fixture
def settings_with(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The settings as a fresh process reads them, when the environment says just this."""

    def read(**said: str) -> dict[str, Any]:
        for name in TOLD:
            monkeypatch.delenv(name, raising=False)
        for name, value in said.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(ROOT / "remi_site" / "settings.py"))

    return read


def test_without_a_secret_key_nothing_starts(settings_with: Any) -> None:
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        settings_with()


def test_debug_is_off_unless_asked_for(settings_with: Any) -> None:
    assert settings_with(SECRET_KEY="k")["DEBUG"] is False
    assert settings_with(SECRET_KEY="k", DEBUG="1")["DEBUG"] is True


def test_a_debug_that_is_neither_yes_nor_no_is_refused(settings_with: Any) -> None:
    with pytest.raises(ImproperlyConfigured, match="DEBUG must be 1 or 0"):
        settings_with(SECRET_KEY="k", DEBUG="maybe")


def test_only_this_machine_may_ask_unless_hosts_are_named(settings_with: Any) -> None:
    assert settings_with(SECRET_KEY="k")["ALLOWED_HOSTS"] == ["127.0.0.1", "localhost", "[::1]"]
    assert settings_with(SECRET_KEY="k", ALLOWED_HOSTS="remi.example, www.remi.example")["ALLOWED_HOSTS"] == [
        "remi.example",
        "www.remi.example",
    ]


def test_https_makes_every_cookie_secure_and_redirects(settings_with: Any) -> None:
    settings = settings_with(SECRET_KEY="k", HTTPS="1")
    assert settings["SESSION_COOKIE_SECURE"] and settings["CSRF_COOKIE_SECURE"] and settings["LANGUAGE_COOKIE_SECURE"]
    assert settings["SECURE_SSL_REDIRECT"] and settings["SECURE_HSTS_SECONDS"] > 0


def test_without_https_the_cookies_still_work(settings_with: Any) -> None:
    settings = settings_with(SECRET_KEY="k")
    assert not settings["SESSION_COOKIE_SECURE"]
    assert "SECURE_SSL_REDIRECT" not in settings


def test_letters_go_to_the_console_and_to_no_admin_unless_told(settings_with: Any) -> None:
    settings = settings_with(SECRET_KEY="k")
    assert settings["EMAIL_BACKEND"].endswith("console.EmailBackend")
    assert settings["ADMINS"] == []


def test_the_queue_takes_json_alone_and_keeps_a_task_until_it_is_done(settings_with: Any) -> None:
    settings = settings_with(SECRET_KEY="k")
    assert settings["CELERY_ACCEPT_CONTENT"] == ["json"]
    assert settings["CELERY_TASK_SERIALIZER"] == "json"
    assert settings["CELERY_TASK_ACKS_LATE"] and settings["CELERY_TASK_REJECT_ON_WORKER_LOST"]


@pytest.mark.parametrize(
    ("url", "host", "port", "user", "password", "name"),
    [
        ("postgresql://ana:p%40ss@db.example:5433/remi", "db.example", 5433, "ana", "p@ss", "remi"),
        ("postgres://ana@localhost/remi", "localhost", "", "ana", "", "remi"),
        ("postgresql://remi@/remi?host=/tmp/Remi sockets", "/tmp/Remi sockets", "", "remi", "", "remi"),
        ("postgresql:///remi", "", "", "", "", "remi"),
    ],
)
def test_a_database_url_says_where_the_database_is(url: str, host: str, port: Any, user: str, password: str, name: str) -> None:
    config = env.database(url)
    assert (config["HOST"], config["PORT"], config["USER"], config["PASSWORD"], config["NAME"]) == (
        host,
        port,
        user,
        password,
        name,
    )


def test_a_database_url_keeps_its_other_options_beside_the_pool() -> None:
    options = env.database("postgresql://h/remi?sslmode=require")["OPTIONS"]
    assert options["sslmode"] == "require"
    assert options["pool"]["min_size"] >= 1


@pytest.mark.parametrize("url", ["sqlite:///remi.db", "mysql://h/remi", "remi", "postgresql://h:port/remi"])
def test_another_database_than_postgresql_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        env.database(url)


def test_an_email_url_says_how_letters_leave() -> None:
    assert env.email("smtps://ana:p%40ss@mail.example") == {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": "mail.example",
        "EMAIL_PORT": 465,
        "EMAIL_HOST_USER": "ana",
        "EMAIL_HOST_PASSWORD": "p@ss",
        "EMAIL_USE_SSL": True,
        "EMAIL_USE_TLS": False,
        "EMAIL_TIMEOUT": 10,
    }
    assert env.email("smtp://mail.example:587?tls=1")["EMAIL_USE_TLS"] is True


def test_letters_can_be_written_to_a_folder(tmp_path: Path, settings: Any) -> None:
    for name, value in env.email(f"file:{tmp_path}/two%20words").items():
        setattr(settings, name, value)
    mail.send_mail("Hello", "Your link", None, ["ana@example.org"], connection=mail.get_connection(settings.EMAIL_BACKEND))
    [letter] = (tmp_path / "two words").iterdir()
    assert "Subject: Hello" in letter.read_text() and "Your link" in letter.read_text()
    assert env.email("file:var/letters")["EMAIL_FILE_PATH"] == str(Path.cwd() / "var" / "letters")


@pytest.mark.parametrize("url", ["mail.example", "http://mail.example", "smtp://", "file:", "file://host/folder"])
def test_what_is_no_email_url_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="EMAIL_URL"):
        env.email(url)

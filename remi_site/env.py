"""Reading settings from the environment: small, typed, with sentences for what is wrong."""

import os
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"", "0", "false", "no", "off"}


def text(name: str, default: str = "") -> str:
    """The variable, stripped; an empty one counts as not set."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool = False) -> bool:
    """A yes or no; anything that is neither is refused."""
    value = text(name, "1" if default else "0").lower()
    if value not in TRUE | FALSE:
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")
    return value in TRUE


def number(name: str, default: int) -> int:
    value = text(name, str(default))
    if not value.isdigit():
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.")
    return int(value)


def names(name: str, default: str = "") -> list[str]:
    """A list parted by commas."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def database(url: str) -> dict[str, Any]:
    """Django's DATABASES entry for a PostgreSQL URL, with a pool of connections.

    A socket folder is given as libpq does: `postgresql://user@/remi?host=/run/postgresql`.
    """
    try:
        config: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=0, conn_health_checks=True))
    except ValueError as error:
        raise ImproperlyConfigured(f"DATABASE_URL is not one: {error}") from None
    if config["ENGINE"] != "django.db.backends.postgresql":
        raise ImproperlyConfigured("DATABASE_URL must name a PostgreSQL database (postgresql://…).")
    options = config.setdefault("OPTIONS", {})
    config["HOST"] = str(options.pop("host", config["HOST"]))
    # One connection a thread is all that a process ever uses; `timeout` is how long a request waits for one.
    options["pool"] = {"min_size": 1, "max_size": number("DATABASE_POOL", 8), "timeout": 10}
    return config


def email(url: str) -> dict[str, Any]:
    """Django's EMAIL_* settings for `smtp://user:password@host:port`, `smtps://…` (TLS at once) or
    `smtp://…?tls=1` (STARTTLS); for `file:folder`, into which letters are written and not sent. Empty: they are printed on the
    console."""
    if not url:
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    parts = urlsplit(url)
    if parts.scheme == "file" and parts.path and not parts.netloc:
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": os.path.abspath(unquote(parts.path)),
        }
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise ImproperlyConfigured("EMAIL_URL must look like smtp://user:password@host:port, smtps://… or file:folder")
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or (465 if parts.scheme == "smtps" else 25),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_USE_TLS": parse_qs(parts.query).get("tls", ["0"])[-1] in TRUE,
        "EMAIL_TIMEOUT": 10,
    }

"""Letters: plain and HTML, with the one click that ends them, to the confirmed address."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from smtplib import SMTPException, SMTPNotSupportedError, SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from accounts.people.messages import unsubscribe
from accounts.people.messages.carriers import Away, Carry, Later, Letter, Refused, Unsure

log = logging.getLogger(__name__)


@contextmanager
def carrier() -> Iterator[Carry]:
    """Letters over one connection to the mail server, made anew where it was lost."""
    backend: BaseEmailBackend = get_connection()
    try:
        yield lambda letter: _carry(letter, backend)
    finally:
        with suppress(OSError, SMTPException):
            backend.close()


def _carry(letter: Letter, backend: BaseEmailBackend) -> None:
    mail = _written(letter, backend)
    _connect(backend)
    try:
        backend.send_messages([mail])
    except SMTPRecipientsRefused as refused:
        [(code, text), *_others] = refused.recipients.values()
        raise _answered(code, text) from None
    except SMTPResponseException as refused:
        raise _answered(refused.smtp_code, refused.smtp_error) from None
    except SMTPNotSupportedError as fault:  # such an address
        raise Refused(str(fault)) from None
    except (OSError, SMTPException) as fault:
        # Lost in the middle: whether the server had taken it, nobody knows. The next letter goes over a new connection.
        _forget(backend)
        log.warning("the mail server broke off: %s", type(fault).__name__)
        raise Unsure(_("The mail server broke off in the middle.")) from None


def _connect(backend: BaseEmailBackend) -> None:
    """A connection that answers. What goes wrong so far has not sent anything."""
    kept = getattr(backend, "connection", None)
    if kept is not None:
        try:
            if kept.noop()[0] == 250:
                return
        except (OSError, SMTPException):
            pass
        _forget(backend)
    try:
        backend.open()
    except (OSError, SMTPException) as fault:
        _forget(backend)
        log.warning("the mail server is away: %s", type(fault).__name__)
        raise Away(_("The mail server cannot be reached.")) from None


def _forget(backend: BaseEmailBackend) -> None:
    with suppress(OSError, SMTPException):
        backend.close()
    if hasattr(backend, "connection"):
        backend.connection = None


def _answered(code: int, text: bytes | str) -> Refused | Later:
    """What a mail server's refusal means: for good from 500 on."""
    told = text.decode(errors="replace") if isinstance(text, bytes) else text
    return (Refused if code >= 500 else Later)(f"{code} {told}")


def _written(letter: Letter, backend: BaseEmailBackend) -> EmailMultiAlternatives:
    """The letter, in the active language."""
    first = letter.news[0]
    stop = link(reverse("unsubscribe", args=[unsubscribe.token(letter)]))
    context: dict[str, Any] = {
        "name": letter.user.username,
        "language": get_language(),
        "subject": subject(letter),
        "digest": letter.digest,
        "news": [
            {"title": told.title, "text": told.text, "action": told.action, "link": link(told.path)} for told in letter.news
        ],
        "stop": stop,
        "settings": link(reverse("settings")),
    }
    mail = EmailMultiAlternatives(
        subject=context["subject"],
        body=render_to_string("messages/letter.txt", context),
        to=[_address(letter)],
        connection=backend,
        headers={
            "Message-ID": f"<letter-{letter.delivery.pk}@{_domain()}>",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
            # what is told of one table stays together in the reader's mail program
            **({"References": f"<table-{first.game}@{_domain()}>"} if first.game and not letter.digest else {}),
        },
    )
    mail.attach_alternative(render_to_string("messages/letter.html", context), "text/html")
    return mail


def _address(letter: Letter) -> str:
    found = EmailAddress.objects.filter(user=letter.user, primary=True, verified=True).first()
    if found is None:  # a moment ago there was one
        raise Refused("")
    return found.email


def subject(letter: Letter) -> str:
    """One line: the message's own title, or how much has happened."""
    if not letter.digest:
        return " ".join(letter.news[0].title.split())
    count = len(letter.news)
    return ngettext("Remi: %(count)d message", "Remi: %(count)d messages", count) % {"count": count}


def link(path: str) -> str:
    """A path of this site as an address."""
    return settings.SITE_URL + path


def _domain() -> str:
    return settings.SITE_URL.partition("://")[2].partition(":")[0]

"""Web push: what is sent to the browsers of a player while no page is open (RFC 8030, 8291, 8292)."""

from __future__ import annotations

import json
import re
import time
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from email.utils import parseaddr
from typing import Any, NamedTuple

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import PushSubscription
from accounts.people.messages import answers, keys, outward
from accounts.people.messages.carriers import Carry, Later, Letter, NotSent, Refused, Unsure
from accounts.people.messages.kinds import ASKING

CLAIM = timedelta(hours=12)
GONE = (404, 410)
TOGETHER = 10.0
"""The most seconds that the devices of one person may take together."""
KEPT = timedelta(days=1)
"""How long a push service keeps what asks for nothing."""


class Browser(NamedTuple):
    """Where a browser is reached, and the keys by which it alone can read what comes."""

    endpoint: str
    p256dh: str
    auth: str


class BadBrowser(ValueError):
    """What was given is no address and keys of a browser."""


def checked(endpoint: str, p256dh: str, auth: str) -> Browser:
    """A browser as it was told, where it can be one. Raises BadBrowser."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        if ":" in outward.checked(endpoint).host:
            raise ValueError  # no push service is a bare number, and the signature has no words for it
        point, secret = _bytes(p256dh), _bytes(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise BadBrowser from None
    if len(point) != 65 or len(secret) != 16:
        raise BadBrowser
    return Browser(endpoint, keys.text_of(point), keys.text_of(secret))


def _bytes(text: str) -> bytes:
    if len(text) > 200 or not text.isascii():
        raise ValueError
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def payload(*, title: str, body: str, url: str, tag: str, lang: str) -> bytes:
    """What js/sw.js shows. A push service takes 4096 bytes at least; this has 3000 at most."""
    told = {"title": title[:120], "body": body[:500], "url": url, "tag": tag, "lang": lang}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def post(
    browser: Browser, told: bytes, *, topic: str, keep: timedelta, urgent: bool, now: datetime, seconds: float = outward.SECONDS
) -> outward.Answer:
    """Hand it to the browser's push service, which keeps it for so long. A newer one of the same topic replaces an older."""
    from pywebpush import WebPusher

    sealed: dict[str, Any] = WebPusher(
        {"endpoint": browser.endpoint, "keys": {"p256dh": browser.p256dh, "auth": browser.auth}}
    ).encode(told)
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(max(0, int(keep.total_seconds()))),
        "Urgency": "high" if urgent else "normal",
        "Authorization": _authorization(browser.endpoint, now),
    }
    if topic:
        headers["Topic"] = topic
    return outward.post(browser.endpoint, sealed["body"], headers, seconds=seconds)


def _authorization(endpoint: str, now: datetime) -> str:
    """Who sends it, signed for this push service alone."""
    from py_vapid import Vapid02

    claims = {"aud": outward.checked(endpoint).origin, "exp": int((now + CLAIM).timestamp()), "sub": subject()}
    signed: dict[str, str] = Vapid02.from_string(keys.keys().private).sign(claims)
    return signed["Authorization"]


def subject() -> str:
    """Whom a push service may turn to about us: VAPID_SUBJECT, else the site, else the sender of letters."""
    if settings.VAPID_SUBJECT:
        return str(settings.VAPID_SUBJECT)
    if re.fullmatch(r"https://[\w-]+(\.[\w-]+)+", settings.SITE_URL):
        return str(settings.SITE_URL)
    return "mailto:" + parseaddr(settings.DEFAULT_FROM_EMAIL)[1]


# -- as a carrier ----------------------------------------------------------------------------------


@contextmanager
def carrier() -> Iterator[Carry]:
    yield carry


def carry(letter: Letter) -> None:
    """Hand a letter to each browser of its reader. One that takes it is enough: the others would hear it twice."""
    now, taken, end = timezone.now(), False, time.monotonic() + TOGETHER
    fault: NotSent | Unsure = Refused(_("There is no device any more."))
    for row in PushSubscription.objects.filter(user=letter.user).order_by("pk"):
        try:
            _hand_over(row, letter, now, seconds=min(outward.SECONDS, end - time.monotonic()))
        except (NotSent, Unsure) as found:
            fault = max(found, fault, key=_weight)
        else:
            taken = True
    if not taken:
        raise fault


def _weight(fault: NotSent | Unsure) -> int:
    """Of several faults the one that counts: what may have arrived, else what may be tried again."""
    return 2 if isinstance(fault, Unsure) else 1 if isinstance(fault, Later) else 0


def _hand_over(row: PushSubscription, letter: Letter, now: datetime, *, seconds: float = outward.SECONDS) -> None:
    message, news = letter.delivery.message, letter.news[0]
    browser = Browser(row.endpoint, row.p256dh, row.auth)
    told = payload(title=news.title, body=news.text, url=news.path, tag=news.game or news.kind, lang=letter.user.language)
    if seconds <= 0:
        raise Later(_("No answer came within 5 seconds."))
    until = message.beside.until or message.until
    keep = max(until - now, timedelta(minutes=1)) if until else KEPT
    urgent = letter.kind in ASKING or bool(message.beside.asks)
    status = answers.status_of(lambda: post(browser, told, topic=news.game, keep=keep, urgent=urgent, now=now, seconds=seconds))
    mine = PushSubscription.objects.filter(pk=row.pk, endpoint=row.endpoint)
    if status in GONE:
        mine.delete()
        raise Refused(_("This device takes no messages any more."))
    answers.taken(status)
    mine.update(last_sent_at=now)

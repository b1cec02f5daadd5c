"""The pair of keys by which push services know the site (VAPID, RFC 8292): made with the tables, the same for every process."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache
from typing import Any, NamedTuple

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from accounts.models import SiteKey

NAME = "push"
_SUBJECT = re.compile(r"mailto:[^@\s]+@[\w-]+(\.[\w-]+)*|https://[\w-]+(\.[\w-]+)+")


class Keys(NamedTuple):
    """Both in the form that push services and browsers use: bytes in URL-safe base 64, without padding."""

    private: str
    public: str


def keys() -> Keys:
    """The site's keys: those of VAPID_PRIVATE_KEY, else those made with the tables."""
    if settings.VAPID_PRIVATE_KEY:
        return given(settings.VAPID_PRIVATE_KEY)
    return Keys(*SiteKey.objects.values_list("private", "public").get(name=NAME))


def make() -> None:
    """Make the keys where there are none. Two processes may start at once: the first one's stay."""
    made = _pair()
    SiteKey.objects.bulk_create([SiteKey(name=NAME, private=made.private, public=made.public)], ignore_conflicts=True)


def make_with_tables(*, apps: Any = None, **_kwargs: Any) -> None:
    """Receiver of `post_migrate`: as soon as there is a table for them. What was given is looked at instead."""
    if settings.VAPID_SUBJECT and not _SUBJECT.fullmatch(settings.VAPID_SUBJECT):
        raise ImproperlyConfigured("VAPID_SUBJECT must look like mailto:somebody@example.org or https://example.org")
    if settings.VAPID_PRIVATE_KEY:
        given(settings.VAPID_PRIVATE_KEY)
        return
    try:
        if apps is not None:
            apps.get_model("accounts", "SiteKey")
    except LookupError:
        return
    if not SiteKey.objects.filter(name=NAME).exists():
        make()


@lru_cache(maxsize=2)
def given(private: str) -> Keys:
    """The keys of a private one, as `VAPID_PRIVATE_KEY` holds it."""
    try:
        number = urlsafe_b64decode(private.strip() + "=" * (-len(private.strip()) % 4))
        if len(number) != 32:
            raise ValueError
        return _pair(int.from_bytes(number, "big"))
    except ValueError:
        raise ImproperlyConfigured("VAPID_PRIVATE_KEY must be the 32 bytes of a P-256 key in URL-safe base 64.") from None


def _pair(number: int | None = None) -> Keys:
    # Only who makes or checks keys loads all this.
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    curve = ec.SECP256R1()
    key = ec.generate_private_key(curve) if number is None else ec.derive_private_key(number, curve)
    private = key.private_numbers().private_value.to_bytes(32, "big")
    public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return Keys(text_of(private), text_of(public))


def text_of(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()

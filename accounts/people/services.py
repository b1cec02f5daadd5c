"""What is written about people. One transaction a verb, keyword-only."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, ProtectedError, RestrictedError
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from accounts.people import limits, marks
from accounts.people.signals import guests_going

GUEST_IDLE = timedelta(days=30)
SEEN_GRAIN = timedelta(hours=1)

# How many digits the number behind a guest's name has, try by try: short while there is room.
_GUEST_DIGITS = (4, 4, 4, 5, 6, 9)


def make_guest(*, language: str, now: datetime, time_zone: str = "") -> User:
    """A player without an account: a name in ``language``, no password, no address."""
    for digits in _GUEST_DIGITS:
        number = 10 ** (digits - 1) + secrets.randbelow(9 * 10 ** (digits - 1))
        with override(language):
            name = _("Guest %(number)s") % {"number": number}
        try:
            with transaction.atomic():
                return User.objects.create_user(
                    name,
                    is_guest=True,
                    language=language,
                    time_zone=time_zone,
                    date_joined=now,
                    last_seen=now,
                )
        except IntegrityError:
            continue
    raise RuntimeError("no name is left for a guest")


def lock_guest(*, guest: User) -> User | None:
    """The guest's row, locked for the rest of the caller's transaction; ``None`` if it is a guest no more."""
    return User.objects.select_for_update().filter(pk=guest.pk, is_guest=True).first()


class NameTaken(Exception):
    """Somebody else has the name, or one that differs in case alone."""


def save_settings(*, user: User, name: str, language: str, time_zone: str, deck: str, felt: str, theme: str) -> None:
    """Keep what a player has set. ``NameTaken`` leaves everything as it was."""
    looks = {"deck": deck, "felt": felt, "theme": theme}
    values = {"username": name, "language": language, "time_zone": time_zone, **looks}
    try:
        with transaction.atomic():
            User.objects.filter(pk=user.pk).update(**values)
    except IntegrityError as error:
        raise NameTaken from error
    user.refresh_from_db(fields=list(values))


def set_language(*, user: User, language: str) -> None:
    """Keep the language a player has chosen in the head of a page."""
    User.objects.filter(pk=user.pk).update(language=language)


def touch(*, user: User, address: str, now: datetime) -> None:
    """Note that a player is here, at most once an hour, and the mark of where that is."""
    if _is_due(user, now):
        marks.note(user_id=user.pk, address=address, now=now)
        user.last_seen = now


def touching(*, user: User, address: str, now: datetime) -> limits.Along:
    """What `touch` writes, if anything, for another statement to take along: then it is noted."""
    if not _is_due(user, now):
        return limits.NOTHING
    noted = marks.noting(user_id=user.pk, address=address, now=now)
    user.last_seen = now
    return noted


def _is_due(user: User, now: datetime) -> bool:
    return user.last_seen is None or user.last_seen <= now - SEEN_GRAIN


def purge_idle_guests(*, now: datetime) -> int:
    """Delete guests whom nobody has seen for 30 days and who sit at no running table; how many went.

    A guest whose finished matches stay keeps the row, but can never come in again.
    """
    idle = (
        User.objects.filter(is_guest=True, is_active=True)
        .annotate(seen=Coalesce(F("last_seen"), F("date_joined")))
        .filter(seen__lt=now - GUEST_IDLE)
        .order_by("pk")
    )
    ids = list(idle.values_list("pk", flat=True))
    staying = _staying(ids)
    gone = sum(_let_guest_go(pk, now) for pk in ids if pk not in staying)
    limits.forget_old(now=now)
    return gone


def _staying(ids: list[int]) -> set[int]:
    answers: list[tuple[Any, Any]] = guests_going.send(sender=User, user_ids=ids)
    return {pk for _receiver, kept in answers for pk in kept or ()}


def _let_guest_go(pk: int, now: datetime) -> bool:
    """Delete one guest in a transaction of its own, so that a crash half-way loses nothing and a repeat does no harm."""
    with transaction.atomic():
        guest = User.objects.select_for_update().filter(pk=pk, is_guest=True, is_active=True).first()
        if guest is None or (guest.last_seen or guest.date_joined) >= now - GUEST_IDLE:
            return False  # came back, or signed up, a moment ago
        try:
            with transaction.atomic():
                guest.delete()
        except (ProtectedError, RestrictedError):
            guest.is_active = False
            guest.save(update_fields=["is_active"])
    return True

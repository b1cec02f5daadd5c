"""What a person wants to hear, by which way and when: read for the settings page, and kept from it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, time

from django.db import IntegrityError, transaction

from accounts.models import Delivery, MessageSettings, Preference, PushSubscription, User, Webhook
from accounts.people.messages.kinds import KINDS, MAIL, SETTABLE, SITE, WAYS
from accounts.people.messages.push import Browser
from accounts.people.messages.standing import Habits
from accounts.people.messages.wording import zone_of

MOST_DEVICES = 10

Wish = tuple[str, str]
"""A kind and a way."""


@dataclass(frozen=True)
class Wishes:
    """All that the settings page asks about messages."""

    wanted: Mapping[Wish, bool]
    hurry: int
    quiet: tuple[time, time] | None
    digest_hour: int | None
    not_while_looking: bool
    webhook: str


class TooManyDevices(Exception):
    """As many as one account may have are there already."""


def of(user: User) -> Wishes:
    """What a person has set, and what holds where nothing is."""
    wanted = {(kind.name, way): kind.goes_by(way) for kind in SETTABLE for way in WAYS}
    for kind, way, wish in Preference.objects.filter(user=user).values_list("kind", "way", "wanted"):
        if (kind, way) in wanted:
            wanted[kind, way] = wish
    wanted |= {(kind.name, SITE): True for kind in SETTABLE if kind.always_on_site}
    times = MessageSettings.objects.filter(user=user).first() or MessageSettings(user=user)
    quiet = (times.quiet_from, times.quiet_to) if times.quiet_from and times.quiet_to else None
    hook = Webhook.objects.filter(user=user).values_list("url", flat=True).first() or ""
    return Wishes(wanted, times.hurry, quiet, times.digest_hour, times.not_while_looking, hook)


@transaction.atomic
def save(*, user: User, wishes: Wishes, ways: Collection[str], now: datetime) -> None:
    """Keep what a person wants. Of the wishes those by these ways: others were not asked for."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two pages at once: one after the other
    differ = [
        Preference(user=user, kind=kind, way=way, wanted=wish)
        for (kind, way), wish in wishes.wanted.items()
        if way in ways and wish != KINDS[kind].goes_by(way)
    ]
    Preference.objects.filter(user=user, way__in=ways).delete()
    Preference.objects.bulk_create(differ)
    begins, ends = wishes.quiet or (None, None)
    times, _new = MessageSettings.objects.update_or_create(
        user=user,
        defaults={
            "hurry": wishes.hurry,
            "quiet_from": begins,
            "quiet_to": ends,
            "digest_hour": wishes.digest_hour,
            "not_while_looking": wishes.not_while_looking,
        },
    )
    if wishes.webhook:
        Webhook.objects.update_or_create(
            user=user, defaults={"url": wishes.webhook}, create_defaults={"url": wishes.webhook, "made_at": now}
        )
    else:
        Webhook.objects.filter(user=user).delete()
    _move_letters(Habits(zone_of(user), times), now)


def _move_letters(habits: Habits, now: datetime) -> None:
    """Have what waits for the letter of the day wait for its hour as it is now; without such a letter each goes by itself, at
    once or after the quiet hours. What is due goes, and what the other side has put off keeps its next try.
    """
    waiting = Delivery.objects.filter(message__user=habits.settings.user, way=MAIL, status=Delivery.Status.WAITING, digest=True)
    digest_at = habits.digest_at(now)
    waiting.filter(attempts=0, next_at__gt=now).update(next_at=digest_at or now)
    if digest_at is None:
        waiting.update(digest=False)


@transaction.atomic
def add_device(*, user: User, browser: Browser, device: str, now: datetime) -> None:
    """Reach this person by a browser too. One that was another's (two accounts, one phone) is this one's from now on."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    others = PushSubscription.objects.filter(user=user).exclude(endpoint=browser.endpoint)
    if others.count() >= MOST_DEVICES:
        raise TooManyDevices
    PushSubscription.objects.update_or_create(
        endpoint=browser.endpoint,
        defaults={"user": user, "p256dh": browser.p256dh, "auth": browser.auth, "device": device, "made_at": now},
    )


def remove_device(*, user: User, pk: int) -> None:
    """Reach this person by that browser no more."""
    PushSubscription.objects.filter(user=user, pk=pk).delete()


def renew_device(*, old: str, browser: Browser) -> bool:
    """The browser known by one address is reached by another now; whether it was known. Who knows it is its browser."""
    known = PushSubscription.objects.filter(endpoint=old)
    try:
        with transaction.atomic():
            return bool(known.update(endpoint=browser.endpoint, p256dh=browser.p256dh, auth=browser.auth))
    except IntegrityError:
        return False  # it has told us itself, in between

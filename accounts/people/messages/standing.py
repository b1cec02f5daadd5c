"""What has become of messages, and what their receivers want: looked up for many at once, decided one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress

from accounts.models import Delivery, Looking, Message, MessageSettings, Preference, PushSubscription, User, Webhook
from accounts.people.messages.kinds import KINDS, MAIL, PUSH, SITE, WEBHOOK
from accounts.people.messages.wording import zone_of
from accounts.people.signals import still_true


@dataclass(frozen=True)
class Standing:
    """What has become of what a message tells of."""

    closed: str = ""
    """Why it need not be told any more, as in `Message.Closed`; empty while it holds."""
    until: datetime | None = None
    """The deadline as it is now; None while the clock stands, or where there is none."""
    asks: str = ""
    """What is asked of its reader at that table now, as in `Beside.asks`; `until` is the deadline of that."""


HOLDS = Standing()


def standings(messages: Sequence[Message]) -> dict[int, Standing]:
    """By the id of a message what has become of it, as far as anybody knows."""
    answers: list[tuple[Any, Any]] = still_true.send(sender=Message, messages=list(messages))
    return {pk: standing for _receiver, known in answers for pk, standing in (known or {}).items()}


@dataclass
class Habits:
    """What one person wants to hear, how and when, and where it can be sent."""

    zone: ZoneInfo
    settings: MessageSettings
    wishes: dict[tuple[str, str], bool] = field(default_factory=dict)
    address: str = ""
    """The mail address, where it is confirmed."""
    unverified: bool = False
    """Whether there is an address that is not."""
    browsers: bool = False
    hook: bool = False

    def wants(self, kind: str, way: str) -> bool:
        """Whether this kind of message is to go this way."""
        if way == SITE and KINDS[kind].always_on_site:
            return True
        return self.wishes.get((kind, way), KINDS[kind].goes_by(way))

    def reachable(self, way: str) -> bool:
        """Whether there is an address for a way."""
        return {MAIL: bool(self.address), PUSH: self.browsers, WEBHOOK: self.hook}[way]

    def quiet_until(self, now: datetime) -> datetime | None:
        """The end of the quiet hours that are now; None where none are."""
        begins, ends = self.settings.quiet_from, self.settings.quiet_to
        if begins is None or ends is None or begins == ends:
            return None
        clock = now.astimezone(self.zone).time().replace(tzinfo=None)
        quiet = begins <= clock < ends if begins < ends else clock >= begins or clock < ends
        return next_at(ends, self.zone, now) if quiet else None

    def digest_at(self, now: datetime) -> datetime | None:
        """When the next letter of the day goes; None for who wants each letter by itself."""
        hour = self.settings.digest_hour
        return None if hour is None else next_at(time(hour), self.zone, now)


def next_at(clock: time, zone: ZoneInfo, now: datetime) -> datetime:
    """The first instant after `now` at which the clocks of a zone show that time.

    In autumn, when they show it twice, that may be the second. In spring, when they jump over it, it is as long after the
    jump as it would have been after the hour that is left out.
    """
    today = now.astimezone(zone).date()
    local = (datetime.combine(today + timedelta(days=days), clock, tzinfo=zone) for days in range(3))
    both = (at.replace(fold=fold).astimezone(UTC) for at in local for fold in (0, 1))
    return next(at for at in both if at > now)


def habits_of(users: Iterable[User]) -> dict[int, Habits]:
    """By the id of a person what is wanted and where to: so many queries for one as for a thousand."""
    people = {user.pk: user for user in users}
    found = {pk: Habits(zone_of(user), MessageSettings(user=user)) for pk, user in people.items()}
    for row in MessageSettings.objects.filter(user__in=people):
        found[row.pk].settings = row
    for user_id, kind, way, wanted in Preference.objects.filter(user__in=people).values_list("user_id", "kind", "way", "wanted"):
        found[user_id].wishes[kind, way] = wanted
    for address in EmailAddress.objects.filter(user__in=people, primary=True):
        habits = found[address.user_id]
        habits.address, habits.unverified = (address.email, False) if address.verified else ("", True)
    for user_id in PushSubscription.objects.filter(user__in=people).values_list("user_id", flat=True).distinct():
        found[user_id].browsers = True
    for user_id in Webhook.objects.filter(user__in=people).values_list("user_id", flat=True):
        found[user_id].hook = True
    return found


def whole_time(message: Message, until: datetime) -> timedelta:
    """How much time its player has for what a message asks for."""
    return timedelta(seconds=message.facts.get("span", 0)) or until - message.made_at


def short_time(message: Message, habits: Habits, until: datetime) -> timedelta:
    """How much is left of it when its player wants to be told to hurry."""
    return whole_time(message, until) * habits.settings.hurry / 100


def is_early(message: Message, habits: Habits, until: datetime | None, now: datetime) -> bool:
    """Whether there is more time than that: the deadline has been moved, or the clock stands."""
    return until is None or until - now > short_time(message, habits, until)


@dataclass(frozen=True)
class Verdict:
    """What to do with a delivery: send it (neither is set), leave it out for a reason, or wait."""

    reason: str = ""
    wait: datetime | None = None


SEND = Verdict()


def judge(delivery: Delivery, habits: Habits, standing: Standing, *, now: datetime) -> Verdict:
    """Whether to send a delivery now. Its message comes with it."""
    message = delivery.message
    if message.closed or standing.closed:
        return Verdict(reason=message.closed or standing.closed)
    if message.read_at is not None:
        return Verdict(reason=Delivery.Reason.READ)
    if not habits.reachable(delivery.way):
        unverified = delivery.way == MAIL and habits.unverified
        return Verdict(reason=Delivery.Reason.UNVERIFIED if unverified else Delivery.Reason.NOWHERE)
    if message.kind == "test":
        return SEND
    if message.kind == "hurry" and standing is not HOLDS and is_early(message, habits, standing.until, now):
        return Verdict(reason=Message.Closed.OVER)
    if not habits.wants(message.kind, delivery.way):
        return Verdict(reason=Delivery.Reason.OFF)
    if delivery.digest:
        return SEND
    wait = habits.quiet_until(now) or looking_until(message, habits, now=now)
    return Verdict(wait=wait) if wait else SEND


def looking_until(message: Message, habits: Habits, *, now: datetime) -> datetime | None:
    """Until when to think that the receiver has the table before the eyes, and would rather not be told; else None."""
    if not message.game or not habits.settings.not_while_looking:
        return None
    last = Looking.objects.filter(user=message.user_id, game=message.game).values_list("at", flat=True).first()
    return last + Looking.FOR if last is not None and last + Looking.FOR > now else None

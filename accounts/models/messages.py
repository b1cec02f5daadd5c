"""What people are told: the messages, how each is on its way, and what a person wants to hear how.

A message is written in the transaction of what it tells of. All else is found out later: whether it still holds, which ways
it goes, and when.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar, NamedTuple

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

KEY_LENGTH = 120
ERROR_LENGTH = 300
URL_LENGTH = 1000


class Beside(NamedTuple):
    """What the reader of a message about a table would want to know with it, as it is when it is shown or sent."""

    asks: str = ""
    """What is asked of the reader there: `turn`, or `exchange` of doubles; nothing where it is empty."""
    until: datetime | None = None
    """The deadline of that; None while the clock stands."""
    unread: tuple[Message, ...] = ()
    """Older ones whose place it takes, and which say what is said nowhere else, newest first."""


class Message(models.Model):
    """One thing told to one person. On the site it is this row; each other way is a `Delivery`.

    Of the unread ones about a table the newest takes the place of all others: it alone counts as unread, and by each way
    it alone is sent.
    """

    class Closed(models.TextChoices):
        """Why there is nothing more to tell."""

        PLAYED = "played", _("the turn had been played")
        EXPIRED = "expired", _("time had run out")
        SEEN = "seen", _("you had seen it at the table")
        DECLINED = "declined", _("you declined it")
        OVER = "over", _("it was over by then")
        GONE = "gone", _("the table was gone")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="messages", db_index=False)
    kind = models.CharField(max_length=16)
    """One of people.messages.kinds."""
    key = models.CharField(max_length=KEY_LENGTH)
    """What it tells of: the same thing is told once."""
    game = models.CharField(max_length=16, blank=True)
    """The code of the table, for people know no games."""
    facts = models.JSONField(default=dict)
    """What everybody at the table may know of it, for whoever words it."""
    until = models.DateTimeField(null=True, blank=True)
    """The deadline of what it asks for."""
    made_at = models.DateTimeField()
    due_at = models.DateTimeField()
    spread_at = models.DateTimeField(null=True, blank=True)
    """When it was decided which ways it goes."""
    remind_at = models.DateTimeField(null=True, blank=True)
    """When to say that time is running out; looked at again then."""
    on_site = models.BooleanField(default=True)
    read_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed = models.CharField(max_length=10, choices=Closed, blank=True)

    beside: Beside = Beside()
    """No column: looked up by whoever shows or sends it."""

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "kind", "key"], name="told_once"),
            models.CheckConstraint(
                condition=Q(closed_at=None, closed="") | (Q(closed_at__isnull=False) & ~Q(closed="")),
                name="closed_messages_say_why",
            ),
            models.CheckConstraint(condition=Q(remind_at=None) | Q(closed_at=None), name="only_open_messages_remind"),
        ]
        indexes: ClassVar = [
            # The sweep's questions.
            models.Index("due_at", name="messages_to_spread", condition=Q(spread_at=None)),
            models.Index("remind_at", name="messages_to_remind_of", condition=Q(remind_at__isnull=False)),
            # What a move closes.
            models.Index("game", name="messages_that_ask", condition=Q(closed_at=None, kind__in=["turn", "hurry"])),
            # The bell, the page behind it, and what a player has seen who plays.
            models.Index("user", name="unread_messages", condition=Q(on_site=True, read_at=None, closed_at=None)),
            models.Index("user", F("made_at").desc(), name="messages_of_a_person"),
            models.Index("made_at", name="messages_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Delivery(models.Model):
    """A message on one way that leads off the site."""

    class Way(models.TextChoices):
        MAIL = "mail", _("mail")
        PUSH = "push", _("push")
        WEBHOOK = "webhook", _("webhook")

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENDING = "sending", _("being sent")
        SENT = "sent", _("sent")
        DROPPED = "dropped", _("not sent")
        FAILED = "failed", _("failed")
        UNKNOWN = "unknown", _("unknown")

    class Reason(models.TextChoices):
        """Why it was not sent; those of `Message.Closed` besides."""

        READ = "read", _("you had seen it on the site")
        REPLACED = "replaced", _("a newer message came")
        OFF = "off", _("you turned it off")
        UNVERIFIED = "unverified", _("your address is not confirmed")
        NOWHERE = "nowhere", _("there is no address any more")

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    way = models.CharField(max_length=8, choices=Way)
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING)
    reason = models.CharField(max_length=10, choices=[*Reason.choices, *Message.Closed.choices], blank=True)
    digest = models.BooleanField(default=False)
    """Whether it waits for the one letter of the day."""
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True, blank=True)
    """Until when it waits."""
    began_at = models.DateTimeField(null=True, blank=True)
    """When the last attempt began. One that never ended is unknown: it may have arrived."""
    sent_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=ERROR_LENGTH, blank=True)
    """What the other side said, for the owner alone."""

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["message", "way"], name="each_way_once"),
            models.CheckConstraint(
                condition=Q(status="waiting", next_at__isnull=False) | (~Q(status="waiting") & Q(next_at=None)),
                name="who_waits_knows_until_when",
            ),
            models.CheckConstraint(
                condition=Q(status="sent", sent_at__isnull=False) | (~Q(status="sent") & Q(sent_at=None)),
                name="sent_at_a_time",
            ),
            models.CheckConstraint(
                condition=(Q(status="dropped") & ~Q(reason="")) | (~Q(status="dropped") & Q(reason="")),
                name="dropped_for_a_reason",
            ),
            models.CheckConstraint(condition=~Q(status="sending") | Q(began_at__isnull=False), name="attempts_have_a_beginning"),
        ]
        indexes: ClassVar = [
            models.Index("way", "next_at", name="deliveries_waiting", condition=Q(status="waiting")),
            models.Index("began_at", name="deliveries_being_sent", condition=Q(status="sending")),
        ]

    def __str__(self) -> str:
        return f"{self.message_id} by {self.way}"


class Preference(models.Model):
    """Whether a person wants one kind of message by one way, where that differs from people.messages.kinds."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="preferences", db_index=False)
    kind = models.CharField(max_length=16)
    way = models.CharField(max_length=8, choices=[("site", _("site")), *Delivery.Way.choices])
    wanted = models.BooleanField()

    class Meta:
        verbose_name = _("preference")
        verbose_name_plural = _("preferences")
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "kind", "way"], name="one_preference_each")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.way}"


class MessageSettings(models.Model):
    """When a person wants to hear. No row means what a new one says."""

    HURRY: ClassVar = [50, 30, 20, 10]

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="message_settings"
    )
    hurry = models.PositiveSmallIntegerField(_("hurry at"), default=20, choices=[(share, f"{share} %") for share in HURRY])
    """The share of a turn's time that is left, in percent, when its player is told to hurry."""
    quiet_from = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_to = models.TimeField(_("quiet to"), null=True, blank=True)
    """In the person's time zone; past midnight where it ends before it begins."""
    digest_hour = models.PositiveSmallIntegerField(
        _("one letter a day at"), null=True, blank=True, validators=[MaxValueValidator(23)]
    )
    """The hour, in the person's time zone, of the one letter a day; None: each letter by itself."""
    not_while_looking = models.BooleanField(_("not while I am looking at that table"), default=True)

    class Meta:
        verbose_name = _("message settings")
        verbose_name_plural = _("message settings")
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(hurry__in=[50, 30, 20, 10]), name="hurry_at_a_known_share"),
            models.CheckConstraint(
                condition=Q(quiet_from=None, quiet_to=None) | Q(quiet_from__isnull=False, quiet_to__isnull=False),
                name="quiet_hours_have_two_ends",
            ),
            models.CheckConstraint(condition=Q(digest_hour=None) | Q(digest_hour__lte=23), name="digest_at_an_hour"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}"


class PushSubscription(models.Model):
    """A browser that asked for web push: where to send, and the keys that only it can read with."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.URLField(max_length=URL_LENGTH, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    device = models.CharField(max_length=80, blank=True)
    """What it is, as its owner would say it: "Firefox on Android"."""
    made_at = models.DateTimeField()
    last_sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")

    def __str__(self) -> str:
        return f"{self.user_id} {self.device}"


class Webhook(models.Model):
    """Where a person's chat tool listens. One for an account."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="webhook")
    url = models.URLField(_("address"), max_length=URL_LENGTH)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")

    def __str__(self) -> str:
        return f"{self.user_id}"


class Looking(models.Model):
    """That a person has a table before the eyes, as its page told a moment ago. May be lost in a crash."""

    FOR = timedelta(seconds=90)
    """How long it holds after the page told it last."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    game = models.CharField(max_length=16)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("look")
        verbose_name_plural = _("looks")
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "game"], name="one_look_each")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.game}"

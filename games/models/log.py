"""The log of a table."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.tables import Game


class Entry(models.Model):
    """One row of a table's log: append-only, numbered without gaps. A trigger in the database refuses changes."""

    class Kind(models.TextChoices):
        MOVE = "move", _("move")
        EVENT = "event", _("event")

    class Actor(models.TextChoices):
        PLAYER = "player", _("player")
        CLOCK = "clock", _("the clock")
        COMPUTER = "computer", _("computer")
        SERVER = "server", _("server")
        REFEREE = "referee", _("referee")

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    kind = models.CharField(max_length=8, choices=Kind)
    actor = models.CharField(max_length=8, choices=Actor)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    deal = models.PositiveSmallIntegerField(null=True, blank=True)
    """The number of the deal that a move belongs to."""
    text = models.CharField(max_length=200)
    """The notation of a move, or the name of an event."""
    facts = models.JSONField(default=dict)
    """What everybody may know of it, for whoever words it (`engine.told`). No names, no accounts."""
    hash = models.CharField(max_length=64)
    """Of this row and of all before it (games.engine.chain)."""
    salt = models.CharField(max_length=64, blank=True)
    """Of a row that is secret while its deal lasts: without it the hash would tell what is in the row."""
    bank = models.JSONField(null=True, blank=True, editable=False)
    """By seat, in seconds, what was in a bank from which this row took time: given back where a referee undoes the row. No part
    of what is hashed.
    """

    class Meta:
        verbose_name = _("log entry")
        verbose_name_plural = _("log entries")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="one_log_per_game"),
            models.CheckConstraint(
                condition=Q(kind="event") | Q(kind="move", seat__isnull=False, deal__isnull=False),
                name="moves_have_seat_and_deal",
            ),
            models.CheckConstraint(condition=Q(hash__regex=r"^[0-9a-f]{64}$"), name="every_row_has_its_hash"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}.{self.number} {self.text}"


class Moves(models.Manager["Move"]):
    def get_queryset(self) -> models.QuerySet[Move]:
        return super().get_queryset().filter(kind=Entry.Kind.MOVE)


class Move(Entry):
    """What the engine knows: a seat's move, in notation, and who made it."""

    objects: ClassVar[Moves] = Moves()

    class Meta:
        proxy = True
        verbose_name = _("move")
        verbose_name_plural = _("moves")


class Events(models.Manager["Event"]):
    def get_queryset(self) -> models.QuerySet[Event]:
        return super().get_queryset().filter(kind=Entry.Kind.EVENT)


class Event(Entry):
    """What the engine does not know: joined, started, dealt, scored, finished …"""

    objects: ClassVar[Events] = Events()

    class Meta:
        proxy = True
        verbose_name = _("event")
        verbose_name_plural = _("events")

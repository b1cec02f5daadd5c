"""Tables and seats."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games import engine

# Without the letters and digits that are mistaken for others. 14 of 31 are 69 random bits.
CODE_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 14
TITLE_LENGTH = 40
SHORTEST_TURN, LONGEST_TURN = timedelta(minutes=5), timedelta(days=7)


def new_code() -> str:
    """A name for a table that cannot be guessed."""
    return "".join(secrets.choice(CODE_ALPHABET) for _place in range(CODE_LENGTH))


class Game(models.Model):
    """A table and the match played at it."""

    class Status(models.TextChoices):
        OPEN = "open", _("waiting for players")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("anyone")
        LINK = "link", _("by link")

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code, editable=False)
    title = models.CharField(_("name of the table"), max_length=TITLE_LENGTH, blank=True)
    variant = models.CharField(_("game"), max_length=16)
    options = models.JSONField(_("options"), default=dict)
    rules_version = models.PositiveSmallIntegerField(default=engine.RULES_VERSION)
    seat_count = models.PositiveSmallIntegerField(_("seats"))
    turn_time = models.DurationField(
        _("time for a turn"), validators=[MinValueValidator(SHORTEST_TURN), MaxValueValidator(LONGEST_TURN)]
    )
    patience = models.PositiveSmallIntegerField(
        _("expired turns in a row before the seat resigns"), default=3, validators=[MinValueValidator(1)]
    )
    visibility = models.CharField(_("who may join"), max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.OPEN)
    maker = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="tables_made", verbose_name=_("made by")
    )
    made_at = models.DateTimeField(_("made"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    version = models.PositiveIntegerField(default=0)
    """Counts every change; what a page shows is named by it."""
    log_length = models.PositiveIntegerField(default=0)
    """The number of the next row of the log."""
    log_head = models.CharField(max_length=64, blank=True)
    """The hash of the last row of the log: whoever has noted it can tell whether anything before was changed."""
    to_move = models.PositiveSmallIntegerField(null=True, blank=True)
    """The seat on turn: of the snapshot, so that lists need not load a deal. None in the exchange of doubles."""
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    awaits_server = models.BooleanField(default=False)
    """Whether the next step is the server's: the turn of a computer player, or scoring and the next deal."""
    winner = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(status="running", deadline__isnull=False) | (~Q(status="running") & Q(deadline=None)),
                name="running_games_have_a_deadline",
            ),
            models.CheckConstraint(
                condition=Q(awaits_server=False) | Q(status="running"), name="only_running_games_await_the_server"
            ),
            models.CheckConstraint(
                condition=(Q(status__in=["finished", "cancelled"]) & Q(ended_at__isnull=False))
                | (Q(status__in=["open", "running"]) & Q(ended_at=None)),
                name="ended_games_have_an_end",
            ),
            # In the exchange of doubles, which only tiles have, it is secret who is waited for: `Answer` knows.
            models.CheckConstraint(
                condition=(Q(status="running") & (Q(to_move__isnull=False) | Q(awaits_server=True) | Q(variant="etalat")))
                | (~Q(status="running") & Q(to_move=None)),
                name="running_games_wait_for_somebody",
            ),
            models.CheckConstraint(
                condition=Q(started_at__isnull=False, status__in=["running", "finished"])
                | Q(started_at=None, status__in=["open", "cancelled"]),
                name="begun_games_have_a_start",
            ),
            models.CheckConstraint(
                condition=(Q(to_move=None) | Q(to_move__lt=F("seat_count"))) & (Q(winner=None) | Q(winner__lt=F("seat_count"))),
                name="seats_named_are_at_the_table",
            ),
            models.CheckConstraint(condition=Q(patience__gte=1), name="patience_of_one_turn_or_more"),
            models.CheckConstraint(
                condition=Q(turn_time__gte=SHORTEST_TURN, turn_time__lte=LONGEST_TURN), name="turn_time_within_bounds"
            ),
            models.CheckConstraint(condition=Q(seat_count__gte=2, seat_count__lte=8), name="two_to_eight_seats"),
            models.CheckConstraint(
                condition=Q(status="finished", winner__isnull=False) | (~Q(status="finished") & Q(winner=None)),
                name="finished_games_have_a_winner",
            ),
        ]
        indexes: ClassVar = [
            # The sweep's two questions: which turns have run out, and what the server has left undone.
            models.Index("deadline", name="running_by_deadline", condition=Q(status="running")),
            models.Index("id", name="awaiting_the_server", condition=Q(awaits_server=True)),
            # The lobby, and the tables that lapse.
            models.Index("made_at", name="open_by_age", condition=Q(status="open")),
        ]

    def __str__(self) -> str:
        return self.title or self.code

    @property
    def rules(self) -> engine.Rules:
        """The rules of its match."""
        return engine.rules_for(self.variant, self.seat_count, self.options)

    @property
    def in_exchange(self) -> bool:
        """Whether players are still to answer the exchange of doubles (§4.3); who, is for nobody to see."""
        return self.status == self.Status.RUNNING and self.to_move is None and not self.awaits_server


class Seat(models.Model):
    """A place at a table: a player's or a computer player's. No row means a free place."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="seats")
    bot = models.CharField(_("computer player"), max_length=16, blank=True)
    joined_at = models.DateTimeField()
    total = models.IntegerField(default=0)
    """Points of the finished deals."""
    resigned = models.BooleanField(default=False)
    expired = models.PositiveSmallIntegerField(default=0)
    """Turns in a row that ran out."""
    seen_deal = models.SmallIntegerField(default=-1)
    """The last finished deal whose result the player has seen and gone on from."""
    sort = models.CharField(max_length=8, default="suit")
    arrangement = models.JSONField(default=list, blank=True)
    """The player's own order of the hand, as card texts."""

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering: ClassVar = ["index"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "index"], name="one_row_per_seat"),
            models.UniqueConstraint(fields=["game", "user"], name="one_seat_per_player", condition=Q(user__isnull=False)),
            models.CheckConstraint(
                condition=Q(user__isnull=False, bot="") | (Q(user=None) & ~Q(bot="")), name="a_player_or_a_computer"
            ),
            models.CheckConstraint(condition=Q(index__lte=7), name="seats_up_to_eight"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.index}"

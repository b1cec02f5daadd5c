"""Tables and seats."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from accounts.models import Vacation
from accounts.people.zones import known_zones
from games import engine
from games.clock import LONGEST_BANK, LONGEST_TURN, NO_TIME, SHORTEST_TURN, Pace

# Without the letters and digits that are mistaken for others. 14 of 31 are 69 random bits.
CODE_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 14
TITLE_LENGTH = 40
LAST_HOUR = 23
SHORTEST_ABSENCE, LONGEST_ABSENCE = timedelta(hours=1), timedelta(days=30)
CONTRIBUTION_LENGTH = 64


def new_code() -> str:
    """A name for a table that cannot be guessed."""
    return "".join(secrets.choice(CODE_ALPHABET) for _place in range(CODE_LENGTH))


def validate_zone(name: str) -> None:
    """A time zone must be one of those that are offered."""
    if name not in known_zones():
        raise ValidationError(_("There is no such time zone."), code="zone")


def _hour(label: Any) -> models.PositiveSmallIntegerField[int | None, int | None]:
    return models.PositiveSmallIntegerField(label, null=True, blank=True, validators=[MaxValueValidator(LAST_HOUR)])


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
    """With a bank, what every seat's bank begins with."""
    increment = models.DurationField(_("time that a finished turn adds to the bank"), null=True, blank=True)
    """None without banks."""
    bank_cap = models.DurationField(_("most time in a bank"), null=True, blank=True)
    deadline_hour = _hour(_("hour at which turns end"))
    quiet_from = _hour(_("quiet hours from"))
    quiet_to = _hour(_("quiet hours to"))
    weekend_pause = models.BooleanField(_("the clock stands at weekends"), default=False)
    zone = models.CharField(_("time zone of the table"), max_length=64, default="UTC", validators=[validate_zone])
    """Of all the hours above, and of the weekends."""
    excuses = models.PositiveSmallIntegerField(_("excused turns of a seat"), default=1)
    """How often in the match a seat whose turn has run out gets its time anew."""
    absent_after = models.PositiveSmallIntegerField(
        _("expired turns in a row before the seat is absent"), default=2, validators=[MinValueValidator(1)]
    )
    absence_limit = models.DurationField(
        _("time before an absent seat resigns"),
        default=timedelta(days=7),
        validators=[MinValueValidator(SHORTEST_ABSENCE), MaxValueValidator(LONGEST_ABSENCE)],
    )
    min_reliability = models.PositiveSmallIntegerField(
        _("least reliability, in percent"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    vacation = models.BooleanField(_("vacations stop the clock"), default=True)
    vacation_days = models.PositiveSmallIntegerField(
        _("days for which a player’s vacations stop the clock"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    """In the match; None for as long as a vacation may last."""
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
    said = models.PositiveIntegerField(default=0, editable=False)
    """Counts what changes in the chat, which is no part of the version: a page at the table stays good for a move."""
    to_move = models.PositiveSmallIntegerField(null=True, blank=True)
    """The seat on turn: of the snapshot, so that lists need not load a deal. None in the exchange of doubles."""
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    left = models.DurationField(_("time left while the clock stands"), null=True, blank=True)
    """A running game has one of the two. Both, and the three below, are written by games.services.clocks alone."""
    grace = models.DurationField(default=NO_TIME, editable=False)
    """How much of the time until the deadline is a gift that a stopped clock does not keep (`games.clock`)."""
    allowance = models.DurationField(_("time that the turn began with"), default=NO_TIME, editable=False)
    paused_at = models.DateTimeField(_("paused by all"), null=True, blank=True)
    frozen_until = models.DateTimeField(_("frozen by a referee until"), null=True, blank=True)
    away = models.BooleanField(_("who is on turn is on vacation"), default=False)
    deserted = models.BooleanField(_("every player still in the match is absent"), default=False)
    """Why the clock stands: it runs where none of these four holds."""
    away_for = models.BigIntegerField(null=True, blank=True, editable=False)
    """The id of the vacation for which it stands, by the mark of which nothing is done twice."""
    away_since = models.DateTimeField(_("away since"), null=True, blank=True)
    away_until = models.DateTimeField(_("away until"), null=True, blank=True)
    """When it goes on whatever the vacation does: its end, or that of the days which the table allows."""
    ticking_since = models.DateTimeField(null=True, blank=True, editable=False)
    """When the clock that runs was started last: it has counted nothing from before."""
    stopped_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When a clock that stands was stopped while it ran; None of one that has not run in this turn."""
    pushed_by = models.BigIntegerField(default=0, editable=False)
    """The id of the last outage that the clock got its time back for."""
    awaits_server = models.BooleanField(default=False)
    """Whether the next step is the server's: the turn of a computer player, or scoring and the next deal."""
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    disputed = models.BooleanField(default=False, editable=False)
    """Whether a dispute about it waits for a ruling: written by games.services.cases alone, so that pages need not ask."""

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(status="running", deadline__isnull=False, left=None)
                | Q(status="running", deadline=None, left__isnull=False, left__gte=NO_TIME)
                | (~Q(status="running") & Q(deadline=None, left=None)),
                name="running_games_have_a_deadline_or_time_left",
            ),
            models.CheckConstraint(
                condition=(Q(deadline=None) | Q(paused_at=None, frozen_until=None, away=False, deserted=False))
                & (Q(left=None) | Q(paused_at__isnull=False) | Q(frozen_until__isnull=False) | Q(away=True) | Q(deserted=True)),
                name="a_clock_stands_for_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(away=False, away_for=None, away_since=None, away_until=None)
                | Q(away=True, away_for__isnull=False, away_since__isnull=False, away_until__isnull=False),
                name="who_is_away_is_so_until_a_day",
            ),
            models.CheckConstraint(
                condition=~Q(status="running") | Q(deadline=None) | Q(ticking_since__isnull=False),
                name="a_clock_that_runs_was_started",
            ),
            models.CheckConstraint(condition=Q(stopped_at=None) | Q(left__isnull=False), name="a_clock_that_was_stopped_stands"),
            models.CheckConstraint(condition=Q(paused_at=None) | Q(status="running"), name="only_running_games_are_paused"),
            models.CheckConstraint(condition=Q(frozen_until=None) | Q(status="running"), name="only_running_games_are_frozen"),
            models.CheckConstraint(
                condition=Q(disputed=False) | Q(status__in=["running", "finished"]), name="only_matches_are_disputed"
            ),
            models.CheckConstraint(condition=Q(grace__gte=NO_TIME, allowance__gte=NO_TIME), name="time_given_is_not_negative"),
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
            models.CheckConstraint(condition=Q(absent_after__gte=1), name="absent_after_one_turn_or_more"),
            models.CheckConstraint(
                condition=Q(absence_limit__gte=SHORTEST_ABSENCE, absence_limit__lte=LONGEST_ABSENCE),
                name="absence_limit_within_bounds",
            ),
            models.CheckConstraint(
                condition=Q(min_reliability=None) | Q(min_reliability__gte=1, min_reliability__lte=100),
                name="min_reliability_is_a_percentage",
            ),
            models.CheckConstraint(
                condition=Q(turn_time__gte=SHORTEST_TURN, turn_time__lte=LONGEST_TURN), name="turn_time_within_bounds"
            ),
            models.CheckConstraint(
                condition=Q(increment=None, bank_cap=None)
                | Q(increment__isnull=False, increment__gte=NO_TIME, increment__lte=F("bank_cap"))
                & Q(bank_cap__isnull=False, bank_cap__gte=F("turn_time"), bank_cap__lte=LONGEST_BANK),
                name="banks_within_bounds",
            ),
            models.CheckConstraint(
                condition=(Q(deadline_hour=None) | Q(deadline_hour__lte=LAST_HOUR))
                & (
                    Q(quiet_from=None, quiet_to=None)
                    | Q(quiet_from__isnull=False, quiet_from__lte=LAST_HOUR, quiet_to__isnull=False, quiet_to__lte=LAST_HOUR)
                    & (Q(quiet_from__lt=F("quiet_to")) | Q(quiet_from__gt=F("quiet_to")))
                ),
                name="hours_of_the_day",
            ),
            models.CheckConstraint(
                condition=Q(deadline_hour=None)
                | Q(quiet_from=None)
                | Q(quiet_from__lt=F("quiet_to")) & (Q(deadline_hour__lt=F("quiet_from")) | Q(deadline_hour__gte=F("quiet_to")))
                | Q(quiet_from__gt=F("quiet_to"), deadline_hour__lt=F("quiet_from"), deadline_hour__gte=F("quiet_to")),
                name="no_turn_ends_in_quiet_hours",
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
            # Clocks that stand: for a vacation that ends, for a pause that lasts too long, by a referee's word.
            models.Index("away_until", name="away_by_end", condition=Q(away=True)),
            models.Index("frozen_until", name="frozen_by_end", condition=Q(frozen_until__isnull=False)),
            models.Index("paused_at", name="paused_by_age", condition=Q(paused_at__isnull=False)),
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
    def pace(self) -> Pace:
        """How much time its turns have."""
        return Pace(
            self.turn_time, self.increment, self.bank_cap, self.deadline_hour, self.quiet_from, self.quiet_to,
            self.weekend_pause, self.zone,
        )  # fmt: skip

    @property
    def stopped(self) -> bool:
        """Whether something holds that stops its clock."""
        return self.paused_at is not None or self.frozen_until is not None or self.away or self.deserted

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
    excused = models.PositiveSmallIntegerField(default=0)
    """Turns of the match that ran out and were excused."""
    expired = models.PositiveSmallIntegerField(default=0)
    """Turns in a row that ran out and were played by the server."""
    bank = models.DurationField(_("time in the bank"), null=True, blank=True)
    """As it was when the seat's turn began; None where the table has no banks."""
    absent_since = models.DateTimeField(null=True, blank=True)
    """Since when a computer player holds the seat for its player, until they are back or a substitute sits."""
    absent_until = models.DateTimeField(null=True, blank=True)
    """When an absent seat resigns."""
    held_from = models.PositiveIntegerField(default=0)
    """The number of the row of the log from which on `user` holds the seat: what stands before was a former holder's."""
    contribution = models.CharField(max_length=CONTRIBUTION_LENGTH, blank=True)
    """What the player adds to the shuffle of the next deal: nobody else's business until that is over."""
    wants_pause = models.BooleanField(default=False)
    """Whether its player has asked for a pause of the table, or agreed to one."""
    vacation_used = models.DurationField(default=NO_TIME, editable=False)
    """For how long the table's clock has stood for its player's vacations, where the table counts that."""
    seen_deal = models.SmallIntegerField(default=-1)
    """The last finished deal whose result the player has seen and gone on from."""
    seen_chat = models.PositiveIntegerField(default=0)
    """Up to which number (`Game.said`) the player has seen the chat."""
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
            models.CheckConstraint(condition=Q(bank=None) | Q(bank__gte=NO_TIME), name="a_bank_is_not_overdrawn"),
            models.CheckConstraint(
                condition=Q(absent_since=None, absent_until=None)
                | Q(absent_since__isnull=False, absent_until__isnull=False, user__isnull=False, resigned=False)
                & Q(absent_until__gte=F("absent_since")),
                name="absent_seats_are_players_until_a_day",
            ),
        ]
        indexes: ClassVar = [
            # Which absent seats resign; and which seats the lobby offers to a substitute.
            models.Index("absent_until", name="absent_by_limit", condition=Q(absent_until__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.index}"

    @property
    def absent(self) -> bool:
        """Whether a computer player holds it for its player."""
        return self.absent_since is not None

    @property
    def by_computer(self) -> bool:
        """Whether its turns are a computer player's: its own, or one that holds it for an absent player."""
        return self.bot != "" or self.absent

    @cached_property
    def vacation(self) -> Vacation | None:
        """The one that its player is on, or has planned. Seats that are read with their table have it already."""
        return Vacation.objects.filter(user=self.user_id, ended_at=None).first() if self.user_id is not None else None

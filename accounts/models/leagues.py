"""Leagues, who belongs to them, their seasons and the matches that count."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

if TYPE_CHECKING:
    from accounts.models import User

LEAGUE_NAME_LENGTH, RULES_LENGTH = 50, 4_000
CODE_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH, INVITE_LENGTH = 8, 14
FEWEST_SEATS, MOST_SEATS = 2, 8
LEAST_FORFEIT = -500
FIRST_TO = 5_000


def new_league_code() -> str:
    """A short name for the address of a league."""
    return "".join(secrets.choice(CODE_ALPHABET) for _place in range(CODE_LENGTH))


def new_invite() -> str:
    """The secret part of a league's link: it cannot be guessed."""
    return "".join(secrets.choice(CODE_ALPHABET) for _place in range(INVITE_LENGTH))


class League(models.Model):
    """Players who play one game by the same terms, table after table."""

    class Joining(models.TextChoices):
        OPEN = "open", _("whoever likes")
        LINK = "link", _("by link")
        APPROVAL = "approval", _("whom the organiser lets in")

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_league_code, editable=False)
    name = models.CharField(_("name"), max_length=LEAGUE_NAME_LENGTH)
    variant = models.CharField(_("game"), max_length=16)
    options = models.JSONField(_("options"), default=dict)
    """As the engine takes them; `target` null where a match is a single deal."""
    seats_min = models.PositiveSmallIntegerField(_("fewest seats"), default=FEWEST_SEATS)
    seats_max = models.PositiveSmallIntegerField(_("most seats"), default=4)
    joining = models.CharField(_("who may join"), max_length=8, choices=Joining, default=Joining.OPEN)
    invite = models.CharField(max_length=INVITE_LENGTH, unique=True, default=new_invite, editable=False)
    rules = models.TextField(_("rules of the league"), max_length=RULES_LENGTH, blank=True)
    """Plain text, beside the rules of the game."""
    terms = models.JSONField(_("terms of a table"), default=dict, encoder=DjangoJSONEncoder)
    """Pace, absence and vacation: what `games.services.tables.create` takes, by name (`services.leagues.table_terms`)."""
    same_people = models.PositiveSmallIntegerField(
        _("matches of the same people that count in a season"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    forfeit = models.SmallIntegerField(
        _("what a forfeited deal counts at most"),
        default=0,
        validators=[MinValueValidator(LEAST_FORFEIT), MaxValueValidator(0)],
    )
    bots = models.BooleanField(_("computer players may sit in"), default=False)
    made_at = models.DateTimeField(_("made"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    """A closed league takes nobody in and plays no more; what it was stays to be read."""

    class Meta:
        verbose_name = _("league")
        verbose_name_plural = _("leagues")
        constraints: ClassVar = [
            models.UniqueConstraint(Lower("name"), name="one_league_of_a_name"),
            models.CheckConstraint(
                condition=Q(seats_min__gte=FEWEST_SEATS, seats_max__lte=MOST_SEATS, seats_min__lte=F("seats_max")),
                name="seats_of_a_league_within_bounds",
            ),
            models.CheckConstraint(condition=Q(forfeit__lte=0, forfeit__gte=LEAST_FORFEIT), name="nobody_wins_by_a_forfeit"),
            models.CheckConstraint(condition=Q(same_people=None) | Q(same_people__gte=1), name="some_match_of_people_counts"),
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def organiser(self) -> User | None:
        """Whose membership says so; None where the last member of a closed league has gone."""
        found = self.memberships.filter(until=None, role=Membership.Role.ORGANISER).select_related("user").first()
        return None if found is None else found.user

    @property
    def single_deal(self) -> bool:
        """Whether a match is one deal."""
        return self.options.get("target") is None


class Membership(models.Model):
    """Somebody's time in a league. Who comes back gets a new row; an ended one stays."""

    class Role(models.TextChoices):
        MEMBER = "member", _("member")
        DEPUTY = "deputy", _("deputy")
        ORGANISER = "organiser", _("organiser")

    class Ended(models.TextChoices):
        LEFT = "left", _("left")
        EXPELLED = "expelled", _("expelled")

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    ended = models.CharField(max_length=8, choices=Ended, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    """Why somebody was expelled."""

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        ordering: ClassVar = ["since", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["league", "user"], name="one_membership_at_a_time", condition=Q(until=None)),
            models.UniqueConstraint(fields=["league"], name="one_organiser_at_a_time", condition=Q(until=None, role="organiser")),
            models.CheckConstraint(
                condition=Q(until=None, ended="") | (Q(until__isnull=False) & ~Q(ended="")), name="ended_memberships_say_how"
            ),
            models.CheckConstraint(condition=~Q(ended="expelled") | ~Q(reason=""), name="nobody_is_expelled_without_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.league_id}: {self.user_id}"


class JoinRequest(models.Model):
    """Somebody asks to be let in, and what was answered."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="requests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="league_requests")
    made_at = models.DateTimeField()
    accepted = models.BooleanField(null=True, blank=True)
    """None while nobody has answered."""
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="league_requests_answered"
    )

    class Meta:
        verbose_name = _("request to join")
        verbose_name_plural = _("requests to join")
        ordering: ClassVar = ["made_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["league", "user"], name="one_open_request", condition=Q(accepted=None)),
            models.CheckConstraint(
                condition=Q(accepted=None, answered_at=None, answered_by=None)
                | Q(accepted__isnull=False, answered_at__isnull=False, answered_by__isnull=False),
                name="answered_requests_say_by_whom",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league_id}: {self.user_id}?"


class Season(models.Model):
    """A table from nought, until its end."""

    class Until(models.TextChoices):
        DATE = "date", _("until a day")
        MATCHES = "matches", _("so many matches each")
        POINTS = "points", _("the first to so many points")

    class Status(models.TextChoices):
        OPEN = "open", _("under way")
        PROVISIONAL = "provisional", _("ended, disputes are open")
        FINAL = "final", pgettext_lazy("season", "ended")

    league = models.ForeignKey(League, on_delete=models.PROTECT, related_name="seasons")
    number = models.PositiveSmallIntegerField()
    starts_at = models.DateTimeField(_("starts"))
    until = models.CharField(_("lasts"), max_length=8, choices=Until, default=Until.POINTS)
    ends_at = models.DateTimeField(_("ends"), null=True, blank=True)
    matches_each = models.PositiveSmallIntegerField(_("matches each"), null=True, blank=True)
    first_to = models.PositiveIntegerField(_("points"), null=True, blank=True)
    status = models.CharField(max_length=12, choices=Status, default=Status.OPEN)
    ended_at = models.DateTimeField(null=True, blank=True)
    """When it was over: a deal that ended later does not count."""
    reached_at = models.DateTimeField(null=True, blank=True)
    reached_by = models.BigIntegerField(null=True, blank=True)
    """When the first was there, and the key of the deal, or none where it was an adjustment: made of the ledger with the table.
    No deal behind that counts.
    """

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["league", "number"], name="one_row_per_season"),
            models.UniqueConstraint(fields=["league"], name="one_season_at_a_time", condition=Q(status="open")),
            models.CheckConstraint(
                condition=Q(status="open", ended_at=None) | (~Q(status="open") & Q(ended_at__isnull=False)),
                name="ended_seasons_have_an_end",
            ),
            models.CheckConstraint(
                condition=Q(reached_at=None, reached_by=None) | Q(reached_at__isnull=False, until="points"),
                name="the_first_reaches_points_alone",
            ),
            models.CheckConstraint(
                # a comparison with NULL is no refusal, hence what seems said twice
                condition=Q(until="date", ends_at__isnull=False, ends_at__gt=F("starts_at"), matches_each=None, first_to=None)
                | Q(until="matches", ends_at=None, matches_each__isnull=False, matches_each__gte=1, first_to=None)
                | Q(until="points", ends_at=None, matches_each=None, first_to__isnull=False, first_to__gte=1),
                name="seasons_say_when_they_end",
            ),
        ]
        indexes: ClassVar = [models.Index("ends_at", name="seasons_by_their_end", condition=Q(status="open", until="date"))]

    def __str__(self) -> str:
        return f"{self.league_id}#{self.number}"

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN


class LeagueMatch(models.Model):
    """A table of a season, with what it was made under."""

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="matches")
    game = models.OneToOneField("games.Game", on_delete=models.PROTECT, related_name="league_match")
    forfeit = models.SmallIntegerField(default=0)
    bots = models.BooleanField(default=False)
    made_at = models.DateTimeField()
    people = models.JSONField(default=list)
    """Who sat down for the first deal, by their keys in order: whether the same people have met too often."""
    counts = models.BooleanField(null=True, blank=True)
    """None until the match has begun: too few people, or the same ones too often, and it does not."""
    waiting = models.BooleanField(default=False)
    """A deal has been counted that the ledger does not have yet: set with the deal, found by the sweep."""
    provisional = models.BooleanField(default=False)
    """A dispute about it is open."""
    ranks = models.JSONField(default=dict)
    """Once it is over, by the key of each player: the rank without it and with it (`projection.rebuild`)."""

    class Meta:
        verbose_name = _("league match")
        verbose_name_plural = _("league matches")
        constraints: ClassVar = [
            # what the ledger's rows refer to, so that they are of its season
            models.UniqueConstraint(fields=["id", "season"], name="a_match_is_of_one_season"),
        ]
        indexes: ClassVar = [
            models.Index("season", name="matches_to_be_scored", condition=Q(waiting=True)),
            models.Index("season", name="matches_under_dispute", condition=Q(provisional=True)),
        ]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.game_id}"

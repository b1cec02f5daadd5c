"""Who plays: one row a person, a guest too. Computer players have no account."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from accounts.names import NAME_LENGTH, validate_name


class User(AbstractUser):
    """A player. ``username`` is the name the others read and one of the two things to log in with, the address the other."""

    class Deck(models.TextChoices):
        TWO = "2", _("Two colours")
        FOUR = "4", _("Four colours")

    class Felt(models.TextChoices):
        GREEN = "green", _("Green")
        SLATE = "slate", _("Slate")

    class Theme(models.TextChoices):
        SYSTEM = "", _("As the device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    username = models.CharField(
        _("name"),
        max_length=NAME_LENGTH,
        unique=True,
        validators=[validate_name],
        error_messages={"unique": _("Somebody has this name already. Choose another.")},
    )
    is_guest = models.BooleanField(_("guest"), default=False)
    # Empty means: the browser's language, or the one kept in the cookie.
    language = models.CharField(_("language"), max_length=8, blank=True, default="")
    # Empty means: the time zone the browser told of, else the site's.
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True, default="")
    deck = models.CharField(_("card colours"), max_length=1, choices=Deck.choices, default=Deck.TWO)
    felt = models.CharField(_("felt"), max_length=8, choices=Felt.choices, default=Felt.GREEN)
    theme = models.CharField(_("light or dark"), max_length=8, choices=Theme.choices, blank=True, default=Theme.SYSTEM)
    last_seen = models.DateTimeField(_("last seen"), null=True, blank=True)

    class Meta(AbstractUser.Meta):
        constraints = [
            # "ana" and "Ana" are one name to a reader: who has it keeps it.
            models.UniqueConstraint(Lower("username"), name="one_name_whatever_its_case"),
        ]
        indexes = [
            # Serves the daily look for guests who have gone (people.services.purge_idle_guests).
            models.Index("last_seen", name="guests_by_last_seen", condition=models.Q(is_guest=True)),
        ]

    def __str__(self) -> str:
        return self.username


class RateLimit(models.Model):
    """How often something was done in the present window. Kept in PostgreSQL, so that a limit holds without the broker.

    ``key`` is a digest (people.limits): no address of a visitor is stored.
    """

    key = models.CharField(max_length=64, primary_key=True)
    window_start = models.DateTimeField()
    count = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("rate limit")
        verbose_name_plural = _("rate limits")

    def __str__(self) -> str:
        return f"{self.key[:8]} {self.count}"

"""Who plays: one row a person, a guest too. Computer players have no account."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A player. `username` is what one logs in with; `display_name` is what the others read."""

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

    display_name = models.CharField(_("name at the table"), max_length=40, blank=True)
    is_guest = models.BooleanField(_("guest"), default=False)
    # Empty means: the browser's language, or the one kept in the cookie.
    language = models.CharField(_("language"), max_length=8, blank=True, default="")
    # Empty means: the site's time zone.
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True, default="")
    deck = models.CharField(_("card colours"), max_length=1, choices=Deck.choices, default=Deck.TWO)
    felt = models.CharField(_("table"), max_length=8, choices=Felt.choices, default=Felt.GREEN)
    theme = models.CharField(_("theme"), max_length=8, choices=Theme.choices, blank=True, default=Theme.SYSTEM)
    last_seen = models.DateTimeField(_("last seen"), null=True, blank=True)

    def __str__(self) -> str:
        return self.display_name or self.username

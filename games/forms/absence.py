"""The part of the form of a new table about players who stay away."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.models import Game
from games.presenters.times import turn_length

ABSENCES = {str(days): timedelta(days=days) for days in (1, 3, 7, 14, 30)}
ANYBODY = "0"


def _absences() -> list[tuple[str, str]]:
    return [(days, turn_length(time)) for days, time in ABSENCES.items()]


Choices = Sequence[tuple[str, Any]]
EXCUSES: Choices = [("0", gettext_lazy("none")), ("1", "1"), ("2", "2"), ("3", "3"), ("5", "5")]
ABSENT_AFTER: Choices = [("1", "1"), ("2", "2"), ("3", "3"), ("5", "5"), ("10", "10")]
RELIABILITIES: Choices = [
    (ANYBODY, pgettext_lazy("reliability", "Any")), ("70", "70 %"), ("80", "80 %"), ("90", "90 %"), ("95", "95 %"),
]  # fmt: skip
ALLOWED, FORBIDDEN = "all", "none"
VACATIONS: Choices = [
    (ALLOWED, gettext_lazy("stop the clock")),
    ("14", gettext_lazy("stop it, 14 days at most")),
    ("7", gettext_lazy("stop it, 7 days at most")),
    (FORBIDDEN, gettext_lazy("stop no clock")),
]
ABSENCE_TERMS = ("excuses", "absent_after", "absence_limit", "min_reliability")
USUAL_ABSENCE = {"excuses": "1", "absent_after": "2", "absence_limit": "7", "min_reliability": ANYBODY, "vacations": ALLOWED}


class AbsenceTerms(forms.Form):
    """What is done where somebody is missing, and how reliable players must be."""

    excuses = forms.TypedChoiceField(
        label=gettext_lazy("Excused turns"),
        help_text=gettext_lazy("So often in a match a player whose time runs out gets it anew."),
        choices=EXCUSES,
        coerce=int,
        widget=forms.Select(attrs={"class": "field"}),
    )
    absent_after = forms.TypedChoiceField(
        label=gettext_lazy("Turns until absent"),
        help_text=gettext_lazy("After so many in a row that the server had to play, the computer holds the seat."),
        choices=ABSENT_AFTER,
        coerce=int,
        widget=forms.Select(attrs={"class": "field"}),
    )
    absence_limit = forms.TypedChoiceField(
        label=gettext_lazy("Time to come back"),
        help_text=gettext_lazy("The player may come back, or somebody else take the seat over. After that the seat resigns."),
        choices=_absences,
        coerce=ABSENCES.__getitem__,
        widget=forms.Select(attrs={"class": "field"}),
    )
    min_reliability = forms.TypedChoiceField(
        label=gettext_lazy("Least reliability"),
        help_text=gettext_lazy("How many of their last 100 turns players must have played in time. New players may always join."),
        choices=RELIABILITIES,
        coerce=lambda text: int(text) or None,
        widget=forms.Select(attrs={"class": "field"}),
    )

    vacations = forms.ChoiceField(
        label=gettext_lazy("Vacations"),
        help_text=gettext_lazy(
            "Each player has 30 days a year. While the player to move is on vacation, the clock stands, as set here."
        ),
        choices=VACATIONS,
        widget=forms.Select(attrs={"class": "field"}),
    )

    @property
    def absence_fields(self) -> list[forms.BoundField]:
        """The fields of this part, in order."""
        return [self[name] for name in (*ABSENCE_TERMS, "vacations")]

    def absence_terms(self) -> dict[str, Any]:
        """These terms as `services.tables.create` takes them, of a valid form."""
        chosen = self.cleaned_data["vacations"]
        days = int(chosen) if chosen.isdecimal() else None
        terms = {name: self.cleaned_data[name] for name in ABSENCE_TERMS}
        return {**terms, "vacation": chosen != FORBIDDEN, "vacation_days": days}


def absence_like(game: Game) -> dict[str, str]:
    """What this part of the form begins with, so that the table becomes like this one; what it does not offer as usual."""
    found = {
        "excuses": (str(game.excuses), EXCUSES),
        "absent_after": (str(game.absent_after), ABSENT_AFTER),
        "absence_limit": (str(game.absence_limit.days), _absences()),
        "min_reliability": (str(game.min_reliability or ANYBODY), RELIABILITIES),
        "vacations": (str(game.vacation_days or ALLOWED) if game.vacation else FORBIDDEN, VACATIONS),
    }
    return USUAL_ABSENCE | {name: value for name, (value, offered) in found.items() if value in dict(offered)}

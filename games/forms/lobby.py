"""Which open tables to show in the lobby."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.clock import LONGEST_TURN
from games.gamenames import game_choices

# In the lobby: turns longer than the first and no longer than the second.
PACE_GROUPS = {
    "live": (timedelta(0), timedelta(hours=1)),
    "day": (timedelta(hours=1), timedelta(days=1)),
    "slow": (timedelta(days=1), LONGEST_TURN),
}
SEAT_GROUPS = {"2": (2, 2), "3": (3, 3), "4": (4, 4), "5-8": (5, 8)}


class LobbyForm(forms.Form):
    """Which tables to show. Nothing chosen shows all, and nonsense in an address counts as nothing."""

    game = forms.MultipleChoiceField(
        label=gettext_lazy("Game"), choices=game_choices(), required=False, widget=forms.CheckboxSelectMultiple
    )
    pace = forms.MultipleChoiceField(
        label=gettext_lazy("Pace"),
        choices=[("live", gettext_lazy("At once")), ("day", gettext_lazy("A day")), ("slow", gettext_lazy("Longer"))],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    seats = forms.ChoiceField(
        label=gettext_lazy("Seats"),
        choices=[
            ("", pgettext_lazy("number of seats", "Any")), ("2", "2"), ("3", "3"), ("4", "4"), ("5-8", gettext_lazy("5 to 8")),
        ],
        required=False,
        widget=forms.Select(attrs={"class": "field"}),
    )  # fmt: skip

    reliability = forms.ChoiceField(
        label=gettext_lazy("Reliability"),
        choices=[
            ("", pgettext_lazy("reliability", "Any")), ("90", gettext_lazy("90 % or more")), ("95", gettext_lazy("95 % or more")),
        ],
        required=False,
        widget=forms.Select(attrs={"class": "field"}),
    )  # fmt: skip

    def wanted(self) -> dict[str, Any]:
        """What `selectors.open_tables` takes."""
        self.is_valid()
        data = self.cleaned_data
        return {
            "variants": data.get("game", []),
            "paces": [PACE_GROUPS[name] for name in data.get("pace", [])],
            "seats": SEAT_GROUPS.get(data.get("seats", "")),
            "least": int(data["reliability"]) if data.get("reliability") else None,
        }

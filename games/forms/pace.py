"""The clock of a new table: time for a turn, or a bank; the hours at which turns end; weekends; whose hours."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.people import zones
from games.clock import in_quiet_hours
from games.models import Game
from games.presenters.times import turn_length

PACES = {
    "5m": timedelta(minutes=5),
    "30m": timedelta(minutes=30),
    "1h": timedelta(hours=1),
    "8h": timedelta(hours=8),
    "1d": timedelta(days=1),
    "3d": timedelta(days=3),
    "7d": timedelta(days=7),
    "14d": timedelta(days=14),
}
PACE_WORDS = [
    ("5m", gettext_lazy("at once, all present")),
    ("30m", gettext_lazy("beside something else")),
    ("1h", gettext_lazy("in one evening")),
    ("8h", gettext_lazy("a few turns a day")),
    ("1d", gettext_lazy("the usual")),
    ("3d", gettext_lazy("no hurry")),
    ("7d", gettext_lazy("as slow as letters")),
    ("14d", gettext_lazy("all the time in the world")),
]
NONE = "none"
INCREMENTS = {
    "1m": timedelta(minutes=1),
    "5m": timedelta(minutes=5),
    "30m": timedelta(minutes=30),
    "1h": timedelta(hours=1),
    "4h": timedelta(hours=4),
    "12h": timedelta(hours=12),
    "1d": timedelta(days=1),
}
CAPS = {"1": 1, "2": 2}
"""What a bank holds at most, in banks as they begin."""
HOURS = [(str(hour), f"{hour:02}:00") for hour in range(24)]


def _select(label: Any, choices: list[tuple[str, Any]], **more: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, widget=forms.Select(attrs={"class": "field"}), **more)


class PaceForm(forms.Form):
    """How much time the turns of a table have, and when they may end."""

    pace = forms.ChoiceField(label=gettext_lazy("Time for a turn"), choices=PACE_WORDS, widget=forms.RadioSelect)
    bank = _select(gettext_lazy("A bank of time"), [])
    cap = _select(
        gettext_lazy("The bank holds at most"),
        [("1", gettext_lazy("What it begins with")), ("2", gettext_lazy("Twice as much"))],
    )
    deadline_hour = _select(gettext_lazy("Deadline hour"), [(NONE, pgettext_lazy("the hour at which turns end", "Any")), *HOURS])
    quiet_from = _select(gettext_lazy("Quiet hours from"), [(NONE, pgettext_lazy("quiet hours", "None")), *HOURS])
    quiet_to = _select(gettext_lazy("Quiet hours until"), [(NONE, pgettext_lazy("quiet hours", "None")), *HOURS])
    weekend_pause = forms.BooleanField(label=gettext_lazy("Weekends off"), required=False)
    zone = _select(gettext_lazy("Time zone of the table"), [])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        bank, zone = self.fields["bank"], self.fields["zone"]
        assert isinstance(bank, forms.ChoiceField)
        assert isinstance(zone, forms.ChoiceField)
        bank.choices = [(NONE, _("No")), *((name, _increment(time)) for name, time in INCREMENTS.items())]
        zone.choices = zones.places()

    @property
    def paces(self) -> list[tuple[Any, str]]:
        """Each choice of a pace, with the length of a turn in words."""
        return [(radio, turn_length(PACES[str(radio.data["value"])])) for radio in self["pace"]]

    @property
    def differs(self) -> bool:
        """Whether the clock is another than usual: then what it is must be in sight."""
        return any(str(self[name].value()) != usual for name, usual in USUAL_PACE.items() if name not in ("pace", "zone"))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        self._check_bank(data.get("pace"), data.get("bank"), data.get("cap"))
        if {"deadline_hour", "quiet_from", "quiet_to"} <= data.keys():
            self._check_hours(*(_hour(data[name]) for name in ("deadline_hour", "quiet_from", "quiet_to")))
        return data

    def _check_bank(self, pace: str | None, bank: str | None, cap: str | None) -> None:
        if pace and cap and bank in INCREMENTS and INCREMENTS[bank] > PACES[pace] * CAPS[cap]:
            self.add_error(
                "bank", _("More would be added for one turn than the bank holds. Choose less, or a longer time for a turn.")
            )

    def _check_hours(self, deadline: int | None, start: int | None, end: int | None) -> None:
        if (start is None) != (end is None):
            self.add_error("quiet_to", _("Quiet hours need a beginning and an end. Choose both, or neither."))
        elif start is not None and end is not None and start == end:
            self.add_error("quiet_to", _("These quiet hours end when they begin. Choose another hour for one of the two."))
        elif None not in (deadline, start, end) and in_quiet_hours(deadline, start, end):  # type: ignore[arg-type]
            self.add_error(
                "deadline_hour", _("This hour lies in the quiet hours, in which no turn ends. Choose one outside them.")
            )

    def pace_terms(self) -> dict[str, Any]:
        """Of a valid form, what `services.tables.create` takes of the clock."""
        data = self.cleaned_data
        turn_time, increment = PACES[data["pace"]], INCREMENTS.get(data["bank"])
        return {
            "turn_time": turn_time,
            "increment": increment,
            "bank_cap": None if increment is None else turn_time * CAPS[data["cap"]],
            "deadline_hour": _hour(data["deadline_hour"]),
            "quiet_from": _hour(data["quiet_from"]),
            "quiet_to": _hour(data["quiet_to"]),
            "weekend_pause": data["weekend_pause"],
            "zone": data["zone"],
        }


def _increment(time: timedelta) -> str:
    return _("+ %(time)s a turn") % {"time": turn_length(time)}


def _hour(chosen: str) -> int | None:
    return None if chosen == NONE else int(chosen)


USUAL_PACE = {
    "pace": "1d",
    "bank": NONE,
    "cap": "2",
    "deadline_hour": NONE,
    "quiet_from": NONE,
    "quiet_to": NONE,
    "zone": "UTC",
}


def pace_like(game: Game) -> dict[str, str]:
    """What the form begins with so that the clock becomes like this table's; what it does not offer as usual."""
    found = {
        name: str(value) for name in ("deadline_hour", "quiet_from", "quiet_to") if (value := getattr(game, name)) is not None
    }
    pace = next((name for name, time in PACES.items() if time == game.turn_time), None)
    bank = next((name for name, time in INCREMENTS.items() if time == game.increment), NONE)
    if pace is not None:
        found["pace"] = pace
    if game.bank_cap is not None:
        cap = next((name for name, banks in CAPS.items() if game.turn_time * banks == game.bank_cap), USUAL_PACE["cap"])
        found |= {"bank": bank, "cap": cap}
    if game.weekend_pause:
        found["weekend_pause"] = "on"
    return USUAL_PACE | found | {"zone": game.zone}

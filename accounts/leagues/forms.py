"""What an organiser fills in: a league, a season, tables for the members, an adjustment."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.leagues.messages import sentences
from accounts.leagues.services.leagues import table_terms
from accounts.leagues.services.ledger import MOST_POINTS
from accounts.leagues.services.matches import MOST_TABLES
from accounts.leagues.services.seasons import LONGEST_MATCHES
from accounts.leagues.services.seasons import MOST_POINTS as MOST_SEASON_POINTS
from accounts.leagues.services.store import REASON_LENGTH
from accounts.models import League, Season
from accounts.models.leagues import FEWEST_SEATS, FIRST_TO, LEAGUE_NAME_LENGTH, MOST_SEATS, RULES_LENGTH
from accounts.names import NAME_LENGTH
from games.engine import VARIANTS
from games.forms import USUAL_TABLE, TableForm, table_like
from games.gamenames import game_name, with_tiles
from games.models import Game
from games.templatetags.cards import signed

Choices = list[tuple[str, Any]]
SEATS: Choices = [(str(count), str(count)) for count in range(FEWEST_SEATS, MOST_SEATS + 1)]
FORFEITS = (0, -50, -100, -200, -500)
LIMITS = (1, 2, 3, 5, 10, 20)
ANY_NUMBER = "any"
MOST_SEASONS = 32_767


def _field(**attributes: str) -> dict[str, str]:
    return {"class": "field", "autocomplete": "off", **attributes}


def _select(label: Any, choices: Choices, help_text: Any = "") -> forms.ChoiceField:
    return forms.ChoiceField(label=label, help_text=help_text, choices=choices, widget=forms.Select(attrs={"class": "field"}))


class LeagueForm(TableForm):
    """A league: the game and the terms as for a table, and what a league has beside them."""

    title = seats = computers = visibility = None  # type: ignore[assignment]  # of one table alone
    name = forms.CharField(
        label=gettext_lazy("Name of the league"), max_length=LEAGUE_NAME_LENGTH, widget=forms.TextInput(attrs=_field())
    )
    seats_min = _select(gettext_lazy("Fewest seats"), SEATS)
    seats_max = _select(gettext_lazy("Most seats"), SEATS)
    joining = forms.ChoiceField(
        label=pgettext_lazy("league", "Who may join"), choices=League.Joining.choices, widget=forms.RadioSelect
    )
    same_people = _select(
        gettext_lazy("Matches of the same people"),
        [],
        gettext_lazy("So many of them count in a season; further ones are played for pleasure."),
    )
    forfeit = _select(
        gettext_lazy("A forfeited deal"),
        [],
        gettext_lazy("Whoever resigns, or is replaced by the computer, gets what the deal gives, but no more than this."),
    )
    bots = forms.BooleanField(
        label=gettext_lazy("Computer players"),
        help_text=gettext_lazy("They may fill seats beside two members or more. They have no line in the table."),
        required=False,
    )
    rules = forms.CharField(
        label=gettext_lazy("Rules of the league"),
        max_length=RULES_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"class": "field", "rows": "5"}),
    )

    def __init__(self, *args: Any, league: League | None = None, **kwargs: Any) -> None:
        if league is not None:
            kwargs.setdefault("initial", league_like(league))
        super().__init__(*args, **kwargs)
        self.fields["name"].error_messages["required"] = " ".join(sentences("bad_name") or ())
        self._offer("same_people", [(ANY_NUMBER, _("all count")), *((str(limit), str(limit)) for limit in LIMITS)])
        self._offer("forfeit", [(str(points), _at_most(points)) for points in FORFEITS])
        if league is not None:
            self._keep(league)

    def _offer(self, name: str, choices: Choices) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def _keep(self, league: League) -> None:
        """The game stays, and what was chosen another way than here is on offer too."""
        self._offer("variant", [(league.variant, game_name(league.variant))])
        if league.forfeit not in FORFEITS:
            self._offer(
                "forfeit", [(str(points), _at_most(points)) for points in sorted({*FORFEITS, league.forfeit}, reverse=True)]
            )
        if league.same_people is not None and league.same_people not in LIMITS:
            limits = [(str(limit), str(limit)) for limit in sorted({*LIMITS, league.same_people})]
            self._offer("same_people", [(ANY_NUMBER, _("all count")), *limits])

    @property
    def league_fields(self) -> list[forms.BoundField]:
        """What counts, in order."""
        return [self["same_people"], self["forfeit"]]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        variant, fewest, most = data.get("variant"), data.get("seats_min"), data.get("seats_max")
        if variant and fewest and most:
            possible = VARIANTS[variant].seats
            if int(fewest) > int(most):
                self.add_error("seats_max", _("These are fewer than the fewest. Choose more, or fewer there."))
            elif int(most) > possible[-1]:
                facts = {"game": game_name(variant), "most": possible[-1]}
                self.add_error("seats_max", _("%(game)s has at most %(most)s seats. Choose fewer, or another game.") % facts)
        return data

    def wanted(self) -> dict[str, Any]:
        """What `services.leagues.create` and `edit` take, of a valid form; the game aside."""
        data = self.cleaned_data
        limit = data["same_people"]
        return {
            "name": data["name"],
            "options": self.tile_options() if with_tiles(data["variant"]) else self._card_options(),
            "seats_min": int(data["seats_min"]),
            "seats_max": int(data["seats_max"]),
            "joining": data["joining"],
            "rules": data["rules"],
            "terms": {**self.absence_terms(), **self.pace_terms()},
            "same_people": None if limit == ANY_NUMBER else int(limit),
            "forfeit": int(data["forfeit"]),
            "bots": data["bots"],
        }


def _at_most(points: int) -> str:
    return _("%(points)s at most") % {"points": signed(points)}


def usual_league(variant: str, zone: str) -> dict[str, Any]:
    """What the form of a new league begins with."""
    return USUAL_TABLE | {
        "variant": variant, "zone": zone, "seats_min": "2", "seats_max": "4", "joining": League.Joining.OPEN.value,
        "same_people": ANY_NUMBER, "forfeit": "0",
    }  # fmt: skip


def league_like(league: League) -> dict[str, Any]:
    """What the form begins with to change a league."""
    table = Game(variant=league.variant, options=league.options, seat_count=league.seats_max, **table_terms(league))
    return table_like(table, computers=0) | {
        "name": league.name,
        "seats_min": str(league.seats_min),
        "seats_max": str(league.seats_max),
        "joining": league.joining,
        "same_people": str(league.same_people or ANY_NUMBER),
        "forfeit": str(league.forfeit),
        "bots": league.bots,
        "rules": league.rules,
    }


def _number(label: Any, most: int, initial: int) -> forms.IntegerField:
    widget = forms.NumberInput(attrs=_field(inputmode="numeric"))
    return forms.IntegerField(label=label, min_value=1, max_value=most, required=False, initial=initial, widget=widget)


FIGURES = {Season.Until.POINTS: "first_to", Season.Until.DATE: "ends_on", Season.Until.MATCHES: "matches_each"}
LONGEST_SEASON = timedelta(days=3_653)


class SeasonForm(forms.Form):
    """How long a season lasts; of the three figures the one of the chosen way counts."""

    until = forms.ChoiceField(
        label=gettext_lazy("The season lasts"),
        choices=Season.Until.choices,
        initial=Season.Until.POINTS,
        widget=forms.RadioSelect,
    )
    first_to = _number(gettext_lazy("Points that end it"), MOST_SEASON_POINTS, FIRST_TO)
    ends_on = forms.DateField(
        label=gettext_lazy("Its last day"), required=False, widget=forms.DateInput(attrs=_field(type="date"), format="%Y-%m-%d")
    )
    matches_each = _number(pgettext_lazy("a number of", "Matches of each"), LONGEST_MATCHES, 10)

    def clean(self) -> dict[str, Any]:
        """Of the three figures the one of the chosen way is looked at; what stands in the others is nobody's fault. Without
        one the points are those that a season usually has.
        """
        data = super().clean() or {}
        for until, name in FIGURES.items():
            if "until" in data and until != data["until"]:
                self.errors.pop(name, None)
                data[name] = None
        chosen = FIGURES.get(data.get("until", ""))
        if chosen and data.get(chosen) is None and chosen not in self.errors and chosen != "first_to":
            self.add_error(chosen, self.fields[chosen].error_messages["required"])
        day, today = data.get("ends_on"), timezone.localdate()
        if day is not None and day < today:
            self.add_error("ends_on", _("That day is over. Choose one to come."))
        elif day is not None and day > today + LONGEST_SEASON:
            self.add_error("ends_on", _("A season lasts ten years at most. Choose an earlier day."))
        return data

    def wanted(self) -> dict[str, Any]:
        """What `services.seasons.start` takes, of a valid form. A season ends with its last day where the organiser lives."""
        data = self.cleaned_data
        day, ends_at = data["ends_on"], None
        if day is not None:
            ends_at = timezone.make_aware(datetime.combine(day, datetime.min.time()) + timedelta(days=1))
        return {
            "until": data["until"], "ends_at": ends_at, "matches_each": data["matches_each"], "first_to": data["first_to"],
        }  # fmt: skip


class TablesForm(forms.Form):
    """So many tables of so many seats, for all members or some."""

    tables = forms.IntegerField(
        label=pgettext_lazy("a number of", "Tables"), min_value=1, max_value=MOST_TABLES,
        widget=forms.NumberInput(attrs=_field(inputmode="numeric")),
    )  # fmt: skip
    seats = forms.TypedChoiceField(label=gettext_lazy("Seats at each"), coerce=int, widget=forms.Select(attrs={"class": "field"}))
    who = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Who plays"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    lot = forms.IntegerField(min_value=0, max_value=2**62, widget=forms.HiddenInput)
    """What the lots are drawn from: the same once more makes the tables that were shown."""
    among = forms.RegexField(r"^\d{1,9}(,\d{1,9})*$", required=False, max_length=20_000, widget=forms.HiddenInput)
    """The keys of those among whom they were drawn, though somebody has joined since."""

    def __init__(self, *args: Any, league: League, people: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seats, who = self.fields["seats"], self.fields["who"]
        assert isinstance(seats, forms.ChoiceField)
        assert isinstance(who, forms.MultipleChoiceField)
        seats.choices = [(str(count), str(count)) for count in range(league.seats_min, league.seats_max + 1)]
        who.choices = people

    def players(self) -> list[int] | None:
        """Of a valid form, among whom to draw; None for all members."""
        data = self.cleaned_data
        return data["who"] or [int(key) for key in data["among"].split(",") if key] or None


class AdjustForm(forms.Form):
    """Points added to somebody's, or taken away."""

    name = forms.CharField(
        label=gettext_lazy("Player"), max_length=NAME_LENGTH, widget=forms.TextInput(attrs=_field(list="names"))
    )
    points = forms.IntegerField(
        label=gettext_lazy("Points, with − to take away"), min_value=-MOST_POINTS, max_value=MOST_POINTS,
        widget=forms.TextInput(attrs=_field()),
    )  # fmt: skip
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_LENGTH, widget=forms.TextInput(attrs=_field()))
    number = forms.IntegerField(min_value=1, max_value=MOST_SEASONS, required=False, widget=forms.HiddenInput)
    """The season that the page showed, be it over by now; the open one where none is named."""
    request = forms.CharField(max_length=40, widget=forms.HiddenInput)
    """Names this form: sent twice it counts once."""

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        if data is not None and "points" in data:
            data = data.copy()
            data["points"] = data["points"].replace("−", "-").replace(" ", "")
        super().__init__(data, **kwargs)

"""A new table: one form with all that there is to choose, of whichever game."""

from __future__ import annotations

import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.engine import VARIANTS, rules_for
from games.forms.absence import USUAL_ABSENCE, AbsenceTerms, absence_like
from games.forms.pace import USUAL_PACE, PaceForm, pace_like
from games.forms.tile_options import ONE_DEAL, TILE_OPTIONS, USUAL_TILES, TileOptions, target_of, tiles_like
from games.gamenames import game_choices, game_name, with_tiles
from games.models import TITLE_LENGTH, Game

CARD_OPTIONS = ("target", "top_card")
TARGETS = [("250", "250"), ("500", "500"), ("1000", "1000"), (ONE_DEAL, gettext_lazy("One deal"))]
USUAL, FREE, USED = "usual", "free", "used"
TOP_CARDS = [
    (USUAL, gettext_lazy("As usual in the game")),
    (FREE, pgettext_lazy("the top card", "May be taken freely")),
    (USED, pgettext_lazy("the top card", "Must be used")),
]
MOST_SEATS = 8


def _refuse_hidden_signs(title: str) -> None:
    """A name of a table may hold any sign that can be seen, and spaces."""
    if any(unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp") for sign in title):
        raise ValidationError(_("The name holds signs that cannot be seen. Type it again."), code="hidden")


class TableForm(PaceForm, AbsenceTerms, TileOptions):
    """A new table. One form with all there is to choose, of which the options of the chosen game count; it needs no script."""

    variant = forms.ChoiceField(label=gettext_lazy("Game"), choices=game_choices(), widget=forms.RadioSelect)
    title = forms.CharField(
        label=gettext_lazy("Name of the table"),
        required=False,
        max_length=TITLE_LENGTH,
        validators=[_refuse_hidden_signs],
        widget=forms.TextInput(attrs={"class": "field", "autocomplete": "off"}),
    )
    seats = forms.TypedChoiceField(
        label=gettext_lazy("Seats"),
        choices=[(str(count), str(count)) for count in range(2, MOST_SEATS + 1)],
        coerce=int,
        widget=forms.RadioSelect,
    )
    computers = forms.TypedChoiceField(
        label=gettext_lazy("Computer players"),
        choices=[(str(count), str(count)) for count in range(MOST_SEATS)],
        coerce=int,
        widget=forms.Select(attrs={"class": "field"}),
    )
    visibility = forms.ChoiceField(label=gettext_lazy("Who may join"), choices=Game.Visibility.choices, widget=forms.RadioSelect)
    target = forms.ChoiceField(
        label=pgettext_lazy("points to reach", "Target"), choices=TARGETS, widget=forms.Select(attrs={"class": "field"})
    )
    top_card = forms.ChoiceField(
        label=gettext_lazy("The top card"), choices=TOP_CARDS, widget=forms.Select(attrs={"class": "field"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.error_messages["required"] = _("Something is missing here: choose one.")
            field.error_messages["invalid_choice"] = _("There is no such choice. Pick one of those shown.")

    def clean_title(self) -> str:
        return " ".join(unicodedata.normalize("NFC", self.cleaned_data["title"]).split())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for name in self._of_other_games(data.get("variant")):
            self.errors.pop(name, None)
        variant, seats, computers = data.get("variant"), data.get("seats"), data.get("computers")
        if variant and seats is not None and seats not in VARIANTS[variant].seats:
            self.add_error("seats", _wrong_seats(variant))
        if seats is not None and computers is not None and computers >= seats:
            self.add_error("computers", _("One seat is yours: choose fewer computer players, or more seats."))
        return data

    def _of_other_games(self, variant: str | None) -> tuple[str, ...]:
        """The options that do not count: whatever stands there is as good as the usual."""
        if variant is None:
            return (*CARD_OPTIONS, *TILE_OPTIONS)
        return CARD_OPTIONS if with_tiles(variant) else TILE_OPTIONS

    def wanted(self) -> dict[str, Any]:
        """What `services.tables.create` takes, of a valid form."""
        data = self.cleaned_data
        options = self.tile_options() if with_tiles(data["variant"]) else self._card_options()
        return {
            "variant": data["variant"],
            "seats": data["seats"],
            "options": rules_for(data["variant"], data["seats"], options).options,
            "visibility": data["visibility"],
            **self.absence_terms(),
            "title": data["title"],
            "computers": data["computers"],
            **self.pace_terms(),
        }

    def _card_options(self) -> dict[str, Any]:
        """The options of a card game, as the engine takes them."""
        data = self.cleaned_data
        options: dict[str, Any] = {"target": target_of(data["target"])}
        if data["top_card"] != USUAL:
            options["top_card_free"] = data["top_card"] == FREE
        return options


def _wrong_seats(variant: str) -> str:
    seats = VARIANTS[variant].seats
    return _("%(game)s has %(fewest)s to %(most)s seats. Choose among these, or another game.") % {
        "game": game_name(variant),
        "fewest": seats[0],
        "most": seats[-1],
    }


USUAL_TABLE = {
    "seats": "2",
    "computers": "0",
    "visibility": Game.Visibility.PUBLIC.value,
    "target": "500",
    "top_card": USUAL,
    **USUAL_ABSENCE,
    **USUAL_PACE,
    **USUAL_TILES,
}


def table_like(game: Game, computers: int) -> dict[str, str]:
    """What the form of a new table begins with, so that it becomes like this one; what it does not offer as usual."""
    found = {
        "variant": game.variant,
        "title": game.title,
        "seats": str(game.seat_count),
        "computers": str(computers),
        "visibility": game.visibility,
        **absence_like(game),
        **pace_like(game),
    }
    if with_tiles(game.variant):
        usual = {name: value for name, value in USUAL_TABLE.items() if name not in TILE_OPTIONS}
        return usual | found | tiles_like(game.options)
    return USUAL_TABLE | found | _cards_like(game)


def _cards_like(game: Game) -> dict[str, str]:
    target, free = game.options.get("target"), game.options.get("top_card_free")
    usual = VARIANTS[game.variant].defaults["top_card_free"]
    found = {"top_card": USUAL if free == usual else FREE if free else USED}
    if target is None or str(target) in dict(TARGETS):
        found["target"] = ONE_DEAL if target is None else str(target)
    return found

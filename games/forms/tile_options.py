"""The options of a table of tiles (§4), each with what it means."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.engine.etalat import Etalat

ONE_DEAL = "one"
TARGETS = [("500", "500"), ("1000", "1000"), ("2000", "2000"), (ONE_DEAL, gettext_lazy("One deal"))]
OPENINGS = [("30", "30"), ("45", "45"), ("60", "60")]
CHECKED = "on"


def _select(label: Any, help_text: Any, choices: list[tuple[str, Any]]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, help_text=help_text, choices=choices, widget=forms.Select(attrs={"class": "field"}))


def _box(label: Any, help_text: Any) -> forms.BooleanField:
    return forms.BooleanField(label=label, help_text=help_text, required=False)


class TileOptions(forms.Form):
    """The options of the tile game, by the engine's names for them; the target has its own, for the card games have one too."""

    tiles_target = _select(
        pgettext_lazy("points to reach", "Target"),
        gettext_lazy("The match ends when someone reaches it; the highest total wins."),
        TARGETS,
    )
    opening = _select(
        gettext_lazy("Points of the opening"),
        gettext_lazy("What the first melds of a player must be worth together, laid in one turn."),
        OPENINGS,
    )
    opening_shape = _select(
        gettext_lazy("Melds of the opening"),
        gettext_lazy("Whether a set must be among them beside the run."),
        [("set_and_run", gettext_lazy("A set and a run")), ("run", gettext_lazy("A run is enough"))],
    )
    ones_open = _box(
        gettext_lazy("A set of 1s opens by itself"), gettext_lazy("Three or four 1s are an opening, whatever else it asks.")
    )
    lay_off_on_opening_turn = _box(
        gettext_lazy("Laying off in the opening turn"),
        gettext_lazy("Once the opening is complete, other tiles may go on what lies on the table, in that same turn."),
    )
    exchange = _box(
        gettext_lazy("Exchange of doubles"),
        gettext_lazy("Before play, whoever holds a double may swap one of its tiles with another player, unseen."),
    )
    first_discard_dead = _box(
        gettext_lazy("The first discard is dead"), gettext_lazy("The first tile discarded in a deal can never be taken.")
    )
    announce = _select(
        gettext_lazy("Announcing the last three tiles"),
        gettext_lazy("Whoever is left with three tiles or fewer and has not announced it loses 500."),
        [
            ("manual", pgettext_lazy("announcing", "Each player")),
            ("auto", pgettext_lazy("announcing", "The server")),
        ],
    )

    @property
    def tile_fields(self) -> list[BoundField]:
        """The options in order."""
        return [self[name] for name in TILE_OPTIONS]

    def tile_options(self) -> dict[str, Any]:
        """Of a valid form, as the engine takes them."""
        data = self.cleaned_data
        named = {name: data[name] for name in TILE_OPTIONS if name != "tiles_target"}
        return named | {"target": target_of(data["tiles_target"]), "opening": int(data["opening"])}


TILE_OPTIONS = tuple(TileOptions.base_fields)


def target_of(chosen: str) -> int | None:
    """The points that end a match; None for a single deal."""
    return None if chosen == ONE_DEAL else int(chosen)


def tiles_like(options: dict[str, Any]) -> dict[str, str]:
    """What the form begins with for these options; what it does not offer as usual."""
    options = {**Etalat.defaults, **options}
    found = {}
    for name, field in TileOptions.base_fields.items():
        value = options["target" if name == "tiles_target" else name]
        if isinstance(field, forms.BooleanField):
            if value:
                found[name] = CHECKED
            continue
        text = ONE_DEAL if value is None else str(value)
        usual = str(Etalat.defaults["target" if name == "tiles_target" else name])
        found[name] = text if text in dict(field.choices) else usual  # type: ignore[attr-defined]
    return found


USUAL_TILES = tiles_like({})

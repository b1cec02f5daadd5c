"""The terms of a table of tiles in words: its options (§4)."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine.etalat import Etalat


class Term(NamedTuple):
    label: str
    value: str


def tile_terms(options: dict[str, Any]) -> list[Term]:
    """Every option that players agree to, the usual ones too."""
    dead = _("never taken") if options["first_discard_dead"] else _("may be taken")
    last = _("the server announces them") if options["announce"] == "auto" else _("to be announced, or 500 are lost")
    return [
        Term(_("Opening"), opening(options)),
        Term(_("In that turn"), _lay_off(options)),
        Term(_("Doubles"), _("exchanged before play") if options["exchange"] else _("not exchanged")),
        Term(_("First discard"), dead),
        Term(_("Last three"), last),
    ]


def opening(options: dict[str, Any]) -> str:
    """What a seat opens with: "45 points, a set and a run"."""
    facts = {"points": options["opening"]}
    run_alone, ones = options["opening_shape"] == "run", options["ones_open"]
    if run_alone and ones:
        return _("%(points)s points, a run, or a set of 1s") % facts
    if run_alone:
        return _("%(points)s points, a run") % facts
    if ones:
        return _("%(points)s points, a set and a run, or a set of 1s") % facts
    return _("%(points)s points, a set and a run") % facts


def _lay_off(options: dict[str, Any]) -> str:
    return _("laying off once it is complete") if options["lay_off_on_opening_turn"] else _("no laying off")


def tile_badges(options: dict[str, Any]) -> list[str]:
    """What a list says of the options: the points of the opening, and what is not as usual."""
    found = [_("opening %(points)s") % {"points": options["opening"]}]
    words = {
        "opening_shape": _("a run is enough"),
        "ones_open": _("1s open"),
        "lay_off_on_opening_turn": _("lay off at once"),
        "exchange": _("no exchange"),
        "first_discard_dead": _("first discard free"),
        "announce": pgettext("badge", "announced by the server"),
    }
    return found + [word for name, word in words.items() if options[name] != Etalat.defaults[name]]

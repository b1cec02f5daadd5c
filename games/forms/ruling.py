"""What a referee rules on a case, from the form of the desk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import selectors
from games.models import VERDICT_LENGTH, Dispute, Game, Ruling
from games.presenters.desk_position import steps_by_row
from games.presenters.names import seat_names
from games.selectors import cases
from games.selectors.cases import Case
from games.services.history import MOST_POINTS
from games.templatetags.cards import signed

Kind = Ruling.Kind
BUTTONS = {
    Kind.DISMISS: gettext_lazy("Dismiss the claim"),
    Kind.BACK: gettext_lazy("Go back to the move"),
    Kind.VOID: gettext_lazy("Void the deal"),
    Kind.POINTS: gettext_lazy("Adjust the points"),
    Kind.REMOVE: gettext_lazy("Remove the player"),
    Kind.REOPEN: gettext_lazy("Take the match up again"),
}


class Plate(NamedTuple):
    """A ruling that can be made: its name, what it brings about, and what the button says."""

    kind: str
    name: str
    effect: str
    button: str
    picked: bool


class RulingForm(forms.Form):
    """Which ruling, what it is about, and why."""

    rule = forms.ChoiceField(choices=Kind.choices)
    deal = forms.TypedChoiceField(coerce=int, required=False, empty_value=None)
    to = forms.IntegerField(min_value=1, max_value=100_000, required=False)
    who = forms.TypedChoiceField(coerce=int, required=False, empty_value=None)
    reason = forms.CharField(
        max_length=VERDICT_LENGTH,
        error_messages={"required": gettext_lazy("Say why: those concerned read it.")},
    )

    def __init__(self, *args: Any, case: Case, steps: dict[int, int], last: int, **kwargs: Any) -> None:
        """`steps` of the match's last deal that is not void, `last`, by the number of the row: where one can go back to."""
        super().__init__(*args, **kwargs)
        self.case, self.steps, self.last = case, steps, last
        names = seat_names(case.seats)
        for seat in case.seats:
            label = f"{names[seat.index]} ({signed(seat.total)})"
            field = forms.IntegerField(label=label, required=False, min_value=-MOST_POINTS, max_value=MOST_POINTS)
            self.fields[f"points_{seat.index}"] = field
        self.choose("deal", _deals(case, names))
        self.choose("who", [(seat.index, names[seat.index]) for seat in case.seats if seat.user_id and not seat.resigned])
        self.choose("rule", [(kind, BUTTONS[kind]) for kind in _kinds(case)])

    def choose(self, name: str, choices: Sequence[tuple[Any, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        wanted = {Kind.VOID: "deal", Kind.BACK: "to", Kind.REMOVE: "who"}.get(data.get("rule", ""))
        if wanted and wanted not in self.errors and data.get(wanted) is None:
            self.add_error(wanted, ValidationError(_("Say which."), code="required"))
        if data.get("rule") == Kind.POINTS and not self.errors and not self.added:
            self.add_error("points_0", ValidationError(_("Say how many, and whose."), code="required"))
        if data.get("rule") == Kind.BACK and data.get("to") is not None and self.row is None:
            self.add_error("to", ValidationError(_("There is no such move in that deal."), code="to"))
        return data

    @property
    def row(self) -> int | None:
        """The row of the log that the step to go back to begins with."""
        step = self.cleaned_data.get("to")
        return min((row for row, place in self.steps.items() if place == step), default=None)

    @property
    def points(self) -> list[forms.BoundField]:
        """The points of each seat, to be drawn."""
        return [self[f"points_{seat.index}"] for seat in self.case.seats]

    @property
    def added(self) -> dict[int, int]:
        """By seat, the points that are added to it or taken from it."""
        given = {seat.index: self.cleaned_data.get(f"points_{seat.index}") for seat in self.case.seats}
        return {index: points for index, points in given.items() if points}

    def asked(self) -> dict[str, Any]:
        """What of a valid form `rulings.rule` wants."""
        data, kind = self.cleaned_data, self.cleaned_data["rule"]
        about: dict[str, Any] = {}
        if kind == Kind.VOID:
            about = {"deal": data["deal"]}
        elif kind == Kind.BACK:
            about = {"entry": self.row}
        elif kind == Kind.POINTS:
            about = {"points": self.added}
        elif kind == Kind.REMOVE:
            about = {"seat": data["who"]}
        return {"kind": kind, "reason": data["reason"], **about}

    @property
    def plates(self) -> list[Plate]:
        """The rulings that can be made, with what each brings about."""
        picked = self["rule"].value() or Kind.DISMISS
        league = self.case.league
        return [
            Plate(kind, *_words(Kind(kind), self.case, self.last, league), str(BUTTONS[kind]), kind == picked)
            for kind in _kinds(self.case)
        ]


def ruling_form(case: Case, data: Any = None) -> RulingForm:
    """The form for a case, filled with what the dispute is about."""
    last = max((number for number, _scored, voided in case.deals if not voided), default=case.deals[-1][0])
    steps = steps_by_row(selectors.replayed(game=case.game, number=last).moves)
    about = case.dispute
    initial = {
        "deal": last if about.deal is None else about.deal,
        "to": steps.get(about.move) if about.move is not None and about.deal == last else None,
    }
    return RulingForm(data, case=case, steps=steps, last=last, initial=initial)


def _kinds(case: Case) -> list[Kind]:
    """What can be ruled at this table: to go back in the last deal alone, and where it stands."""
    void = [voided for _number, _scored, voided in case.deals]
    back = [] if void[-1] else [Kind.BACK]
    void_one = [] if all(void) else [Kind.VOID]
    left = [Kind.REOPEN] if case.game.status == Game.Status.FINISHED else [Kind.REMOVE]
    return [Kind.DISMISS, *back, *void_one, Kind.POINTS, *left]


def _deals(case: Case, names: list[str]) -> list[tuple[int, str]]:
    """The deals that can be made void, each with the points that would go."""
    scores = cases.scores_by_deal(game=case.game)
    found = []
    for number, scored, voided in case.deals:
        if voided:
            continue
        words = _("Deal %(number)s") % {"number": number + 1}
        if scored:
            words += ": " + " · ".join(f"{name} {signed(points)}" for name, points in zip(names, scores[number], strict=True))
        found.append((number, words))
    return found


def _words(kind: Kind, case: Case, last: int, league: str) -> tuple[str, str]:
    """The name of a ruling and what it brings about, at this table as it stands."""
    deal, over = {"number": last + 1}, case.game.status == Game.Status.FINISHED
    appeal = case.dispute.state in (Dispute.State.APPEALED, Dispute.State.RECLAIMED)
    match kind:
        case Kind.DISMISS:
            if appeal:
                return _("Dismiss"), _("the first ruling stands")
            return _("Dismiss"), _("the result stands") if over else _("play goes on from here")
        case Kind.BACK:
            if (last, True, False) in case.deals:
                words = _("it, all later moves of deal %(number)s and its points are undone; all may have seen what was dealt")
                return _("Go back to a move"), words % deal
            return _("Go back to a move"), _("it and all later moves of deal %(number)s are undone") % deal
        case Kind.VOID:
            return _("Void a deal"), _("its points go; the last one is dealt again, unless the match is decided without it")
        case Kind.POINTS:
            return _("Adjust points"), _("in the match, and in %(league)s") % {"league": league} if league else _("in the match")
        case Kind.REMOVE:
            return _("Remove a player"), _("from this match, as if resigned")
        case Kind.REOPEN:
            return _("Take the match up again"), _("a next deal is dealt; who had resigned is in again")

"""The vacation on the settings page: what is planned, what is left, and the two buttons."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User, Vacation
from accounts.people import absence, limits
from accounts.people.forms import PlainForm
from accounts.people.requests import PlayerRequest
from accounts.people.signals import tables_that_go_on
from accounts.people.times import day_of_the_year

TRIES, PER_SECONDS = 30, 3600


class VacationForm(PlainForm):
    first = forms.DateField(label=gettext_lazy("From"), input_formats=["%Y-%m-%d"])
    last = forms.DateField(label=gettext_lazy("To"), input_formats=["%Y-%m-%d"])

    def __init__(self, *args: Any, today: date, **kwargs: Any) -> None:
        kwargs["initial"] = {"first": today, "last": today}
        super().__init__(*args, **kwargs)
        self._draw_plainly()
        for name, years in (("first", 1), ("last", 2)):
            field = self.fields[name]
            bounds = {"type": "date", "min": today.isoformat(), "max": (today + years * absence.FARTHEST).isoformat()}
            field.widget = forms.DateInput(format="%Y-%m-%d", attrs={"class": "field", **bounds})

    def refuse(self, fault: absence.NoVacation) -> None:
        """Say by the field why this vacation cannot be."""
        field, sentence = _sentence(fault)
        self.add_error(field, sentence)


def _sentence(fault: absence.NoVacation) -> tuple[str | None, str]:
    match fault.code:
        case "past":
            return "first", _("That day is over. Begin today, or later.")
        case "backwards":
            return "last", _("The last day comes after the first, or is the same.")
        case "too_far":
            return "first", _("Plan no more than a year ahead.")
        case "too_long":
            left = fault.facts["left"]
            sentence = ngettext(
                "That is too long: %(left)d day is left of %(year)d.",
                "That is too long: %(left)d days are left of %(year)d.",
                left,
            )
            return "last", sentence % {"left": left, "year": fault.facts["year"]}
    return None, _("You have planned a vacation already. End that one first.")


@dataclass
class Panel:
    """What `accounts/_vacation.html` shows."""

    form: VacationForm
    row: Vacation | None
    away: bool
    """Whether it has begun."""
    left: int
    year: int
    going_on: int
    """Tables at which the player's clock runs on, vacation or not."""

    @property
    def days(self) -> int:
        return 0 if self.row is None else (self.row.last_day - self.row.first_day).days + 1

    @property
    def first(self) -> str:
        return "" if self.row is None else day_of_the_year(self.row.first_day)

    @property
    def last(self) -> str:
        return "" if self.row is None else day_of_the_year(self.row.last_day)


def panel(*, user: User, now: datetime, form: VacationForm | None = None) -> Panel:
    """The vacation of a player, to be shown in the settings or by itself."""
    vacation, today = absence.current(user=user, now=now), absence.today(user, now)
    answers: list[tuple[Any, Any]] = tables_that_go_on.send(User, user_id=user.pk)
    return Panel(
        form=form or VacationForm(today=today),
        row=vacation,
        away=vacation is not None and vacation.lasts(now),
        left=absence.days_left(user=user, now=now),
        year=today.year,
        going_on=sum(count for _receiver, count in answers),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def vacation(request: PlayerRequest) -> HttpResponse:
    """The page; posted, plan a vacation, or begin it where its first day is today."""
    now, form = timezone.now(), None
    if request.method == "POST":
        if not limits.allow(f"vacation:{request.user.pk}", limit=TRIES, per_seconds=PER_SECONDS, now=now):
            return limits.too_many(request, per_seconds=PER_SECONDS, now=now)
        form = VacationForm(request.POST, today=absence.today(request.user, now))
        if form.is_valid() and _plan(request, form, now):
            return redirect("settings")
    shown = panel(user=request.user, now=now, form=form)
    return render(request, "accounts/vacation.html", {"vacation": shown, "here": "settings"}, status=422 if form else 200)


def _plan(request: PlayerRequest, form: VacationForm, now: datetime) -> bool:
    try:
        made = absence.plan(user=request.user, now=now, **form.cleaned_data)
    except absence.NoVacation as fault:
        form.refuse(fault)
        return False
    if made.begins == now:
        messages.success(request, _("You are away. Have a good time!"))
    else:
        messages.success(request, _("Your vacation is planned."))
    return True


@login_required
@require_POST
def end_vacation(request: PlayerRequest) -> HttpResponse:
    """End a vacation early, or give up a planned one; a second tap does nothing."""
    if absence.end(user=request.user, now=timezone.now()):
        messages.success(request, _("Your vacation has ended. Your clocks go on with what was left."))
    return redirect("settings")

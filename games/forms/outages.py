"""The forms of whoever looks after the site: giving time to every clock, and working on the site."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import REASON_LENGTH, Outage, Watch
from games.services.outages import LONGEST_GIFT

MINUTES = int(LONGEST_GIFT.total_seconds()) // 60


class GiftForm(forms.ModelForm):
    """So much more time for every clock that runs, and why: the log of each table says it."""

    hours = forms.IntegerField(label=gettext_lazy("Hours"), min_value=0, max_value=MINUTES // 60, initial=0)
    minutes = forms.IntegerField(label=gettext_lazy("Minutes"), min_value=0, max_value=59, initial=0)
    reason = forms.CharField(
        label=gettext_lazy("Why"), max_length=REASON_LENGTH, help_text=gettext_lazy("Every player reads it.")
    )

    class Meta:
        model = Outage
        fields = ()

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and not timedelta(0) < self.span <= LONGEST_GIFT:
            raise ValidationError(_("Give more than nothing, and two weeks at most."), code="span")
        return data

    def _post_clean(self) -> None:
        """The row is made by the service, whole: there is nothing of it to check yet."""

    @property
    def span(self) -> timedelta:
        """What is given, of a valid form."""
        return timedelta(hours=self.cleaned_data["hours"], minutes=self.cleaned_data["minutes"])


class MaintenanceForm(forms.ModelForm):
    """Whether somebody works on the site: then no turn runs out, and every clock gets the time back."""

    working = forms.BooleanField(label=gettext_lazy("The site is being worked on"), required=False)
    reason = forms.CharField(
        label=gettext_lazy("Why"), required=False, max_length=REASON_LENGTH, help_text=gettext_lazy("Every player reads it.")
    )

    class Meta:
        model = Watch
        fields = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["working"].initial = self.instance.maintenance_since is not None
        self.fields["reason"].initial = self.instance.maintenance_reason

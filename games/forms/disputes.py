"""The form by which a player disputes a match, a deal of it, or a move."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import CLAIM_LENGTH, Dispute

LONGEST_SENT = 4 * CLAIM_LENGTH


class DisputeForm(forms.Form):
    """What it is about, and the words. `deals` is how many have been dealt, 0 where a move says which deal it is."""

    kind = forms.ChoiceField(
        label=gettext_lazy("What it is about"),
        choices=Dispute.Kind.choices,
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Choose one of the kinds."),
            "invalid_choice": gettext_lazy("Choose one of the kinds."),
        },
    )
    deal = forms.TypedChoiceField(label=gettext_lazy("Deal"), required=False, coerce=int, empty_value=None)
    words = forms.CharField(
        label=gettext_lazy("What happened"),
        max_length=LONGEST_SENT,
        widget=forms.Textarea({"rows": 6, "maxlength": CLAIM_LENGTH, "class": "field area"}),
        error_messages={
            "required": gettext_lazy("Say in a few sentences what happened."),
            "max_length": gettext_lazy("At most 2,000 letters and signs."),
        },
    )

    def __init__(self, *args: Any, deals: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not deals:
            del self.fields["deal"]
            return
        numbers = [(number, _("Deal %(number)d") % {"number": number + 1}) for number in reversed(range(deals))]
        self.fields["deal"].choices = [("", _("the whole match")), *numbers]  # type: ignore[attr-defined]
        self.fields["deal"].widget.attrs["class"] = "field"

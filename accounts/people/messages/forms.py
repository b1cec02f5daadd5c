"""The part of the settings that is about messages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.models import MessageSettings
from accounts.people.forms import PlainForm
from accounts.people.messages import outward
from accounts.people.messages.kinds import MAIL, PUSH, SETTABLE, SITE, WAYS, WEBHOOK
from accounts.people.messages.wishes import Wishes

NAMES = {
    SITE: pgettext_lazy("way of messages", "Site"),
    MAIL: pgettext_lazy("way of messages", "Mail"),
    PUSH: pgettext_lazy("way of messages", "Phone"),
    WEBHOOK: pgettext_lazy("way of messages", "Chat"),
}
_BY = {
    SITE: gettext_lazy("%(kind)s: on the site"),
    MAIL: gettext_lazy("%(kind)s: by mail"),
    PUSH: gettext_lazy("%(kind)s: on your devices"),
    WEBHOOK: gettext_lazy("%(kind)s: in your chat tool"),
}
_HOURS = [*range(5, 24), *range(5)]
_CLOCK = ["%H:%M", "%H:%M:%S"]


class MessagesForm(PlainForm):
    """What is told by which way, and when. `ways` are those that a page with this form asks about, and says so itself:
    a page from before an address was given must not turn off what it did not show."""

    ways = forms.CharField(widget=forms.HiddenInput)
    hurry = forms.TypedChoiceField(
        label=gettext_lazy("Little time left means"),
        coerce=int,
        choices=[(share, f"{share} %") for share in MessageSettings.HURRY],
    )
    quiet = forms.BooleanField(label=pgettext_lazy("quiet hours", "On"), required=False)
    quiet_from = forms.TimeField(label=pgettext_lazy("quiet hours", "From"), required=False, input_formats=_CLOCK)
    quiet_to = forms.TimeField(label=pgettext_lazy("quiet hours", "To"), required=False, input_formats=_CLOCK)
    digest_hour = forms.TypedChoiceField(label=gettext_lazy("Mail"), required=False, coerce=int, empty_value=None)
    not_while_looking = forms.BooleanField(label=gettext_lazy("Not while I am looking at that table"), required=False)
    webhook = forms.CharField(
        label=gettext_lazy("Address of the webhook"), required=False, max_length=outward.LONGEST_ADDRESS, widget=forms.URLInput
    )

    def __init__(self, *args: Any, wishes: Wishes, guest: bool, **kwargs: Any) -> None:
        begins, ends = wishes.quiet or ("22:30", "07:30")
        shown = [SITE, PUSH] if guest else [way for way in WAYS if way != WEBHOOK or wishes.webhook]
        kwargs["initial"] = {
            "ways": " ".join(shown),
            "hurry": wishes.hurry,
            "quiet": wishes.quiet is not None,
            "quiet_from": begins,
            "quiet_to": ends,
            "digest_hour": wishes.digest_hour,
            "not_while_looking": wishes.not_while_looking,
            "webhook": wishes.webhook,
        }
        super().__init__(*args, **kwargs)
        self.shown, self._before = shown, wishes
        for kind in SETTABLE:
            for way in shown:
                name = f"{kind.name}-{way}"
                always = way == SITE and kind.always_on_site
                label = _BY[way] % {"kind": kind.label}
                self.fields[name] = forms.BooleanField(label=label, required=False, disabled=always)
                self.initial[name] = wishes.wanted[kind.name, way]
        self._draw_plainly()
        for name in ("quiet_from", "quiet_to"):
            self.fields[name].widget = forms.TimeInput({"type": "time", "class": "field"}, format="%H:%M")
        digest = self.fields["digest_hour"]
        assert isinstance(digest, forms.TypedChoiceField)
        hours = [(hour, _("one a day, at %(time)s") % {"time": f"{hour:02d}:00"}) for hour in _HOURS]
        digest.choices = [("", _("each by itself")), *hours]
        self.fields["webhook"].widget.attrs |= {"autocomplete": "off", "placeholder": "https://", "inputmode": "url"}
        if guest:
            del self.fields["digest_hour"], self.fields["webhook"]

    def rows(self) -> list[tuple[Any, bool, list[BoundField]]]:
        """The matrix: each kind, whether it is on the site always, and its boxes."""
        return [(kind.label, kind.always_on_site, [self[f"{kind.name}-{way}"] for way in self.shown]) for kind in SETTABLE]

    def columns(self) -> list[Any]:
        return [NAMES[way] for way in self.shown]

    def clean_ways(self) -> list[str]:
        """Those that were shown, of those there are."""
        return [way for way in self.cleaned_data["ways"].split() if way in self.shown]

    def clean_webhook(self) -> str:
        url: str = self.cleaned_data["webhook"].strip()
        if url:
            try:
                outward.checked(url)
            except outward.BadAddress as error:
                raise forms.ValidationError(_WRONG[error.code]) from None
        return url

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("quiet") and not {"quiet_from", "quiet_to"} & set(self.errors):
            begins, ends = cleaned.get("quiet_from"), cleaned.get("quiet_to")
            if begins is None or ends is None or begins == ends:
                self.add_error("quiet_from", _("Say from when to when: two times that differ."))
        return cleaned

    def wishes(self) -> Wishes:
        """What is wanted, of a form that is in order."""
        told, before = self.cleaned_data, self._before.wanted
        wanted = {(kind, way): told.get(f"{kind}-{way}", wish) for (kind, way), wish in before.items()}
        return Wishes(
            wanted=wanted,
            hurry=told["hurry"],
            quiet=(told["quiet_from"], told["quiet_to"]) if told["quiet"] else None,
            digest_hour=told.get("digest_hour"),
            not_while_looking=told["not_while_looking"],
            webhook=told.get("webhook", ""),
        )


_WRONG = {
    "address": gettext_lazy("This is no address of a webhook. It begins with https://, as your chat tool shows it."),
    "port": gettext_lazy("Messages go to port 443, or to one from 1024 on."),
    "private": gettext_lazy("This address does not lead to the open internet."),
}

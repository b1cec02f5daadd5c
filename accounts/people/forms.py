"""The forms about people: allauth's in our words, and the settings."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth_forms
from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import tidy_name
from accounts.people import zones


class PlainForm(forms.Form):
    """A form whose words stand in labels, not in placeholders, and whose fields carry the class that draws them."""

    use_required_attribute = True

    def _draw_plainly(self, **labels: Any) -> None:
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.label = labels.get(name, field.label)
            if not isinstance(field, forms.BooleanField):
                field.widget.attrs["class"] = "field"
            field.help_text = ""


class LoginForm(PlainForm, allauth_forms.LoginForm):
    """Log in. A guest has to say first that the tables of this session may be left behind."""

    leave_guest = forms.BooleanField(
        label=_("Leave my guest tables behind"),
        error_messages={"required": _("You play as a guest. Tick the box to leave those tables, or sign up to keep them.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        user = getattr(self.request, "user", None)
        if not (user and user.is_authenticated and user.is_guest):
            del self.fields["leave_guest"]
        self._draw_plainly(login=_("Name or mail address"), password=_("Password"), remember=_("Stay logged in on this device"))
        self.fields["login"].widget.attrs["autocomplete"] = "username"
        self.fields["remember"].initial = True

    def clean_login(self) -> str:
        return tidy_name(self.cleaned_data["login"])


class SignupForm(PlainForm, allauth_forms.SignupForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._draw_plainly(username=_("Name at the table"), email=_("Mail address"), password1=_("Password"))
        self.fields["username"].widget.attrs["autocomplete"] = "nickname"
        self.fields["password1"].widget.attrs["minlength"] = "10"

    def save(self, request: HttpRequest) -> User:
        with transaction.atomic():  # the row and its address, or neither
            user: User = super().save(request)
        return user


class ResetPasswordForm(PlainForm, allauth_forms.ResetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._draw_plainly(email=_("Mail address"))


class ResetPasswordKeyForm(PlainForm, allauth_forms.ResetPasswordKeyForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]
        self._draw_plainly(password1=_("New password"))


class ChangePasswordForm(PlainForm, allauth_forms.ChangePasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]
        self._draw_plainly(oldpassword=_("Present password"), password1=_("New password"))


class SetPasswordForm(PlainForm, allauth_forms.SetPasswordForm):
    """For a player who has none: one whom somebody else made in the admin."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]
        self._draw_plainly(password1=_("New password"))


class AddEmailForm(PlainForm, allauth_forms.AddEmailForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._draw_plainly(email=_("New mail address"))


class ReauthenticateForm(PlainForm, allauth_forms.ReauthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._draw_plainly(password=_("Password"))


class SettingsForm(PlainForm):
    """What a player may set, with what is set now as its start."""

    name = forms.CharField(label=_("Name at the table"))
    language = forms.ChoiceField(label=_("Language"))
    time_zone = forms.ChoiceField(label=_("Time zone"), required=False)
    deck = forms.ChoiceField(label=_("Cards"), choices=User.Deck.choices, widget=forms.RadioSelect)
    felt = forms.ChoiceField(label=_("Felt"), choices=User.Felt.choices)
    theme = forms.ChoiceField(label=_("Light or dark"), choices=User.Theme.choices, required=False)

    def __init__(self, *args: Any, user: User, language: str, browser_zone: str = "", **kwargs: Any) -> None:
        now = timezone.now()
        kwargs["initial"] = {
            "name": user.username,
            "language": user.language or language,
            "time_zone": user.time_zone or browser_zone or settings.TIME_ZONE,
            "deck": user.deck,
            "felt": user.felt,
            "theme": user.theme,
        }
        super().__init__(*args, **kwargs)
        self.user = user
        self._draw_plainly()
        self.fields["name"].widget.attrs |= {"autocomplete": "nickname", "maxlength": "24"}
        for name, choices in (
            ("language", [(code, get_language_info(code)["name_local"].capitalize()) for code, _name in settings.LANGUAGES]),
            ("time_zone", zones.choices(now)),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices

    def clean_name(self) -> str:
        name = tidy_name(self.cleaned_data["name"])
        if name == self.user.username:
            return name  # an older name stays good, whatever the rules for new ones
        field = User._meta.get_field("username")
        for validator in field.validators:
            validator(name)
        return name

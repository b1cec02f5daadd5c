"""Where django-allauth asks how accounts are made here: a guest who signs up keeps the row, and with it the tables."""

from __future__ import annotations

import logging
from smtplib import SMTPException
from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import BaseForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.names import tidy_name
from accounts.people import services, zones
from accounts.people.signals import guest_signed_up

log = logging.getLogger(__name__)


class GuestAlreadySignedUp(Exception):
    """The guest became a player in another request, as after a double click."""


class AccountAdapter(DefaultAccountAdapter):
    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": gettext_lazy("Name and password don’t match."),
        "email_password_mismatch": gettext_lazy("Mail address and password don’t match."),
        "username_taken": gettext_lazy("Somebody has this name already. Choose another."),
        "email_taken": gettext_lazy("There is an account with this mail address already. Log in, or reset its password."),
        "duplicate_email": gettext_lazy("This is your mail address already."),
        "enter_current_password": gettext_lazy("This is not your present password."),
        "incorrect_password": gettext_lazy("This is not your password."),
        "too_many_login_attempts": gettext_lazy("Too many tries. Wait five minutes, then try again."),
        "rate_limited": gettext_lazy("Too many tries. Wait five minutes, then try again."),
    }

    def new_user(self, request: HttpRequest) -> User:
        if request.user.is_authenticated and request.user.is_guest:
            guest = services.lock_guest(guest=request.user)
            if guest is None:
                raise GuestAlreadySignedUp
            guest.is_guest = False
            return guest
        return User()

    def save_user(self, request: HttpRequest, user: Any, form: BaseForm, commit: bool = True) -> User:
        user.language = user.language or get_language() or ""
        user.time_zone = user.time_zone or zones.browser_zone(request)
        was_guest = user.pk is not None
        saved: User = super().save_user(request, user, form, commit=commit)
        if was_guest:
            guest_signed_up.send(sender=User, user_id=saved.pk)
        return saved

    def clean_username(self, username: str, shallow: bool = False) -> str:
        return super().clean_username(tidy_name(username), shallow=shallow)

    def is_safe_url(self, url: str | None) -> bool:
        """Whether to send somebody there after logging in; an address that cannot be read is none."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("settings")

    def is_ajax(self, request: HttpRequest) -> bool:
        """Never: a page is what every request gets, htmx or not."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        try:
            return super().get_client_ip(request)
        except PermissionDenied:
            return "unknown"  # behind a socket, with no proxy named in the settings: one limit for all

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """A mail server that is away must not keep anybody from playing: say so, and go on."""
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, SMTPException):
            log.exception("a letter could not be sent: %s", template_prefix)
            request = context.get("request") or self.request
            if request is not None:
                text = _("The letter to %(email)s could not be sent just now. Try again later.")
                messages.error(request, text % {"email": email})

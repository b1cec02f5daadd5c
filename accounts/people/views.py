"""The pages about people: the landing page, the accounts, the settings."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from allauth.account import views as allauth_views
from django.conf import settings as site_settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.i18n import set_language as django_set_language

from accounts.models import User
from accounts.people import services, zones
from accounts.people.adapters import GuestAlreadySignedUp
from accounts.people.forms import LoginForm, SettingsForm, SignupForm
from accounts.people.messages import wishes
from accounts.people.messages.forms import MessagesForm
from accounts.people.messages.panel import panel as ways_panel
from accounts.people.requests import PlayerRequest
from accounts.people.vacation import panel

# The picture on the landing page: a row of discards to try, and a hand under it.
PICTURE = {
    "row": ("KS", "4D", "JS", "9C", "2H", "AD", "QC", "5S", "TD", "7H", "QS", "3D", "JD"),
    "hand": ("8H", "9H", "QD", "KD", "KC", "2C", "*"),
}


@require_safe
def landing(request: HttpRequest) -> HttpResponse:
    """The door of the site; who is in already goes on to the tables."""
    if request.user.is_authenticated:
        return redirect(site_settings.LOGIN_REDIRECT_URL)
    return render(request, "accounts/landing.html", PICTURE)


class _Login(allauth_views.LoginView):
    """One page to log in or sign up; the other form stands beside, empty."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        return {**context, "login_form": context["form"], "signup_form": SignupForm()}


class _Signup(allauth_views.SignupView):
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        return {**context, "login_form": LoginForm(request=self.request), "signup_form": context["form"]}


class _ConfirmEmail(allauth_views.ConfirmEmailView):
    def logout(self) -> None:
        """Looking at a letter's link ends no session: a guest would be lost by it."""


class _PasswordResetFromKey(allauth_views.PasswordResetFromKeyView):
    def logout(self) -> None:
        """As for ``_ConfirmEmail``; to log in with the new password asks a guest first."""


_login, _signup = _Login.as_view(), _Signup.as_view()
confirm_email = _ConfirmEmail.as_view()
password_reset_from_key = _PasswordResetFromKey.as_view()


def _is_player(request: HttpRequest) -> bool:
    """Logged in for good. A guest may still log in or sign up."""
    return request.user.is_authenticated and not request.user.is_guest


def login(request: HttpRequest) -> HttpResponseBase:
    if _is_player(request):
        return redirect(site_settings.LOGIN_REDIRECT_URL)
    return _login(request)


@sensitive_post_parameters("password1")
def signup(request: HttpRequest) -> HttpResponseBase:
    """Make an account; a guest's row becomes one, and the tables stay with it."""
    if _is_player(request):
        return redirect(site_settings.LOGIN_REDIRECT_URL)
    try:
        return _signup(request)
    except GuestAlreadySignedUp:
        return redirect(site_settings.LOGIN_REDIRECT_URL)
    except IntegrityError:
        return _signup(request)  # somebody took the name a moment ago: the form knows by now and says so


def players_only(view: Any) -> Any:
    """Guests have no password and no address to change: they are sent to sign up."""

    @login_required
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not _is_player(request):
            return redirect("account_signup")
        response: HttpResponseBase = view(request, *args, **kwargs)
        return response

    return guarded


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: PlayerRequest) -> HttpResponse:
    """Name, language, time and looks; what is told by which way, and when."""
    user, now = request.user, timezone.now()
    wished = wishes.of(user)
    form = SettingsForm(
        request.POST or None,
        user=user,
        language=translation.get_language() or "en",
        browser_zone=zones.browser_zone(request),
    )
    # a form without the part about messages leaves them as they are
    told = MessagesForm(request.POST if "ways" in request.POST else None, wishes=wished, guest=user.is_guest)
    if request.method == "POST" and form.is_valid() and (told.is_valid() or not told.is_bound) and _kept(form, told, user, now):
        with translation.override(user.language):
            messages.success(request, _("Saved."))
        return _keep_language(request, redirect("settings"), user.language)
    context = {
        "form": form,
        "told": told,
        "ways": ways_panel(user=user, wishes=wished, now=now),
        "vacation": panel(user=user, now=now),
        "here": "settings",
    }
    return render(request, "accounts/settings.html", context, status=422 if form.errors or told.errors else 200)


def _kept(form: SettingsForm, told: MessagesForm, user: User, now: datetime) -> bool:
    """Keep both parts or neither; False where somebody else has the name."""
    try:
        with transaction.atomic():
            services.save_settings(user=user, **form.cleaned_data)
            if told.is_bound:
                wishes.save(user=user, wishes=told.wishes(), ways=told.cleaned_data["ways"], now=now)
    except services.NameTaken:
        form.add_error("name", _("Somebody has this name already. Choose another."))
        return False
    return True


@require_POST
def set_language(request: HttpRequest) -> HttpResponseBase:
    """The choice in the head of a page: kept in a cookie, and on the account of who is logged in."""
    language = request.POST.get("language", "")
    if request.user.is_authenticated and language in dict(site_settings.LANGUAGES):
        services.set_language(user=request.user, language=language)
    return django_set_language(request)


def _keep_language(request: HttpRequest, response: HttpResponse, language: str) -> HttpResponse:
    """So that the pages before the next login speak the same language."""
    response.set_cookie(
        site_settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=site_settings.LANGUAGE_COOKIE_AGE,
        secure=site_settings.LANGUAGE_COOKIE_SECURE,
        samesite=site_settings.LANGUAGE_COOKIE_SAMESITE,
    )
    return response

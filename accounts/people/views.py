"""The pages about people: the landing page, the accounts, the settings."""

from __future__ import annotations

from typing import Any

from allauth.account import views as allauth_views
from django.conf import settings as site_settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.i18n import set_language as django_set_language

from accounts.people import services, zones
from accounts.people.adapters import GuestAlreadySignedUp
from accounts.people.forms import LoginForm, SettingsForm, SignupForm
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
    """Name, language, time and looks."""
    user = request.user
    form = SettingsForm(
        request.POST or None,
        user=user,
        language=translation.get_language() or "en",
        browser_zone=zones.browser_zone(request),
    )
    if request.method == "POST" and form.is_valid():
        try:
            services.save_settings(user=user, **form.cleaned_data)
        except services.NameTaken:
            form.add_error("name", _("Somebody has this name already. Choose another."))
        else:
            with translation.override(user.language):
                messages.success(request, _("Saved."))
            return _keep_language(request, redirect("settings"), user.language)
    context = {"form": form, "here": "settings", "vacation": panel(user=user, now=timezone.now())}
    return render(request, "accounts/settings.html", context, status=422 if form.errors else 200)


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

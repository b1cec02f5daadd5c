"""One's data: the page, asking for all of it, fetching it, and deleting the account."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Export, User
from accounts.names import tidy_name
from accounts.people import limits
from accounts.people.owndata import services
from accounts.people.requests import PlayerRequest
from accounts.people.times import moment

TRIES, PER_SECONDS = 10, 3600


class DeleteForm(forms.Form):
    """Whoever deletes an account shows that it is theirs: by its password, or by its name where it has none."""

    proof = forms.CharField(max_length=200, strip=False)

    def __init__(self, *args: object, user: User, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.user, field = user, self.fields["proof"]
        if user.has_usable_password():
            field.label = _("Your password")
            field.widget = forms.PasswordInput(attrs={"class": "field", "autocomplete": "current-password"})
        else:
            field.label = _("Your name, as it stands above: %(name)s") % {"name": user.username}
            field.widget = forms.TextInput(attrs={"class": "field", "autocomplete": "off"})

    def clean_proof(self) -> str:
        proof: str = self.cleaned_data["proof"]
        if self.user.has_usable_password() and not self.user.check_password(proof):
            raise forms.ValidationError(_("This is not your password."))
        if not self.user.has_usable_password() and tidy_name(proof) != self.user.username:
            raise forms.ValidationError(_("This is not your name."))
        return proof


@require_safe
@never_cache
@login_required
def own_data(request: PlayerRequest) -> HttpResponse:
    """What one may have and what one may end."""
    export, now = Export.objects.defer("content").filter(user=request.user).first(), timezone.now()
    context = {
        "export": export,
        "until": moment(export.made_at + services.KEPT) if export and export.made_at else "",
        "again": export is None or (export.made_at is not None and export.asked_at <= now - services.EVERY),
        "here": "settings",
    }
    return render(request, "accounts/own_data.html", context)


@require_POST
@login_required
def ask(request: PlayerRequest) -> HttpResponse:
    """Ask for all data about oneself."""
    try:
        services.ask(user=request.user, now=timezone.now())
    except services.NotYet:
        messages.error(request, _("You can ask for it once a day. The last one is below."))
    else:
        messages.success(request, _("It is being made. Come back to this page in a minute."))
    return redirect("own_data")


@require_safe
@never_cache
@login_required
def download(request: PlayerRequest) -> HttpResponse:
    """What was made, for its owner alone."""
    export = Export.objects.filter(user=request.user, made_at__gte=timezone.now() - services.KEPT).first()
    if export is None or export.content is None:
        raise Http404
    answer = HttpResponse(bytes(export.content), content_type="application/zip")
    answer.headers["Content-Disposition"] = 'attachment; filename="remi.zip"'
    return answer


@sensitive_post_parameters("proof")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def delete(request: PlayerRequest) -> HttpResponse:
    """What deleting the account means; posted with the proof, delete it."""
    now, user = timezone.now(), request.user
    form = DeleteForm(request.POST or None, user=user)
    if request.method == "POST":
        if not limits.allow(f"delete:{user.pk}", limit=TRIES, per_seconds=PER_SECONDS, now=now):
            return limits.too_many(request, per_seconds=PER_SECONDS, now=now)
        if form.is_valid():
            services.delete(user_id=user.pk, now=now)
            logout(request)
            messages.success(request, _("Your account is deleted. Thank you for having played here."))
            return redirect("account_login")
    return render(
        request, "accounts/delete.html", {"form": form, "here": "settings"}, status=422 if request.method == "POST" else 200
    )

"""The one click in a letter that ends its kind, without logging in: the address it leads to, and what that does."""

from __future__ import annotations

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import Preference, User
from accounts.people.messages.carriers import Letter
from accounts.people.messages.kinds import KINDS, MAIL, SETTABLE
from accounts.people.messages.standing import habits_of

EVERYTHING = "all"
"""In place of a kind: all letters."""
_SALT = "accounts.people.messages.unsubscribe"


def token(letter: Letter) -> str:
    """Who is written to, and of what: all that the address says. It holds for ever, as letters do."""
    kind = EVERYTHING if letter.digest or letter.kind == "test" else letter.kind
    return signing.dumps([letter.user.pk, kind], salt=_SALT)


def read_token(text: str) -> tuple[User, str] | None:
    """The person and the kind of message; None for what is no token of ours, or of one who has gone."""
    try:
        user_id, kind = signing.loads(text, salt=_SALT)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=user_id, is_active=True).first()
    return (user, kind) if user and (kind in KINDS or kind == EVERYTHING) else None


def stop_mail(*, user: User, kind: str) -> None:
    """No letters of this kind, or none at all, from now on: those that wait are left out too."""
    kinds = [each.name for each in SETTABLE] if kind == EVERYTHING else [kind]
    Preference.objects.bulk_create(
        [Preference(user=user, kind=name, way=MAIL, wanted=False) for name in kinds],
        update_conflicts=True,
        unique_fields=["user", "kind", "way"],
        update_fields=["wanted"],
    )


def is_stopped(*, user: User, kind: str) -> bool:
    """Whether no letters of this kind go out, or none at all."""
    habits = habits_of([user])[user.pk]
    return not any(habits.wants(each.name, MAIL) for each in SETTABLE if kind in (each.name, EVERYTHING))


# A mail program posts here by itself (RFC 8058): it has no cookie, and the signature says all that a session would.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask; or end it, where it is posted. Looking alone ends nothing: programs look at links too.

    What has ended is not asked anew: who opens the link of that letter again reads that it has.
    """
    found = read_token(token)
    if found is None:
        return render(request, "accounts/unsubscribe.html", {"unknown": True}, status=404)
    user, kind = found
    what = EVERYTHING if "everything" in request.POST else kind
    if request.method == "POST":
        stop_mail(user=user, kind=what)
    label = "" if what == EVERYTHING else KINDS[what].label
    done = is_stopped(user=user, kind=what)
    context = {"token": token, "name": user.username, "label": label, "done": done}
    context["more"] = done and label and not is_stopped(user=user, kind=EVERYTHING)
    return render(request, "accounts/unsubscribe.html", context)

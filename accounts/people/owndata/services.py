"""One's data: asking for all of it, making it, and deleting the account."""

from __future__ import annotations

import io
import json
import secrets
import zipfile
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction

from accounts.models import (
    Export,
    Looking,
    Message,
    MessageSettings,
    Preference,
    PushSubscription,
    User,
    Vacation,
    Webhook,
)
from accounts.people import absence
from accounts.people.owndata.collecting import collected
from accounts.people.signals import account_going
from remi_site.celery import send

EVERY = timedelta(days=1)
KEPT = timedelta(days=7)
MAKE = "accounts.people.tasks.make_export"
SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"


class NotYet(Exception):
    """The last one was asked for less than a day ago."""


@transaction.atomic
def ask(*, user: User, now: datetime) -> Export:
    """Ask for all data about oneself. While one is being made that is the one; a new one takes the place of the last."""
    export, new = Export.objects.select_for_update().get_or_create(user=user, defaults={"asked_at": now})
    if not new and export.made_at is None:
        return export
    if not new:
        if export.asked_at > now - EVERY:
            raise NotYet
        export.asked_at, export.made_at, export.content = now, None, None
        export.save()
    user_id = user.pk
    transaction.on_commit(lambda: send(MAKE, user_id), robust=True)
    return export


@transaction.atomic
def make(*, user_id: int, now: datetime) -> bool:
    """Make what somebody has asked for; False where nothing is asked, or another worker is at it. Twice does no harm."""
    asked = Export.objects.select_for_update(skip_locked=True).filter(user=user_id, made_at=None, user__is_active=True)
    export = asked.select_related("user").first()
    if export is None:
        return False
    export.content, export.made_at = zipped(collected(user=export.user)), now
    export.save(update_fields=["content", "made_at"])
    return True


def zipped(data: dict[str, Any]) -> bytes:
    """A file of JSON for each part, in a zip."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in data.items():
            archive.writestr(f"{name}.json", json.dumps(part, cls=DjangoJSONEncoder, indent=1, ensure_ascii=False))
    return written.getvalue()


def waiting() -> list[int]:
    """For whom something is still to be made."""
    return list(Export.objects.filter(made_at=None).order_by("asked_at").values_list("user", flat=True))


def forget_old(*, now: datetime) -> None:
    """Delete what was made more than a week ago."""
    Export.objects.filter(made_at__lt=now - KEPT).delete()


@transaction.atomic
def delete(*, user_id: int, now: datetime) -> None:
    """Empty an account: nobody can log in to it, nothing tells who it was, and its name is free. Twice changes nothing.

    The row keeps its key, so that matches, logs and league tables stay whole: there it is "deleted player". What the games
    and the leagues hold about the person they let go as `account_going` is sent.
    """
    user = User.objects.select_for_update(no_key=True).filter(pk=user_id, is_active=True).first()
    if user is None:
        return
    absence.end(user=user, now=now)
    account_going.send(User, user_id=user_id, now=now)
    for model in (Export, Looking, Message, MessageSettings, Preference, PushSubscription, Vacation, Webhook, EmailAddress):
        model._default_manager.filter(user=user_id).delete()
    user.groups.clear()
    user.user_permissions.clear()
    _empty(user)


def _empty(user: User) -> None:
    user.username = "deleted-" + "".join(secrets.choice(SIGNS) for _place in range(12))
    user.email = user.first_name = user.last_name = user.language = user.time_zone = user.theme = ""
    user.deck, user.felt = User.Deck.TWO, User.Felt.GREEN
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = user.last_seen = None
    user.set_unusable_password()
    user.save()

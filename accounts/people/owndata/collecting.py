"""All that is stored about a person, as plain data: what people knows itself, and what the apps above add."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress

from accounts.models import MessageSettings, Preference, PushSubscription, User, Vacation, Webhook
from accounts.people.signals import data_asked


def collected(*, user: User) -> dict[str, Any]:
    """By part. Of others there are only the names that the person has seen at the tables and in messages."""
    found: dict[str, Any] = {"account": _account(user), "settings": _settings(user), "messages": _messages(user)}
    answers: list[tuple[Any, Any]] = data_asked.send(User, user=user)
    for _receiver, parts in answers:
        found |= parts
    return found


def _account(user: User) -> dict[str, Any]:
    addresses = EmailAddress.objects.filter(user=user).values("email", "verified", "primary")
    names = ("username", "email", "first_name", "last_name", "is_guest", "date_joined", "last_login", "last_seen")
    return {**{name: getattr(user, name) for name in names}, "addresses": list(addresses)}


def _settings(user: User) -> dict[str, Any]:
    names = ("language", "time_zone", "deck", "felt", "theme")
    return {
        **{name: getattr(user, name) for name in names},
        "messages": _rows(MessageSettings, user),
        "wishes": _rows(Preference, user),
        "devices": _rows(PushSubscription, user),
        "webhook": _rows(Webhook, user),
        "vacations": _rows(Vacation, user),
    }


def _rows(model: Any, user: User) -> list[dict[str, Any]]:
    """Rows as they are stored, but for keys that are of use inside alone."""
    names = [field.attname for field in model._meta.concrete_fields if not (field.primary_key or field.is_relation)]
    return list(model.objects.filter(user=user).order_by("pk").values(*names))


def _messages(user: User) -> list[dict[str, Any]]:
    return [dict(row) for row in user.messages.order_by("pk").values("kind", "game", "facts", "made_at", "read_at")]

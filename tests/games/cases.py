"""Disputes for the tests: a table, what is claimed there, and a referee."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import Permission

from accounts.models import Message, User
from games.models import Dispute, Entry, Game
from games.services import disputes, rulings
from games.services.errors import ServiceError
from tests.games.playing import DAY, NOON, player, rows

HOUR = timedelta(hours=1)


def referee(name: str = "Corina") -> User:
    """A referee of that name, made on first mention."""
    user = player(name)
    user.user_permissions.add(Permission.objects.get(codename="referee"))
    return User.objects.get(pk=user.pk)


def keeper_and_referee(user: User) -> User:
    """A referee whom the admin lets in, and who may do nothing else there."""
    user.is_staff = True
    user.save(update_fields=["is_staff"])
    return referee(user.username)


def dispute(game: Game, by: str = "Ana", *, now: datetime = NOON, **about: Any) -> Dispute:
    """What a player opens about a table."""
    about = {"kind": "rule", "words": "That was not right.", **about}
    return disputes.open_dispute(code=game.code, user=player(by), now=now, **about)


def claimed(game: Game, by: str = "Ana", *, to: str = "Corina", now: datetime = NOON, **about: Any) -> Dispute:
    """A dispute that a referee has taken up."""
    made = dispute(game, by, now=now, **about)
    rulings.claim(case=made.pk, user=referee(to), now=now)
    return again(made)


def again(made: Dispute) -> Dispute:
    """The dispute as it stands in the database."""
    return Dispute.objects.get(pk=made.pk)


def rule(made: Dispute, kind: str = "dismiss", *, by: str = "Corina", now: datetime = NOON, **about: Any) -> Dispute:
    """What a referee rules; the dispute afterwards."""
    rulings.rule(case=made.pk, user=referee(by), kind=kind, reason="I have looked at it.", now=now, **about)
    return again(made)


def ruled(game: Game, **about: Any) -> Dispute:
    """A dispute on which a referee has ruled."""
    return rule(claimed(game), **about)


def why_not(verb: Any, **arguments: Any) -> str:
    """The code with which that is refused. Fails where it is not, or where anything changed."""
    before = rows()
    try:
        verb(**{"now": NOON, **arguments})
    except ServiceError as fault:
        assert rows() == before
        return fault.code
    raise AssertionError("it was not refused")


def steps(made: Dispute) -> list[tuple[str, str]]:
    """What has happened in a dispute: kind and who."""
    return [(step.kind, step.user.username if step.user else "") for step in made.steps.select_related("user").order_by("pk")]


def told(*whats: str) -> list[tuple[str, str]]:
    """Who has been told which of these steps, oldest first."""
    found = Message.objects.filter(kind="ruling").select_related("user").order_by("pk")
    return [(message.user.username, message.facts["what"]) for message in found if message.facts["what"] in whats]


def last_move(game: Game) -> Entry:
    """The newest row of the log that is a move."""
    return game.entries.filter(kind=Entry.Kind.MOVE).latest("number")


def freeze(game: Game, span: timedelta = DAY, *, now: datetime = NOON) -> Dispute:
    """A dispute for which the clock of its table is frozen."""
    made = claimed(game, now=now)
    rulings.freeze(case=made.pk, user=referee(), span=span, now=now)
    return again(made)

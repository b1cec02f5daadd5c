"""What leagues hear of the games, each inside the transaction in which it happens."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.dispatch import receiver

from accounts.leagues import selectors
from accounts.leagues.audit import audit_match
from accounts.leagues.ratings.services import mark, mark_again
from accounts.leagues.services.ending import set_disputed
from accounts.leagues.services.ledger import rule
from accounts.leagues.services.matches import begun, may_sit
from accounts.leagues.services.members import gone
from accounts.leagues.services.store import lock_matches
from accounts.models import LeagueMatch, User
from accounts.people.signals import account_going, data_asked, guest_signed_up
from games import signals
from games.models import Game, Seat, Tenure
from games.services.errors import ServiceError
from remi_site.celery import send

SCORE, RATE = "accounts.leagues.tasks.score", "accounts.leagues.tasks.rate"


@receiver(signals.joining)
def members_alone(sender: Any, game: Game, user: User | None, **kwargs: Any) -> None:
    """At a table of a league its members sit, and computer players where it has them."""
    match = LeagueMatch.objects.filter(game=game).select_related("season__league").first()
    if match is None:
        return
    if user is not None:
        may_sit(match.season, user)
    elif not match.bots:
        raise ServiceError("league_no_computers")


@receiver(signals.watching)
def members_look(sender: Any, game_id: int, user: User, **kwargs: Any) -> bool:
    """The tables of a league are there for its members to watch, however it is joined."""
    return selectors.belongs_to_table(game_id=game_id, user=user)


@receiver(signals.started)
def note_who_plays(sender: Any, game: Game, seats: Sequence[Seat], now: datetime, **kwargs: Any) -> None:
    for match in lock_matches(game=game):
        begun(match, seats, now)


@receiver(signals.deal_counted)
def note_the_deal(sender: Any, game: Game, **kwargs: Any) -> None:
    """The ledger is written by a task, or else by the sweep, which finds the mark made here."""
    if LeagueMatch.objects.filter(game=game, counts=True).update(waiting=True):
        game_id = game.pk
        transaction.on_commit(lambda: send(SCORE, game_id), robust=True)


@receiver(signals.ruled)
def carry_out(
    sender: Any, game: Game, ruling: Any, referee: User, reason: str, now: datetime, voided: Collection[int] = (),
    points: Mapping[int, int] | None = None, **kwargs: Any,
) -> None:  # fmt: skip
    for match in lock_matches(game=game):
        rule(
            match=match, ruling=f"ruling:{ruling.pk}", referee=referee, reason=reason, voided=voided, points=points or {}, now=now
        )


@receiver(signals.auditing)
def compare_the_ledger(sender: Any, game: Game, **kwargs: Any) -> list[str]:
    matches = LeagueMatch.objects.filter(game=game).select_related("season", "game")
    return [line for match in matches for line in audit_match(match)]


@receiver(signals.judging)
def plays_in_the_league(sender: Any, game: Game, user: User, **kwargs: Any) -> bool:
    """Who is in the league of a match, or has played in its season, does not judge it."""
    return selectors.has_stake(game=game, user=user)


@receiver(signals.disputed)
def note_the_dispute(sender: Any, game: Game, is_open: bool, **kwargs: Any) -> None:
    for match in lock_matches(game=game):
        set_disputed(match, is_open)


@receiver(signals.match_over)
def note_the_match(sender: Any, game: Game, **kwargs: Any) -> None:
    """It is rated by a task, or else by the sweep, which finds the mark made here."""
    mark(game=game)
    _rate([game.variant])


@receiver(signals.ruled)
def note_another_result(sender: Any, game: Game, **kwargs: Any) -> None:
    """A ruling may change the result of a match, or take the match up again."""
    _rate(mark_again(game=game))


@receiver(guest_signed_up)
def note_a_player_more(sender: Any, user_id: int, **kwargs: Any) -> None:
    """A guest is not rated; the matches that a guest played are, once the guest has an account."""
    _rate(mark_again(game__in=Tenure.objects.filter(user=user_id).values("game")))


def _rate(variants: Sequence[str]) -> None:
    for variant in variants:
        transaction.on_commit(partial(send, RATE, variant), robust=True)


@receiver(account_going)
def let_go(sender: Any, user_id: int, now: datetime, **kwargs: Any) -> None:
    """Memberships end; results stay."""
    gone(user_id=user_id, now=now)


@receiver(data_asked)
def what_leagues_hold(sender: Any, user: User, **kwargs: Any) -> dict[str, Any]:
    """Memberships, rows of the ledger, and ratings."""
    members = user.memberships.order_by("pk").values("league__name", "role", "since", "until", "ended", "reason")
    rows = user.ledger_rows.order_by("pk").values("season__league__name", "season__number", "kind", "points", "at", "reason")
    rated = user.ratings.order_by("pk").values("match__game__code", "mu", "sigma")
    return {"leagues": {"memberships": list(members), "ledger": list(rows)}, "ratings": list(rated)}

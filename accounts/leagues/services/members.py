"""Coming and going: joining, asking, letting in, leaving, expelling; deputies. Whoever goes keeps the results."""

from __future__ import annotations

from datetime import datetime
from hmac import compare_digest

from django.db import transaction

from accounts.leagues.services import seasons
from accounts.leagues.services.matches import stand_up
from accounts.leagues.services.store import (
    lock_league,
    lock_memberships,
    managers,
    membership,
    must_be_alive,
    must_manage,
    must_organise,
    reason_of,
    tell,
)
from accounts.models import JoinRequest, League, Membership, User
from games.services.errors import ServiceError

Role, Ended = Membership.Role, Membership.Ended


@transaction.atomic
def join(*, code: str, user: User, now: datetime, invite: str = "") -> Membership | JoinRequest:
    """Become a member, or ask to be let in where the organiser decides. Twice changes nothing.

    Raises `no_such_league`, `league_closed`, `guests_no_league`, `expelled`, or `wrong_link`.
    """
    account = _lock_account(user.pk)
    league = lock_league(code)
    found = membership(league, user)
    if found is not None:
        return found
    must_be_alive(league)
    if account is None:
        raise ServiceError("guests_no_league")
    last = league.memberships.filter(user=user).order_by("-until").first()
    if last is not None and last.ended == Ended.EXPELLED:
        raise ServiceError("expelled")
    if league.joining == League.Joining.APPROVAL:
        return _ask(league, user, now)
    if league.joining == League.Joining.LINK and not compare_digest(invite.encode(), league.invite.encode()):
        raise ServiceError("wrong_link")
    league.requests.filter(user=user, accepted=None).delete()  # asked when the league was another kind
    return _let_in(league, user, now)


@transaction.atomic
def withdraw(*, code: str, user: User) -> None:
    """Ask no more to be let in."""
    lock_league(code).requests.filter(user=user, accepted=None).delete()


@transaction.atomic
def answer(*, code: str, by: User, user_id: int, accept: bool, now: datetime) -> JoinRequest:
    """Let in who has asked, or not. For organiser and deputies.

    Raises `no_such_request` where it has been answered, or `account_gone`.
    """
    account = _lock_account(user_id) if accept else None
    league = lock_league(code)
    must_manage(league, by)
    request = league.requests.filter(user=user_id, accepted=None).select_related("user").first()
    if request is None:
        raise ServiceError("no_such_request")
    if accept:
        must_be_alive(league)
        if account is None:
            raise ServiceError("account_gone")
        if membership(league, account) is None:
            _let_in(league, account, now)
    request.accepted, request.answered_at, request.answered_by = accept, now, by
    request.save(update_fields=["accepted", "answered_at", "answered_by"])
    tell(league, "accepted" if accept else "refused", [user_id], key=str(request.pk), now=now)
    return request


@transaction.atomic
def leave(*, code: str, user: User, now: datetime) -> None:
    """Leave a league, and its tables that have not begun. Matches under way go on and count, and results stay.

    Raises `organiser_stays`.
    """
    league = lock_league(code)
    found = next(iter(lock_memberships(league, user=user)), None)
    if found is None:
        return
    if found.role == Role.ORGANISER:
        raise ServiceError("organiser_stays")
    _go(league, found, Ended.LEFT, now)


@transaction.atomic
def expel(*, code: str, by: User, user_id: int, reason: str, now: datetime) -> Membership:
    """End somebody's membership, with a reason that the person is told. For organiser and deputies, and not of the organiser.

    Whoever is expelled does not come back but by `readmit`. Raises `not_a_member`, `organiser_stays`, `reason_missing`.
    """
    league = lock_league(code)
    mine = must_manage(league, by)
    why = reason_of(reason)
    found = next(iter(lock_memberships(league, user=user_id)), None)
    if found is None:
        raise ServiceError("not_a_member")
    if found.role == Role.ORGANISER:
        raise ServiceError("organiser_stays")
    if found.role == Role.DEPUTY and mine.role != Role.ORGANISER:
        raise ServiceError("not_the_organiser")
    _go(league, found, Ended.EXPELLED, now, why)
    tell(league, "expelled", [user_id], key=str(found.pk), now=now, reason=why)
    return found


@transaction.atomic
def readmit(*, code: str, by: User, user_id: int, now: datetime) -> Membership:
    """Take back who was expelled. For organiser and deputies. Raises `not_expelled`, or `account_gone`."""
    account = _lock_account(user_id)
    league = lock_league(code)
    must_manage(league, by)
    must_be_alive(league)
    last = league.memberships.filter(user=user_id).order_by("-since", "-pk").first()
    if last is None or last.ended != Ended.EXPELLED:
        raise ServiceError("not_expelled")
    if account is None:
        raise ServiceError("account_gone")
    made = _let_in(league, account, now)
    tell(league, "accepted", [user_id], key=f"after {last.pk}", now=now)
    return made


@transaction.atomic
def set_deputy(*, code: str, by: User, user_id: int, deputy: bool) -> Membership:
    """Make a member a deputy, or a member again. For the organiser. Raises `not_a_member`."""
    league = lock_league(code)
    must_organise(league, by)
    found = league.memberships.filter(user=user_id, until=None).exclude(role=Role.ORGANISER).first()
    if found is None:
        raise ServiceError("not_a_member")
    found.role = Role.DEPUTY if deputy else Role.MEMBER
    found.save(update_fields=["role"])
    return found


@transaction.atomic
def hand_over(*, code: str, by: User, user_id: int, now: datetime) -> League:
    """Make another member the organiser and be a deputy oneself. For the organiser. Raises `not_a_member`."""
    league = lock_league(code)
    mine = must_organise(league, by)
    heir = league.memberships.filter(user=user_id, until=None).exclude(pk=mine.pk).first()
    if heir is None:
        raise ServiceError("not_a_member")
    mine.role, heir.role = Role.DEPUTY, Role.ORGANISER
    mine.save(update_fields=["role"])
    heir.save(update_fields=["role"])
    tell(league, "organiser", [user_id], key=f"{heir.pk} {now.isoformat()}", now=now)
    return league


@transaction.atomic
def gone(*, user_id: int, now: datetime) -> None:
    """An account is no more: its memberships end, and the leagues that it organised go to the eldest deputy, else the eldest
    member; one that has nobody else is closed, with its season. Results stay. Twice changes nothing.
    """
    JoinRequest.objects.filter(user=user_id, accepted=None).delete()
    codes = Membership.objects.filter(user=user_id, until=None).order_by("league").values_list("league__code", flat=True)
    for code in codes:
        league = lock_league(code)
        for found in lock_memberships(league, user=user_id):
            organised = found.role == Role.ORGANISER
            _go(league, found, Ended.LEFT, now)
            if organised:
                _inherit(league, now)


def _inherit(league: League, now: datetime) -> None:
    heirs = league.memberships.filter(until=None, user__is_active=True).order_by("since", "pk")
    heir = heirs.filter(role=Role.DEPUTY).first() or heirs.first()
    if heir is None:
        seasons.close_now(league, now)
        league.closed_at = league.closed_at or now
        league.save(update_fields=["closed_at"])
        return
    heir.role = Role.ORGANISER
    heir.save(update_fields=["role"])
    tell(league, "organiser", [heir.user_id], key=f"{heir.pk} {now.isoformat()}", now=now)


def _ask(league: League, user: User, now: datetime) -> JoinRequest:
    found = league.requests.filter(user=user, accepted=None).first()
    if found is not None:
        return found
    request = JoinRequest.objects.create(league=league, user=user, made_at=now)
    tell(league, "asked", managers(league), key=str(request.pk), now=now, player=user.username)
    return request


def _lock_account(user_id: int) -> User | None:
    """An account that is no guest's and not given up, locked until the transaction ends. Before its league: so does who goes."""
    return User.objects.select_for_update(no_key=True).filter(pk=user_id, is_active=True, is_guest=False).first()


def _let_in(league: League, user: User, now: datetime) -> Membership:
    return Membership.objects.create(league=league, user=user, since=now)


def _go(league: League, found: Membership, how: Membership.Ended, now: datetime, reason: str = "") -> None:
    """End a membership, locked with its league. The season may have waited for this member alone."""
    stand_up(league, found.user, now)
    found.until, found.ended, found.reason, found.role = now, how, reason, Role.MEMBER
    found.save(update_fields=["until", "ended", "reason", "role"])
    seasons.end_without(league, now)

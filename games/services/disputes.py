"""What players do about a dispute: open it, answer, withdraw it, appeal (docs/disputes.md).

Any player of a match may dispute it, while it runs and for two weeks after; what they write is plain text, read by the other
players of the table and by referees. Cases are named by their key.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from games.models import Deal, Dispute, Entry, Game, Ruling, Step
from games.services import case_news, freezing, judging
from games.services.cases import WRITTEN, cleaned, locked, mark, move_to, must_play, step
from games.services.errors import ServiceError
from games.services.store import call_server, lock

OPEN_FOR = timedelta(days=14)
"""How long after its end a match may be disputed."""
APPEAL_FOR = timedelta(days=7)
"""How long after a ruling it may be appealed."""
State = Dispute.State
AT_FIRST, ON_APPEAL = (State.OPEN, State.CLAIMED), (State.APPEALED, State.RECLAIMED)
BIGGEST = 2**31 - 1


@transaction.atomic
def open_dispute(
    *, code: str, user: User, kind: str, words: str, now: datetime, deal: int | None = None, move: int | None = None
) -> Dispute:
    """Dispute a match, or a deal of it, or a move: the number of its row in the log. The dispute, which waits for a referee.

    Raises NoSuchTable where the person does not play there, or ServiceError `too_late`, `bad_kind`, `words_missing`,
    `words_long`, `no_such_deal`, `no_such_move`, `dispute_open`.
    """
    game = lock(code=code)
    must_play(game, user)
    if game.ended_at is not None and now > game.ended_at + OPEN_FOR:
        raise ServiceError("too_late")
    if kind not in Dispute.Kind.values:
        raise ServiceError("bad_kind")
    claim = cleaned(words)
    about = _about(game, deal, move)
    if Dispute.objects.filter(game=game, opener=user, state__in=AT_FIRST).exists():
        raise ServiceError("dispute_open")
    dispute = Dispute.objects.create(game=game, opener=user, kind=kind, deal=about, move=move, words=claim, opened_at=now)
    made = step(dispute, Step.Kind.OPENED, user=user, now=now)
    mark(game, now=now)
    game.save(update_fields=WRITTEN)
    case_news.tell(game, made, now=now)
    judging.call_referees(game, dispute, now=now)
    return dispute


def _about(game: Game, deal: int | None, move: int | None) -> int | None:
    """The number of the deal that is meant. A move must be one that the log shows (§4.3), and of that deal where one is named."""
    if deal is not None and not (0 <= deal <= BIGGEST and game.deals.filter(number=deal).exists()):
        raise ServiceError("no_such_deal")
    if move is None:
        return deal
    found = game.entries.filter(number=move, kind=Entry.Kind.MOVE).first() if 0 <= move <= BIGGEST else None
    if found is None or found.deal is None or deal not in (None, found.deal) or _is_sealed(game, found):
        raise ServiceError("no_such_move")
    return found.deal


def _is_sealed(game: Game, move: Entry) -> bool:
    return (
        move.text[:1] == "X"
        and move.deal is not None
        and Deal.objects.filter(game=game, number=move.deal, reason="", voided=False).exists()
    )


@transaction.atomic
def answer(*, case: int, user: User, words: str, now: datetime) -> Step:
    """Say something to a dispute that waits for a ruling: any player of the match, who opened it too.

    Raises NoSuchTable, or ServiceError `settled`, `words_missing`, `words_long`.
    """
    game, dispute = locked(case)
    must_play(game, user)
    if not dispute.unsettled:
        raise ServiceError("settled")
    made = step(dispute, Step.Kind.ANSWERED, user=user, words=cleaned(words), now=now)
    case_news.tell(game, made, now=now)
    return made


@transaction.atomic
def withdraw(*, case: int, user: User, now: datetime) -> Step:
    """Take back one's own dispute, or, where it has been ruled on, one's own appeal: then the ruling stands for good.

    Raises NoSuchTable, or ServiceError `settled`, `not_yours`.
    """
    game, dispute = locked(case)
    must_play(game, user)
    if not dispute.unsettled:
        raise ServiceError("settled")
    if user.pk != whose(dispute):
        raise ServiceError("not_yours")
    made = give_up(game, dispute, user, now=now)
    call_server(game)
    return made


def whose(dispute: Dispute) -> int:
    """Who waits for a ruling: who opened an unsettled dispute, or who has appealed. The key of a person."""
    if dispute.state not in ON_APPEAL:
        return dispute.opener_id
    asked = dispute.steps.filter(kind=Step.Kind.APPEALED).values_list("user", flat=True).first()
    return asked or dispute.opener_id


def give_up(game: Game, dispute: Dispute, user: User, *, now: datetime) -> Step:
    """Withdraw a dispute, or an appeal, with both rows locked. The clock goes on where it stood for that."""
    made = step(dispute, Step.Kind.WITHDRAWN, user=user, now=now)
    case_news.tell(game, made, now=now, appeal=dispute.state in ON_APPEAL)  # while the referee is known
    move_to(dispute, State.CLOSED if dispute.state in ON_APPEAL else State.WITHDRAWN)
    thaw_for(game, dispute, now=now)
    mark(game, now=now)
    game.save(update_fields=WRITTEN)
    return made


def thaw_for(game: Game, dispute: Dispute, *, now: datetime, by: User | None = None) -> None:
    """Let the clock of a locked table go on where it stands for this dispute. The caller saves the game."""
    held = freezing.frozen_for(game)
    if held is not None and held[0] == dispute.pk:
        made = freezing.end(game, now=now, by=by)
        dispute.refresh_from_db(fields=["frozen_for"])
        if made is not None:
            case_news.thawed(game, made, now=now)


@transaction.atomic
def appeal(*, case: int, user: User, words: str, now: datetime) -> Step:
    """Ask another referee to look into what has been ruled: any player of the match, once, within a week.

    Raises NoSuchTable, or ServiceError `nothing_to_appeal`, `appeal_late`, `words_missing`, `words_long`.
    """
    game, dispute = locked(case)
    must_play(game, user)
    ruling = may_be_appealed(dispute)
    if ruling is None:
        raise ServiceError("nothing_to_appeal")
    if now > ruling.at + APPEAL_FOR:
        raise ServiceError("appeal_late")
    made = step(dispute, Step.Kind.APPEALED, user=user, words=cleaned(words), now=now)
    move_to(dispute, State.APPEALED)
    mark(game, now=now)
    game.save(update_fields=WRITTEN)
    case_news.tell(game, made, now=now)
    judging.call_referees(game, dispute, now=now)
    return made


def may_be_appealed(dispute: Dispute) -> Ruling | None:
    """The ruling that a player may appeal, if there is time yet; None where there is none, or was an appeal already."""
    return dispute.rulings.filter(appeal=False).first() if dispute.state == State.RULED else None


def forget(*, user_id: int, now: datetime) -> None:
    """Let go of a person whose account is closed, table by table in order of their keys; in the caller's transaction.

    What they wait for is withdrawn, what they look into goes back to the queue, and their words are emptied; the rows stay.
    """
    user = User.objects.get(pk=user_id)
    user.is_active = False  # as it will be: nobody is told the name any more
    unsettled = Dispute.objects.filter(state__in=Dispute.UNSETTLED)
    asked = Step.objects.filter(user=user_id, kind=Step.Kind.APPEALED).values("dispute")
    theirs = unsettled.filter(opener=user_id) | unsettled.filter(pk__in=asked) | unsettled.filter(referee=user_id)
    for case in theirs.order_by("game", "pk").values_list("pk", flat=True):
        game, dispute = locked(case)
        if dispute.unsettled and whose(dispute) == user_id:
            give_up(game, dispute, user, now=now)
            call_server(game)
        elif dispute.referee_id == user_id:
            put_back(dispute, user, now=now)
    Dispute.objects.filter(opener=user_id).update(words="")
    Step.objects.filter(user=user_id).exclude(words="").update(words="")


def put_back(dispute: Dispute, referee: User | None, *, now: datetime) -> Step:
    """Give a locked case that a referee has taken up back to the queue; None is the server, where that referee has left it."""
    move_to(dispute, State.APPEALED if dispute.state == State.RECLAIMED else State.OPEN)
    return step(dispute, Step.Kind.RELEASED, user=referee, now=now)

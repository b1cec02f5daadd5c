"""Whether a player is reliable enough for a table; and what is kept of it (`Reliability`), checked against the logs."""

from __future__ import annotations

from django.db import connection, transaction

from accounts.models import User
from games import selectors
from games.models import Game, Reliability
from games.services.errors import ServiceError

# As `store.ends_a_turn` has it.
_ENDS = "{0}.kind = 'move' AND (left({0}.text, 1) IN ('D', 'T', 'E', 'C')"
_ENDS += " OR ({0}.facts ? 'over' AND left({0}.text, 1) NOT IN ('R', 'X')))"
# How the last turns of a player ended, at whichever tables, newest first: the moves that ended a turn of the seats they
# held, but those of turns for which the clock stood to the end, for a vacation.
_TOLD = f"""
SELECT CASE entry.actor WHEN 'player' THEN '1' ELSE '0' END
FROM games_tenure held
JOIN games_entry entry ON entry.game_id = held.game_id AND entry.seat = held.seat AND entry.number >= held.from_entry
WHERE held.user_id = %s AND {_ENDS.format("entry")}
    AND NOT EXISTS (
        SELECT 1 FROM games_tenure later WHERE later.game_id = held.game_id AND later.seat = held.seat
        AND later.from_entry > held.from_entry AND later.from_entry <= entry.number)
    AND NOT EXISTS (
        SELECT 1 FROM games_entry away WHERE away.game_id = entry.game_id AND away.seat = entry.seat
        AND away.number < entry.number AND away.kind = 'event' AND away.text = 'vacation'
        AND NOT EXISTS (
            SELECT 1 FROM games_entry since WHERE since.game_id = entry.game_id AND since.seat = entry.seat
            AND since.number > away.number AND since.number < entry.number
            AND (since.text = 'vacation_over' OR {_ENDS.format("since")})))
ORDER BY entry.at DESC, entry.id DESC LIMIT %s
"""


def must_reach(*, game: Game, user: User) -> None:
    """Refuse with `not_reliable` who plays too few turns in time for a table. Who is new is welcome everywhere."""
    if game.min_reliability is None:
        return
    share = selectors.reliability([user.pk])[user.pk]
    if share is not None and share < game.min_reliability:
        raise ServiceError("not_reliable")


def told(*, user_id: int) -> str:
    """How a player's last turns ended by the logs, as `Reliability.recent` keeps it."""
    with connection.cursor() as cursor:
        cursor.execute(_TOLD, [user_id, Reliability.KEPT])
        return "".join(sign for (sign,) in reversed(cursor.fetchall()))


def differences() -> list[str]:
    """The players whose figure is not that of the logs, as sentences.

    The order of turns that ended at two tables in the same instant tells nothing: the shares are compared. An account
    that is closed has no figure any more, while the turns of its seats stay in the logs.
    """
    kept = dict(Reliability.objects.values_list("user", "recent"))
    players = User.objects.filter(pk__in={*kept, *_players()}, is_active=True).order_by("pk")
    return [
        f"player {pk}: the turns played in time are not those of the logs"
        for pk in players.values_list("pk", flat=True)
        if _share(kept.get(pk, "")) != _share(told(user_id=pk))
    ]


def _players() -> set[int]:
    return set(User.objects.filter(tenures__isnull=False).values_list("pk", flat=True))


def _share(recent: str) -> tuple[int, int]:
    return len(recent), recent.count("1")


@transaction.atomic
def rebuild(*, user_id: int) -> None:
    """Write a player's figure anew from the logs; of an account that is closed there is none."""
    Reliability.objects.select_for_update().filter(user=user_id).first()
    recent = told(user_id=user_id) if User.objects.filter(pk=user_id, is_active=True).exists() else ""
    if recent:
        Reliability.objects.update_or_create(user_id=user_id, defaults={"recent": recent})
    else:
        Reliability.objects.filter(user=user_id).delete()

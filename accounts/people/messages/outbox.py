"""Writing messages, in the caller's transaction, and taking note that they have been seen.

None of them waits for a row that somebody else holds: a move must not stand in a queue with the letters of others. What
is skipped so is found out by the sweep.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.db.models import Q

from accounts.models import Message
from accounts.people.messages.kinds import ASKING, KINDS

READ_AFTER = timedelta(seconds=15)
"""A page that is looked at has shown by then what a message tells."""

# Who has just played was at the table, and has seen what else was told of it.
_SEEN = """
seen AS (
    UPDATE accounts_message SET read_at = %(now)s WHERE id IN (
        SELECT id FROM accounts_message
        WHERE %(why)s = 'played' AND user_id IN (SELECT user_id FROM closed) AND game = %(game)s AND made_at <= %(shown)s
            AND kind NOT IN ('turn', 'hurry') AND on_site AND read_at IS NULL AND closed_at IS NULL
        FOR UPDATE SKIP LOCKED)
)
"""

_POST = f"""
WITH closed AS (
    UPDATE accounts_message SET closed_at = %(now)s, closed = %(why)s, remind_at = NULL WHERE id IN (
        SELECT id FROM accounts_message
        WHERE %(closes)s AND game = %(game)s AND kind IN ('turn', 'hurry') AND closed_at IS NULL
        FOR UPDATE SKIP LOCKED)
    RETURNING user_id
), {_SEEN}
INSERT INTO accounts_message (user_id, kind, key, game, facts, until, made_at, due_at, on_site, closed)
SELECT user_id, %(kind)s, %(key)s, %(game)s, facts, %(until)s, %(now)s, %(now)s, true, ''
FROM jsonb_to_recordset(%(told)s::jsonb) AS told (user_id bigint, facts jsonb)
WHERE EXISTS (SELECT FROM accounts_user WHERE id = user_id AND is_active)
ON CONFLICT (user_id, kind, key) DO NOTHING
"""

_CLOSE = f"""
WITH closed AS (
    UPDATE accounts_message SET closed_at = %(now)s, closed = %(why)s, remind_at = NULL WHERE id IN (
        SELECT id FROM accounts_message
        WHERE game = %(game)s AND kind = ANY(%(kinds)s) AND closed_at IS NULL AND user_id = ANY(%(users)s)
        FOR UPDATE SKIP LOCKED)
    RETURNING user_id
), {_SEEN}
SELECT FROM closed
"""

_LOOK_AGAIN = """
UPDATE accounts_message SET until = NULL, remind_at = %(now)s WHERE id IN (
    SELECT id FROM accounts_message
    WHERE game = %(game)s AND kind = ANY(%(kinds)s) AND closed_at IS NULL AND remind_at IS NOT NULL
    FOR UPDATE SKIP LOCKED)
"""

_LOOK = """
INSERT INTO accounts_looking (user_id, game, at) VALUES (%s, %s, %s)
ON CONFLICT (user_id, game) DO UPDATE SET at = EXCLUDED.at
"""


def post(
    *, kind: str, user_ids: Collection[int], key: str, now: datetime, game: str = "", facts: Mapping[str, Any] | None = None,
    own: Mapping[int, Mapping[str, Any]] | None = None, until: datetime | None = None, why: str = "played",
) -> None:  # fmt: skip
    """Tell these people, each once of the same `key`; in the transaction of what is told of.

    `game` is the code of a table, `facts` are plain JSON and known to everybody there, `own` adds to them for one person
    alone. `until` is the deadline of what the message asks for.

    A turn closes what asked for the one before (`why` as in `Message.Closed`): with nobody to tell, it does that alone. Where
    that one was played, its player has seen what else was told of the table.
    """
    facts, own = facts or {}, own or {}
    told = [{"user_id": user_id, "facts": {**facts, **own.get(user_id, {})}} for user_id in user_ids]
    assert kind in KINDS
    with connection.cursor() as cursor:
        cursor.execute(
            _POST,
            {
                "now": now,
                "shown": now - READ_AFTER,
                "closes": kind == "turn",
                "why": Message.Closed(why).value,
                "game": game,
                "kind": kind,
                "key": key,
                "until": until,
                "told": json.dumps(told, cls=DjangoJSONEncoder),
            },
        )


def close(*, game: str, user_ids: Collection[int], why: str, now: datetime, kinds: Collection[str] = ASKING) -> None:
    """What these people were told at a table need not be told any more; unless said otherwise, what asked for a move."""
    which: dict[str, Any] = {"game": game, "users": list(user_ids), "kinds": list(kinds)}
    with connection.cursor() as cursor:
        cursor.execute(_CLOSE, {**which, "why": Message.Closed(why).value, "now": now, "shown": now - READ_AFTER})


def goes_on(*, game: str, now: datetime) -> None:
    """The clock of a table that stood runs again: what asks for a move there is looked at anew, for its new deadline."""
    with connection.cursor() as cursor:
        cursor.execute(_LOOK_AGAIN, {"game": game, "kinds": list(ASKING), "now": now})


@transaction.atomic
def mark_read(*, user_id: int, now: datetime, which: Q | None = None) -> int:
    """Note that a person has seen messages, all or those that `which` says; how many."""
    unread = Message.objects.filter(which or Q(), user=user_id, read_at=None, due_at__lte=now)
    return Message.objects.filter(pk__in=unread.select_for_update(skip_locked=True).values("pk")).update(read_at=now)


@transaction.atomic
def look(*, user_id: int, game: str, now: datetime) -> None:
    """Note that a person has a table before the eyes, and with it what its messages tell."""
    with connection.cursor() as cursor:
        cursor.execute(_LOOK, [user_id, game, now])
    mark_read(user_id=user_id, now=now, which=Q(game=game, made_at__lte=now - READ_AFTER))

"""Of the unread messages about a table the newest takes the place of all others: what of those it has to say along.

What is asked of the reader there is told as it is now, whatever was told before. What players and referees have said is told
until it is read (`Kind.lasting`). All else that has happened is to be seen at the table, and stands in the list of messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import Exists, OuterRef, Q

from accounts.models import Message
from accounts.models.messages import Beside
from accounts.people.messages.kinds import ASKING, LASTING
from accounts.people.messages.standing import HOLDS, Standing

UNREAD = Q(on_site=True, read_at=None, closed_at=None, spread_at__isnull=False)
"""What has been told on the site, and neither seen nor become void."""


def is_under_another() -> Exists:
    """Of a query of messages: whether an unread one about the same table is newer."""
    newer = Message.objects.filter(UNREAD, user=OuterRef("user"), game=OuterRef("game"), pk__gt=OuterRef("pk"))
    return Exists(newer.exclude(game=""))


def note(messages: Sequence[Message], known: Mapping[int, Standing]) -> None:
    """Look up what is to be said with each of these, of which it is `known` what has become: one query for all."""
    about = [message for message in messages if message.game]
    if not about:
        return
    users, games = {message.user_id for message in about}, {message.game for message in about}
    lasting = Message.objects.filter(UNREAD, kind__in=LASTING, user__in=users, game__in=games).order_by("-pk")
    under: dict[tuple[int, str], list[Message]] = {}
    for older in lasting:
        under.setdefault((older.user_id, older.game), []).append(older)
    for message in about:
        standing = known.get(message.pk, HOLDS)
        unread = tuple(older for older in under.get((message.user_id, message.game), ()) if older.pk < message.pk)
        asks = "" if message.kind in ASKING else standing.asks
        message.beside = Beside(asks, standing.until if asks else None, unread)

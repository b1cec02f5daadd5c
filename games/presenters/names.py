"""What those who sit at a table are called, and the table itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from games.gamenames import game_name
from games.models import TITLE_LENGTH, Game, Seat, Tenure


def seat_names(seats: Iterable[Seat]) -> list[str]:
    """The name of each seat, in the order given. Computer players are numbered where there are several.

    Wants the users loaded (`select_related("user")`). Who has gone has no name any more.
    """
    seats = list(seats)
    computers = [seat.index for seat in seats if seat.bot]
    return [_name(seat, computers) for seat in seats]


def _name(seat: Seat, computers: list[int]) -> str:
    if seat.bot or seat.user is None:
        if len(computers) < 2:
            return _("Computer")
        return _("Computer %(number)s") % {"number": computers.index(seat.index) + 1}
    return player_name(seat.user)


def player_name(user: User | None) -> str:
    """What a player is called; who has gone has no name any more."""
    return user.username if user is not None and user.is_active else _("deleted player")


def profile_of(user: User | None) -> str:
    """The name by which a player has a page; empty for who has none: computer players, guests, and who is gone."""
    return user.username if user is not None and user.is_active and not user.is_guest else ""


class Former(NamedTuple):
    """Who held a seat before its present holder, up to a row of the log."""

    seat: int
    until: int
    """The number of the first row that is no longer theirs."""
    until_deal: int
    """The first deal that does not count for them any more."""
    name: str
    user_id: int


def formers(tenures: Sequence[Tenure]) -> list[Former]:
    """Those whose seats others have taken over, from all tenures of a match, oldest first; the latest of them first."""
    found: list[Former] = []
    after: dict[int, Tenure] = {}
    for tenure in reversed(tenures):
        following = after.get(tenure.seat)
        if following is not None and tenure.user is not None:
            name = player_name(tenure.user)
            found.append(Former(tenure.seat, following.from_entry, following.from_deal, name, tenure.user.pk))
        after[tenure.seat] = tenure
    return found


def names_at(number: int, names: list[str], former: Sequence[Former]) -> list[str]:
    """What the seats were called at a row of the log, from what they are called now."""
    found = list(names)
    for holder in former:
        if number < holder.until:
            found[holder.seat] = holder.name
    return found


def holders_in(deal: int, former: Sequence[Former]) -> dict[int, Former]:
    """By seat, for whom a deal counts, counted from 0, where it is not for who holds the seat now."""
    return {holder.seat: holder for holder in former if deal < holder.until_deal}


def joined(names: Sequence[str]) -> str:
    """Names as they stand in a sentence: "Ana, Bogdan and Céline"."""
    if len(names) < 2:
        return "".join(names)
    return pgettext("names", "%(first)s and %(last)s") % {"first": ", ".join(names[:-1]), "last": names[-1]}


def table_name(game: Game) -> str:
    """What a table is called; one without a name by its game."""
    return game.title or game_name(game.variant)


def name_for_now(now: datetime) -> str:
    """The name of a table that its maker did not name, by the day and hour there: "Friday evening"."""
    local = timezone.localtime(now)
    day = {"day": date_format(local, "l")}
    if local.hour < 5 or local.hour >= 22:
        named = pgettext("name of a table", "%(day)s night") % day
    elif local.hour < 12:
        named = pgettext("name of a table", "%(day)s morning") % day
    elif local.hour < 18:
        named = pgettext("name of a table", "%(day)s afternoon") % day
    else:
        named = pgettext("name of a table", "%(day)s evening") % day
    return (named[:1].upper() + named[1:])[:TITLE_LENGTH]

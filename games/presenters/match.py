"""A finished match: its winner, the final totals, the sheet deal by deal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from accounts.models import User
from games import selectors
from games.models import Game, Seat
from games.presenters.chat import chat_of
from games.presenters.names import Former, formers, joined, profile_of, seat_names, table_name
from games.presenters.standings import ranked
from games.presenters.terms import game_in_words, terms
from games.presenters.times import day_of


@dataclass(frozen=True)
class Final:
    """A seat at the end."""

    place: int
    name: str
    you: bool
    won: bool
    resigned: bool
    total: int
    since: str
    """Of a substitute, from which deal on the seat was theirs, and who held it before."""
    profile: str


def match_context(*, game: Game, seats: list[Seat], user: User | AnonymousUser, now: datetime) -> dict[str, Any]:
    """What the page of a finished match shows. `seats` with their users, in order."""
    names = seat_names(seats)
    mine = next((seat.index for seat in seats if user.pk is not None and seat.user_id == user.pk), None)
    sheet = selectors.sheet(game=game)
    deals = len([row for row in sheet if row.deal is not None])
    former = formers(selectors.substitutions(game=game, seats=seats))
    return {
        "game": game,
        "name": table_name(game),
        "words": game_in_words(game),
        "headline": _headline(game, names, mine),
        "day": day_of(game.ended_at) if game.ended_at else "",
        "scale": max([game.rules.target or 0, *(seat.total for seat in seats)]),
        "finals": [
            Final(
                place=place,
                name=names[seat.index],
                you=seat.index == mine,
                won=seat.index == game.winner,
                resigned=seat.resigned,
                total=seat.total,
                since=_since([holder for holder in former if holder.seat == seat.index], deals),
                profile=profile_of(seat.user),
            )
            for place, seat in enumerate(ranked(seats, game.winner), 1)
        ],
        "names": [_("You") if seat.index == mine else name for seat, name in zip(seats, names, strict=True)],
        "sheet": sheet,
        "deals": len([row for row in sheet if row.deal is not None and not row.void]),
        "totals": [seat.total for seat in seats],
        "terms": terms(game, now=now),
        "talk": chat_of(game=game, user=user, seats=seats, now=now) if isinstance(user, User) else None,
    }


def _since(former: list[Former], deals: int) -> str:
    """From which of so many deals on a seat was a substitute's, and whose it was before."""
    if not former:
        return ""
    before = joined([holder.name for holder in reversed(former)])
    if former[0].until_deal >= deals:
        return _("sat down in the place of %(names)s") % {"names": before}
    return _("from deal %(number)s on; before that %(names)s") % {"number": former[0].until_deal + 1, "names": before}


def _headline(game: Game, names: list[str], mine: int | None) -> str:
    if game.winner is None or game.winner == mine:
        return _("You win the match.")
    return _("%(name)s wins the match.") % {"name": names[game.winner]}

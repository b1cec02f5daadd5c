"""Tables in lists: my games and the lobby."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.models import User
from games import selectors
from games.gamenames import game_name, with_tiles
from games.models import Entry, Game, Seat
from games.presenters.names import joined, profile_of, seat_names, table_name
from games.presenters.offers import what_comes
from games.presenters.pace_terms import pace
from games.presenters.standings import ranked
from games.presenters.terms import badges, game_in_words
from games.presenters.times import TimeLeft, time_left, time_of
from games.templatetags.cards import write_card

# The card beside a table where none lies on it yet: the fewer free seats, the more of a meld.
NO_CARD = {"remi500": "7H", "rami500": "QD", "etalat": "12R"}


@dataclass(frozen=True)
class Row:
    """A table of a player's own, open or running."""

    code: str
    name: str
    words: str
    """The game and who plays: "Remi 500 with Ana and Bogdan"."""
    news: str | SafeString
    card: str
    """The last card discarded, or one that stands for the game."""
    tiles: bool
    time: TimeLeft | None
    absent: bool = False
    """Whether the computer plays for the player, until they are back."""


@dataclass(frozen=True)
class Past:
    """A finished match: how it went for the player."""

    code: str
    name: str
    outcome: str
    total: int


@dataclass
class MyGames:
    """My games, as the page groups them."""

    waiting: list[Row] = field(default_factory=list)
    invited: list[Row] = field(default_factory=list)
    open: list[Row] = field(default_factory=list)
    others: list[Row] = field(default_factory=list)
    finished: list[Past] = field(default_factory=list)

    @property
    def any(self) -> bool:
        return bool(self.waiting or self.invited or self.open or self.others or self.finished)


def my_games(*, user: User, now: datetime, work_since: datetime | None = None) -> MyGames:
    """A player's tables: those that wait first, by time left. No clock runs where the site is worked on since some time."""
    games = selectors.my_games(user=user)
    turns = selectors.last_turns(games=[game for game, _waits in games if game.status == Game.Status.RUNNING])
    page = MyGames(finished=[past(game, user) for game in selectors.finished_games(user=user)])
    page.invited = [_invited_row(game, by) for game, by in selectors.invitations(user=user)]
    for game, waits in games:
        seats = list(game.seats.all())
        mine = next(seat for seat in seats if seat.user_id == user.pk)
        if game.status == Game.Status.OPEN:
            page.open.append(_open_row(game, seats, mine))
        elif mine.absent:
            page.waiting.append(_absent_row(game, seats, mine, turns.get(game.pk), now))
        elif waits:
            page.waiting.append(_waiting_row(game, seats, mine, turns.get(game.pk), time_of(game, now, work_since)))
        else:
            page.others.append(_others_row(game, seats, mine, turns.get(game.pk), time_of(game, now, work_since)))
    return page


def _with(game: Game, seats: list[Seat], mine: Seat) -> str:
    others = [name for seat, name in zip(seats, seat_names(seats), strict=True) if seat is not mine]
    if not others:
        return game_name(game.variant)
    return _("%(game)s with %(names)s") % {"game": game_name(game.variant), "names": joined(others)}


def _waiting_row(game: Game, seats: list[Seat], mine: Seat, last: Entry | None, time: TimeLeft | None) -> Row:
    news = _("A new deal: answer the exchange of doubles.") if game.in_exchange else _news(game, last, seats, mine)
    return Row(
        game.code,
        table_name(game),
        _with(game, seats, mine),
        news,
        _card(game, last),
        with_tiles(game.variant),
        time,
    )


def _absent_row(game: Game, seats: list[Seat], mine: Seat, last: Entry | None, now: datetime) -> Row:
    """A table at which the computer plays for the player."""
    news = _("You are absent: the computer plays for you until you are back.")
    time = time_left(mine.absent_until, now) if mine.absent_until else None
    card, tiles = _card(game, last), with_tiles(game.variant)
    return Row(game.code, table_name(game), _with(game, seats, mine), news, card, tiles, time, absent=True)


def _news(game: Game, last: Entry | None, seats: list[Seat], mine: Seat) -> str | SafeString:
    """What happened last, for who is to move."""
    if last is not None and last.text == "rolled_back":
        return _("A referee went back to this turn.")
    if last is None or last.seat is None or last.text == "dealt":
        begun = last is not None and last.begun  # type: ignore[attr-defined]
        return _("You have begun your turn.") if begun else _("A new deal: you play first.")
    if last.seat == mine.index or last.number < seats[last.seat].held_from:
        return ""
    name = seat_names(seats)[last.seat]
    if last.text == "R":
        return _("%(name)s resigned.") % {"name": name}
    cards = last.facts.get("cards")
    if not cards:
        return ""
    if last.actor == Entry.Actor.CLOCK:
        words = _("Time ran out for {name}; the server discarded {card}.")
    else:
        words = _("{name} discarded {card}.")
    return format_html(words, name=name, card=write_card(cards[-1], tiles=with_tiles(game.variant)))


def _others_row(game: Game, seats: list[Seat], mine: Seat, last: Entry | None, time: TimeLeft | None) -> Row:
    if game.frozen_until is not None:
        news = _("Frozen by a referee.")
    elif game.paused_at is not None:
        news = _("Paused by all.")
    elif game.in_exchange:
        news = _("Doubles are being exchanged.")
    elif game.to_move is None:
        news, time = _("The deal is being counted."), None
    else:
        news = _("%(name)s is to move.") % {"name": seat_names(seats)[game.to_move]}
    if mine.resigned:
        news = _("You have resigned. %(news)s") % {"news": news}
    return Row(game.code, table_name(game), _with(game, seats, mine), news, _card(game, last), with_tiles(game.variant), time)


def _open_row(game: Game, seats: list[Seat], mine: Seat) -> Row:
    return Row(
        game.code,
        table_name(game),
        _with(game, seats, mine),
        free_seats(game.seat_count - len(seats)),
        NO_CARD[game.variant],
        with_tiles(game.variant),
        None,
    )


def _invited_row(game: Game, by: str) -> Row:
    news = _("%(name)s invites you.") % {"name": by}
    words = f"{game_in_words(game)} · {pace(game)}"
    return Row(game.code, table_name(game), words, news, NO_CARD[game.variant], with_tiles(game.variant), None)


def free_seats(count: int) -> str:
    """How many players a table waits for."""
    return ngettext("%(count)d seat is free.", "%(count)d seats are free.", count) % {"count": count}


def _card(game: Game, last: Entry | None) -> str:
    cards = last.facts.get("cards") if last else None
    return cards[-1] if cards else NO_CARD[game.variant]


def past(game: Game, user: User) -> Past:
    """A finished match, for a player who sat there."""
    standings = ranked(list(game.seats.all()), game.winner)
    place, mine = next((place, seat) for place, seat in enumerate(standings, 1) if seat.user_id == user.pk)
    if place == 1:
        outcome = pgettext("outcome of a match", "won")
    elif mine.resigned:
        outcome = pgettext("outcome of a match", "resigned")
    else:
        outcome = _("place %(place)s of %(count)s") % {"place": place, "count": len(standings)}
    return Past(game.code, table_name(game), outcome, mine.total)


@dataclass(frozen=True)
class Place:
    """A seat of a table; free where it has no name, or where its player stays away."""

    name: str
    computer: bool = False
    you: bool = False
    reliability: str = ""
    """How many turns its player plays in time: "99 %", or that they are new."""
    away: bool = False
    profile: str = ""
    """The name by which its player has a page; guests have none."""


@dataclass(frozen=True)
class OpenTable:
    """A table in the lobby."""

    code: str
    name: str
    words: str
    card: str
    pace: str
    badges: list[str]
    places: list[Place]
    mine: bool
    last_seat: bool
    """Whether who joins now starts the match."""


def lobby(games: Iterable[Game], *, user: User, now: datetime) -> list[OpenTable]:
    """Open tables as the lobby shows them."""
    games = list(games)
    shares = reliabilities(seat for game in games for seat in game.seats.all())
    return [_open_table(game, user, shares, now) for game in games]


@dataclass(frozen=True)
class OfferedTable:
    """A table in the lobby that looks for a substitute."""

    code: str
    name: str
    words: str
    card: str
    pace: str
    what: str
    """What who takes the seat over gets: "9 cards and 180 points"."""
    places: list[Place]


def offered(games: Iterable[Game], *, user: User) -> list[OfferedTable]:
    """Running tables with an absent seat as the lobby shows them."""
    games = list(games)
    if not games:
        return []
    counts = selectors.hand_sizes(games=games)
    shares = reliabilities(seat for game in games for seat in game.seats.all())
    return [_offered_table(game, user, counts, shares) for game in games]


def _offered_table(game: Game, user: User, counts: dict[tuple[int, int], int], shares: dict[int, int | None]) -> OfferedTable:
    seats = list(game.seats.all())
    free = next(seat for seat in seats if seat.absent)
    return OfferedTable(
        code=game.code,
        name=table_name(game),
        words=game_in_words(game),
        card=NO_CARD[game.variant],
        pace=pace(game),
        what=what_comes(game, counts.get((game.pk, free.index), 0), free.total),
        places=places(game, seats, user, shares),
    )


def reliabilities(seats: Iterable[Seat]) -> dict[int, int | None]:
    """How reliable the people at these seats are."""
    return selectors.reliability(seat.user_id for seat in seats if seat.user_id is not None)


def share_in_words(share: int | None) -> str:
    """How many turns somebody plays in time: "99 %"; who has not played enough is new."""
    return pgettext("a player", "new") if share is None else f"{share} %"


def _open_table(game: Game, user: User, shares: dict[int, int | None], now: datetime) -> OpenTable:
    seats = list(game.seats.all())
    return OpenTable(
        code=game.code,
        name=table_name(game),
        words=game_in_words(game),
        card=NO_CARD[game.variant],
        pace=pace(game),
        badges=badges(game, now=now),
        places=places(game, seats, user, shares),
        mine=any(seat.user_id == user.pk for seat in seats),
        last_seat=len(seats) == game.seat_count - 1,
    )


def places(game: Game, seats: list[Seat], user: User | AnonymousUser, shares: dict[int, int | None]) -> list[Place]:
    """Every seat of a table, in order of play, the free ones too; `shares` as of `reliabilities`."""
    named = {
        seat.index: Place(
            name=name,
            computer=bool(seat.bot),
            you=user.pk is not None and seat.user_id == user.pk,
            reliability="" if seat.user_id is None else share_in_words(shares[seat.user_id]),
            away=seat.absent,
            profile=profile_of(seat.user),
        )
        for seat, name in zip(seats, seat_names(seats), strict=True)
    }
    return [named.get(index, Place("")) for index in range(game.seat_count)]

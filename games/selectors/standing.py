"""What has become of what messages tell of tables, and what is asked there now: for many at once, in two queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from accounts.models import Message
from accounts.people.messages.standing import HOLDS, Standing
from games.models import Answer, Deal, Game, Seat

PLAYED, SEEN, OVER, GONE = (
    Standing(closed=why) for why in (Message.Closed.PLAYED, Message.Closed.SEEN, Message.Closed.OVER, Message.Closed.GONE)
)


def of_messages(messages: Sequence[Message]) -> dict[int, Standing]:
    """By the id of a message about a table, what has become of it."""
    about = [message for message in messages if message.game]
    games = {game.code: game for game in _games({message.game for message in about})}
    seats = {(seat.game_id, seat.user_id): seat for seat in _seats(games.values(), {message.user_id for message in about})}
    found = {}
    for message in about:
        game = games.get(message.game)
        seat = seats.get((game.pk, message.user_id)) if game else None
        found[message.pk] = _standing(message, game, seat) if game else GONE
        if found[message.pk] is HOLDS and game and seat:
            found[message.pk] = _asks(game, seat)
    return found


def _asks(game: Game, seat: Seat) -> Standing:
    """Of a message that asks for nothing itself: what is asked of its reader at that table."""
    if game.status != Game.Status.RUNNING or seat.resigned or seat.absent:
        return HOLDS
    if game.in_exchange and seat.silent:  # type: ignore[attr-defined]
        return Standing(until=game.deadline, asks="exchange")
    on_turn = game.to_move == seat.index and not game.awaits_server
    return Standing(until=game.deadline, asks="turn") if on_turn else HOLDS


def _games(codes: set[str]) -> QuerySet[Game]:
    """With the number of the newest deal of each, and its turns."""
    newest = Deal.objects.filter(game=OuterRef("pk")).order_by("-number")
    games = Game.objects.filter(code__in=codes).annotate(
        deal=Subquery(newest.values("number")[:1]), turn=Subquery(newest.values("turns")[:1])
    )
    return games.only("code", "status", "to_move", "awaits_server", "deadline")


def _seats(games: Iterable[Game], user_ids: set[int]) -> QuerySet[Seat]:
    """With whether each has still to answer the exchange of doubles."""
    silent = Answer.objects.filter(
        deal__game=OuterRef("game"), deal__reason="", deal__voided=False, seat=OuterRef("index"), text=""
    )  # fmt: skip
    seats = Seat.objects.filter(game__in=games, user__in=user_ids).annotate(silent=Exists(silent))
    return seats.only("game", "user", "index", "resigned", "absent_since", "seen_deal")


def _standing(message: Message, game: Game, seat: Seat | None) -> Standing:
    match message.kind:
        case "turn" | "hurry":
            return _asked(message, game, seat)
        case "joined" | "invitation" if game.status == Game.Status.CANCELLED:
            return GONE
        case "joined":
            return HOLDS if game.status == Game.Status.OPEN and seat is not None else OVER
        case "invitation":
            return HOLDS if game.status == Game.Status.OPEN and seat is None else OVER
        case "started":
            return HOLDS if game.status == Game.Status.RUNNING else OVER
        case "deal_over" if seat is not None and seat.seen_deal >= message.facts.get("deal", 0):
            return SEEN
    return HOLDS


def _asked(message: Message, game: Game, seat: Seat | None) -> Standing:
    """Whether a move is still asked for, and until when."""
    if game.status != Game.Status.RUNNING or seat is None or seat.resigned:
        return OVER
    facts = message.facts
    if facts.get("exchange"):
        holds = game.in_exchange and seat.silent and facts.get("deal") == game.deal  # type: ignore[attr-defined]
    else:
        on_turn = game.to_move == seat.index and not game.awaits_server
        holds = on_turn and (facts.get("deal"), facts.get("turn")) == (game.deal, game.turn)  # type: ignore[attr-defined]
    return Standing(until=game.deadline) if holds else PLAYED

"""Deals of a match: shuffling and dealing, counting, the end of the match."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from games import engine, signals
from games.engine.exchange import pending
from games.models import Deal, Entry, Game, Hand, Seat
from games.services import case_news, clocks, exchange, freezing, news, shuffles
from games.services.store import LOGGED, Table, entry_for, load, lock, note, save


def begin(*, game: Game, seats: list[Seat], number: int, dealer: int, now: datetime) -> Table:
    """Shuffle and deal, in the caller's transaction, with the game's row locked.

    The deck follows from the seed that was sealed before and from what the players have added since; seed, additions and
    deck never leave the server while the deal lasts. The seed of the next deal is sealed.
    """
    rules = game.rules
    seed, added = shuffles.open_seal(game, number), shuffles.collect(game, seats)
    key = engine.key_of(seed, added)
    deck = engine.shuffled(rules, key)
    resigned = frozenset(seat.index for seat in seats if seat.resigned)
    deal = engine.start(rules, dealer, deck, resigned)
    state, cards = engine.dump(deal)
    row = Deal.objects.create(
        game=game, number=number, dealer=dealer, seed=seed, contributions=added, deck=engine.deck_text(rules, deck),
        state=state, began_at=now,
    )  # fmt: skip
    hands = Hand.objects.bulk_create(Hand(deal=row, seat=seat.index, cards=cards[seat.index]) for seat in seats)
    table = Table(game, seats, row, hands, deal)
    facts = {"number": number, "key": engine.key_print(key), "added": [seat for seat, text in enumerate(added) if text]}
    note(table, text="dealt", kind=Entry.Kind.EVENT, actor=Entry.Actor.SERVER, seat=dealer, facts=facts, now=now)
    table.entries.append(shuffles.seal(game, number + 1, now=now))
    game.to_move = None
    clocks.clear(game)  # so that the first turn, or the exchange, starts it
    exchange.ask(table, now=now)
    exchange.resolve(table, now=now)
    save(table, now=now)
    if table.deal.phase == engine.EXCHANGE:
        news.exchange(table, pending(table.deal), now=now)
    return table


@transaction.atomic
def settle(*, game_id: int, now: datetime) -> bool:
    """Count a deal that is over and begin the next, or end the match. False where there is none to count.

    Done twice, or by two workers at once, it counts once.
    """
    game = lock(pk=game_id)
    if not game.awaits_server:
        return False
    table = load(game)
    if table.deal.phase != engine.OVER:
        return False
    settle_locked(table=table, now=now)
    return True


def settle_locked(*, table: Table, now: datetime) -> Table:
    """`settle` in the caller's transaction; the table as it is afterwards."""
    game, row, deal = table.game, table.row, table.deal
    totals = tuple(seat.total for seat in table.seats)
    match = engine.add_deal(engine.Match(deal.rules, totals, row.dealer, deal.resigned, None, row.number), deal)
    for hand, score in zip(table.hands, deal.scores or (), strict=True):
        hand.score = score
    Hand.objects.bulk_update(table.hands, ["score"])
    for seat, total in zip(table.seats, match.totals, strict=True):
        seat.total, seat.arrangement = total, []  # an order of what is no longer held
    Seat.objects.bulk_update(table.seats, ["total", "arrangement"])
    row.scored = True
    row.save(update_fields=["scored"])
    facts = {"number": row.number, "reason": deal.reason, "scores": list(deal.scores or ()), "totals": list(match.totals)}
    counted = entry_for(game, text="counted", actor=Entry.Actor.SERVER, seat=deal.out, deal=row.number, facts=facts, now=now)
    counted.save(force_insert=True)
    signals.deal_counted.send(Game, game=game, deal=row, now=now)
    news.deal_over(game, table.seats, deal=row.number, scores=deal.scores or (), now=now)
    case_news.looked(game, row.number, now=now)
    if match.winner is None:
        return begin(game=game, seats=table.seats, number=row.number + 1, dealer=match.dealer, now=now)
    finish(game=game, seats=table.seats, winner=match.winner, now=now)
    return table


def finish(*, game: Game, seats: list[Seat], winner: int, now: datetime) -> None:
    """End a running match of which no deal is played any more. In the caller's transaction."""
    freezing.end(game, now=now)
    game.status, game.winner, game.ended_at = Game.Status.FINISHED, winner, now
    game.to_move, game.awaits_server = None, False
    clocks.clear(game)
    game.paused_at = None
    game.version += 1
    game.deserted = False
    game.seats.filter(absent_since__isnull=False).update(absent_since=None, absent_until=None)
    entry_for(game, text="finished", actor=Entry.Actor.SERVER, seat=winner, now=now).save(force_insert=True)
    changed = ["status", "winner", "ended_at", "to_move", "awaits_server", "version", "log_length", "log_head"]
    game.save(update_fields=[*changed, *clocks.COLUMNS])
    signals.match_over.send(Game, game=game, now=now)
    news.match_over(game, seats, winner=winner, now=now)


def crown(*, game: Game, seats: list[Seat], winner: int, now: datetime) -> None:
    """Let a match that is over be won by another seat. In the caller's transaction."""
    game.winner = winner
    game.version += 1
    entry_for(game, text="finished", actor=Entry.Actor.SERVER, seat=winner, now=now).save(force_insert=True)
    game.save(update_fields=["winner", *LOGGED])
    news.match_over(game, seats, winner=winner, now=now)


def take_up(game: Game, *, now: datetime) -> None:
    """Let a match that is over go on: the next step is the caller's, who deals or goes back to a turn at once."""
    game.status, game.winner, game.ended_at = Game.Status.RUNNING, None, None
    game.awaits_server = True
    clocks.due(game, now=now)
    game.save(update_fields=["status", "winner", "ended_at", "awaits_server", *LOGGED, *clocks.COLUMNS])

"""The same table with other cards where a viewer has never looked: whoever can tell the two apart knows a secret.

with twin(game, seat):   # seat None: a spectator
    ...                  # other hands, another stock, other seeds, other sealed answers; the same history
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from django.db import connection, transaction

from games import engine, selectors
from games.models import Answer, Deal, Entry, Game, Hand, Seal, Seat
from tests.engine import test_etalat_properties as tiles
from tests.engine import test_view as cards
from tests.engine.builders import Step
from tests.games.playing import at

TRIES = 300


def played(game: Game) -> tuple[engine.Deal, list[Step]]:
    """The present deal as it was dealt, and its moves."""
    found = selectors.replayed(game=game, number=at(game).row.number)
    deal, steps = found.start, []
    for made in found.moves:
        assert made.seat is not None
        after = engine.apply(deal, made.seat, made.text)
        steps.append(Step(deal, made.seat, made.text, after))
        deal = after
    return found.start, steps


class Other(NamedTuple):
    """Another deal that looks the same."""

    deck: list[int]
    """As it is stored."""
    deal: engine.Deal
    """As it stands now."""
    moves: list[str]
    """What was played: the same, but for the sealed answers to the exchange of doubles."""


def drawn_later(game: Game, drawn: int) -> list[int]:
    """The places of a deck of cards from which nothing was seen when so many were drawn."""
    return list(range(drawn, len(at(game).deal.deck)))


def other_deal(game: Game, seat: int | None, chance: random.Random, places: list[int] | None = None) -> Other:
    """A deal of which the seat has seen the same as of the present one; other in these `places` of the deck, where given.

    Fails where there is none.
    """
    row, (start, steps) = at(game).row, played(game)
    codes = game.rules.alphabet.codes
    deck = [codes[text] for text in row.deck.split()]
    now = steps[-1].after if steps else start
    module = tiles if game.rules.tight else cards
    places = module.hidden_places(now, seat, deck) if places is None else places
    for _try in range(TRIES):
        changed = cards.rearranged(tuple(deck), places, chance)
        dealt = engine.start(game.rules, row.dealer, changed, start.resigned)
        again = _follow(dealt, steps, seat, chance)
        if again is None or again[0].hands == now.hands or cards.public(again[0]) != cards.public(now):
            continue
        if engine.view(dealt, seat) == engine.view(start, seat) and engine.view(again[0], seat) == engine.view(now, seat):
            return Other(changed, *again)
    raise AssertionError("no other deal has the same history")


def _follow(
    deal: engine.Deal, steps: list[Step], seat: int | None, chance: random.Random
) -> tuple[engine.Deal, list[str]] | None:
    moves = []
    for step in steps:
        move = step.move
        if move[:1] == "X" and step.seat != seat:
            move = chance.choice(["X:pass", *(f"X:{engine.TILES.texts[tile]}" for tile in deal.hands[step.seat].cards())])
        try:
            deal = engine.apply(deal, step.seat, move)
        except engine.RuleError:
            return None
        if cards.public(deal) != cards.public(step.after):
            return None
        moves.append(move)
    return deal, moves


@contextmanager
def undone() -> Iterator[None]:
    """What is changed inside is not, afterwards."""
    point = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(point)


@contextmanager
def twin(game: Game, seat: int | None, places: list[int] | None = None) -> Iterator[None]:
    """While it lasts, all that a seat, or a spectator, may not know is something else; or what is in these `places`."""
    chance = random.Random(f"{game.variant} {seat}")
    other = other_deal(game, seat, chance, places)
    with undone():
        _write(game, seat, other)
        yield


def _write(game: Game, seat: int | None, other: Other) -> None:
    state, hands = engine.dump(other.deal)
    row = at(game).row
    deck = engine.deck_text(game.rules, other.deck)
    Deal.objects.filter(pk=row.pk).update(deck=deck, state=state, seed=b"another seed" * 2)
    for index, held in enumerate(hands):
        Hand.objects.filter(deal=row, seat=index).update(cards=held)
    Seal.objects.filter(game=game).update(seed=b"the next seed" * 2)
    for place in Seat.objects.filter(game=game):
        if place.index != seat:
            order = hands[place.index][::-1]
            Seat.objects.filter(pk=place.pk).update(sort="hand", arrangement=order, contribution="never to be read")
    _answer_otherwise(row, seat, other)


def _answer_otherwise(row: Deal, seat: int | None, other: Other) -> None:
    """Others are asked in the exchange of doubles, others have answered, and otherwise."""
    if not row.game.rules.tight:
        return
    entries = Entry.objects.filter(kind="move", deal=row.number, game=row.game).order_by("number")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # the log is append-only
        for entry, text in zip(entries, other.moves, strict=True):
            if entry.text != text:
                Entry.objects.filter(pk=entry.pk).update(text=text)
        cursor.execute("SET LOCAL session_replication_role = origin")
    if other.deal.phase == engine.EXCHANGE:
        Answer.objects.filter(deal=row).exclude(seat=-1 if seat is None else seat).delete()
        Answer.objects.bulk_create(Answer(deal=row, seat=index) for index in other.deal.extra.asked if index != seat)

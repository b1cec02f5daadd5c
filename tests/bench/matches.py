"""Finished matches of computer players, played in the engine and written in a few statements each: many, quickly."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from games import engine
from games.engine.bots import BOTS
from games.engine.exchange import pending

if TYPE_CHECKING:
    from games.models import Answer, Deal, Entry, Game, Hand

BOT = "random"
RESIGN = engine.Move("R")


class Writer:
    """A match as its services would leave it: its rows, not yet written."""

    def __init__(self, variant: str, seats: int, chance: random.Random) -> None:
        from django.utils import timezone

        from games.models import Game

        self.chance, self.now = chance, timezone.now() - timedelta(days=30)
        options = engine.rules_for(variant, seats, {"target": 100_000}).options
        self.game: Game = Game(
            variant=variant, options=options, seat_count=seats, turn_time=timedelta(days=1), made_at=self.now
        )  # fmt: skip
        self.game.save(force_insert=True)
        self.entries: list[Entry] = []
        self.deals: list[Deal] = []
        self.hands: list[Hand] = []
        self.answers: list[Answer] = []
        self.seed = b""
        self.match = engine.new_match(self.game.rules, chance.randrange(seats))

    def tell(
        self, text: str, facts: dict[str, Any], *, seat: int | None = None, deal: int | None = None, move: bool = False
    ) -> None:
        from games.models import Entry
        from games.services.store import entry_for

        self.now += timedelta(seconds=20)
        kind, actor = (Entry.Kind.MOVE, Entry.Actor.COMPUTER) if move else (Entry.Kind.EVENT, Entry.Actor.SERVER)
        entry = entry_for(self.game, text=text, kind=kind, actor=actor, seat=seat, deal=deal, facts=facts, now=self.now)
        self.entries.append(entry)

    def seal(self, number: int) -> None:
        self.seed = self.chance.randbytes(engine.SEED_BYTES)
        seal = engine.seal(self.seed, engine.deal_id(self.game.code, number))
        self.tell("sealed", {"number": number, "seal": seal})

    def deal(self, number: int, *, resign: bool) -> None:
        """Play a deal to its end; with `resign` all seats but the last leave instead."""
        from games.models import Answer, Deal, Hand

        rules, seed, began = self.game.rules, self.seed, self.now
        deck = engine.shuffled(rules, seed)
        deal, turns, dealer = engine.start(rules, self.match.dealer, deck, self.match.resigned), 0, self.match.dealer
        self.tell("dealt", {"number": number, "key": engine.key_print(seed), "added": []}, seat=dealer, deal=number)
        self.seal(number + 1)
        given: dict[int, Any] = {seat: {} for seat in pending(deal)}
        while deal.phase != engine.OVER:
            seat = pending(deal)[0] if deal.phase == engine.EXCHANGE else deal.to_move
            assert seat is not None
            move = RESIGN if resign else BOTS[BOT](engine.view(deal, seat), self.chance)
            before, text = deal, engine.move_text(move, rules.alphabet)
            deal = engine.apply(before, seat, move)
            turns += before.to_move is not None and deal.to_move != before.to_move
            if before.phase == engine.EXCHANGE and not resign:
                given[seat] = {"text": text, "actor": "computer", "at": self.now}
            self.tell(text, engine.told(before, deal, move), seat=seat, deal=number, move=True)
        self.match = engine.add_deal(self.match, deal)
        scores = deal.scores or ()
        state, cards = engine.dump(deal)
        row = Deal(
            game=self.game, number=number, dealer=dealer, seed=seed, deck=engine.deck_text(rules, deck), state=state,
            reason=deal.reason or "", out=deal.out, scored=True, began_at=began, ended_at=self.now, turns=turns,
        )  # fmt: skip
        self.deals.append(row)
        self.answers += [Answer(deal=row, seat=seat, **answer) for seat, answer in given.items()]
        laid = rules.laid_points(deal)
        for seat in range(rules.count):
            self.hands.append(Hand(deal=row, seat=seat, cards=cards[seat], laid=laid[seat], score=scores[seat]))
        totals = list(self.match.totals)
        facts = {"number": number, "reason": deal.reason, "scores": list(scores), "totals": totals}
        self.tell("counted", facts, seat=deal.out, deal=number)


def finished(variant: str, seats: int, deals: int, chance: random.Random) -> int:
    """Write a finished match of so many deals, and one in which all but one resign; its key."""
    from django.db import transaction

    from games.models import Answer, Deal, Entry, Game, Hand, Seal, Seat, Tenure

    with transaction.atomic():
        match = Writer(variant, seats, chance)
        match.seal(0)
        match.tell("started", {})
        while match.match.winner is None:
            match.deal(len(match.deals), resign=len(match.deals) >= deals)
        assert match.match.winner is not None
        match.tell("finished", {}, seat=match.match.winner)
        Deal.objects.bulk_create(match.deals)
        Hand.objects.bulk_create(match.hands)
        Entry.objects.bulk_create(match.entries)
        Answer.objects.bulk_create(match.answers)
        Seal(game=match.game, number=len(match.deals), seed=match.seed).save(force_insert=True)
        Seat.objects.bulk_create(
            Seat(
                game=match.game, index=index, bot=BOT, joined_at=match.now, total=total,
                resigned=index in match.match.resigned,
            )
            for index, total in enumerate(match.match.totals)
        )  # fmt: skip
        Tenure.objects.bulk_create(
            Tenure(game=match.game, seat=index, bot=BOT, from_deal=0, from_entry=0) for index in range(seats)
        )
        game = match.game
        game.status, game.started_at, game.ended_at = Game.Status.FINISHED, game.made_at, match.now
        game.winner = match.match.winner
        game.save()
    return game.pk

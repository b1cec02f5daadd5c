"""What a referee wants checked of a table: the audit of a game in four answers. Reads only, and locks nothing."""

from __future__ import annotations

from typing import NamedTuple

from games import engine
from games.models import Game, Seal
from games.services import audit, evidence
from games.services.evidence import LogRow

TRIES = 3


class Checked(NamedTuple):
    """What was found wrong, as sentences without a card; each list empty where all is well.

    How many rows the log has is not told: it would tell how many answers to an exchange of doubles are sealed there.
    """

    chain: list[str]
    shuffle: list[str]
    replay: list[str]
    """All that the audit finds: hands, scores, totals and turns that are not those which the log makes, and the others too."""
    books: list[str]
    """Ledgers of leagues."""


def check(*, game: Game) -> Checked | None:
    """Check a table; None where it moves on so fast that it is never the same before and after."""
    for _try in range(TRIES):
        before = Game.objects.get(pk=game.pk)
        found = _check(before)
        if Game.objects.filter(pk=game.pk, version=before.version, log_length=before.log_length).exists():
            return found
    return None


def _check(game: Game) -> Checked:
    rows = evidence.rows(game)
    return Checked(_chain(game, rows), _shuffle(game, rows), audit.differences(game), audit.of_books(game))


def _chain(game: Game, rows: list[LogRow]) -> list[str]:
    found = []
    if [row.number for row in rows] != list(range(game.log_length)):
        found.append("the log has gaps, or is not as long as it was")
    fault, head = evidence.faults(game.code, rows)
    if fault is not None:
        found.append(f"entry {fault} of the log is not what was written, or does not follow the one before")
    elif head != game.log_head:
        found.append("the log does not end with the row that was its last")
    return found


def _shuffle(game: Game, rows: list[LogRow]) -> list[str]:
    """The deals whose deck is not that of a seed sealed before (docs/shuffle.md)."""
    seals = {row.facts.get("number"): row.facts.get("seal") for row in rows if row.text == "sealed"}
    found = []
    for deal in game.deals.order_by("number"):
        seed = bytes(deal.seed)
        deck = engine.shuffled(game.rules, engine.key_of(seed, deal.contributions))
        if engine.deck_text(game.rules, deck) != deal.deck:
            found.append(f"deal {deal.number}: the deck is not that of its seed")
        if deal.algorithm != engine.PLAIN and engine.seal(seed, engine.deal_id(game.code, deal.number)) != seals.get(deal.number):
            found.append(f"deal {deal.number}: its seed is not the sealed one")
    coming = Seal.objects.filter(game=game).first()
    if coming is not None and seals.get(coming.number) != engine.seal(
        bytes(coming.seed), engine.deal_id(game.code, coming.number)
    ):
        found.append(f"deal {coming.number}: its seed is not the sealed one")
    return found

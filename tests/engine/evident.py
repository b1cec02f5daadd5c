"""Records with all that proves them, made without a server: matches of computer players, their seals and their log."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from games.engine import (
    EXCHANGE,
    OVER,
    SEALED,
    Deal,
    apply,
    deal_id,
    deck_text,
    key_of,
    key_print,
    move_text,
    parse_move,
    rules_for,
    seal,
    seed_of,
    shuffled,
    start,
    told,
    view,
)
from games.engine.bots import BOTS
from games.engine.chain import Row, link, moment, root
from games.engine.exchange import pending
from games.engine.match import add_deal, new_match

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Keeper:
    """Writes a log as a server does."""

    def __init__(self, code: str) -> None:
        self.code, self.head, self.rows = code, root(code), list[list[Any]]()

    def write(self, text: str, facts: dict[str, Any], *, by: str = "server", seat: int | None = None, deal: int | None = None,
              move: bool = False) -> None:  # fmt: skip
        number = len(self.rows)
        at = moment(NOON + timedelta(seconds=7 * number))
        salt = f"{number:032x}" if text[:1] == "X" else ""
        row = Row(number, at, "move" if move else "event", by, seat, deal, text, facts)
        self.head = link(self.head, salt, row)
        self.rows.append([*row, *([salt] if salt else [])])

    def log(self) -> dict[str, Any]:
        return {"algorithm": "remi-log/1", "code": self.code, "rows": self.rows, "head": self.head}


def evident(
    variant: str = "rami500", seats: int = 2, *, seed: str = "one", deals: int = 2, bots: str = "random",
    lines: tuple[str, ...] = (), mishaps: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """The record of a match of so many deals, or fewer where somebody wins; to each the first seats add these lines.

    With `mishaps` moves are taken back, turns run out, and players resign.
    """
    rules, keeper, chance = rules_for(variant, seats), Keeper(f"code{seed}"), random.Random(seed)
    keeper.write("made", {}, by="player", seat=0)
    match, found = new_match(rules, seats - 1), []
    for number in range(deals):
        secret = seed_of(f"{seed} {number}")
        keeper.write("sealed", {"number": number, "seal": seal(secret, deal_id(keeper.code, number))})
        key = key_of(secret, lines)
        deck = shuffled(rules, key)
        added = [seat for seat, line in enumerate(lines) if line]
        dealt = {"number": number, "key": key_print(key), "added": added}
        keeper.write("dealt", dealt, seat=match.dealer, deal=number)
        deal, played = _play(start(rules, match.dealer, deck, match.resigned), number, bots, chance, keeper, mishaps)
        shuffle = {"algorithm": SEALED, "id": deal_id(keeper.code, number), "seed": secret.hex(), "contributions": list(lines)}
        found.append(
            {"number": number, "dealer": match.dealer, "deck": deck_text(rules, deck), "moves": played, "shuffle": shuffle}
        )
        match = add_deal(match, deal)
        assert deal.scores is not None
        counted = {"number": number, "scores": list(deal.scores), "totals": list(match.totals)}
        keeper.write("counted", counted, seat=deal.out, deal=number)
        if match.winner is not None:
            break
    names = [f"P{seat}" for seat in range(seats)]
    return {
        "format": "remi-record/1", "variant": variant, "options": rules.options, "seats": names, "deals": found,
        "log": keeper.log(),
    }  # fmt: skip


def _play(deal: Deal, number: int, bots: str, chance: random.Random, keeper: Keeper, mishaps: bool) -> tuple[Deal, list[str]]:
    lines = []
    while deal.phase != OVER:
        seat = pending(deal)[0] if deal.phase == EXCHANGE else deal.to_move
        assert seat is not None
        text, before = _mishap(deal, chance) if mishaps else "", deal
        text = text or move_text(BOTS[bots](view(deal, seat), chance), deal.rules.alphabet)
        deal = apply(before, seat, text)
        move = parse_move(text, deal.rules.alphabet, tiles=deal.rules.tight)
        keeper.write(text, told(before, deal, move), by="computer", seat=seat, deal=number, move=True)
        lines.append(f"{seat} {text}")
    return deal, lines


def _mishap(deal: Deal, chance: random.Random) -> str:
    """What goes otherwise than a player would have it, now and then."""
    luck = chance.random()
    if deal.phase == EXCHANGE:
        return ""
    if luck < 0.15 and deal.prev is not None:
        return "U"
    if luck > 0.995 and len(deal.seats_in) > 2:
        return "R"
    return "T" if luck > 0.93 else ""

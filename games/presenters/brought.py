"""A record that somebody brought along, as its pages show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.core import signing
from django.utils.translation import gettext as _

from games import engine
from games.gamenames import game_name, with_tiles
from games.messages import Refusal
from games.messages.records import record_refusal
from games.models import KeptRecord
from games.presenters.replay import Frame, Source
from games.presenters.steps import Made
from games.presenters.times import day_of
from games.services.brought import RecordFault
from games.services.errors import ServiceError

SALT = "games.records"
CHECKS = ("deck", "seal", "key", "moves", "scores")


def packed(record: dict[str, Any]) -> str:
    """A record that was read, to be sent back by the browser: signed, so that it need not be played through again."""
    return signing.dumps(record, salt=SALT, compress=True)


def unpacked(text: str) -> dict[str, Any] | None:
    """The record that `packed` made; None for anything else."""
    try:
        found: dict[str, Any] = signing.loads(text, salt=SALT)
    except signing.BadSignature:
        return None
    return found


class DealRow(NamedTuple):
    """A deal of the record."""

    number: int
    dealer: str
    moves: int
    over: bool
    scores: list[int]
    void: bool


@dataclass(frozen=True)
class Fault:
    """Why a record was not taken: where, what stands there, what is wrong with it."""

    where: str
    line: str
    words: Refusal


def fault_of(fault: ServiceError) -> Fault:
    """A fault in words."""
    if not isinstance(fault, RecordFault):
        return Fault("", "", record_refusal(fault.code, {}))
    tiles = fault.variant is not None and with_tiles(fault.variant)
    return Fault(_where(fault), fault.line, record_refusal(fault.code, fault.facts, with_tiles=tiles))


def _where(fault: RecordFault) -> str:
    if fault.deal is None:
        return ""
    if fault.move is None:
        return _("Deal %(deal)d") % {"deal": fault.deal + 1}
    return _("Deal %(deal)d, move %(move)d") % {"deal": fault.deal + 1, "move": fault.move + 1}


def record_context(record: dict[str, Any], kept: KeptRecord | None = None) -> dict[str, Any]:
    """What `games/record.html` shows of a record."""
    names = record["seats"]
    deals = [
        DealRow(
            deal["number"],
            names[deal["dealer"]],
            len(deal["moves"]),
            deal["scores"] is not None,
            deal["scores"] or [],
            deal.get("void", False),
        )
        for deal in record["deals"]
    ]
    return {
        "record": None if kept else packed(record),
        "kept": kept,
        "forget_on": day_of(kept.forget_at) if kept else "",
        "name": game_name(record["variant"]),
        "names": names,
        "deals": deals,
        "adjusted": record.get("adjusted", []),
        "totals": record["totals"],
        "winner": None if record["winner"] is None else names[record["winner"]],
        "proof": record["proof"],
        "failing": _failing(record),
    }


def _failing(record: dict[str, Any]) -> list[str]:
    """What of its evidence does not hold, in words."""
    proof = record["proof"]
    if proof is None or proof["ok"]:
        return []
    words = {
        "deck": _("the pack does not follow from the number"),
        "seal": _("the number is not the sealed one"),
        "key": _("number or lines are others than when the deal began"),
        "moves": _("the moves are not those of the log"),
        "scores": _("the scores are not those of the log"),
    }
    found = [] if proof["log"]["chain"] else [_("the log is missing, or not whole")]
    counting, void = iter(proof["deals"]), iter(proof.get("voided", ()))
    for place, deal in enumerate(record["deals"]):
        checked = next(void if deal.get("void") else counting)
        told = [words[check] for check in CHECKS if checked[check] is False]
        found += [_("Deal %(number)d: %(fault)s") % {"number": place + 1, "fault": fault} for fault in told]
    if proof.get("rulings") is False:
        found.append(_("the rulings are not those of the log"))
    return found


def source_of(record: dict[str, Any], number: int, frame: Frame) -> Source:
    """A deal of a record, to be shown again with all hands open: whoever brought it has them."""
    deal = record["deals"][number]
    rules = engine.rules_for(record["variant"], len(record["seats"]), record["options"])
    deck = [rules.alphabet.codes[text] for text in deal["deck"].split()]
    return Source(
        frame=frame,
        start=engine.start(rules, deal["dealer"], deck, frozenset(deal["out"])),
        moves=[Made(int(line[0]), line[2:]) for line in deal["moves"]],
        names=record["seats"],
        totals=deal["totals"],
        case=True,
    )


class KeptRow(NamedTuple):
    """A record in the list of those kept."""

    code: str
    name: str
    names: str
    day: str


def kept_rows(kept: list[KeptRecord]) -> list[KeptRow]:
    return [
        KeptRow(one.code, game_name(one.record["variant"]), ", ".join(one.record["seats"]), day_of(one.kept_at)) for one in kept
    ]

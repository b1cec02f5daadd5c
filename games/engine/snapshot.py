"""A deal as plain data and back, for whoever stores it between two moves.

Stored is the state to which the turn can be taken back, with the moves made since: so a loaded deal can
take them back too. The deck and the hands are stored apart, for they are secret.
"""

from __future__ import annotations

from typing import Any

from .cards import EMPTY, Hand, add
from .deal import Deal
from .melds import Meld
from .moves import text as move_text
from .play import apply
from .rules import Rules

_PLAIN = ("dealer", "phase", "to_move", "drawn", "stirred", "idle", "reason", "out")
_CARDS = ("must_use", "no_discard", "drew")


def dump(deal: Deal) -> tuple[dict[str, Any], list[list[str]]]:
    """The state as JSON data, and the hands by seat as lists of card texts.

    `turn` in the state (the floor's hand, the card drawn) is as secret as a hand.
    """
    floor = deal
    while floor.prev is not None:
        floor = floor.prev
    texts = deal.rules.alphabet.texts
    state: dict[str, Any] = {name: getattr(floor, name) for name in _PLAIN}
    for name in _CARDS:
        card = getattr(floor, name)
        state[name] = None if card is None else texts[card]
    state["row"] = [texts[card] for card in floor.row]
    state["melds"] = [_dump_meld(meld, texts) for meld in floor.melds]
    state["laid"] = list(floor.laid)
    state["resigned"] = sorted(floor.resigned)
    state["known"] = [_hand_texts(hand, texts) for hand in deal.known]
    state["turn"] = [move_text(move, deal.rules.alphabet) for move in deal.turn_moves()]
    state["turn_hand"] = _hand_texts(floor.hand, texts) if state["turn"] else None
    extra = deal.rules.dump_extra(floor)
    if extra is not None:
        state["extra"] = extra
    return state, [_hand_texts(hand, texts) for hand in deal.hands]


def load(rules: Rules, deck: str, state: dict[str, Any], hands: list[list[str]]) -> Deal:
    """The deal that `dump` stored; `deck` is its text, as in a record."""
    codes = rules.alphabet.codes
    held = [_hand(texts, codes) for texts in hands]
    if state["turn"]:
        held[state["to_move"]] = _hand(state["turn_hand"], codes)
    known = tuple(_hand(texts, codes) for texts in state["known"])
    plain = {name: state[name] for name in _PLAIN}
    cards: dict[str, Any] = {name: None if state[name] is None else codes[state[name]] for name in _CARDS}
    floor = Deal(
        rules=rules,
        hands=tuple(held),
        known=known,
        row=tuple(codes[text] for text in state["row"]),
        deck=rules.arranged(tuple(codes[text] for text in deck.split())),
        melds=tuple(_load_meld(data, codes, rules.tight) for data in state["melds"]),
        laid=tuple(state["laid"]),
        resigned=frozenset(state["resigned"]),
        extra=rules.load_extra(state.get("extra")),
        **plain,
        **cards,
    )
    deal = floor
    for move in state["turn"]:
        deal = apply(deal, state["to_move"], move)
    return deal._replace(known=known)


def _hand_texts(hand: Hand, texts: tuple[str, ...]) -> list[str]:
    return [texts[card] for card in hand.cards()]


def _hand(listed: list[str], codes: dict[str, int]) -> Hand:
    return add(EMPTY, [codes[text] for text in listed])


def _dump_meld(meld: Meld, texts: tuple[str, ...]) -> dict[str, Any]:
    return {
        "kind": meld.kind,
        "owner": meld.owner,
        "cards": [texts[card] for card in meld.cards],
        "by": list(meld.by),
        "low": meld.low,
    } | {"id": meld.id}


def _load_meld(data: dict[str, Any], codes: dict[str, int], tight: bool) -> Meld:
    cards = tuple(codes[text] for text in data["cards"])
    return Meld(data["id"], data["kind"], data["owner"], cards, tuple(data["by"]), data["low"], tight)

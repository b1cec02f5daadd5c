"""The meld finder: the most valuable disjoint melds of a hand, held against a search through all of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import EMPTY, JOKER, STANDS, Hand, Meld, Move, Rules, finder, rules_for
from games.engine.cards import add, plain, remove
from games.engine.finder import best_melds
from games.engine.melds import laid, listed

from .builders import hand, words

GAMES = {
    "Remi, one pack": rules_for("remi500", 2),
    "Remi, two packs": rules_for("remi500", 5),
    "Rami": rules_for("rami500", 2),
    "tiles": rules_for("etalat", 2),
}
VALUES = ["laid", "saved", "cards"]


def worth(rules: Rules, meld: Meld, value: str) -> int:
    """What a meld is worth, counted card by card."""
    if value == "cards":
        return len(meld.cards)
    kept = sum(rules.hand_value(plain(card)) for card in meld.cards) if value == "saved" else 0
    return rules.worth(meld) + kept


def searched(rules: Rules, held: Hand, value: str) -> int:
    """The most that disjoint melds of a hand are worth: every choice of melds is tried."""
    known: dict[Hand, int] = {}

    def best(left: Hand) -> int:
        if left not in known:
            known[left] = 0
            for move in listed(left.once, left.twice, left.jokers, rules.tight):
                meld = laid(1, 0, move.cards, rules.tight)
                rest = remove(left, [plain(card) for card in move.cards])
                if meld is not None and rest is not None:
                    known[left] = max(known[left], worth(rules, meld, value) + best(rest))
        return known[left]

    return best(held)


def found(rules: Rules, held: Hand, value: str) -> int:
    """What the finder says, once its melds were seen to be melds of the hand that are worth what it says."""
    total, moves = best_melds(rules, held, value=value)
    counted = 0
    for move in moves:
        assert move.kind == "M"
        meld = laid(1, 0, move.cards, rules.tight)
        assert meld is not None, words(move.cards)
        rest = remove(held, [plain(card) for card in move.cards])
        assert rest is not None, words(move.cards)
        held = rest
        counted += worth(rules, meld, value)
    assert counted == total
    return total


@st.composite
def hands(draw: st.DrawFn, rules: Rules, *, least: int = 0, most: int = 8) -> Hand:
    """A hand of a game, from few numbers so that its cards meet often."""
    low = draw(st.integers(0, 12))
    numbers = {(low + step) % 13 for step in range(draw(st.integers(3, 13)))}
    naturals = [card for card in rules.pack() if card != JOKER and card % 13 in numbers]
    size = min(draw(st.integers(least, most)), len(naturals))
    jokers = draw(st.integers(0, 2 if size > 6 else rules.pack().count(JOKER)))
    return add(EMPTY, [*draw(st.permutations(naturals))[:size], *[JOKER] * jokers])


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("name", GAMES)
def test_no_choice_of_melds_is_worth_more(name: str, value: str) -> None:
    @given(hands(GAMES[name]))
    @settings(max_examples=100, deadline=None)
    def holds(held: Hand) -> None:
        assert found(GAMES[name], held, value) == searched(GAMES[name], held, value)

    holds()


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("name", GAMES)
def test_the_way_for_big_hands_is_exact_too(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setattr(finder, "FEW", 0)

    @given(hands(GAMES[name]))
    @settings(max_examples=100, deadline=None)
    def holds(held: Hand) -> None:
        assert found(GAMES[name], held, value) == searched(GAMES[name], held, value)

    holds()


@pytest.mark.parametrize("name", GAMES)
def test_both_ways_agree_on_bigger_hands(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    @given(hands(GAMES[name], least=12, most=22))
    @settings(max_examples=25, deadline=None)
    def holds(held: Hand) -> None:
        answers = []
        for few in (0, 10**9):
            monkeypatch.setattr(finder, "FEW", few)
            answers.append(found(GAMES[name], held, "laid"))
        assert answers[0] == answers[1]

    holds()


@pytest.mark.parametrize("name", ["Remi, one pack", "Rami"])
def test_a_whole_pack_in_one_hand_is_looked_through(name: str) -> None:
    rules = GAMES[name]
    everything = add(EMPTY, range(52))
    assert found(rules, everything, "cards") == everything.size


@pytest.mark.parametrize(
    ("game", "cards", "expected"),
    [
        ("remi500", "7H 8H 9H", [3, 24]),
        ("remi500", "7H 8H 2S", [0, 0]),
        ("remi500", "", [0, 0]),
        ("remi500", "* *", [0, 0]),
        ("remi500", "7S 7H 7D 7C * *", [6, 58]),  # two sets of three
        ("rami500", "7S 7H 7D 7C * *", [6, 45]),  # a set, and a run of seven to nine
        ("remi500", "7S 7H 7D 7C *", [4, 36]),  # the joker displaces a seven
        ("remi500", "7H 7S 7D 8H 9H", [3, 24]),  # the run is worth more than the set
        ("rami500", "QH KH *", [3, 31]),  # the joker prefers the ace
        ("rami500", "AS 2S 3S QS KS", [3, 31]),  # so does the ace
        ("remi500", "AS 2S 3S 4S QS KS", [6, 44]),
        ("remi500", "9H TH QH KH * *", [6, 69]),
    ],
)
def test_the_best_melds_of_a_hand_by_cards_and_by_points(game: str, cards: str, expected: list[int]) -> None:
    rules = rules_for(game, 2)
    assert [found(rules, hand(cards), value) for value in ("cards", "laid")] == expected


def test_jokers_are_declared_so_that_the_melds_can_be_laid_as_they_are() -> None:
    _, moves = best_melds(rules_for("rami500", 2), hand("5C 6C 8C TD TS * *"))
    cards = [card for move in moves for card in move.cards]
    assert sum(card >= STANDS for card in cards) == 2
    assert JOKER not in cards


def test_runs_may_share_a_place_where_a_joker_stands_for_a_card_that_is_held() -> None:
    # a suit and two jokers are fifteen cards, and a run has fourteen at most
    rules = rules_for("remi500", 2)
    whole = hand("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS * *")
    assert found(rules, whole, "cards") == 15


def test_the_same_hand_gives_the_same_answer_whenever_it_is_asked() -> None:
    rules = rules_for("remi500", 2)
    held = hand("7S 7H 7D 8H 9H TH JC QC KC * *")
    first: tuple[int, list[Move]] = best_melds(rules, held)
    best_melds(rules, hand("2S 3S 4S 5S"))
    assert best_melds(rules, held) == first


def test_an_unknown_value_is_refused() -> None:
    with pytest.raises(ValueError, match="points"):
        best_melds(rules_for("remi500", 2), EMPTY, value="points")

"""What holds of every deal of tiles, whoever plays it and however: looked for in random play with every option."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import (
    JOKER,
    TILES,
    Deal,
    Offer,
    RuleError,
    Rules,
    apply,
    deck_text,
    dump,
    legal_moves,
    load,
    move_text,
    offers,
    parse_move,
    replay,
    rules_for,
    told,
    uses,
    view,
)
from games.engine.cards import plain
from games.engine.exchange import pending
from games.engine.moves import MELD, Move
from games.engine.record import state

from .test_properties import CODES, candidates, meld_candidates, refusal_of
from .test_view import rearranged, same_history
from .tile_builders import answers, play_tiles, spread_out

seeds = st.integers(0, 2**32)


@st.composite
def tables(draw: st.DrawFn) -> Rules:
    """A number of seats and options; easy openings among them, or few seats would ever open."""
    options = {
        "opening": draw(st.sampled_from([45, 45, 20])),
        "opening_shape": draw(st.sampled_from(["set_and_run", "run"])),
        "ones_open": draw(st.booleans()),
        "lay_off_on_opening_turn": draw(st.booleans()),
        "exchange": draw(st.booleans()),
        "first_discard_dead": draw(st.booleans()),
        "announce": draw(st.sampled_from(["manual", "auto"])),
    }
    return rules_for("etalat", draw(st.integers(2, 4)), options)


def shuffled_pack(rules: Rules, seed: int) -> list[int]:
    deck = rules.pack()
    random.Random(seed).shuffle(deck)
    return deck


def all_of(deal: Deal) -> str:
    """Everything there is to a deal, as text: two deals that play alike have the same."""
    return json.dumps([dump(deal), deal.deck, repr(deal.extra)])


@given(tables(), seeds)
@settings(max_examples=40, deadline=None)
def test_every_tile_is_in_exactly_one_place(rules: Rules, seed: int) -> None:
    pack = rules.pack()
    for step in play_tiles(rules, seed, others=0.05):
        assert sorted(spread_out(step.after)) == pack


@given(tables(), seeds)
@settings(max_examples=60, deadline=None)
def test_every_deal_ends_and_its_points_are_those_of_the_tiles(rules: Rules, seed: int) -> None:
    last = play_tiles(rules, seed, others=0.03)[-1].after
    assert last.phase == "over"
    assert last.reason in ("out", "stock", "stalled", "resigned", "spoiled", "board")
    assert legal_moves(last) == []
    laid = [0] * rules.count
    for meld in last.melds:
        for tile, seat in zip(meld.cards, meld.by, strict=True):
            laid[seat] += value(tile)
    assert list(last.laid) == laid
    assert last.scores == tuple(score(last, seat, laid[seat]) for seat in range(rules.count))


def value(tile: int) -> int:
    """§4.16."""
    number = tile % 64 % 13 + 1
    return 50 if tile >= JOKER else 25 if number == 1 else 10 if number >= 10 else 5


def score(deal: Deal, seat: int, laid: int) -> int:
    """The points of a seat, from the words of §4.16."""
    tiles = deal.extra
    if deal.reason == "spoiled":
        return 0
    if tiles.opened[seat]:
        points = laid - sum(value(tile) for tile in deal.hands[seat].cards()) + (50 if deal.out == seat else 0)
    elif deal.reason == "board" and deal.out == seat:
        points = view(deal, None).extra.board_game.points
    else:
        points = -100
    points += 50 if tiles.twin == seat else 0
    points *= 2 if deal.out == seat and deal.row[-1] == JOKER else 1
    points *= 2 if TILES.texts[tiles.atu] in ("*", "1R", "1Y", "1B", "1K") else 1
    return points - (500 if seat in tiles.forgot else 0)


@given(tables(), seeds)
@settings(max_examples=40, deadline=None)
def test_at_the_end_of_each_turn_the_rules_of_the_turn_are_kept(rules: Rules, seed: int) -> None:
    """At most 14 tiles, openings whole, no joly owed (§4.8, §4.11, §4.12)."""
    for step in play_tiles(rules, seed, others=0.05):
        before, after = step.before, step.after
        if before.to_move is None or after.to_move == before.to_move or after.reason == "resigned":
            continue
        seat = before.to_move
        assert after.hands[seat].size <= 14 or (step.move == "R" and after.hands[seat].size == 15)
        own = [meld for meld in after.melds if meld.owner == seat]
        assert bool(own) == after.extra.opened[seat]
        assert (after.extra.owed, after.extra.announced) == (0, False)
        if after.extra.opened[seat] and not before.extra.opened[seat] and not rules.options["ones_open"]:
            assert sum(rules.opening_worth(meld) for meld in own) >= rules.options["opening"]  # type: ignore[attr-defined]
            assert "run" in [meld.kind for meld in own]


# -- text --------------------------------------------------------------------------------------------------------


@given(tables(), seeds)
@settings(max_examples=25, deadline=None)
def test_the_log_replays_to_the_same_state(rules: Rules, seed: int) -> None:
    deck = shuffled_pack(rules, seed)
    played = play_tiles(rules, seed, steps=150, others=0.05, deck=deck)
    last = played[-1].after
    record = {
        "format": "remi-record/1", "variant": "etalat", "options": rules.options, "seats": ["x"] * rules.count,
        "deals": [{"dealer": last.dealer, "deck": deck_text(rules, deck),
                   "moves": [f"{step.seat} {step.move}" for step in played]}],
    }  # fmt: skip
    again = replay(json.loads(json.dumps(record))).deals[0]
    assert again == last
    assert state(again) == state(last)


@given(tables(), seeds)
@settings(max_examples=25, deadline=None)
def test_every_legal_move_and_answer_reads_back_from_its_text(rules: Rules, seed: int) -> None:
    for step in play_tiles(rules, seed, steps=100):
        for move in legal_moves(step.before):
            assert parse_move(move_text(move, TILES), TILES, tiles=True) == move
        for seat in range(rules.count):
            for text in answers(view(step.before, seat)):
                assert move_text(parse_move(text, TILES, tiles=True), TILES) == text


@given(tables(), seeds)
@settings(max_examples=20, deadline=None)
def test_a_deal_is_stored_and_loaded_at_any_point_and_goes_on_alike(rules: Rules, seed: int) -> None:
    deck = shuffled_pack(rules, seed)
    text = deck_text(rules, deck)
    for step in play_tiles(rules, seed, steps=150, others=0.05, deck=deck):
        stored, hands = json.loads(json.dumps(dump(step.before)))
        loaded = load(rules, text, stored, hands)
        assert all_of(loaded) == all_of(step.before)
        goes_on, was = apply(loaded, step.seat, step.move), step.after
        assert all_of(goes_on) == all_of(was)
        while was.prev is not None and was.to_move is not None:
            goes_on, was = apply(goes_on, was.to_move, "U"), apply(was, was.to_move, "U")
            assert all_of(goes_on) == all_of(was)


@given(tables(), seeds)
@settings(max_examples=30, deadline=None)
def test_taking_back_restores_everything_but_what_became_known(rules: Rules, seed: int) -> None:
    for step in play_tiles(rules, seed, steps=200, others=0.05):
        if step.after.prev is None or step.move in "UR":
            continue
        back = apply(step.after, step.seat, "U")
        assert back._replace(known=step.before.known) == step.before


# -- what is refused, and what is not ----------------------------------------------------------------------------

tile_texts = st.sampled_from([*TILES.codes, "14R", "AS", ""])
tokens = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "A",
            "B",
            "C",
            "C:",
            "X",
            "X:",
            "X:pass",
            "X:spoil",
            "X:*",
            "X:*5R",
            "Xpass",
            "T",
            "E",
            "S",
            "U",
            "P1",
            "P0",
            "D:",
            "D:14R",
        ]
    ),
    st.builds("{}:{}".format, st.sampled_from("MDCX"), st.lists(tile_texts, max_size=5).map(",".join)),
    st.builds("{}:{}:{}".format, st.sampled_from("LW"), st.integers(-1, 9), st.lists(tile_texts, max_size=3).map(",".join)),
    st.builds("P{}".format, st.integers(-2, 60)),
)


@given(tables(), seeds, st.lists(st.tuples(st.integers(-2, 5), tokens), min_size=20, max_size=60))
@settings(max_examples=50, deadline=None)
def test_a_refused_move_has_a_known_code_and_changes_nothing(rules: Rules, seed: int, tries: list[tuple[int, str]]) -> None:
    played = play_tiles(rules, seed, steps=100, others=0.05)
    for number, (seat, token) in enumerate(tries):
        deal = played[number * len(played) // len(tries)].after
        for who in (seat, deal.to_move or 0):
            before, allowed = all_of(deal), pending(deal)
            try:
                after = apply(deal, who, token)
            except RuleError as refusal:
                assert refusal.code in CODES, token
                assert json.dumps(refusal.facts)
            else:
                assert token == "R" or who == deal.to_move or who in allowed
                assert after != deal
            assert all_of(deal) == before


@given(tables(), seeds)
@settings(max_examples=20, deadline=None)
def test_only_the_seat_on_turn_has_moves(rules: Rules, seed: int) -> None:
    for step in play_tiles(rules, seed, steps=60):
        deal = step.before
        for seat in range(rules.count):
            if seat != deal.to_move and deal.phase != "exchange":
                assert legal_moves(view(deal, seat)) == []
                assert refusal_of(deal, seat, "T") == "not_your_turn"
                for move in legal_moves(deal):
                    assert refusal_of(deal, seat, move) == "not_your_turn"
        if deal.to_move is not None:
            assert legal_moves(view(deal, deal.to_move)) == legal_moves(deal)


@given(tables(), seeds)
@settings(max_examples=25, deadline=None)
def test_what_is_listed_as_legal_is_what_is_accepted(rules: Rules, seed: int) -> None:
    played = play_tiles(rules, seed)
    for step in random.Random(seed).sample(played, min(8, len(played))):
        deal = step.before
        if deal.to_move is None:
            continue
        listed = legal_moves(deal)
        assert len(set(listed)) == len(listed)
        thought_of = [*candidates(deal), Move("A"), Move("B"), *(Move("C", 0, (tile,)) for tile in range(JOKER + 1))]
        accepted = {move for move in thought_of if refusal_of(deal, deal.to_move, move) is None}
        assert {move for move in listed if move.kind != MELD} == accepted


@given(tables(), seeds)
@settings(max_examples=25, deadline=None)
def test_every_meld_of_a_small_hand_is_listed_once_in_print_order(rules: Rules, seed: int) -> None:
    for step in play_tiles(rules, seed)[-60:]:
        deal = step.before
        if deal.hand.size > (8 if deal.hand.jokers < 2 else 6) or deal.to_move is None:
            continue
        accepted = set()
        for move in meld_candidates(deal):
            try:
                accepted.add(apply(deal, deal.to_move, move).melds[-1].cards)
            except RuleError:
                continue
        assert sorted(move.cards for move in legal_moves(deal) if move.kind == MELD) == sorted(accepted)


@given(tables(), seeds)
@settings(max_examples=25, deadline=None)
def test_the_answers_a_seat_is_offered_are_those_that_are_accepted(rules: Rules, seed: int) -> None:
    for step in play_tiles(rules, seed, steps=5):
        if step.before.phase != "exchange":
            break
        for seat in range(rules.count):
            thought_of = ["X:pass", "X:spoil", *(f"X:{TILES.texts[tile]}" for tile in range(JOKER + 1))]
            accepted = {text for text in thought_of if refusal_of(step.before, seat, text) is None}
            assert set(answers(view(step.before, seat))) == accepted


@given(tables(), seeds)
@settings(max_examples=30, deadline=None)
def test_an_expired_turn_and_a_resignation_pass_the_turn_on_or_end_the_deal(rules: Rules, seed: int) -> None:
    for step in play_tiles(rules, seed, steps=150, others=0.05):
        deal: Any = step.before
        if deal.phase == "exchange":
            continue
        expired = apply(deal, deal.to_move, "T")
        assert expired.phase == "over" or (expired.phase, expired.prev) == ("draw", None)
        assert expired.phase == "over" or expired.to_move != deal.to_move
        assert deal.to_move not in expired.extra.forgot - deal.extra.forgot
        left = apply(deal, deal.to_move, "R")
        assert (left.row, left.melds, left.laid) == (deal.floor().row, deal.floor().melds, deal.floor().laid)
        for other in set(deal.seats_in) - {deal.to_move}:
            gone = apply(deal, other, "R")
            assert (gone.phase, gone.to_move) in (("over", None), (deal.phase, deal.to_move))


# -- what is offered ---------------------------------------------------------------------------------------------


@given(tables(), seeds)
@settings(max_examples=25, deadline=None)
def test_every_offer_is_accepted_and_worth_what_it_says(rules: Rules, seed: int) -> None:
    chance = random.Random(seed)
    for step in play_tiles(rules, seed, steps=250)[:: 1 + seed % 4]:
        deal, seat = step.before, step.before.to_move
        if seat is None:
            continue
        mine = view(deal, seat)
        if deal.phase == "draw":
            for n in rules.legal_takes(deal):
                taken = apply(deal, seat, Move("P", n))
                assert all(refusal_of(taken, seat, offer.move) is None for offer in uses(mine, n))
            continue
        cards = [plain(tile) for tile in chance.choice(legal_moves(deal) or [Move("A")]).cards]
        if chance.random() < 0.3:
            cards = chance.sample(deal.hand.cards(), chance.randrange(1, min(5, deal.hand.size) + 1))
        found = offers(mine, cards)
        assert bool(found.lay) == (found.lay_fault is None)
        assert bool(found.off) == (found.off_fault is None)
        assert (found.discard is None) == (found.discard_fault is not None)
        for offer in [*found.lay, *found.off, *found.swap, *found.others]:
            assert worth(deal, seat, offer) == offer.worth
        if found.discard is not None:
            assert refusal_of(deal, seat, found.discard) is None
        for kind, fault in found.other_faults.items():
            if fault != "one_card":
                assert refusal_of(deal, seat, Move(kind, 0, tuple(cards[:1]) if kind == "C" else ())) == fault
        legal = {move for move in legal_moves(deal) if move.kind in "ABC" and list(move.cards) in ([], cards)}
        assert {offer.move for offer in found.others} == legal


def worth(deal: Deal, seat: int, offer: Offer) -> int:
    """What the move of an offer really brings: in an opening its points there, else those on the table, or the board game's."""
    after = apply(deal, seat, offer.move)
    if offer.move.kind == "C":
        return int(view(after, None).extra.board_game.points)
    if offer.move.kind in "AB":
        return 0
    if offer.move.kind == MELD and not deal.extra.opened[seat]:
        return int(view(after, None).extra.opening.points - view(deal, None).extra.opening.points)
    return after.laid[seat] - deal.laid[seat] + (50 if offer.move.kind == "W" and own_joly(deal, seat, offer.move) else 0)


def own_joly(deal: Deal, seat: int, move: Move) -> bool:
    """Whether a swap gives back a joly that the seat itself had laid."""
    meld = deal.melds[move.number - 1]
    return meld.by[meld.cards.index(move.cards[0] + 64)] == seat


# -- what is seen ------------------------------------------------------------------------------------------------


def hidden_places(deal: Deal, seat: int | None, deck: list[int]) -> list[int]:
    """Places of the deck whose tiles this seat has never seen: all of a face are in other hands, not known, or in the stock."""
    unseen = Counter(deal.deck[deal.drawn : -1])
    for other, hand in enumerate(deal.hands):
        if other != seat:
            unseen += Counter(hand.cards()) - Counter(deal.known[other].cards())
    pack = Counter(deal.rules.pack())
    return [place for place, tile in enumerate(deck) if unseen[tile] == pack[tile]]


def test_deals_that_differ_in_tiles_never_seen_look_the_same() -> None:
    chance = random.Random("tiles")
    compared = differing = in_exchange = 0
    for seed in range(160):
        rules = rules_for("etalat", 2 + seed % 3, {"opening": 20 if seed % 2 else 45})
        deck = shuffled_pack(rules, seed)
        played = play_tiles(rules, seed, others=0.05, deck=deck)
        played = played[: chance.randrange(min(len(played), 6 if seed % 4 == 0 else 80))]  # not to the end: scores tell of hands
        if not played:
            continue
        for seat in [None, *range(rules.count)]:
            places = hidden_places(played[-1].after, seat, deck)
            again = same_history(played, rearranged(tuple(deck), places, chance)) if len(places) > 1 else None
            if again is None:
                continue
            compared += 1
            differing += again[-1].after.hands != played[-1].after.hands
            in_exchange += played[0].before.phase == "exchange"
            for one, other in zip(played, again, strict=True):
                assert view(one.before, seat) == view(other.before, seat)
                assert view(one.after, seat) == view(other.after, seat)
                move = parse_move(one.move, TILES, tiles=True)
                assert told(one.before, one.after, move) == told(other.before, other.after, move)
    assert compared > 150 and differing > 30 and in_exchange > 30, "the test has seen too few pairs"


@given(tables(), seeds)
@settings(max_examples=40, deadline=None)
def test_until_the_last_answer_nothing_of_the_exchange_is_seen(rules: Rules, seed: int) -> None:
    for step in play_tiles(rules, seed, steps=6, others=0.2):
        before, after = step.before, step.after
        if before.phase != "exchange" or after.phase != "exchange" or step.move == "R":
            continue
        for seat in [None, *range(rules.count)]:
            assert (view(before, seat) == view(after, seat)) == (seat != step.seat)
        assert told(before, after, parse_move(step.move, TILES, tiles=True)) == {}


@given(tables(), seeds)
@settings(max_examples=30, deadline=None)
def test_what_is_known_of_a_hand_is_really_in_it(rules: Rules, seed: int) -> None:
    for step in play_tiles(rules, seed, others=0.05):
        for seat, known in enumerate(view(step.after, None).known):
            assert Counter(known.cards()) <= Counter(step.after.hands[seat].cards())


def test_random_play_meets_everything_that_this_file_is_about() -> None:
    met: Counter[str] = Counter()
    for seed in range(60):
        rules = rules_for("etalat", 2 + seed % 3, {"opening": 20})
        for step in play_tiles(rules, seed):
            met[step.move[0]] += 1
            met["opened"] += sum(step.after.extra.opened) > sum(step.before.extra.opened)
            met["forgot"] += len(step.after.extra.forgot) > len(step.before.extra.forgot)
            met[step.after.reason or "on"] += 1
            met["owed"] += step.after.extra.owed > 0
            met["given"] += bool(step.after.extra.given) and not step.before.extra.given
    for what in (*"SPMLWDUABX", "opened", "forgot", "owed", "given", "out", "stock"):
        assert met[what], what

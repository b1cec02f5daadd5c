"""The exchange of doubles, and spoiling: §4.3, §4.4. What is answered stays sealed until all have answered."""

import json

import pytest

from games.engine import (
    Deal,
    Match,
    add_deal,
    apply,
    deck_text,
    dump,
    legal_moves,
    load,
    new_match,
    parse_move,
    start,
    told,
    view,
)
from games.engine.record import state

from .builders import refused
from .tile_builders import answers, codes, held, tiles_dealt, tiles_deck, tiles_rules, words

SMALL, BIG, KEY = "5R 5R", "12K 12K", "1B 1B"
THREE = "5R 5R 12K 12K 1B 1B"


def say(deal: Deal, answers: str) -> Deal:
    """The deal after answers as "seat:answer"."""
    for token in answers.split():
        seat, move = token.split(":", 1)
        deal = apply(deal, int(seat), move)
    return deal


def pending(deal: Deal) -> list[int]:
    found: list[int] = state(deal)["pending"]
    return found


def test_seats_with_a_double_are_asked_and_no_others() -> None:
    deal = tiles_dealt([SMALL, "", BIG])
    assert (deal.phase, deal.to_move, pending(deal)) == ("exchange", None, [0, 2])
    assert answers(view(deal, 0)) == ["X:pass", "X:5R"]
    assert answers(view(deal, 1)) == []
    assert answers(view(deal, 2)) == ["X:pass", "X:12K"]
    assert answers(view(deal, None)) == []


def test_where_no_one_holds_a_double_play_begins_at_once() -> None:
    assert tiles_dealt(["", "", ""]).phase == "play"


def test_two_joly_make_no_double() -> None:
    assert tiles_dealt(["* *", ""]).phase == "play"
    deal = tiles_dealt(["* * 5R 5R", ""])
    assert refused(deal, "0:X:*") == "not_a_double"


def test_the_classes_are_small_big_and_key() -> None:
    deal = tiles_dealt(["2R 2R 9K 9K 10B 10B 13Y 13Y 1R 1R", ""])
    question = view(deal, 0).extra.question
    assert {words([tile]): kind for tile, kind in question.doubles} == {
        "2R": "small", "9K": "small", "10B": "big", "13Y": "big", "1R": "key",
    }  # fmt: skip


def test_offers_of_one_class_change_hands_once_all_have_answered() -> None:
    deal = tiles_dealt([SMALL, "7K 7K"], atu="9K")
    deal = say(deal, "1:X:7K 0:X:5R")
    assert (deal.phase, deal.to_move) == ("play", 0)
    assert deal.hands[0].copies(codes("7K")[0]) == deal.hands[0].copies(codes("5R")[0]) == 1
    assert deal.hands[1].copies(codes("7K")[0]) == deal.hands[1].copies(codes("5R")[0]) == 1
    assert [hand.size for hand in deal.hands] == [15, 14]


def test_offers_of_different_classes_lapse() -> None:
    before = tiles_dealt([SMALL, BIG])
    after = say(before, "0:X:5R 1:X:12K")
    assert after.hands == before.hands
    assert after.phase == "play"


def test_who_passes_keeps_its_doubles() -> None:
    before = tiles_dealt([SMALL, "7B 7B"])
    assert say(before, "0:X:pass 1:X:7B").hands == before.hands


def test_offers_are_paired_in_order_of_play_from_the_seat_after_the_dealer() -> None:
    # the dealer is seat 1: the order is 2, 3, 0, 1
    deal = tiles_dealt(["2R 2R", "3R 3R", "4R 4R", "5R 5R"], dealer=1)
    deal = say(deal, "0:X:2R 1:X:3R 2:X:4R 3:X:5R")
    pairs = {(given.giver, given.taker, words([given.tile])) for given in deal.extra.given}
    assert pairs == {(2, 3, "4R"), (3, 2, "5R"), (0, 1, "2R"), (1, 0, "3R")}
    got = {2: "5R", 3: "4R", 0: "3R", 1: "2R"}
    assert all(deal.hands[seat].copies(codes(tile)[0]) for seat, tile in got.items())


def test_an_offer_left_alone_lapses() -> None:
    deal = tiles_dealt(["2R 2R", "3R 3R", "4R 4R"], dealer=2)
    before = deal.hands
    deal = say(deal, "2:X:4R 1:X:3R 0:X:2R")
    assert deal.hands[2] == before[2]
    assert [given[:2] for given in deal.extra.given] == [(0, 1), (1, 0)]


def test_seats_answer_in_any_order_with_the_same_end() -> None:
    deal = tiles_dealt(["2R 2R", "3R 3R", "4R 4R 12B 12B"])
    one = say(deal, "0:X:2R 1:X:pass 2:X:4R")
    assert one == say(deal, "2:X:4R 1:X:pass 0:X:2R") == say(deal, "1:X:pass 2:X:4R 0:X:2R")


# -- refusals ----------------------------------------------------------------------------------------------------


def test_a_seat_answers_once() -> None:
    deal = say(tiles_dealt([SMALL, BIG]), "0:X:pass")
    for move in ("X:pass", "X:5R", "T"):
        assert refused(deal, f"0:{move}") == "not_your_turn"


def test_a_seat_that_is_not_asked_does_not_answer() -> None:
    deal = tiles_dealt([SMALL, "", BIG])
    assert refused(deal, "1:X:pass") == "not_your_turn"
    assert refused(deal, "1:T") == "not_your_turn"
    assert refused(deal, "7:X:pass") == "not_your_turn"


def test_only_a_double_is_offered() -> None:
    deal = tiles_dealt(["5R 5R 8B", BIG])
    assert refused(deal, "0:X:8B") == "not_a_double"
    assert refused(deal, "0:X:7K") == "not_in_hand"
    assert refused(deal, "0:X:*5R") == "bad_notation"
    assert refused(deal, "0:X:") == "bad_notation"
    assert refused(deal, "0:Xylophone") == "bad_notation"


def test_before_play_nothing_else_is_played() -> None:
    deal = tiles_dealt([SMALL, BIG])
    for move in ("S", "D:5R", "P1", "M:1R,2R,3R", "U", "E", "A", "B", "C:5R", "nonsense"):
        assert refused(deal, f"0:{move}") == "wrong_phase"
        assert refused(deal, f"1:{move}") == "wrong_phase"
    assert legal_moves(deal) == legal_moves(view(deal, 0)) == []


def test_in_play_there_is_no_exchange_any_more() -> None:
    deal = say(tiles_dealt([SMALL, BIG]), "0:X:pass 1:X:pass")
    assert refused(deal, "0:X:5R") == "wrong_phase"
    assert refused(deal, "1:X:12K") == "wrong_phase"
    assert refused(deal, "1:X:pass") == "wrong_phase"


def test_where_doubles_are_not_exchanged_only_spoilers_are_asked() -> None:
    deal = tiles_dealt([THREE, "11K 11K"], exchange=False)
    assert pending(deal) == [0]
    assert answers(view(deal, 0)) == ["X:pass", "X:spoil"]
    assert refused(deal, "0:X:5R") == "no_exchange"
    assert refused(deal, "0:X:7K") == "no_exchange"
    assert say(deal, "0:X:pass").phase == "play"
    assert tiles_dealt([SMALL + " 12K 12K", "11K 11K"], exchange=False).phase == "play"


# -- silence, resigning ------------------------------------------------------------------------------------------


def test_who_is_silent_until_the_deadline_passes() -> None:
    before = tiles_dealt([SMALL, "7B 7B"])
    after = say(before, "0:X:5R 1:T")
    assert (after.phase, after.hands) == ("play", before.hands)
    assert after == say(before, "0:X:5R 1:X:pass")


def test_a_resigned_seats_offer_lapses() -> None:
    deal = tiles_dealt([SMALL, "7B 7B", BIG], dealer=2)
    before = deal.hands
    deal = say(deal, "0:X:5R 1:X:7B 0:R 2:X:pass")
    assert (deal.hands, deal.to_move, deal.phase) == (before, 1, "draw")


def test_with_the_resignation_of_the_last_one_asked_play_begins() -> None:
    deal = say(tiles_dealt([SMALL, "7B 7B", BIG], dealer=2), "0:X:5R 1:X:7B 2:R")
    assert (deal.phase, deal.to_move) == ("play", 0)
    assert len(deal.extra.given) == 2


def test_a_seat_that_is_not_asked_may_resign_too() -> None:
    deal = say(tiles_dealt([SMALL, "", BIG]), "1:R")
    assert (deal.phase, pending(deal), deal.resigned) == ("exchange", [0, 2], frozenset({1}))
    assert refused(deal, "1:R") == "not_your_turn"


def test_the_last_seat_left_wins_before_play_too() -> None:
    deal = say(tiles_dealt([SMALL, BIG]), "1:R")
    assert (deal.phase, deal.reason, deal.scores) == ("over", "resigned", (-100, -100))


def test_the_next_seat_draws_where_the_first_has_resigned() -> None:
    deal = say(tiles_dealt([SMALL, "", BIG]), "0:R 2:X:pass")
    assert (deal.phase, deal.to_move) == ("draw", 1)


# -- spoiling ----------------------------------------------------------------------------------------------------


def test_three_doubles_spoil_the_deal() -> None:
    deal = say(tiles_dealt([THREE, ""]), "0:X:spoil")
    assert (deal.phase, deal.reason, deal.scores, deal.out) == ("over", "spoiled", (0, 0), None)


def test_two_doubles_do_not() -> None:
    deal = tiles_dealt([SMALL + " 12K 12K", ""])
    assert "X:spoil" not in answers(view(deal, 0))
    assert refused(deal, "0:X:spoil") == "cannot_spoil"


def test_a_spoiled_deal_lets_no_tile_change_hands() -> None:
    before = tiles_dealt([THREE, "7Y 7Y", "8Y 8Y"])
    deal = say(before, "0:X:spoil 1:X:7Y 2:X:8Y")
    assert (deal.reason, deal.hands) == ("spoiled", before.hands)


def test_spoiling_is_sealed_like_any_answer() -> None:
    before = tiles_dealt([THREE, SMALL.replace("5R", "5Y")])
    deal = say(before, "0:X:spoil")
    assert view(deal, 1) == view(before, 1)
    assert say(deal, "1:T").reason == "spoiled"


def test_a_resigned_seat_spoils_nothing() -> None:
    deal = say(tiles_dealt([THREE, "7Y 7Y", "8Y 8Y"]), "0:X:spoil 0:R 1:X:pass 2:X:pass")
    assert (deal.phase, deal.reason) == ("draw", None)


def test_the_same_dealer_deals_again_and_no_deal_is_counted() -> None:
    rules = tiles_rules(2)
    deal = say(start(rules, 1, tiles_deck(rules, [THREE, ""], "7K", 1)), "0:X:spoil")
    match = add_deal(new_match(rules, 1), deal)
    assert match == Match(rules, (0, 0), 1, frozenset(), None, 0)


# -- what is seen ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["X:pass", "X:5R", "X:12K", "X:1B", "X:spoil", "T"])
def test_an_answer_changes_nothing_that_others_see(answer: str) -> None:
    before = tiles_dealt([THREE, "7Y 7Y", "8Y 8Y"])
    after = apply(before, 0, answer)
    for other in (1, 2, None):
        assert view(after, other) == view(before, other)
    assert told(before, after, parse_move(answer, before.rules.alphabet, tiles=True)) == {}
    assert view(after, 0) != view(before, 0)


def test_a_seat_sees_its_own_answer_until_all_have_answered() -> None:
    deal = say(tiles_dealt([SMALL, BIG]), "0:X:5R")
    mine = view(deal, 0).extra
    assert (mine.question, mine.answer.cards) == (None, tuple(codes("5R")))
    assert view(deal, 1).extra.answer is None
    deal = say(deal, "1:X:pass")
    assert view(deal, 0).extra.answer is None


def test_no_view_tells_who_is_asked_or_still_to_answer() -> None:
    one = tiles_dealt([SMALL, "2Y 3B", BIG])
    another = say(one, "0:X:5R")
    third = tiles_dealt([SMALL, "2Y 2Y", BIG])
    assert view(one, 2) == view(another, 2)
    assert view(third, 0)._replace(hand=view(one, 0).hand) == view(one, 0)
    assert view(third, None) == view(one, None)


def test_only_giver_and_taker_know_the_tiles_that_changed_hands() -> None:
    deal = say(tiles_dealt([SMALL, "7Y 7Y", ""], dealer=2), "0:X:5R 1:X:7Y")
    assert {(given.giver, given.taker, words([given.tile])) for given in view(deal, 0).extra.given} == {
        (0, 1, "5R"),
        (1, 0, "7Y"),
    }
    assert view(deal, 1).extra.given == view(deal, 0).extra.given
    assert view(deal, 2).extra.given == view(deal, None).extra.given == ()
    assert all(known.size == 0 for known in view(deal, 2).known)


def test_once_the_deal_is_over_all_may_know() -> None:
    deal = say(tiles_dealt([SMALL, "7Y 7Y", ""], dealer=2), "0:X:5R 1:X:7Y 0:R 1:R")
    assert deal.phase == "over"
    assert len(view(deal, 2).extra.given) == len(view(deal, None).extra.given) == 2


def test_the_log_tells_that_the_exchange_is_over_and_no_more() -> None:
    before = say(tiles_dealt([SMALL, "7Y 7Y"]), "0:X:5R")
    after = say(before, "1:X:7Y")
    assert told(before, after, parse_move("X:7Y", before.rules.alphabet, tiles=True)) == {"exchanged": True}


def test_the_log_tells_who_spoiled_the_deal() -> None:
    before = say(tiles_dealt([THREE, "7Y 7Y"]), "0:X:spoil")
    after = say(before, "1:X:7Y")
    assert told(before, after, parse_move("X:7Y", before.rules.alphabet, tiles=True)) == {"by": [0], "over": "spoiled"}


def test_a_resignation_before_play_tells_nothing_of_the_answers() -> None:
    before = say(tiles_dealt([SMALL, "7Y 7Y", ""]), "0:X:5R")
    after = say(before, "2:R")
    assert told(before, after, parse_move("R", before.rules.alphabet, tiles=True)) == {}


def test_the_exchange_is_stored_and_loaded_with_its_answers() -> None:
    rules = tiles_rules(3)
    deck = tiles_deck(rules, [THREE, "7Y 7Y", "8Y 8Y"], "7K", 2)
    deal = start(rules, 2, deck)
    for token in ("1:X:7Y", "2:X:pass", "0:X:5R"):
        stored, hands = json.loads(json.dumps(dump(deal)))
        loaded = load(rules, deck_text(rules, deck), stored, hands)
        assert loaded == deal
        deal = say(deal, token)
        assert say(loaded, token) == deal
    assert held(deal, 0).count("7Y") == 1

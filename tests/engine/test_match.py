"""Deals up to a target: §1.1, §1.13, §1.15, and who wins."""

import pytest

from games.engine import RuleError, add_deal, next_dealer, rules_for, start, winner

from .builders import both_games, dealt, finished, held, match_of, play, position, scored


@both_games
def test_the_seat_after_the_dealer_plays_first_and_the_deal_passes_on(variant: str) -> None:
    match = match_of(variant, 3, dealer=2)
    assert start(match.rules, match.dealer, match.rules.pack()).to_move == 0
    dealers = []
    for _ in range(4):
        dealers.append(match.dealer)
        match = add_deal(match, finished(match, (1, 2, 3)))
    assert dealers == [2, 0, 1, 2]


@both_games
def test_scores_are_added_and_totals_may_be_negative(variant: str) -> None:
    match = match_of(variant, 2)
    match = scored(match, finished(match, (45, -30)), finished(match, (-80, 12)))
    assert (match.totals, match.winner, match.deals) == ((-35, -18), None, 2)


@both_games
def test_the_match_ends_when_a_total_reaches_the_target(variant: str) -> None:
    match = scored(match_of(variant, 2), finished(match_of(variant, 2), (499, 10)))
    assert match.winner is None
    match = add_deal(match, finished(match, (1, 10)))
    assert (match.totals, match.winner) == ((500, 20), 0)


@both_games
def test_the_highest_total_wins_though_another_reached_the_target_too(variant: str) -> None:
    match = match_of(variant, 3)
    assert scored(match, finished(match, (510, 530, 100))).winner == 1


@both_games
def test_whoever_has_most_points_wins_not_whoever_went_out(variant: str) -> None:
    match = match_of(variant, 2, target=20)
    deal = position(variant, hands=["2H 3H", "KD"], melds=[(1, "TS TD TC")], stock="4H 6C", target=20)
    deal = play(deal, "S M:2H,3H,4H")
    assert deal.out == 0
    assert add_deal(match, deal).winner == 1


@both_games
def test_another_deal_is_played_while_the_top_is_shared(variant: str) -> None:
    match = match_of(variant, 3)
    match = scored(match, finished(match, (520, 520, 10)))
    assert match.winner is None
    match = add_deal(match, finished(match, (5, 5, 400)))
    assert match.winner is None
    match = add_deal(match, finished(match, (-30, -29, 0)))
    assert (match.totals, match.winner) == ((495, 496, 410), None)
    assert add_deal(match, finished(match, (0, 4, 0))).winner == 1


@both_games
def test_below_the_top_totals_may_be_equal(variant: str) -> None:
    match = match_of(variant, 3)
    assert scored(match, finished(match, (520, 300, 300))).winner == 0


@both_games
def test_a_match_without_a_target_is_a_single_deal(variant: str) -> None:
    match = match_of(variant, 2, target=None)
    assert scored(match, finished(match, (-10, -40))).winner == 0


@both_games
def test_a_single_deal_with_a_shared_top_is_followed_by_another(variant: str) -> None:
    match = match_of(variant, 2, target=None)
    match = scored(match, finished(match, (30, 30)))
    assert match.winner is None
    assert add_deal(match, finished(match, (5, 6))).winner == 1


@both_games
@pytest.mark.parametrize("target", [100, 250, 1000])
def test_a_table_may_have_another_target(variant: str, target: int) -> None:
    match = match_of(variant, 2, target=target)
    assert scored(match, finished(match, (target - 1, 0))).winner is None
    assert scored(match, finished(match, (target, 0))).winner == 0


@both_games
def test_a_seat_that_resigned_neither_ends_the_match_nor_wins_it(variant: str) -> None:
    match = match_of(variant, 3)
    gone = finished(match, (510, 100, 90))._replace(resigned=frozenset({0}))
    match = add_deal(match, gone)
    assert match.winner is None
    match = add_deal(match, finished(match, (0, 420, 100)))
    assert (match.totals, match.winner) == ((510, 520, 190), 1)


@both_games
def test_a_resigned_seat_above_the_rest_does_not_hold_the_match_open(variant: str) -> None:
    match = match_of(variant, 3)
    gone = finished(match, (900, 100, 90))._replace(resigned=frozenset({0}))
    match = add_deal(match, gone)
    assert add_deal(match, finished(match, (0, 400, 0))).winner == 1


@both_games
def test_a_total_shared_with_a_resigned_seat_is_not_shared(variant: str) -> None:
    match = match_of(variant, 3)
    gone = finished(match, (500, 100, 90))._replace(resigned=frozenset({0}))
    match = add_deal(add_deal(match, gone), finished(match, (0, 400, 0))._replace(resigned=frozenset({0})))
    assert (match.totals, match.winner) == ((500, 500, 90), 1)


@both_games
def test_the_deal_passes_to_the_next_seat_still_in(variant: str) -> None:
    match = match_of(variant, 4, dealer=0)
    gone = finished(match, (0, 0, 0, 0))._replace(resigned=frozenset({1, 2}))
    match = add_deal(match, gone)
    assert match.dealer == 3
    deal = start(match.rules, match.dealer, match.rules.pack(), match.resigned)
    assert deal.to_move == 0
    assert [hand.size for hand in deal.hands] == [7, 0, 0, 7]


def test_packs_and_hand_size_stay_those_of_the_start_of_the_match() -> None:
    match = match_of("remi500", 5)
    match = add_deal(match, finished(match, (0,) * 5)._replace(resigned=frozenset({1, 2, 3})))
    deal = start(match.rules, match.dealer, match.rules.pack(), match.resigned)
    assert len(match.rules.pack()) == 108
    assert [hand.size for hand in deal.hands] == [7, 0, 0, 0, 7]


@both_games
def test_a_deal_that_is_not_over_is_not_counted(variant: str) -> None:
    match = match_of(variant, 2)
    with pytest.raises(RuleError) as refusal:
        add_deal(match, dealt(variant, 2))
    assert refusal.value.code == "deal_not_over"


@both_games
def test_after_the_match_is_won_no_deal_is_counted(variant: str) -> None:
    match = match_of(variant, 2)
    match = scored(match, finished(match, (500, 0)))
    with pytest.raises(RuleError) as refusal:
        add_deal(match, finished(match, (1, 1)))
    assert refusal.value.code == "match_over"


@both_games
def test_a_seat_that_resigns_in_the_middle_stays_out_of_the_match(variant: str) -> None:
    match = match_of(variant, 3, dealer=2)
    deal = play(start(match.rules, 2, match.rules.pack()), "1:R S")
    deal = play(deal, f"D:{held(deal, 0).split()[0]} R")
    match = add_deal(match, deal)
    assert deal.reason == "resigned"
    assert (match.resigned, match.winner) == (frozenset({1, 2}), 0)


# -- by themselves, for whoever rules on a match ----------------------------------------------------


def test_a_void_deal_is_dealt_anew_by_its_dealer_or_by_the_next_seat_where_that_has_left() -> None:
    match = match_of("rami500", 3, dealer=1)
    deal = finished(match, (1, 2, 3))
    assert next_dealer(deal, set()) == 2
    assert next_dealer(deal, set(), void=True) == 1
    assert next_dealer(deal, {1}, void=True) == 2
    assert next_dealer(deal, {1, 2}, void=True) == 0


def test_whoever_leads_from_the_target_on_has_won_and_so_has_the_last_one_left() -> None:
    rules = rules_for("rami500", 3, {"target": 100})
    assert winner(rules, (99, 0, 0), set()) is None
    assert winner(rules, (100, 0, -5), set()) == 0
    assert winner(rules, (100, 100, 0), set()) is None
    assert winner(rules, (100, 120, 0), {1}) == 0
    assert winner(rules, (-10, 500, 500), {1, 2}) == 0

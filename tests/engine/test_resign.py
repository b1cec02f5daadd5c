"""Leaving a match: §1.12."""

from games.engine import add_deal, start

from .builders import both_games, finished, held, match_of, play, position, refused, row, scored, table


@both_games
def test_any_seat_may_resign_when_it_is_not_its_turn(variant: str) -> None:
    deal = play(position(variant, hands=["2S 5D", "3C", "4C"]), "1:R")
    assert (deal.phase, deal.to_move, deal.resigned) == ("draw", 0, frozenset({1}))


@both_games
def test_a_seat_that_resigned_is_passed_over(variant: str) -> None:
    deal = play(position(variant, hands=["2S 5D", "3C", "4C 9C"]), "1:R S D:2S")
    assert deal.to_move == 2
    assert play(deal, "S D:4C").to_move == 0


@both_games
def test_the_turn_of_another_goes_on_where_it_was(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H 9H 5D", "3C", "4C"], row="KS"), "S M:7H,8H,9H 2:R")
    assert (deal.phase, deal.to_move, table(deal)) == ("play", 0, ["7H 8H 9H"])
    assert table(play(deal, "U")) == []


@both_games
def test_taking_back_does_not_bring_a_seat_back_that_resigned_meanwhile(variant: str) -> None:
    deal = play(position(variant, hands=["7H 8H 9H 5D", "3C", "4C"]), "S M:7H,8H,9H 2:R U D:5D")
    assert deal.resigned == frozenset({2})
    assert play(deal, "S D:3C").to_move == 0


@both_games
def test_resigning_on_turn_passes_the_turn_without_a_discard(variant: str) -> None:
    deal = play(position(variant, hands=["2S 5D", "3C", "4C"], row="KS"), "R")
    assert (deal.to_move, row(deal), held(deal, 0)) == (1, "KS", "2S 5D")


@both_games
def test_resigning_gives_the_take_of_this_turn_back(variant: str) -> None:
    deal = position(variant, hands=["8H 9H 5D", "3C", "4C"], row="KS 7H QD", stock="2C 6C")
    deal = play(deal, "P2 M:7H,8H,9H R")
    assert (row(deal), table(deal), held(deal, 0)) == ("KS 7H QD", [], "5D 8H 9H")
    assert deal.laid == (0, 0, 0)


@both_games
def test_resigning_keeps_the_card_drawn_from_the_stock(variant: str) -> None:
    deal = position(variant, hands=["7H 8H 5D", "3C", "4C"], stock="9H 6C TC")
    deal = play(deal, "S M:7H,8H,9H R")
    assert (held(deal, 0), table(deal), deal.to_move) == ("5D 7H 8H 9H", [], 1)


@both_games
def test_what_was_laid_in_earlier_turns_stays_and_counts_and_the_hand_counts_against(variant: str) -> None:
    hands = ["7H 8H 9H 5D KD", "3C 6C", "4C"]
    deal = play(position(variant, hands=hands, stock="2C 9S TS JS"), "S M:7H,8H,9H D:KD 0:R")
    assert table(deal) == ["7H 8H 9H"]
    deal = play(deal, "2:R")
    assert (deal.reason, deal.out) == ("resigned", None)
    assert deal.scores == (24 - 7, -9, -4)


@both_games
def test_others_may_lay_off_on_the_melds_of_a_seat_that_resigned(variant: str) -> None:
    deal = position(variant, hands=["6H 5D", "3C", "4C"], melds=[(1, "7H 8H 9H")])
    assert table(play(deal, "1:R S L:1:6H")) == ["6H 7H 8H 9H"]


@both_games
def test_the_last_seat_left_ends_the_deal_on_turn_and_off_turn(variant: str) -> None:
    for moves in ("R", "1:R"):
        deal = play(position(variant, hands=["2S 5D", "3C"]), moves)
        assert (deal.phase, deal.reason, deal.scores) == ("over", "resigned", (-7, -3))


@both_games
def test_the_last_seat_left_wins_the_match_whatever_the_points(variant: str) -> None:
    match = scored(match_of(variant, 2), finished(match_of(variant, 2), (300, -40)))
    deal = play(position(variant, hands=["2S 5D", "3C"]), "R")
    match = add_deal(match, deal)
    assert match.totals == (293, -43)
    assert match.winner == 1


@both_games
def test_resigning_twice_is_refused(variant: str) -> None:
    assert refused(play(position(variant, hands=["2S", "3C", "4C"]), "1:R"), "1:R") == "not_your_turn"


@both_games
def test_a_seat_that_resigned_is_not_dealt_to_and_scores_nothing_later(variant: str) -> None:
    match = match_of(variant, 3, dealer=2)
    rules = match.rules
    first = play(start(rules, 2, rules.pack()), "1:R S")
    first = play(first, f"D:{held(first, 0).split()[0]}")
    match = add_deal(match, first.over("out", 0))
    second = start(rules, match.dealer, rules.pack(), match.resigned)
    assert [hand.size for hand in second.hands] == [7, 0, 7]
    assert second.to_move == 2
    over = second.over("stock")
    assert over.scores is not None
    assert over.scores[1] == 0

"""From rows to the table, on examples checked on paper."""

from __future__ import annotations

from typing import Any

from accounts.leagues.fold import ADJUSTMENT, FORFEIT, PLAYED, VOID, Line, Row, Table, fold, places

ANA, BOGDAN, CHLOE, DORU = 1, 2, 3, 4


def at(hours: int) -> int:
    """A time, in microseconds."""
    return hours * 3_600_000_000


_ids = iter(range(1, 1_000_000))


def deal(number: int, points: dict[int, int], *, match: int = 1, places: dict[int, int] | None = None, **more: Any) -> list[Row]:
    """The rows of a deal that ended `number` hours after the start; `forfeits` names who forfeited."""
    forfeits, counting = more.get("forfeits", ()), more.get("counting", 0)
    best = max(points.values())
    return [
        Row(
            next(_ids), player, FORFEIT if player in forfeits else PLAYED, score, more.get("at", at(number)), match, number,
            counting, out=player == more.get("out"), won=score == best and player not in forfeits,
            place=(places or {}).get(player),
        )
        for player, score in points.items()
    ]  # fmt: skip


def adjusted(player: int, points: int, hours: int) -> Row:
    return Row(next(_ids), player, ADJUSTMENT, points, at(hours))


def void(number: int, *players: int, counting: int = 0) -> list[Row]:
    return [Row(next(_ids), player, VOID, 0, at(1_000), 1, number, counting) for player in players]


def lines(rows: list[Row], **terms: Any) -> dict[int, Line]:
    return {line.player: line for line in fold(rows, **terms).lines}


def ranks(rows: list[Row]) -> dict[int, int]:
    return {player: line.rank for player, line in lines(rows).items()}


# -- points, averages, laps ---------------------------------------------------------------------


def test_without_rows_there_is_no_table() -> None:
    assert fold([]) == Table([], None)


def test_three_deals_of_a_match_add_up() -> None:
    rows = [
        *deal(1, {ANA: 120, BOGDAN: -40}, out=ANA),
        *deal(2, {ANA: -15, BOGDAN: 210}, out=BOGDAN),
        *deal(3, {ANA: 415, BOGDAN: 30}, out=ANA, places={ANA: 1, BOGDAN: 2}),
    ]
    assert fold(rows).lines == [
        Line(1, ANA, 520, 1, 1, 1, 3, 520, 415, 2, 2, 0, 0, 0, (1,)),
        Line(2, BOGDAN, 200, 1, 0, 0, 3, 200, 210, 1, 1, 0, 0, 0, (2,)),
    ]


def test_totals_may_be_negative_and_make_no_lap() -> None:
    table = lines([*deal(1, {ANA: -600, BOGDAN: 10}), *deal(2, {ANA: 90, BOGDAN: 0})])
    assert (table[ANA].points, table[ANA].laps, table[ANA].best) == (-510, 0, 90)
    assert ranks([*deal(1, {ANA: -600, BOGDAN: 10})]) == {BOGDAN: 1, ANA: 2}


def test_a_lap_that_is_lost_and_passed_again_counts_once() -> None:
    """0 → 480 → 530 (first lap) → 470 → 510 (again) → 999 → 1,000 (second)."""
    course = [(480, 0), (50, 1), (-60, 1), (40, 1), (489, 1), (1, 2)]
    rows: list[Row] = []
    for number, (points, laps) in enumerate(course, start=1):
        rows += deal(number, {ANA: points, BOGDAN: 0})
        assert lines(rows)[ANA].laps == laps


def test_one_deal_may_pass_two_laps() -> None:
    assert lines(deal(1, {ANA: 1_004, BOGDAN: 499}))[ANA].laps == 2


def test_laps_follow_the_time_at_which_deals_ended_not_the_one_at_which_they_were_written() -> None:
    late, early = deal(2, {ANA: -300}), deal(1, {ANA: 550})
    assert lines([*late, *early])[ANA].laps == 1
    early, late = deal(1, {ANA: -300}), deal(2, {ANA: 550})
    assert lines([*late, *early])[ANA].laps == 0


def test_deals_that_ended_at_one_moment_follow_their_ids() -> None:
    first, second = deal(1, {ANA: 500}, at=at(5)), deal(2, {ANA: -500}, at=at(5))
    assert lines([*second, *first])[ANA].laps == 1
    first, second = deal(1, {ANA: -500}, at=at(5)), deal(2, {ANA: 500}, at=at(5))
    assert lines([*second, *first])[ANA].laps == 0


def test_an_adjustment_counts_from_when_it_was_made() -> None:
    rows = [*deal(1, {ANA: 450}), *deal(3, {ANA: -400})]
    assert lines([*rows, adjusted(ANA, 60, 2)])[ANA].laps == 1
    assert lines([*rows, adjusted(ANA, 60, 4)])[ANA].laps == 0
    line = lines([*rows, adjusted(ANA, 60, 4)])[ANA]
    assert (line.points, line.deals, line.deal_points, line.best) == (110, 2, 50, 450)


def test_somebody_with_an_adjustment_alone_is_in_the_table() -> None:
    assert fold([adjusted(ANA, -20, 1)]).lines == [Line(1, ANA, -20, 0, 0, 0, 0, 0, None, 0, 0, 0, 0, 0, ())]


# -- forfeits and voids -------------------------------------------------------------------------


def test_forfeits_are_counted_and_win_no_deal() -> None:
    table = lines(deal(1, {ANA: 12, BOGDAN: -80}, forfeits=[BOGDAN], places={ANA: 1, BOGDAN: 2}))
    assert (table[BOGDAN].forfeits, table[BOGDAN].points, table[BOGDAN].deals, table[BOGDAN].last) == (1, -80, 1, (2,))
    assert table[ANA].forfeits == 0


def test_a_void_removes_its_deal_everywhere() -> None:
    one, two = deal(1, {ANA: 600, BOGDAN: -10}, out=ANA), deal(2, {ANA: -30, BOGDAN: 40}, out=BOGDAN, places={ANA: 2, BOGDAN: 1})
    assert fold([*one, *two, *void(1, ANA, BOGDAN)]) == fold(two)
    assert fold([*one, *two, *void(2, ANA, BOGDAN)]) == fold(one)
    assert fold([*one, *void(1, ANA, BOGDAN)]) == Table([], None)


def test_a_void_of_one_player_removes_the_deal_for_all() -> None:
    assert fold([*deal(1, {ANA: 60, BOGDAN: -10}), *void(1, ANA)]).lines == []


def test_a_deal_counted_again_after_a_void_counts() -> None:
    rows = [*deal(1, {ANA: 60, BOGDAN: -10}), *void(1, ANA, BOGDAN), *deal(1, {ANA: 5, BOGDAN: 70}, counting=1, at=at(9))]
    assert {player: line.points for player, line in lines(rows).items()} == {BOGDAN: 70, ANA: 5}
    assert fold([*rows, *void(1, ANA, BOGDAN, counting=1)]).lines == []


def test_a_place_that_a_ruling_moved_is_the_one_that_holds() -> None:
    rows = deal(1, {ANA: 60, BOGDAN: -10}, places={ANA: 1, BOGDAN: 2})
    moved = [Row(90, ANA, ADJUSTMENT, 0, at(5), 1, place=2), Row(91, BOGDAN, ADJUSTMENT, 0, at(5), 1, place=1)]
    assert places([*rows, *moved]) == {(1, ANA): 2, (1, BOGDAN): 1}
    assert (lines([*rows, *moved])[ANA].won, lines([*rows, *moved])[BOGDAN].won) == (0, 1)
    taken = Row(92, ANA, ADJUSTMENT, 0, at(5), 1, place=0)
    assert (lines([*rows, taken])[ANA].matches, lines([*rows, taken])[ANA].last) == (0, ())


def test_the_last_five_places_are_those_of_the_last_five_matches() -> None:
    rows: list[Row] = []
    for number, place in enumerate([4, 1, 2, 3, 1, 2], start=1):
        rows += deal(number, {ANA: 1}, match=number, places={ANA: place})
    assert (lines(rows)[ANA].matches, lines(rows)[ANA].last) == (6, (1, 2, 3, 1, 2))


# -- the order ----------------------------------------------------------------------------------


def test_points_come_first() -> None:
    rows = [
        *deal(1, {ANA: 10, BOGDAN: 11}, places={ANA: 1, BOGDAN: 2}),
        *deal(2, {ANA: 0, BOGDAN: 0}, places={ANA: 1, BOGDAN: 2}),
    ]
    assert ranks(rows) == {BOGDAN: 1, ANA: 2}


def test_level_in_points_the_matches_won_decide() -> None:
    rows = [
        *deal(1, {ANA: 10, BOGDAN: 20}, match=1, places={ANA: 2, BOGDAN: 1}),
        *deal(2, {ANA: 30, BOGDAN: 20}, match=2, places={ANA: 1, BOGDAN: 2}),
        *deal(3, {ANA: 5, CHLOE: 1}, match=3, places={ANA: 1, CHLOE: 2}),
        *deal(4, {BOGDAN: 5, CHLOE: 9}, match=4, places={BOGDAN: 2, CHLOE: 1}),
    ]
    table = lines(rows)
    assert (table[ANA].points, table[BOGDAN].points) == (45, 45)
    assert (table[ANA].won, table[BOGDAN].won) == (2, 1)
    assert (table[ANA].rank, table[BOGDAN].rank, table[CHLOE].rank) == (1, 2, 3)


def test_level_in_matches_too_the_deals_against_one_another_decide() -> None:
    rows = [
        *deal(1, {ANA: 10, BOGDAN: 20}), *deal(2, {ANA: 12, BOGDAN: 13}), *deal(3, {ANA: 40, BOGDAN: 29}),
    ]  # fmt: skip
    table = lines(rows)
    assert (table[ANA].points, table[BOGDAN].points) == (62, 62)
    assert (table[ANA].head_to_head, table[BOGDAN].head_to_head) == (-1, 1)
    assert (table[BOGDAN].rank, table[ANA].rank) == (1, 2)


def test_deals_against_others_are_not_head_to_head() -> None:
    rows = [
        *deal(1, {ANA: 10, CHLOE: 5}), *deal(2, {ANA: 12, CHLOE: 5}), *deal(3, {BOGDAN: 22, CHLOE: 11}),
    ]  # fmt: skip
    table = lines(rows)
    assert [table[player].head_to_head for player in (ANA, BOGDAN, CHLOE)] == [0, 0, 0]
    assert (table[ANA].rank, table[BOGDAN].rank) == (1, 2)  # by deals won


def test_three_who_beat_one_another_in_a_circle_stay_level() -> None:
    rows = [
        *deal(1, {ANA: 10, BOGDAN: 5}), *deal(2, {BOGDAN: 10, CHLOE: 5}), *deal(3, {CHLOE: 10, ANA: 5}),
    ]  # fmt: skip
    assert ranks(rows) == {ANA: 1, BOGDAN: 1, CHLOE: 1}


def test_in_a_deal_of_several_each_is_compared_with_each() -> None:
    rows = [*deal(1, {ANA: 30, BOGDAN: 20, CHLOE: 10}), *deal(2, {ANA: 0, BOGDAN: 10, CHLOE: 20})]
    assert [lines(rows)[player].head_to_head for player in (ANA, BOGDAN, CHLOE)] == [0, 0, 0]
    rows = [*rows, adjusted(CHLOE, 1, 9)]  # only the level ones are compared
    assert [lines(rows)[player].head_to_head for player in (ANA, BOGDAN)] == [0, 0]


def test_level_in_all_that_the_fewer_forfeits_decide() -> None:
    rows = [
        *deal(1, {ANA: -5, CHLOE: 9}, forfeits=[ANA]), *deal(2, {BOGDAN: -5, CHLOE: 9}),
    ]  # fmt: skip
    assert ranks(rows) == {CHLOE: 1, BOGDAN: 2, ANA: 3}


def test_who_is_level_shares_the_rank_and_the_next_one_is_left_out() -> None:
    rows = [*deal(1, {ANA: 5, DORU: 1}), *deal(2, {BOGDAN: 5, DORU: 1}), adjusted(CHLOE, 3, 3)]
    assert ranks(rows) == {ANA: 1, BOGDAN: 1, CHLOE: 3, DORU: 4}


# -- the end of a season ------------------------------------------------------------------------


def test_deals_after_the_last_day_do_not_count() -> None:
    rows = [*deal(1, {ANA: 5}), *deal(2, {ANA: 7}), *deal(3, {ANA: 11}), adjusted(ANA, 100, 4)]
    assert lines(rows, until=at(2))[ANA].points == 112


def test_the_first_to_so_many_points_ends_it_with_that_deal() -> None:
    one, two, three = deal(1, {ANA: 60, BOGDAN: 20}), deal(2, {ANA: 50, BOGDAN: 90}), deal(3, {ANA: 500, BOGDAN: 0})
    table = fold([*three, *two, *one], first_to=110)
    assert table.reached_at == at(2)
    assert {line.player: line.points for line in table.lines} == {ANA: 110, BOGDAN: 110}
    assert fold([*one, *two], first_to=111).reached_at is None


def test_what_is_adjusted_after_that_counts_and_a_void_takes_the_end_back() -> None:
    one, two = deal(1, {ANA: 110, BOGDAN: 20}), deal(2, {ANA: 0, BOGDAN: 90})
    ended = fold([*one, *two, adjusted(BOGDAN, -7, 3)], first_to=110)
    assert {line.player: line.points for line in ended.lines} == {ANA: 110, BOGDAN: 13}
    taken_back = fold([*one, *two, *void(1, ANA, BOGDAN)], first_to=110)
    assert (taken_back.reached_at, {line.player: line.points for line in taken_back.lines}) == (None, {ANA: 0, BOGDAN: 90})


def test_an_adjustment_may_bring_somebody_there() -> None:
    rows = [*deal(1, {ANA: 60}), adjusted(ANA, 50, 2), *deal(3, {ANA: 1})]
    table = fold(rows, first_to=110)
    assert (table.reached_at, table.lines[0].points) == (at(2), 110)

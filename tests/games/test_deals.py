"""Between two deals: counting once, the next dealer, the end of the match."""

from __future__ import annotations

import pytest

from games import engine, selectors
from games.models import Game
from games.services import deals, turns
from games.services.errors import NoSuchTable
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_THREE,
    OUT_OF_TWO,
    PATIENT,
    at,
    differences,
    fresh,
    open_table,
    play,
    player,
    rows,
    running,
    settle,
)

pytestmark = pytest.mark.django_db


def three(**terms: object) -> Game:
    """Ana, Bogdan and Chloé after a deal in which Ana went out: 71, −52, −45."""
    game = running("Ana", "Bogdan", "Chloé", seed=OUT_OF_THREE[0], **terms)  # type: ignore[arg-type]
    play(game, OUT_OF_THREE[1])
    return game


def two(*, then: str = "any", **options: object) -> Game:
    """Ana and Bogdan after a deal in which Ana went out: 55, −43."""
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0], then=then, absent_after=PATIENT, options=options)
    play(game, OUT_OF_TWO[1])
    return game


def totals(game: Game) -> list[int]:
    return [seat.total for seat in game.seats.all()]


def test_a_deal_that_is_over_is_counted() -> None:
    game = three()
    assert settle(game, now=NOON + DAY)
    row = game.deals.get(number=0)
    assert (row.scored, [hand.score for hand in row.hands.all()]) == (True, [71, -52, -45])
    assert totals(game) == [71, -52, -45]
    assert differences(game) == []


def test_the_log_tells_what_was_counted_and_dealt() -> None:
    game = three()
    settle(game)
    counted, dealt, sealed = list(game.entries.all())[-3:]
    assert (counted.text, counted.actor, counted.seat) == ("counted", "server", 0)
    assert counted.facts == {"number": 0, "reason": "out", "scores": [71, -52, -45], "totals": [71, -52, -45]}
    assert (dealt.text, dealt.deal, dealt.seat, dealt.facts) == ("dealt", 1, 0, dealt.facts | {"number": 1, "added": []})
    assert (sealed.text, sealed.facts["number"]) == ("sealed", 2)


def test_the_next_deal_begins_at_once_with_its_own_deadline() -> None:
    game = three()
    settle(game, now=NOON + DAY)
    after, table = fresh(game), at(game)
    assert (after.status, after.awaits_server, after.deadline) == ("running", False, NOON + 2 * DAY)
    assert (table.row.number, table.row.began_at, table.deal.phase) == (1, NOON + DAY, "draw")
    assert [hand.score for hand in table.hands] == [None, None, None]


def test_the_deal_passes_to_the_next_seat() -> None:
    """§1.1"""
    game = three()
    settle(game)
    assert [row.dealer for row in game.deals.all()] == [2, 0]
    assert fresh(game).to_move == 1


def test_it_passes_over_a_seat_that_has_resigned() -> None:
    """§1.15"""
    game = running("Ana", "Bogdan", "Chloé", seed=OUT_OF_THREE[0], absent_after=PATIENT)
    play(game, "S")
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    while at(game).deal.phase != engine.OVER:
        assert turns.expire(game_id=game.pk, now=fresh(game).deadline or NOON)
    settle(game)
    assert [row.dealer for row in game.deals.all()] == [2, 1]
    assert [len(hand.cards) for hand in at(game).hands] == [0, 7, 7]
    assert differences(game) == []


def test_a_deal_is_counted_once() -> None:
    game = three()
    assert settle(game)
    before = rows()
    assert not settle(game)
    assert rows() == before


def test_a_deal_that_goes_on_is_not_counted() -> None:
    game = running("Ana", "Bogdan")
    before = rows()
    assert not settle(game)
    assert rows() == before


def test_an_open_table_has_nothing_to_count() -> None:
    assert not settle(open_table("Ana"))


def test_a_game_that_is_not_there_has_nothing_to_count() -> None:
    with pytest.raises(NoSuchTable):
        deals.settle(game_id=0, now=NOON)


def test_the_totals_are_the_sums_of_the_scores() -> None:
    game = two(then=OUT_OF_TWO[0])
    settle(game)  # the same cards again: now Bogdan deals no more, and plays second
    for _deal in range(2):
        while at(game).deal.phase != engine.OVER:
            turns.expire(game_id=game.pk, now=fresh(game).deadline or NOON)
        settle(game)
    sheet = [row.points for row in selectors.sheet(game=fresh(game))]
    assert len(sheet) == 3
    assert totals(game) == [sum(scores) for scores in zip(*sheet, strict=True)]
    assert differences(game) == []


# -- the end of the match (§1.13) ---------------------------------------------------------------


def test_who_reaches_the_target_has_won() -> None:
    game = two(target=50)
    assert settle(game, now=NOON + DAY)
    after = fresh(game)
    assert (after.status, after.winner, after.ended_at) == ("finished", 0, NOON + DAY)
    assert (after.deadline, after.to_move, after.awaits_server) == (None, None, False)
    assert after.version == game.version + 6
    assert [entry.text for entry in game.entries.all()][-2:] == ["counted", "finished"]
    assert game.deals.count() == 1
    assert differences(game) == []


def test_one_point_short_and_another_deal_is_played() -> None:
    game = two(target=56)
    settle(game)
    assert (fresh(game).status, game.deals.count()) == ("running", 2)


def test_the_target_is_reached_with_exactly_its_points() -> None:
    game = two(target=55)
    settle(game)
    assert fresh(game).winner == 0


def test_without_a_target_one_deal_is_the_match() -> None:
    game = two(target=None)
    settle(game)
    assert (fresh(game).status, fresh(game).winner) == ("finished", 0)


def test_the_winner_has_the_most_points_whoever_went_out() -> None:
    game = three(options={"target": 100})
    game.seats.filter(index=2).update(total=200)
    settle(game)
    assert (totals(game), fresh(game).winner) == ([71, -52, 155], 2)


def test_a_shared_top_is_played_out_in_another_deal() -> None:
    game = two(target=50)
    game.seats.filter(index=1).update(total=98)
    settle(game)
    assert (totals(game), fresh(game).status, fresh(game).winner) == ([55, 55], "running", None)
    assert game.deals.count() == 2


def test_the_last_seat_left_wins_with_the_fewest_points_too() -> None:
    """§1.12"""
    game = running("Ana", "Bogdan", "Chloé", seed=OUT_OF_THREE[0])
    game.seats.filter(index=0).update(total=400)
    for name in ("Ana", "Bogdan"):
        turns.resign(code=game.code, user=player(name), now=NOON)
    assert settle(game)
    after = fresh(game)
    assert (after.status, after.winner, game.deals.get().reason) == ("finished", 2, "resigned")
    assert totals(game)[0] > totals(game)[2]


def test_a_finished_match_is_not_counted_again() -> None:
    game = two(target=50)
    settle(game)
    before = rows()
    assert not settle(game)
    assert rows() == before


# -- what is shown of it ------------------------------------------------------------------------


def test_hands_are_open_once_the_deal_is_counted() -> None:
    game = two()
    settle(game)
    result = selectors.result(game=fresh(game), number=0)
    assert [hand.size for hand in result.hands] == [0, 7]
    assert result.deal.scores == (55, -43)


@pytest.mark.parametrize("number", [0, 1, 7, 10**30])
def test_no_hand_is_open_before(number: int) -> None:
    with pytest.raises(NoSuchTable):
        selectors.result(game=running("Ana", "Bogdan"), number=number)
    game = two()
    with pytest.raises(NoSuchTable):
        selectors.result(game=fresh(game), number=number)

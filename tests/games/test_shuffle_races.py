"""A line that comes in while it is dealt counts for this deal or for the next one, never for both and never for none."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.models import Game, KeptRecord
from games.services import brought, deals, shuffles, tables
from tests.games.playing import NOON, OUT_OF_TWO, at, fresh, open_table, play, player, running, seat
from tests.games.test_races import Racer, both_orders, finish, race

pytestmark = pytest.mark.django_db(transaction=True)


def dealt_and_waiting(game: Game) -> tuple[list[str | None], str]:
    return at(game).row.contributions, seat(game, "Ana").contribution


@both_orders
def test_a_line_that_comes_with_the_last_player_counts_once(swapped: bool) -> None:
    game, ana, bogdan = open_table("Ana"), player("Ana"), player("Bogdan")
    race(
        game,
        lambda: shuffles.contribute(code=game.code, user=ana, text="mine", now=NOON),
        lambda: tables.join(code=game.code, user=bogdan, now=NOON),
        swapped=swapped,
    )
    assert dealt_and_waiting(fresh(game)) == (([], "mine") if swapped else (["mine", None], ""))


@both_orders
def test_a_line_that_comes_with_the_next_deal_counts_once(swapped: bool) -> None:
    game, ana = running("Ana", "Bogdan", seed=OUT_OF_TWO[0]), player("Ana")
    play(game, OUT_OF_TWO[1])
    race(
        game,
        lambda: shuffles.contribute(code=game.code, user=ana, text="mine", now=NOON),
        lambda: deals.settle(game_id=game.pk, now=NOON),
        swapped=swapped,
    )
    assert dealt_and_waiting(fresh(game)) == (([], "mine") if swapped else (["mine", None], ""))


def test_two_workers_seal_the_next_seed_once() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    assert sorted(race(game, *[lambda: deals.settle(game_id=game.pk, now=NOON)] * 2)) == [False, True]
    assert game.entries.filter(text="sealed", facts__number=2).count() == 1


def test_a_double_tap_keeps_a_record_once() -> None:
    ana = player("Ana")
    racers = [Racer(lambda: brought.keep(user=ana, record={"number": 1}, now=NOON + timedelta(hours=1))) for _tap in range(2)]
    for racer in racers:
        racer.start()
    one, other = finish(racers)
    assert one == other and KeptRecord.objects.count() == 1

"""From deals that were played to the ledger and the table."""

from __future__ import annotations

import pytest

from tests.leagues.playing import end_deal, league, match, points, rows, score, table

pytestmark = pytest.mark.django_db


def test_a_deal_of_a_match_is_in_the_ledger_and_in_the_table() -> None:
    season = league("Ana", "Bogdan")
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    assert rows(season) == [("played", "Ana", 55), ("played", "Bogdan", -43)]
    assert points(season) == {"Ana": 55, "Bogdan": -43}
    ana, bogdan = table(season)
    assert (ana.rank, ana.matches, ana.won, ana.outs, ana.deals_won, ana.last) == (1, 1, 1, 1, 1, [1])
    assert (bogdan.rank, bogdan.matches, bogdan.won, bogdan.outs, bogdan.deals_won, bogdan.last) == (2, 1, 0, 0, 0, [2])


def test_scored_again_nothing_changes() -> None:
    season = league("Ana", "Bogdan")
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    assert score(game) == 0
    game.league_match.__class__.objects.update(waiting=True)
    assert score(game) == 0
    assert len(rows(season)) == 2

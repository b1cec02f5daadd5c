"""What a match says it gave, and what the ledger says counts: what is in the table, and nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.leagues import exports, selectors
from accounts.leagues.audit import audit
from accounts.leagues.presenters import outcome_lines
from accounts.leagues.services import seasons
from accounts.models import Season
from games.models import Game
from tests.games.pages import visitor, words
from tests.games.playing import NOON, fresh, player
from tests.leagues.playing import again, end_deal, league, match, points, score
from tests.leagues.test_ledger import adjust, rule
from tests.leagues.test_seasons import close, dispute

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def state(game: Game) -> tuple[str, list[tuple[str, int]]]:
    """What the pages of a match say of it, and the points."""
    found = outcome_lines(fresh(game), player("Ana"))
    assert found is not None
    return found.state, [(line.name, line.points) for line in found.lines]


@pytest.fixture
def season() -> Season:
    return league("Ana", "Bogdan", "Chloé")


GAVE = [("Ana", 55), ("Bogdan", -43)]


def test_points_are_being_written_only_until_they_are(season: Season) -> None:
    game = match(season, "Ana", "Bogdan")
    end_deal(game, scored=False)
    assert state(game) == ("waiting", [])
    score(game)
    assert state(game) == ("counted", GAVE)
    dispute(game, is_open=True)
    assert state(game) == ("provisional", GAVE)


def test_a_match_that_was_over_after_the_season_says_so(season: Season) -> None:
    game = match(season, "Ana", "Bogdan")
    close(season)
    end_deal(game, now=NOON + HOUR)
    assert state(game) == ("late", [])
    page = words(visitor("Ana").get(f"/t/{game.code}/"))
    assert "Season 1 was over before a deal of this match was: it gives no points." in page
    assert "being written" not in page


def test_a_match_whose_deals_are_all_void_says_so(season: Season) -> None:
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    rule(game, voided=[0])
    assert state(game) == ("void", [])
    assert "they were declared void" in words(visitor("Ana").get(f"/t/{game.code}/"))
    close(season)
    assert state(game) == ("void", [])


def test_a_match_that_never_counted_says_so() -> None:
    season = league("Ana", "Bogdan", same_people=1)
    games = [match(season, "Ana", "Bogdan"), match(season, "Ana", "Bogdan")]
    for game in games:
        end_deal(game)
    assert [state(game)[0] for game in games] == ["counted", "uncounted"]


@pytest.fixture
def crossed() -> tuple[Season, list[Game]]:
    """A season to 60 points that the second of four matches ends; all are written at once, late."""
    season = league("Ana", "Bogdan", season={"until": "points", "first_to": 60})
    games = [match(season, "Ana", "Bogdan") for _match in range(4)]
    for number, game in enumerate(games):
        end_deal(game, now=NOON + number * HOUR, scored=False)
    score(games[0], now=NOON + 9 * HOUR)
    return again(season), games


def test_points_of_deals_behind_the_crossing_are_shown_nowhere_as_counted(crossed: tuple[Season, list[Game]]) -> None:
    season, games = crossed
    assert points(season) == {"Ana": 110, "Bogdan": -86}
    assert (season.ended_at, season.reached_at) == (NOON + HOUR, NOON + HOUR)
    assert season.reached_by == games[1].deals.get().pk
    assert [state(game) for game in games] == [("counted", GAVE)] * 2 + [("late", [])] * 2
    _moments, lines = selectors.series(season=season, user_ids=[player("Ana").pk], now=NOON)
    assert lines[player("Ana").pk][-1] == 110
    assert [row.counts for row in selectors.rows(season=season, user_id=player("Ana").pk)] == [False, False, True, True]
    assert [row["counts"] for row in exports.ledger_rows(season)] == [True] * 4 + [False] * 4
    page = words(visitor().get(f"/l/{season.league.code}/seasons/1/ledger/"))
    assert page.count("does not count") == 4
    assert audit(season_id=season.pk) == []


def test_deals_at_the_very_moment_of_the_crossing_follow_their_ids() -> None:
    season = league("Ana", "Bogdan", season={"until": "points", "first_to": 60})
    games = [match(season, "Ana", "Bogdan") for _match in range(3)]
    for game in games:
        end_deal(game, scored=False)
    score(games[0])
    assert points(season) == {"Ana": 110, "Bogdan": -86}
    assert [state(game)[0] for game in games] == ["counted", "counted", "late"]


def test_an_adjustment_may_be_what_brings_the_first_there() -> None:
    season = league("Ana", "Bogdan", season={"until": "points", "first_to": 60})
    games = [match(season, "Ana", "Bogdan") for _match in range(2)]
    end_deal(games[0], scored=False)
    end_deal(games[1], now=NOON + 2 * HOUR, scored=False)
    score(games[0])
    adjust(season, "Ana", 30, number=1)
    season = again(season)
    assert (season.reached_at, season.reached_by) == (NOON + HOUR, None)
    assert points(season) == {"Ana": 85, "Bogdan": -43}
    assert [state(game)[0] for game in games] == ["counted", "late"]
    adjust(season, "Bogdan", 7, number=1, request="after", now=NOON + 5 * HOUR)
    assert points(season)["Bogdan"] == -36 and next(row.counts for row in selectors.rows(season=season)) is True
    assert audit(season_id=season.pk) == []


def test_a_void_takes_the_crossing_away_and_the_rows_behind_it_count(crossed: tuple[Season, list[Game]]) -> None:
    season, games = crossed
    rule(games[0], voided=[0])
    assert points(season) == {"Ana": 55, "Bogdan": -43}  # the season is over all the same
    assert again(season).reached_at is None
    assert [state(game)[0] for game in games] == ["void", "counted", "late", "late"]
    assert audit(season_id=season.pk) == []


def test_champions_are_named_on_every_page_of_the_table_and_provisionally_while_disputes_are_open(season: Season) -> None:
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    assert selectors.champions(season=season) == []
    dispute(game, is_open=True)
    close(season)
    path = f"/l/{season.league.code}/"
    page = words(visitor().get(path))
    assert "For now in first place, until the disputes are settled: Ana" in page and "Champion" not in page
    dispute(game, is_open=False)
    assert "Champion: Ana" in words(visitor().get(path))
    seasons.start(code=season.league.code, by=player("Ana"), now=NOON)
    assert "Champion: Ana" in words(visitor().get(path + "seasons/1/?page=2"))


def test_all_champions_are_named_though_they_fill_more_than_a_page(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    from accounts.leagues import presenters

    monkeypatch.setattr(presenters.standing, "__defaults__", None)
    monkeypatch.setattr(presenters.standing, "__kwdefaults__", {"page": 1, "moves": None, "lines": 1})
    end_deal(match(season, "Ana", "Bogdan"))
    end_deal(match(season, "Bogdan", "Ana"))
    close(season)
    assert "Champions: Ana, Bogdan" in words(visitor().get(f"/l/{season.league.code}/"))

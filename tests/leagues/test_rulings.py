"""What referees rule about the matches of a league, by the services: ledger, table and places follow, and the audits agree."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from accounts.leagues.audit import audit
from accounts.leagues.belonging import claims
from accounts.leagues.ratings.services import rate, rerate
from accounts.leagues.services import members, seasons
from accounts.models import Season, User
from games.models import Dispute, Game
from games.services import rulings, turns
from games.services.errors import ServiceError
from tests.games.cases import claimed, dispute, referee, rule
from tests.games.pages import visitor, words
from tests.games.playing import NOON, OUT_OF_THREE, OUT_OF_TWO, chance, differences, fresh, player, settle
from tests.leagues.playing import again, end_deal, league, match, points, resign, rows, score, table
from tests.leagues.test_seasons import close

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
LONG: dict[str, Any] = {"options": {"target": 60}}


def decide(game: Game, kind: str, *, then: str = OUT_OF_TWO[0], now: timedelta = HOUR, **about: Any) -> Dispute:
    """A player disputes, and a referee rules; a deal that is dealt by it, or after it, is `then`."""
    with chance(then, 0, then):
        return rule(claimed(game, now=NOON + now), kind, now=NOON + now, **about)


def sound(season: Season, *games: Game) -> bool:
    """Whether all that keep books agree: the leagues, the logs, and the ratings."""
    rate(variant="rami500")
    return audit(season_id=season.pk) == [] and differences(*games) == [] and rerate(keep=False) == []


def lines(season: Season) -> dict[str, tuple[int, int, list[int]]]:
    """By name: points, matches, places."""
    return {line.player.username: (line.points, line.matches, line.last) for line in table(season)}


def held_against(season: Season) -> dict[str, int]:
    return {user.username: count for user in User.objects.all() if (count := claims(again(season))[user.pk])}


@pytest.fixture
def season() -> Season:
    return league("Ana", "Bogdan", "Chloé", **LONG)


@pytest.fixture
def over(season: Season) -> Game:
    """A match of three deals, 55 : −43, −43 : 55, 55 : −43, that Ana has won."""
    game = match(season, "Ana", "Bogdan")
    for _deal in range(3):
        end_deal(game)
    assert lines(season) == {"Ana": (67, 1, [1]), "Bogdan": (-31, 1, [2])}
    return game


def test_the_last_deal_made_void_is_dealt_anew_and_the_match_ends_a_second_time(season: Season, over: Game) -> None:
    decide(over, "void", deal=2)
    assert fresh(over).status == "running"
    assert lines(season) == {"Ana": (12, 0, []), "Bogdan": (12, 0, [])}
    assert held_against(season) == {"Ana": 1, "Bogdan": 1}
    assert sound(season, over)
    assert "does not count" in words(visitor().get(f"/l/{season.league.code}/seasons/1/players/Ana/"))
    end_deal(over, now=NOON + 2 * HOUR)
    assert fresh(over).status == "finished" and held_against(season) == {}
    first, second = table(season)
    assert (first.points + second.points, first.matches, second.matches, first.last, second.last) == (36, 1, 1, [1], [2])
    assert [row[0] for row in rows(season)].count("void") == 2
    assert sound(season, over)


def test_the_deal_under_way_made_void_costs_nobody_anything(season: Season) -> None:
    game = match(season, "Ana", "Bogdan")
    decide(game, "void", deal=0)
    assert rows(season) == [] and sound(season, game)
    end_deal(game, now=NOON + 2 * HOUR)
    assert sorted(points(season).values()) == [-43, 55] and sound(season, game)


def test_an_earlier_deal_made_void_makes_another_the_winner_or_none(season: Season, over: Game) -> None:
    decide(over, "void", deal=1)  # 110 : −86
    assert lines(season) == {"Ana": (110, 1, [1]), "Bogdan": (-86, 1, [2])}
    assert sound(season, over)


def test_a_deal_that_was_counted_is_gone_back_into_and_counted_again(season: Season, over: Game) -> None:
    last = over.entries.filter(deal=2, kind="move").order_by("number").first()
    assert last is not None
    decide(over, "back", entry=last.number)
    assert lines(season) == {"Ana": (12, 0, []), "Bogdan": (12, 0, [])} and sound(season, over)
    end_deal(over, now=NOON + 2 * HOUR)
    assert lines(season) == {"Ana": (67, 1, [1]), "Bogdan": (-31, 1, [2])}
    assert sound(season, over)


def test_points_of_a_ruling_may_make_another_the_winner(season: Season, over: Game) -> None:
    decide(over, "points", points={0: -100, 1: 200})
    assert fresh(over).winner == 1
    assert lines(season) == {"Bogdan": (169, 1, [1]), "Ana": (-33, 1, [2])}
    assert "place 2 in the match" in words(visitor().get(f"/l/{season.league.code}/seasons/1/players/Ana/"))
    assert sound(season, over)


def test_who_is_removed_has_forfeited(season: Season) -> None:
    game = match(season, "Ana", "Bogdan")
    decide(game, "remove", seat=1)
    settle(game, now=NOON + HOUR)
    score(game)
    assert {row[:2] for row in rows(season)} == {("played", "Ana"), ("forfeit", "Bogdan")}
    assert {name: line[1:] for name, line in lines(season).items()} == {"Ana": (1, [1]), "Bogdan": (1, [2])}
    assert sound(season, game)


def test_a_match_that_a_resignation_had_ended_is_taken_up_again_without_places(season: Season) -> None:
    game = match(season, "Ana", "Bogdan")
    resign(game, "Bogdan")
    assert {name: line[1:] for name, line in lines(season).items()} == {"Ana": (1, [1]), "Bogdan": (1, [2])}
    decide(game, "reopen")
    assert {name: line[1:] for name, line in lines(season).items()} == {"Ana": (0, []), "Bogdan": (0, [])}
    assert held_against(season) == {"Ana": 1, "Bogdan": 1} and sound(season, game)
    assert "no place in the match for now" in words(visitor().get(f"/l/{season.league.code}/seasons/1/players/Ana/"))
    resign(game, "Ana", now=NOON + 2 * HOUR)
    assert {name: line[1:] for name, line in lines(season).items()} == {"Ana": (1, [2]), "Bogdan": (1, [1])}
    assert held_against(season) == {} and sound(season, game)


@pytest.mark.parametrize("when", ["before the deal was counted", "after"])
def test_who_resigned_in_a_deal_that_is_void_has_the_place_all_the_same(season: Season, when: str) -> None:
    game = match(season, "Ana", "Bogdan", "Chloé", seed=OUT_OF_THREE[0])
    turns.resign(code=game.code, user=player("Chloé"), now=NOON)
    if when == "after":
        end_deal(game, moves=OUT_OF_THREE[1], then=OUT_OF_THREE[0])
        game = fresh(game)
    decide(game, "void", deal=0, then=OUT_OF_THREE[0])
    assert {name: line[1:] for name, line in lines(season).items() if line[1]} == {"Chloé": (1, [3])}
    assert held_against(season) == {"Ana": 1, "Bogdan": 1} and sound(season, game)
    resign(game, "Bogdan", now=NOON + 2 * HOUR)
    assert {name: line[2] for name, line in lines(season).items()} == {"Ana": [1], "Bogdan": [2], "Chloé": [3]}
    assert sound(season, game)


def test_results_are_provisional_until_the_referee_has_ruled(season: Season, over: Game) -> None:
    made = dispute(over, now=NOON)
    close(season)
    assert again(season).status == "provisional"
    rulings.claim(case=made.pk, user=referee(), now=NOON)
    rule(made, "points", points={0: 5})
    assert again(season).status == "final" and points(season)["Ana"] == 72
    assert sound(season, over)


def test_a_season_is_not_final_while_a_deal_is_played_on_that_counts_in_it(season: Season, over: Game) -> None:
    close(season)
    last = over.entries.filter(deal=2, kind="move").order_by("number").first()
    assert last is not None
    decide(over, "back", entry=last.number)
    assert again(season).status == "provisional"
    end_deal(over, now=NOON + 2 * HOUR)
    assert again(season).status == "final" and sound(season, over)


def test_a_season_is_final_where_the_deal_played_on_is_made_void(season: Season, over: Game) -> None:
    close(season)
    last = over.entries.filter(deal=2, kind="move").order_by("number").first()
    assert last is not None
    decide(over, "back", entry=last.number)
    decide(over, "void", deal=2, now=2 * HOUR)
    assert again(season).status == "final" and sound(season, over)


def test_a_deal_dealt_anew_after_the_season_gives_no_points_in_it(season: Season, over: Game) -> None:
    close(season)
    decide(over, "void", deal=2)
    end_deal(over, now=NOON + 2 * HOUR)
    assert {name: line[0] for name, line in lines(season).items()} == {"Ana": 12, "Bogdan": 12}
    assert sound(season, over)


def test_a_match_that_ends_a_second_time_after_the_season_has_its_places_whatever_was_ruled_before(
    season: Season, over: Game
) -> None:
    decide(over, "points", points={0: -100, 1: 200})
    close(season)
    last = over.entries.filter(deal=2, kind="move").order_by("number").first()
    assert last is not None
    decide(over, "back", entry=last.number, now=2 * HOUR)
    assert {name: line[1:] for name, line in lines(season).items()} == {"Ana": (0, []), "Bogdan": (0, [])}
    end_deal(over, now=NOON + 3 * HOUR)
    assert lines(season) == {"Bogdan": (169, 1, [1]), "Ana": (-33, 1, [2])}
    assert sound(season, over)


def test_a_season_whose_last_deal_was_made_void_is_taken_up_and_ends_with_the_deal_that_was_dealt_anew() -> None:
    season = league("Ana", "Bogdan", **LONG, season={"until": "points", "first_to": 60})
    game = match(season, "Ana", "Bogdan")
    for _deal in range(3):
        end_deal(game)
    assert again(season).status == "final"
    with pytest.raises(ServiceError, match="season_over"):
        seasons.reopen(code=season.league.code, by=player("Ana"), number=1, now=NOON + HOUR)
    decide(game, "void", deal=2)
    end_deal(game, now=NOON + 2 * HOUR)
    assert again(season).status == "final" and [line[:2] for line in lines(season).values()] == [(12, 0), (12, 0)]
    seasons.reopen(code=season.league.code, by=player("Ana"), number=1, now=NOON + 3 * HOUR)
    ended, winner = again(season), table(season)[0]
    assert (ended.status, ended.ended_at, winner.points, winner.last) == ("final", NOON + 2 * HOUR, 67, [1])
    assert sound(season, game)


# -- who may judge ----------------------------------------------------------------------------------


def refused(case: Dispute, name: str) -> str:
    try:
        rulings.claim(case=case.pk, user=referee(name), now=NOON)
    except ServiceError as fault:
        return fault.code
    return ""


def test_nobody_judges_in_the_own_league_nor_where_one_has_played_in_the_season(season: Season) -> None:
    game, other = match(season, "Ana", "Bogdan"), match(season, "Ana", "Chloé")
    made = dispute(game)
    assert refused(made, "Chloé") == "partial_league"
    members.leave(code=season.league.code, user=player("Chloé"), now=NOON)
    assert refused(made, "Chloé") == "partial_league", "who has left has played in it"
    members.join(code=season.league.code, user=player("Doru"), now=NOON)
    assert refused(made, "Doru") == "partial_league", "a member, without a match"
    members.leave(code=season.league.code, user=player("Doru"), now=NOON)
    assert refused(made, "Doru") == ""
    assert fresh(other).status == "running"

"""Tables that the organiser makes for the members, and who takes the place of whom."""

from __future__ import annotations

import random
from collections import Counter
from datetime import timedelta
from itertools import combinations
from typing import Any

import pytest

from accounts.leagues import selectors
from accounts.leagues.services import matches, members
from accounts.models import LeagueMatch, Message, Season
from games.models import Game
from games.services import tables, turns
from tests.games.playing import DAY, NOON, differences, fresh, player
from tests.leagues.playing import end_deal, league, match, refused

pytestmark = pytest.mark.django_db
NAMES = ["Ana", "Bogdan", "Chloé", "Doru", "Elena", "Florin", "Gabi", "Horia"]


def make(season: Season, tables_wanted: int, seats: int, *, chance: int = 1, **given: Any) -> list[Game]:
    given = {"by": player("Ana"), "now": NOON, **given}
    return matches.make_tables(
        code=season.league.code, tables_wanted=tables_wanted, seats=seats, rng=random.Random(chance), **given
    )


def people(game: Game) -> set[str]:
    return {seat.user.username for seat in game.seats.all() if seat.user}


def test_the_members_sit_at_tables_that_begin_at_once() -> None:
    season = league(*NAMES)
    made = make(season, 2, 4)
    assert [fresh(game).status for game in made] == ["running", "running"]
    assert sorted(name for game in made for name in people(game)) == sorted(NAMES)
    assert LeagueMatch.objects.filter(season=season, counts=True).count() == 2
    assert {game.title for game in made} == {"Friday league 1", "Friday league 2"}
    assert Message.objects.filter(kind="started").exists()
    assert differences(*made) == []


def test_those_meet_who_have_met_least() -> None:
    season = league(*NAMES, options={"target": 500})
    met: Counter[frozenset[str]] = Counter()
    for round_ in range(4):
        for game in make(season, 2, 4, chance=round_):
            met.update(frozenset(pair) for pair in combinations(sorted(people(game)), 2))
    assert len(met) >= 24 and max(met.values()) <= 3  # of 28 pairs, 12 of whom meet in a round


def test_where_the_places_do_not_go_out_even_tables_differ_by_one_seat() -> None:
    season = league(*NAMES)
    made = make(season, 3, 3)
    assert sorted(game.seat_count for game in made) == [2, 3, 3]


def test_where_there_are_too_few_places_those_sit_who_have_played_least() -> None:
    season = league(*NAMES)
    for _match in range(2):
        end_deal(match(season, "Ana", "Bogdan"))
    [game] = make(season, 1, 4)
    assert people(game).isdisjoint({"Ana", "Bogdan"})


def test_tables_for_some_of_the_members() -> None:
    season = league(*NAMES)
    [game] = make(season, 1, 3, user_ids=[player(name).pk for name in ("Doru", "Gabi", "Horia")])
    assert people(game) == {"Doru", "Gabi", "Horia"}


def test_who_has_played_all_matches_is_left_out() -> None:
    season = league("Ana", "Bogdan", "Chloé", "Doru", season={"until": "matches", "matches_each": 1})
    end_deal(match(season, "Ana", "Bogdan"))
    [game] = make(season, 1, 4)
    assert people(game) == {"Chloé", "Doru"}


def test_what_makes_no_tables_is_refused_with_nothing_made() -> None:
    season = league("Ana", "Bogdan", "Chloé", seats_min=2, seats_max=3)
    given: dict[str, Any] = {"code": season.league.code, "now": NOON, "rng": random.Random(1)}
    ana = {"by": player("Ana"), **given}
    assert refused(matches.make_tables, tables_wanted=1, seats=3, by=player("Bogdan"), **given) == "not_the_organiser"
    assert refused(matches.make_tables, tables_wanted=2, seats=2, **ana) == "bad_tables"
    assert refused(matches.make_tables, tables_wanted=0, seats=2, **ana) == "bad_tables"
    assert refused(matches.make_tables, tables_wanted=1, seats=4, **ana) == "bad_seats"
    assert refused(matches.make_tables, tables_wanted=1, seats=2, user_ids=[player("Zoe").pk], **ana) == "not_a_member"
    assert refused(matches.make_tables, tables_wanted=1, seats=2, made=3, **ana) == "stale"
    assert matches.make_tables(tables_wanted=1, seats=2, made=0, **ana)
    assert refused(matches.make_tables, tables_wanted=1, seats=2, made=0, **ana) == "stale"


def test_the_organiser_sees_beforehand_who_would_sit_where() -> None:
    season = league(*NAMES)
    groups = matches.arrange(season, tables_wanted=2, seats=4, rng=random.Random(3))
    assert sorted(user for group in groups for user in group) == sorted(player(name).pk for name in NAMES)
    assert not Game.objects.exists()


# -- substitutes --------------------------------------------------------------------------------


def absent(season: Season) -> Game:
    """A match in which Ana, in seat 0, is absent."""
    game = match(season, "Ana", "Bogdan")
    turns.expire(game_id=game.pk, now=fresh(game).deadline or NOON)
    assert game.seats.get(index=0).absent_since is not None
    return game


def test_a_member_takes_the_place_of_who_is_absent() -> None:
    season = league("Ana", "Bogdan", "Chloé", terms={"turn_time": DAY, "excuses": 0, "absent_after": 1})
    game = absent(season)
    chloe = player("Chloé").pk
    given: dict[str, Any] = {"code": season.league.code, "game_code": game.code, "seat": 0, "user_id": chloe, "now": NOON}
    members.set_deputy(code=season.league.code, by=player("Ana"), user_id=player("Bogdan").pk, deputy=True)
    assert refused(matches.substitute, by=player("Chloé"), **given) == "not_the_organiser"
    assert refused(matches.substitute, by=player("Bogdan"), **{**given, "user_id": player("Zoe").pk}) == "not_a_member"
    assert refused(matches.substitute, by=player("Bogdan"), **{**given, "seat": 1}) == "seat_not_free"
    assert refused(matches.substitute, by=player("Bogdan"), **{**given, "game_code": "nowhere"}) == "no_such_table"
    matches.substitute(by=player("Bogdan"), **given)
    assert people(game) == {"Chloé", "Bogdan"}
    assert differences(game) == []


def test_a_stranger_takes_nobody_s_place_at_a_table_of_a_league() -> None:
    from games.services import absence

    season = league("Ana", "Bogdan", terms={"turn_time": DAY, "excuses": 0, "absent_after": 1})
    game = absent(season)
    assert refused(absence.take_over, code=game.code, user=player("Zoe"), seat=0, now=NOON) == "league_members_only"


# -- lists --------------------------------------------------------------------------------------


def test_leagues_are_found_by_who_is_in_them() -> None:
    mine, other = league("Ana", "Bogdan").league, league("Chloé", "Doru", name="Another").league
    hidden = league("Chloé", name="By link", joining="link").league
    assert [found.__dict__["size"] for found in selectors.my_leagues(user=player("Ana"))] == [2]
    assert list(selectors.my_leagues(user=player("Ana"))) == [mine]
    assert list(selectors.leagues_to_join(user=player("Ana"))) == [other]
    assert set(selectors.my_leagues(user=player("Chloé"))) == {other, hidden}
    members.join(code=other.code, user=player("Ana"), now=NOON)
    assert list(selectors.leagues_to_join(user=player("Ana"))) == []
    assert selectors.find_league(code=hidden.code) == hidden
    for code in ("nowhere", "../x", ""):
        assert refused(selectors.find_league, code=code) == "no_such_league"


def test_members_those_who_left_and_those_without_results() -> None:
    season = league("Ana", "Bogdan", "Chloé")
    end_deal(match(season, "Ana", "Bogdan"))
    assert [found.user.username for found in selectors.without_results(season=season)] == ["Chloé"]
    members.leave(code=season.league.code, user=player("Chloé"), now=NOON)
    assert [found.user.username for found in selectors.members(league=season.league)] == ["Ana", "Bogdan"]
    assert [found.user.username for found in selectors.former_members(league=season.league)] == ["Chloé"]
    members.join(code=season.league.code, user=player("Chloé"), now=NOON + timedelta(hours=1))
    assert list(selectors.former_members(league=season.league)) == []


def test_matches_of_a_season_by_their_status() -> None:
    season = league("Ana", "Bogdan")
    over, running = match(season, "Ana", "Bogdan"), match(season, "Ana", "Bogdan")
    end_deal(over)
    free = matches.make_table(code=season.league.code, user=player("Ana"), seats=2, now=NOON)
    gone = matches.make_table(code=season.league.code, user=player("Bogdan"), seats=2, now=NOON)
    tables.cancel(code=gone.code, user=player("Bogdan"), now=NOON)
    assert {found.game for found in selectors.matches(season=season)} == {over, running, free}
    assert [found.game for found in selectors.matches(season=season, status=["finished"])] == [over]
    assert [found.game for found in selectors.matches(season=season, status=["open"])] == [free]

"""Seasons: how they begin and end, and who has won them."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest

from accounts.leagues import selectors, tasks
from accounts.leagues.audit import audit
from accounts.leagues.belonging import matches_of
from accounts.leagues.services import leagues, ledger, matches, members, seasons
from accounts.models import LeagueMatch, Message, Season, User
from games import signals
from games.models import Game
from games.services import absence, tables
from tests.games.pages import visitor, words
from tests.games.playing import NOON, fresh, player
from tests.leagues.playing import again, end_deal, league, match, new_league, points, refused, resign, rows, score, table
from tests.leagues.test_ledger import recount, rule
from tests.leagues.test_scoring import left_alone

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
SOON = NOON + 3 * HOUR


def champions(season: Season) -> list[str]:
    """Of the season, as the list of past ones has it."""
    past = {found.pk: lines for found, lines in selectors.past_seasons(league=season.league)}
    return [line.player.username for line in past[season.pk]]


def told(name: str) -> list[str]:
    return [row.facts["what"] for row in Message.objects.filter(user=player(name), kind="league").order_by("pk")]


def close(season: Season, **more: Any) -> Season:
    return seasons.close(code=season.league.code, by=player("Ana"), now=more.get("now", NOON))


def dispute(game: Game, *, is_open: bool) -> None:
    signals.disputed.send(Game, game=game, is_open=is_open, now=NOON)


# -- beginning ----------------------------------------------------------------------------------


def test_a_season_is_the_first_to_five_thousand_points_unless_told_otherwise() -> None:
    season = league("Ana", "Bogdan")
    assert (season.number, season.until, season.first_to, season.status) == (1, "points", 5_000, "open")
    assert (told("Bogdan"), told("Ana")) == (["season_started"], [])


@pytest.mark.parametrize(
    "wanted",
    [
        {"until": "date"},
        {"until": "date", "ends_at": NOON},
        {"until": "matches"},
        {"until": "matches", "matches_each": 0},
        {"until": "points", "first_to": 0},
        {"until": "points", "first_to": 10_000_000},
        {"until": "never"},
    ],
)
def test_a_season_that_does_not_say_when_it_ends_is_refused(wanted: dict[str, Any]) -> None:
    made = new_league("Ana")
    assert refused(seasons.start, code=made.code, by=player("Ana"), now=NOON, **wanted) == "bad_season"


def test_one_season_at_a_time_and_numbers_go_on() -> None:
    season = league("Ana", "Bogdan")
    given: dict[str, Any] = {"code": season.league.code, "by": player("Ana"), "now": NOON}
    assert refused(seasons.start, **given) == "season_open"
    close(season)
    second = seasons.start(until="matches", matches_each=3, first_to=77, **given)
    assert (second.number, second.matches_each, second.first_to) == (2, 3, None)


# -- ending by itself ---------------------------------------------------------------------------


def test_the_first_to_the_points_ends_the_season_with_that_deal() -> None:
    season = league("Ana", "Bogdan", season={"until": "points", "first_to": 60})
    first, second = match(season, "Ana", "Bogdan"), match(season, "Ana", "Bogdan")
    third = match(season, "Ana", "Bogdan")
    end_deal(first)
    assert again(season).is_open
    end_deal(second, now=NOON + HOUR)
    assert (again(season).status, again(season).ended_at) == ("final", NOON + HOUR)
    end_deal(third, now=NOON + 2 * HOUR)
    assert points(season) == {"Ana": 110, "Bogdan": -86}
    assert (len(rows(season)), champions(season)) == (4, ["Ana"])
    assert told("Bogdan") == ["season_started", "season_over"]
    assert audit(season_id=season.pk) == []


def test_a_deal_that_ended_before_that_one_and_is_written_later_counts_and_may_move_the_end() -> None:
    season = league("Ana", "Bogdan", season={"until": "points", "first_to": 60})
    lost, first, second = (match(season, "Ana", "Bogdan") for _match in range(3))
    end_deal(lost, scored=False)
    LeagueMatch.objects.filter(game=lost).update(waiting=False)
    end_deal(first, now=NOON + HOUR)
    end_deal(second, now=NOON + 2 * HOUR)
    assert (again(season).ended_at, points(season)["Ana"]) == (NOON + 2 * HOUR, 110)
    LeagueMatch.objects.filter(game=lost).update(waiting=True)
    score(lost)
    assert points(season)["Ana"] == 110  # by the first two: the third is after the end
    assert audit(season_id=season.pk) == []


def test_a_day_ends_the_season_and_deals_after_it_do_not_count() -> None:
    season = league("Ana", "Bogdan", season={"until": "date", "ends_at": SOON})
    before, after = match(season, "Ana", "Bogdan"), match(season, "Ana", "Bogdan")
    end_deal(before, now=SOON)
    end_deal(after, now=SOON + timedelta(seconds=1))
    assert len(rows(season)) == 2
    assert selectors.seasons_to_end(now=SOON - HOUR) == []
    assert selectors.seasons_to_end(now=SOON) == [season.pk]
    assert seasons.end_due(season_id=season.pk, now=SOON - HOUR) is False
    tasks.end_season(season.pk)  # by the clock of the worker it is long due
    tasks.end_season(season.pk)
    assert (again(season).status, again(season).ended_at) == ("final", SOON)
    assert (champions(season), selectors.seasons_to_end(now=SOON)) == (["Ana"], [])
    assert told("Bogdan").count("season_over") == 1
    assert audit(season_id=season.pk) == []


def test_what_was_counted_before_the_day_is_in_the_table_before_the_end_is_told() -> None:
    season = league("Ana", "Bogdan", season={"until": "date", "ends_at": SOON})
    game = match(season, "Ana", "Bogdan")
    end_deal(game, scored=False)
    assert seasons.end_due(season_id=season.pk, now=SOON)
    assert points(season) == {"Ana": 55, "Bogdan": -43} and champions(season) == ["Ana"]
    assert LeagueMatch.objects.get(game=game).ranks == {str(player("Ana").pk): [None, 1], str(player("Bogdan").pk): [None, 2]}
    assert score(game) == 0 and audit(season_id=season.pk) == []


def test_on_its_last_day_no_table_is_made_nor_begun_to_count_though_the_sweep_is_late() -> None:
    season = league("Ana", "Bogdan", season={"until": "date", "ends_at": SOON})
    game = matches.make_table(code=season.league.code, user=player("Ana"), seats=2, now=NOON)
    given: dict[str, Any] = {"code": season.league.code, "user": player("Ana"), "seats": 2}
    assert refused(matches.make_table, now=SOON, **given) == "league_season_over"
    many: dict[str, Any] = {"code": season.league.code, "by": player("Ana"), "tables_wanted": 1, "seats": 2}
    assert refused(matches.make_tables, now=SOON, rng=random.Random(1), **many) == "league_season_over"
    tables.join(code=game.code, user=player("Bogdan"), now=SOON)
    assert season.matches.get().counts is False


def test_so_many_matches_each_end_the_season_once_all_have_played_them() -> None:
    season = league("Ana", "Bogdan", "Chloé", season={"until": "matches", "matches_each": 2})
    for first, second in (("Ana", "Bogdan"), ("Bogdan", "Chloé")):
        end_deal(match(season, first, second))
    assert again(season).is_open
    given: dict[str, Any] = {"code": season.league.code, "seats": 2, "now": NOON}
    assert refused(matches.make_table, user=player("Bogdan"), **given) == "league_matches_played"
    game = matches.make_table(user=player("Ana"), **given)
    assert refused(tables.join, code=game.code, user=player("Bogdan"), now=NOON) == "league_matches_played"
    tables.cancel(code=game.code, user=player("Ana"), now=NOON)
    end_deal(match(season, "Ana", "Chloé"))
    assert again(season).status == "final"


def test_a_match_that_one_was_left_alone_in_counts_for_both_and_the_season_ends() -> None:
    season = league("Ana", "Bogdan", bots=True, options={"target": 500}, season={"until": "matches", "matches_each": 1})
    game = left_alone(season)
    given: dict[str, Any] = {"code": season.league.code, "seats": 2, "now": NOON}
    for name in ("Ana", "Bogdan"):
        assert refused(matches.make_table, user=player(name), **given) == "league_matches_played"
    assert again(season).is_open
    resign(game, "Ana")
    assert again(season).status == "final"
    assert {line.player.username: line.matches for line in table(season)} == {"Ana": 1, "Bogdan": 1}


def with_substitute(season: Season) -> Game:
    """A match in whose first deal Chloé has taken the seat of Ana, who stayed away."""
    game = match(season, "Ana", "Bogdan")
    game.seats.filter(index=0).update(absent_since=NOON, absent_until=NOON + 24 * HOUR)
    absence.take_over(code=game.code, user=player("Chloé"), seat=0, now=NOON)
    return fresh(game)


def yet_to_play(season: Season) -> dict[str, int]:
    """By name, how many matches are held against a player."""
    return {player_.username: count for player_ in User.objects.all() if (count := matches_of(season)[player_.pk])}


def test_a_match_whose_only_deal_was_dealt_to_another_is_not_the_substitute_s() -> None:
    season = league("Ana", "Bogdan", "Chloé", season={"until": "matches", "matches_each": 1})
    game = with_substitute(season)
    assert yet_to_play(season) == {"Ana": 1, "Bogdan": 1, "Chloé": 1}  # it may yet be either's
    end_deal(game, scored=False)
    assert yet_to_play(season) == {"Ana": 1, "Bogdan": 1}
    score(game)
    assert yet_to_play(season) == {"Ana": 1, "Bogdan": 1}
    assert {line.player.username: line.matches for line in table(season)} == {"Ana": 1, "Bogdan": 1}
    assert again(season).is_open
    season = again(season)
    members.join(code=season.league.code, user=player("Doru"), now=NOON)
    end_deal(match(season, "Chloé", "Doru"))  # Chloé may have a match of her own
    assert again(season).status == "final" and audit(season_id=season.pk) == []


def test_a_match_that_goes_on_is_the_substitute_s_and_the_former_player_is_free_for_another() -> None:
    options = {"target": 60}
    season = league("Ana", "Bogdan", "Chloé", "Doru", options=options, season={"until": "matches", "matches_each": 1})
    game = with_substitute(season)
    end_deal(game)
    assert yet_to_play(season) == {"Bogdan": 1, "Chloé": 1}
    other = match(season, "Ana", "Doru")
    resign(other, "Doru")
    for _deal in range(2):
        end_deal(game)
    assert {line.player.username: line.matches for line in table(season)} == dict.fromkeys(("Ana", "Bogdan", "Chloé", "Doru"), 1)
    assert again(season).status == "final" and audit(season_id=season.pk) == []


def test_members_who_have_gone_are_not_waited_for() -> None:
    season = league("Ana", "Bogdan", "Chloé", season={"until": "matches", "matches_each": 1})
    members.leave(code=season.league.code, user=player("Chloé"), now=NOON)
    end_deal(match(season, "Ana", "Bogdan"))
    assert again(season).status == "final"


# -- ending it ----------------------------------------------------------------------------------


def test_the_organiser_ends_a_season_and_what_is_played_on_counts_no_more() -> None:
    season = league("Ana", "Bogdan", options={"target": 500})
    game = match(season, "Ana", "Bogdan")
    end_deal(game, scored=False)  # not in the ledger yet, but counted
    assert refused(seasons.close, code=season.league.code, by=player("Bogdan"), now=NOON) == "not_the_organiser"
    close(season)
    assert points(season) == {"Ana": 55, "Bogdan": -43}
    end_deal(game, now=NOON + HOUR)
    assert points(season) == {"Ana": 55, "Bogdan": -43}
    assert refused(seasons.close, code=season.league.code, by=player("Ana"), now=NOON) == "no_season"
    open_table: dict[str, Any] = {"code": season.league.code, "user": player("Ana"), "seats": 2, "now": NOON}
    assert refused(matches.make_table, **open_table) == "no_season"
    assert audit(season_id=season.pk) == []


def test_a_season_that_was_ended_is_taken_up_again_with_what_was_played_meanwhile() -> None:
    season = league("Ana", "Bogdan", options={"target": 500})
    game = match(season, "Ana", "Bogdan")
    close(season)
    end_deal(game, now=NOON + HOUR)
    assert rows(season) == []
    given: dict[str, Any] = {"code": season.league.code, "number": 1, "now": NOON + HOUR}
    assert refused(seasons.reopen, by=player("Bogdan"), **given) == "not_the_organiser"
    seasons.reopen(by=player("Ana"), **given)
    assert points(season) == {"Ana": 55, "Bogdan": -43}
    assert again(season).is_open and audit(season_id=season.pk) == []
    assert refused(seasons.reopen, by=player("Ana"), **given) == "season_open"


def test_a_season_that_ended_by_itself_or_was_followed_is_not_taken_up_again() -> None:
    season = league("Ana", "Bogdan", season={"until": "points", "first_to": 50})
    end_deal(match(season, "Ana", "Bogdan"))
    given: dict[str, Any] = {"code": season.league.code, "by": player("Ana"), "now": NOON}
    assert refused(seasons.reopen, number=1, **given) == "season_over"
    seasons.start(**given)
    close(season)
    assert refused(seasons.reopen, number=1, **given) == "season_over"
    assert refused(seasons.reopen, number=9, **given) == "no_season"


def test_a_table_that_had_not_begun_begins_no_more() -> None:
    season = league("Ana", "Bogdan")
    game = matches.make_table(code=season.league.code, user=player("Ana"), seats=2, now=NOON)
    close(season)
    assert refused(tables.join, code=game.code, user=player("Bogdan"), now=NOON) == "league_season_over"
    assert "Open tables" not in words(visitor("Bogdan").get(f"/l/{season.league.code}/"))


def test_champions_who_are_level_share_it() -> None:
    season = league("Ana", "Bogdan")
    end_deal(match(season, "Ana", "Bogdan"))
    end_deal(match(season, "Bogdan", "Ana"))
    close(season)
    assert champions(season) == ["Ana", "Bogdan"]


def test_ending_or_taking_up_a_season_by_hand_notes_how_a_match_moved_the_ranks() -> None:
    season = league("Ana", "Bogdan", "Chloé")
    first, second = match(season, "Ana", "Bogdan"), match(season, "Bogdan", "Chloé")
    end_deal(first, scored=False)
    close(season)
    end_deal(second, now=NOON + HOUR)
    seasons.reopen(code=season.league.code, by=player("Ana"), number=1, now=NOON + HOUR)

    def moved(game: Game) -> list[tuple[str, int | None, int | None]]:
        found = selectors.outcome(game=game)
        assert found is not None
        names = dict(User.objects.values_list("pk", "username"))
        return [(names[gain.user_id], gain.before, gain.after) for gain in found.gains]

    assert moved(first) == [("Ana", None, 1), ("Bogdan", None, 2)]
    assert moved(second) == [("Bogdan", 2, 2), ("Chloé", None, 3)]


# -- disputes -----------------------------------------------------------------------------------


def test_results_under_dispute_are_provisional() -> None:
    season = league("Ana", "Bogdan", "Chloé")
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    end_deal(match(season, "Chloé", "Bogdan"))
    dispute(game, is_open=True)
    assert selectors.provisional_players(season=season) == {player("Ana").pk, player("Bogdan").pk}
    dispute(game, is_open=False)
    assert selectors.provisional_players(season=season) == set()


def test_a_season_with_open_disputes_ends_provisionally_and_is_final_after_the_last() -> None:
    season = league("Ana", "Bogdan")
    games = [match(season, "Ana", "Bogdan"), match(season, "Ana", "Bogdan")]
    for game in games:
        end_deal(game)
        dispute(game, is_open=True)
    close(season)
    assert again(season).status == "provisional"
    dispute(games[0], is_open=False)
    assert again(season).status == "provisional"
    dispute(games[1], is_open=False)
    assert again(season).status == "final"
    dispute(games[1], is_open=True)  # within its fourteen days
    assert again(season).status == "provisional"


def test_a_dispute_about_a_match_that_counts_for_nothing_keeps_no_season_open() -> None:
    season = league("Ana", "Bogdan", "Chloé", same_people=1)
    counted, too_often, late = match(season, "Ana", "Bogdan"), match(season, "Ana", "Bogdan"), match(season, "Ana", "Chloé")
    for game in (counted, too_often):
        end_deal(game)
    for game in (too_often, late):
        dispute(game, is_open=True)
    close(season)
    assert again(season).status == "final"
    end_deal(late, now=NOON + HOUR)
    dispute(too_often, is_open=True)
    assert again(season).status == "final"
    rule(late, more={"Chloé": 500})
    assert points(season) == {"Ana": 55, "Bogdan": -43}
    dispute(counted, is_open=True)
    assert again(season).status == "provisional"


def test_a_deal_that_is_gone_back_into_after_the_season_still_counts_in_it() -> None:
    season = league("Ana", "Bogdan")
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    dispute(game, is_open=True)
    close(season, now=NOON + HOUR)
    rule(game, voided=[0])
    assert points(season) == {}
    recount(game, 0, (-20, 120), at=10 * HOUR)
    dispute(game, is_open=False)
    assert (points(season), again(season).status) == ({"Bogdan": 120, "Ana": -20}, "final")
    assert champions(season) == ["Bogdan"] and audit(season_id=season.pk) == []


def test_a_dispute_at_a_table_of_no_league_concerns_none() -> None:
    league("Ana", "Bogdan")
    from tests.games.playing import running

    dispute(running("Ana", "Bogdan"), is_open=True)
    assert not LeagueMatch.objects.exists()


# -- points over time ---------------------------------------------------------------------------


def test_points_over_time_are_the_running_totals() -> None:
    season = league("Ana", "Bogdan", season={"until": "date", "ends_at": NOON + 12 * HOUR})
    for hours in (2, 5):
        end_deal(match(season, "Ana", "Bogdan"), now=NOON + hours * HOUR)
    given: dict[str, Any] = {"code": season.league.code, "by": player("Ana"), "reason": "Late"}
    ledger.adjust(user_id=player("Bogdan").pk, points=-14, request="1", now=NOON + 6 * HOUR, **given)
    ids = [player("Ana").pk, player("Bogdan").pk]
    moments, lines = selectors.series(season=season, user_ids=ids, now=NOON + 6 * HOUR, steps=6)
    assert moments == [NOON + hours * HOUR for hours in range(7)]
    assert lines[ids[0]] == [0, 0, 55, 55, 55, 110, 110]
    assert lines[ids[1]] == [0, 0, -43, -43, -43, -86, -100]


def test_the_terms_of_the_next_season_leave_the_last_one_alone() -> None:
    season = league("Ana", "Bogdan", forfeit=-10)
    end_deal(match(season, "Ana", "Bogdan"))
    close(season)
    leagues.edit(code=season.league.code, by=player("Ana"), forfeit=-400, same_people=1, options={"target": 250})
    assert audit(season_id=season.pk) == []
    assert fresh(Game.objects.get()).options["target"] is None

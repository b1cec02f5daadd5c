"""From deals that were played to the ledger and the table."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from django.test.utils import CaptureQueriesContext

from accounts.leagues import selectors, tasks
from accounts.leagues.audit import audit
from accounts.leagues.services import leagues, matches, members
from accounts.models import LeagueMatch, LedgerRow, Season
from games import signals
from games.models import Game
from games.services import absence, tables, turns
from tests.games.playing import (
    DAY,
    NOON,
    OUT_OF_THREE,
    OUT_OF_TWO,
    chance,
    fresh,
    on_turn,
    play,
    player,
    quick_turn,
    running,
    settle,
)
from tests.games.test_exchange import THREE_DOUBLES
from tests.games.tiles import answer
from tests.leagues.playing import again, end_deal, league, match, new_league, points, refused, resign, rows, score, table

pytestmark = pytest.mark.django_db
LONG: dict[str, Any] = {"options": {"target": 500}}


def sound(season: Season) -> bool:
    return audit(season_id=season.pk) == []


# -- deals that are played ----------------------------------------------------------------------


def test_a_deal_of_a_match_is_in_the_ledger_and_in_the_table() -> None:
    season = league("Ana", "Bogdan")
    end_deal(match(season, "Ana", "Bogdan"))
    assert rows(season) == [("played", "Ana", 55), ("played", "Bogdan", -43)]
    assert points(season) == {"Ana": 55, "Bogdan": -43}
    ana, bogdan = table(season)
    assert (ana.rank, ana.matches, ana.won, ana.outs, ana.deals_won, ana.best, ana.last) == (1, 1, 1, 1, 1, 55, [1])
    assert (bogdan.rank, bogdan.matches, bogdan.won, bogdan.outs, bogdan.deals_won, bogdan.last) == (2, 1, 0, 0, 0, [2])
    assert sound(season)


def test_each_deal_of_a_match_counts_at_once_and_the_match_when_it_is_over() -> None:
    season = league("Ana", "Bogdan", options={"target": 60})
    game = match(season, "Ana", "Bogdan")
    end_deal(game)  # 55 : −43
    assert points(season) == {"Ana": 55, "Bogdan": -43}
    assert [(line.deals, line.matches) for line in table(season)] == [(1, 0), (1, 0)]
    end_deal(game)  # Bogdan goes out: −43 : 55
    end_deal(game)
    assert fresh(game).status == "finished"
    assert points(season) == {"Ana": 67, "Bogdan": -31}
    assert [(line.deals, line.matches, line.won, line.last) for line in table(season)] == [(3, 1, 1, [1]), (3, 1, 0, [2])]
    assert sound(season)


def test_the_match_tells_what_it_gave_and_how_it_moved_the_ranks() -> None:
    season = league("Ana", "Bogdan", "Chloé")
    end_deal(match(season, "Chloé", "Bogdan"))
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    end_deal(match(season, "Ana", "Chloé"))
    found = selectors.outcome(game=game)
    assert found is not None and found.match.season.league == season.league
    told = [(gain.user_id, gain.points, gain.before, gain.after) for gain in found.gains]
    assert told == [(player("Ana").pk, 55, None, 1), (player("Bogdan").pk, -43, 2, 3)]
    assert selectors.outcome(game=running("Ana", "Bogdan")) is None


def test_scored_again_nothing_changes() -> None:
    season = league("Ana", "Bogdan")
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    assert score(game) == 0
    LeagueMatch.objects.update(waiting=True)
    assert score(game) == 0
    assert len(rows(season)) == 2 and not LeagueMatch.objects.get().waiting


def test_the_task_writes_what_was_counted() -> None:
    season = league("Ana", "Bogdan")
    game = match(season, "Ana", "Bogdan")
    end_deal(game, scored=False)
    assert rows(season) == [] and audit(season_id=season.pk) == []  # it waits, which is no difference
    tasks.score(game.pk)
    assert points(season) == {"Ana": 55, "Bogdan": -43}


def test_a_lost_task_is_found_by_the_sweep_until_the_ledger_has_it() -> None:
    season = league("Ana", "Bogdan")
    assert selectors.seasons_to_score() == []
    end_deal(match(season, "Ana", "Bogdan"), scored=False)
    assert selectors.seasons_to_score() == [season.pk]
    tasks.score_season(season.pk)
    assert selectors.seasons_to_score() == []
    assert points(season) == {"Ana": 55, "Bogdan": -43}
    tasks.score_season(season.pk + 1)
    tasks.score(0)


def test_what_waits_of_several_matches_is_written_at_once() -> None:
    season = league("Ana", "Bogdan", "Chloé")
    games = [match(season, "Ana", "Bogdan"), match(season, "Bogdan", "Chloé"), match(season, "Chloé", "Ana")]
    for game in games:
        end_deal(game, scored=False)
    assert score(games[0]) == 6
    assert [score(game) for game in games] == [0, 0, 0]
    assert points(season) == {"Ana": 12, "Bogdan": 12, "Chloé": 12}
    assert {line.rank for line in table(season)} == {1}  # each has beaten one and lost to one
    assert sound(season)


def test_a_table_of_no_league_is_none_of_its_business() -> None:
    season = league("Ana", "Bogdan")
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0], options={"target": None})
    play(game, OUT_OF_TWO[1])
    settle(game)
    assert (rows(season), selectors.seasons_to_score(), LeagueMatch.objects.count()) == ([], [], 0)


# -- forfeits -----------------------------------------------------------------------------------


def test_a_forfeit_counts_at_most_what_the_league_says() -> None:
    season = league("Ana", "Bogdan", forfeit=-200, **LONG)
    game = match(season, "Ana", "Bogdan")
    resign(game, "Bogdan")
    (kind, who, lost), ana = sorted(rows(season))[0], points(season)["Ana"]
    assert (kind, who, lost) == ("forfeit", "Bogdan", -200)
    assert ana < 0  # her hand counts against her as the rules have it
    first, second = table(season)
    assert (first.player.username, first.won, first.last, first.forfeits) == ("Ana", 1, [1], 0)
    assert (second.matches, second.won, second.last, second.forfeits, second.deals_won) == (1, 0, [2], 1, 0)
    assert sound(season)


def test_a_forfeit_that_costs_more_by_the_rules_counts_that() -> None:
    season = league("Ana", "Bogdan", forfeit=-1, **LONG)
    resign(match(season, "Ana", "Bogdan"), "Bogdan")
    assert points(season)["Bogdan"] < -1


def test_what_a_forfeit_counts_is_what_the_league_said_when_the_table_was_made() -> None:
    season = league("Ana", "Bogdan", forfeit=-200, **LONG)
    game = match(season, "Ana", "Bogdan")
    leagues.edit(code=season.league.code, by=player("Ana"), forfeit=-500)
    resign(game, "Bogdan")
    assert points(season)["Bogdan"] == -200
    assert sound(season)


def test_who_has_resigned_has_no_more_rows_while_the_others_play_on() -> None:
    season = league("Ana", "Bogdan", "Chloé", **LONG)
    game = match(season, "Ana", "Bogdan", "Chloé", seed=OUT_OF_THREE[0])
    turns.resign(code=game.code, user=player("Chloé"), now=NOON)
    end_deal(game, moves=OUT_OF_THREE[1], then=OUT_OF_THREE[0])
    assert [row[:2] for row in rows(season)] == [("played", "Ana"), ("played", "Bogdan"), ("forfeit", "Chloé")]
    line = next(line for line in table(season) if line.player.username == "Chloé")
    assert (line.matches, line.last) == (1, [3])  # the third place is hers already
    resign(game, "Bogdan")
    assert [row[:2] for row in rows(season)][3:] == [("played", "Ana"), ("forfeit", "Bogdan")]
    assert {line.player.username: line.last for line in table(season)} == {"Ana": [1], "Bogdan": [2], "Chloé": [3]}
    assert sound(season)


def expired(game: Game, name: str, times: int) -> None:
    """Let turns of a player run out, while the others play theirs; the computer plays where the seat is absent."""
    for _turn in range(times):
        while True:
            now = fresh(game)
            if now.awaits_server:
                turns.serve(game_id=game.pk, now=NOON, rng=random.Random(1))
            elif on_turn(game) == player(name):
                turns.expire(game_id=game.pk, now=now.deadline or NOON)
                break
            else:
                quick_turn(game)


def test_a_seat_whose_last_turn_a_computer_played_has_forfeited_the_deal() -> None:
    terms = {"turn_time": DAY, "excuses": 0, "absent_after": 1}
    season = league("Ana", "Bogdan", terms=terms, forfeit=-300)
    game = match(season, "Ana", "Bogdan", seed="any")
    expired(game, "Ana", 1)
    assert game.seats.get(index=0).absent_since is not None
    for _step in range(500):
        if fresh(game).status == "finished":
            break
        if not turns.serve(game_id=game.pk, now=NOON, rng=random.Random(1)):
            quick_turn(game)
    score(game)
    ana = LedgerRow.objects.get(player=player("Ana"))
    assert (ana.kind, ana.points <= -300, ana.won) == ("forfeit", True, False)
    assert ana.server_turns > 1 and LedgerRow.objects.get(player=player("Bogdan")).server_turns == 0
    assert sound(season)


def test_a_turn_that_ran_out_is_a_figure_and_no_forfeit() -> None:
    season = league("Ana", "Bogdan", terms={"turn_time": DAY, "excuses": 0, "absent_after": 9})
    game = match(season, "Ana", "Bogdan", seed="any")
    expired(game, "Ana", 2)
    for _turn in range(500):
        if fresh(game).status == "finished":
            break
        quick_turn(game)
        if fresh(game).awaits_server:
            settle(game)
    score(game)
    ana = LedgerRow.objects.get(player=player("Ana"))
    assert (ana.kind, ana.server_turns) == ("played", 2)
    assert sound(season)


def test_a_deal_counts_for_whoever_held_the_seat_when_it_was_dealt() -> None:
    terms = {"turn_time": DAY, "excuses": 0, "absent_after": 1}
    season = league("Ana", "Bogdan", "Chloé", terms=terms, options={"target": 60})
    game = match(season, "Ana", "Bogdan", seed="any")
    expired(game, "Ana", 1)
    absence.take_over(code=game.code, user=player("Chloé"), seat=0, now=NOON)
    while fresh(game).status == "running" and fresh(game).deals.count() < 2:
        if fresh(game).awaits_server:
            settle(game, then=OUT_OF_TWO[0])
        else:
            quick_turn(game)
    score(game)
    assert {row[1] for row in rows(season)} == {"Ana", "Bogdan"}
    end_deal(game)
    assert [row[1] for row in rows(season)][2:] == ["Chloé", "Bogdan"]
    assert sound(season)


# -- what does not count ------------------------------------------------------------------------


def test_computer_players_have_no_rows_and_two_people_beside_them_are_enough() -> None:
    season = league("Ana", "Bogdan", bots=True, **LONG)
    with chance(OUT_OF_THREE[0], 2, OUT_OF_THREE[0]):
        game = matches.make_table(code=season.league.code, user=player("Ana"), seats=3, computers=1, now=NOON)
        tables.join(code=game.code, user=player("Bogdan"), now=NOON)
    end_deal(game, moves=OUT_OF_THREE[1])
    assert rows(season) == [("played", "Ana", 71), ("played", "Bogdan", -52)]
    assert sound(season)


def left_alone(season: Season) -> Game:
    """A match of two members and a computer player that one member has left, after its first deal: the other plays on."""
    with chance(OUT_OF_THREE[0], 2, OUT_OF_THREE[0]):
        game = matches.make_table(code=season.league.code, user=player("Ana"), seats=3, computers=1, now=NOON)
        tables.join(code=game.code, user=player("Bogdan"), now=NOON)
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    end_deal(game, moves=OUT_OF_THREE[1], then=OUT_OF_THREE[0])
    return game


def test_who_is_left_alone_with_computers_has_the_rest_of_the_match_with_place_and_win() -> None:
    season = league("Ana", "Bogdan", bots=True, options={"target": 100})
    game = left_alone(season)
    assert rows(season)[0] == ("played", "Ana", 71) and rows(season)[1][:2] == ("forfeit", "Bogdan")
    with chance("any", 0):
        for _step in range(2_000):
            if fresh(game).status == "finished":
                break
            if fresh(game).awaits_server and fresh(game).to_move is None:
                settle(game)
            elif not turns.serve(game_id=game.pk, now=NOON, rng=random.Random(1)):
                quick_turn(game)
    score(game)
    later = rows(season)[2:]
    assert later and {row[:2] for row in later} == {("played", "Ana")}
    places = {seat.index: 1 + sum(other.total > seat.total for other in game.seats.filter(resigned=False))
              for seat in game.seats.filter(resigned=False)}  # fmt: skip
    ana, bogdan = (next(line for line in table(season) if line.player.username == name) for name in ("Ana", "Bogdan"))
    assert (ana.matches, ana.last, ana.won) == (1, [places[0]], int(places[0] == 1))
    assert (bogdan.matches, bogdan.last) == (1, [3])
    assert sound(season)


def test_who_resigns_after_being_left_alone_has_the_place_that_is_left() -> None:
    season = league("Ana", "Bogdan", bots=True, **LONG)
    resign(left_alone(season), "Ana")
    assert [row[:2] for row in rows(season)] == [("played", "Ana"), ("forfeit", "Bogdan"), ("forfeit", "Ana")]
    assert {line.player.username: (line.matches, line.last) for line in table(season)} == {"Ana": (1, [2]), "Bogdan": (1, [3])}
    assert sound(season)


def test_a_deal_that_a_referee_declared_void_is_not_written_though_no_ruling_was_heard_of_yet() -> None:
    season = league("Ana", "Bogdan", **LONG)
    game = match(season, "Ana", "Bogdan")
    end_deal(game, scored=False)
    game.deals.filter(number=0).update(voided=True)
    score(game)
    assert rows(season) == [] and sound(season)


def test_where_no_computers_sit_none_is_let_in() -> None:
    season = league("Ana", "Bogdan", **LONG)
    ana = player("Ana")
    given: dict[str, Any] = {"code": season.league.code, "user": ana, "now": NOON}
    assert refused(matches.make_table, seats=3, computers=1, **given) == "league_no_computers"
    game = matches.make_table(seats=3, **given)
    assert refused(tables.start, code=game.code, user=ana, now=NOON) == "league_no_computers"


def test_a_match_of_one_person_never_counts_where_computers_sit_in() -> None:
    season = league("Ana", "Bogdan", bots=True)
    given: dict[str, Any] = {"code": season.league.code, "user": player("Ana"), "now": NOON}
    assert refused(matches.make_table, seats=3, computers=2, **given) == "league_no_computers"
    with chance(OUT_OF_TWO[0], 1):
        game = matches.make_table(seats=2, **given)
        tables.start(code=game.code, user=player("Ana"), now=NOON)
    assert LeagueMatch.objects.get().counts is False
    end_deal(game)
    assert rows(season) == [] and table(season) == []
    assert sound(season)


def test_matches_of_the_same_people_count_as_often_as_the_league_says() -> None:
    season = league("Ana", "Bogdan", "Chloé", same_people=2)
    for first, second in (("Ana", "Bogdan"), ("Bogdan", "Ana"), ("Ana", "Bogdan"), ("Ana", "Chloé")):
        end_deal(match(season, first, second))
    assert [found.counts for found in LeagueMatch.objects.order_by("pk")] == [True, True, False, True]
    assert [row[1] for row in rows(season)] == ["Ana", "Bogdan", "Bogdan", "Ana", "Ana", "Chloé"]
    assert sound(season)


def test_a_spoiled_deal_counts_for_nobody() -> None:
    season = league("Ana", "Bogdan", variant="etalat", options={"target": None})
    game = match(season, "Ana", "Bogdan", seed=THREE_DOUBLES)
    answer(game, "X:2Y", by="Bogdan")
    answer(game, "X:spoil")
    settle(game)
    score(game)
    assert rows(season) == []
    assert sound(season)


def test_who_left_the_league_keeps_results_and_those_of_matches_under_way_count() -> None:
    season = league("Ana", "Bogdan")
    first, second = match(season, "Ana", "Bogdan"), match(season, "Bogdan", "Ana")
    end_deal(first)
    members.leave(code=season.league.code, user=player("Bogdan"), now=NOON)
    end_deal(second)
    assert points(season) == {"Ana": 12, "Bogdan": 12}
    assert sound(season)


# -- the cost -----------------------------------------------------------------------------------


def test_counting_a_deal_costs_a_game_one_query_more() -> None:
    from django.db import connection

    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    with CaptureQueriesContext(
        connection,
    ) as asked:
        signals.deal_counted.send(Game, game=game, deal=game.deals.get(), now=NOON)
    assert len(asked) == 2  # one is the test's own


def test_the_season_of_a_later_time_counts_by_the_end_of_its_deals() -> None:
    season = league("Ana", "Bogdan")
    end_deal(match(season, "Ana", "Bogdan"), now=NOON + timedelta(hours=2))
    assert set(LedgerRow.objects.values_list("at", flat=True)) == {NOON + timedelta(hours=2)}
    assert again(season).is_open


def test_a_member_plays_in_two_leagues_at_once_and_each_has_its_own_table() -> None:
    one, two = league("Ana", "Bogdan"), league("Ana", "Bogdan", name="Other league")
    end_deal(match(one, "Ana", "Bogdan"))
    end_deal(match(two, "Bogdan", "Ana"))
    assert (points(one), points(two)) == ({"Ana": 55, "Bogdan": -43}, {"Bogdan": 55, "Ana": -43})
    assert new_league("Ana", name="Third").seasons.count() == 0

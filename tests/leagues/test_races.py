"""Two at once, over real connections: what is counted is written once, and the table is that of the ledger."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from accounts.leagues.audit import audit
from accounts.leagues.belonging import matches_of
from accounts.leagues.services import leagues, ledger, matches, members, scoring, seasons
from accounts.leagues.services.store import lock_season
from accounts.models import League, LedgerRow, Membership, Season, User
from games.models import Game
from games.services import deals, tables
from tests.games.playing import NOON, OUT_OF_TWO, differences, play, player
from tests.games.test_races import Racer, finish, waiting
from tests.leagues.playing import TERMS, end_deal, league, match, points, score

pytestmark = pytest.mark.django_db(transaction=True)
both_orders = pytest.mark.parametrize("swapped", [False, True], ids=["as_written", "the_other_first"])


def wait_for(place: int) -> None:
    """Until so many calls wait for a row."""
    end = time.monotonic() + 10
    while waiting() < place:
        assert time.monotonic() < end, "the call does not ask for the row"
        time.sleep(0.002)


def race(season: Season, *calls: Callable[[], Any], swapped: bool = False) -> list[Any]:
    """What calls answer that all want the season's row, or what is locked before it, in the order given or the other."""
    racers = [Racer(call) for call in calls]
    queue = racers[::-1] if swapped else racers
    with transaction.atomic():
        lock_season(pk=season.pk)
        for place, racer in enumerate(queue, start=1):
            racer.start()
            wait_for(place)
    answers = finish(racers)
    assert differences() == [] and audit(season_id=season.pk) == []
    return answers


def scoring_task(season: Season) -> Callable[[], Any]:
    return lambda: scoring.score(season_id=season.pk, now=NOON)


@pytest.fixture
def season() -> Season:
    return league("Ana", "Bogdan", "Chloé")


def test_two_scoring_tasks_at_once_write_each_deal_once(season: Season) -> None:
    end_deal(match(season, "Ana", "Bogdan"), scored=False)
    end_deal(match(season, "Bogdan", "Chloé"), scored=False)
    assert race(season, scoring_task(season), scoring_task(season)) == [4, 0]
    assert points(season) == {"Ana": 55, "Bogdan": 12, "Chloé": -43}


def test_a_deal_counted_while_the_ledger_is_written_is_not_lost(season: Season) -> None:
    first, second = match(season, "Ana", "Bogdan"), match(season, "Ana", "Bogdan")
    end_deal(first, scored=False)
    play(second, OUT_OF_TWO[1])
    task = Racer(scoring_task(season))
    with transaction.atomic():
        lock_season(pk=season.pk)
        task.start()
        while not waiting():
            pass
        assert deals.settle(game_id=second.pk, now=NOON)  # it does not wait for the ledger
    assert finish([task]) == [2]
    assert score(second) == 2
    assert points(season) == {"Ana": 110, "Bogdan": -86}


@both_orders
def test_an_adjustment_and_a_scoring_task_are_both_in_the_table(season: Season, swapped: bool) -> None:
    end_deal(match(season, "Ana", "Bogdan"), scored=False)
    ana, bogdan = player("Ana"), player("Bogdan")

    def adjusting() -> Any:
        ledger.adjust(code=season.league.code, by=ana, user_id=bogdan.pk, points=100, reason="So", request="1", now=NOON)
        return "adjusted"

    assert race(season, adjusting, scoring_task(season), swapped=swapped) == ["adjusted", 2]
    assert points(season) == {"Bogdan": 57, "Ana": 55}


@both_orders
def test_a_season_is_ended_while_its_last_deal_is_written(season: Season, swapped: bool) -> None:
    end_deal(match(season, "Ana", "Bogdan"), scored=False)
    ana = player("Ana")

    def closing() -> Any:
        return seasons.close(code=season.league.code, by=ana, now=NOON).status

    answers = race(season, closing, scoring_task(season), swapped=swapped)
    assert answers[0] == "final" and answers[1] in (0, 2)
    assert points(season) == {"Ana": 55, "Bogdan": -43}


def test_the_same_form_sent_twice_at_once_adjusts_once(season: Season) -> None:
    ana, bogdan = player("Ana"), player("Bogdan")

    def adjusting() -> Any:
        return ledger.adjust(code=season.league.code, by=ana, user_id=bogdan.pk, points=5, reason="So", request="1", now=NOON).pk

    one, other = race(season, adjusting, adjusting)
    assert one == other and LedgerRow.objects.count() == 1


def test_joining_twice_at_once_makes_one_member(season: Season) -> None:
    zoe, code = player("Zoe"), season.league.code
    racers = [Racer(lambda: members.join(code=code, user=zoe, now=NOON).pk) for _click in range(2)]
    for racer in racers:
        racer.start()
    one, other = finish(racers)
    assert one == other and Membership.objects.filter(user=zoe).count() == 1


def test_the_same_tables_are_made_once(season: Season) -> None:
    ana = player("Ana")

    def making() -> Any:
        made = matches.make_tables(
            code=season.league.code, by=ana, tables_wanted=1, seats=3, made=0, now=NOON, rng=random.Random(1)
        )
        return len(made)

    assert race(season, making, making) == [1, "stale"]


def joining(game: Game, user: User) -> str:
    return tables.join(code=game.code, user=user, now=NOON).status


def seated_twice(season: Season, user: User, *games: Game) -> list[Any]:
    """What two tables answer at which a person sits down at once, while the membership is held by another."""
    racers = [Racer(partial(joining, game, user)) for game in games]
    with transaction.atomic():
        Membership.objects.select_for_update(no_key=True).get(user=user, until=None)
        for place, racer in enumerate(racers, start=1):
            racer.start()
            wait_for(place)
    return finish(racers)


def test_who_sits_down_at_two_tables_at_once_plays_no_more_matches_than_the_season_has() -> None:
    season = league("Ana", "Bogdan", "Chloé", season={"until": "matches", "matches_each": 1})
    games = [matches.make_table(code=season.league.code, user=player(name), seats=2, now=NOON) for name in ("Ana", "Bogdan")]
    assert sorted(seated_twice(season, player("Chloé"), *games)) == ["league_matches_played", "running"]
    assert matches_of(season)[player("Chloé").pk] == 1


@both_orders
def test_who_sits_down_and_leaves_the_league_at_once_keeps_no_seat(season: Season, swapped: bool) -> None:
    chloe = player("Chloé")
    game = matches.make_table(code=season.league.code, user=player("Ana"), seats=3, now=NOON)
    calls = [
        Racer(lambda: tables.join(code=game.code, user=chloe, now=NOON).status),
        Racer(lambda: members.leave(code=season.league.code, user=chloe, now=NOON)),
    ]
    with transaction.atomic():
        Membership.objects.select_for_update(no_key=True).get(user=chloe, until=None)
        for place, racer in enumerate(calls[::-1] if swapped else calls, start=1):
            racer.start()
            wait_for(place)
    assert finish(calls) == ["league_members_only" if swapped else "open", None]
    assert not game.seats.filter(user=chloe).exists() and differences(game) == []


def test_tables_are_made_for_the_members_while_one_of_them_goes(season: Season) -> None:
    ana, chloe, code = player("Ana"), player("Chloé"), season.league.code

    def making() -> Any:
        return len(matches.make_tables(code=code, by=ana, tables_wanted=1, seats=3, now=NOON, rng=random.Random(1)))

    answers = race(season, making, lambda: members.leave(code=code, user=chloe, now=NOON))
    assert answers == [1, None] and season.matches.count() == 1


def test_two_leagues_of_one_name_at_once_make_one() -> None:
    given: dict[str, Any] = {"variant": "rami500", "options": {"target": None}, "terms": TERMS, "now": NOON}
    people = [player("Ana"), player("Bogdan")]
    racers = [
        Racer(partial(leagues.create, organiser=user, name=name, **given))
        for user, name in zip(people, ("Friday", "FRIDAY"), strict=True)
    ]
    for racer in racers:
        racer.start()
    answers = finish(racers)
    assert answers.count("name_taken") == 1 and League.objects.count() == 1


@both_orders
def test_a_match_that_begins_as_the_season_ends_counts_or_does_not_begin(season: Season, swapped: bool) -> None:
    ana, bogdan = player("Ana"), player("Bogdan")
    game = matches.make_table(code=season.league.code, user=ana, seats=2, now=NOON)

    def closing() -> Any:
        return seasons.close(code=season.league.code, by=ana, now=NOON).status

    answers = race(season, closing, partial(joining, game, bogdan), swapped=swapped)
    assert answers == ["final", "running"]
    found = season.matches.get()
    assert found.counts is swapped  # who was first in the queue for the season


@both_orders
def test_two_matches_of_the_same_people_that_begin_at_once_count_as_often_as_the_league_says(swapped: bool) -> None:
    season = league("Ana", "Bogdan", same_people=1)
    ana, bogdan = player("Ana"), player("Bogdan")
    first = matches.make_table(code=season.league.code, user=ana, seats=2, now=NOON)
    second = matches.make_table(code=season.league.code, user=bogdan, seats=2, now=NOON)
    race(
        season,
        lambda: tables.join(code=first.code, user=bogdan, now=NOON).status,
        lambda: tables.join(code=second.code, user=ana, now=NOON).status,
        swapped=swapped,
    )
    assert sorted(found.counts is True for found in season.matches.all()) == [False, True]

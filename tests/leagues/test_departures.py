"""Who leaves, is expelled, or deletes the account: the seats at tables that have not begun, and the season that waited."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.leagues.audit import audit
from accounts.leagues.services import matches, members
from accounts.models import Message, Season
from accounts.people.owndata import services as owndata
from games.services import tables
from tests.games.playing import NOON, differences, fresh, open_table, player
from tests.leagues.playing import again, end_deal, league, match, points

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(days=1)


def told(name: str) -> list[str]:
    """What a person was told of leagues."""
    return [row.facts["what"] for row in Message.objects.filter(user=player(name), kind="league").order_by("pk")]


def departs(how: str, season: Season, name: str) -> None:
    """Somebody leaves, is expelled, or gives the account up."""
    if how == "leaves":
        members.leave(code=season.league.code, user=player(name), now=LATER)
    elif how == "is expelled":
        members.expel(code=season.league.code, user_id=player(name).pk, reason="No", by=player("Ana"), now=LATER)
    else:
        owndata.delete(user_id=player(name).pk, now=LATER)


every_departure = pytest.mark.parametrize("how", ["leaves", "is expelled", "deletes the account"])


@every_departure
def test_who_is_no_member_any_more_keeps_no_seat_at_a_table_that_has_not_begun(how: str) -> None:
    season = league("Ana", "Bogdan", "Chloé")
    under_way = match(season, "Ana", "Bogdan")
    shared = matches.make_table(code=season.league.code, user=player("Ana"), seats=3, now=NOON)
    tables.join(code=shared.code, user=player("Bogdan"), now=NOON)
    own = matches.make_table(code=season.league.code, user=player("Bogdan"), seats=2, now=NOON)
    elsewhere = open_table("Bogdan")
    bogdan = player("Bogdan").pk
    departs(how, season, "Bogdan")
    assert list(shared.seats.values_list("user_id", flat=True)) == [player("Ana").pk]
    assert (fresh(shared).status, fresh(own).status, fresh(elsewhere).status) == ("open", "cancelled", "open")
    assert under_way.seats.filter(user=bogdan).exists(), "a match under way goes on"
    assert differences(shared, own, under_way) == []


@every_departure
def test_a_season_that_waited_for_one_member_ends_when_that_one_goes(how: str) -> None:
    season = league("Ana", "Bogdan", "Chloé", season={"until": "matches", "matches_each": 1})
    end_deal(match(season, "Ana", "Bogdan"))
    assert again(season).is_open
    departs(how, season, "Chloé")
    assert (again(season).status, again(season).ended_at) == ("final", LATER)
    assert told("Bogdan")[-1] == "season_over" and audit(season_id=season.pk) == []


@every_departure
def test_what_was_counted_before_somebody_went_is_in_the_table_before_the_season_ends(how: str) -> None:
    season = league("Ana", "Bogdan", "Chloé", season={"until": "matches", "matches_each": 1})
    end_deal(match(season, "Ana", "Bogdan"), scored=False)
    departs(how, season, "Chloé")
    assert points(season) == {"Ana": 55, "Bogdan": -43} and again(season).status == "final"


@every_departure
def test_a_season_that_waits_for_others_goes_on(how: str) -> None:
    season = league("Ana", "Bogdan", "Chloé", "Doru", season={"until": "matches", "matches_each": 1})
    end_deal(match(season, "Ana", "Bogdan"))
    departs(how, season, "Chloé")
    assert again(season).is_open
    by_points = league("Ana", "Eva", name="By points")
    departs(how, by_points, "Eva")
    assert again(by_points).is_open


def test_a_league_that_nobody_is_left_in_ends_its_season_too() -> None:
    season = league("Ana", "Bogdan")
    end_deal(match(season, "Ana", "Bogdan"), scored=False)
    members.leave(code=season.league.code, user=player("Bogdan"), now=NOON)
    owndata.delete(user_id=player("Ana").pk, now=LATER)
    assert (again(season).status, again(season).league.closed_at) == ("final", LATER)
    assert sum(points(season).values()) == 12 and again(season).league.organiser is None
    assert audit(season_id=season.pk) == []

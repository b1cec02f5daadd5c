"""What the database itself refuses, whatever a service does. (Of the ledger: test_ledger.)"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Membership, Season
from tests.games.playing import NOON, player
from tests.leagues.playing import league, new_league

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(days=1)


@pytest.mark.parametrize(
    "wanted",
    [
        {"until": "date", "ends_at": None},
        {"until": "date", "ends_at": NOON},
        {"until": "date", "ends_at": LATER, "first_to": 100},
        {"until": "matches", "matches_each": None},
        {"until": "matches", "matches_each": 0},
        {"until": "matches", "matches_each": 3, "ends_at": LATER},
        {"until": "points", "first_to": None},
        {"until": "points", "first_to": 0},
        {"until": "points", "first_to": 100, "matches_each": 3},
        {"until": "never"},
    ],
)
def test_a_season_says_when_it_ends(wanted: dict[str, Any]) -> None:
    made = new_league("Ana")
    with pytest.raises(IntegrityError, match="seasons_say_when_they_end"), transaction.atomic():
        Season.objects.create(league=made, number=1, starts_at=NOON, **wanted)


@pytest.mark.parametrize("wanted", [{"reached_by": 7}, {"reached_at": NOON, "until": "date", "ends_at": LATER, "first_to": None}])
def test_only_where_points_end_a_season_somebody_is_the_first_there(wanted: dict[str, Any]) -> None:
    season = league("Ana")
    with pytest.raises(IntegrityError, match="the_first_reaches_points_alone"), transaction.atomic():
        Season.objects.filter(pk=season.pk).update(**wanted)


def test_a_league_has_one_organiser_and_that_is_what_its_membership_says() -> None:
    made = new_league("Ana", "Bogdan")
    assert made.organiser == player("Ana")
    with pytest.raises(IntegrityError, match="one_organiser_at_a_time"), transaction.atomic():
        Membership.objects.filter(user=player("Bogdan")).update(role="organiser")

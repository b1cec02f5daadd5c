"""How reliable players are: how their last turns ended, at whichever tables."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.people import absence as vacations
from accounts.people.owndata import services as owndata
from games import selectors
from games.models import Game, Reliability
from games.services import absence, reliability, tables, turns
from games.services.errors import ServiceError
from tests.games.playing import DAY, NOON, OUT_OF_TWO, PATIENT, fresh, open_table, play, player, quick_turn, running, sweep

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def audited() -> Iterator[None]:
    """What is kept is what the logs tell."""
    yield
    assert reliability.differences() == []
    for row in Reliability.objects.all():
        assert row.recent == reliability.told(user_id=row.user_id)


def recent(name: str) -> str:
    row = Reliability.objects.filter(user=player(name)).first()
    return row.recent if row else ""


def share(name: str) -> int | None:
    return selectors.reliability([player(name).pk])[player(name).pk]


def expire(game: Game) -> None:
    assert turns.expire(game_id=game.pk, now=fresh(game).deadline or NOON)


def test_a_turn_that_its_player_ends_is_in_time_and_one_that_the_clock_plays_is_not() -> None:
    game = running("Ana", "Bogdan", absent_after=PATIENT)
    quick_turn(game)
    quick_turn(game)
    expire(game)
    quick_turn(game)
    assert (recent("Ana"), recent("Bogdan")) == ("10", "11")


def test_half_a_turn_is_none() -> None:
    game = running("Ana", "Bogdan")
    play(game, "S")
    assert recent("Ana") == ""


def test_an_excused_turn_counts_as_it_ended_in_its_new_time() -> None:
    game = running("Ana", "Bogdan", excuses=1, absent_after=PATIENT)
    expire(game)
    assert recent("Ana") == ""
    quick_turn(game)
    assert recent("Ana") == "1"


def test_turns_that_the_computer_plays_for_an_absent_player_count_against_them_and_not_for_the_substitute() -> None:
    game = running("Ana", "Bogdan", absent_after=1)
    expire(game)
    for _turn in range(2):
        quick_turn(game)
        assert turns.serve(game_id=game.pk, now=NOON, rng=random.Random(1))
    absence.take_over(code=game.code, user=player("Dan"), seat=0, now=NOON)
    quick_turn(game)
    quick_turn(game)
    assert (recent("Ana"), recent("Dan"), recent("Bogdan")) == ("000", "1", "111")


def test_a_turn_played_on_vacation_counts_neither_way_and_the_one_after_it_does() -> None:
    game = running("Ana", "Bogdan")
    vacations.plan(user=player("Ana"), first=NOON.date(), last=NOON.date() + DAY, now=NOON)
    sweep(NOON)
    quick_turn(game)
    quick_turn(game)
    assert fresh(game).away
    assert (recent("Ana"), recent("Bogdan")) == ("", "1")
    assert vacations.end(user=player("Ana"), now=NOON + HOUR)
    sweep(NOON + HOUR)
    quick_turn(game, now=NOON + HOUR)
    assert recent("Ana") == "1"
    quick_turn(game, now=NOON + HOUR)
    quick_turn(game, now=NOON + HOUR)
    assert recent("Ana") == "11"


def test_the_move_that_ends_a_deal_ends_a_turn_and_resigning_does_not() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    assert recent("Ana") == "1"
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    assert recent("Bogdan") == ""


def test_the_last_hundred_turns_at_all_tables_are_kept() -> None:
    ana = player("Ana")
    Reliability.objects.create(user=ana, recent="0" * 99)
    for rival in ("Bogdan", "Chloé"):
        quick_turn(running("Ana", rival))
    assert Reliability.objects.get(user=ana).recent == "0" * 98 + "11"
    Reliability.objects.filter(user=ana).update(recent="11")


@pytest.mark.parametrize(("turns_ended", "figure"), [("1" * 9, None), ("1" * 10, 100), ("1" * 199 + "0", 99), ("0" * 10, 0)])
def test_the_figure_is_a_percentage_rounded_down_and_who_is_new_has_none(turns_ended: str, figure: int | None) -> None:
    assert selectors.percent(turns_ended) == figure


def test_who_has_never_played_is_new() -> None:
    assert share("Ana") is None


def test_the_audit_finds_a_figure_that_is_not_that_of_the_logs_and_it_can_be_made_anew() -> None:
    quick_turn(running("Ana", "Bogdan"))
    Reliability.objects.update(recent="0000")
    with pytest.raises(CommandError, match="differ"):
        call_command("audit", stdout=(said := StringIO()))
    assert f"player {player('Ana').pk}: the turns played in time are not those of the logs" in said.getvalue()
    reliability.rebuild(user_id=player("Ana").pk)
    assert recent("Ana") == "1"


def test_an_account_that_is_deleted_has_no_figure_and_the_audit_misses_none() -> None:
    quick_turn(running("Ana", "Bogdan"))
    ana = player("Ana").pk
    assert Reliability.objects.filter(user=ana).exists()
    owndata.delete(user_id=ana, now=NOON)
    assert not Reliability.objects.filter(user=ana).exists() and reliability.told(user_id=ana) == "1"
    call_command("audit", stdout=(said := StringIO()))
    assert "turns played in time" not in said.getvalue()


def test_a_figure_of_somebody_who_never_played_is_taken_away() -> None:
    Reliability.objects.create(user=player("Ana"), recent="1")
    reliability.rebuild(user_id=player("Ana").pk)
    assert recent("Ana") == ""


# -- tables that ask for it ---------------------------------------------------------------------


def with_figure(name: str, turns_ended: str) -> None:
    Reliability.objects.create(user=player(name), recent=turns_ended)


def test_a_table_that_asks_for_more_is_not_joined() -> None:
    game = open_table("Ana", seats=3, min_reliability=90)
    with_figure("Bogdan", "1" * 8 + "00")
    with pytest.raises(ServiceError, match="not_reliable"):
        tables.join(code=game.code, user=player("Bogdan"), now=NOON)
    assert game.seats.count() == 1
    Reliability.objects.all().delete()


def test_who_is_new_or_reliable_enough_may_join() -> None:
    game = open_table("Ana", seats=4, min_reliability=90)
    with_figure("Bogdan", "1" * 9 + "0")
    with_figure("Chloé", "000")
    for name in ("Bogdan", "Chloé", "Dan"):
        tables.join(code=game.code, user=player(name), now=NOON)
    assert game.seats.count() == 4
    Reliability.objects.all().delete()


def test_a_substitute_has_to_be_reliable_enough_too() -> None:
    game = running("Ana", "Bogdan", absent_after=1, min_reliability=50)
    expire(game)
    with_figure("Dan", "0" * 10)
    with pytest.raises(ServiceError, match="not_reliable"):
        absence.take_over(code=game.code, user=player("Dan"), seat=0, now=NOON + DAY)
    Reliability.objects.filter(user=player("Dan")).delete()

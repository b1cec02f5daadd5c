"""The site was away, or somebody worked on it: no turn runs out by that, and each clock gets its time back, once."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from games.models import Game, Outage, Watch
from games.services import absence, clocks, outages, pauses, rulings, turns
from games.services.errors import ServiceError
from tests.games.cases import claimed, referee
from tests.games.playing import DAY, NOON, awake, differences, fresh, play, player, quick_turn, running, seat, sweep
from tests.games.tiles import BOTH_SMALL, tile_table

pytestmark = pytest.mark.django_db
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
BANK: dict[str, Any] = {"turn_time": DAY, "increment": 2 * HOUR, "bank_cap": 3 * DAY}


def away(began: datetime, ended: datetime) -> None:
    """The server looked at the clocks at the first instant, and then not before the second."""
    outages.beat(now=began)
    outages.beat(now=ended)


def spans() -> list[tuple[str, datetime, datetime]]:
    return list(Outage.objects.order_by("began").values_list("kind", "began", "ended"))


def pushes(game: Game) -> list[dict[str, Any]]:
    return list(game.entries.filter(text="pushed").order_by("number").values_list("facts", flat=True))


# -- what is an outage --------------------------------------------------------------------------


def test_a_silence_of_more_than_five_minutes_is_an_outage_and_no_shorter_one() -> None:
    for now in (NOON, NOON + 5 * MINUTE, NOON + 10 * MINUTE + SECOND):
        outages.beat(now=now)
    assert spans() == [("silence", NOON + 5 * MINUTE, NOON + 10 * MINUTE + SECOND)]


def test_the_first_look_of_all_follows_no_silence() -> None:
    outages.beat(now=NOON)
    assert (spans(), Watch.objects.get().beat) == ([], NOON)


def test_a_clock_that_goes_backwards_does_no_harm() -> None:
    for now in (NOON, NOON - HOUR, NOON + MINUTE):
        outages.beat(now=now)
    assert (spans(), Watch.objects.get().beat) == ([], NOON + MINUTE)


def test_work_on_the_site_is_one_when_it_is_over() -> None:
    outages.beat(now=NOON)
    assert outages.begin_maintenance(reason="A new disk", now=NOON + MINUTE)
    assert not outages.begin_maintenance(reason="Again", now=NOON + 2 * MINUTE)
    outages.beat(now=NOON + 3 * HOUR)
    assert (spans(), outages.holds(now=NOON + 3 * HOUR)) == ([], True)
    assert outages.end_maintenance(now=NOON + 3 * HOUR)
    assert not outages.end_maintenance(now=NOON + 3 * HOUR)
    assert spans() == [("work", NOON + MINUTE, NOON + 3 * HOUR)]
    assert (Outage.objects.get().reason, outages.holds(now=NOON + 3 * HOUR)) == ("A new disk", False)


def test_silence_before_within_and_after_the_work_is_counted_once() -> None:
    outages.beat(now=NOON)
    outages.begin_maintenance(reason="", now=NOON + HOUR)
    outages.end_maintenance(now=NOON + 2 * HOUR)
    outages.beat(now=NOON + 3 * HOUR)
    assert spans() == [
        ("silence", NOON, NOON + HOUR),
        ("work", NOON + HOUR, NOON + 2 * HOUR),
        ("silence", NOON + 2 * HOUR, NOON + 3 * HOUR),
    ]


def test_silence_before_work_that_goes_on_is_an_outage_at_once() -> None:
    outages.beat(now=NOON)
    outages.begin_maintenance(reason="", now=NOON + HOUR)
    outages.beat(now=NOON + 2 * HOUR)
    outages.end_maintenance(now=NOON + 3 * HOUR)
    assert spans() == [("silence", NOON, NOON + HOUR), ("work", NOON + HOUR, NOON + 3 * HOUR)]


def test_no_two_may_overlap() -> None:
    Outage.objects.create(kind="silence", began=NOON, ended=NOON + HOUR)
    Outage.objects.create(kind="work", began=NOON + HOUR, ended=NOON + 2 * HOUR)
    with pytest.raises(IntegrityError, match="outages_do_not_overlap"), transaction.atomic():
        Outage.objects.create(kind="work", began=NOON + 59 * MINUTE, ended=NOON + 3 * HOUR)


# -- what clocks get back -----------------------------------------------------------------------


def test_the_clock_is_set_forward_by_the_outage_before_anything_runs_out() -> None:
    game = running("Ana", "Bogdan")
    outages.beat(now=NOON + 23 * HOUR)
    sweep(NOON + 26 * HOUR, slept=True)
    assert (fresh(game).to_move, fresh(game).deadline) == (0, NOON + 27 * HOUR)
    assert pushes(game) == [{"seconds": 10_800, "kind": "silence", "reason": ""}]
    assert Outage.objects.get().applied_at == NOON + 26 * HOUR
    sweep(NOON + 27 * HOUR)
    assert fresh(game).to_move == 1
    assert differences(game) == []


def test_a_turn_that_had_run_out_before_runs_out_after() -> None:
    game = running("Ana", "Bogdan")
    outages.beat(now=NOON + DAY)
    sweep(NOON + 30 * HOUR, slept=True)
    assert fresh(game).to_move == 1


def test_a_turn_that_began_meanwhile_gets_its_part() -> None:
    """The pages answered, but nobody looked at the clocks."""
    game = running("Ana", "Bogdan")
    outages.beat(now=NOON)
    quick_turn(game, now=NOON + HOUR)
    sweep(NOON + 3 * HOUR, slept=True)
    assert fresh(game).deadline == NOON + HOUR + DAY + 2 * HOUR


def test_what_began_afterwards_gets_nothing() -> None:
    moved, waits = running("Ana", "Bogdan"), running("Ana", "Bogdan")
    away(NOON + HOUR, NOON + 4 * HOUR)
    quick_turn(moved, now=NOON + 4 * HOUR)
    made = running("Ana", "Bogdan", now=NOON + 4 * HOUR)
    sweep(NOON + 4 * HOUR)
    deadlines = [fresh(game).deadline for game in (moved, waits, made)]
    assert deadlines == [NOON + 28 * HOUR, NOON + 27 * HOUR, NOON + 28 * HOUR]
    assert [len(pushes(game)) for game in (moved, waits, made)] == [0, 1, 0]


def test_a_clock_that_stands_gets_nothing() -> None:
    game = running("Ana", computers=1)
    pauses.agree(code=game.code, user=player("Ana"), version=fresh(game).version, now=NOON + HOUR)
    outages.beat(now=NOON + 2 * HOUR)
    sweep(NOON + 9 * HOUR, slept=True)
    assert (fresh(game).left, pushes(game)) == (23 * HOUR, [])


def test_a_clock_that_is_stopped_before_it_was_set_forward_has_lost_nothing() -> None:
    game = running("Ana", computers=1)
    away(NOON + HOUR, NOON + 4 * HOUR)
    pauses.agree(code=game.code, user=player("Ana"), version=fresh(game).version, now=NOON + 4 * HOUR)
    assert (fresh(game).left, len(pushes(game))) == (23 * HOUR, 1)
    sweep(NOON + 5 * HOUR)
    assert len(pushes(game)) == 1


def test_a_bank_does_not_pay_for_it() -> None:
    game = running("Ana", "Bogdan", **BANK)
    outages.beat(now=NOON + HOUR)
    sweep(NOON + 10 * HOUR, slept=True)
    awake(NOON + 11 * HOUR)
    quick_turn(game, now=NOON + 11 * HOUR)
    assert seat(game, "Ana").bank == DAY - 2 * HOUR + 2 * HOUR


def test_a_bank_does_not_pay_for_one_that_is_still_to_be_applied() -> None:
    game = running("Ana", "Bogdan", **BANK)
    away(NOON + HOUR, NOON + 10 * HOUR)
    awake(NOON + 11 * HOUR)
    quick_turn(game, now=NOON + 11 * HOUR)
    assert seat(game, "Ana").bank == DAY - 2 * HOUR + 2 * HOUR
    sweep(NOON + 11 * HOUR)
    assert fresh(game).deadline == NOON + 35 * HOUR


def test_a_bank_does_not_pay_for_one_that_nobody_has_noticed_yet_nor_for_work_that_goes_on() -> None:
    silent, worked_on = running("Ana", "Bogdan", **BANK), running("Ana", "Bogdan", **BANK)
    outages.beat(now=NOON + HOUR)
    quick_turn(silent, now=NOON + 10 * HOUR)
    outages.beat(now=NOON + 10 * HOUR)
    awake(NOON + 11 * HOUR)
    outages.begin_maintenance(reason="", now=NOON + 11 * HOUR)
    quick_turn(worked_on, now=NOON + 12 * HOUR)
    assert seat(silent, "Ana").bank == DAY - HOUR + 2 * HOUR
    assert seat(worked_on, "Ana").bank == DAY - 2 * HOUR + 2 * HOUR
    outages.end_maintenance(now=NOON + 20 * HOUR)
    sweep(NOON + 20 * HOUR)
    assert [fresh(game).deadline for game in (silent, worked_on)] == [NOON + 43 * HOUR, NOON + 44 * HOUR]


def test_a_clock_that_stops_meanwhile_has_lost_nothing_and_gains_nothing_afterwards() -> None:
    game = running("Ana", computers=1)
    awake(NOON + HOUR)
    outages.begin_maintenance(reason="", now=NOON + HOUR)
    pauses.agree(code=game.code, user=player("Ana"), version=fresh(game).version, now=NOON + 3 * HOUR)
    assert fresh(game).left == 23 * HOUR
    pauses.resume(code=game.code, user=player("Ana"), version=fresh(game).version, now=NOON + 5 * HOUR)
    outages.end_maintenance(now=NOON + 6 * HOUR)
    awake(NOON + 9 * HOUR)
    pauses.agree(code=game.code, user=player("Ana"), version=fresh(game).version, now=NOON + 9 * HOUR)
    assert fresh(game).left == 20 * HOUR


def test_work_within_an_unnoticed_silence_is_not_given_twice() -> None:
    game = running("Ana", computers=1)
    outages.beat(now=NOON + HOUR)
    outages.begin_maintenance(reason="", now=NOON + 2 * HOUR)
    outages.end_maintenance(now=NOON + 3 * HOUR)
    pauses.agree(code=game.code, user=player("Ana"), version=fresh(game).version, now=NOON + 9 * HOUR)
    assert fresh(game).left == 23 * HOUR


def test_set_forward_into_quiet_hours_a_turn_ends_with_them() -> None:
    game = running("Ana", "Bogdan", quiet_from=13, quiet_to=20)
    outages.beat(now=NOON + HOUR)
    sweep(NOON + 3 * HOUR, slept=True)
    assert fresh(game).deadline == NOON + DAY + 8 * HOUR


def test_a_weekend_in_which_the_clock_stands_is_not_given_back() -> None:
    game = running("Ana", "Bogdan", now=NOON + 4 * DAY, turn_time=3 * DAY, weekend_pause=True)  # a Thursday
    friday = NOON + 5 * DAY
    before = fresh(game).deadline
    outages.beat(now=friday + 6 * HOUR)
    sweep(friday + 60 * HOUR, slept=True)  # on Monday at midnight
    assert before is not None and fresh(game).deadline == before + 6 * HOUR


def test_the_exchange_of_doubles_gets_it_too() -> None:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    outages.beat(now=NOON + 23 * HOUR)
    sweep(NOON + 30 * HOUR, slept=True)
    assert (fresh(game).to_move, fresh(game).deadline) == (None, NOON + 31 * HOUR)


def test_an_absent_seat_has_longer_to_come_back() -> None:
    game = running("Ana", "Bogdan", "Chloé", absent_after=1)
    sweep(NOON + DAY)
    sweep(NOON + 12 * DAY, slept=True)
    assert (seat(game, "Ana").resigned, seat(game, "Ana").absent_until) == (False, NOON + 19 * DAY)
    sweep(NOON + 12 * DAY)
    assert seat(game, "Ana").absent_until == NOON + 19 * DAY


@pytest.mark.parametrize(("begins", "ends", "longer"), [(-1, 30, 31), (6, 30, 30), (30, 40, 34)], ids=str)
def test_what_a_pause_shares_with_an_outage_an_absent_seat_gets_once(begins: int, ends: int, longer: int) -> None:
    """The site is gone for a day; hours count from when it went. The table is paused from `begins` to `ends`."""
    game = running("Ana", "Bogdan", "Chloé", absent_after=1, turn_time=10 * DAY)
    sweep(NOON + 10 * DAY)
    gone, before = NOON + 11 * DAY, seat(game, "Ana").absent_until
    back = gone + DAY
    awake(min(gone, gone + begins * HOUR))

    def pause() -> None:
        for name in ("Bogdan", "Chloé"):
            pauses.agree(code=game.code, user=player(name), version=fresh(game).version, now=gone + begins * HOUR)

    if begins < 24:
        pause()
    awake(gone)
    outages.beat(now=back)
    outages.apply(now=back)
    if begins >= 24:
        pause()
    awake(gone + ends * HOUR)
    pauses.resume(code=game.code, user=player("Bogdan"), version=fresh(game).version, now=gone + ends * HOUR)
    after = seat(game, "Ana").absent_until
    assert before is not None and after == before + longer * HOUR


@pytest.mark.parametrize(("begins", "ends", "longer"), [(-1, 30, 31), (6, 30, 30), (6, 24, 24), (30, 40, 34)], ids=str)
@pytest.mark.parametrize("late", [False, True], ids=["applied_first", "applied_last"])
def test_what_a_frozen_clock_shares_with_an_outage_an_absent_seat_gets_once(
    begins: int, ends: int, longer: int, late: bool
) -> None:
    """The site is gone for a day; hours count from when it went. The clock is frozen from `begins` to `ends`, and what is owed
    for the outage is applied as soon as the site is back, or only after that.
    """
    game = running("Ana", "Bogdan", "Chloé", absent_after=1, turn_time=10 * DAY)
    sweep(NOON + 10 * DAY)
    gone, before = NOON + 11 * DAY, seat(game, "Ana").absent_until
    back, at, until = gone + DAY, gone + begins * HOUR, gone + ends * HOUR
    awake(min(gone, at))
    made = claimed(game, "Bogdan", now=min(gone, at))
    if begins < 24:
        rulings.freeze(case=made.pk, user=referee(), span=3 * DAY, now=at)
    awake(gone)
    if not late:
        outages.beat(now=back)
        outages.apply(now=back)
    if begins >= 24:
        rulings.freeze(case=made.pk, user=referee(), span=3 * DAY, now=at)
    if not late:
        awake(until)
    rulings.thaw(case=made.pk, user=referee(), now=until)
    if late:
        outages.beat(now=until)
        outages.apply(now=until)
    after = seat(game, "Ana").absent_until
    lasted = ends if late else 24  # the server looks at the clocks again only then
    assert before is not None and after == before + (max(lasted, longer) if late else longer) * HOUR


def test_no_absent_seat_resigns_before_it_has_got_its_time_back() -> None:
    """By a task from before the site was away, or from a sweep that has not seen that yet."""
    game = running("Ana", "Bogdan", "Chloé", absent_after=1)
    sweep(NOON + DAY)
    awake(NOON + 7 * DAY)
    due = NOON + 8 * DAY
    assert not absence.end(game_id=game.pk, now=due), "the site comes back just now"
    outages.beat(now=due)
    assert not absence.end(game_id=game.pk, now=due), "what it took has not been given back"
    outages.apply(now=due)
    assert not absence.end(game_id=game.pk, now=due), "it has been given a day"
    awake(due + DAY)
    assert absence.end(game_id=game.pk, now=due + DAY)
    assert seat(game, "Ana").resigned


@pytest.mark.parametrize(
    "pauses_at",
    [[(3, 4)], [(3, 8)], [(3, 20)], [(7, 8)], [(7, 20)], [(2, 3), (4, 5)], [(1, 2), (3, 7)], [(1, 4), (6, 7)], [(4, 6), (8, 30)]],
    ids=str,
)
@pytest.mark.parametrize("weekend_pause", [False, True])
def test_paused_in_a_silence_that_nobody_had_noticed_a_clock_has_counted_nothing_of_it(
    pauses_at: list[tuple[int, int]], weekend_pause: bool
) -> None:
    """The server is silent from noon for ten minutes; meanwhile the table is paused and goes on at these minutes."""
    game, minute = running("Ana", "Bogdan", weekend_pause=weekend_pause, now=NOON + DAY), timedelta(minutes=1)
    noon = NOON + DAY
    awake(noon)
    steps = sorted([*((at, "pause") for at, _until in pauses_at), *((at, "resume") for _at, at in pauses_at), (10, "sweep")])
    for at, what in steps:
        now = noon + at * minute
        if at > 10:
            awake(now)
        match what:
            case "pause":
                for name in ("Ana", "Bogdan"):
                    pauses.agree(code=game.code, user=player(name), version=fresh(game).version, now=now)
            case "resume":
                pauses.resume(code=game.code, user=player("Ana"), version=fresh(game).version, now=now)
            case _:
                sweep(now, slept=True)
    assert left_of(game, noon + steps[-1][0] * minute) == DAY
    assert differences(game) == []


def left_of(game: Game, now: datetime) -> timedelta:
    return clocks.left(fresh(game), now=now)


@pytest.mark.parametrize(("paused", "resumed", "looked", "used"), [(3, 4, 5, 4), (3, 4, 4.5, 3.5), (1, 2, 5, 4), (2, 9, 4, 2)])
def test_where_it_was_no_outage_all_that_ran_counts(paused: float, resumed: float, looked: float, used: float) -> None:
    game, minute = running("Ana", "Bogdan"), timedelta(minutes=1)
    awake(NOON)
    steps = sorted([(paused, "pause"), (resumed, "resume"), (looked, "sweep")])
    for at, what in steps:
        now = NOON + at * minute
        if what == "sweep":
            sweep(now, slept=True)
        elif what == "pause":
            for name in ("Ana", "Bogdan"):
                pauses.agree(code=game.code, user=player(name), version=fresh(game).version, now=now)
        else:
            pauses.resume(code=game.code, user=player("Ana"), version=fresh(game).version, now=now)
    assert left_of(game, NOON + steps[-1][0] * minute) == DAY - used * minute


# -- what holds meanwhile -----------------------------------------------------------------------


def test_nothing_runs_out_before_its_clock_is_right() -> None:
    game = running("Ana", "Bogdan")
    away(NOON + 23 * HOUR, NOON + 26 * HOUR)
    assert not turns.expire(game_id=game.pk, now=NOON + 26 * HOUR)  # a task from before, or from another sweep
    assert fresh(game).deadline == NOON + 27 * HOUR
    sweep(NOON + 26 * HOUR)
    assert (fresh(game).deadline, len(pushes(game))) == (NOON + 27 * HOUR, 1)


def test_nothing_runs_out_before_the_server_has_looked_again() -> None:
    game = running("Ana", "Bogdan")
    outages.beat(now=NOON + 23 * HOUR)
    assert not turns.expire(game_id=game.pk, now=NOON + 26 * HOUR)
    assert fresh(game).to_move == 0


def test_nothing_runs_out_while_the_site_is_being_worked_on() -> None:
    game = running("Ana", "Bogdan")
    outages.begin_maintenance(reason="", now=NOON + 23 * HOUR)
    sweep(NOON + 26 * HOUR)
    assert (fresh(game).to_move, turns.expire(game_id=game.pk, now=NOON + 26 * HOUR)) == (0, False)
    outages.end_maintenance(now=NOON + 26 * HOUR)
    sweep(NOON + 26 * HOUR)
    assert fresh(game).deadline == NOON + 27 * HOUR


def test_one_may_play_while_the_site_is_being_worked_on() -> None:
    game = running("Ana", "Bogdan")
    outages.begin_maintenance(reason="", now=NOON + HOUR)
    play(game, "S", now=NOON + 2 * HOUR)


# -- once, whatever happens ---------------------------------------------------------------------


def test_repeated_or_crashed_half_way_each_clock_gets_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [running("Ana", "Bogdan") for _game in range(3)]
    away(NOON + HOUR, NOON + 2 * HOUR)
    assert outages.push(game_ids=[games[0].pk], now=NOON + 2 * HOUR)  # and then the worker dies
    assert not outages.apply(now=NOON + 2 * HOUR, seconds=-1)  # and the next has no time for any
    assert Outage.objects.get().applied_at is None
    for _time in range(2):
        assert outages.apply(now=NOON + 2 * HOUR)
    assert [fresh(game).deadline for game in games] == [NOON + 25 * HOUR] * 3
    assert [len(pushes(game)) for game in games] == [1, 1, 1]


def test_two_at_once_are_given_together_and_told_in_one_line() -> None:
    game = running("Ana", "Bogdan")
    away(NOON + HOUR, NOON + 2 * HOUR)
    away(NOON + 2 * HOUR, NOON + 4 * HOUR)
    sweep(NOON + 4 * HOUR)
    assert fresh(game).deadline == NOON + 27 * HOUR
    assert [facts["seconds"] for facts in pushes(game)] == [10_800]


def test_an_earlier_one_that_is_found_later_is_given_too() -> None:
    game = running("Ana", "Bogdan")
    outages.beat(now=NOON + HOUR)
    outages.begin_maintenance(reason="", now=NOON + 2 * HOUR)
    outages.end_maintenance(now=NOON + 3 * HOUR)
    outages.apply(now=NOON + 3 * HOUR)
    sweep(NOON + 3 * HOUR, slept=True)
    assert fresh(game).deadline == NOON + 26 * HOUR
    assert len(pushes(game)) == 2


# -- given by hand ------------------------------------------------------------------------------


def give(span: timedelta, now: datetime = NOON) -> Outage:
    return outages.give(span=span, reason="The mails were late", by=player("Boss"), now=now)


def test_a_span_given_by_hand_sets_every_clock_forward_that_runs_and_says_why() -> None:
    runs, stands = running("Ana", "Bogdan"), running("Ana", computers=1)
    pauses.agree(code=stands.code, user=player("Ana"), version=fresh(stands).version, now=NOON)
    give(36 * HOUR, NOON + HOUR)
    later = running("Ana", "Bogdan", now=NOON + 2 * HOUR)
    for _time in range(2):
        sweep(NOON + 2 * HOUR)
    assert fresh(runs).deadline == NOON + DAY + 36 * HOUR
    assert (fresh(stands).left, fresh(later).deadline) == (DAY, NOON + 26 * HOUR)
    assert pushes(runs) == [{"seconds": 129_600, "kind": "gift", "reason": "The mails were late"}]


@pytest.mark.parametrize("span", [timedelta(0), -HOUR, timedelta(days=14, seconds=1)])
def test_a_span_is_more_than_nothing_and_two_weeks_at_most(span: timedelta) -> None:
    with pytest.raises(ServiceError, match="bad_span"):
        give(span)
    assert not Outage.objects.exists()


def test_looking_at_the_clocks_takes_few_queries(django_assert_max_num_queries: Any) -> None:
    sweep(NOON)
    with django_assert_max_num_queries(4):
        outages.beat(now=NOON + MINUTE)
    assert connection.queries_limit

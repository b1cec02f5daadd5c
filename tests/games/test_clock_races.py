"""Vacations, pauses and outages while others are at it: over two connections, and with a worker killed in the middle."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.models import Vacation
from accounts.people import absence
from games.models import Entry, Game, Outage, Watch
from games.services import outages, pauses, turns, vacations
from games.services.store import lock
from remi_site import celery
from tests.conftest import Worker
from tests.games.playing import DAY, NOON, awake, fresh, player, running
from tests.games.test_races import Call, Racer, both_orders, click, finish, race, waiting
from tests.games.test_worker import until

pytestmark = pytest.mark.django_db(transaction=True)
HOUR = timedelta(hours=1)


def pausing(verb: Any, game: Game, by: str, *, now: datetime = NOON) -> Call:
    """What a player does about a pause of the table as it stands now."""
    user, version = player(by), fresh(game).version
    return lambda: verb(code=game.code, user=user, version=version, now=now) and verb.__name__


def together(held: Any, *calls: Call) -> list[Any]:
    """What calls answer that all wait for a row: `held` is the rows, as a query."""
    racers = [Racer(call) for call in calls]
    with transaction.atomic():
        assert list(held.select_for_update())
        for racer in racers:
            racer.start()
        end = time.monotonic() + 10
        while waiting() < len(racers):
            assert time.monotonic() < end, "the calls do not ask for the row"
            time.sleep(0.002)
    return finish(racers)


def told(game: Game, *events: str) -> list[str]:
    return list(game.entries.filter(text__in=events).order_by("number").values_list("text", flat=True))


# -- pauses -------------------------------------------------------------------------------------


@both_orders
def test_of_two_who_agree_at_once_the_second_sees_the_table_first(swapped: bool) -> None:
    game = running("Ana", "Bogdan")
    answers = race(game, pausing(pauses.agree, game, "Ana"), pausing(pauses.agree, game, "Bogdan"), swapped=swapped)
    assert sorted(answers) == ["agree", "stale"]
    assert (fresh(game).paused_at, told(game, "pause_asked", "pause_agreed")) == (None, ["pause_asked"])


@both_orders
def test_the_last_to_agree_and_the_player_on_turn(swapped: bool) -> None:
    game = running("Ana", "Bogdan")
    pausing(pauses.agree, game, "Ana")()
    answers = race(game, click(game, "S"), pausing(pauses.agree, game, "Bogdan"), swapped=swapped)
    assert answers == (["stale", "agree"] if swapped else ["played", "stale"])
    assert (fresh(game).paused_at is not None) == swapped


@both_orders
def test_agreeing_and_refusing(swapped: bool) -> None:
    game = running("Ana", "Bogdan", "Chloé")
    pausing(pauses.agree, game, "Ana")()
    answers = race(game, pausing(pauses.agree, game, "Bogdan"), pausing(pauses.refuse, game, "Chloé"), swapped=swapped)
    assert sorted(answers) == sorted(["stale", "refuse" if swapped else "agree"])


def test_two_who_end_a_pause_at_once_end_it_once() -> None:
    game = running("Ana", "Bogdan")
    for name in ("Ana", "Bogdan"):
        pausing(pauses.agree, game, name)()
    later = NOON + HOUR
    answers = race(
        game, pausing(pauses.resume, game, "Ana", now=later), pausing(pauses.resume, game, "Bogdan", now=later),
        lambda: pauses.lapse(game_id=game.pk, now=NOON + pauses.LONGEST_PAUSE),
    )  # fmt: skip
    assert answers == ["resume", "stale", False]
    assert (fresh(game).deadline, told(game, "resumed")) == (later + DAY, ["resumed"])


@both_orders
def test_the_last_to_agree_and_time_that_runs_out(swapped: bool) -> None:
    game = running("Ana", "Bogdan")
    pausing(pauses.agree, game, "Ana")()
    agree = pausing(pauses.agree, game, "Bogdan", now=NOON + DAY)
    answers = race(game, agree, lambda: turns.expire(game_id=game.pk, now=NOON + DAY), swapped=swapped)
    assert answers == (["stale", True] if swapped else ["agree", False])


# -- vacations ----------------------------------------------------------------------------------


def planning(name: str, first: int, last: int) -> Call:
    user, today = player(name), NOON.date()

    def call() -> str:
        try:
            absence.plan(user=user, first=today + first * DAY, last=today + last * DAY, now=NOON)
        except absence.NoVacation as fault:
            return fault.code
        return "planned"

    return call


def test_two_vacations_planned_at_once_become_one() -> None:
    ana = player("Ana")
    answers = together(type(ana).objects.filter(pk=ana.pk), planning("Ana", 0, 20), planning("Ana", 5, 25))
    assert sorted(answers) == ["one_already", "planned"]
    assert Vacation.objects.count() == 1


def test_ended_twice_at_once_it_ends_once() -> None:
    ana = player("Ana")
    planning("Ana", 0, 3)()
    ends = [lambda: absence.end(user=ana, now=NOON + HOUR)] * 2
    assert sorted(together(type(ana).objects.filter(pk=ana.pk), *ends)) == [False, True]


@both_orders
def test_going_away_and_a_move_that_ends_the_turn(swapped: bool) -> None:
    game = running("Ana", "Bogdan")
    turns.play(code=game.code, user=player("Ana"), move="S", version=fresh(game).version, now=NOON)
    planning("Ana", 0, 3)()
    card = fresh(game).deals.get().hands.get(seat=0).cards[0]
    settle = lambda: vacations.settle(game_id=game.pk, now=NOON + HOUR)  # noqa: E731
    answers = race(game, click(game, f"D:{card}"), settle, swapped=swapped)
    # stopped first, the page that Ana saw is old
    assert answers == (["stale", True] if swapped else ["played", False])
    assert fresh(game).left == (DAY if swapped else None)  # it stands from when the vacation began


def test_a_turn_passed_to_somebody_who_goes_away_meanwhile_is_found_by_the_sweep() -> None:
    """The move had read who is away before; the vacation began before it was committed."""
    game = running("Ana", "Bogdan")
    planning("Bogdan", 0, 3)()
    Game.objects.filter(pk=game.pk).update(to_move=1)
    assert vacations.unsettled(now=NOON) == [game.pk]


def test_two_sweeps_stop_a_clock_once() -> None:
    game = running("Ana", "Bogdan")
    planning("Ana", 0, 3)()
    race(game, *[lambda at=at: vacations.settle(game_id=game.pk, now=NOON + at * HOUR) for at in (1, 2)])
    assert (fresh(game).left, told(game, "vacation")) == (DAY, ["vacation"])


@both_orders
def test_going_away_and_time_that_runs_out(swapped: bool) -> None:
    game = running("Ana", "Bogdan")
    planning("Ana", 0, 3)()
    settle = lambda: vacations.settle(game_id=game.pk, now=NOON + DAY)  # noqa: E731
    race(game, settle, lambda: turns.expire(game_id=game.pk, now=NOON + DAY), swapped=swapped)
    assert (fresh(game).to_move, fresh(game).left, told(game, "vacation")) == (0, DAY, ["vacation"])


# -- outages ------------------------------------------------------------------------------------


def test_two_sweeps_after_a_silence_note_one_outage() -> None:
    awake(NOON)
    beats = [lambda: outages.beat(now=NOON + HOUR)] * 2
    together(Watch.objects.all(), *beats)
    assert [(outage.began, outage.ended) for outage in Outage.objects.all()] == [(NOON, NOON + HOUR)]


def test_two_first_sweeps_of_all_leave_one_watch() -> None:
    racers = [Racer(lambda: outages.beat(now=NOON)) for _sweep in range(2)]
    for racer in racers:
        racer.start()
    finish(racers)
    assert Watch.objects.get().beat == NOON


def test_work_begun_twice_at_once_is_begun_once() -> None:
    awake(NOON)
    begin = [lambda: outages.begin_maintenance(reason="", now=NOON)] * 2
    assert sorted(together(Watch.objects.all(), *begin)) == [False, True]
    end = [lambda: outages.end_maintenance(now=NOON + HOUR)] * 2
    assert sorted(together(Watch.objects.all(), *end)) == [False, True]
    assert Outage.objects.count() == 1


def silence(hours: int = 3) -> datetime:
    """The site was away from an hour after noon on; when it was back."""
    awake(NOON + HOUR)
    end = NOON + HOUR + hours * HOUR
    outages.beat(now=end)
    return end


@both_orders
def test_an_outage_applied_and_a_turn_that_would_run_out(swapped: bool) -> None:
    game = running("Ana", "Bogdan")
    end = silence(25)
    push: Call = lambda: outages.push(game_ids=[game.pk], now=end)  # noqa: E731
    race(game, push, lambda: turns.expire(game_id=game.pk, now=end), swapped=swapped)
    assert (fresh(game).to_move, fresh(game).deadline) == (0, NOON + DAY + 25 * HOUR)
    assert told(game, "pushed") == ["pushed"]


@both_orders
def test_an_outage_applied_and_a_pause(swapped: bool) -> None:
    game = running("Ana", computers=1)
    end = silence()
    agree = pausing(pauses.agree, game, "Ana", now=end)
    answers = race(game, lambda: outages.push(game_ids=[game.pk], now=end), agree, swapped=swapped)
    assert answers[1] == ("agree" if swapped else "stale")
    assert (fresh(game).left, fresh(game).deadline) == ((23 * HOUR, None) if swapped else (None, NOON + 27 * HOUR))


def test_a_second_worker_does_nothing_while_the_first_applies() -> None:
    game = running("Ana", "Bogdan")
    end = silence()
    first = Racer(lambda: outages.apply(now=end))
    with transaction.atomic():
        lock(pk=game.pk)
        first.start()
        until(lambda: waiting() == 1)
        assert outages.apply(now=end) is False
    assert finish([first]) == [True]
    assert (fresh(game).deadline, told(game, "pushed")) == (NOON + 27 * HOUR, ["pushed"])


def copies(game: Game, count: int) -> list[int]:
    """So many more running games like this one; the ids of all."""
    columns = ", ".join(f'"{field.column}"' for field in Game._meta.concrete_fields if field.name not in ("id", "code"))
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO games_game (code, {columns}) SELECT 'copy' || n, {columns}"
            " FROM games_game CROSS JOIN generate_series(1, %s) AS n WHERE id = %s",
            [count, game.pk],
        )
    return list(Game.objects.order_by("pk").values_list("pk", flat=True))


def given(ids: list[int]) -> list[int]:
    """How often each of these games has been given time, by its log."""
    rows = Entry.objects.filter(text="pushed").values_list("game", flat=True)
    return [list(rows).count(pk) for pk in ids]


def test_a_worker_killed_half_way_leaves_the_rest_to_the_next_and_nothing_is_given_twice(worker: Worker) -> None:
    ids = copies(running("Ana", "Bogdan"), 2 * outages.TOGETHER - 1)
    end = silence()
    with transaction.atomic():
        lock(pk=ids[-1])
        assert celery.send("games.tasks.apply_outages")
        until(lambda: waiting() == 1)
        worker.kill()
    assert given(ids) == [1] * outages.TOGETHER + [0] * outages.TOGETHER
    assert Outage.objects.get().applied_at is None
    worker.start()
    assert celery.send("games.tasks.apply_outages")
    until(lambda: Outage.objects.get().applied_at is not None)
    assert given(ids) == [1] * len(ids)
    assert set(Game.objects.values_list("deadline", flat=True)) == {NOON + DAY + (end - NOON - HOUR)}


def test_the_sweep_hands_it_to_a_worker(worker: Worker) -> None:
    games = [running("Ana", "Bogdan", now=datetime.now(NOON.tzinfo) - 23 * HOUR) for _game in range(2)]
    awake(datetime.now(NOON.tzinfo) - 2 * HOUR)
    before = fresh(games[0]).deadline
    assert before is not None and celery.send("games.tasks.sweep")
    until(lambda: Outage.objects.filter(applied_at__isnull=False).exists())
    for game in games:
        deadline = fresh(game).deadline
        assert deadline is not None and timedelta(0) <= deadline - before - 2 * HOUR < timedelta(minutes=1)


def test_a_vacation_stops_the_clock_at_once_and_not_with_the_next_sweep(worker: Worker) -> None:
    now = datetime.now(NOON.tzinfo)
    game = running("Ana", "Bogdan", now=now)
    absence.plan(user=player("Ana"), first=now.date(), last=now.date(), now=now)
    until(lambda: fresh(game).away)
    absence.end(user=player("Ana"), now=datetime.now(NOON.tzinfo))
    until(lambda: not fresh(game).away)
    left = fresh(game).deadline
    assert left is not None and left > now + DAY
    assert told(game, "vacation", "vacation_over") == ["vacation", "vacation_over"]

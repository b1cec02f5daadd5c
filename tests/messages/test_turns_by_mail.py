"""A turn as its player hears of it: asked, hurried twice by the deadline as it is then, excused, missed, and left in peace."""

from __future__ import annotations

from datetime import datetime, time, timedelta

import pytest

from accounts.models import Message
from games.models import Game
from games.services import clocks, pauses, store, turns
from tests.games.playing import DAY, fresh, play, player, quick_turn, running
from tests.messages.sink import Sink
from tests.messages.telling import NOON, go, person, went

pytestmark = pytest.mark.django_db
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture
def game() -> Game:
    """Ana is on turn for a day from noon. Bogdan hears nothing."""
    person("Ana")
    return running("Ana", "Bogdan", title="Vineri", now=NOON)


def heard(sink: Sink) -> list[str]:
    """The letters that Ana has got, by their subjects."""
    return [subject.replace(" at “Vineri”", "") for subject in sink.by_receiver().get("ana@example.org", [])]


def each_half_hour(sink: Sink, *, until: datetime, start: datetime = NOON) -> list[tuple[float, str]]:
    """When in hours after noon Ana has got which letter."""
    found, now, count = [], start, len(heard(sink))
    while now <= until:
        go(now)
        found += [((now - NOON) / HOUR, subject) for subject in heard(sink)[count:]]
        count, now = len(heard(sink)), now + HOUR / 2
    return found


TURN = "Your turn"


def test_a_turn_is_told_at_once_and_hurried_twice(sink: Sink, game: Game) -> None:
    assert each_half_hour(sink, until=NOON + DAY - MINUTE) == [
        (0.0, TURN),
        (19.5, "Your time: 4 h 30 min"),
        (23.0, "Your time: 1 h"),
    ]


def test_by_the_share_that_the_player_chose(sink: Sink) -> None:
    person("Ana", hurry=50)
    running("Ana", "Bogdan", title="Vineri", now=NOON)
    assert each_half_hour(sink, until=NOON + 20 * HOUR) == [(0.0, TURN), (12.0, "Your time: 12 h")]


def test_played_before_the_letter_goes_nothing_is_sent(sink: Sink, game: Game) -> None:
    quick_turn(game, now=NOON + MINUTE)
    go(NOON + 2 * MINUTE)
    assert (heard(sink), went(player("Ana"))) == ([], [("started", "read")])


def test_played_in_time_nobody_hurries(sink: Sink, game: Game) -> None:
    go()
    quick_turn(game, now=NOON + HOUR)
    assert each_half_hour(sink, start=NOON + HOUR, until=NOON + DAY) == []


def test_half_a_turn_is_none(sink: Sink, game: Game) -> None:
    go()
    play(game, "S", now=NOON + HOUR)
    assert [subject for _at, subject in each_half_hour(sink, until=NOON + 20 * HOUR)] == ["Your time: 4 h 30 min"]


def test_an_excused_turn_begins_anew_and_is_hurried_anew(sink: Sink) -> None:
    person("Ana")
    game = running("Ana", "Bogdan", title="Vineri", excuses=1, now=NOON)
    each_half_hour(sink, until=NOON + DAY - HOUR / 2)
    turns.expire(game_id=game.pk, now=NOON + DAY)
    assert each_half_hour(sink, start=NOON + DAY, until=NOON + 2 * DAY - MINUTE) == [
        (24.0, TURN),
        (43.5, "Your time: 4 h 30 min"),
        (47.0, "Your time: 1 h"),
    ]


def test_a_missed_turn_is_told(sink: Sink) -> None:
    person("Ana")
    game = running("Ana", "Bogdan", title="Vineri", excuses=0, now=NOON)
    go()
    turns.expire(game_id=game.pk, now=NOON + DAY)
    assert each_half_hour(sink, start=NOON + DAY, until=NOON + DAY) == [(24.0, "Your time ran out")]


def test_after_a_pause_a_short_turn_is_hurried_in_time(sink: Sink) -> None:
    person("Ana")
    game = running("Ana", "Bogdan", title="Vineri", now=NOON, turn_time=5 * MINUTE)
    go(NOON)
    for name in ("Ana", "Bogdan"):
        pauses.agree(code=game.code, user=player(name), version=fresh(game).version, now=NOON + 3 * MINUTE)
    for minute in (4, 14):
        go(NOON + minute * MINUTE)
    pauses.resume(code=game.code, user=player("Bogdan"), version=fresh(game).version, now=NOON + 15 * MINUTE)
    for minute in (15, 16):
        go(NOON + minute * MINUTE)
    assert heard(sink) == [TURN, "Your time: 1 min"]


def test_through_a_pause_nobody_hurries_and_afterwards_by_the_new_deadline(sink: Sink, game: Game) -> None:
    go()
    for name in ("Ana", "Bogdan"):
        pauses.agree(code=game.code, user=player(name), version=fresh(game).version, now=NOON + HOUR)
    paused = each_half_hour(sink, start=NOON + HOUR, until=NOON + 30 * HOUR)
    assert [subject for _at, subject in paused if "time" in subject] == []
    pauses.resume(code=game.code, user=player("Bogdan"), version=fresh(game).version, now=NOON + 30 * HOUR)
    assert fresh(game).deadline == NOON + 53 * HOUR
    hurried = each_half_hour(sink, start=NOON + 30 * HOUR, until=NOON + 53 * HOUR - MINUTE)
    assert [(at, subject) for at, subject in hurried if "time" in subject] == [
        (48.5, "Your time: 4 h 30 min"),
        (52.0, "Your time: 1 h"),
    ]


def test_a_pushed_deadline_is_hurried_for_as_it_is_now(sink: Sink, game: Game) -> None:
    go()
    locked = store.lock(pk=game.pk)
    clocks.push(locked, 5 * HOUR)
    locked.save()
    assert each_half_hour(sink, until=NOON + 29 * HOUR - MINUTE)[:1] == [(24.5, "Your time: 4 h 30 min")]


def test_a_clock_pushed_far_after_the_first_warning_is_warned_of_anew(sink: Sink, game: Game) -> None:
    each_half_hour(sink, until=NOON + 20 * HOUR)
    locked = store.lock(pk=game.pk)
    clocks.push(locked, 10 * HOUR)
    locked.save()
    hurried = each_half_hour(sink, start=NOON + 20 * HOUR, until=NOON + 34 * HOUR - MINUTE)
    assert hurried == [(29.5, "Your time: 4 h 30 min"), (33.0, "Your time: 1 h")]


def test_in_quiet_hours_it_waits_and_says_how_much_is_left_then(sink: Sink) -> None:
    person("Ana", quiet_from=time(6), quiet_to=time(10))
    running("Ana", "Bogdan", title="Vineri", now=NOON)
    assert each_half_hour(sink, until=NOON + DAY - MINUTE) == [
        (0.0, TURN),
        (22.0, "Your time: 2 h"),
        (23.0, "Your time: 1 h"),
    ]


def test_what_became_of_each_letter_is_kept(sink: Sink, game: Game) -> None:
    each_half_hour(sink, until=NOON + 20 * HOUR)
    quick_turn(game, now=NOON + 20 * HOUR)
    quick_turn(game, now=NOON + 21 * HOUR)
    quick_turn(game, now=NOON + 22 * HOUR)
    go(NOON + 22 * HOUR)
    assert went(player("Ana")) == [("started", "replaced"), ("turn", "sent"), ("hurry", "sent")]
    closed = Message.objects.filter(user=player("Ana")).order_by("pk").values_list("kind", "closed")
    assert list(closed) == [("started", ""), ("turn", "played"), ("hurry", "played"), ("turn", "played")]

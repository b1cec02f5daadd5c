"""The clock of a table in forms and words: made, refused, told before joining in the reader's time and language."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone, translation

from accounts.models import User
from games.forms import USUAL_TABLE
from games.models import Game
from games.presenters.pace_terms import pace, pace_badges, pace_terms
from games.presenters.times import time_of
from games.services import clocks, tables
from tests.games.pages import HTMX, visitor, words
from tests.games.playing import DAY, NOON, open_table, player, running

pytestmark = pytest.mark.django_db

URL = "/tables/new/"
SUMMER, WINTER = datetime(2026, 7, 1, tzinfo=UTC), datetime(2026, 1, 7, tzinfo=UTC)
HOURS: dict[str, Any] = {"deadline_hour": 20, "quiet_from": 22, "quiet_to": 8, "zone": "Europe/Bucharest"}
BANK: dict[str, Any] = {"increment": timedelta(hours=4), "bank_cap": 2 * DAY}


def answers(**changed: Any) -> dict[str, Any]:
    return {**USUAL_TABLE, "variant": "rami500", "title": "Ours", **changed}


def told(reader: str = "UTC", language: str = "en", now: datetime = WINTER, **terms: Any) -> dict[str, str]:
    """The terms of the clock as somebody reads them there."""
    game = Game(**{"variant": "rami500", "seat_count": 2, "options": {}, "turn_time": DAY} | terms)
    with translation.override(language), timezone.override(ZoneInfo(reader)):
        return dict(pace_terms(game, now=now))


def badges(reader: str, **terms: Any) -> list[str]:
    with translation.override("en"), timezone.override(ZoneInfo(reader)):
        return pace_badges(Game(turn_time=DAY, **terms), now=WINTER)


# -- the form ----------------------------------------------------------------------------------------


def test_a_table_is_made_with_the_clock_that_was_asked_for() -> None:
    chosen = {"deadline_hour": "20", "quiet_from": "22", "quiet_to": "8", "weekend_pause": "on", "zone": "Europe/Bucharest"}
    visitor("Ana").post(URL, answers(pace="14d", **chosen))
    game = Game.objects.get()
    assert (game.turn_time, game.increment, game.bank_cap) == (14 * DAY, None, None)
    assert (game.deadline_hour, game.quiet_from, game.quiet_to) == (20, 22, 8)
    assert (game.weekend_pause, game.zone) == (True, "Europe/Bucharest")


@pytest.mark.parametrize(("cap", "most"), [("1", DAY), ("2", 2 * DAY)])
def test_a_table_is_made_with_banks(cap: str, most: timedelta) -> None:
    visitor("Ana").post(URL, answers(bank="4h", cap=cap))
    game = Game.objects.get()
    assert (game.turn_time, game.increment, game.bank_cap) == (DAY, timedelta(hours=4), most)
    assert game.seats.get().bank == DAY


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"bank": "1d", "pace": "8h"}, "More would be added for one turn than the bank holds."),
        ({"bank": "5m", "pace": "5m", "cap": "3"}, "There is no such choice."),
        ({"bank": "1y"}, "There is no such choice."),
        ({"quiet_from": "22"}, "Quiet hours need a beginning and an end."),
        ({"quiet_to": "8"}, "Quiet hours need a beginning and an end."),
        ({"quiet_from": "8", "quiet_to": "8"}, "These quiet hours end when they begin."),
        ({"deadline_hour": "23", "quiet_from": "22", "quiet_to": "8"}, "This hour lies in the quiet hours"),
        ({"deadline_hour": "13", "quiet_from": "12", "quiet_to": "14"}, "This hour lies in the quiet hours"),
        ({"deadline_hour": "24"}, "There is no such choice."),
        ({"quiet_from": "-1", "quiet_to": "1e1"}, "There is no such choice."),
        ({"zone": "Europe/Atlantis"}, "There is no such choice."),
        ({"zone": "Europe/Kiev"}, "There is no such choice."),  # the alias of another
        ({"zone": ""}, "Something is missing here"),
    ],
)
def test_a_clock_that_cannot_be_is_refused_in_a_sentence(changed: dict[str, str], sentence: str) -> None:
    answer = visitor("Ana").post(URL, answers(**changed))
    assert answer.status_code == 422
    assert sentence in words(answer)
    assert '<details class="panel fold of-clock" open>' in answer.content.decode()
    assert not Game.objects.exists()


def test_the_hours_are_those_of_the_maker_s_zone_unless_chosen() -> None:
    ana = player("Ana")
    ana.time_zone = "Europe/Paris"
    ana.save()
    assert '<option value="Europe/Paris" selected>Paris</option>' in visitor("Ana").get(URL).content.decode()


def test_the_clock_is_folded_away_until_it_is_another_than_usual() -> None:
    usual, other = open_table("Ana"), open_table("Ana", **HOURS)
    client = visitor("Ana")
    assert '<details class="panel fold of-clock">' in client.get(f"{URL}?like={usual.code}").content.decode()
    page = client.get(f"{URL}?like={other.code}").content.decode()
    assert '<details class="panel fold of-clock" open>' in page
    for chosen in ('<option value="20" selected>20:00', '<option value="22" selected>22:00', '<option value="8" selected>08:00'):
        assert chosen in page
    assert '<option value="Europe/Bucharest" selected>Bucharest' in page


def test_a_table_like_one_with_banks_has_banks() -> None:
    game = open_table("Ana", **BANK, weekend_pause=True)
    page = visitor("Ana").get(f"{URL}?like={game.code}").content.decode()
    assert '<option value="4h" selected>+ 4 h a turn' in page
    assert '<option value="2" selected>Twice as much' in page
    assert re.search(r'<input type="checkbox" name="weekend_pause"[^>]* checked', page)


def test_the_terms_follow_the_clock_that_is_chosen() -> None:
    ana = visitor("Ana")
    User.objects.update(time_zone="UTC")
    answer = ana.get(URL, answers(deadline_hour="20", zone="UTC"), headers=HTMX)
    assert "Deadline hour every turn ends at 20:00, the first after its time is up" in words(answer)


def test_the_same_table_with_another_clock_is_another_table() -> None:
    client = visitor("Ana")
    with time_machine.travel(NOON, tick=False):
        client.post(URL, answers())
        client.post(URL, answers())
        assert Game.objects.count() == 1
        for changed in ({"bank": "4h"}, {"deadline_hour": "20"}, {"weekend_pause": "on"}, {"zone": "Europe/Paris"}):
            client.post(URL, answers(**changed))
    assert Game.objects.count() == 5


def test_what_is_not_named_is_as_usual_when_two_taps_are_compared() -> None:
    ana = player("Ana")
    usual: dict[str, Any] = {"variant": "rami500", "seats": 2, "options": {}, "turn_time": DAY, "now": NOON}
    tables.create_once(maker=ana, **usual, **BANK)
    tables.create_once(maker=ana, **usual)
    tables.create_once(maker=ana, **usual)
    assert list(Game.objects.order_by("pk").values_list("increment", flat=True)) == [BANK["increment"], None]


# -- in words ----------------------------------------------------------------------------------------


def test_a_table_as_usual_says_how_long_a_turn_may_take_and_no_more() -> None:
    assert told() == {"Turn": "1 day"}
    assert badges("UTC") == []


def test_hours_are_told_in_both_zones_where_they_differ() -> None:
    assert told("Europe/Paris", **HOURS) == {
        "Turn": "1 day",
        "Deadline hour": "every turn ends at 20:00 (Bucharest; 19:00 for you), the first after its time is up",
        "Quiet hours": "no turn ends between 22:00 and 08:00 (Bucharest; 21:00 and 07:00 for you)",
    }
    assert badges("Europe/Paris", **HOURS) == ["turns end at 19:00", "quiet 21:00–07:00"]


@pytest.mark.parametrize("zone", ["Europe/Bucharest", "Europe/Athens"])
def test_they_are_told_once_where_they_do_not(zone: str) -> None:
    assert told(zone, **HOURS)["Deadline hour"] == "every turn ends at 20:00, the first after its time is up"
    assert told(zone, **HOURS)["Quiet hours"] == "no turn ends between 22:00 and 08:00"


def test_they_differ_by_the_offset_of_the_day() -> None:
    assert "(Bucharest; 18:00 for you)" in told(now=WINTER, **HOURS)["Deadline hour"]
    assert "(Bucharest; 17:00 for you)" in told(now=SUMMER, **HOURS)["Deadline hour"]
    assert "(Bucharest; 23:45 for you)" in told("Asia/Kathmandu", now=WINTER, **HOURS)["Deadline hour"]


@pytest.mark.parametrize(
    ("language", "deadline", "quiet"),
    [
        (
            "ro",
            "fiecare tură se încheie la 20:00 (București; 19:00 la tine), prima după ce i-a trecut timpul",
            "nicio tură nu se încheie între 22:00 și 08:00 (București; 21:00 și 07:00 la tine)",
        ),
        (
            "fr",
            "chaque tour finit à 20:00 (Bucarest ; 19:00 chez vous), dès que son temps est écoulé",
            "aucun tour ne finit entre 22:00 et 08:00 (Bucarest ; 21:00 et 07:00 chez vous)",
        ),
    ],
)
def test_hours_are_told_in_every_language(language: str, deadline: str, quiet: str) -> None:
    assert list(told("Europe/Paris", language, **HOURS).values())[1:] == [deadline, quiet]


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("Europe/Bucharest", "the clock stands from Saturday 00:00 to Monday 00:00"),
        (
            "America/New_York",
            "the clock stands from Saturday 00:00 to Monday 00:00 (Bucharest; Friday 17:00 to Sunday 17:00 for you)",
        ),
        (
            "Asia/Tokyo",
            "the clock stands from Saturday 00:00 to Monday 00:00 (Bucharest; Saturday 07:00 to Monday 07:00 for you)",
        ),
    ],
)
def test_weekends_are_told_with_the_days_they_are_for_the_reader(zone: str, words: str) -> None:
    assert told(zone, weekend_pause=True, zone="Europe/Bucharest")["Weekends"] == words


def test_to_whom_no_zone_is_known_the_hours_are_told_where_they_are_and_not_for_you() -> None:
    player("Bogdan")
    game = open_table("Ana", seats=2, weekend_pause=True, **HOURS)
    unknown = words(visitor().get(f"/t/{game.code}/"))
    assert "every turn ends at 20:00 (Bucharest), the first after its time is up" in unknown
    assert "no turn ends between 22:00 and 08:00 (Bucharest)" in unknown
    assert "the clock stands from Saturday 00:00 to Monday 00:00 (Bucharest)" in unknown and "for you" not in unknown
    known = visitor()
    known.cookies["time_zone"] = "UTC"
    assert "(Bucharest; 18:00 for you)" in words(known.get(f"/t/{game.code}/"))
    lobby = words(visitor("Bogdan").get("/lobby/"))
    assert "turns end at 20:00 (Bucharest)" in lobby and "quiet 22:00–08:00 (Bucharest)" in lobby
    User.objects.filter(username="Bogdan").update(time_zone="Europe/Paris")
    assert "turns end at 19:00" in words(visitor("Bogdan").get("/lobby/"))


def test_a_bank_says_what_it_holds_what_is_added_and_what_an_empty_one_leaves() -> None:
    assert told(**BANK) == {
        "Turn": "each player’s turns use up a bank of 1 day; a turn finished adds 4 h, up to 2 days",
        "Bank empty": "4 h for a turn",
    }


def test_each_seat_shows_its_bank_while_its_clock_does_not_run() -> None:
    game = running("Ana", "Bogdan", "Chloé", **BANK)
    game.seats.filter(index=1).update(bank=timedelta(0))
    game.seats.filter(index=2).update(bank=timedelta(hours=30))
    with time_machine.travel(NOON, tick=False):
        ana, bogdan = (words(visitor(name).get(f"/t/{game.code}/")) for name in ("Ana", "Bogdan"))
    assert "bank empty" in ana and "bank 30 h" in ana
    assert "bank 24 h" not in ana and "24 h left" in ana  # the own clock is the own bank
    assert "Your hand waits here · bank empty" in bogdan
    assert "bank 30 h" in bogdan and "bank 24 h" not in bogdan and "24 h" in bogdan


def test_a_table_without_banks_shows_none() -> None:
    game = running("Ana", "Bogdan")
    assert "bank" not in words(visitor("Bogdan").get(f"/t/{game.code}/"))


def test_a_bank_to_which_nothing_is_added_leaves_five_minutes() -> None:
    assert told(increment=timedelta(0), bank_cap=DAY) == {
        "Turn": "each player’s turns use up a bank of 1 day",
        "Bank empty": "5 min for a turn",
    }


@pytest.mark.parametrize(("start", "time"), [(timedelta(hours=1), "1 h"), (7 * DAY, "1 day")])
def test_with_banks_the_exchange_of_doubles_has_a_time_of_its_own(start: timedelta, time: str) -> None:
    bank = BANK | {"turn_time": start, "bank_cap": 14 * DAY}
    assert told(variant="etalat", **bank)["Exchange"] == f"{time} to answer, which no bank pays for"
    assert "Exchange" not in told(variant="etalat", options={"exchange": False}, **bank)


def test_a_list_says_the_pace_in_a_word_or_two() -> None:
    with translation.override("en"):
        assert pace(Game(turn_time=DAY)) == "1 day a turn"
        assert pace(Game(turn_time=DAY, **BANK)) == "bank of 1 day + 4 h a turn"


def test_the_clock_is_told_before_joining_in_the_lobby_and_at_the_table() -> None:
    game = open_table("Bogdan", **HOURS, weekend_pause=True)
    client = visitor("Ana")
    client.cookies["time_zone"] = "Europe/Paris"
    with time_machine.travel(WINTER, tick=False):
        assert "turns end at 19:00 quiet 21:00–07:00 weekends off" in words(client.get("/lobby/"))
        page = words(client.get(f"/t/{game.code}/"))
    assert "Deadline hour every turn ends at 20:00 (Bucharest; 19:00 for you)" in page
    assert "Quiet hours no turn ends between 22:00 and 08:00 (Bucharest; 21:00 and 07:00 for you)" in page


def test_the_banks_are_told_at_the_table() -> None:
    game = running("Ana", "Bogdan", computers=1, **BANK)
    assert "In the banks You 24 h, Bogdan 24 h" in words(visitor("Ana").get(f"/t/{game.code}/"))
    game.seats.filter(index=0).update(bank=timedelta(0))
    assert "In the banks Ana empty, You 24 h" in words(visitor("Bogdan").get(f"/t/{game.code}/"))
    assert "In the banks" not in words(visitor("Ana").get(f"/t/{running('Ana', 'Bogdan').code}/"))


# -- a deadline in words -----------------------------------------------------------------------------


def clock_of(game: Game, now: datetime, reader: str) -> tuple[str, str]:
    """What the clock of a table says to a reader there: how long is left, and until when."""
    with translation.override("en"), timezone.override(ZoneInfo(reader)):
        time = time_of(game, now)
        assert time is not None and not time.stands
        return time.left, time.until


def test_a_turn_that_would_end_in_quiet_hours_is_told_with_their_end() -> None:
    at_four = NOON + timedelta(hours=4)  # six in Bucharest: eight hours later it is two at night there
    game = running("Ana", "Bogdan", turn_time=timedelta(hours=8), quiet_from=22, quiet_to=8, zone="Europe/Bucharest", now=at_four)
    assert clock_of(game, at_four, "Europe/Bucharest") == ("14 h", "until Mon 08:00")
    assert clock_of(game, at_four, "Europe/Paris") == ("14 h", "until Mon 07:00")
    assert clock_of(game, at_four, "Asia/Tokyo") == ("14 h", "until 15:00 today")
    midnight = at_four + timedelta(hours=6)
    assert clock_of(game, midnight, "Europe/Bucharest") == ("8 h", "until 08:00 today")
    assert clock_of(game, midnight, "Europe/Paris") == ("8 h", "until Mon 07:00")


def test_a_turn_over_a_weekend_is_told_with_the_day_on_which_it_ends() -> None:
    friday = datetime(2026, 3, 6, 18, 0, tzinfo=UTC)  # eight in the evening in Bucharest: four hours before the weekend
    game = running("Ana", "Bogdan", turn_time=timedelta(hours=8), weekend_pause=True, zone="Europe/Bucharest", now=friday)
    assert clock_of(game, friday, "Europe/Bucharest") == ("2 d 8 h", "until Mon 04:00")
    assert clock_of(game, friday, "America/New_York") == ("2 d 8 h", "until Sun 22:00")
    saturday = datetime(2026, 3, 7, 10, 0, tzinfo=UTC)
    assert clock_of(game, saturday, "Europe/Bucharest") == ("40 h", "until Mon 04:00")


def test_a_weekend_in_which_the_clocks_change_is_told_by_the_clocks_of_monday() -> None:
    friday = datetime(2026, 3, 27, 18, 0, tzinfo=UTC)  # on Sunday Europe loses an hour, and Tokyo does not
    game = running("Ana", "Bogdan", turn_time=timedelta(hours=8), weekend_pause=True, zone="Europe/Bucharest", now=friday)
    assert clock_of(game, friday, "Europe/Bucharest") == ("2 d 7 h", "until Mon 04:00")
    assert clock_of(game, friday, "Asia/Tokyo") == ("2 d 7 h", "until Mon 10:00")


# -- a clock that stands -----------------------------------------------------------------------------


def _stand(game: Game, now: datetime) -> None:
    """Stop the clock as for a vacation."""
    game.away, game.away_for, game.away_since, game.away_until = True, 1, now, now + 30 * DAY
    clocks.set_running(game, now=now)
    game.save()


def test_a_frozen_clock_says_by_whom_and_until_when() -> None:
    game = running("Ana", "Bogdan")
    game.frozen_until = NOON + 3 * DAY
    clocks.set_running(game, now=NOON)
    game.save()
    with time_machine.travel(NOON + DAY, tick=False):
        for name in ("Ana", "Bogdan"):
            assert "Frozen by a referee, until Wed 4 Mar 12:00 at the latest" in words(visitor(name).get(f"/t/{game.code}/"))
        assert "Frozen by a referee." in words(visitor("Ana").get("/tables/"))


def test_a_clock_that_stands_shows_what_is_left() -> None:
    game = running("Ana", "Bogdan")
    _stand(game, NOON + timedelta(hours=4))
    with translation.override("en"):
        assert time_of(game, NOON + 9 * DAY) == ("PT72000S", "20 h", "the clock stands", False, True)
    with time_machine.travel(NOON + 9 * DAY, tick=False):
        assert "Your turn 20 h left, the clock stands" in words(visitor("Ana").get(f"/t/{game.code}/"))
        assert "Ana to move, the clock stands" in words(visitor("Bogdan").get(f"/t/{game.code}/"))
        assert "20 h the clock stands" in words(visitor("Ana").get("/tables/"))


def test_in_the_exchange_of_doubles_nothing_is_told_but_that_it_stands() -> None:
    game = running("Ana", "Bogdan", variant="etalat", seed="tiles 12")
    _stand(game, NOON)
    assert "The clock stands" in words(visitor("Bogdan").get(f"/t/{game.code}/"))

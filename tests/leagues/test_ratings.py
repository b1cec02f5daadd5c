"""Ratings from matches that were played: once each, in the order in which they ended, and anew where a result changes."""

from __future__ import annotations

import random
import threading
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from accounts.leagues import tasks
from accounts.leagues.ratings import selectors
from accounts.leagues.ratings.results import results
from accounts.leagues.ratings.services import mark, mark_again, rate, rerate
from accounts.models import RatedMatch, Rating, User
from accounts.people.signals import guest_signed_up
from games import signals
from games.models import Game, Seat, Tenure
from games.services import turns
from tests.games.playing import DAY, NOON, OUT_OF_TWO, play, player, running, settle
from tests.leagues.finished import deals, over, takes_over

pytestmark = pytest.mark.django_db


def now_rated(variant: str = "rami500") -> dict[str, tuple[float, int]]:
    """By name, the present rating and the number of matches."""
    found = {}
    for row in Rating.objects.filter(variant=variant).select_related("user").order_by("at", "match"):
        found[row.user.username if row.user else row.bot] = (row.mu, row.matches)
    return found


def placed(game: Game) -> dict[str, int]:
    names: dict[Any, str] = dict(User.objects.values_list("pk", "username"))
    return {names.get(seat.holder.user, seat.holder.bot): seat.place for seat in results([game.pk])[game.pk]}


# -- results -------------------------------------------------------------------------------------


def test_points_make_the_places_who_is_level_shares_one_and_who_resigned_is_last() -> None:
    game = over(("Ana", 210), ("Bogdan", 510), ("Clara", 210), ("Dan", 600), resigned=("Dan",))

    assert placed(game) == {"Bogdan": 1, "Ana": 2, "Clara": 2, "Dan": 4}


def test_two_who_resigned_are_level_behind_who_stayed_whatever_their_points() -> None:
    game = over(("Ana", -90), ("Bogdan", 310), ("Clara", 250), resigned=("Bogdan", "Clara"))

    assert placed(game) == {"Ana": 1, "Bogdan": 2, "Clara": 2}


def test_guests_are_left_out_and_the_others_placed_among_themselves() -> None:
    game = over(("+Guest", 510), ("Ana", 300), ("*greedy", 200))

    assert placed(game) == {"Ana": 1, "greedy": 2}


def test_a_seat_that_changed_hands_counts_for_who_held_it_for_most_of_the_deals() -> None:
    game = over(("Ana", 510), ("Bogdan", 100))
    deals(game, 5)
    takes_over(game, 1, "Clara", from_deal=3)
    assert placed(game) == {"Ana": 1, "Bogdan": 2}

    Tenure.objects.filter(game=game, user=player("Clara")).update(from_deal=2)
    assert placed(game) == {"Ana": 1, "Clara": 2}


def test_deals_that_are_void_do_not_say_who_held_a_seat_longest() -> None:
    game = over(("Ana", 510), ("Bogdan", 100))
    deals(game, 5)
    takes_over(game, 1, "Clara", from_deal=3)
    game.deals.filter(number__in=[0, 1]).update(voided=True)
    assert placed(game) == {"Ana": 1, "Clara": 2}

    game.deals.update(voided=True)
    assert placed(game) == {"Ana": 1, "Clara": 2}, "and where all are void, it is who holds it"


def test_where_two_held_a_seat_equally_long_the_result_is_the_later_one_s() -> None:
    game = over(("Ana", 510), ("Bogdan", 100))
    deals(game, 4)
    takes_over(game, 1, "Clara", from_deal=2)

    assert placed(game) == {"Ana": 1, "Clara": 2}


# -- rating --------------------------------------------------------------------------------------


def test_a_match_that_is_played_to_its_end_is_rated_by_its_task() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0], options={"target": None})
    play(game, OUT_OF_TWO[1])
    assert settle(game)
    assert selectors.games_to_rate() == ["rami500"]

    tasks.rate("rami500")

    assert {name: (round(mu, 2), matches) for name, (mu, matches) in now_rated().items()} == {
        "Ana": (1579.06, 1),
        "Bogdan": (1420.94, 1),
    }
    assert selectors.games_to_rate() == []


def test_a_match_is_rated_once_however_often_the_task_runs() -> None:
    over(("Ana", 510), ("Bogdan", 100))
    assert rate(variant="rami500") == 1
    before = list(Rating.objects.values())

    assert rate(variant="rami500") == 0
    assert rate(variant="rami500") == 0
    assert list(Rating.objects.values()) == before


def test_each_game_has_its_own_ratings() -> None:
    over(("Ana", 510), ("Bogdan", 100))
    over(("Ana", 100), ("Bogdan", 510), variant="remi500")
    rate(variant="rami500")
    assert set(now_rated("remi500")) == set()
    rate(variant="remi500")

    assert now_rated()["Ana"][0] > 1500 > now_rated("remi500")["Ana"][0]


def test_computer_players_are_rated_by_kind() -> None:
    over(("Ana", 510), ("*greedy", 100), ("*greedy", 90))
    over(("Bogdan", 10), ("*greedy", 500), at=NOON + DAY)
    rate(variant="rami500")

    assert now_rated()["greedy"][1] == 2
    assert set(now_rated()) == {"Ana", "Bogdan", "greedy"}


def test_a_match_of_a_guest_and_one_other_is_not_rated() -> None:
    over(("+Guest", 510), ("Ana", 300))

    assert rate(variant="rami500") == 1
    assert now_rated() == {}
    assert selectors.games_to_rate() == []


def test_once_a_guest_has_an_account_the_matches_count_for_all_who_played_them() -> None:
    over(("+Guest", 510), ("Ana", 300))
    over(("Ana", 510), ("Bogdan", 300), at=NOON + DAY)
    rate(variant="rami500")
    before = now_rated()["Ana"][0]

    User.objects.filter(username="Guest").update(is_guest=False)
    guest_signed_up.send(sender=User, user_id=player("Guest").pk)
    assert rate(variant="rami500") == 2

    assert set(now_rated()) == {"Ana", "Bogdan", "Guest"}
    assert now_rated()["Ana"][0] < before
    assert rerate(keep=False) == []


def test_the_sweep_finds_what_was_lost(monkeypatch: Any) -> None:
    over(("Ana", 510), ("Bogdan", 100))
    sent: list[Any] = []
    monkeypatch.setattr(tasks, "send", lambda name, *args, **kwargs: sent.append((name, *args)))

    tasks.sweep()

    assert ("accounts.leagues.tasks.rate", "rami500") in sent


def test_a_task_for_a_game_that_there_is_not_does_nothing() -> None:
    tasks.rate("whist")
    assert Rating.objects.count() == 0


# -- order, and results that change --------------------------------------------------------------


def test_matches_that_come_in_any_order_are_rated_in_the_order_in_which_they_ended() -> None:
    names, rng = ["Ana", "Bogdan", "Clara", "*greedy"], random.Random(5)
    matches = [
        [(name, rng.randrange(500)) for name in rng.sample(names, rng.choice([2, 3, 4]))] for _match in range(12)
    ]  # fmt: skip
    for index in rng.sample(range(12), 12):
        over(*matches[index], at=NOON + index * timedelta(hours=1))
        if rng.random() < 0.6:
            rate(variant="rami500")
    rate(variant="rami500")

    assert rerate(keep=False) == []
    last = Rating.objects.filter(user=player("Ana")).latest("at", "match")
    assert last.matches == Rating.objects.filter(user=player("Ana")).count()


def test_matches_that_ended_at_one_instant_go_by_their_keys() -> None:
    first, second = over(("Ana", 510), ("Bogdan", 100)), over(("Ana", 100), ("Bogdan", 510))
    RatedMatch.objects.filter(pk=first.pk).update(waiting=False)
    rate(variant="rami500")
    RatedMatch.objects.filter(pk=first.pk).update(waiting=True)
    rate(variant="rami500")

    assert list(Rating.objects.filter(user=player("Ana")).order_by("matches").values_list("match", flat=True)) == [
        first.pk,
        second.pk,
    ]
    assert rerate(keep=False) == []


def ruled(game: Game) -> None:
    ruling = User(pk=1)
    signals.ruled.send(Game, game=game, ruling=ruling, referee=player("Ref"), reason="so it is", now=NOON + 9 * DAY)


def test_a_ruling_that_changes_a_result_changes_the_ratings_from_there_on() -> None:
    first = over(("Ana", 510), ("Bogdan", 100))
    over(("Ana", 510), ("Clara", 100), at=NOON + DAY)
    rate(variant="rami500")
    before = now_rated()

    Seat.objects.filter(game=first, index=0).update(total=90)
    ruled(first)
    assert selectors.games_to_rate() == ["rami500"]
    assert rate(variant="rami500") == 2

    assert now_rated()["Bogdan"][0] > 1500 > before["Bogdan"][0]
    assert now_rated()["Clara"] != before["Clara"]
    assert rerate(keep=False) == []


def test_a_match_that_is_taken_up_again_is_rated_no_more_until_it_ends_again() -> None:
    first = over(("Ana", 510), ("Bogdan", 100))
    over(("Ana", 510), ("Clara", 100), at=NOON + DAY)
    rate(variant="rami500")

    again = {"ended_at": None, "winner": None, "deadline": NOON + 9 * DAY, "ticking_since": NOON, "to_move": 0}
    Game.objects.filter(pk=first.pk).update(status=Game.Status.RUNNING, **again)
    ruled(first)
    rate(variant="rami500")
    assert set(now_rated()) == {"Ana", "Clara"}
    assert now_rated()["Ana"][1] == 1
    assert rerate(keep=False) == []

    Game.objects.filter(pk=first.pk).update(
        status=Game.Status.FINISHED, ended_at=NOON + 5 * DAY, winner=1, deadline=None, to_move=None
    )
    Seat.objects.filter(game=first, index=1).update(total=520)
    mark(game=Game.objects.get(pk=first.pk))
    rate(variant="rami500")

    last = Rating.objects.filter(user=player("Ana")).latest("at", "match")
    assert (last.match_id, last.matches, last.place) == (first.pk, 2, 2)
    assert rerate(keep=False) == []


def test_a_ruling_about_a_match_that_runs_marks_nothing() -> None:
    game = running("Ana", "Bogdan")
    ruled(game)
    assert selectors.games_to_rate() == []


# -- rerate --------------------------------------------------------------------------------------


def said(*args: str) -> str:
    out = StringIO()
    call_command("rerate", *args, stdout=out)
    return out.getvalue()


def test_rerate_finds_nothing_where_nothing_is_wrong_and_rates_what_waits() -> None:
    over(("Ana", 510), ("Bogdan", 100))

    assert "All ratings were as the results make them." in said()
    assert set(now_rated()) == {"Ana", "Bogdan"}
    assert said() == said("--check")


def test_the_check_says_what_differs_and_changes_nothing() -> None:
    game = over(("Ana", 510), ("Bogdan", 100))
    rate(variant="rami500")
    Rating.objects.filter(user=player("Ana")).update(mu=2500)
    RatedMatch.objects.filter(pk=game.pk).update(waiting=False)

    with pytest.raises(CommandError):
        said("--check")
    assert now_rated()["Ana"][0] == 2500

    assert f"rami500, match {game.code}: the rating of player {player('Ana').pk} is another" in said()
    assert now_rated()["Ana"][0] < 1600
    said("--check")


def test_rerate_finds_ratings_that_are_missing_or_too_many() -> None:
    game, other = over(("Ana", 510), ("*greedy", 100)), over(("Ana", 510), ("Bogdan", 100), at=NOON + DAY)
    rate(variant="rami500")
    kept = RatedMatch.objects.get(pk=other.pk)
    Rating.objects.filter(match=other.pk).delete()
    kept.delete()
    Rating.objects.filter(match=game.pk, bot="greedy").update(bot="random")

    found = rerate(keep=False)

    assert f"rami500, match {game.code}: the rating of greedy is missing" in found
    assert f"rami500, match {game.code}: the rating of random should not be" in found
    assert f"rami500, match {other.code}: the rating of player {player('Bogdan').pk} is missing" in found


def test_rerate_knows_matches_that_ended_before_there_were_ratings() -> None:
    over(("Ana", 510), ("Bogdan", 100))
    RatedMatch.objects.all().delete()

    said()
    assert set(now_rated()) == {"Ana", "Bogdan"}


# -- what the database holds ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        {"bot": "greedy"},
        {"user": None, "bot": ""},
        {"sigma": 0.0},
        {"matches": 0},
    ],
)
def test_the_database_refuses_ratings_that_cannot_be(values: dict[str, Any]) -> None:
    game = over(("Ana", 510), ("Bogdan", 100))
    whole = {"user": player("Ana"), "bot": "", "place": 1, "matches": 1, "mu": 1500.0, "sigma": 90.0}
    with pytest.raises(IntegrityError), transaction.atomic():
        Rating.objects.create(match_id=game.pk, variant="rami500", at=NOON, **(whole | values))


def test_the_database_refuses_to_rate_somebody_twice_for_a_match() -> None:
    game = over(("Ana", 510), ("*greedy", 100))
    rate(variant="rami500")
    for row in Rating.objects.all():
        row.pk = None
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save(force_insert=True)
    assert Rating.objects.filter(match=game.pk).count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_rate_each_match_once() -> None:
    for index in range(6):
        over(("Ana", 510 - index), ("Bogdan", 508), ("*greedy", 3), at=NOON + index * DAY)
    barrier, done = threading.Barrier(3), []

    def work() -> None:
        barrier.wait()
        done.append(rate(variant="rami500"))
        connection.close()

    workers = [threading.Thread(target=work) for _worker in range(2)]
    for worker in workers:
        worker.start()
    barrier.wait()
    for worker in workers:
        worker.join()

    assert sorted(done) == [0, 6]
    assert rerate(keep=False) == []


def test_resigning_ends_a_match_and_the_one_who_left_is_last() -> None:
    game = running("Ana", "Bogdan")
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    settle(game)
    rate(variant="rami500")

    assert now_rated()["Bogdan"][0] > 1500 > now_rated()["Ana"][0]


def test_mark_again_of_nothing_is_nothing() -> None:
    assert mark_again(game=0) == []

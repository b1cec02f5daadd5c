"""Whether what was told of a table still holds when it is looked at again, and until when."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Message
from accounts.people import messages
from accounts.people.messages.standing import Standing, standings
from games.models import Game
from games.services import clocks, invitations, store, tables, turns
from tests.games.playing import DAY, NOON, OUT_OF_TWO, fresh, open_table, play, player, quick_turn, running, settle
from tests.games.tiles import TWO_OF_THREE, answer, tile_table

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def standing(kind: str, name: str, *, nth: int = 0) -> Standing | None:
    """What has become of a message to a player."""
    message = Message.objects.filter(kind=kind, user__username=name).order_by("pk")[nth]
    return standings([message]).get(message.pk)


def became(kind: str, name: str, *, nth: int = 0) -> str | None:
    found = standing(kind, name, nth=nth)
    return found.closed if found else None


@pytest.fixture
def game() -> Game:
    return running("Ana", "Bogdan")


# -- turns -----------------------------------------------------------------------------------------


def test_a_turn_is_asked_for_while_it_lasts(game: Game) -> None:
    play(game, "S")
    assert standing("turn", "Ana") == Standing(until=fresh(game).deadline)


def test_a_turn_that_was_played_is_asked_for_no_more(game: Game) -> None:
    quick_turn(game)
    assert became("turn", "Ana") == "played"


def test_nor_when_the_same_player_is_on_turn_again(game: Game) -> None:
    for _turn in range(2):
        quick_turn(game)
    assert (became("turn", "Ana"), became("turn", "Ana", nth=1)) == ("played", "")


def test_nor_when_the_next_deal_is_at_the_same_turn() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    first, second = Message.objects.filter(kind="turn").order_by("pk")
    Message.objects.filter(pk=first.pk).update(user=second.user)
    assert [became("turn", second.user.username, nth=nth) for nth in range(2)] == ["played", ""]


def test_nor_of_one_who_has_resigned_or_when_the_match_is_over(game: Game) -> None:
    other = running("Ana", "Bogdan", "Chloé")
    turns.resign(code=other.code, user=player("Ana"), now=NOON)
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    settle(game)
    assert [became("turn", "Ana", nth=nth) for nth in range(2)] == ["over", "over"]


def test_a_deadline_that_was_moved_is_told_as_it_is_now(game: Game) -> None:
    locked = store.lock(pk=game.pk)
    assert clocks.push(locked, HOUR)
    locked.save()
    assert standing("turn", "Ana") == Standing(until=NOON + DAY + HOUR)


def test_while_the_clock_stands_there_is_no_deadline(game: Game) -> None:
    locked = store.lock(pk=game.pk)
    locked.paused_at = NOON
    clocks.set_running(locked, now=NOON)
    locked.save()
    assert standing("turn", "Ana") == Standing(until=None)


def test_what_hurries_holds_as_long_as_the_turn(game: Game) -> None:
    message = Message.objects.get(kind="turn", user__username="Ana")
    facts = {**message.facts, "nth": 1}
    messages.post(kind="hurry", user_ids=[player("Ana").pk], key="h", game=game.code, facts=facts, now=NOON)
    assert became("hurry", "Ana") == ""
    quick_turn(game)
    assert became("hurry", "Ana") == "played"


def test_the_exchange_of_doubles_asks_until_it_is_answered_or_over() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=TWO_OF_THREE)
    assert [standing("turn", name) for name in ("Ana", "Bogdan")] == [Standing(until=fresh(game).deadline)] * 2
    answer(game, "X:pass", by="Ana")
    assert [became("turn", name) for name in ("Ana", "Bogdan")] == ["played", ""]
    deadline = fresh(game).deadline
    assert deadline is not None
    turns.expire(game_id=game.pk, now=deadline)
    assert became("turn", "Bogdan") == "played"


# -- the rest --------------------------------------------------------------------------------------


def test_who_sits_down_is_news_until_the_match_begins() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    assert became("joined", "Ana") == ""
    tables.start(code=game.code, user=player("Ana"), now=NOON)
    assert became("joined", "Ana") == "over"


def test_an_invitation_holds_until_one_sits_or_the_table_begins() -> None:
    game = open_table("Ana", seats=3)
    for name in ("Bogdan", "Chloé"):
        player(name)
        invitations.invite(code=game.code, user=player("Ana"), name=name, now=NOON)
    assert became("invitation", "Bogdan") == ""
    tables.join(code=game.code, user=player("Bogdan"), now=NOON)
    assert [became("invitation", name) for name in ("Bogdan", "Chloé")] == ["over", ""]
    tables.start(code=game.code, user=player("Ana"), now=NOON)
    assert became("invitation", "Chloé") == "over"


def test_of_a_table_that_was_given_up_there_is_nothing_to_tell() -> None:
    game = open_table("Ana", "Bogdan", seats=4)
    player("Chloé")
    invitations.invite(code=game.code, user=player("Ana"), name="Chloé", now=NOON)
    tables.cancel(code=game.code, user=player("Ana"), now=NOON)
    assert (became("joined", "Ana"), became("invitation", "Chloé")) == ("gone", "gone")


def test_a_result_that_was_seen_at_the_table_is_news_no_more() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    turns.go_on(code=game.code, user=player("Ana"), deal=0)
    assert [became("deal_over", name) for name in ("Ana", "Bogdan")] == ["seen", ""]


def test_of_what_is_no_table_the_games_say_nothing() -> None:
    messages.post(kind="ruling", user_ids=[player("Ana").pk], key="1", now=NOON)
    messages.post(kind="away", user_ids=[player("Ana").pk], key="1", game="nosuchtable", now=NOON)
    assert standing("ruling", "Ana") is None
    assert became("away", "Ana") == "gone"


@pytest.mark.parametrize("kind", ["turn", "hurry", "deal_over", "joined", "invitation", "started"])
def test_facts_that_are_missing_break_nothing(game: Game, kind: str) -> None:
    messages.post(kind=kind, user_ids=[player("Ana").pk], key="odd", game=game.code, facts={}, now=NOON)
    assert isinstance(standings(list(Message.objects.filter(key="odd"))), dict)


def test_many_are_looked_up_in_two_queries(django_assert_num_queries: Any) -> None:
    for number in range(5):
        running("Ana", "Bogdan", title=f"T{number}")
    rows = list(Message.objects.all())
    with django_assert_num_queries(2):
        assert len(standings(rows)) == len(rows) == 10

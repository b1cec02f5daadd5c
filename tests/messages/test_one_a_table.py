"""Of the unread messages about a table the newest takes the place of all others: in the bell, in the list, by every way.

What is asked of the reader is not lost by that, nor what players and referees have said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import time, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.test import Client

from accounts.models import Delivery, Message, User
from accounts.people import messages
from accounts.people.messages import bell, claims, inbox, spread
from accounts.people.messages.inbox import mark
from accounts.people.messages.kinds import KINDS
from accounts.people.messages.standing import Standing
from games.models import Game
from games.services import absence, chat, deals, pauses, turns
from tests.games.playing import DAY, fresh, play, player, quick_turn, running
from tests.games.tiles import TWO_OF_THREE, answer, tile_table
from tests.messages.telling import NOON, delivery, go, person, tell, went, wish

pytestmark = pytest.mark.django_db
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _at_noon() -> Iterator[None]:
    with time_machine.travel(NOON, tick=False):
        yield


@pytest.fixture
def game() -> Game:
    """Ana is on turn until noon tomorrow."""
    person("Ana"), person("Bogdan")
    return running("Ana", "Bogdan", title="Joi", now=NOON)


def unread(name: str, now: Any = NOON) -> list[tuple[str, str]]:
    """What is unread in somebody's list, as many as the bell counts: each kind, and what it says."""
    user = player(name)
    lines = [line for line in inbox.told(list(bell.inbox(user=user)), now=now) if line.unread]
    assert bell.unread(user=user) == len(lines)
    return [(line.said.kind, line.said.text) for line in lines]


def mention(game: Game, by: str, whom: str, now: Any = NOON) -> None:
    chat.say(code=game.code, user=player(by), text=f"@{whom} hello", now=now)


def rule(game: Game, whom: str, now: Any = NOON) -> None:
    messages.post(kind="ruling", user_ids=[player(whom).pk], key=f"{now}", game=game.code, facts={"title": "Joi"}, now=now)


TURN = "It is your turn. You have until"


# -- in every order ----------------------------------------------------------------------------------


def test_a_turn_takes_the_place_of_the_news_before_it(game: Game) -> None:
    go()
    assert [kind for kind, _text in unread("Ana")] == ["turn"]
    assert list(Message.objects.filter(user=player("Ana")).values_list("kind", flat=True)) == ["started", "turn"]


def test_news_after_a_turn_takes_its_place_and_says_that_it_is_still_one_s_turn(game: Game) -> None:
    go()
    pauses.agree(code=game.code, user=player("Bogdan"), version=fresh(game).version, now=NOON + HOUR)
    go(NOON + HOUR)
    [(kind, text)] = unread("Ana", NOON + HOUR)
    assert kind == "away" and text.startswith("Bogdan asks for a pause.") and TURN in text


def test_the_news_says_no_more_that_it_is_one_s_turn_once_it_was_played(game: Game) -> None:
    go()
    pauses.agree(code=game.code, user=player("Bogdan"), version=fresh(game).version, now=NOON + HOUR)
    go(NOON + HOUR)
    quick_turn(game, now=NOON + HOUR + timedelta(seconds=5))  # too soon to have seen the news
    [(kind, text)] = unread("Ana", NOON + HOUR)
    assert kind == "away" and "your turn" not in text


def test_a_warning_takes_the_place_of_the_turn_and_news_that_of_the_warning(game: Game) -> None:
    go()
    go(NOON + 20 * HOUR)
    assert [kind for kind, _text in unread("Ana")] == ["hurry"]
    mention(game, "Bogdan", "Ana", now=NOON + 20 * HOUR)
    go(NOON + 20 * HOUR)
    [(kind, text)] = unread("Ana", NOON + 20 * HOUR)
    assert kind == "mention" and "You have until" in text and "(4 h)" in text


def test_the_last_warning_comes_though_news_stands_in_its_place(game: Game) -> None:
    go()
    go(NOON + 20 * HOUR)
    mention(game, "Bogdan", "Ana", now=NOON + 20 * HOUR)
    for half in range(40, 47):
        go(NOON + half * HOUR / 2)
    kinds = [kind for kind, _how in went(player("Ana"))]
    assert kinds.count("hurry") == 2
    assert [kind for kind, _text in unread("Ana")] == ["hurry"]


def test_a_turn_after_words_in_the_chat_says_who_called(game: Game) -> None:
    go()
    mention(game, "Ana", "Bogdan")
    go(NOON + MINUTE)
    quick_turn(game, now=NOON + 2 * MINUTE)
    go(NOON + 2 * MINUTE)
    [(kind, text)] = unread("Bogdan")
    assert kind == "turn" and text.endswith("In the chat you were called by Ana.")
    assert "You have until" in text


def test_a_turn_after_a_ruling_says_that_there_is_one(game: Game) -> None:
    go()
    rule(game, "Bogdan", now=NOON + MINUTE)
    go(NOON + MINUTE)
    quick_turn(game, now=NOON + 2 * MINUTE)
    go(NOON + 2 * MINUTE)
    [(kind, text)] = unread("Bogdan")
    assert kind == "turn" and text.endswith("A referee has ruled at this table.")


def test_a_turn_after_a_step_of_a_dispute_says_that_there_is_one(game: Game) -> None:
    go()
    facts = {"title": "Joi", "what": "answered", "who": "Ana"}
    messages.post(kind="ruling", user_ids=[player("Bogdan").pk], key="k", game=game.code, facts=facts, now=NOON + MINUTE)
    go(NOON + MINUTE)
    quick_turn(game, now=NOON + 2 * MINUTE)
    go(NOON + 2 * MINUTE)
    [(kind, text)] = unread("Bogdan")
    assert kind == "turn" and text.endswith("There is news of a dispute at this table.")


def test_a_ruling_that_stood_under_a_turn_which_ran_out_is_unread_again() -> None:
    person("Ana"), person("Bogdan")
    game = tile_table("Ana", "Bogdan", "Chloé", seed=TWO_OF_THREE, now=NOON)
    rule(game, "Ana", now=NOON)
    Message.objects.filter(kind="ruling").update(id=Message.objects.earliest("pk").pk - 1)  # before the deal
    Message.objects.filter(kind="started").delete()
    go()
    assert [kind for kind, _text in unread("Ana")] == ["turn"]
    turns.expire(game_id=game.pk, now=NOON + DAY)
    kept = Message.objects.filter(user=player("Ana"), kind="turn").exclude(closed="")
    assert {row.closed for row in kept} == {"expired"}
    Message.objects.filter(user=player("Ana"), kind="turn", closed="").delete()
    assert [kind for kind, _text in unread("Ana")] == ["ruling"]


def test_who_is_asked_in_the_exchange_is_told_so_with_news_and_nobody_else_is() -> None:
    people = [person(name) for name in ("Ana", "Bogdan", "Chloé")]
    game = tile_table("Ana", "Bogdan", "Chloé", seed=TWO_OF_THREE, now=NOON)
    messages.post(kind="away", user_ids=[user.pk for user in people], key="news", game=game.code, now=NOON + MINUTE)
    go(NOON + MINUTE)
    asked = {name: "You are asked in the exchange of doubles." in unread(name)[0][1] for name in ("Ana", "Bogdan", "Chloé")}
    assert asked == {"Ana": True, "Bogdan": True, "Chloé": False}
    answer(game, "X:pass", now=NOON + MINUTE)
    assert [("asked" in text) for _kind, text in unread("Ana")] == [False]


def test_an_absent_player_is_not_told_that_it_is_their_turn() -> None:
    person("Ana")
    game = running("Ana", "Bogdan", title="Joi", now=NOON, absent_after=1)
    turns.expire(game_id=game.pk, now=NOON + DAY)
    go(NOON + DAY)
    quick_turn(game, now=NOON + DAY)
    [(kind, text)] = unread("Ana", NOON + DAY)
    assert kind == "missed" and "your turn" not in text
    absence.back(code=game.code, user=player("Ana"), now=NOON + DAY + HOUR)
    assert TURN in unread("Ana", NOON + DAY + HOUR)[0][1] or unread("Ana", NOON + DAY + HOUR) == []


# -- what is seen, and what is found again -------------------------------------------------------------


def page(client: Client) -> str:
    return client.get("/messages/").content.decode()


@pytest.fixture
def ana() -> Client:
    client = Client()
    client.force_login(player("Ana"), backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_what_was_replaced_stands_in_the_list_and_says_so(game: Game, ana: Client) -> None:
    go()
    found = re.findall(r"<li( data-unread)?>.*?<b>(.*?)</b>.*?</li>", page(ana), flags=re.S)
    assert found == [(" data-unread", "Your turn at “Joi”"), ("", "“Joi” has begun")]
    assert "a newer message came" in page(ana)
    assert "<title>(1) Messages · Remi</title>" in page(ana)


def test_opening_the_newest_reads_those_whose_place_it_has_taken(game: Game, ana: Client) -> None:
    go()
    newest = Message.objects.filter(user=player("Ana")).latest("pk")
    ana.post("/messages/open/", {"message": mark(newest.pk)})
    assert unread("Ana") == []
    assert not Message.objects.filter(user=player("Ana"), read_at=None).exists()


def test_opening_an_older_one_leaves_the_newest_unread(game: Game, ana: Client) -> None:
    go()
    oldest = Message.objects.filter(user=player("Ana")).earliest("pk")
    ana.post("/messages/open/", {"message": mark(oldest.pk)})
    assert [kind for kind, _text in unread("Ana")] == ["turn"]


def test_who_plays_has_seen_what_was_told_of_the_table_before_and_of_no_other(game: Game) -> None:
    other = running("Ana", "Chloé", title="Vineri", now=NOON)
    go()
    mention(game, "Bogdan", "Ana", now=NOON + MINUTE)
    mention(other, "Chloé", "Ana", now=NOON + MINUTE)
    go(NOON + MINUTE)
    quick_turn(game, now=NOON + 2 * MINUTE)
    assert [kind for kind, _text in unread("Ana")] == ["mention"]
    left = Message.objects.filter(user=player("Ana"), read_at=None, closed_at=None)
    assert set(left.values_list("game", flat=True)) == {other.code}


def test_what_the_server_plays_its_player_has_not_seen() -> None:
    person("Ana")
    game = running("Ana", "Bogdan", title="Joi", now=NOON)
    go()
    turns.expire(game_id=game.pk, now=NOON + DAY)
    assert Message.objects.filter(user=player("Ana"), kind="started", read_at=None).exists()


def test_half_a_turn_is_not_yet_what_ends_it(game: Game) -> None:
    go()
    play(game, "S", now=NOON + HOUR)
    assert [kind for kind, _text in unread("Ana")] == ["turn"]


def test_each_table_has_its_own_and_so_has_each_reader(game: Game) -> None:
    running("Ana", "Bogdan", title="Vineri", now=NOON)
    go()
    assert len(unread("Ana")) == 2
    messages.mark_read(user_id=player("Ana").pk, now=NOON)
    assert (unread("Ana"), len(unread("Bogdan"))) == ([], 0)  # Bogdan began both
    rule(game, "Bogdan")
    go()
    assert (unread("Ana"), len(unread("Bogdan"))) == ([], 1)


def test_what_is_of_no_table_takes_nobody_s_place() -> None:
    ana = person("Ana")
    for key in ("1", "2"):
        tell(ana, "league", key=key)
    go()
    assert bell.unread(user=ana) == 2


def test_what_is_not_wanted_on_the_site_takes_no_place_there(game: Game) -> None:
    wish(player("Ana"), "mention", "site", False)
    go()
    mention(game, "Bogdan", "Ana")
    go()
    assert [kind for kind, _text in unread("Ana")] == ["turn"]


def test_whatever_the_kinds_one_is_unread_and_it_is_the_newest(become: Any) -> None:
    ana, kinds = person("Ana"), [kind for kind in KINDS if kind != "test"]
    tables = {f"{older}, {newer}": (older, newer) for older in kinds for newer in kinds}
    for number, pair in enumerate(tables.values()):
        for key, kind in enumerate(pair):
            tell(ana, kind, key=f"{number}.{key}", game=f"{number}")
    spread.spread(now=NOON)
    assert bell.unread(user=ana) == min(len(tables), bell.MOST + 1)
    found = {(row.key.split(".")[1], row.replaced) for row in bell.inbox(user=ana)}  # type: ignore[attr-defined]
    assert found == {("1", False), ("0", True)}


# -- by the other ways ---------------------------------------------------------------------------------


@pytest.fixture
def morning() -> User:
    """Ana, who sleeps until one o'clock, and wants every kind by mail."""
    ana = person("Ana", quiet_from=time(11), quiet_to=time(13))
    for kind in ("joined", "deal_over", "away", "mention"):
        wish(ana, kind, "mail", True)
    return ana


def letters() -> list[str]:
    return [str(letter.subject) for letter in mail.outbox]


def test_of_several_that_wait_the_newest_alone_is_sent(morning: User, become: dict[str, Standing]) -> None:
    for key, kind in enumerate(("started", "deal_over", "away")):
        tell(morning, kind, key=str(key), game="x", now=NOON + key * MINUTE)
        go(NOON + key * MINUTE)
    go(NOON + HOUR)
    assert went(morning) == [("started", "replaced"), ("deal_over", "replaced"), ("away", "sent")]
    assert len(letters()) == 1


def test_what_it_replaces_and_what_is_asked_stands_in_the_letter(morning: User, become: dict[str, Standing]) -> None:
    tell(morning, "turn", game="x", until=NOON + DAY)
    tell(morning, "mention", game="x", facts={"who": "Chloé"})
    tell(morning, "away", game="x", facts={"news": "back", "who": "Dan"})
    become["away"] = Standing(until=NOON + DAY, asks="turn")
    go()
    go(NOON + HOUR)
    assert went(morning) == [("turn", "replaced"), ("mention", "replaced"), ("away", "sent")]
    [letter] = mail.outbox
    expected = "Dan is back. It is your turn. You have until Tue 3 Mar 12:00 (23 h). In the chat you were called by Chloé."
    assert expected in letter.body and "Play: " in letter.body


def test_where_the_newest_does_not_hold_any_more_the_one_before_is_sent(morning: User, become: dict[str, Standing]) -> None:
    tell(morning, "mention", game="x")
    tell(morning, "turn", game="x")
    go()
    become["turn"] = Standing(closed="expired")
    go(NOON + HOUR)
    assert went(morning) == [("mention", "sent"), ("turn", "expired")]


def test_one_that_goes_another_way_takes_no_letter_s_place(become: dict[str, Standing]) -> None:
    ana = person("Ana", quiet_from=time(11), quiet_to=time(13))
    tell(ana, "turn", game="x")
    tell(ana, "away", game="x")  # not by mail
    go()
    go(NOON + HOUR)
    assert went(ana) == [("turn", "sent")]


def test_a_newer_one_that_has_gone_takes_the_place_of_one_that_is_to_be_tried_again(become: dict[str, Standing]) -> None:
    ana = person("Ana")
    tell(ana, "started", game="x")
    spread.spread(now=NOON)
    Delivery.objects.update(next_at=NOON + 5 * MINUTE)
    tell(ana, "match_over", game="x")
    go()
    go(NOON + 5 * MINUTE)
    assert went(ana) == [("started", "replaced"), ("match_over", "sent")]


def test_nor_does_it_go_while_a_newer_one_is_to_be_tried_again(become: dict[str, Standing]) -> None:
    ana = person("Ana")
    for kind in ("started", "match_over"):
        tell(ana, kind, game="x")
    spread.spread(now=NOON)
    Delivery.objects.filter(message__kind="match_over").update(next_at=NOON + 5 * MINUTE)
    go()
    go(NOON + 5 * MINUTE)
    assert went(ana) == [("started", "replaced"), ("match_over", "sent")]


def test_one_that_waits_for_long_leaves_the_older_to_be_told_now(become: dict[str, Standing]) -> None:
    ana = person("Ana")
    for kind in ("turn", "match_over"):
        tell(ana, kind, game="x")
    spread.spread(now=NOON)
    Delivery.objects.filter(message__kind="match_over").update(next_at=NOON + HOUR)
    go()
    assert went(ana) == [("turn", "sent"), ("match_over", "waiting")]


def test_what_has_come_just_now_goes_with_the_letter_of_the_day(become: dict[str, Standing]) -> None:
    ana = person("Ana", digest_hour=20)
    tell(ana, "turn", game="x")
    go()
    tell(ana, "started", key="2", game="y", now=NOON + 8 * HOUR)
    go(NOON + 8 * HOUR)
    assert went(ana) == [("turn", "sent"), ("started", "sent")]
    assert letters() == ["Remi: 2 messages"]


@pytest.mark.parametrize("other", ["table", "reader", "way"])
def test_nothing_else_is_replaced(other: str, become: dict[str, Standing]) -> None:
    ana = person("Ana")
    tell(ana, "started", game="x")
    tell(person("Bogdan") if other == "reader" else ana, "match_over", game="y" if other == "table" else "x")
    spread.spread(now=NOON)
    if other == "way":
        Delivery.objects.filter(message__kind="match_over").update(way="push")
        assert [row.message.kind for row in claims.lease(way="mail", now=NOON)] == ["started"]
    else:
        go()
        assert delivery(ana, message__kind="started").status == "sent"


def test_the_letter_of_the_day_has_one_line_for_a_table(become: dict[str, Standing]) -> None:
    ana = person("Ana", digest_hour=20)
    for key, (kind, game) in enumerate((("started", "x"), ("ruling", "x"), ("turn", "x"), ("started", "y"), ("ruling", ""))):
        tell(ana, kind, key=str(key), game=game, facts={"title": game or "none"})
    go()
    go(NOON + 8 * HOUR)
    assert letters() == ["Remi: 3 messages"]
    sent = {row.message.key: row.reason or row.status for row in Delivery.objects.select_related("message")}
    assert sent == {"0": "replaced", "1": "replaced", "2": "sent", "3": "sent", "4": "sent"}
    assert "A referee has ruled at this table." in mail.outbox[0].body


def test_many_are_looked_at_in_as_many_queries_as_few(become: dict[str, Standing], django_assert_max_num_queries: Any) -> None:
    for number in range(10):
        for kind in ("started", "match_over"):
            tell(person(f"P{number}", not_while_looking=False), kind, game="x")
    spread.spread(now=NOON)
    with django_assert_max_num_queries(14):
        assert len(claims.lease(way="mail", now=NOON)) == 10


def away_for_good(*names: str) -> Game:
    """A table at which Ana's seat has resigned, a week after her turn ran out."""
    for name in names:
        person(name)
    game = running(*names, title="Joi", excuses=0, absent_after=1, now=NOON)
    go()
    assert turns.expire(game_id=game.pk, now=NOON + DAY)
    go(NOON + DAY)
    assert absence.end(game_id=game.pk, now=NOON + 8 * DAY)
    return game


def letters_to(name: str) -> list[str]:
    return [str(letter.body) for letter in mail.outbox if letter.to == [f"{name.lower()}@example.org"]]


WHY = "You have been away for too long: your seat has resigned."


def test_whose_absence_ends_the_match_learns_why_though_one_letter_alone_goes() -> None:
    game = away_for_good("Ana", "Bogdan")
    assert deals.settle(game_id=game.pk, now=NOON + 8 * DAY)
    mail.outbox.clear()
    go(NOON + 8 * DAY)
    assert went(player("Ana"))[-2:] == [("missed", "replaced"), ("match_over", "sent")]
    [letter] = letters_to("Ana")
    assert f"{WHY} Bogdan has won. You have" in letter
    [(kind, text)] = unread("Ana", NOON + 8 * DAY)
    assert kind == "match_over" and text.startswith(WHY)
    assert WHY not in "".join(letters_to("Bogdan"))


def test_who_has_resigned_by_hand_is_not_told_of_an_absence() -> None:
    person("Ana"), person("Bogdan")
    game = running("Ana", "Bogdan", title="Joi", now=NOON)
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    deals.settle(game_id=game.pk, now=NOON)
    go()
    [letter] = [letter for letter in letters_to("Ana") if "has won" in letter]
    assert WHY not in letter


def test_of_three_the_end_says_it_once_more_to_who_has_been_away() -> None:
    game = away_for_good("Ana", "Bogdan", "Chloé")
    go(NOON + 8 * DAY)
    assert WHY in letters_to("Ana")[-1]
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON + 9 * DAY)
    deals.settle(game_id=game.pk, now=NOON + 9 * DAY)
    go(NOON + 9 * DAY)
    assert f"{WHY} Chloé has won." in letters_to("Ana")[-1]
    assert WHY not in letters_to("Bogdan")[-1]

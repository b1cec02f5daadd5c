"""What a move asks of the database where everything comes together: never more than a dozen queries."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import AddressMark, RateLimit, User
from accounts.people import absence, marks
from accounts.templatetags import leagues as tags
from games import engine
from games.models import Game
from games.services import chat
from tests.games.playing import DAY, NOON, at, awake, fresh, play, player, seat, sweep
from tests.leagues.playing import TERMS, league, match

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(hours=5)
MOST = 12


@pytest.fixture
def game() -> Iterator[Game]:
    """A table of a league, with Ana on turn: away, one turn of hers has run out, and Bogdan, who is next, is away too."""
    terms = {**TERMS, "turn_time": DAY, "vacation": True, "vacation_days": 5}
    game = match(league("Ana", "Bogdan", terms=terms), "Ana", "Bogdan", seed="any")
    game.seats.filter(index=0).update(expired=1)
    for name in ("Ana", "Bogdan"):
        absence.plan(user=player(name), first=NOON.date(), last=NOON.date() + 3 * DAY, now=NOON)
    sweep(NOON)
    chat.say(code=game.code, user=player("Bogdan"), text="hello", now=NOON)
    tags._league_of.cache_clear()
    with time_machine.travel(LATER, tick=False):
        awake(LATER)
        marks.note(user_id=player("Chloé").pk, address="192.0.2.1", now=LATER)  # so that the key of the day is known
        yield game


def browser(name: str) -> Client:
    """Of a player who was not seen for a while, elsewhere than this machine."""
    client = Client(headers={"HX-Request": "true"}, REMOTE_ADDR="192.0.2.7")
    client.force_login(player(name), backend="django.contrib.auth.backends.ModelBackend")
    client.post("/language/", {"language": "en"})
    AddressMark.objects.all().delete()
    User.objects.update(last_seen=NOON)
    return client


def test_a_move_that_ends_a_turn_is_a_dozen_queries_at_most_whatever_comes_together(game: Game) -> None:
    play(game, "S", now=LATER)
    table = at(game)
    move = next(engine.move_text(move, table.deal.rules.alphabet) for move in engine.legal_moves(table.deal) if move.kind == "D")
    client = browser("Ana")
    sent = {"version": str(table.game.version), "move": move, "said": "0"}
    with CaptureQueriesContext(connection) as queries:
        answer = client.post(f"/t/{game.code}/play/", sent)
    assert answer.status_code == 200 and 'id="table"' in answer.content.decode()
    assert len(queries) <= MOST, "\n".join(query["sql"][:200] for query in queries)
    # and all of it has been done
    ana = seat(game, "Ana")
    assert (ana.expired, ana.vacation_used, fresh(game).to_move) == (0, timedelta(hours=5), 1)
    assert player("Ana").last_seen == LATER and AddressMark.objects.filter(user=player("Ana")).exists()
    assert [entry.text for entry in game.entries.order_by("-number")[:1]] == ["vacation"]


def test_a_draw_is_fewer(game: Game) -> None:
    client = browser("Ana")
    with CaptureQueriesContext(connection) as queries:
        answer = client.post(f"/t/{game.code}/play/", {"version": str(fresh(game).version), "move": "S", "said": "0"})
    assert answer.status_code == 200 and len(queries) <= MOST - 2


def test_a_page_that_is_loaded_names_the_league_and_one_that_moves_keeps_it(game: Game) -> None:
    client = browser("Ana")
    whole = client.get(f"/t/{game.code}/", headers={"HX-Request": ""}).content.decode()
    moved = client.post(f"/t/{game.code}/play/", {"version": str(fresh(game).version), "move": "S", "said": "0"}).content.decode()
    assert 'id="of-league"><a class="btn" href="/l/' in whole and "data-same" not in whole
    assert 'href="/l/' not in moved and '<p id="of-league" data-same></p>' in moved


def test_a_move_leaves_new_words_to_the_next_look_of_a_page_that_shows_the_chat(game: Game) -> None:
    client, table = browser("Ana"), f"/t/{game.code}/"
    sent = {"version": str(fresh(game).version), "move": "S"}
    assert "hello" not in client.post(f"{table}play/", {**sent, "said": "0"}).content.decode()
    look = client.get(f"{table}poll/{fresh(game).version}/?said=0")
    assert look.status_code == 200 and "hello" in look.content.decode()


def test_a_post_that_nobody_counts_notes_too_that_a_player_is_here(game: Game) -> None:
    client = browser("Ana")
    client.post(f"/t/{game.code}/arrange/", {"sort": "suit"})
    assert player("Ana").last_seen == LATER and AddressMark.objects.filter(user=player("Ana")).exists()


def test_one_move_too_many_notes_it_all_the_same(game: Game) -> None:
    client = browser("Ana")
    client.post(f"/t/{game.code}/play/", {"version": "0", "move": "S", "said": "0"})
    RateLimit.objects.update(count=60)
    User.objects.update(last_seen=NOON)
    assert client.post(f"/t/{game.code}/play/", {"version": "0", "move": "S", "said": "0"}).status_code == 429
    assert player("Ana").last_seen == LATER

"""What nobody may learn from an exchange of doubles: who was asked, who has answered, and what (§4.3)."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from accounts.models import Message, User, Vacation
from accounts.people import absence
from games import selectors
from games.models import Entry, Game
from games.services import turns
from tests.games.pages import HTMX, visitor
from tests.games.playing import NOON, at, fresh, player, rows, seat, sweep
from tests.games.tiles import ALL_BIG, THREE_DOUBLES, TWO_OF_THREE, answer, tile_table

pytestmark = pytest.mark.django_db
WHILE = NOON + timedelta(hours=1)


@pytest.fixture
def game() -> Game:
    """Ana holds two 11K, Bogdan two 10K, and Chloé no double."""
    return tile_table("Ana", "Bogdan", "Chloé", seed=TWO_OF_THREE)


def boss() -> User:
    return User.objects.filter(username="boss").first() or User.objects.create_superuser("boss")


def seen_by(name: str, game: Game) -> dict[str, Any]:
    """All that the site answers to somebody else, with the marks taken out that are new in every answer."""
    boss()
    table = f"/t/{game.code}/"
    entry = Entry.objects.filter(game=game).latest("number").pk
    paths = [
        "/", "/tables/", "/tables/new/", "/lobby/", table, f"{table}log/", f"{table}poll/{game.version}/", f"{table}poll/0/",
        f"{table}buttons/?version={game.version}", f"{table}resign/", f"{table}deals/0/",
    ]  # fmt: skip
    if name == "boss":
        paths += [
            f"/admin/games/{page}" for page in ("game/", f"game/{game.pk}/change/", "deal/", "entry/", f"entry/{entry}/change/")
        ]
        paths += [f"/admin/games/deal/{at(game).row.pk}/change/", f"/admin/games/entry/?q={game.code}"]
    answers = {}
    for plain in (True, False):
        client = visitor(name, **({} if plain else HTMX))
        for path in paths:
            answers[f"{path} {plain}"] = _stable(client.get(path))
        move = {"move": "S", "version": game.version}
        answers[f"play {plain}"] = _stable(client.post(f"{table}play/", move))
    return answers


def _stable(answer: Any) -> tuple[int, dict[str, str], str]:
    body = re.sub(r'(csrf\w*"?[^>]*?value=|csrf\w*"?: ?)"\w+"', "", answer.content.decode(), flags=re.I)
    headers = {name: value for name, value in answer.items() if name not in ("Content-Length", "Set-Cookie")}
    return answer.status_code, headers, re.sub(r'nonce="[^"]+"', "", body)


@pytest.mark.parametrize("text", ["X:11K", "X:pass"])
@pytest.mark.parametrize("name", ["Bogdan", "Chloé", "stranger", "boss"])
def test_a_single_answer_changes_no_answer_that_somebody_else_gets(game: Game, name: str, text: str) -> None:
    with time_machine.travel(WHILE, tick=False):
        before = seen_by(name, game)
        answer(game, text, now=WHILE)
        after = seen_by(name, game)
    assert before[f"/t/{game.code}/poll/{game.version}/ False"][0] == 204
    for path, was in before.items():
        assert after[path] == was, path


@pytest.mark.parametrize("away", ["Ana", "Chloé"])
@pytest.mark.parametrize("name", ["Chloé", "stranger", "boss"])
def test_nor_does_an_answer_while_the_clock_stands_for_somebody_who_is_away(game: Game, name: str, away: str) -> None:
    goes_away(away)
    sweep(NOON)
    with time_machine.travel(WHILE, tick=False):
        before = seen_by(name, game)
        answer(game, "X:11K", now=WHILE)
        sweep(WHILE)
        after = seen_by(name, game)
    assert fresh(game).away and before == after


def goes_away(name: str) -> None:
    first = NOON.date()
    absence.plan(user=player(name), first=first, last=first + timedelta(days=4), now=NOON)


def clocks_and_log(name: str, *, answered: bool) -> tuple[Any, ...]:
    """All that the game, its log and the seats tell of a vacation in the exchange, but for whose it is; somebody answers, or
    nobody."""
    game = tile_table("Ana", "Bogdan", "Chloé", seed=TWO_OF_THREE, vacation_days=3)
    goes_away(name)
    states = []
    for hour in range(0, 121, 24):
        now = NOON + timedelta(hours=hour)
        if answered and hour == 24:
            answer(game, "X:10K", by="Bogdan", now=now)
        sweep(now)
        at_it = fresh(game)
        states.append((at_it.deadline, at_it.left, at_it.away_since, at_it.away_until, at_it.version, at_it.in_exchange))
    log = [(entry.text, entry.seat == seat(game, name).index, entry.at) for entry in game.entries.all()]
    used = {one.user == player(name): one.vacation_used for one in game.seats.all()}
    told = Message.objects.filter(game=game.code, kind="away").count()
    Vacation.objects.all().delete()
    return states, [row for row in log if row[0].startswith("vacation")], used, told


def test_the_clock_stands_alike_for_who_is_asked_has_answered_or_is_not_asked_at_all() -> None:
    told = [clocks_and_log("Ana", answered=False), clocks_and_log("Ana", answered=True)]
    told += [clocks_and_log("Bogdan", answered=True), clocks_and_log("Chloé", answered=True)]
    assert told[0][1] == [("vacation", True, NOON), ("vacation_over", True, NOON + timedelta(days=3))]
    assert told[1:] == told[:1] * 3


def test_it_would_be_seen_if_an_answer_did_change_something(game: Game) -> None:
    with time_machine.travel(WHILE, tick=False):
        mine, other = seen_by("Ana", game), seen_by("Chloé", game)
        answer(game, "X:11K", now=WHILE)
        mine_after = seen_by("Ana", game)
        answer(game, "X:10K", by="Bogdan", now=WHILE)
        other_after = seen_by("Chloé", game)
    table = f"/t/{game.code}/"
    assert {"/tables/ False", f"{table} False"} <= {path for path, was in mine.items() if mine_after[path] != was}
    changed = {path for path, was in other.items() if other_after[path] != was}
    assert {"/tables/ True", f"{table} True", f"{table}log/ True", f"{table}poll/{game.version}/ False"} <= changed


@pytest.mark.parametrize("text", ["X:8Y", "X:pass", "X:spoil"])
def test_a_single_answer_changes_its_own_row_and_what_asked_for_it_and_no_other(text: str) -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=THREE_DOUBLES)
    before = rows()
    answer(game, text, now=WHILE)
    after = rows()
    own = after.pop("Answer")
    assert [row for row in before.pop("Answer") if row not in own] == [{**own[0], "text": "", "actor": "", "at": None}]
    told, asked = after.pop("Message"), before.pop("Message")
    assert {row["user_id"] for row in told if row not in asked} == {player("Ana").pk}
    assert before == after


def called() -> list[int]:
    """How many tables wait for each of the three."""
    return [sum(waits for _game, waits in selectors.my_games(user=player(name))) for name in ("Ana", "Bogdan", "Chloé")]


def test_whoever_is_called_is_called_on_their_own_pages_alone(game: Game) -> None:
    assert called() == [
        1,
        1,
        0,
    ]
    answer(game, "X:11K")
    assert called() == [
        0,
        1,
        0,
    ]
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    assert called() == [
        1,
        0,
        0,
    ]


def test_the_list_of_tables_that_wait_follows_one_s_own_answer(game: Game) -> None:
    ana = player("Ana")
    other = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG, now=NOON + timedelta(minutes=1))
    seen = selectors.my_versions(user=ana)
    assert [(one.pk, waits) for one, waits in selectors.my_games(user=ana)] == [(game.pk, True), (other.pk, True)]
    assert selectors.next_waiting(user=ana, beside=other) == game
    answer(game, "X:11K")
    assert [(one.pk, waits) for one, waits in selectors.my_games(user=ana)] == [(game.pk, False), (other.pk, True)]
    assert selectors.next_waiting(user=ana, beside=other) is None
    assert selectors.my_versions(user=ana) != seen


def test_home_says_that_doubles_are_exchanged_and_calls_who_is_asked(game: Game) -> None:
    asked, other = visitor("Ana").get("/tables/").content.decode(), visitor("Chloé").get("/tables/").content.decode()
    assert "answer the exchange of doubles" in asked
    assert "answer the exchange of doubles" not in other and "Doubles are being exchanged." in other


def shown(game: Game) -> list[str]:
    return [entry.text for entry in selectors.whole_log(game=fresh(game))][::-1]


def exchanged() -> Game:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG)
    for by, text in (("Ana", "X:10R"), ("Bogdan", "X:13Y"), ("Chloé", "X:pass")):
        answer(game, text, by=by)
    return game


def test_the_log_of_a_running_deal_says_only_that_the_exchange_is_over() -> None:
    game = exchanged()
    assert shown(game)[-3:] == ["dealt", "sealed", "exchanged"]
    assert [entry.text for entry in selectors.log(game=fresh(game))[0]][:3] == ["exchanged", "sealed", "dealt"]
    assert selectors.whole_log(game=fresh(game))[0].facts == {}


@pytest.mark.parametrize("name", ["Ana", "Bogdan", "Chloé", "stranger", "boss"])
def test_no_page_shows_an_answer_while_the_deal_lasts(name: str) -> None:
    game = exchanged()
    boss()
    client = visitor(name)
    for path in (f"/t/{game.code}/", f"/t/{game.code}/log/", "/admin/games/entry/", f"/admin/games/entry/?q={game.code}"):
        assert "X:" not in client.get(path).content.decode().replace("HX:", "")
    for entry in game.entries.filter(text__startswith="X:"):
        assert _change(client, entry) in (302, 404)


def _change(client: Client, entry: Entry) -> int:
    return client.get(f"/admin/games/entry/{entry.pk}/change/").status_code


def test_once_the_deal_is_over_the_log_shows_all_answers() -> None:
    game = exchanged()
    for name in ("Ana", "Bogdan"):
        turns.resign(code=game.code, user=player(name), now=NOON)
    assert shown(game)[-6:] == ["X:10R", "X:13Y", "X:pass", "exchanged", "R", "R"]


def test_a_spoiled_deal_says_who_spoiled_it() -> None:
    game = tile_table("Ana", "Bogdan", seed=THREE_DOUBLES)
    answer(game, "X:pass", by="Bogdan")
    answer(game, "X:spoil")
    spoiled = selectors.whole_log(game=fresh(game))[0]
    assert (spoiled.text, spoiled.facts) == ("spoiled", {"by": [0]})


def test_no_page_of_a_running_deal_shows_the_numbers_of_rows_between_which_answers_are_sealed() -> None:
    game = exchanged()
    turns.expire(game_id=game.pk, now=fresh(game).deadline or NOON)
    last = game.entries.latest("number")
    assert game.entries.filter(text__startswith="X:").exists() and last.kind == "move"
    for path in ("", "log/", "deals/0/replay/", "shuffle/"):
        page = visitor("Ana").get(f"/t/{game.code}/{path}", follow=True).content.decode()
        assert not re.search(rf"(entry|number|row)\W{{1,3}}{last.number}\b", page), path

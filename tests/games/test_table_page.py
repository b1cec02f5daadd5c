"""The page of the table: what it shows to whom, what its buttons do, and what it answers to anything else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Message
from accounts.people import messages
from accounts.people.messages.spread import spread
from games import engine
from games.models import Entry, Game
from games.services import turns
from tests.games.playing import DAY, NOON, OUT_OF_TWO, at, fresh, on_turn, play, player, quick_turn, rows, running, seat, settle

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
CARD = re.compile(r'(?:data-card|value)="([A2-9TJQK][SHDC]|\*)"')


def page_of(name: str, game: Game, path: str = "", **headers: str) -> Any:
    client = Client()
    client.force_login(player(name))
    return client.get(f"/t/{game.code}/{path}", headers=headers)


def post(name: str, game: Game, *, version: int | None = None, path: str = "play/", htmx: bool = True, **data: Any) -> Any:
    client = Client()
    client.force_login(player(name))
    data = {"version": fresh(game).version if version is None else version, **data}
    return client.post(f"/t/{game.code}/{path}", data, headers=HTMX if htmx else {})


def hand_of(game: Game, name: str) -> list[str]:
    return at(game).hands[seat(game, name).index].cards


def text_of(answer: Any) -> str:
    return answer.content.decode()


# -- who sees what -------------------------------------------------------------------------------


def test_a_player_sees_their_own_hand_and_no_other() -> None:
    game = running("Ana", "Bogdan")
    shown = CARD.findall(text_of(page_of("Ana", game)))
    assert sorted(set(shown)) == sorted(set(hand_of(game, "Ana")))


def test_a_stranger_watches_a_public_table_without_any_hand() -> None:
    game = running("Ana", "Bogdan")
    answer = page_of("Céline", game)
    assert answer.status_code == 200
    assert not CARD.findall(text_of(answer))


def test_a_table_by_link_is_not_there_for_strangers_once_it_has_begun() -> None:
    game = running("Ana", "Bogdan", visibility=Game.Visibility.LINK)
    for path in ("", "poll/0/", "buttons/"):
        assert page_of("Céline", game, path).status_code == 404
    assert post("Céline", game, move="S").status_code == 404


def test_nobody_who_is_no_player_can_move() -> None:
    game = running("Ana", "Bogdan")
    before = rows()
    assert post("Céline", game, move="S").status_code == 404
    after = rows()
    assert {name: after[name] for name in ("Game", "Seat", "Deal", "Hand", "Entry")} == {
        name: before[name] for name in ("Game", "Seat", "Deal", "Hand", "Entry")
    }


def test_who_is_logged_out_goes_to_log_in_and_comes_back() -> None:
    game = running("Ana", "Bogdan")
    answer = Client().get(f"/t/{game.code}/")
    assert answer.status_code == 302
    assert answer["Location"] == f"/account/login/?next=/t/{game.code}/"


def test_htmx_without_a_session_is_sent_away_as_a_whole_page() -> None:
    game = running("Ana", "Bogdan")
    there = {**HTMX, "HX-Current-URL": f"http://testserver/t/{game.code}/"}
    for answer in (
        Client().get(f"/t/{game.code}/poll/0/", headers=there),
        Client().post(f"/t/{game.code}/play/", {"move": "S"}, headers=there),
    ):
        assert answer["HX-Redirect"] == f"/account/login/?next=/t/{game.code}/"
        assert not answer.content


def test_a_stale_token_gets_the_fresh_table_and_plays_nothing() -> None:
    game = running("Ana", "Bogdan")
    client = Client(enforce_csrf_checks=True)
    client.force_login(player("Ana"))
    plain = client.post(f"/t/{game.code}/play/", {"move": "S", "version": game.version})
    swapped = client.post(f"/t/{game.code}/play/", {"move": "S", "version": game.version}, headers=HTMX)
    assert (plain.status_code, plain["Location"]) == (302, f"/t/{game.code}/")
    assert swapped["HX-Redirect"] == f"/t/{game.code}/"
    assert fresh(game).version == game.version


def test_pages_of_a_table_are_kept_nowhere() -> None:
    game = running("Ana", "Bogdan")
    for answer in (page_of("Ana", game), page_of("Ana", game, "buttons/"), post("Ana", game, move="S")):
        assert "no-store" in answer["Cache-Control"]


def test_looking_writes_nothing() -> None:
    game = running("Ana", "Bogdan")
    client = Client()
    client.force_login(player("Ana"))
    before = rows()
    for path in ("", f"poll/{game.version}/", "poll/0/", "buttons/", f"buttons/?version={game.version}&card=7H"):
        client.get(f"/t/{game.code}/{path}", headers=HTMX)
    assert rows() == before


# -- playing -------------------------------------------------------------------------------------


def test_a_move_answers_with_the_table_as_it_is_now() -> None:
    game = running("Ana", "Bogdan")
    answer = post("Ana", game, move="S")
    assert answer.status_code == 200
    assert 'id="table"' in text_of(answer) and "<html" not in text_of(answer)
    assert f'value="{fresh(game).version}"' in text_of(answer)


def test_without_script_a_move_leads_back_to_the_table() -> None:
    game = running("Ana", "Bogdan")
    answer = post("Ana", game, move="S", htmx=False)
    assert (answer.status_code, answer["Location"]) == (302, f"/t/{game.code}/")


def test_the_ticked_card_is_discarded_by_the_plain_button() -> None:
    game = running("Ana", "Bogdan")
    play(game, "S")
    card = hand_of(game, "Ana")[0]
    post("Ana", game, move="D", card=card, htmx=False)
    assert Entry.objects.filter(game=game, text=f"D:{card}").exists()


def test_the_ticked_cards_are_laid_by_the_plain_button() -> None:
    seed, _moves, _points = OUT_OF_TWO
    game = running("Ana", "Bogdan", seed=seed)
    play(game, "S")
    post("Ana", game, move="M", card=["8H", "6H", "7H"], htmx=False)
    assert Entry.objects.get(game=game, seat=0, text__startswith="M:").text == "M:6H,7H,8H"


def test_a_take_is_made_by_the_plain_button() -> None:
    game = running("Ana", "Bogdan")
    post("Ana", game, move="P", take="P1", htmx=False)
    assert Entry.objects.filter(game=game, text="P1").exists()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"move": "D"}, "No card is chosen."),
        ({"move": "M"}, "No card is chosen."),
        ({"move": "P"}, "No card is chosen."),
        ({"move": "D:QQ"}, "That move could not be read."),
        ({"move": ""}, "That move could not be read."),
        ({"move": "T"}, "That move could not be read."),
        ({"move": "R"}, "That move could not be read."),
        ({"move": "S"}, "You have drawn already."),
        ({"move": "P1"}, "You have drawn already."),
        ({"move": "U"}, "There is nothing to take back."),
        ({"move": "L:7:*"}, "You do not hold"),
        ({"move": "x" * 5000}, "That move could not be read."),
        ({"move": "M", "card": ["zz", "<b>", "7H"]}, "That move could not be read."),
        ({"move": "M", "card": ["7H"] * 500}, "You do not hold"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence_and_changes_nothing(data: dict[str, Any], words: str) -> None:
    game = running("Ana", "Bogdan", seed="no joker 4")
    play(game, "S")
    version = fresh(game).version
    answer = post("Ana", game, **data)
    assert answer.status_code == 200
    assert words in re.sub(r"<[^>]+>", "", text_of(answer))
    assert 'role="alert"' in text_of(answer)
    assert fresh(game).version == version
    assert post("Ana", game, htmx=False, **data).status_code == 422


@pytest.mark.parametrize("version", ["", "x", "-1", "99999999999999999999", "²", "1.5"])
def test_a_version_that_is_none_gets_the_fresh_table(version: str) -> None:
    game = running("Ana", "Bogdan")
    client = Client()
    client.force_login(player("Ana"))
    answer = client.post(f"/t/{game.code}/play/", {"move": "S", "version": version})
    assert answer.status_code == 409
    assert "The table has moved on." in text_of(answer)
    assert fresh(game).version == game.version


def test_the_same_button_twice_plays_once() -> None:
    game = running("Ana", "Bogdan")
    version = game.version
    assert "The table has moved on." not in text_of(post("Ana", game, move="S", version=version))
    again = post("Ana", game, move="S", version=version)
    assert again.status_code == 200 and "The table has moved on." in text_of(again)
    assert Entry.objects.filter(game=game, text="S").count() == 1


def test_a_joker_that_could_stand_for_several_cards_opens_a_choice() -> None:
    game, cards = _with_a_choice()
    answer = post("Ana", game, move="M", card=cards, htmx=False)
    shown = text_of(answer)
    ways = re.findall(r'name="as" value="(M:[^"]+)"', shown)
    assert answer.status_code == 422 and len(ways) > 1
    assert "What does the joker stand for?" in shown
    post("Ana", game, move="M", card=cards, htmx=False, **{"as": ways[1]})
    assert Entry.objects.filter(game=game, text=ways[1]).exists()


def _with_a_choice() -> tuple[Game, list[str]]:
    """A table where Ana has drawn and holds two cards with a joker that could stand for several."""
    for number in range(500):
        game = running("Ana", "Bogdan", seed=f"choice {number}", variant="remi500")
        view = engine.view(at(game).deal, 0)
        if not view.hand.jokers:
            continue
        play(game, "S")
        view = engine.view(at(game).deal, 0)
        for first in view.hand.cards():
            for second in view.hand.cards():
                if first < second < engine.JOKER:
                    picked = [first, second, engine.JOKER]
                    if len(engine.offers(view, picked).lay) > 1:
                        return game, [engine.CARDS.texts[card] for card in picked]
    raise AssertionError("no such deal")


def test_moves_are_limited_to_what_a_person_can_make() -> None:
    game = running("Ana", "Bogdan")
    with time_machine.travel(NOON, tick=False):
        answers = [post("Ana", game, move="x").status_code for _try in range(64)]
    assert answers[0] == 200 and 429 in answers


# -- keeping fresh -------------------------------------------------------------------------------


def test_nothing_new_is_an_empty_answer() -> None:
    game = running("Ana", "Bogdan")
    answer = page_of("Ana", game, f"poll/{game.version}/", **HTMX)
    assert (answer.status_code, answer.content) == (204, b"")


def test_something_new_is_the_table() -> None:
    game = running("Ana", "Bogdan")
    quick_turn(game)
    answer = page_of("Ana", game, f"poll/{game.version}/", **HTMX)
    assert answer.status_code == 200 and 'id="table"' in text_of(answer)


def test_the_end_of_the_match_stops_the_asking() -> None:
    game = running("Ana", "Bogdan")
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    settle(game)
    answer = page_of("Ana", game, f"poll/{game.version}/", **HTMX)
    assert answer.status_code == 286
    assert answer["HX-Redirect"] == f"/t/{game.code}/"


def test_the_result_of_a_deal_comes_before_the_next_deal() -> None:
    seed, moves, _points = OUT_OF_TWO
    game = running("Ana", "Bogdan", seed=seed)
    play(game, moves)
    settle(game)
    answer = page_of("Bogdan", game)
    assert (answer.status_code, answer["Location"]) == (302, f"/t/{game.code}/deals/0/")
    assert page_of("Bogdan", game, "poll/0/", **HTMX)["HX-Redirect"] == f"/t/{game.code}/"
    turns.go_on(code=game.code, user=player("Bogdan"), deal=0)
    assert page_of("Bogdan", game).status_code == 200


def test_buttons_for_an_older_table_bring_the_table() -> None:
    game = running("Ana", "Bogdan")
    play(game, "S")
    answer = page_of("Ana", game, f"buttons/?version={game.version}&card=7H", **HTMX)
    assert answer["HX-Retarget"] == "#table"


# -- the buttons ---------------------------------------------------------------------------------


def test_the_buttons_say_what_they_do_and_what_it_is_worth() -> None:
    seed, _moves, _points = OUT_OF_TWO
    game = running("Ana", "Bogdan", seed=seed)
    play(game, "S")
    version = fresh(game).version
    shown = text_of(page_of("Ana", game, f"buttons/?version={version}&card=6H&card=7H&card=8H", **HTMX))
    assert 'value="M:6H,7H,8H"' in shown and '<span class="worth">21</span>' in shown
    shown = text_of(page_of("Ana", game, f"buttons/?version={version}&card=6H", **HTMX))
    assert 'value="D:6H"' in shown and "pick three or more" in shown


def test_a_meld_that_the_selection_fits_becomes_a_button() -> None:
    seed, moves, _points = OUT_OF_TWO
    game = running("Ana", "Bogdan", seed=seed)
    play(game, " ".join(moves.split()[:3]))
    shown = text_of(page_of("Ana", game, f"buttons/?version={fresh(game).version}&card=TD", **HTMX))
    assert 'class="meld fits" name="move" value="L:2:TD"' in shown and "<i>+10</i>" in shown


@pytest.mark.parametrize("query", ["card=<script>", "card=*&card=*&card=*", "take=P999", "take=Px", "take=P", "card="])
def test_a_selection_that_is_none_is_answered_all_the_same(query: str) -> None:
    game = running("Ana", "Bogdan")
    for _phase in range(2):
        answer = page_of("Ana", game, f"buttons/?version={fresh(game).version}&{query}", **HTMX)
        assert answer.status_code == 200 and "<script>" not in text_of(answer)
        if at(game).deal.phase == engine.DRAW:
            play(game, "S")


# -- the hand ------------------------------------------------------------------------------------


def test_the_hand_keeps_the_order_its_player_gives_it() -> None:
    game = running("Ana", "Bogdan")
    wanted = hand_of(game, "Ana")[::-1]
    assert post("Ana", game, path="arrange/", sort="hand", order=wanted).status_code == 204
    assert re.findall(r'data-card="([^"]+)"', text_of(page_of("Ana", game))) == wanted


def test_the_hand_is_sorted_by_number_on_request() -> None:
    game = running("Ana", "Bogdan")
    post("Ana", game, path="arrange/", sort="number", htmx=False)
    shown = re.findall(r'data-card="([^"]+)"', text_of(page_of("Ana", game)))
    numbers = ["A23456789TJQK*".index(card[0]) for card in shown]
    assert numbers == sorted(numbers)


def test_an_order_of_nonsense_only_ever_sorts() -> None:
    game = running("Ana", "Bogdan")
    assert post("Ana", game, path="arrange/", sort="<b>", order=["<script>", "x" * 9999] * 200).status_code == 204
    assert page_of("Ana", game).status_code == 200
    assert post("Céline", game, path="arrange/", sort="hand").status_code == 404


# -- how much it asks of the database ------------------------------------------------------------


def queries_of(client: Client, answer: Callable[[], Any]) -> list[str]:
    """What a request asks, without the savepoints in which a test wraps its transactions."""
    with CaptureQueriesContext(connection) as captured:
        answer()
    return [query["sql"] for query in captured.captured_queries if "SAVEPOINT" not in query["sql"]]


@pytest.mark.parametrize(
    "clock", [{}, {"increment": DAY, "bank_cap": DAY, "quiet_from": 22, "quiet_to": 8, "weekend_pause": True}]
)
def test_a_move_takes_a_dozen_queries_at_most(clock: dict[str, Any]) -> None:
    seed, moves, _points = OUT_OF_TWO
    game = running("Ana", "Bogdan", seed=seed, **clock)
    play(game, moves)
    settle(game)
    name = on_turn(game).username
    turns.go_on(code=game.code, user=player(name), deal=0)
    client = Client()
    client.force_login(player(name))
    post(name, game, path="arrange/", sort="suit")  # the first thing done in an hour notes that the player is here
    for move in ("S", "D"):
        version = fresh(game).version
        data = {"move": move, "version": version, "card": hand_of(game, name)[0]}
        asked = queries_of(client, lambda: client.post(f"/t/{game.code}/play/", data, headers=HTMX))  # noqa: B023
        assert len(asked) <= 12, "\n".join(asked)
        assert fresh(game).version == version + 1


def test_asking_for_news_takes_three_queries_at_most() -> None:
    game = running("Ana", "Bogdan")
    client = Client()
    client.force_login(player("Ana"))
    asked = queries_of(client, lambda: client.get(f"/t/{game.code}/poll/{game.version}/", headers=HTMX))
    assert len(asked) <= 3, "\n".join(asked)


def test_picking_cards_takes_seven_queries_at_most() -> None:
    game = running("Ana", "Bogdan")
    client = Client()
    client.force_login(player("Ana"))
    asked = queries_of(client, lambda: client.get(f"/t/{game.code}/buttons/?version={game.version}&take=P1", headers=HTMX))
    assert len(asked) <= 7, "\n".join(asked)


# -- the bell ------------------------------------------------------------------------------------


def told_of_another_table(name: str) -> Game:
    """Somebody's table, and another at which it is that player's turn, as the bell knows by now."""
    game = running("Bogdan", name, title="Here")
    quick = running(name, "Bogdan", title="There")
    spread(now=NOON)
    messages.look(user_id=player(name).pk, game=game.code, now=NOON + DAY)  # what has begun here is seen
    assert Message.objects.filter(user=player(name), game=quick.code, kind="turn", read_at=None).exists()
    return game


def test_the_bell_and_the_tab_count_at_a_table_what_waits_elsewhere() -> None:
    game = told_of_another_table("Ana")
    page = text_of(page_of("Ana", game))
    assert re.search(r"<title>\(1\) Bogdan to move · Here\s+· Remi</title>", page)
    assert re.search(r'<a [^>]*id="bell"[^>]* data-unread="1"[^>]* hx-trigger="news, every 30s"', page)


def test_with_nothing_unread_the_bell_is_there_without_a_number() -> None:
    page = text_of(page_of("Bogdan", running("Ana", "Bogdan")))
    assert 'id="bell"' in page and 'data-unread="0"' in page and "<title>Ana to move" in page


def test_a_move_and_a_look_for_news_keep_the_bell_of_the_page_and_ask_nothing_for_it() -> None:
    game = told_of_another_table("Ana")
    look = page_of("Ana", game, "poll/0/", **HTMX)
    assert text_of(look).count('id="bell"') == 1 and '<a id="bell" data-same></a>' in text_of(look)
    quick_turn(game)
    with CaptureQueriesContext(connection) as queries:
        moved = post("Ana", game, move="S")
    assert '<a id="bell" data-same></a>' in text_of(moved)
    assert not any("accounts_message" in query["sql"] and query["sql"].startswith("SELECT") for query in queries)


def test_a_look_for_news_and_the_bell_itself_are_three_queries_each() -> None:
    game, client = running("Ana", "Bogdan"), Client()
    client.force_login(player("Ana"))
    for path in (f"/t/{game.code}/poll/{game.version}/", "/messages/bell/?often=1"):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(path, headers=HTMX).status_code in (200, 204)
        assert len(queries) <= 3, path


def test_a_bell_that_is_asked_often_goes_on_asking() -> None:
    client = Client()
    client.force_login(player("Ana"))
    assert "every 30s" in text_of(client.get("/messages/bell/?often=1"))
    assert "every" not in text_of(client.get("/messages/bell/"))


@pytest.mark.parametrize("path", ["deals/0/", "deals/0/replay/3/"])
def test_the_result_of_a_deal_and_its_replay_have_the_bell_too(path: str) -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    page = text_of(page_of("Ana", game, path))
    assert page.count('id="bell"') == 1 and "every 30s" in page and "js/bell" in page

"""The pages of a deal that is shown again."""

from __future__ import annotations

import html
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from django.utils import translation

from games import engine
from games.models import Entry, Game
from games.presenters.replay import Frame, Link, Source
from games.presenters.steps import Made
from games.services import absence, turns
from games.services.store import entry_for
from games.views.replay import asked_of, show
from tests.engine.builders import position
from tests.games.pages import HTMX, visitor, words
from tests.games.playing import (
    NOON,
    OUT_OF_TWO,
    PATIENT,
    at,
    fresh,
    play,
    player,
    quick_turn,
    run_out,
    running,
    settle,
)
from tests.games.tiles import FIRST_ASKED, answer, tile_table

pytestmark = pytest.mark.django_db


def over(*names: str, **terms: Any) -> Game:
    """A match of two or more whose first deal is over and counted: its moves are `OUT_OF_TWO`."""
    game = running(*(names or ("Ana", "Bogdan")), seed=OUT_OF_TWO[0], **terms)
    play(game, OUT_OF_TWO[1])
    settle(game)
    return fresh(game)


def get(name: str, game: Game, path: str = "", **headers: str) -> Any:
    return visitor(name).get(f"/t/{game.code}/deals/0/replay/{path}", headers=headers)


def body(answer: Any) -> str:
    assert answer.status_code == 200
    return answer.content.decode()


def hand_of(page: str) -> list[str]:
    """The cards of the hand below the table."""
    hand = re.search(r'<ol class="hand".*?</ol>', page, flags=re.S)
    return re.findall(r'value="([^"]+)"', hand[0]) if hand else []


def led_to(answer: Any) -> tuple[str, dict[str, list[str]]]:
    """Where an answer leads, and with which query."""
    assert answer.status_code == 302
    parts = urlsplit(answer["Location"])
    return parts.path, parse_qs(parts.query)


# -- the steps -----------------------------------------------------------------------------------


def test_a_finished_deal_is_told_from_its_beginning_step_by_step() -> None:
    game = over()
    path, query = led_to(get("Ana", game))
    assert path == f"/t/{game.code}/deals/0/replay/0/" and query == {"seat": ["0"]}
    told = ["As dealt, 5 moves", "You drew", "You laid 6 7 8", "You laid 7 8 9", "You laid off 10", "You discarded 8"]
    for step, sentence in enumerate(told):
        page = get("Ana", game, f"{step}/")
        assert sentence in words(page)
        place = re.search(r'<p role="status">.*?</p>', body(page), flags=re.S)
        assert place and (f"Move {step} of 5 · turn 1" in place[0] or not step)


def test_each_step_names_the_steps_and_turns_beside_it() -> None:
    game = running("Ana", "Bogdan")
    for _turn in range(3):
        quick_turn(game)
    page = body(get("Ana", game, "3/"))
    stepper = re.search(r'<div class="stepper">.*?</div>', page, flags=re.S)
    assert stepper and re.findall(r'name="to" value="(\d+)"', stepper[0]) == ["2", "2", "4", "4"]
    assert 'min="0" max="6" value="3"' in page and 'data-ends="0 2 4 6"' in page


def test_at_the_ends_there_is_no_further_step_but_no_button_is_lost() -> None:
    game = over()
    first, last = body(get("Ana", game, "0/")), body(get("Ana", game, "5/"))
    for page, values in ((first, ["0", "0", "1", "5"]), (last, ["0", "4", "5", "5"])):
        stepper = re.search(r'<div class="stepper">.*?</div>', page, flags=re.S)
        assert stepper and re.findall(r'name="to" value="(\d+)"', stepper[0]) == values
        assert stepper[0].count('aria-disabled="true"') == 2 and " disabled" not in stepper[0]


def test_a_step_that_is_not_there_is_the_last() -> None:
    game = over()
    assert "Move 5 of 5" in words(get("Ana", game, "6/"))
    assert "Move 5 of 5" in words(get("Ana", game, "999999999999/"))


def test_what_is_taken_back_is_a_step_and_taken_back_in_another() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, "S M:6H,7H,8H U")
    laid, back = body(get("Ana", game, "2/")), body(get("Ana", game, "3/"))
    assert "6H" not in hand_of(laid) and "6H" in hand_of(back)
    assert "You took that back" in words(get("Ana", game, "3/"))


def test_moves_that_a_ruling_undid_are_no_steps() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, "S M:6H,7H,8H")
    game = fresh(game)
    drawn = Entry.objects.filter(game=game, kind=Entry.Kind.MOVE).earliest("number")
    entry_for(game, text="rolled_back", actor=Entry.Actor.SERVER, facts={"to": drawn.number}, now=NOON).save()
    page = get("Ana", game, "9/")
    assert "Move 1 of 1" in words(page) and "6H" in hand_of(body(page))


def test_the_last_step_of_a_running_deal_is_the_table_as_it_stands() -> None:
    game = running("Ana", "Bogdan", "Chloé", seed="alike")
    for _turn in range(4):
        quick_turn(game)
    play(game, "S")
    table, replay = (body(visitor("Bogdan").get(f"/t/{game.code}/{path}")) for path in ("", "deals/0/replay/9/"))
    for pattern in (
        r'<ol class="seats".*?</ol>',
        r"<header>.*?</header>",
        r'<ol class="fan".*?</ol>',
        r'<ol class="hand".*?</ol>',
    ):
        one, other = re.search(pattern, table, flags=re.S), re.search(pattern, replay, flags=re.S)
        assert one and other
        faces = [re.findall(r'<span class="card" data-s="(.).*?(?:<b>(\w+)</b>|#joker)', part[0]) for part in (one, other)]
        assert faces[0] == faces[1] and (faces[0] or "fan" not in pattern)
    for what in ("Stock", "cards, oldest first"):
        found = [re.findall(rf"[^<>]*{what}[^<>]*", page) for page in (table, replay)]
        assert found[0] == found[1]


def test_who_holds_a_card_stands_in_the_page_of_each_step() -> None:
    game = over()
    deal = engine.start(game.rules, 1, at_deck(game))
    texts = engine.CARDS.texts
    assert hand_of(body(get("Ana", game, "0/?seat=1"))) == [texts[card] for card in deal.hands[1].cards()]
    assert sorted(hand_of(body(get("Ana", game, "5/?seat=1")))) == sorted(texts[card] for card in deal.hands[1].cards())
    assert "No card left" in words(get("Ana", game, "5/?seat=0"))


def at_deck(game: Game) -> list[int]:
    return [engine.CARDS.codes[text] for text in game.deals.get(number=0).deck.split()]


# -- whose eyes ----------------------------------------------------------------------------------


def test_a_deal_that_is_over_is_seen_from_any_seat_or_with_all_hands_open() -> None:
    game = over()
    for name in ("Ana", "Bogdan", "stranger"):
        for seat, shown in (("0", 7), ("1", 7), ("all", 0)):
            page = body(get(name, game, f"0/?seat={seat}"))
            assert len(hand_of(page)) == shown
            assert ('class="hands"' in page) == (seat == "all")
            assert re.search(rf'value="{seat}" checked', page)
    assert "next 7 of 39" in words(get("stranger", game, "0/?seat=all"))


def test_whoever_did_not_play_sees_all_hands_at_first_and_a_player_their_own() -> None:
    game = over()
    assert 'class="hands"' in body(get("stranger", game, "1/"))
    assert re.search(r'value="1" checked', body(get("Bogdan", game, "1/")))


@pytest.mark.parametrize("seat", ["2", "-1", "7", "every", "", "9" * 30, "\N{SUPERSCRIPT TWO}", "%00"])
def test_a_seat_that_there_is_not_is_one_s_own(seat: str) -> None:
    game = over()
    assert re.search(r'value="1" checked', body(get("Bogdan", game, f"1/?seat={seat}")))


def test_a_running_deal_is_seen_from_one_s_own_seat_and_by_a_spectator_without_hands() -> None:
    game = running("Ana", "Bogdan")
    for seat in ("0", "1", "all"):
        assert "Your hand, 7 cards" in body(get("Ana", game, f"0/?seat={seat}"))
        page = body(get("stranger", game, f"0/?seat={seat}"))
        assert not hand_of(page) and 'class="hands"' not in page and "Seen by" not in page


def test_one_s_own_draw_is_told_and_that_of_others_once_the_deal_is_over() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, "S")
    drawn = at(game).deal.drew
    assert drawn is not None
    index = engine.CARDS.texts[drawn][0].replace("T", "10")
    assert f"You drew {index} " in words(get("Ana", game, "1/")) + " "
    assert "Ana drew Turn" not in words(get("Bogdan", game, "1/")) and f"Ana drew {index} " not in words(
        get("Bogdan", game, "1/")
    )
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    assert f"Ana drew {index} " in words(get("Bogdan", game, "1/?seat=0")) + " "
    assert f"Ana drew {index} " not in words(get("Bogdan", game, "1/?seat=1")) + " "


def test_a_deal_that_is_over_opens_before_it_is_counted() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    page = body(get("stranger", game, "5/?seat=1"))
    assert len(hand_of(page)) == 7 and f'href="/t/{game.code}/"' in page


def test_before_a_substitute_sat_down_the_moves_were_another_s() -> None:
    game = running("Ana", "Bogdan", absent_after=1, options={"target": 1000})
    quick_turn(game)
    quick_turn(game)
    turns.expire(game_id=game.pk, now=fresh(game).deadline or NOON)
    absence.take_over(code=game.code, user=player("Dan"), seat=0, now=NOON)
    while fresh(game).to_move == 1 or not game.entries.filter(text="taken_over").exists():
        quick_turn(game)
    quick_turn(game)
    last = game.entries.filter(kind=Entry.Kind.MOVE).count()
    for name, dan in (("Dan", "You"), ("Bogdan", "Dan"), ("Ana", "Dan")):
        first, newest = words(get(name, game, "1/")), words(get(name, game, f"{last}/"))
        assert "1 Ana drew" in first and f"{last} {dan} discarded" in newest
    assert hand_of(body(get("Dan", game, "0/"))) and not hand_of(body(get("Ana", game, "0/")))


# -- addresses -----------------------------------------------------------------------------------


def test_what_the_form_sends_leads_to_the_address_of_the_step() -> None:
    game = over()
    there = f"/t/{game.code}/deals/0/replay"
    for sent, path, query in (
        ("?to=3&at=1", f"{there}/3/", {"seat": ["0"]}),
        ("?at=2&seat=1", f"{there}/2/", {"seat": ["1"]}),
        ("?at=2&seat=all&find=7H", f"{there}/2/", {"seat": ["all"], "card": ["7H"]}),
        ("?at=2&find=7H&card=", f"{there}/2/", {"seat": ["0"]}),
        ("?at=2&find=7H&card=8S", f"{there}/2/", {"seat": ["0"], "card": ["8S"]}),
        ("?at=2&card=<b>", f"{there}/2/", {"seat": ["0"]}),
        ("?to=77", f"{there}/5/", {"seat": ["0"]}),
        ("?to=x&at=y", f"{there}/0/", {"seat": ["0"]}),
        ("?to=" + "9" * 5_000, f"{there}/0/", {"seat": ["0"]}),
        ("?at=2&deal=1", f"/t/{game.code}/deals/1/replay/", {}),
        ("?at=2&deal=0", f"{there}/2/", {"seat": ["0"]}),
    ):
        assert led_to(get("Ana", game, sent)) == (path, query)


def test_a_row_of_the_log_leads_to_its_step() -> None:
    game = over()
    moves = list(Entry.objects.filter(game=game, kind=Entry.Kind.MOVE, deal=0).order_by("number"))
    for step, entry in enumerate(moves, 1):
        assert led_to(get("Ana", game, f"?entry={entry.hash[:16]}"))[0].endswith(f"/replay/{step}/")
    assert led_to(get("Ana", game, f"?entry={game.entries.get(number=0).hash}"))[0].endswith("/replay/0/")
    log = body(visitor("Ana").get(f"/t/{game.code}/log/"))
    assert f'href="/t/{game.code}/deals/0/replay/?entry={moves[-1].hash[:16]}"' in log


def test_answers_to_the_exchange_are_one_step_so_that_links_hold() -> None:
    game = tile_table("Ana", "Bogdan", seed=FIRST_ASKED)
    answer(game, "X:8K")
    discard = next(card for card in at(game).hands[0].cards if card != "*")
    play(game, f"D:{discard}")
    discarded = Entry.objects.filter(game=game, kind=Entry.Kind.MOVE).latest("number")
    before = led_to(get("Ana", game, f"?entry={discarded.hash}"))
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    assert led_to(get("Ana", game, f"?entry={discarded.hash}")) == before
    assert before[0].endswith("/replay/2/")


def test_the_fragment_for_htmx_is_the_step_and_says_its_address() -> None:
    game = over()
    got = get("Ana", game, "?to=3&seat=1", **HTMX)
    page = body(got)
    assert urlsplit(got["HX-Replace-Url"]).path == f"/t/{game.code}/deals/0/replay/3/"
    assert page.startswith('<form class="play" id="replay"') and 'data-title="Move 3 of 5' in page
    had = re.search(r'data-list="([^"]+)"', page)
    assert had and 'id="moves"' not in body(get("Ana", game, f"?to=4&seat=1&had={had[1]}", **HTMX))
    assert 'id="moves"' in body(get("Ana", game, f"?to=4&seat=0&had={had[1]}", **HTMX))
    assert body(get("Ana", game, f"4/?seat=1&had={had[1]}")).count("<li data-at=") == 6


@pytest.mark.parametrize("path", ["7/", "7/replay/", "7/replay/0/", "99999999999/replay/0/"])
def test_a_deal_that_there_is_not_has_no_replay(path: str) -> None:
    assert visitor("Ana").get(f"/t/{over().code}/deals/{path}").status_code == 404


def test_a_table_that_has_not_begun_and_a_foreign_one_have_no_replay() -> None:
    from tests.games.playing import open_table

    assert get("Ana", open_table("Ana"), "0/").status_code == 404
    game = over(visibility=Game.Visibility.LINK)
    assert get("stranger", game, "0/").status_code == 404
    assert visitor().get(f"/t/{game.code}/deals/0/replay/0/").status_code == 302
    assert get("Bogdan", game, "0/").status_code == 200


def test_a_log_that_breaks_a_rule_is_said_to() -> None:
    game = running("Ana", "Bogdan")
    kind, actor = Entry.Kind.MOVE, Entry.Actor.PLAYER
    entry_for(fresh(game), text="D:AS", kind=kind, actor=actor, seat=1, deal=0, now=NOON).save()
    client = visitor("Ana")
    answer = client.get(f"/t/{game.code}/deals/0/replay/", follow=True)
    assert answer.redirect_chain == [(f"/t/{game.code}/log/", 302)]
    assert "its log does not add up" in words(answer)


def test_a_replay_asks_the_database_little(django_assert_max_num_queries: Any) -> None:
    game, client = over(), visitor("Ana")
    with django_assert_max_num_queries(10):
        client.get(f"/t/{game.code}/deals/0/replay/3/")


# -- the way of a card ---------------------------------------------------------------------------


def test_a_card_tells_its_way_and_each_station_is_a_step() -> None:
    game = over()
    page = body(get("stranger", game, "0/?card=TD"))
    way = re.search(r'<div class="way".*?</div>', page, flags=re.S)
    assert way
    stations = re.findall(r'name="to" value="(\d+)"[^>]*><span>\d+ · (\w+)</span><small>(\w+)', way[0])
    assert ("4", "laid", "Ana") in stations and stations[0][1] in ("dealt", "drawn")
    assert re.findall(r'<li data-at="(\d+)" data-hit', page)[0] == "4"
    assert '<option value="TD" selected>' in page


def test_a_card_that_nobody_has_seen_has_no_way() -> None:
    game = running("Ana", "Bogdan")
    unseen = engine.CARDS.texts[at(game).deal.deck[-1]]
    shown = body(get("stranger", game, f"0/?card={unseen}"))
    assert "Not seen in this deal" in shown and f'<option value="{unseen}"' not in shown


@pytest.mark.parametrize("card", ["5R", "<b>", "7", "x" * 500, "*9H", "%00"])
def test_what_is_no_card_of_the_game_asks_for_nothing(card: str) -> None:
    page = get("Ana", over(), f"0/?card={card}")
    assert 'class="way"' not in body(page)


# -- by itself -----------------------------------------------------------------------------------


def test_without_script_a_replay_plays_on_by_itself_and_stops_at_the_end() -> None:
    game = over()
    path, query = led_to(get("Ana", game, "?at=3&seat=1&play=1"))
    assert path.endswith("/replay/3/") and query == {"seat": ["1"], "play": ["1"]}
    page = body(get("Ana", game, "3/?seat=1&play=1"))
    goes_on = re.search(r'<noscript><meta http-equiv="refresh" content="2;url=([^"]+)">', page)
    assert goes_on
    after = urlsplit(html.unescape(goes_on[1]))
    assert after.path.endswith("/replay/4/") and parse_qs(after.query) == {"seat": ["1"], "play": ["1"]}
    assert "data-playing" in page and re.search(r'name="play" value=""', page)
    nearly = body(get("Ana", game, "4/?seat=1&play=1"))
    assert re.search(r"/replay/5/\?seat=1\"", nearly)
    assert "http-equiv" not in body(get("Ana", game, "5/?seat=1"))


def test_played_on_from_the_end_it_begins_anew() -> None:
    assert led_to(get("Ana", over(), "?at=5&play=1"))[0].endswith("/replay/0/")


# -- ways to it ----------------------------------------------------------------------------------


def test_table_result_log_and_match_sheet_lead_to_it() -> None:
    game = running("Ana", "Bogdan", options={"target": 60}, absent_after=PATIENT)
    replay = f"/t/{game.code}/deals/0/replay/"
    assert f'href="{replay}"' in body(visitor("Ana").get(f"/t/{game.code}/"))
    run_out(game)
    settle(game)
    assert f'href="{replay}"' in body(visitor("Ana").get(f"/t/{game.code}/deals/0/"))
    assert f'href="{replay}?entry=' in body(visitor("Ana").get(f"/t/{game.code}/log/"))
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    settle(game)
    assert fresh(game).status == Game.Status.FINISHED
    assert f'href="{replay}"' in body(visitor("Ana").get(f"/t/{game.code}/"))


def test_from_deal_to_deal_one_goes_by_its_number() -> None:
    game = over()
    page = body(get("Ana", game, "0/"))
    assert re.findall(r'name="deal" value="(\d)"', page) == ["0", "1"]
    assert "deal 1, over" in words(get("Ana", game, "0/"))
    assert "deal 2, running" in words(visitor("Ana").get(f"/t/{game.code}/deals/1/replay/0/"))


@pytest.mark.parametrize("language,told", [("ro", "Mutarea 2 din 5"), ("fr", "Coup 2 sur 5")])
def test_it_speaks_the_reader_s_language(language: str, told: str) -> None:
    ana = player("Ana")
    game = over()
    ana.language = language
    ana.save()
    assert told in words(get("Ana", game, "2/"))


# -- from elsewhere ------------------------------------------------------------------------------


def brought(**data: str) -> Any:
    """A step of a record that somebody brought along and that is kept nowhere: its form is posted with the record in it."""
    start = position("rami500", hands=["8H 9H 7H 2S", "3C 4D"], row="KS", stock="4C 5C 6C")
    frame = Frame(
        title="Brought", words="Rami 500", action="/look/", method="post", hidden={"record": "{…}"}, deals=2,
        back=Link("/", "i-back", "Back"),
    )  # fmt: skip
    moves = [Made(0, "S"), Made(0, "M:7H,8H,9H"), Made(0, "D:2S"), Made(1, "S")]
    request: Any = RequestFactory().post("/look/", data, headers=HTMX if "htmx" in data else {})
    request.user, request.htmx = AnonymousUser(), "htmx" in data
    source = Source(frame=frame, start=start, moves=moves, names=["Ana <b>", "Bogdan"], totals=[10, -20], case=True)
    with translation.override("en"):
        return show(request, source, asked_of(request.POST), lasting=False)


def test_a_record_from_elsewhere_is_shown_by_the_same_page_with_all_hands_open() -> None:
    page = body(brought())
    assert 'method="post" action="/look/"' in page and "csrfmiddlewaretoken" in page
    assert '<textarea hidden name="record" form="replay">{…}</textarea>' in page
    assert 'class="hands"' in page and "Link to this move" not in page and "by-script" in page
    assert "Ana &lt;b&gt;" in page and "Ana <b>" not in page
    assert re.findall(r'name="deal" value="(\d)"', page) == ["0", "1"]


def test_its_steps_are_posted() -> None:
    page = body(brought(to="2", seat="1", card="7H"))
    assert "Move 2 of 4" in page and "Hand of Bogdan, 2 cards" in page and "turn 1" in page
    assert "7H" in page and hand_of(page) == ["4D", "3C"]
    fragment = brought(to="2", htmx="1")
    assert body(fragment).startswith('<form class="play"') and "HX-Replace-Url" not in fragment

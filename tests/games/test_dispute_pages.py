"""Disputes on the pages of their players: opened from a move or from the result, answered, appealed; and what is public."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games.models import Dispute, Game
from games.services import disputes, rulings
from tests.games.cases import HOUR, again, claimed, dispute, last_move, referee, rule, ruled
from tests.games.pages import said, visitor, words
from tests.games.playing import DAY, NOON, OUT_OF_TWO, fresh, play, player, quick_turn, running, settle

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _at_noon() -> Any:
    with time_machine.travel(NOON, tick=False), translation.override("en"):
        yield


@pytest.fixture
def game() -> Game:
    game = running("Ana", "Bogdan", "Chloé")
    quick_turn(game)
    return game


@pytest.fixture
def over() -> Game:
    game = running("Ana", "Bogdan", options={"target": None}, seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    return fresh(game)


def act(client: Client, made: Dispute, what: str, text: str = "") -> Any:
    return client.post(f"/t/{made.game.code}/disputes/{made.pk}/act/", {"act": what, "words": text})


def case(client: Client, made: Dispute) -> str:
    return words(client.get(f"/t/{made.game.code}/disputes/{made.pk}/"))


# -- opening ----------------------------------------------------------------------------------------


def test_the_log_leads_from_a_move_to_the_form_and_the_form_to_the_case(game: Game) -> None:
    ana = visitor("Ana")
    page = ana.get(f"/t/{game.code}/log/").content.decode()
    [link] = re.findall(rf'href="(/t/{game.code}/disputes/new/\?entry=[0-9a-f]+)"', page)
    form = ana.get(link)
    assert "Ana discarded" in words(form)
    entry = link.partition("=")[2]
    sent = {"entry": entry, "kind": "rule", "words": "That was <b>not</b> allowed.\nReally."}
    answer = ana.post(f"/t/{game.code}/disputes/new/", sent)
    made = Dispute.objects.get()
    assert (made.deal, made.move) == (0, last_move(game).number)
    shown = ana.get(answer["Location"])
    assert "The dispute is open" in words(shown)
    assert "That was &lt;b&gt;not&lt;/b&gt; allowed.<br>Really." in shown.content.decode()
    assert "The move Ana discarded" in words(shown)


def test_the_replay_leads_there_from_its_step(game: Game) -> None:
    ana = visitor("Ana")
    step = ana.get(f"/t/{game.code}/deals/0/replay/1/").content.decode()
    [link] = re.findall(rf'href="(/t/{game.code}/disputes/new/[^"]+)"', step)
    assert "Ana drew" in words(ana.get(link.replace("&amp;", "&")))
    assert "disputes/new" not in ana.get(f"/t/{game.code}/deals/0/replay/0/").content.decode()
    assert "disputes/new" not in visitor("Céline").get(f"/t/{game.code}/deals/0/replay/1/").content.decode()


def test_the_result_leads_there_with_its_deal(over: Game) -> None:
    ana = visitor("Ana")
    assert f"/t/{over.code}/disputes/new/?deal=0" in ana.get(f"/t/{over.code}/deals/0/").content.decode()
    assert '<option value="0" selected>' in ana.get(f"/t/{over.code}/disputes/new/?deal=0").content.decode()
    ana.post(f"/t/{over.code}/disputes/new/", {"kind": "collusion", "deal": "0", "words": "They help each other."})
    assert (Dispute.objects.get().deal, Dispute.objects.get().move) == (0, None)


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"words": "Something"}, "Choose one of the kinds."),
        ({"kind": "weather", "words": "Rain"}, "Choose one of the kinds."),
        ({"kind": "rule", "words": " \x07 "}, "what happened."),
        ({"kind": "rule", "words": "x" * 9000}, "2,000"),
        ({"kind": "rule", "words": "a\x00b"}, "Null characters"),
        ({"kind": "rule", "words": "x", "deal": "7"}, "7"),
        ({"kind": "rule", "words": "x", "deal": "²"}, "²"),
        ({"kind": ["rule", "other"], "words": "\u200b"}, "Words are missing."),
    ],
)
def test_what_is_not_whole_comes_back_with_what_is_missing(game: Game, sent: dict[str, Any], told: str) -> None:
    answer = visitor("Ana").post(f"/t/{game.code}/disputes/new/", sent)
    assert answer.status_code == 422 and not Dispute.objects.exists()
    assert told in words(answer)


@pytest.mark.parametrize(
    "query",
    [
        "entry=zz",
        "entry=" + "0" * 64,
        "deal=9&at=1",
        "deal=0&at=999",
        "deal=²&at=1",
        "deal=0&at=0",
        "deal=1e9",
        "deal=" + "9" * 40,
    ],
)
def test_a_move_that_is_not_there_leaves_the_whole_match_to_choose(game: Game, query: str) -> None:
    answer = visitor("Ana").get(f"/t/{game.code}/disputes/new/?{query}")
    assert answer.status_code in (200, 404)
    if answer.status_code == 200:
        assert "the whole match" in words(answer)


def test_who_has_one_open_is_told_so_and_so_is_who_comes_late(game: Game, over: Game) -> None:
    dispute(game)
    sent = {"kind": "rule", "words": "Once more"}
    answer = visitor("Ana").post(f"/t/{game.code}/disputes/new/", sent)
    assert answer.status_code == 422 and "You have a dispute open at this table already." in words(answer)
    listed = {name: words(visitor(name).get(f"/t/{game.code}/disputes/")) for name in ("Ana", "Bogdan")}
    assert "Open a dispute" not in listed["Ana"] and "Open a dispute" in listed["Bogdan"]
    with time_machine.travel(NOON + 15 * DAY, tick=False):
        assert "can no longer be disputed" in words(visitor("Ana").get(f"/t/{over.code}/disputes/new/"))
        assert visitor("Ana").post(f"/t/{over.code}/disputes/new/", sent).status_code == 422
        assert "Open a dispute" not in words(visitor("Ana").get(f"/t/{over.code}/"))


def test_nobody_opens_disputes_without_end(game: Game) -> None:
    ana = visitor("Ana")
    for _time in range(6):
        ana.post(f"/t/{game.code}/disputes/new/", {"kind": "rule", "words": "Again"})
        disputes.withdraw(case=Dispute.objects.latest("pk").pk, user=player("Ana"), now=NOON)
    assert ana.post(f"/t/{game.code}/disputes/new/", {"kind": "rule", "words": "Again"}).status_code == 429


# -- who may read -----------------------------------------------------------------------------------


def same(answer: Any) -> bytes:
    """What an answer says, but for the token that is another each time."""
    return re.sub(rb'"X-CSRFToken": "\w+"|value="\w{64}"', b"", answer.content)


@pytest.mark.parametrize("name", ["Céline", "Corina"])
def test_nobody_else_reads_a_case_and_cannot_tell_it_from_none(game: Game, name: str) -> None:
    made = claimed(game)
    client = visitor(name)
    nothing = client.get("/t/nosuchtable/disputes/1/")
    for path in ("", "new/", f"{made.pk}/", f"{made.pk + 1}/"):
        answer = client.get(f"/t/{game.code}/disputes/{path}")
        assert (answer.status_code, same(answer)) == (404, same(nothing))
    assert act(client, made, "answer", "Hello").status_code == 404
    assert "Disputes" not in words(client.get(f"/t/{game.code}/log/"))


def test_a_case_is_found_at_its_own_table_alone(game: Game, over: Game) -> None:
    made = dispute(game)
    assert visitor("Ana").get(f"/t/{over.code}/disputes/{made.pk}/").status_code == 404
    assert visitor("Ana").get(f"/t/{over.code}/disputes/{10**30}/").status_code == 404


def test_logged_out_one_logs_in_first(game: Game) -> None:
    assert visitor().get(f"/t/{game.code}/disputes/").status_code == 302


# -- the case ---------------------------------------------------------------------------------------


def test_players_answer_and_who_opened_it_withdraws(game: Game) -> None:
    made = dispute(game)
    bogdan, ana = visitor("Bogdan"), visitor("Ana")
    assert "Withdraw" not in case(bogdan, made)
    assert "Your answer stands with the case." in said(bogdan, act(bogdan, made, "answer", "It was allowed."))
    shown = case(ana, made)
    assert "Ana · claims" in shown and "Bogdan · answers" in shown and "It was allowed." in shown
    refused = act(bogdan, made, "withdraw")
    assert refused.status_code == 422 and "Only who asked for a ruling can withdraw that." in words(refused)
    assert "It is withdrawn." in said(ana, act(ana, made, "withdraw"))
    assert "Send the answer" not in case(bogdan, made)


def test_words_that_are_refused_are_still_in_the_form(game: Game) -> None:
    made = dispute(game)
    answer = act(visitor("Ana"), made, "answer", "x" * 2001)
    assert answer.status_code == 422 and "At most 2,000" in words(answer) and "x" * 2001 in answer.content.decode()


@pytest.mark.parametrize("what", ["", "rule", "claim", "²", "answer\x00"])
def test_other_acts_are_none(game: Game, what: str) -> None:
    made = dispute(game)
    assert act(visitor("Ana"), made, what, "x").status_code == 422
    assert again(made).state == "open"


def test_a_ruling_is_read_with_its_reason_and_appealed_in_time(game: Game) -> None:
    made = ruled(game)
    shown = case(visitor("Chloé"), made)
    assert "Dismissed: everything stays as it was. I have looked at it. Corina, referee" in shown
    assert "Until Sun 8 Mar 12:00 any of you may ask for another referee" in shown
    with time_machine.travel(NOON + 7 * DAY + HOUR, tick=False):
        assert "ask for another referee" not in case(visitor("Chloé"), made)
        assert "It is too late to appeal." in words(act(visitor("Chloé"), made, "appeal", "Wrong"))
    act(visitor("Chloé"), made, "appeal", "That is wrong.")
    assert again(made).state == "appealed"
    assert "You may withdraw the appeal" in case(visitor("Chloé"), made)
    assert "You may withdraw" not in case(visitor("Ana"), made)


def test_gone_back_the_case_tells_who_has_seen_what(game: Game) -> None:
    made = rule(claimed(game), "back", entry=last_move(game).number - 1)
    assert "Ana has seen 1 card of the stock that is drawn again." in case(visitor("Bogdan"), made)


def test_gone_back_into_a_deal_that_was_over_the_case_tells_that_all_of_it_was_open() -> None:
    over = running("Ana", "Bogdan", seed=OUT_OF_TWO[0], options={"target": 1})
    play(over, OUT_OF_TWO[1])
    settle(over)
    words_of_it = "The deal was over: everybody may have seen all that was dealt"
    made = rule(claimed(over), "back", entry=last_move(over).number)
    assert words_of_it in case(visitor("Bogdan"), made)
    made = rule(claimed(over, "Bogdan"), "back", entry=last_move(over).number - 1)
    assert words_of_it not in case(visitor("Ana"), made)


def test_gone_back_the_case_and_the_log_name_the_move(game: Game) -> None:
    move = last_move(game)
    made = rule(claimed(game), "back", entry=move.number - 1)
    first = game.entries.get(number=move.number - 1)
    name = ("Ana", "Bogdan", "Chloé")[first.seat or 0]
    assert f"Back to before: {name} drew (Sun 1 Mar 12:00)" in case(visitor("Bogdan"), made)
    log = words(visitor("Dana").get(f"/t/{game.code}/log/"))
    assert (
        f"what is struck out does not count. Drawn from the stock and seen: {name} 1. Back to before: {name} drew (12:00)" in log
    )


def test_adjusted_points_have_their_sign(game: Game) -> None:
    made = rule(claimed(game), "points", points={0: 20, 1: -20})
    assert "Ana: +20 Bogdan: −20" in case(visitor("Ana"), made)


def test_other_rulings_tell_whom_they_concern(game: Game) -> None:
    made = rule(claimed(game), "points", points={0: 30, 1: -30})
    assert "Points are adjusted. Ana: +30 Bogdan: −30" in case(visitor("Ana"), made)
    assert "Chloé" in case(visitor("Ana"), rule(claimed(game), "remove", seat=2))
    assert "Deal 1 is void" in case(visitor("Ana"), rule(claimed(game), "void", deal=0))


def test_a_look_at_a_running_deal_is_not_shown_before_its_end() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    made = claimed(game)
    rulings.look(case=made.pk, user=referee(), deal=0, now=NOON)
    assert "looked at all hands" not in case(visitor("Ana"), made)
    play(game, OUT_OF_TWO[1])
    settle(game)
    assert "Corina · looked at all hands of deal 1" in case(visitor("Ana"), made)


def test_a_look_that_was_told_of_is_not_hidden_again() -> None:
    over = running("Ana", "Bogdan", seed=OUT_OF_TWO[0], options={"target": 1})
    made = claimed(over)
    rulings.look(case=made.pk, user=referee(), deal=0, now=NOON)
    play(over, OUT_OF_TWO[1])
    settle(over)
    rule(made, "back", entry=last_move(over).number)
    assert "looked at all hands of deal 1" in case(visitor("Ana"), made)
    other = claimed(over, "Bogdan", to="Dan")
    rulings.look(case=other.pk, user=referee("Dan"), deal=0, now=NOON)
    assert "Dan · looked at all hands" not in case(visitor("Ana"), other)


def test_words_of_a_closed_account_are_gone(game: Game) -> None:
    made = dispute(game, "Chloé", words="My own words")
    disputes.forget(user_id=player("Chloé").pk, now=NOON)
    shown = case(visitor("Ana"), made)
    assert "My own words" not in shown and "Gone with the account" in shown


# -- at the table -----------------------------------------------------------------------------------


def test_the_table_says_to_its_players_that_one_is_open(game: Game) -> None:
    made = dispute(game)
    for name, shown in (("Bogdan", True), ("Céline", False)):
        assert ("A dispute is open at this table." in words(visitor(name).get(f"/t/{game.code}/"))) == shown
    disputes.withdraw(case=made.pk, user=player("Ana"), now=NOON)
    assert "A dispute is open" not in words(visitor("Bogdan").get(f"/t/{game.code}/"))


def test_a_frozen_table_offers_no_move(game: Game) -> None:
    made = claimed(game)
    rulings.freeze(case=made.pk, user=referee(), span=timedelta(days=2), now=NOON)
    page = visitor("Bogdan").get(f"/t/{game.code}/")
    assert "Frozen by a referee, until Tue 3 Mar 12:00 at the latest" in words(page)
    assert 'value="S"' not in page.content.decode() and "Ask for a pause" not in words(page)
    assert "The clock is frozen until Tue 3 Mar 12:00" in case(visitor("Bogdan"), made)
    answer = visitor("Bogdan").post(f"/t/{game.code}/play/", {"move": "S", "version": fresh(game).version})
    assert answer.status_code == 422 and "A referee has frozen the clock of this table." in words(answer)


def test_the_log_tells_of_freezing_and_ruling_without_their_words(game: Game) -> None:
    made = claimed(game)
    rulings.freeze(case=made.pk, user=referee(), span=timedelta(days=2), now=NOON)
    rule(made)
    log = words(visitor("Céline").get(f"/t/{game.code}/log/"))
    assert f"A referee has ruled on case {made.pk}: dismissed" in log
    assert "A referee has frozen the clock, until Tue 3 Mar 12:00 at the latest" in log
    assert "I have looked at it" not in log and "Corina" not in log


def test_a_result_is_provisional_while_one_is_open(over: Game) -> None:
    made = dispute(over)
    pages = (f"/t/{over.code}/", f"/t/{over.code}/deals/0/")
    assert all("Provisional" in words(visitor("Bogdan").get(page)) for page in pages)
    listed = words(visitor("Bogdan").get(pages[0]))
    assert "Wrong rule or score" in listed and "waits for a referee" in listed
    disputes.withdraw(case=made.pk, user=player("Ana"), now=NOON)
    assert not any("Provisional" in words(visitor("Bogdan").get(page)) for page in pages)


# -- the public figures -----------------------------------------------------------------------------


def test_the_figures_count_by_kind_and_month_without_names(game: Game) -> None:
    rule(claimed(game, kind="collusion"), "points", points={1: -5})
    made = ruled(game)
    disputes.appeal(case=made.pk, user=player("Ana"), words="Wrong", now=NOON)
    rulings.claim(case=made.pk, user=referee("Dora"), now=NOON)
    rule(made, "points", by="Dora", points={0: 5})
    with time_machine.travel(NOON + 40 * DAY, tick=False):
        with CaptureQueriesContext(connection) as first:
            page = visitor().get("/rulings/")
        shown = words(page)
        assert "Disputes opened 2 0 2 0" in shown and "collusion 1 0 1" in shown
        assert "Rulings 3 0 3" in shown and "points adjusted 2 0 2" in shown
        assert "Appeals 1 0 1" in shown and "ruled otherwise 1 0 1" in shown
        assert not {"Ana", "Bogdan", "Corina", "Dora", game.code} & set(shown.split())
        with CaptureQueriesContext(connection) as second:
            visitor().get("/rulings/")
    assert [sum('"games_' in query["sql"] for query in asked.captured_queries) for asked in (first, second)] == [3, 0]


def test_with_nothing_to_count_it_shows_noughts() -> None:
    assert "Disputes opened 0 0" in words(visitor().get("/rulings/"))

"""The chat on the pages: beside the table, on its own page, in the poll, and in the referees' admin."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import ChatReport, Game, Saying
from games.services import chat
from tests.games.pages import HTMX, said, visitor, words
from tests.games.playing import NOON, fresh, open_table, player, running, seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return running("Ana", "Bogdan")


def send(name: str, game: Game, text: str, **headers: str) -> Any:
    return visitor(name, **headers).post(f"/t/{game.code}/chat/say/", {"text": text})


def poll(name: str, game: Game, version: int, known: int) -> Any:
    return visitor(name, **HTMX).get(f"/t/{game.code}/poll/{version}/?said={known}")


def test_words_are_said_without_script_and_stand_on_the_page_of_the_chat(game: Game) -> None:
    client = visitor("Ana")
    answer = client.post(f"/t/{game.code}/chat/say/", {"text": "Good luck!"})
    assert answer.status_code == 302
    assert "Good luck!" in said(client, answer)
    assert "Good luck!" in words(visitor("Bogdan").get(f"/t/{game.code}/"))


def test_words_are_text_and_never_markup_or_links(game: Game) -> None:
    send("Ana", game, "<b>hi</b> https://example.org")
    for path in ("", "chat/"):
        page = visitor("Bogdan").get(f"/t/{game.code}/{path}").content.decode()
        assert "&lt;b&gt;hi&lt;/b&gt; https://example.org" in page and 'href="https://example.org' not in page


def test_with_htmx_the_words_alone_come_back_and_the_field_is_told_to_empty(game: Game) -> None:
    answer = send("Ana", game, "hello", **HTMX)
    assert answer.status_code == 200 and answer["HX-Retarget"] == "#says" and answer["HX-Trigger"] == "said"
    assert "hello" in words(answer) and 'id="table"' not in answer.content.decode()


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_what_cannot_be_said_is_told_and_kept_in_the_field(game: Game, headers: dict[str, str]) -> None:
    client = visitor("Ana", **headers)
    answer = client.post(f"/t/{game.code}/chat/say/", {"text": " "})
    told = words(answer) if headers else said(client, answer)
    assert "There is nothing to send." in told and "HX-Trigger" not in answer
    assert fresh(game).said == 0


def test_the_poll_says_nothing_then_the_words_and_not_the_table(game: Game) -> None:
    version = fresh(game).version
    assert poll("Bogdan", game, version, 0).status_code == 204
    send("Ana", game, "hello")
    answer = poll("Bogdan", game, version, 0)
    assert answer.status_code == 200 and answer["HX-Retarget"] == "#says" and answer["HX-Reswap"] == "innerHTML"
    page = answer.content.decode()
    assert "hello" in page and "data-unread" in page and 'id="table"' not in page
    assert poll("Bogdan", game, version, 1).status_code == 204


def test_the_poll_asks_no_more_of_the_database_than_before(game: Game) -> None:
    send("Ana", game, "hello")
    client = visitor("Bogdan", **HTMX)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"/t/{game.code}/poll/{fresh(game).version}/?said=1").status_code == 204
    asked = [query["sql"] for query in queries if "games_" in query["sql"]]
    assert len(asked) == 2  # one of them is this test's own


def test_a_fresh_table_brings_the_chat_only_where_it_has_changed(game: Game) -> None:
    send("Ana", game, "hello")
    known = poll("Bogdan", game, 0, 1).content.decode()
    assert 'id="table"' in known and "hello" not in known and 'id="chat" data-same' in known
    news = poll("Bogdan", game, 0, 0).content.decode()
    assert 'id="table"' in news and "hello" in news


def test_what_is_seen_is_no_news_on_the_next_page(game: Game) -> None:
    send("Ana", game, "hello")
    client = visitor("Bogdan")
    assert "New words in the chat" in words(client.get(f"/t/{game.code}/"))
    assert client.post(f"/t/{game.code}/chat/seen/", {"said": "1"}).status_code == 204
    assert seat(game, "Bogdan").seen_chat == 1
    assert "New words in the chat" not in words(client.get(f"/t/{game.code}/"))


@pytest.mark.parametrize("sent", ["", "x", "-1", "9" * 40, "²"])
def test_a_number_that_is_none_changes_nothing(game: Game, sent: str) -> None:
    assert visitor("Bogdan").post(f"/t/{game.code}/chat/seen/", {"said": sent}).status_code == 204
    assert seat(game, "Bogdan").seen_chat == 0


def test_spectators_read_a_public_table_and_have_no_field(game: Game) -> None:
    send("Ana", game, "hello")
    page = visitor("Zoe").get(f"/t/{game.code}/")
    assert "hello" in words(page) and 'name="text"' not in page.content.decode()
    assert "you can read along" in words(visitor("Zoe").get(f"/t/{game.code}/chat/"))
    assert send("Zoe", game, "me too").status_code == 404


def test_the_chat_of_a_table_by_link_is_hidden_from_whoever_only_has_the_link() -> None:
    game = open_table("Ana", visibility="link")
    send("Ana", game, "psst")
    for client in (visitor("Zoe"), visitor()):
        assert "psst" not in words(client.get(f"/t/{game.code}/"))
        assert client.get(f"/t/{game.code}/chat/").status_code in (302, 404)
        assert client.post(f"/t/{game.code}/chat/1/", {"act": "report"}).status_code in (302, 404)
    assert "psst" in words(visitor("Ana").get(f"/t/{game.code}/chat/"))
    assert not ChatReport.objects.exists()


def test_who_talks_too_much_waits(game: Game) -> None:
    client = visitor("Ana")
    statuses = [client.post(f"/t/{game.code}/chat/say/", {"text": f"word {number}"}).status_code for number in range(22)]
    assert 429 in statuses and Saying.objects.count() <= 20 * 2


def test_muting_and_reading_again_by_the_buttons(game: Game) -> None:
    send("Ana", game, "blah")
    client = visitor("Bogdan")
    answer = client.post(f"/t/{game.code}/chat/1/", {"act": "mute"})
    page = said(client, answer)
    assert "You will not read Ana any more." in page and "blah" not in page and "Unmute" in page
    assert "blah" not in words(client.get(f"/t/{game.code}/"))
    assert "blah" in said(client, client.post(f"/t/{game.code}/chat/1/", {"act": "unmute"}))


@pytest.mark.parametrize("act", ["", "remove", "mute\0"])
def test_other_acts_change_nothing(game: Game, act: str) -> None:
    send("Ana", game, "blah")
    client = visitor("Bogdan")
    assert "Nothing was changed." in said(client, client.post(f"/t/{game.code}/chat/1/", {"act": act}))
    assert "blah" in words(client.get(f"/t/{game.code}/chat/"))
    assert client.post(f"/t/{game.code}/chat/2/", {"act": "mute"}).status_code == 404


def test_the_page_of_the_chat_asks_for_news_alone(game: Game) -> None:
    send("Ana", game, "hello")
    client = visitor("Bogdan", **HTMX)
    assert client.get(f"/t/{game.code}/chat/?said=1").status_code == 204
    assert "hello" in words(client.get(f"/t/{game.code}/chat/?said=0"))
    assert visitor("Bogdan").get(f"/t/{game.code}/chat/?page=x").status_code == 200


def test_a_referee_finds_the_report_in_the_admin_and_removes_the_words(game: Game) -> None:
    send("Ana", game, "before")
    send("Ana", game, "rude")
    client = visitor("Bogdan")
    assert "A referee will look at it." in said(client, client.post(f"/t/{game.code}/chat/2/", {"act": "report"}))
    report = ChatReport.objects.get()
    ref = player("Ref")
    client = visitor("Ref")
    list_page, page = "/admin/games/chatreport/", f"/admin/games/chatreport/{report.pk}/change/"
    assert client.get(page).status_code == 302
    ref.is_staff = True
    ref.save()
    assert client.get(page).status_code == 403
    ref.user_permissions.add(Permission.objects.get(codename="referee", content_type__app_label="games"))
    assert "before" in words(client.get(page)) and "rude" in words(client.get(list_page))
    client.post(list_page, {"action": "remove_words", "_selected_action": [report.pk]})
    report.refresh_from_db()
    assert report.outcome == "removed" and report.closed_by == ref
    assert "Removed by a referee" in words(visitor("Bogdan").get(f"/t/{game.code}/"))
    assert "rude" not in words(visitor("Ana").get(f"/t/{game.code}/chat/"))
    assert "rude" in words(client.get(page))
    assert client.get("/admin/games/game/").status_code == 403


def test_a_referee_who_plays_there_is_refused(game: Game) -> None:
    send("Ana", game, "rude")
    chat.report(game=game, number=1, user=player("Zoe"), now=NOON)
    ref = player("Bogdan")
    ref.is_staff = True
    ref.save()
    ref.user_permissions.add(Permission.objects.get(codename="referee", content_type__app_label="games"))
    client = visitor("Bogdan")
    sent = {"action": "remove_words", "_selected_action": [ChatReport.objects.get().pk]}
    told = said(client, client.post("/admin/games/chatreport/", sent))
    assert "Another referee looks at it." in told
    assert ChatReport.objects.get().outcome == "open"


def test_the_pages_before_and_after_the_match_lead_to_the_chat() -> None:
    game = open_table("Ana")
    assert f'href="/t/{game.code}/chat/"' in visitor("Ana").get(f"/t/{game.code}/").content.decode()
    assert f'href="/t/{game.code}/chat/"' not in visitor("Zoe").get(f"/t/{game.code}/").content.decode()

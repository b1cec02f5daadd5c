"""The bell and the page behind it: what is unread, what each message says of its ways, and where it leads."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Delivery, Message, User
from accounts.people.messages import bell
from accounts.people.messages.inbox import mark

pytestmark = pytest.mark.django_db
URL = "/messages/"
CODE = "abcdefghjkmnpq"


def told(user: User, kind: str = "turn", **other: Any) -> Message:
    now = timezone.now()
    count = Message.objects.count()
    plain = {
        "key": f"{count}", "game": CODE, "facts": {"title": "Marți seara", "game": "Remi 500"},
        "made_at": now + timedelta(seconds=count - 99), "due_at": now - timedelta(minutes=1), "spread_at": now,
    }  # fmt: skip
    return Message.objects.create(user=user, kind=kind, **{**plain, **other})


def went(message: Message, way: str, status: str, **other: Any) -> None:
    Delivery.objects.create(message=message, way=way, status=status, **other)


def bell_of(page: str) -> int:
    found = re.search(r'id="bell"[^>]* data-unread="(\d+)"', page)
    assert found
    return int(found[1])


# -- the bell -------------------------------------------------------------------------------------


def test_the_bell_counts_what_is_unread_and_the_tab_does_too(ana: User, ana_client: Client) -> None:
    told(ana)
    told(ana, "invitation", game="rstuvwxyz23456")

    page = ana_client.get("/settings/").content.decode()
    assert bell_of(page) == 2
    assert "<title>(2) Settings · Remi</title>" in page
    assert "Messages: 2 unread" in page


@pytest.mark.parametrize(("language", "words"), [("ro", "Mesaje: 2 necitite"), ("fr", "Messages : 2 non lus")])
def test_the_bell_speaks_every_language(ana: User, ana_client: Client, language: str, words: str) -> None:
    told(ana), told(ana, game="rstuvwxyz23456")
    User.objects.filter(pk=ana.pk).update(language=language)

    page = ana_client.get("/settings/").content.decode()
    assert words in page and "<title>(2) " in page


def test_nothing_unread_is_not_counted(ana: User, ana_client: Client) -> None:
    now = timezone.now()
    told(ana, read_at=now)
    told(ana, closed_at=now, closed="played")
    told(ana, on_site=False)
    told(ana, spread_at=None)
    told(User.objects.create_user("Bogdan"))

    page = ana_client.get("/settings/").content.decode()
    assert bell_of(page) == 0
    assert "<title>Settings · Remi</title>" in page


def test_more_than_a_hundred_are_not_counted_out(ana: User, ana_client: Client) -> None:
    for number in range(120):
        told(ana, game=f"table{number}")

    assert "99+" in ana_client.get("/settings/").content.decode()
    assert bell.unread(user=ana) == 100


def test_the_bell_costs_one_query_where_it_is_and_none_where_it_is_not(
    ana: User, ana_client: Client, client: Client, django_assert_num_queries: Any
) -> None:
    told(ana)
    with django_assert_num_queries(3):  # the session, the player, the bell
        ana_client.get("/rules/")
    with django_assert_num_queries(0):
        client.get("/rules/")


def test_the_bell_alone_is_an_answer_too(ana: User, ana_client: Client, client: Client) -> None:
    told(ana)

    answer = ana_client.get("/messages/bell/")
    assert bell_of(answer.content.decode()) == 1
    assert "no-store" in answer.headers["Cache-Control"]
    assert client.get("/messages/bell/").status_code == 302


# -- the page -------------------------------------------------------------------------------------


def test_messages_stand_newest_first_with_what_is_unread_marked(ana: User, ana_client: Client) -> None:
    told(ana, facts={"title": "First"}, read_at=timezone.now())
    told(ana, facts={"title": "Second"})
    told(User.objects.create_user("Bogdan"), facts={"title": "Not for Ana"})

    page = ana_client.get(URL).content.decode()
    assert re.findall(r"<b>Your turn at “(.*?)”</b>", page) == ["Second", "First"]
    assert page.count("<li data-unread>") == 1
    assert "Not for Ana" not in page


@pytest.mark.parametrize(("kind", "title"), [("turn", "Your turn at “Marți"), ("hurry", "Little time left at “Marți")])
def test_read_when_the_time_is_over_a_message_says_how_long_one_had(ana: User, ana_client: Client, kind: str, title: str) -> None:
    told(ana, kind, until=timezone.now() - timedelta(minutes=5))

    page = ana_client.get(URL).content.decode()
    assert title in page and "You had until " in page
    assert "time is up" not in page and "You have until" not in page


def test_french_puts_a_space_before_the_colon(ana: User, ana_client: Client) -> None:
    went(told(ana), "mail", "pending")
    User.objects.filter(pk=ana.pk).update(language="fr")

    page = ana_client.get(URL).content.decode()
    assert "<b>E-mail :</b>" in page and "non lu :" in page


def test_what_is_written_by_players_is_escaped(ana: User, ana_client: Client) -> None:
    went(told(ana, facts={"title": "<script>x</script>"}), "mail", "failed", last_error="<img src=x>")

    page = ana_client.get(URL).content.decode()
    assert "<script>x" not in page and "<img" not in page


@pytest.mark.parametrize(
    ("way", "status", "other", "words"),
    [
        ("mail", "sent", {"sent_at": timezone.now()}, "<b>Mail:</b> sent "),
        ("mail", "dropped", {"reason": "played"}, f"<b>Mail:</b> dropped: {Message.Closed.PLAYED.label}"),
        ("push", "dropped", {"reason": "read"}, "<b>Phone:</b> dropped: you had seen it on the site"),
        ("push", "unknown", {}, "<b>Phone:</b> unknown: the server was interrupted while sending"),
        ("push", "unknown", {"last_error": "No answer came."}, "<b>Phone:</b> unknown: No answer came."),
        (
            "webhook",
            "failed",
            {"last_error": "It answered with status 404."},
            "<b>Chat:</b> failed: It answered with status 404.",
        ),
        ("webhook", "waiting", {"next_at": timezone.now()}, "<b>Chat:</b> waits until "),
        ("webhook", "waiting", {"next_at": timezone.now(), "last_error": "Busy."}, "<b>Chat:</b> Busy. · next try "),
        ("mail", "sending", {"began_at": timezone.now()}, "<b>Mail:</b> being sent"),
    ],
)
def test_each_way_says_how_it_went(ana: User, ana_client: Client, way: str, status: str, other: Any, words: str) -> None:
    went(told(ana), way, status, **other)

    assert words in ana_client.get(URL).content.decode()


def test_a_message_that_went_no_way_at_all_is_not_listed(ana: User, ana_client: Client) -> None:
    told(ana, on_site=False)
    went(told(ana, on_site=False, facts={"title": "By mail"}), "mail", "sent", sent_at=timezone.now())

    page = ana_client.get(URL).content.decode()
    assert re.findall(r"<b>Your turn at “(.*?)”</b>", page) == ["By mail"]
    assert "data-unread>" not in page


def test_who_was_told_nothing_reads_what_stands_here(ana_client: Client) -> None:
    assert "Nothing yet" in ana_client.get(URL).content.decode()


def test_many_messages_are_parted_into_pages(ana: User, ana_client: Client, django_assert_max_num_queries: Any) -> None:
    for number in range(45):
        went(told(ana, facts={"title": f"Nr {number}"}), "mail", "sent", sent_at=timezone.now())

    with django_assert_max_num_queries(9):
        first = ana_client.get(URL).content.decode()
    last = ana_client.get(URL, {"page": "2"}).content.decode()
    assert first.count('name="message"') == 30 and last.count('name="message"') == 15
    for wrong in ("0", "x", "-1", "9" * 30, "9" * 5000, "\x00"):
        assert ana_client.get(URL, {"page": wrong}).status_code == 200


def test_looking_marks_nothing(ana: User, ana_client: Client) -> None:
    told(ana)
    ana_client.get(URL)

    assert bell.unread(user=ana) == 1


def test_opening_a_message_leads_to_its_table_and_marks_it(ana: User, ana_client: Client) -> None:
    first, _second = told(ana), told(ana)

    answer = ana_client.post("/messages/open/", {"message": mark(first.pk)})

    assert answer.headers["Location"] == f"/t/{CODE}/"
    assert bell.unread(user=ana) == 1
    first.refresh_from_db()
    assert first.read_at is not None


def test_opening_it_twice_keeps_when_it_was_read(ana: User, ana_client: Client) -> None:
    before = timezone.now() - timedelta(days=1)
    message = told(ana, read_at=before)

    assert ana_client.post("/messages/open/", {"message": mark(message.pk)}).status_code == 302
    message.refresh_from_db()
    assert message.read_at == before


@pytest.mark.parametrize("wrong", ["", "x", "-1", "0", "9" * 18, "9" * 30, "9" * 5000, "1.5", "²", "\x00"])
def test_a_message_that_is_none_is_no_error(ana_client: Client, wrong: str) -> None:
    assert ana_client.post("/messages/open/", {"message": wrong}).status_code in (302, 404)


def test_the_message_of_another_is_not_there(ana_client: Client) -> None:
    foreign = told(User.objects.create_user("Bogdan"))

    assert ana_client.post("/messages/open/", {"message": mark(foreign.pk)}).status_code == 404
    foreign.refresh_from_db()
    assert foreign.read_at is None


def test_all_are_read_with_one_button(ana: User, ana_client: Client) -> None:
    foreign = told(User.objects.create_user("Bogdan"))
    told(ana), told(ana)

    assert ana_client.post("/messages/read/").headers["Location"] == URL
    assert bell.unread(user=ana) == 0
    foreign.refresh_from_db()
    assert foreign.read_at is None


@pytest.mark.parametrize("url", ["/messages/open/", "/messages/read/"])
def test_a_visitor_is_sent_to_log_in(client: Client, url: str) -> None:
    assert client.post(url).headers["Location"].startswith("/account/login/")


@pytest.mark.parametrize(
    ("status", "other", "words"),
    [
        ("sent", {"sent_at": timezone.now()}, "The other side has taken it."),
        ("failed", {"last_error": "550 no such user"}, "It has not arrived."),
        ("unknown", {}, "Nobody knows whether it has arrived."),
        ("waiting", {"next_at": timezone.now()}, "It is on its way."),
        ("dropped", {"reason": "nowhere"}, "Nothing was sent."),
        (None, {}, "Nothing was sent."),
    ],
)
def test_a_test_says_what_became_of_it_on_its_way(
    ana: User, ana_client: Client, status: str | None, other: Any, words: str
) -> None:
    message = told(ana, "test", game="", facts={"way": "mail"})
    if status:
        went(message, "mail", status, **other)

    page = ana_client.get(URL).content.decode()
    assert words in page and "This is how messages" not in page


def test_a_test_of_the_site_has_arrived_where_it_is_read(ana: User, ana_client: Client) -> None:
    told(ana, "test", game="", facts={"way": "site"})

    assert "This is how messages reach you here." in ana_client.get(URL).content.decode()
